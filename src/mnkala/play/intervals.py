"""How sure a share of points is: intervals that hold at the edge, and that know that two games from
one opening are not two opinions.

Wilson's interval (1927) for a share of independent games does not shrink to nothing where all were
won, as the normal one and resampling do. Engines play each opening twice with the sides changed,
and the two games depend on each other: an opening that is won for one side splits its points, one
that suits an engine brings it both. So the variance is measured between openings (a cluster sample,
with a design effect: Kish 1965), and the interval is Wilson's for as many independent games as
would vary as much: as many as there are openings if the two games of each ended alike, twice as
many if they had nothing to do with each other. Few openings measure a variance badly, and none
where all were won; so one that was won twice and one that was lost twice are imagined beside them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

CONFIDENCE = 0.95
IMAGINED = 0.5
"""The squared deviations of the two imagined pairs, a quarter each."""
PAIR_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The share of its points that a pair of games can bring: what the five counts of a
*pentanomial* result stand for."""


def student(free: int) -> float:
    """The quantile of Student's t for the ends of an interval, with the given degrees of
    freedom."""
    from scipy.special import (
        stdtrit,
    )  # scipy.stats, which has it too, takes a third of a second to load

    return float(stdtrit(free, (1 + CONFIDENCE) / 2))


def wilson(share: float, of: float) -> tuple[float, float]:
    """Wilson's interval for a share of `of` trials; without trials, the whole range."""
    if not of:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return middle - half, middle + half


def pair_moments(counts: Sequence[int]) -> tuple[int, float, float]:
    """The number of pairs, their mean share of points (a half if there are none) and the sum of
    their squared distances from it, from how many pairs of games ended with each of the five
    results.
    """
    pairs, shares = sum(counts), list(zip(counts, PAIR_SHARES, strict=True))
    mean = sum(count * share for count, share in shares) / pairs if pairs else 0.5
    return pairs, mean, sum(count * (share - mean) ** 2 for count, share in shares)


def paired(counts: Sequence[int]) -> tuple[float, float]:
    """The interval of the share of points, from how many pairs of games ended with each of the five
    results.
    """
    pairs, share, squares = pair_moments(counts)
    # The design effect is 2 where the two games of each opening ended alike, and 1 where they had
    # nothing to do with each other.
    return wilson(share, pairs * (IMAGINED + pairs * share * (1 - share)) / (IMAGINED + squares))
