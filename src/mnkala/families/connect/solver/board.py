"""The board of a Connect game as the solver sees it: masks of the encoding in `bits.py`, and lines.

One compiled solver serves every size and length of line, because the shape is an argument. It is
compiled twice from one source: for boards of one word, and with `Wide` words for larger ones.
"""

from __future__ import annotations

import functools
from typing import Any, TypeGuard

import numpy as np

from mnkala.core import Rules
from mnkala.errors import BadGame
from mnkala.families.connect.bits import Connect
from mnkala.families.connect.rules import ConnectRules
from mnkala.native import NativeClass, Wide, native, popcount, shared
from mnkala.native.bits import WORD_BITS
from mnkala.solve.table import ONE, SMALLEST, SPREAD, WIDE_SPREAD, ZERO


@native
class Shape(NativeClass):
    """A board of `rows` and `cols`; bit `column * step + row`, and the spare bit on top of a column
    is its *head*.
    """

    rows: int
    cols: int
    line: int
    step: np.uint64
    """The number of bits for each column: rows + 1."""
    column: np.uint64
    """The cells of the first column."""
    bottom: np.uint64
    """The lowest cell of every column."""
    full: np.uint64
    """A mask of all cells."""
    heads: np.uint64
    """A mask of the spare bits on top of the columns."""
    last: np.uint64
    """The top row and every second row below it. A player who always answers in the same column
    gets these cells."""
    bits: np.uint64
    """The number of bits in a key: those of the board, or as many as distinguish the places of the
    smallest table."""
    mask: np.uint64
    """A mask of all bits of a key."""
    spread: np.uint64
    """The odd factor that scatters keys over the table."""


@native
class WideShape(Shape):
    """The shape of a board of more than 64 bits."""

    column: Wide
    bottom: Wide
    full: Wide
    heads: Wide
    last: Wide
    mask: Wide
    spread: Wide


@shared
def mirrored(cells: Any, shape: Shape) -> Any:
    """The mirror image of a word of cells, or of every word of an array."""
    column = (ONE << shape.step) - ONE
    step = shape.step & SHORT
    image, rest = cells & ZERO, cells
    for _ in range(shape.cols):
        image = (image << step) | (rest & column)
        rest = rest >> step  # It may be an array, so it must not be changed in place.
    return image


@functools.lru_cache(maxsize=64)
def shape_of(rows: int, cols: int, line: int, *, wide: bool = False) -> Shape:
    """The shape of a board of at most 127 bits: with `Wide` words if it is asked for, or if a word
    is too short for the board or for a line in some direction."""
    step = rows + 1
    bits = max(cols * step, SMALLEST)
    bottom = sum(1 << col * step for col in range(cols))
    heads = bottom << rows
    last = sum(bottom << row for row in range(rows - 1, -1, -2))
    mask = (1 << bits) - 1
    words = (1 << rows) - 1, bottom, heads - bottom, heads, last
    wide = wide or max(bits, (line - 1) * (rows + 2) + 1) > WORD_BITS
    word: Any = Wide if wide else np.uint64
    shape: Any = WideShape if wide else Shape
    numbers = (
        np.uint64(step),
        *map(word, words),
        np.uint64(bits),
        word(mask),
        word((WIDE_SPREAD if wide else SPREAD) & mask | 1),
    )
    made: Shape = shape(rows, cols, line, *numbers)
    return made


BOARDS = (
    "Connect boards with columns x (rows + 1) of at most 64, and (line - 1) x (rows + 2) of less than that, such as connect4 or "
    "connect:6x8x5"
)
"""A description, for people, of the boards of one word, which have books and puzzles."""
LARGEST_BITS = 127
"""The most bits of a board that has a solver of its own. A table entry of the smallest table needs
the rest of two words."""


def fits(rules: Rules) -> TypeGuard[Connect]:
    """Whether a board has a shape of one word: it is one of bits, and the two ends of a line are
    less than a word apart in every direction.

    A shift by 64 bits or more is undefined, and processors shift by the remainder, so that cells
    far from each other would form a line.
    """
    return isinstance(rules, Connect) and (rules.line - 1) * (rules.rows + 2) < WORD_BITS


