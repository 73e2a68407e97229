"""Heuristics for Kalah: the two of report 003, and our own.

- *own-side*: seeds on the mover's side, those in the store included, minus those on the other's.
  The report says only "the number of seeds on the player's side"; with the store, and only with it,
  its tables come out (see below). The difference orders positions as the mover's number alone does,
  because all seeds lie on one side or the other.
- *stores*: the difference of the stores.
- *kalah*: plays out the moves that move again, then counts the stores, the largest captures and the
  houses to choose from. Extra turns are to Kalah what exchanges are to chess: a position amid them
  cannot be counted. The weights were fitted to the margins of self-play and then tuned by matches,
  at 6x4, 6x6 and 5x4.
- `LearnedHouses` adds up look-ups in tables whose weights the study `learning` learns.
- *margin*, the default, lies with the solver, whose endgame database it asks
  (`solver/heuristic.py`).

With both readings, levels of depth 1, 4 and 8, finished games scored after the sweep, and the
rightmost of equal moves on the board, seven of the report's twelve games come out to the seed and
to the move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mnkala.arena.models import look_ups
from mnkala.core import Rules
from mnkala.core.rules import State
from mnkala.errors import BadEngine
from mnkala.families.kalah.rules import (
    LOW_BITS,
    ZERO,
    Kalah,
    KalahState,
    first_houses,
    seeds_in,
    sum_of,
)
from mnkala.families.kalah.solver.heuristic import margin_heuristic
from mnkala.native import lowest_bit, native, popcount, shared
from mnkala.native.objects import IntArray
from mnkala.search.heuristic import Heuristic, register_heuristic

if TYPE_CHECKING:
    from scipy import sparse


SEED = 16
"""The value of a seed in the store."""
CAPTURE, OTHER_CAPTURE = 16, 8
"""The values of a seed of the largest capture on offer: for the mover it is as good as stored; the
other player may still lose the chance."""
HOUSE = 24
"""The value of a house to choose from: the player with more of them outlasts the other, who must
then feed the opponent's row."""
ON_SIDE = 1
"""The value of a seed in one's own row, which the sweep at the end may bring home."""

ONE, SEVEN = np.uint64(1), np.uint64(7)
COUNTDOWN = np.uint64(0x0102030405060708)
"""Byte i holds 8 - i. Shifted right by a byte for each house that a place lies before the eighth,
byte i holds place - i."""


@native
class OwnSide(Heuristic):
    """Report 003's first heuristic."""

    def evaluate(self, rules: Any, state: KalahState) -> int:
        return stores(state) + on_side(state)


@native
class Stores(Heuristic):
    """Report 003's second heuristic."""

    def evaluate(self, rules: Any, state: KalahState) -> int:
        return stores(state)


@native
class Prospects(Heuristic):
    """Our own heuristic: the contents of the stores, and what either side is about to add to them."""

    def evaluate(self, rules: Any, state: KalahState) -> int:
        # 1. Move again as long as that is possible, with the house nearest to the store first,
        #    because that disturbs no other.
        house = house_that_moves_again(state.own, rules.houses)
        while house >= 0:
            state = rules.play(state, house)
            house = house_that_moves_again(state.own, rules.houses)
        if state.own == ZERO:
            return SEED * stores(state)

        # 2. Count what either side has and can take.
        choice, capture = prospects(state.own, state.other, rules.houses, rules.standard)
        other_choice, other_capture = prospects(
            state.other, state.own, rules.houses, rules.standard
        )
        return (
            SEED * stores(state)
            + ON_SIDE * on_side(state)
            + HOUSE * (choice - other_choice)
            + CAPTURE * capture
            - OTHER_CAPTURE * other_capture
        )


@shared
def stores(state: KalahState) -> int:
    """The difference of the stores, the mover's minus the other's."""
    return seeds_in(state.stores, 0) - seeds_in(state.stores, 1)


