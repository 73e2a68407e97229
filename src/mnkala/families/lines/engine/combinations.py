"""The kinds of a cell's four lines together: the combination, its threat, what it is worth in the evaluation and for ordering moves.

A combination is four kinds of four bits each, one a direction. All that the search asks of a cell is in three tables by it: which *threat*
a mark there is (what the other side has to do about it), the cell's part of the evaluation, and how promising a move there is.
"""

from __future__ import annotations

import functools
import itertools

import numpy as np

from mnkala.families.lines.engine.patterns import (
    FIVE,
    FOUR,
    OPEN_FOUR,
    OPEN_THREE,
    OPEN_TWO,
    THREE,
    WIDE_THREE,
)
from mnkala.families.lines.engine.weights import Weights
from mnkala.native import NativeClass, native, shared
from mnkala.native.objects import ByteArray, IntArray

QUIET, MAKES_THREE, MAKES_FOUR, WINS, COMPLETES = range(5)
"""Threats: nothing that must be answered; an open three, which threatens to win with the next move; a four, to which there is one answer;
two ways to complete a line at once, to which there is none; the line itself."""
THREATS = 5
KINDS = 12

SINGLE, ALSO_TWO, ALSO_THREE, DOUBLE, FOUR_THREE = range(5)
"""What makes a combination more than its best kind: an open two beside it, a three, a second open three, a four and an open three."""
BONUSES = 3 * 5
"""Places for a bonus: the threat (quiet, open three, four) and what stands beside it."""

FOUR_KINDS = tuple(itertools.combinations_with_replacement(range(KINDS - 1, -1, -1), 4))
"""The kinds of four lines, best first: all that there are."""
HALF = 1 << 31


@native
class Tables(NativeClass):
    """By combination: 65,536 places each."""

    threats: ByteArray
    worth: IntArray
    """Two numbers in one, `packed`: for a side that is to move, and for one that waits."""
    order: IntArray
    """The same for ordering: for a move of one's own there, and for taking the cell from the other side."""


def packed(first: int, second: int) -> int:
    """Two small signed numbers in one, so that sums of both are kept by one addition."""
    return (first << 32) + second


@shared
def first_of(pair: int) -> int:
    """The first number of a packed pair."""
    return (pair + HALF) >> 32


@shared
def second_of(pair: int) -> int:
    """The second one."""
    return pair - (first_of(pair) << 32)


def kinds_of(combination: int) -> list[int]:
    """The four kinds, best first."""
    return sorted(((combination >> (4 * direction)) & 15 for direction in range(4)), reverse=True)


def threat_of(kinds: list[int]) -> int:
    """The threat of four kinds, best first. Fours in two directions are completed on different cells."""
    best, second = kinds[0], kinds[1]
    if best == FIVE:
        return COMPLETES
    if best == OPEN_FOUR or second == FOUR:
        return WINS
    if best == FOUR:
        return MAKES_FOUR
    return MAKES_THREE if best >= OPEN_THREE else QUIET


def bonus_of(kinds: list[int]) -> int:
    """Which bonus a combination has, as a place from 0 to BONUSES - 1; SINGLE ones count too."""
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
    """The three tables, for a set of weights."""
    threats, worth, order = np.zeros(1 << 16, np.int8), np.zeros(1 << 16, np.int64), np.zeros(1 << 16, np.int64)
    known: dict[tuple[int, ...], tuple[int, int, int]] = {}
    for place, kinds in enumerate(FOUR_KINDS):
        bonus = bonus_of(list(kinds))
        added = [[sum(by_kind[side][kind] for kind in kinds) + by_bonus[side][bonus] for side in range(2)]
                 for by_kind, by_bonus in ((weights.kinds, weights.bonuses), (weights.order_kinds, weights.order_bonuses))]
        beside = (row[place] if row else 0 for row in weights.together)
        known[kinds] = threat_of(list(kinds)), packed(*map(sum, zip(added[0], beside, strict=True))), packed(*added[1])
    for combination in range(1, 1 << 16):
        threats[combination], worth[combination], order[combination] = known.get(tuple(kinds_of(combination)), (QUIET, 0, 0))
    return Tables(threats, worth, order)
