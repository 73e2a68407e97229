"""Heuristics for Kalah: the two of report 003, and our own.

- *own-side*: seeds on the mover's side, those in the store included, minus those on the other's. The report says only "the
  number of seeds on the player's side"; with the store, and only with it, its tables come out (see below). The difference
  orders positions as the mover's number alone does, because all seeds lie on one side or the other.
- *stores*: the difference of the stores.
- *kalah*: plays out the moves that move again, then counts the stores, the largest captures and the houses to choose from.
  Extra turns are to Kalah what exchanges are to chess: a position amid them cannot be counted. The weights were fitted to
  the margins of self-play and then tuned by matches, at 6x4, 6x6 and 5x4.

With both readings, levels of depth 1, 4 and 8, finished games scored after the sweep, and the rightmost of equal moves on the
board, seven of the report's twelve games come out to the seed and to the move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mnkala.errors import BadEngine
from mnkala.games import Rules
from mnkala.games.kalah import ZERO, Board, Kalah, seeds_in, sum_of
from mnkala.native import native, shared
from mnkala.search.heuristic import Heuristic, register_heuristic

SEED = 16
"""What a seed in the store is worth."""
CAPTURE, OTHER_CAPTURE = 16, 8
"""A seed of the largest capture on offer: as good as stored for the mover; the other may still lose the chance."""
HOUSE = 24
"""A house to choose from: whoever has more of them outlasts the other, who must then feed the opponent's row."""
ON_SIDE = 1
"""A seed in one's own row, which the sweep at the end may bring home."""


@native
class OwnSide(Heuristic):
    """Report 003's first heuristic."""

    def evaluate(self, rules: Any, state: Board) -> int:
        return stores(state) + np.int64(sum_of(state.own)) - np.int64(sum_of(state.other))


@native
class Stores(Heuristic):
    """Report 003's second heuristic."""

    def evaluate(self, rules: Any, state: Board) -> int:
        return stores(state)


@native
class Prospects(Heuristic):
    """What lies in the stores, and what either side is about to put there."""

    def evaluate(self, rules: Any, state: Board) -> int:
        # 1. Move again as long as that is possible; the house nearest to the store first, which disturbs no other.
        house = house_that_moves_again(state.own, rules.houses)
        while house >= 0:
            state = rules.play(state, house)
            house = house_that_moves_again(state.own, rules.houses)
        if state.own == ZERO:
            return SEED * stores(state)

        # 2. Count.
        choice, capture = prospects(state.own, state.other, rules.houses, rules.standard)
        other_choice, other_capture = prospects(state.other, state.own, rules.houses, rules.standard)
        on_side = np.int64(sum_of(state.own)) - np.int64(sum_of(state.other))
        return (SEED * stores(state) + ON_SIDE * on_side + HOUSE * (choice - other_choice)
                + CAPTURE * capture - OTHER_CAPTURE * other_capture)


@shared
def stores(state: Board) -> int:
    """The mover's store minus the other's."""
    return seeds_in(state.stores, 0) - seeds_in(state.stores, 1)


@shared
def house_that_moves_again(row: np.uint64, houses: int) -> int:
    """The house nearest to the store whose last seed falls into it on the first lap, or -1."""
    for house in range(houses - 1, -1, -1):
        if seeds_in(row, house) == houses - house:
            return house
    return -1


@shared
def prospects(row: np.uint64, opposite: np.uint64, houses: int, standard: bool) -> tuple[int, int]:
    """How many moves a row has, and the seeds of its largest capture on the first lap."""
    moves, most = 0, 0
    for house in range(houses):
        seeds = seeds_in(row, house)
        if seeds == 0:
            continue
        moves += 1
        last = house + seeds
        if last < houses and seeds_in(row, last) == 0:
            captured = seeds_in(opposite, houses - 1 - last)
            if captured != 0 or not standard:
                most = max(most, captured + 1)
    return moves, most


def _maker(cls: type[Heuristic]) -> Callable[[Rules], Heuristic]:
    def make(rules: Rules) -> Heuristic:
        if not isinstance(rules, Kalah):
            raise BadEngine(f"{rules.game_string()} is not Kalah, so there are no seeds to count")
        return cls()

    return make


register_heuristic("own-side", "report 003's first: seeds on one's side, store included", _maker(OwnSide))
register_heuristic("stores", "report 003's second: the difference of the stores", _maker(Stores))
register_heuristic("kalah", "moves again as long as it can, then counts stores, captures and choice", _maker(Prospects))
