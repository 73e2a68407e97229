"""Domineering, a game that mnkala does not bring along: players lay dominoes on a board, the first
one upright, the second one flat. Whoever cannot lay one loses. Try it:

    MNKALA_PLUGINS=domineering mnkala play domineering:6x6      (in this folder)
    mnkala check domineering:Domineering
"""

from typing import Any, NamedTuple

import numpy as np

from mnkala import GOING_ON, Heuristic, Rules, game, heuristic, lowest_bit, mix, popcount, shared
from mnkala.errors import IllegalMove


class Board(NamedTuple):
    """The state: numbers only, so that playing a move makes a new one and nothing has to be undone."""

    free: np.uint64  # a bit for every free cell, row by row from the top
    upright: np.uint64  # cells under the first player's dominoes, for drawing
    mover: np.int64


@game
class Domineering(Rules):
    """Lay dominoes, upright or flat; whoever cannot, loses."""

    name = "domineering"
    heuristic = "room"
    rules_text = """The players take turns to lay a domino on two free cells: the first player upright, the second player flat.

# The end
Whoever cannot lay a domino loses. There is no draw."""
    rows: int = 8
    cols: int = 8

    def start(self) -> Board:
        cells = np.uint64(0)
        for cell in range(self.rows * self.cols):
            cells |= np.uint64(1) << np.uint64(cell)
        return Board(cells, np.uint64(0), np.int64(0))

    def moves(self, state: Board, out: Any) -> int:  # a move is the upper or left cell of a domino
        places = room(state.free, self.rows, self.cols, state.mover)
        count = 0
        while places != np.uint64(0):
            out[count] = lowest_bit(places)
            places &= places - np.uint64(1)
            count += 1
        return count

    def play(self, state: Board, move: int) -> Board:
        step = self.cols if state.mover == 0 else 1
        domino = (np.uint64(1) << np.uint64(move)) | (np.uint64(1) << np.uint64(move + step))
        upright = state.upright | domino if state.mover == 0 else state.upright
        return Board(state.free & ~domino, upright, np.int64(1 - state.mover))

    def mover(self, state: Board) -> int:
        return state.mover  # type: ignore[return-value]

    def result(self, state: Board) -> int:
        return (
            -1 if room(state.free, self.rows, self.cols, state.mover) == np.uint64(0) else GOING_ON
        )

    def key(
        self, state: Board
    ) -> np.uint64:  # a hash of everything that matters, the mover included
        return mix(state.free ^ mix(state.upright + np.uint64(state.mover + 1)))

    def most_moves(self) -> int:  # of any position; generous is fine
        return self.rows * self.cols

    def move_codes(self) -> int:  # every move is smaller
        return self.rows * self.cols

    def longest_game(self) -> int:
        return self.rows * self.cols // 2 + 1

    def move_text(self, move: int) -> str:
        return f"{chr(ord('a') + move % self.cols)}{self.rows - move // self.cols}"

    def parse_move(self, text: str) -> int:
        for move in range(self.move_codes()):
            if self.move_text(move) == text:
                return move
        raise IllegalMove(
            f"'{text}' is not a cell; cells are a1 to {self.move_text(self.cols - 1)}"
        )

    def cell(self, state: Board, row: int, column: int) -> int:
        bit = np.uint64(1) << np.uint64(row * self.cols + column)
        return 0 if state.free & bit else 1 if state.upright & bit else 2


@shared
def room(free: np.uint64, rows: int, cols: int, player: int) -> np.uint64:
    """Where a player can lay a domino: cells whose lower (or right) neighbour is free too."""
    if player == 0:
        return free & (free >> np.uint64(cols))
    not_last = np.uint64(0)
    for row in range(rows):
        not_last |= ((np.uint64(1) << np.uint64(cols - 1)) - np.uint64(1)) << np.uint64(row * cols)
    return free & (free >> np.uint64(1)) & not_last


@heuristic
class Room(Heuristic):
    """How many more dominoes I could lay than the opponent."""

    name = "room"

    def evaluate(self, rules: Any, state: Board) -> int:
        mine = popcount(room(state.free, rules.rows, rules.cols, state.mover))
        return mine - popcount(room(state.free, rules.rows, rules.cols, 1 - state.mover))
