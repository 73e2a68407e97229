"""Evaluations that can be learned: sums of table look-ups, for Connect and Kalah.

Such a model (n-tuples: Samuel 1967; Thill, Koch and Konen 2012 for Connect Four) squashed by the logistic function gives the share of
points that the mover may expect. Every table starts at zero, so nothing of the hand-made heuristics goes in but their vocabulary: windows
of a line, houses and stores.

- Connect: for every window of a line, how many discs of the first and of the second player stand in it. Who moves first matters, because
  the rows that the players get to fill differ. A window's worth is one table for all windows plus one of its own (mirror images share it),
  which is kept small: so a few games teach what three in a window are worth, and many what they are worth where.
- Kalah: the seeds of each house of either row; each house with the one opposite; the difference of the stores, by how many seeds are still
  in play.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from scipy import sparse

from mnkala.errors import BadGame
from mnkala.games import Rules
from mnkala.games.connect_bits import Connect
from mnkala.games.kalah import Kalah, seeds_in
from mnkala.games.rules import State
from mnkala.native import native, popcount
from mnkala.native.objects import IntArray
from mnkala.search import Heuristic

HeuristicClass = TypeVar("HeuristicClass", bound=type[Heuristic])

SCALE = 1000
"""Weights are kept as whole numbers: thousandths of a logit."""
SHARED_PENALTY, OWN_PENALTY, HOUSE_PENALTY = 1.0, 600.0, 0.5
"""Of half the squared weight, against the summed loss of all positions: for the table of all windows, those of single windows, and Kalah's.
Chosen by the loss on games that were held out."""

MOST_SEEDS, MOST_OWN, MOST_OPPOSITE = 15, 3, 7
"""House counts are told apart up to these: alone, and in pairs of opposite houses."""
MOST_AHEAD, PHASES = 24, 4
"""The difference of the stores, and the number of phases by the seeds still in play."""


def versioned(cls: HeuristicClass) -> HeuristicClass:
    """Put a digest of this file into a class's name: the cache of compiled code is stamped with the layers below only."""
    cls.__qualname__ += "_" + hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    return cls


@native
@versioned
class LearnedWindows(Heuristic):
    """Connect: a table for every window, as the first player sees it."""

    weights: IntArray
    """[window, first player's discs, second player's discs]."""
    tempo: int
    """Being to move is worth this much."""

    def evaluate(self, rules: Any, state: State) -> int:
        own, other = state.own, state.own ^ state.all
        sign = 1
        if rules.mover(state) == 1:
            own, other, sign = other, own, -1
        size = rules.line + 1
        total = 0
        for i in range(len(rules.windows)):
            window = np.uint64(rules.windows[i])
            total += self.weights[(i * size + popcount(own & window)) * size + popcount(other & window)]
        return sign * total + self.tempo


