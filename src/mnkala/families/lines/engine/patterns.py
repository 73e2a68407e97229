"""What a mark would make on one line: a five, an open four, a four, an open three, … for any length
k of the line that wins.

The names are Gomoku's, and for another k they count from the end: a *four* is one move short of k,
a *three* two moves short, whatever k is. A *segment* is k neighbouring cells of a line. What a mark
on a cell makes is told by the segments through that cell that no mark of the other side blocks:

- how many moves the best of them are short of k, and
- in how many ways: their number, and whether two of them, short of m moves, have all but one of
  their m empty cells in common. Then one move in the common cells serves both, so that after m - 1
  more moves two cells complete a line, and the other side can take only one: the pattern is *open*.

It is enough to compare each of the best segments with the one before it: a cell in two segments is
in all between them, so if two far apart share all but one of their empty cells, some two neighbours
do.

A *code* is the neighbourhood of a cell on a line: two bits for each of the `reach` cells on either
side, the lowest for the farthest cell behind. The kinds of both sides are looked up in a table by
the code, or computed where k is so large that the table would be too. In report 001 the same
question costs O(k^2) for a cell; here it is O(k), once for each code.
"""

from __future__ import annotations

import functools
import itertools

import numpy as np

from mnkala.families.lines.engine.weights import Weights
from mnkala.native import NativeClass, kernel, native, popcount, shared
from mnkala.native.objects import ByteArray, IntArray

(
    NONE,
    ONE,
    OPEN_ONE,
    TWO,
    OPEN_TWO,
    WIDE_TWO,
    THREE,
    OPEN_THREE,
    WIDE_THREE,
    FOUR,
    OPEN_FOUR,
    FIVE,
) = range(12)
"""What a mark makes, from nothing to the whole line. *Wide* patterns are open in three ways or
more."""
NAMES = (
    "nothing",
    "a one",
    "an open one",
    "a two",
    "an open two",
    "a wide open two",
    "a three",
    "an open three",
    "a wide open three",
    "a four",
    "an open four",
    "a five",
)
EMPTY, FIRST, SECOND, WALL = range(4)
"""The meaning of two bits in a code: an empty cell, a mark of either player, or beyond the edge."""
LARGEST_TABLE = 20
"""Codes with at most so many bits have a table, which then takes a million bytes."""
WIDE = 3
"""The number of ways from which an open pattern is wide."""
LONGEST_REACH = 15
"""The largest reach of a code. It has four bits for each step, and a signed number of 64 bits has
room for sixty."""


def reach_of(line: int, exact: bool) -> int:
    """How far along a line a mark matters. If longer runs do not win, the cell beyond a segment
    counts too."""
    return line if exact else line - 1


@shared
def kind_for(code: int, player: int, line: int, exact: bool, reach: int) -> int:
    """What a mark of `player` makes on a line with this neighbourhood."""
    # 1. Represent the cells as bits: bit `reach` is the cell itself, which is then the player's.
    own, blocked = 1 << reach, 0
    for i in range(2 * reach):
        cell = (code >> (2 * i)) & 3
        bit = 1 << (i if i < reach else i + 1)
        if cell == 1 + player:
            own |= bit
        elif cell != EMPTY:
            blocked |= bit
    # 2. Slide a segment along, and count those that are the fewest moves short.
    whole = (1 << line) - 1
    fewest, ways, last, is_open = line, 0, 0, False
    for start in range(reach - line + 1, reach + 1):
        segment = whole << start
        if blocked & segment != 0:
            continue
        if exact and ((own >> (start + line)) | ((own << 1) >> start)) & 1 != 0:
            continue
        empty = segment & ~own
        short = popcount(np.uint64(empty))
        if ways == 0 or short < fewest:
            fewest, ways, last, is_open = short, 1, empty, False
        elif short == fewest and empty != last:
            ways += 1
            if popcount(np.uint64(empty & last)) == short - 1:
                is_open = True
            last = empty
    # 3. Name it.
    if ways == 0:
        return NONE
    if fewest == 0:
        return FIVE
    if fewest == 1:
        return OPEN_FOUR if is_open else FOUR
    if fewest == 2:
        return (WIDE_THREE if ways >= WIDE else OPEN_THREE) if is_open else THREE
    if fewest == 3:
        return (WIDE_TWO if ways >= WIDE else OPEN_TWO) if is_open else TWO
    return OPEN_ONE if is_open else ONE


@shared
def kinds_for(code: int, line: int, exact: bool, reach: int) -> int:
    """What a mark of the first player makes, with what one of the second player makes in the four
    bits above it."""
    return kind_for(code, 0, line, exact, reach) | (kind_for(code, 1, line, exact, reach) << 4)


@kernel
def fill_table(table: ByteArray, line: int, exact: bool, reach: int) -> int:
    """Write the kinds of every code."""
    for code in range(len(table)):
        kinds = kinds_for(code, line, exact, reach)
        table[code] = kinds if kinds < 128 else kinds - 256
    return len(table)


