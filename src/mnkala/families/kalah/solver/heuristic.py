"""The heuristic `margin`: what lies in the stores, and the margin to come as it looks.

With few seeds left the margin to come is read from the endgame database, if there is one on disk:
it is exact. Else it is a sum of features by weights, each found by regression on exact margins:
`python -m bench.fit_kalah` samples positions, has the solver label them, fits the weights and says
how far off they are on games that the fit did not see.

What tells most: a house that *passes* (sows beyond the store) will feed the other; seeds beyond are
the worse the more the other has to add to them; a waiting move within the row is worth something; a
capture in reach after the chain of extra turns counts in full for the mover and by a third for the
other, who can be stopped.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np

from mnkala.core import Rules
from mnkala.errors import BadEngine
from mnkala.families.kalah.rules import BYTE, EIGHT, Kalah, KalahState, seeds_in, sum_of
from mnkala.families.kalah.solver.board import (
    HIGH,
    Board,
    board_for,
    exact_houses,
    filled_houses,
    number_of,
    passing_houses,
)
from mnkala.families.kalah.solver.database import open_database
from mnkala.families.kalah.solver.estimate import beyond, chain, largest_capture
from mnkala.native import native, popcount, shared
from mnkala.native.objects import IntArray
from mnkala.search.heuristic import Heuristic
from mnkala.solve.table import ZERO, signed

# ---- Weights ----
#
# `python -m bench.fit_kalah` found them by least squares on exact margins, and prints them again.
# Data: under empty capture 24,920 positions (SHA-256 81b53a2dff941ee2…), under the standard rule
# 28,569 (a8bbade49961c46d…), with 8 to 38 seeds left, a fifth of the games held out. How far off
# the margin to come is on those, as the root of the mean square, in seeds; the others with the
# scale that suits them best:
#
#     board, rule       margin (R²)   kalah (R²)    own-side   stores
#     6x4, empty        4.78 (0.67)   6.60 (0.38)   8.11       8.38
#     6x4, standard     4.41 (0.69)   6.21 (0.39)   7.50       7.92
#     4x4, empty        4.52 (0.51)   5.43 (0.29)   5.95       6.54
#     5x4, empty        4.48 (0.63)   6.08 (0.31)   7.01       7.36
#     8x3, empty        5.24 (0.76)   6.52 (0.63)   8.44      10.70
#
# Weights in proportion to the seeds left, instead of constant ones, and the products take a tenth
# off the error; the second largest capture, the seeds after the chain, laps and the steps that
# quiet houses have left took off less than a hundredth, and were left out.


HOUSES = 8
FAR_OWN, FAR_OTHER, CONSTANT = 0, 8, 16
"""Indices of features. FAR_OWN + i: a seed in the mover's house i + 1 steps from the store;
FAR_OTHER + i: one of the other's."""
(
    EXACT,
    PASSING,
    BEYOND,
    QUIET,
    CHAIN,
    CAPTURE,
    BEYOND_BY_SEEDS,
    BEYOND_BY_EXACT,
    PASSING_BY_SEEDS,
    PASSING_BY_BEYOND,
    PASSING_BY_QUIET,
    QUIET_BY_EMPTY,
) = range(17, 29)
"""Of the mover's row. EXACT: houses whose last seed falls into the store; PASSING: houses that sow
beyond it; BEYOND: the seeds that they would sow there; QUIET: houses that sow within the row;
CHAIN: extra turns in a row; CAPTURE: seeds of the largest capture after them. The rest are
products: by the SEEDS, the EXACT and the QUIET houses of the other's row, by the EMPTY houses of
the mover's.
"""
OF_OTHER = 12
"""The same features of the other's row have indices higher by this."""
COUNT = 41
LOWEST_PHASE, MIDDLE_PHASE, HIGHEST_PHASE = 8, 20, 38
"""Numbers of seeds left: weights change linearly between the first and the last, and the table of
weights gives them for the middle."""

FINE = 10_000
"""The unit of weights: this many make a seed."""


@functools.cache
def weights_by_seeds(standard: bool) -> IntArray:
    """The weights under a rule of capture, at [seeds left * COUNT + feature]."""
    middle, slope = (np.array(row, np.float64) for row in _WEIGHTS[standard])
    phases = np.clip(np.arange(HIGHEST_PHASE + 1), LOWEST_PHASE, HIGHEST_PHASE)
    return np.rint(middle + np.outer(phases - MIDDLE_PHASE, slope / 10)).astype(np.int64).ravel()


