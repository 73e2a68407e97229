"""Connect on boards of up to 64 bits: each column is rows + 1 bits, the spare one on top stays
empty and stops carries.

The encoding is John Tromp's, as Pascal Pons tells it: bit `column * (rows + 1) + row`, row 0 at the
bottom. A state is the mover's discs and all discs, so that a move is an addition and a line is
found by shifting the board over itself.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

from mnkala.core.grid import DIRECTIONS
from mnkala.core.rules import ENDLESS, GOING_ON, next_word, pick
from mnkala.families.connect.rules import ConnectRules
from mnkala.native import inlined, native, popcount, shared
from mnkala.native.objects import IntArray, WordArray

ONE, TWO = np.uint64(1), np.uint64(2)
ZERO = np.uint64(0)
WORD_BITS = 64
TALLEST_FOR_FOUR = WORD_BITS // 3 - 2
"""The largest number of rows at which a line of four fits a word in every direction: it takes three
steps of at most rows + 2."""


class Discs(NamedTuple):
    """The state of a game as two bitboards."""

    own: np.uint64
    """The discs of the player to move."""
    all: np.uint64
    """The discs of both players."""


@native
class Connect(ConnectRules):
    """Rules of Connect on boards that fit a word of 64 bits."""

    rows: int = 6
    cols: int = 7
    line: int = 4
    full: np.uint64 = dataclasses.field(init=False)
    """A bitboard of all cells."""
    windows: IntArray = dataclasses.field(init=False)
    """Every window of `line` aligned cells as a bitboard: first the horizontal and vertical ones,
    then the diagonals."""
    straight: int = dataclasses.field(init=False)
    """The number of horizontal and vertical windows."""

    def __post_init__(self) -> None:
        cells = [
            1 << (col * (self.rows + 1) + row)
            for row in range(self.rows)
            for col in range(self.cols)
        ]
        straight, diagonal = (
            self._windows(directions) for directions in (DIRECTIONS[:2], DIRECTIONS[2:])
        )
        object.__setattr__(self, "full", np.uint64(sum(cells)))
        object.__setattr__(self, "windows", np.array(straight + diagonal, dtype=np.int64))
        object.__setattr__(self, "straight", len(straight))

    def _windows(self, directions: tuple[tuple[int, int], ...]) -> list[int]:
        masks = []
        for step_row, step_col in directions:
            for row in range(self.rows):
                for col in range(self.cols):
                    end_row, end_col = (
                        row + step_row * (self.line - 1),
                        col + step_col * (self.line - 1),
                    )
                    if end_row < self.rows and 0 <= end_col < self.cols:
                        masks.append(
                            sum(
                                1 << ((col + step_col * i) * (self.rows + 1) + row + step_row * i)
                                for i in range(self.line)
                            )
                        )
        return masks

    # ---- The rules ----

    def start(self) -> Discs:
        return Discs(np.uint64(0), np.uint64(0))

    def moves(self, state: Discs, out: IntArray) -> int:
        count = 0
        top = ONE << np.uint64(self.rows - 1)
        for col in range(self.cols):
            if state.all & top == ZERO:
                out[count] = col
                count += 1
            top <<= np.uint64(self.rows + 1)
        return count

    def play(self, state: Discs, move: int) -> Discs:
        bottom = ONE << np.uint64(move * (self.rows + 1))
        return Discs(state.own ^ state.all, state.all | (state.all + bottom))

    def mover(self, state: Discs) -> int:
        return popcount(state.all) & 1

    def result(self, state: Discs) -> int:
        if has_line(state.own ^ state.all, self.rows, self.line):
            return -1
        return 0 if state.all == self.full else GOING_ON

    def key(self, state: Discs) -> np.uint64:
        return state.own + state.all

    def prior(self, state: Discs, move: int) -> int:
        return self.cols - abs(2 * move - self.cols + 1)

    def window_sum(self, state: Discs, diagonals: bool, weights: IntArray) -> int:
        """The sum over all windows of `weights[mover's discs * (line + 1) + other's discs]`."""
        other = state.own ^ state.all
        total = 0
        for i in range(len(self.windows) if diagonals else self.straight):
            window = np.uint64(self.windows[i])
            total += weights[
                popcount(state.own & window) * (self.line + 1) + popcount(other & window)
            ]
        return total

    def random_move(self, state: Discs, word: np.uint64, out: IntArray) -> int:
        """Pick any column; only if it is full, list the others.

        This nearly always takes a single test, and every move is equally likely, because a full
        column only passes the choice on, by the other half of the word.
        """
        col = pick(word, self.cols)
        if state.all & (ONE << np.uint64(col * (self.rows + 1) + self.rows - 1)) == ZERO:
            return col
        return out[pick(word << np.uint64(32), self.moves(state, out))]

    def play_out(self, state: Discs, random: WordArray, out: IntArray, most: int) -> int:
        """Drop discs, keeping the position in two words."""
        own, both, player = state.own, state.all, self.mover(state)
        step = np.uint64(self.rows + 1)
        for _ in range(most):
            word = next_word(random)
            bottom = ONE << (np.uint64(pick(word, self.cols)) * step)
            if both & (bottom << np.uint64(self.rows - 1)) != ZERO:
                move = out[pick(word << np.uint64(32), self.moves(Discs(own, both), out))]
                bottom = ONE << (np.uint64(move) * step)
            own, both = own ^ both, both | (both + bottom)
            if has_line(own ^ both, self.rows, self.line):
                return 1 - 2 * player
            if both == self.full:
                return 0
            player = 1 - player
        return ENDLESS

    def cell_of(self, state: Discs, move: int) -> int:
        """Where a disc dropped into a column would come to rest, as row * cols + column."""
        column = ((ONE << np.uint64(self.rows)) - ONE) << np.uint64(move * (self.rows + 1))
        return popcount(state.all & column) * self.cols + move

    def is_legal(self, state: Discs, move: int) -> bool:
        return (
            0 <= move < self.cols
            and not state.all >> np.uint64(move * (self.rows + 1) + self.rows - 1) & ONE
        )

    # ---- For people ----

    def owner(self, state: Discs, row: int, column: int) -> int:
        bit = ONE << np.uint64(column * (self.rows + 1) + row)
        if not state.all & bit:
            return 0
        mover = self.mover(state)
        return 1 + (mover if state.own & bit else 1 - mover)

    def discs(self, state: Discs) -> int:
        return popcount(state.all)

    def from_owners(self, owners: np.ndarray) -> Discs:
        discs = [0, 0, 0]
        for row, col in zip(*np.nonzero(owners), strict=True):
            discs[owners[row, col]] |= 1 << (int(col) * (self.rows + 1) + int(row))
        _, first, second = discs
        mover = (first | second).bit_count() & 1
        return Discs(np.uint64(second if mover else first), np.uint64(first | second))


@inlined
def has_line(discs: np.uint64, rows: int, line: int) -> bool:
    """Whether `line` of these discs are aligned. Runs of 2, 4, 8 … discs are found by shifting runs
    over themselves.
    """
    if line == 4 and rows <= TALLEST_FOR_FOUR:
        pairs = discs & (discs >> ONE)
        found = pairs & (pairs >> TWO)
        for direction in range(3):
            shift = np.uint64(rows + direction)
            pairs = discs & (discs >> shift)
            found |= pairs & (pairs >> (shift + shift))
        return found != ZERO
    return has_any_line(discs, rows, line)


@shared
def has_any_line(discs: np.uint64, rows: int, line: int) -> bool:
    """Whether so many discs are aligned, for lines of any length.

    A shift by 64 bits or more is undefined. On very tall boards a line can be too long for the word
    in some directions; such lines do not exist there.
    """
    for direction in range(4):
        step = 1 if direction == 0 else rows + direction - 1
        if (line - 1) * step >= WORD_BITS:
            continue
        runs = discs
        length = 1
        while 2 * length <= line:
            runs &= runs >> np.uint64(length * step)
            length *= 2
        if length < line:
            runs &= runs >> np.uint64((line - length) * step)
        if runs != ZERO:
            return True
    return False
