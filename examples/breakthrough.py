"""Breakthrough (Troyka 2000), a game whose pieces move: a step forward, straight or aslant, and
aslant a piece may capture. Whoever reaches the far row or captures every piece wins. The first
player sits below. Try it:

    MNKALA_PLUGINS=breakthrough mnkala play breakthrough:6x6      (in this folder)
    mnkala check breakthrough:Breakthrough

A move is written `a2-b3`. On the page and in the terminal it takes two clicks, on the piece and
where it goes: `from_to` says so.
"""

import re
from typing import Any, NamedTuple

import numpy as np

from mnkala import GOING_ON, Heuristic, Rules, game, heuristic, lowest_bit, mix, popcount, shared
from mnkala.core.picture import Picture
from mnkala.errors import BadGame, BadPosition, IllegalMove

MARKS = ".xo"


class Board(NamedTuple):
    """The state: a bit for every cell with a piece, row by row from the top."""

    first: np.uint64
    second: np.uint64
    mover: np.int64


@game
class Breakthrough(Rules):
    """Bring a piece to the far row; pieces step forward and capture aslant."""

    name = "breakthrough"
    heuristic = "advance"
    from_to = True
    rows: int = 8
    cols: int = 8

    def __post_init__(self) -> None:
        if self.rows < 4 or self.cols < 2 or self.rows * self.cols > 64:
            raise BadGame(
                f"{self.rows}x{self.cols}; a board of Breakthrough has 4 rows or more, 2 columns or more and at most 64 cells"
            )

    def start(self) -> Board:
        camp = row_mask(0, self.cols) | row_mask(1, self.cols)
        return Board(camp << np.uint64((self.rows - 2) * self.cols), camp, np.int64(0))

    def moves(
        self, state: Board, out: Any
    ) -> (
        int
    ):  # a move is the cell that a piece leaves, times all cells, plus the cell where it goes
        own, other = (
            (state.first, state.second) if state.mover == 0 else (state.second, state.first)
        )
        forward = -self.cols if state.mover == 0 else self.cols
        count, left = 0, own
        while left != np.uint64(0):
            cell = lowest_bit(left)
            left &= left - np.uint64(1)
            for aside in range(-1, 2):
                if 0 <= cell % self.cols + aside < self.cols:
                    target = np.uint64(1) << np.uint64(cell + forward + aside)
                    blocked = own | other if aside == 0 else own
                    if target & blocked == np.uint64(0):
                        out[count] = cell * self.rows * self.cols + cell + forward + aside
                        count += 1
        return count

    def play(self, state: Board, move: int) -> Board:
        cells = self.rows * self.cols
        left, reached = (
            np.uint64(1) << np.uint64(move // cells),
            np.uint64(1) << np.uint64(move % cells),
        )
        if state.mover == 0:
            return Board((state.first & ~left) | reached, state.second & ~reached, np.int64(1))
        return Board(state.first & ~reached, (state.second & ~left) | reached, np.int64(0))

    def mover(self, state: Board) -> int:
        return state.mover  # type: ignore[return-value]

    def result(self, state: Board) -> int:  # only the player who has just moved can have won
        own = state.first if state.mover == 0 else state.second
        arrived = (
            state.second & row_mask(self.rows - 1, self.cols)
            if state.mover == 0
            else state.first & row_mask(0, self.cols)
        )
        return -1 if own == np.uint64(0) or arrived != np.uint64(0) else GOING_ON

    def key(self, state: Board) -> np.uint64:
        return mix(state.first ^ mix(state.second + np.uint64(state.mover + 1)))

    def most_moves(self) -> int:
        return 3 * 2 * self.cols

    def move_codes(self) -> int:
        return (self.rows * self.cols) ** 2

    def longest_game(self) -> int:  # every move brings one of the pieces one row further
        return 4 * self.cols * (self.rows - 1)

    def move_text(self, move: int) -> str:
        names = (
            f"{chr(ord('a') + cell % self.cols)}{self.rows - cell // self.cols}"
            for cell in divmod(move, self.rows * self.cols)
        )
        return "-".join(names)

    def parse_move(self, text: str) -> int:
        found = re.fullmatch(r"([a-z])(\d{1,2})-?([a-z])(\d{1,2})", text.strip().lower())
        if not found:
            raise IllegalMove(
                f"'{text}' is not a move; write the cell that a piece leaves and the one where it goes, as in a2-b3"
            )
        columns = [ord(letter) - ord("a") for letter in found.group(1, 3)]
        rows = [self.rows - int(number) for number in found.group(2, 4)]
        if not all(
            0 <= row < self.rows and 0 <= column < self.cols
            for row, column in zip(rows, columns, strict=True)
        ):
            raise IllegalMove(
                f"'{text}' leaves the board; cells are a1 to {chr(ord('a') + self.cols - 1)}{self.rows}"
            )
        left, reached = (
            row * self.cols + column for row, column in zip(rows, columns, strict=True)
        )
        return left * self.rows * self.cols + reached

    def literal(self, state: Board) -> str:
        board = "/".join(
            "".join(MARKS[owner] for owner in row) for row in self.picture(state).cells
        )
        return f"{board}:{MARKS[1 + int(state.mover)]}"

    def parse_literal(self, text: str) -> Board:
        board, _, mover = text.strip().lower().partition(":")
        lines = board.split("/")
        if (
            mover not in ("x", "o")
            or len(lines) != self.rows
            or not all(re.fullmatch(f"[.xo]{{{self.cols}}}", line) for line in lines)
        ):
            raise BadPosition(
                f"a position is {self.rows} rows of {self.cols} cells (x, o or .) from the top with a / between them, "
                f"and :x or :o for the player to move: {self.literal(self.start())}"
            )
        if max(board.count("x"), board.count("o")) > 2 * self.cols:
            raise BadPosition(
                f"{board.count('x')} pieces of x and {board.count('o')} of o; each player has at most {2 * self.cols}"
            )
        if mover in (lines[0] if mover == "x" else lines[-1]):
            raise BadPosition(f"a piece of {mover} has arrived, so {mover} is not to move")
        first, second = (
            sum(1 << cell for cell, mark in enumerate("".join(lines)) if mark == player)
            for player in "xo"
        )
        return Board(np.uint64(first), np.uint64(second), np.int64("xo".index(mover)))

    def cell(self, state: Board, row: int, column: int) -> int:
        bit = np.uint64(1) << np.uint64(row * self.cols + column)
        return 1 if state.first & bit else 2 if state.second & bit else 0

    def picture(self, state: Board) -> Picture:
        cells = tuple(
            tuple(self.cell(state, row, column) for column in range(self.cols))
            for row in range(self.rows)
        )
        letters = tuple(chr(ord("a") + column) for column in range(self.cols))
        return Picture(cells, letters, tuple(str(self.rows - row) for row in range(self.rows)))


@shared
def row_mask(row: int, cols: int) -> np.uint64:
    """The cells of a row, counted from the top."""
    mask = np.uint64(0)
    for column in range(cols):
        mask |= np.uint64(1) << np.uint64(row * cols + column)
    return mask


@shared
def advance(own: np.uint64, mover: int, rows: int, cols: int) -> int:
    """What the pieces of a player are worth: 3 each, and one more for every row that the foremost
    has left behind.
    """
    foremost = 0
    for row in range(rows):
        if own & row_mask(row, cols) != np.uint64(0):
            foremost = max(foremost, rows - 1 - row if mover == 0 else row)
    return 3 * popcount(own) + foremost


@heuristic
class Advance(Heuristic):
    """Pieces, and how far the foremost has come, against the opponent's."""

    name = "advance"

    def evaluate(self, rules: Any, state: Board) -> int:
        value = advance(state.first, 0, rules.rows, rules.cols) - advance(
            state.second, 1, rules.rows, rules.cols
        )
        return value if state.mover == 0 else -value