@shared
def on_side(state: KalahState) -> int:
    """The seeds in the mover's row minus those in the other's."""
    return int(np.int64(sum_of(state.own))) - int(np.int64(sum_of(state.other)))


@shared
def house_that_moves_again(row: np.uint64, houses: int) -> int:
    """The house nearest to the store whose last seed falls into it on the first lap, or -1."""
    found = houses_that_reach(row, houses)
    if found == ZERO:
        return -1
    while found & (found - ONE) != ZERO:
        found &= found - ONE
    return lowest_bit(found) >> 3


@shared
def prospects(row: np.uint64, opposite: np.uint64, houses: int, standard: bool) -> tuple[int, int]:
    """The number of moves of a row, and the seeds of its largest capture on the first lap."""
    empty = empty_houses(row) & (first_houses(houses) << SEVEN)
    moves = houses - popcount(empty)
    most = 0
    while empty != ZERO:
        house = lowest_bit(empty) >> 3
        empty &= empty - ONE
        captured = seeds_in(opposite, houses - 1 - house)
        if (
            captured >= most
            and (captured != 0 or not standard)
            and houses_that_reach(row, house) != ZERO
        ):
            most = captured + 1
    return moves, most


# Sets of houses are words too: the highest bit of byte i represents house i.


@shared
def houses_that_reach(row: np.uint64, place: int) -> np.uint64:
    """The houses whose last seed falls on `place`, a house further on or the store; house i then
    holds place - i seeds."""
    half = np.uint64(4 * (8 - place))
    return empty_houses(row ^ (COUNTDOWN >> half >> half)) & (first_houses(place) << SEVEN)


@shared
def empty_houses(row: np.uint64) -> np.uint64:
    """The bytes that are zero. Adding 127 to the low seven bits carries into the eighth unless they
    are all zero."""
    return ~(((row & LOW_BITS) + LOW_BITS) | row | LOW_BITS)


def _maker(cls: type[Heuristic]) -> Callable[[Rules], Heuristic]:
    def make(rules: Rules) -> Heuristic:
        if not isinstance(rules, Kalah):
            raise BadEngine(f"{rules.game_string()} is not Kalah, so there are no seeds to count")
        return cls()

    return make


register_heuristic(
    "own-side", "report 003's first: seeds on one's side, store included", _maker(OwnSide)
)
register_heuristic("stores", "report 003's second: the difference of the stores", _maker(Stores))
register_heuristic(
    "margin",
    "the stores and the margin to come: exact by the endgame database, else by weights fitted to exact margins",
    margin_heuristic,
)
register_heuristic(
    "kalah",
    "moves again as long as it can, then counts stores, captures and mobility",
    _maker(Prospects),
)


# ---- An evaluation that can be learned ----
#
# It is a sum of look-ups in tables: the seeds of each house of either row; each house with the one
# opposite; the difference of the stores, by how many seeds are still in play.

SCALE = 1000
"""The number of units in one logit."""
HOUSE_PENALTY = 0.5
"""The penalty on half the squared weight, against the summed loss of all positions. It was chosen
by the loss on games that were held out."""

MOST_SEEDS, MOST_OWN, MOST_OPPOSITE = 15, 3, 7
"""The numbers of seeds up to which houses are distinguished: alone, and in pairs of opposite
houses."""
MOST_AHEAD, PHASES = 24, 4
"""The largest difference of the stores, and the number of phases by the seeds still in play."""