@functools.lru_cache(maxsize=8)
def kind_table(line: int, exact: bool) -> ByteArray:
    """The kinds of both sides by code; empty if codes are too long for a table."""
    bits = 4 * reach_of(line, exact)
    table = np.zeros(1 << bits if bits <= LARGEST_TABLE else 0, dtype=np.int8)
    fill_table(table, line, exact, reach_of(line, exact))
    table.setflags(write=False)
    return table


# ---- The combined patterns of four lines through a cell ----
#
# A combination is four kinds of four bits each, one for each direction. Three tables by combination
# answer all that the search asks: which *threat* a mark there is (what the other side has to do
# about it), the cell's part of the evaluation, and how promising a move there is.


QUIET, MAKES_THREE, MAKES_FOUR, WINS, COMPLETES = range(5)
"""Threats: nothing that must be answered; an open three, which threatens to win with the next move;
a four, to which there is one answer; two ways to complete a line at once, to which there is none;
the line itself.
"""
THREATS = 5
KINDS = 12

SINGLE, ALSO_TWO, ALSO_THREE, DOUBLE, FOUR_THREE = range(5)
"""What raises a combination above its best kind: nothing, an open two, a three, a second open
three, or a four with an open three."""
BONUSES = 3 * 5
"""The number of bonuses: the threat (quiet, open three, four) times what accompanies it."""

FOUR_KINDS = tuple(itertools.combinations_with_replacement(range(KINDS - 1, -1, -1), 4))
"""All combinations of the kinds of four lines, best first."""
HALF = 1 << 31


@native
class Tables(NativeClass):
    """Tables of 65,536 entries each, by combination."""

    threats: ByteArray
    worth: IntArray
    """Two numbers, `packed` into one: the value for a side that is to move, and for one that waits."""
    order: IntArray
    """Two packed numbers for move ordering: for a move of one's own, and for taking the cell from
    the other side."""


def packed(first: int, second: int) -> int:
    """Pack two small signed numbers into one, so that a single addition keeps the sums of both."""
    return (first << 32) + second


@shared
def first_of(pair: int) -> int:
    """The first number of a packed pair."""
    return (pair + HALF) >> 32


@shared
def second_of(pair: int) -> int:
    """The second number of a packed pair."""
    return pair - (first_of(pair) << 32)


def kinds_of(combination: int) -> list[int]:
    """The four kinds, best first."""
    return sorted(((combination >> (4 * direction)) & 15 for direction in range(4)), reverse=True)


def threat_of(kinds: list[int]) -> int:
    """The threat of four kinds, best first. Fours in two directions are completed on different
    cells."""
    best, second = kinds[0], kinds[1]
    if best == FIVE:
        return COMPLETES
    if best == OPEN_FOUR or second == FOUR:
        return WINS
    if best == FOUR:
        return MAKES_FOUR
    return MAKES_THREE if best >= OPEN_THREE else QUIET


def bonus_of(kinds: list[int]) -> int:
    """The index of a combination's bonus, from 0 to BONUSES - 1; a SINGLE pattern has one too."""
    threat = min(threat_of(kinds), MAKES_FOUR)
    beside = kinds[1]
    if threat == MAKES_FOUR and beside >= OPEN_THREE:
        return threat * 5 + FOUR_THREE
    if beside in (OPEN_THREE, WIDE_THREE):
        return threat * 5 + DOUBLE
    if beside == THREE:
        return threat * 5 + ALSO_THREE
    if beside >= OPEN_TWO:
        return threat * 5 + ALSO_TWO
    return threat * 5 + SINGLE


@functools.lru_cache(maxsize=4)
def make_tables(weights: Weights) -> Tables:
    """Make the three tables for a set of weights."""
    threats, worth, order = (
        np.zeros(1 << 16, np.int8),
        np.zeros(1 << 16, np.int64),
        np.zeros(1 << 16, np.int64),
    )
    known: dict[tuple[int, ...], tuple[int, int, int]] = {}
    for place, kinds in enumerate(FOUR_KINDS):
        bonus = bonus_of(list(kinds))
        added = [
            [
                sum(by_kind[side][kind] for kind in kinds) + by_bonus[side][bonus]
                for side in range(2)
            ]
            for by_kind, by_bonus in (
                (weights.kinds, weights.bonuses),
                (weights.order_kinds, weights.order_bonuses),
            )
        ]
        of_value, of_order = (
            packed(
                *(one + (row[place] if row else 0) for one, row in zip(pair, beside, strict=True))
            )
            for pair, beside in zip(added, (weights.together, weights.order_together), strict=True)
        )
        known[kinds] = (threat_of(list(kinds)), of_value, of_order)
    for combination in range(1, 1 << 16):
        threats[combination], worth[combination], order[combination] = known.get(
            tuple(kinds_of(combination)), (QUIET, 0, 0)
        )
    return Tables(threats, worth, order)