_WEIGHTS: dict[bool, tuple[tuple[int, ...], tuple[int, ...]]] = {
    False: (
        (
            10452,
            7992,
            7858,
            6998,
            7529,
            7555,
            10430,
            7755,
            -7594,
            -5362,
            -5320,
            -4900,
            -5144,
            -5838,
            -9618,
            -9599,
            -4703,
            6087,
            5796,
            4210,
            6273,
            1344,
            12310,
            -1239,
            2497,
            -1426,
            -3584,
            -2268,
            2791,
            -6772,
            -24487,
            -6290,
            -7409,
            -2291,
            -2870,
            1161,
            -801,
            2873,
            3545,
            3009,
            -3109,
        ),
        (
            -3936,
            -4614,
            -5644,
            -5543,
            -6129,
            -5380,
            5839,
            3269,
            1653,
            2619,
            3389,
            4227,
            4088,
            4473,
            -5828,
            -9102,
            10725,
            4945,
            -4392,
            10567,
            5373,
            1054,
            -4171,
            0,
            0,
            0,
            0,
            0,
            0,
            -873,
            151,
            -8036,
            -4551,
            1252,
            924,
            0,
            0,
            0,
            0,
            0,
            0,
        ),
    ),
    True: (
        (
            9582,
            6810,
            5865,
            6104,
            6808,
            7291,
            9753,
            6534,
            -6852,
            -4575,
            -4585,
            -4402,
            -4790,
            -5461,
            -7707,
            -8644,
            -1904,
            6949,
            10563,
            3584,
            7913,
            3138,
            10432,
            -879,
            2342,
            -1956,
            -3463,
            -2458,
            3301,
            -10017,
            -16914,
            -4889,
            -9237,
            -1619,
            -2384,
            858,
            -765,
            2372,
            2713,
            3321,
            -3164,
        ),
        (
            -2974,
            -2977,
            -4040,
            -4384,
            -5184,
            -4707,
            1618,
            8601,
            1570,
            1828,
            3146,
            3480,
            3817,
            4319,
            -6221,
            -5350,
            4980,
            4373,
            2661,
            7745,
            2101,
            1009,
            -2681,
            0,
            0,
            0,
            0,
            0,
            0,
            -2181,
            -212,
            -6508,
            -2157,
            1557,
            218,
            0,
            0,
            0,
            0,
            0,
            0,
        ),
    ),
}
"""The weights by rule of capture (whether it is the standard one): those with MIDDLE_PHASE seeds
left, and what ten more seeds add to them."""


# ---- The heuristic ----


SEED = 100
"""The value of a seed."""


@native
class Margin(Heuristic, Board):
    """Estimates the final margin in hundredths of a seed. It is also a board of the solver."""

    weights: IntArray
    """The weights, at [seeds left * COUNT + feature]."""

    def evaluate(self, rules: Any, state: KalahState) -> int:
        stored = SEED * (seeds_in(state.stores, 0) - seeds_in(state.stores, 1))
        if (
            state.own | state.other
        ) & HIGH != ZERO:  # A house of 128 seeds does not fit the sets of houses.
            return stored
        seeds = signed(sum_of(state.own)) + signed(sum_of(state.other))
        if seeds <= self.known:
            return stored + SEED * int(self.database[number_of(state.own, state.other, self)])
        return stored + looks_like(state.own, state.other, seeds, self, rules)


@shared
def looks_like(own: np.uint64, other: np.uint64, seeds: int, board: Margin, rules: Kalah) -> int:
    """Estimate the margin to come in hundredths of a seed."""
    return looks(own, other, board, rules, board.weights, min(seeds, HIGHEST_PHASE) * COUNT) // (
        FINE // SEED
    )


@shared
def looks(
    own: np.uint64, other: np.uint64, board: Board, rules: Kalah, weights: IntArray, at: int
) -> int:
    """Estimate the margin to come by the weights from index `at` on, in their unit."""
    value = weights[at + CONSTANT]
    row, row_of_other = own, other
    for house in range(board.houses):
        far = board.houses - 1 - house
        value += weights[at + FAR_OWN + far] * signed(row & BYTE) + weights[
            at + FAR_OTHER + far
        ] * signed(row_of_other & BYTE)
        row >>= EIGHT
        row_of_other >>= EIGHT
    return (
        value
        + of_side(own, other, board, rules, weights, at)
        + of_side(other, own, board, rules, weights, at + OF_OTHER)
    )


@shared
def of_side(
    row: np.uint64, opposite: np.uint64, board: Board, rules: Kalah, weights: IntArray, at: int
) -> int:
    """The value of the kinds of houses in one row, the chain of extra turns and the capture after
    it."""
    exact, passing, filled = (
        exact_houses(row, board),
        passing_houses(row, board),
        filled_houses(row),
    )
    quiet = popcount(filled & ~exact & ~passing)
    passes = popcount(passing)
    over = beyond(row, passing, board)
    after, extra = chain(row, board)
    value = (
        weights[at + EXACT] * popcount(exact)
        + weights[at + PASSING] * passes
        + weights[at + BEYOND] * over
    )
    value += weights[at + QUIET] * quiet + weights[at + CHAIN] * extra
    value += weights[at + CAPTURE] * largest_capture(after, opposite, board, rules)
    # The values of these features depend on others.
    seeds = signed(sum_of(opposite))
    value += (
        weights[at + BEYOND_BY_SEEDS] * over * seeds
        + weights[at + PASSING_BY_SEEDS] * passes * seeds
    )
    value += weights[at + BEYOND_BY_EXACT] * over * popcount(exact_houses(opposite, board))
    value += (
        weights[at + QUIET_BY_EMPTY] * quiet * (board.houses - popcount(filled))
        + weights[at + PASSING_BY_BEYOND] * passes * over
    )
    opposite_exact, opposite_passing = (
        exact_houses(opposite, board),
        passing_houses(opposite, board),
    )
    return value + weights[at + PASSING_BY_QUIET] * passes * popcount(
        filled_houses(opposite) & ~opposite_exact & ~opposite_passing
    )


def margin_heuristic(rules: Rules) -> Margin:
    """Make the heuristic of a game, with its endgame database if there is one."""
    if not isinstance(rules, Kalah):
        raise BadEngine(f"{rules.game_string()} is not Kalah, so there are no seeds to count")
    known = open_database(rules)
    return dataclasses.replace(
        _without_database(rules.houses, rules.standard), known=known.seeds, database=known.margins
    )


@functools.lru_cache(maxsize=32)
def _without_database(houses: int, standard: bool) -> Margin:
    board = board_for(Kalah(houses, 1, standard))
    fields = {field.name: getattr(board, field.name) for field in dataclasses.fields(Board)}
    return Margin(**fields, weights=weights_by_seeds(standard))
