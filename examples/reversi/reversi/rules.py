"""Reversi, also known as Othello: enclose rows of the opponent's discs between two of your own, and
they turn over to your colour.

Whoever cannot enclose anything passes, which is a move of its own and then the only one. The game
ends when neither player can move; the margin is the plain difference of discs, so that cells that
stay free count for nobody. (Federations give them to the winner; who wins is the same.)

Game strings: `reversi` (8 x 8), `reversi:6x6`, `reversi:4x8`: rows and columns are even, and a
board has at most 64 cells. Moves: the column's letter and the row's number from the top, as
Othello's players write them, `d3`; and `pass`. Position literal: the rows from the top, and who is
to move: `..../.ox./.xo./....:x`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mnkala import GOING_ON, Rules, game, lowest_bit, mix, popcount
from mnkala.core.picture import Cell, Picture
from mnkala.errors import BadGame, BadPosition, IllegalMove
from mnkala.native.objects import IntArray
from mnkala.numbers import counted, shortened
from reversi.discs import ONE, ZERO, moves_for, turned_by

SMALLEST_SIDE, MOST_CELLS = 4, 64
MARKS = ".xo"
PASS = "pass"


class Board(NamedTuple):
    """The discs as the mover sees them."""

    own: np.uint64
    other: np.uint64
    open: np.uint64
    """The cells where the mover may place a disc: found once a position, for everybody asks."""
    mover: np.int64


@game
class Reversi(Rules):
    """Enclose the opponent's discs to turn them over; most discs win."""

    name = "reversi"
    graded = True
    heuristic = "reversi"
    fixed_cells = True
    rows: int = 8
    cols: int = 8
    full: np.uint64 = dataclasses.field(init=False)
    """All cells."""
    left: np.uint64 = dataclasses.field(init=False)
    """The left column."""
    inner: np.uint64 = dataclasses.field(init=False)
    """All columns but the left and the right one."""
    corners: np.uint64 = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        rows, cols = self.rows, self.cols
        if rows % 2 or cols % 2 or min(rows, cols) < SMALLEST_SIDE or rows * cols > MOST_CELLS:
            raise BadGame(
                f"{rows}x{cols}; a board of Reversi has an even number of rows and of columns, at least {SMALLEST_SIDE} of each "
                f"and at most {MOST_CELLS} cells in all"
            )
        left = sum(1 << row * cols for row in range(rows))
        masks = {
            "full": (1 << rows * cols) - 1,
            "left": left,
            "inner": sum(left << column for column in range(1, cols - 1)),
            "corners": sum(1 << cell for cell in (0, cols - 1, (rows - 1) * cols, rows * cols - 1)),
        }
        for name, mask in masks.items():
            object.__setattr__(self, name, np.uint64(mask))

    # ---- The rules ----

    def start(self) -> Board:
        """The four discs of Othello: x stands at the upper right and at the lower left."""
        corner = (self.rows // 2 - 1) * self.cols + self.cols // 2 - 1
        own = ONE << np.uint64(corner + 1) | ONE << np.uint64(corner + self.cols)
        other = ONE << np.uint64(corner) | ONE << np.uint64(corner + self.cols + 1)
        return Board(own, other, moves_for(own, other, self), np.int64(0))

    def moves(self, state: Board, out: IntArray) -> int:
        left, count = state.open, 0
        while left != ZERO:
            out[count] = lowest_bit(left)
            left &= left - ONE
            count += 1
        if count == 0:
            out[0] = self.rows * self.cols  # pass
            count = 1
        return count

    def play(self, state: Board, move: int) -> Board:
        own, other = state.own, state.other
        if move < self.rows * self.cols:
            disc = ONE << np.uint64(move)
            turned = turned_by(disc, own, other, self)
            own |= disc | turned
            other &= ~turned
        return Board(other, own, moves_for(other, own, self), np.int64(1 - state.mover))

    def mover(self, state: Board) -> int:
        return state.mover  # type: ignore[return-value]

    def result(self, state: Board) -> int:
        if state.open != ZERO or moves_for(state.other, state.own, self) != ZERO:
            return GOING_ON
        return popcount(state.own) - popcount(state.other)

    def key(self, state: Board) -> np.uint64:
        return mix(mix(state.own) ^ state.other) + np.uint64(state.mover)

    def prior(self, state: Board, move: int) -> int:
        """Corners first, then what leaves the opponent few moves."""
        if move == self.rows * self.cols:
            return 0
        disc = ONE << np.uint64(move)
        if disc & self.corners != ZERO:
            return 1000
        turned = turned_by(disc, state.own, state.other, self)
        return 900 - 20 * popcount(
            moves_for(state.other & ~turned, state.own | disc | turned, self)
        )

    def is_legal(self, state: Board, move: int) -> bool:
        if move == self.rows * self.cols:
            return bool(state.open == ZERO)
        return 0 <= move < self.rows * self.cols and bool(state.open >> np.uint64(move) & ONE)

    # ---- Bounds ----

    def most_moves(self) -> int:
        return self.rows * self.cols

    def move_codes(self) -> int:
        return self.rows * self.cols + 1

    def longest_game(self) -> int:
        """Nobody passes after a pass, so every disc follows at most one."""
        return 2 * (self.rows * self.cols - 4)

    def largest_margin(self, state: Board) -> int:
        return self.rows * self.cols

    # ---- Notation ----

    def game_string(self) -> str:
        return "reversi" if (self.rows, self.cols) == (8, 8) else super().game_string()

    def move_text(self, move: int) -> str:
        return (
            PASS
            if move == self.rows * self.cols
            else f"{chr(ord('a') + move % self.cols)}{move // self.cols + 1}"
        )

    def parse_move(self, text: str) -> int:
        word = text.strip().lower()
        for move in range(self.move_codes()):
            if self.move_text(move) == word:
                return move
        last = self.move_text(self.rows * self.cols - 1)
        raise IllegalMove(
            f"'{shortened(text)}' is not a move; moves are cells from a1 to {last}, and {PASS} where nothing else can be played"
        )

    def literal(self, state: Board) -> str:
        return f"{self.picture(state).rows()}:{MARKS[1 + int(state.mover)]}"

    def parse_literal(self, text: str) -> Board:
        board, colon, mover = text.strip().lower().partition(":")
        rows = board.split("/")
        if (
            (colon and mover not in ("x", "o"))
            or len(rows) != self.rows
            or not all(re.fullmatch(f"[.xo]{{{self.cols}}}", row) for row in rows)
        ):
            raise BadPosition(
                f"'{shortened(text)}' is not a position of {self.game_string()}; write {self.rows} rows of {self.cols} cells "
                f"(x, o or .) from the top with a / between them, and :x or :o for who is to move: {self.literal(self.start())}"
            )
        cells = "".join(rows)
        first, second = (
            np.uint64(sum(1 << cell for cell, mark in enumerate(cells) if mark == player))
            for player in "xo"
        )
        if mover == "o":
            return Board(second, first, moves_for(second, first, self), np.int64(1))
        return Board(first, second, moves_for(first, second, self), np.int64(0))

    def literal_of(self, picture: Picture, mover: int) -> str:
        return f"{picture.rows()}:{MARKS[1 + mover]}"

    def faults(self, literal: str) -> Iterator[BadPosition]:
        """No disc is ever taken off the board, so the four cells in the middle are never free."""
        found = [*super().faults(literal)]
        yield from found
        if not found:
            state = self.parse_literal(literal)
            start = self.start()
            free = (start.own | start.other) & ~(state.own | state.other)
            if free != ZERO:
                cells = tuple(
                    divmod(cell, self.cols)
                    for cell in range(self.rows * self.cols)
                    if int(free) >> cell & 1
                )
                yield BadPosition(
                    f"{counted(len(cells), 'cell')} in the middle of the board free; the game starts with discs there, and they stay",
                    "editor.reversi.middle",
                    cells,
                    count=len(cells),
                )

    # ---- Drawing ----

    def cell(self, state: Board, row: int, column: int) -> int:
        disc = ONE << np.uint64(row * self.cols + column)
        return (
            1 + int(state.mover)
            if state.own & disc
            else 2 - int(state.mover)
            if state.other & disc
            else 0
        )

    def picture(self, state: Board) -> Picture:
        cells = tuple(
            tuple(self.cell(state, row, column) for column in range(self.cols))
            for row in range(self.rows)
        )
        return Picture(
            cells,
            tuple(chr(ord("a") + column) for column in range(self.cols)),
            tuple(str(row + 1) for row in range(self.rows)),
        )

    def board_style(self) -> str:
        return "discs"

    def move_cells(self, state: Board, move: int) -> tuple[Cell, ...]:
        """The cell where the disc is placed; a pass has none."""
        return () if move == self.rows * self.cols else (divmod(move, self.cols),)

    def changed_cells(self, state: Board, move: int) -> tuple[Cell, ...]:
        """The new disc, not those that it turns over: it is what is marked as the last move."""
        return self.move_cells(state, move)
