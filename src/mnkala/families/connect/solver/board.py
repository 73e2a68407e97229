"""The board of a Connect game as the solver sees it: masks of the encoding in `families.connect.bits`, and lines.

One compiled solver serves every size and length of line: the shape travels as an argument.
"""

from __future__ import annotations

import functools
from typing import Any, TypeGuard

import numpy as np

from mnkala.core import Rules
from mnkala.errors import BadGame
from mnkala.families.connect.bits import Connect
from mnkala.native import NativeClass, native, shared
from mnkala.solve.common.table import SMALLEST
from mnkala.solve.common.words import ONE, SPREAD, ZERO


@native
class Shape(NativeClass):
    """A board of `rows` and `cols`; bit `column * step + row`, and the spare bit on top of a column is its *head*."""

    rows: int
    cols: int
    line: int
    step: np.uint64
    """Bits a column: rows + 1."""
    bottom: np.uint64
    """The lowest cell of every column."""
    full: np.uint64
    """All cells."""
    heads: np.uint64
    """The spare bits."""
    last: np.uint64
    """The top row and every second row below it: who answers always in the same column gets these."""
    bits: np.uint64
    """Bits of a key: those of the board, or as many as tell the places of the smallest table apart."""
    mask: np.uint64
    """All of them."""
    spread: np.uint64
    """The odd factor that scatters keys over the table."""


@shared
def mirrored(cells: Any, shape: Shape) -> Any:
    """The mirror image of a word of cells, or of every word of an array."""
    column = (ONE << shape.step) - ONE
    image, rest = ZERO, cells
    for _ in range(shape.cols):
        image = (image << shape.step) | (rest & column)
        rest = rest >> shape.step  # not in place: it may be an array
    return image


@functools.lru_cache(maxsize=64)
def shape_of(rows: int, cols: int, line: int) -> Shape:
    """The shape of a board that fits 64 bits."""
    step = rows + 1
    bits = max(cols * step, SMALLEST)
    bottom = sum(1 << col * step for col in range(cols))
    heads = bottom << rows
    last = sum(bottom << row for row in range(rows - 1, -1, -2))
    return Shape(rows, cols, line, *(np.uint64(word) for word in (
        step, bottom, heads - bottom, heads, last, bits, (1 << bits) - 1, SPREAD & ((1 << bits) - 1) | 1)))


BOARDS = ("Connect boards with columns x (rows + 1) of at most 64, and (line - 1) x (rows + 2) of less than that, such as connect4 or "
          "connect:6x8x5")
"""For people: which boards have a shape, and so books, puzzles and a solver of their own."""


def fits(rules: Rules) -> TypeGuard[Connect]:
    """Whether a board has a shape: it is one of bits, and the ends of a line are in no direction a word or more apart. A shift by as much
    is undefined, and processors shift by the remainder, so that cells far from each other would be a line."""
    return isinstance(rules, Connect) and (rules.line - 1) * (rules.rows + 2) < 64



def shape_for(rules: Rules, things: str = "solvers of Connect") -> Shape:
    """The shape of a game's board; an error says for which boards there are such `things` if it has none."""
    if not fits(rules):
        raise BadGame(f"there are no {things} for {rules.game_string()}; there are {things} for {BOARDS}")
    return shape_of(rules.rows, rules.cols, rules.line)


def score_span(free: int) -> tuple[int, int]:
    """The lowest and the highest score of a mover with so many free cells."""
    return -(free // 2), (free + 1) // 2


# ---- Lines of any length: all cells of the board at once, by shifting it over itself ----
#
# The idea is John Tromp's and Pascal Pons'. A set of cells must lie within the board: the spare bit
# on top of each column then keeps lines from running over into the next column. Shifts must be
# smaller than a word, which `fits` makes sure of.

TWO, THREE = np.uint64(2), np.uint64(3)


@shared
def completing(discs: np.uint64, step: np.uint64, line: int) -> np.uint64:
    """The cells, taken or not, that make a line with `line - 1` of these discs. Discs rest on discs: upwards, only the top counts."""
    if line == 4:
        cells = (discs << ONE) & (discs << TWO) & (discs << THREE)
        for direction in range(3):
            shift = step - ONE + np.uint64(direction)
            double = shift + shift
            left = (discs << shift) & (discs << double)
            right = (discs >> shift) & (discs >> double)
            cells |= left & ((discs << (double + shift)) | (discs >> shift))
            cells |= right & ((discs >> (double + shift)) | (discs << shift))
        return cells
    cells = ZERO
    for direction in range(4):
        shift = ONE if direction == 0 else step + np.uint64(direction) - TWO
        before = ~ZERO
        for taken in range(line):
            # `taken` discs before the cell, the others after it.
            after = ~ZERO
            for i in range(1, line - taken):
                after &= discs >> (np.uint64(i) * shift)
            cells |= before & after
            before &= discs << (np.uint64(taken + 1) * shift)
    return cells


@shared
def has_line(cells: Any, step: np.uint64, line: int) -> Any:
    """Whether `line` of these cells are aligned: of a word, or of every word of an array."""
    if line == 4:
        pairs = cells & (cells >> ONE)
        found = pairs & (pairs >> TWO)
        for direction in range(3):
            shift = step - ONE + np.uint64(direction)
            pairs = cells & (cells >> shift)
            found |= pairs & (pairs >> (shift + shift))
        return found != ZERO
    found = ZERO
    for direction in range(4):
        shift = ONE if direction == 0 else step + np.uint64(direction) - TWO
        run = cells
        for i in range(1, line):
            run = run & (cells >> (np.uint64(i) * shift))  # not in place: `cells` may be an array
        found |= run
    return found != ZERO


@shared
def promising(discs: np.uint64, empty: np.uint64, step: np.uint64, line: int) -> np.uint64:
    """Empty cells in a window that holds at least two of these discs and nothing of the other player's."""
    usable = discs | empty
    cells = ZERO
    for direction in range(4):
        shift = ONE if direction == 0 else step + np.uint64(direction) - TWO
        if line == 4:
            double = shift + shift
            two = usable & (usable >> shift)
            both, any_of = discs & (discs >> shift), discs | (discs >> shift)
            windows = two & (two >> double) & (both | (both >> double) | (any_of & (any_of >> double)))
            windows |= windows << shift
            cells |= windows | (windows << double)
        else:
            windows, once, twice = ~ZERO, ZERO, ZERO
            for i in range(line):
                windows &= usable >> (np.uint64(i) * shift)
                disc = discs >> (np.uint64(i) * shift)
                twice |= once & disc
                once |= disc
            windows &= twice
            for i in range(line):
                cells |= windows << (np.uint64(i) * shift)
    return cells & empty
