"""The interval of a share whose trials come in clusters: moves of one game are not independent, nor are two games from one opening.

The variance of the share is measured between clusters (the ratio estimator of cluster sampling, Cochran 1977, chapter 9A) and turned into
a design effect (Kish 1965); the interval is Wilson's (1927) for as many independent trials as would vary as much, so that it does not
shrink to nothing where nothing was hit.
"""

from __future__ import annotations

from collections.abc import Sequence

from mnkala.play.intervals import wilson

IMAGINED = 0.25
"""A trial's worth of variance that is imagined beside the measured and the expected one: few hits measure a variance badly."""


def clustered_share(clusters: Sequence[tuple[int, int]]) -> tuple[float, float, float]:
    """A share and the ends of its 95 % interval, from (hits, trials) of each cluster; without a trial everything is possible."""
    hits, trials = (sum(column) for column in zip(*clusters, strict=True)) if clusters else (0, 0)
    if not trials:
        return 0.5, 0.0, 1.0
    share = hits / trials
    used = [(hit, of) for hit, of in clusters if of]
    between = sum((hit - share * of) ** 2 for hit, of in used) * len(used) / max(1, len(used) - 1)
    effect = (IMAGINED + between) / (IMAGINED + trials * share * (1 - share))
    return (share, *wilson(share, trials / max(1.0, effect)))
