"""An evaluation of Kalah that can be learned, as a sum of look-ups in tables: the seeds of each
house of either row; each house with the one opposite; the difference of the stores, by how many
seeds are still in play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from mnkala.arena.models import look_ups
from mnkala.core.rules import State
from mnkala.families.kalah.rules import Kalah, seeds_in
from mnkala.native import native
from mnkala.native.objects import IntArray
from mnkala.search import Heuristic

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
