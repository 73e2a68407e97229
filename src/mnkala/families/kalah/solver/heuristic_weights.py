"""The weights of the heuristic `margin`, and the places of its features.

`python -m bench.fit_kalah` found them by least squares on exact margins, and prints them again. Data: under empty capture 24,920 positions
(SHA-256 81b53a2dff941ee2…), under the standard rule 28,569 (a8bbade49961c46d…), with 8 to 38 seeds left, a fifth of the games held out. How
far off the margin to come is on those, as the root of the mean square, in seeds; the others with the scale that suits them best:

    board, rule       margin (R²)   kalah (R²)    own-side   stores
    6x4, empty        4.78 (0.67)   6.60 (0.38)   8.11       8.38
    6x4, standard     4.41 (0.69)   6.21 (0.39)   7.50       7.92
    4x4, empty        4.52 (0.51)   5.43 (0.29)   5.95       6.54
    5x4, empty        4.48 (0.63)   6.08 (0.31)   7.01       7.36
    8x3, empty        5.24 (0.76)   6.52 (0.63)   8.44      10.70

Weights in proportion to the seeds left, instead of constant ones, and the products take a tenth off the error; the second largest capture,
the seeds after the chain, laps and the steps that quiet houses have left took off less than a hundredth, and were left out.
"""

from __future__ import annotations

import functools

import numpy as np

from mnkala.native.objects import IntArray

HOUSES = 8
FAR_OWN, FAR_OTHER, CONSTANT = 0, 8, 16
"""FAR_OWN + i: a seed in the house of the mover that is i + 1 steps from the store; FAR_OTHER + i: one of the other's."""
(EXACT, PASSING, BEYOND, QUIET, CHAIN, CAPTURE, BEYOND_BY_SEEDS, BEYOND_BY_EXACT, PASSING_BY_SEEDS, PASSING_BY_BEYOND, PASSING_BY_QUIET,
 QUIET_BY_EMPTY) = range(17, 29)
"""Of the mover's row. EXACT: houses whose last seed falls into the store; PASSING: houses that sow beyond it; BEYOND: the seeds that they
would sow there; QUIET: houses that sow within the row; CHAIN: extra turns in a row; CAPTURE: seeds of the largest capture after them. The
rest are products: by the SEEDS, the EXACT and the QUIET houses of the other's row, by the EMPTY houses of the mover's."""
OF_OTHER = 12
"""The same of the other's row come so many places later."""
COUNT = 41
LOWEST_PHASE, MIDDLE_PHASE, HIGHEST_PHASE = 8, 20, 38
"""Weights change in proportion to the seeds left between the first and the last; the table of weights says what they are in the middle."""

FINE = 10_000
"""Weights are so many parts of a seed."""


@functools.cache
def weights_by_seeds(standard: bool) -> IntArray:
    """[seeds left * COUNT + feature], under a rule of capture."""
    middle, slope = (np.array(row, np.float64) for row in _WEIGHTS[standard])
    phases = np.clip(np.arange(HIGHEST_PHASE + 1), LOWEST_PHASE, HIGHEST_PHASE)
    return np.rint(middle + np.outer(phases - MIDDLE_PHASE, slope / 10)).astype(np.int64).ravel()


_WEIGHTS: dict[bool, tuple[tuple[int, ...], tuple[int, ...]]] = {
    False: ((10452, 7992, 7858, 6998, 7529, 7555, 10430, 7755, -7594, -5362, -5320, -4900, -5144, -5838, -9618, -9599, -4703, 6087,
            5796, 4210, 6273, 1344, 12310, -1239, 2497, -1426, -3584, -2268, 2791, -6772, -24487, -6290, -7409, -2291, -2870, 1161,
            -801, 2873, 3545, 3009, -3109),
           (-3936, -4614, -5644, -5543, -6129, -5380, 5839, 3269, 1653, 2619, 3389, 4227, 4088, 4473, -5828, -9102, 10725, 4945, -4392,
            10567, 5373, 1054, -4171, 0, 0, 0, 0, 0, 0, -873, 151, -8036, -4551, 1252, 924, 0, 0, 0, 0, 0, 0)),
    True: ((9582, 6810, 5865, 6104, 6808, 7291, 9753, 6534, -6852, -4575, -4585, -4402, -4790, -5461, -7707, -8644, -1904, 6949, 10563,
            3584, 7913, 3138, 10432, -879, 2342, -1956, -3463, -2458, 3301, -10017, -16914, -4889, -9237, -1619, -2384, 858, -765, 2372,
            2713, 3321, -3164),
           (-2974, -2977, -4040, -4384, -5184, -4707, 1618, 8601, 1570, 1828, 3146, 3480, 3817, 4319, -6221, -5350, 4980, 4373, 2661,
            7745, 2101, 1009, -2681, 0, 0, 0, 0, 0, 0, -2181, -212, -6508, -2157, 1557, 218, 0, 0, 0, 0, 0, 0)),
}
"""By rule of capture (whether it is the standard one): the weights with MIDDLE_PHASE seeds left, and what ten seeds more add to them."""