def has_solver(rules: Rules) -> TypeGuard[ConnectRules]:
    """Whether a board has a shape of one or of two words."""
    return isinstance(rules, ConnectRules) and rules.cols * (rules.rows + 1) <= LARGEST_BITS


def shape_for(rules: Rules, things: str = "solvers of Connect") -> Shape:
    """The shape of a game's board. If it has none, raise an error that says on which boards there
    are such `things`."""
    if not fits(rules):
        raise BadGame(
            f"there are no {things} for {rules.game_string()}; there are {things} for {BOARDS}"
        )
    return shape_of(rules.rows, rules.cols, rules.line)


def score_span(free: int) -> tuple[int, int]:
    """The lowest and the highest score of a mover, by the number of free cells."""
    return -(free // 2), (free + 1) // 2


# ---- Lines of any length, on the whole board at once, by shifting it over itself ----
#
# The idea is John Tromp's and Pascal Pons'. A set of cells must lie within the board: the spare bit
# on top of each column then keeps lines from running over into the next column. Shifts must be
# smaller than a word of 64 bits, which `fits` guarantees; a wide word may be shifted by any amount.

TWO, THREE = np.uint64(2), np.uint64(3)
SHORT = np.uint64(63)
"""A mask that changes no step of a line: a wide word is shifted in two instructions by a number
that the compiler knows to be less than 64."""


@shared
def completing(discs: np.uint64, step: np.uint64, line: int) -> np.uint64:
    """The cells, occupied or not, that make a line with `line - 1` of these discs. Upwards, only
    the cell on top counts."""
    if line == 4:
        cells = (discs << ONE) & (discs << TWO) & (discs << THREE)
        for direction in range(3):
            shift = (step - ONE + np.uint64(direction)) & SHORT
            left, right = discs << shift, discs >> shift
            lefts, rights = left << shift, right >> shift
            cells |= left & lefts & ((lefts << shift) | right)
            cells |= right & rights & ((rights >> shift) | left)
        return cells
    none = discs & ZERO
    cells = none
    for direction in range(4):
        shift = ONE if direction == 0 else step + np.uint64(direction) - TWO
        before = ~none
        for taken in range(line):
            # `taken` discs come before the cell, the others after it.
            after = ~none
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
            shift = (step - ONE + np.uint64(direction)) & SHORT
            pairs = cells & (cells >> shift)
            found |= pairs & ((pairs >> shift) >> shift)
        return found != ZERO
    found = cells & ZERO
    for direction in range(4):
        shift = ONE if direction == 0 else step + np.uint64(direction) - TWO
        run = cells
        for i in range(1, line):
            run = run & (
                cells >> (np.uint64(i) * shift)
            )  # `cells` may be an array, so it must not be changed in place.
        found |= run
    return found != ZERO


@shared
def promising(discs: np.uint64, empty: np.uint64, step: np.uint64, line: int) -> np.uint64:
    """Empty cells in a window that holds at least two of these discs and nothing of the other
    player's.
    """
    usable = discs | empty
    none = discs & ZERO
    cells = none
    for direction in range(4):
        shift = ONE if direction == 0 else step + np.uint64(direction) - TWO
        if line == 4:
            shift &= SHORT
            two, again = usable & (usable >> shift), discs >> shift
            both, any_of = discs & again, discs | again
            windows = (two & ((two >> shift) >> shift)) & (
                both | ((both >> shift) >> shift) | (any_of & ((any_of >> shift) >> shift))
            )
            windows |= windows << shift
            cells |= windows | ((windows << shift) << shift)
        else:
            windows, once, twice = ~none, none, none
            for i in range(line):
                windows &= usable >> (np.uint64(i) * shift)
                disc = discs >> (np.uint64(i) * shift)
                twice |= once & disc
                once |= disc
            windows &= twice
            for i in range(line):
                cells |= windows << (np.uint64(i) * shift)
    return cells & empty


# ---- The strategy "answer above", which bounds a score without a search ----
#
# Let A be to move and B the other. B answers each of A's moves in the cell directly above it. Where
# the number of empty cells of every column is even, that works to the end: B gets the top row and
# every second row below (`Shape.last`), A the rows between. If A's discs and cells hold no line, A
# cannot win. This is Victor Allis' *claimeven* (1988) applied to the whole board at once. Three
# things make it apply almost everywhere:
#
# * Two columns with an odd number of empty cells are a pair: when A takes the lowest cell of one, B
# takes that of the other (Allis'
#   *baseinverse*); above them all is even again. A gets one cell of each such pair, and B chooses the pairs.
# * Below a threat of B (an empty cell that completes a line of B's) A cannot move at all: the
# column ends there, and so does what A can
#   reach. If A has no line, A runs out of moves at last and has to play below the threat: B wins.
# * Such a threat on the *other* rows reverses the column's parity, so that B can follow up although
# the number of empty cells is
#   odd. For the first player on a board of even height this is the odd threat of every textbook.
#
# All bounds are sound for any size and length of line: the tests hold them against brute force.


NO_BOUND = 1000
"""The strategy proves nothing about the position."""


@shared
def ceiling(
    mover: np.uint64, other: np.uint64, threats: np.uint64, empties: int, need: int, shape: Shape
) -> int:
    """The most that the mover can score against a follow-up strategy, if that is at most `need`;
    otherwise NO_BOUND.

    `threats` are those of the other player; none of them can be played at once.
    """
    empty = shape.full & ~(mover | other)
    open_cells = ((mover | other) + shape.bottom) & shape.full
    # Columns that end at a threat of the other player on its own rows: the lowest such cell, and
    # all cells from there to the top.
    lowest = _lowest_of_columns(threats & shape.last, shape)
    ends = lowest & shape.full
    beyond = shape.heads - lowest
    mover_rows = empty & ~shape.last & ~beyond

    if empties & 1 == 0:
        score = -((popcount(beyond) + popcount(ends)) // 2) if ends != ZERO else 0
        odd_columns = open_cells & shape.last
        if ends == ZERO and need < 0:
            # Only a line among the cells that the other player is sure to get wins for it.
            if need < -1 or not has_line(
                other | (empty & shape.last & ~odd_columns), shape.step, shape.line
            ):
                return NO_BOUND
            score = -1
        return (
            score if score <= need and holds(mover | mover_rows, odd_columns, shape) else NO_BOUND
        )

    # With an odd number of cells, some column must end at a threat on the mover's rows.
    turning = _lowest_of_columns(threats & ~shape.last, shape) & shape.full
    best = NO_BOUND
    while turning != ZERO:
        threat = turning & (~turning + ONE)
        turning ^= threat
        above = shape.heads & ~(threat - ONE)
        head = above & (~above + ONE)
        column = head - (head >> (shape.step - ONE))
        poisoned = threat >> ONE
        below = column & (poisoned - ONE) & empty
        unplayed = (
            popcount(beyond & ~column)
            + popcount(ends & ~column)
            + popcount(column & empty & ~below)
        )
        score = -(unplayed // 2)
        if score <= need and score < best:
            odd_columns = (open_cells & shape.last & ~column) | (open_cells & below & ~shape.last)
            if holds(
                mover | (mover_rows & ~column) | (below & shape.last) | poisoned, odd_columns, shape
            ):
                best = score
    return best


@shared
def _lowest_of_columns(cells: np.uint64, shape: Shape) -> np.uint64:
    """The lowest of these cells in each column, or the column's head where there is none."""
    marked = cells | shape.heads
    return marked & ~(marked - shape.bottom)


@shared
def holds(cells: np.uint64, odd_columns: np.uint64, shape: Shape) -> bool:
    """Whether these cells contain no line, whichever cell of each pair of `odd_columns` is added,
    for some choice of the pairs."""
    step, line = shape.step, shape.line
    if not has_line(cells | odd_columns, step, line):
        return True
    count = popcount(odd_columns)
    if count == 0 or count > 4 or has_line(cells, step, line):
        return False
    first = odd_columns & (~odd_columns + ONE)
    rest = odd_columns ^ first
    if count == 2:
        return not has_line(cells | first, step, line) and not has_line(cells | rest, step, line)
    partners = rest
    while partners != ZERO:
        partner = partners & (~partners + ONE)
        partners ^= partner
        third = rest ^ partner
        fourth = third & (~third + ONE)
        third ^= fourth
        if not (
            has_line(cells | first | third, step, line)
            or has_line(cells | first | fourth, step, line)
            or has_line(cells | partner | third, step, line)
            or has_line(cells | partner | fourth, step, line)
        ):
            return True
    return False
