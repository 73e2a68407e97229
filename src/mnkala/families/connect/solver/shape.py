"""The board of a Connect game as the solver sees it: masks of the encoding in `games.connect_bits`, at run time.

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
