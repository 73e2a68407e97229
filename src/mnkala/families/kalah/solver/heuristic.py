"""The heuristic `margin`: what lies in the stores, and the margin to come as it looks.

With few seeds left the margin to come is read from the endgame database, if there is one on disk: it is exact. Else it is a sum of features
by weights (`heuristic_weights`), each found by regression on exact margins: `python -m bench.fit_kalah` samples positions, has the solver
label them, fits the weights and says how far off they are on games that the fit did not see.

What tells most: a house that *passes* (sows beyond the store) will feed the other; seeds beyond are the worse the more the other has to
add to them; a waiting move within the row is worth something; a capture in reach after the chain of extra turns counts in full for the
mover and by a third for the other, who can be stopped.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np

from mnkala.core import Rules
from mnkala.errors import BadEngine
from mnkala.families.kalah.rules import BYTE, EIGHT, Kalah, KalahState, seeds_in, sum_of
from mnkala.families.kalah.solver.board import HIGH, Board, board_for, exact_houses, filled_houses, number_of, passing_houses
from mnkala.families.kalah.solver.database import open_database
from mnkala.families.kalah.solver.estimate import beyond, chain, largest_capture
from mnkala.families.kalah.solver.heuristic_weights import (
    BEYOND,
    BEYOND_BY_EXACT,
    BEYOND_BY_SEEDS,
    CAPTURE,
    CHAIN,
    CONSTANT,
    COUNT,
    EXACT,
    FAR_OTHER,
    FAR_OWN,
    FINE,
    HIGHEST_PHASE,
    OF_OTHER,
    PASSING,
    PASSING_BY_BEYOND,
    PASSING_BY_QUIET,
    PASSING_BY_SEEDS,
    QUIET,
    QUIET_BY_EMPTY,
    weights_by_seeds,
)
from mnkala.native import native, popcount, shared
from mnkala.native.objects import IntArray
from mnkala.search.heuristic import Heuristic
from mnkala.solve.common.words import ZERO, signed

SEED = 100
"""What a seed is worth."""


@native
class Margin(Heuristic, Board):
    """The final margin as it looks, in hundredths of a seed. It is a board too: that of the solver."""

    weights: IntArray
    """[seeds left * COUNT + feature]"""

    def evaluate(self, rules: Any, state: KalahState) -> int:
        stored = SEED * (seeds_in(state.stores, 0) - seeds_in(state.stores, 1))
        if (state.own | state.other) & HIGH != ZERO:  # a house of 128 seeds, which the sets of houses have no room for
            return stored
        seeds = signed(sum_of(state.own)) + signed(sum_of(state.other))
        if seeds <= self.known:
            return stored + SEED * int(self.database[number_of(state.own, state.other, self)])
        return stored + looks_like(state.own, state.other, seeds, self, rules)


@shared
def looks_like(own: np.uint64, other: np.uint64, seeds: int, board: Margin, rules: Kalah) -> int:
    """The margin to come as it looks, in hundredths of a seed."""
    return looks(own, other, board, rules, board.weights, min(seeds, HIGHEST_PHASE) * COUNT) // (FINE // SEED)


@shared
def looks(own: np.uint64, other: np.uint64, board: Board, rules: Kalah, weights: IntArray, at: int) -> int:
    """The margin to come by the weights from place `at` on, in their unit."""
    value = weights[at + CONSTANT]
    row, row_of_other = own, other
    for house in range(board.houses):
        far = board.houses - 1 - house
        value += weights[at + FAR_OWN + far] * signed(row & BYTE) + weights[at + FAR_OTHER + far] * signed(row_of_other & BYTE)
        row >>= EIGHT
        row_of_other >>= EIGHT
    return value + of_side(own, other, board, rules, weights, at) + of_side(other, own, board, rules, weights, at + OF_OTHER)


@shared
def of_side(row: np.uint64, opposite: np.uint64, board: Board, rules: Kalah, weights: IntArray, at: int) -> int:
    """What the kinds of houses of one row are worth, the chain of extra turns and the capture after it."""
    exact, passing, filled = exact_houses(row, board), passing_houses(row, board), filled_houses(row)
    quiet = popcount(filled & ~exact & ~passing)
    passes = popcount(passing)
    over = beyond(row, passing, board)
    after, extra = chain(row, board)
    value = weights[at + EXACT] * popcount(exact) + weights[at + PASSING] * passes + weights[at + BEYOND] * over
    value += weights[at + QUIET] * quiet + weights[at + CHAIN] * extra
    value += weights[at + CAPTURE] * largest_capture(after, opposite, board, rules)
    # What a feature is worth depends on others.
    seeds = signed(sum_of(opposite))
    value += weights[at + BEYOND_BY_SEEDS] * over * seeds + weights[at + PASSING_BY_SEEDS] * passes * seeds
    value += weights[at + BEYOND_BY_EXACT] * over * popcount(exact_houses(opposite, board))
    value += weights[at + QUIET_BY_EMPTY] * quiet * (board.houses - popcount(filled)) + weights[at + PASSING_BY_BEYOND] * passes * over
    opposite_exact, opposite_passing = exact_houses(opposite, board), passing_houses(opposite, board)
    return value + weights[at + PASSING_BY_QUIET] * passes * popcount(filled_houses(opposite) & ~opposite_exact & ~opposite_passing)


def margin_heuristic(rules: Rules) -> Margin:
    """The heuristic for a game, with its endgame database if there is one."""
    if not isinstance(rules, Kalah):
        raise BadEngine(f"{rules.game_string()} is not Kalah, so there are no seeds to count")
    known = open_database(rules)
    return dataclasses.replace(_without_database(rules.houses, rules.standard), known=known.seeds, database=known.margins)


@functools.lru_cache(maxsize=32)
def _without_database(houses: int, standard: bool) -> Margin:
    board = board_for(Kalah(houses, 1, standard))
    fields = {field.name: getattr(board, field.name) for field in dataclasses.fields(Board)}
    return Margin(**fields, weights=weights_by_seeds(standard))