@native
class LearnedHouses(Heuristic):
    """Tables for houses, pairs of opposite houses and stores, for the mover."""

    own: IntArray
    """Values by house and seeds."""
    other: IntArray
    pairs: IntArray
    """Values by house, its seeds and the seeds opposite."""
    stores: IntArray
    """Values by phase and difference of the stores."""
    tempo: int

    def evaluate(self, rules: Any, state: State) -> int:
        total = self.tempo
        houses = rules.houses
        for house in range(houses):
            mine, theirs = seeds_in(state.own, house), seeds_in(state.other, house)
            opposite = seeds_in(state.other, houses - 1 - house)
            total += self.own[house * (MOST_SEEDS + 1) + min(mine, MOST_SEEDS)]
            total += self.other[house * (MOST_SEEDS + 1) + min(theirs, MOST_SEEDS)]
            total += self.pairs[
                (house * (MOST_OWN + 1) + min(mine, MOST_OWN)) * (MOST_OPPOSITE + 1)
                + min(opposite, MOST_OPPOSITE)
            ]
        mine, theirs = seeds_in(state.stores, 0), seeds_in(state.stores, 1)
        seeds = 2 * houses * rules.seeds
        phase = min(PHASES - 1, PHASES * (seeds - mine - theirs) // seeds)
        ahead = max(-MOST_AHEAD, min(MOST_AHEAD, mine - theirs))
        return total + self.stores[phase * (2 * MOST_AHEAD + 1) + ahead + MOST_AHEAD]


class KalahTables:
    """The tables of a board, one after the other: own houses, other's houses, pairs, stores."""

    def __init__(self, rules: Kalah) -> None:
        self.rules, houses = rules, rules.houses
        self.parts = np.cumsum(
            [
                0,
                houses * (MOST_SEEDS + 1),
                houses * (MOST_SEEDS + 1),
                houses * (MOST_OWN + 1) * (MOST_OPPOSITE + 1),
                PHASES * (2 * MOST_AHEAD + 1),
            ]
        )
        self.size = int(self.parts[-1])

    def penalty(self) -> np.ndarray:
        """The penalty on large weights."""
        return np.full(self.size, HOUSE_PENALTY)

    def design(self, states: Sequence[Any]) -> sparse.csr_array:
        """The look-ups of positions: a matrix with one row for each."""
        houses, seeds = self.rules.houses, 2 * self.rules.houses * self.rules.seeds
        own, other, stores = (
            _bytes([getattr(state, name) for state in states])
            for name in ("own", "other", "stores")
        )
        place = np.arange(houses)
        mine, theirs, opposite = own[:, :houses], other[:, :houses], other[:, :houses][:, ::-1]
        alone = [place * (MOST_SEEDS + 1) + np.minimum(row, MOST_SEEDS) for row in (mine, theirs)]
        pairs = (place * (MOST_OWN + 1) + np.minimum(mine, MOST_OWN)) * (
            MOST_OPPOSITE + 1
        ) + np.minimum(opposite, MOST_OPPOSITE)
        phase = np.minimum(PHASES - 1, PHASES * (seeds - stores[:, 0] - stores[:, 1]) // seeds)
        ahead = np.clip(stores[:, 0] - stores[:, 1], -MOST_AHEAD, MOST_AHEAD)
        bank = phase * (2 * MOST_AHEAD + 1) + ahead + MOST_AHEAD
        index = np.hstack(
            [
                part + start
                for part, start in zip((*alone, pairs, bank[:, None]), self.parts, strict=False)
            ]
        )
        return look_ups(index, np.ones(len(states)), self.size)

    def heuristic(self, weights: np.ndarray, tempo: float) -> Heuristic:
        """The heuristic with these weights, for searches."""
        own, other, pairs, stores = (
            np.ascontiguousarray(part) for part in np.split(_whole(weights), self.parts[1:-1])
        )
        return LearnedHouses(own, other, pairs, stores, int(_whole(tempo)))


def _bytes(words: list[Any]) -> np.ndarray:
    """The eight bytes of each word, lowest first."""
    return np.array(words, dtype="<u8").view(np.uint8).reshape(len(words), 8).astype(np.int64)


def _whole(weights: Any) -> np.ndarray:
    """Round weights to the whole numbers that compiled code takes."""
    return np.rint(SCALE * np.asarray(weights)).astype(np.int64)