@native
@versioned
class LearnedHouses(Heuristic):
    """Kalah: tables for houses, pairs of opposite houses and stores, as the mover sees them."""

    own: IntArray
    """[house, seeds]."""
    other: IntArray
    pairs: IntArray
    """[house, its seeds, seeds opposite]."""
    stores: IntArray
    """[phase, difference]."""
    tempo: int

    def evaluate(self, rules: Any, state: State) -> int:
        total = self.tempo
        houses = rules.houses
        for house in range(houses):
            mine, theirs = seeds_in(state.own, house), seeds_in(state.other, house)
            opposite = seeds_in(state.other, houses - 1 - house)
            total += self.own[house * (MOST_SEEDS + 1) + min(mine, MOST_SEEDS)]
            total += self.other[house * (MOST_SEEDS + 1) + min(theirs, MOST_SEEDS)]
            total += self.pairs[(house * (MOST_OWN + 1) + min(mine, MOST_OWN)) * (MOST_OPPOSITE + 1) + min(opposite, MOST_OPPOSITE)]
        mine, theirs = seeds_in(state.stores, 0), seeds_in(state.stores, 1)
        seeds = 2 * houses * rules.seeds
        phase = min(PHASES - 1, PHASES * (seeds - mine - theirs) // seeds)
        ahead = max(-MOST_AHEAD, min(MOST_AHEAD, mine - theirs))
        return total + self.stores[phase * (2 * MOST_AHEAD + 1) + ahead + MOST_AHEAD]


def design(index: np.ndarray, sign: np.ndarray, size: int) -> sparse.csr_array:
    """One row a position: its sign at each weight that it looks up, so that value = design @ weights."""
    positions, lookups = index.shape
    rows = np.arange(positions + 1) * lookups
    return sparse.csr_array((np.repeat(sign, lookups), index.reshape(-1), rows), shape=(positions, size))


class ConnectModel:
    """The tables for Connect."""

    def __init__(self, rules: Connect) -> None:
        self.rules, self.table = rules, (rules.line + 1) ** 2
        masks = [int(window) for window in rules.windows]
        orbits: dict[int, int] = {}
        self.orbit = np.array([orbits.setdefault(min(mask, self._mirror(mask)), len(orbits)) for mask in masks])
        self.size = (1 + len(orbits)) * self.table

    @property
    def penalty(self) -> np.ndarray:
        """What a large weight costs; the first table is the one for all windows."""
        return np.where(np.arange(self.size) < self.table, SHARED_PENALTY, OWN_PENALTY)

    def _mirror(self, mask: int) -> int:
        height = self.rules.rows + 1
        column = (1 << height) - 1
        return sum(((mask >> (col * height)) & column) << ((self.rules.cols - 1 - col) * height) for col in range(self.rules.cols))

    def design(self, states: Sequence[Any]) -> sparse.csr_array:
        """The look-ups of positions."""
        own, all_discs = (np.array([getattr(state, name) for state in states], dtype=np.uint64) for name in ("own", "all"))
        second_moves = np.bitwise_count(all_discs) % 2 == 1
        first = np.where(second_moves, own ^ all_discs, own)
        windows = self.rules.windows.astype(np.uint64)
        counts = [np.bitwise_count(discs[:, None] & windows).astype(np.int64) for discs in (first, first ^ all_discs)]
        cell = counts[0] * (self.rules.line + 1) + counts[1]
        index = np.hstack([cell, (1 + self.orbit) * self.table + cell])
        return design(index, np.where(second_moves, -1.0, 1.0), self.size)

    def heuristic(self, weights: np.ndarray, tempo: float) -> Heuristic:
        """What searches use."""
        shared, *own = weights.reshape(-1, self.table)
        tables = whole(shared + np.array(own)[self.orbit])
        return LearnedWindows(np.ascontiguousarray(tables.reshape(-1)), int(whole(tempo)))


class KalahModel:
    """The tables for Kalah, one after the other: own houses, other's houses, pairs, stores."""

    def __init__(self, rules: Kalah) -> None:
        self.rules, houses = rules, rules.houses
        self.parts = np.cumsum([0, houses * (MOST_SEEDS + 1), houses * (MOST_SEEDS + 1), houses * (MOST_OWN + 1) * (MOST_OPPOSITE + 1),
                                PHASES * (2 * MOST_AHEAD + 1)])
        self.size = int(self.parts[-1])

    @property
    def penalty(self) -> np.ndarray:
        """What a large weight costs."""
        return np.full(self.size, HOUSE_PENALTY)

    def design(self, states: Sequence[Any]) -> sparse.csr_array:
        """The look-ups of positions."""
        houses, seeds = self.rules.houses, 2 * self.rules.houses * self.rules.seeds
        own, other, stores = (_bytes([getattr(state, name) for state in states]) for name in ("own", "other", "stores"))
        place = np.arange(houses)
        mine, theirs, opposite = own[:, :houses], other[:, :houses], other[:, :houses][:, ::-1]
        alone = [place * (MOST_SEEDS + 1) + np.minimum(row, MOST_SEEDS) for row in (mine, theirs)]
        pairs = (place * (MOST_OWN + 1) + np.minimum(mine, MOST_OWN)) * (MOST_OPPOSITE + 1) + np.minimum(opposite, MOST_OPPOSITE)
        phase = np.minimum(PHASES - 1, PHASES * (seeds - stores[:, 0] - stores[:, 1]) // seeds)
        ahead = np.clip(stores[:, 0] - stores[:, 1], -MOST_AHEAD, MOST_AHEAD)
        bank = phase * (2 * MOST_AHEAD + 1) + ahead + MOST_AHEAD
        index = np.hstack([part + start for part, start in zip((*alone, pairs, bank[:, None]), self.parts, strict=False)])
        return design(index, np.ones(len(states)), self.size)

    def heuristic(self, weights: np.ndarray, tempo: float) -> Heuristic:
        """What searches use."""
        own, other, pairs, stores = (np.ascontiguousarray(part) for part in np.split(whole(weights), self.parts[1:-1]))
        return LearnedHouses(own, other, pairs, stores, int(whole(tempo)))


Model = ConnectModel | KalahModel


def whole(weights: Any) -> np.ndarray:
    """Weights as compiled code takes them."""
    return np.rint(SCALE * np.asarray(weights)).astype(np.int64)


def _bytes(words: list[Any]) -> np.ndarray:
    """The eight bytes of each word, lowest first."""
    return np.array(words, dtype="<u8").view(np.uint8).reshape(len(words), 8).astype(np.int64)


def model_of(rules: Rules) -> Model:
    """The tables for a game."""
    if isinstance(rules, Connect):
        return ConnectModel(rules)
    if isinstance(rules, Kalah):
        return KalahModel(rules)
    raise BadGame(f"there is no model to learn {rules.game_string()} with; there are models for Connect up to 64 bits and for Kalah")
