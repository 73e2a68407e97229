"""What the findings on playing strength share: adding up series, ratings, and how sure results are. Every number comes from the rows.

Intervals of shares count openings and not games (`play/intervals.py`) where the rows tell them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from mnkala.arena.ratings import Encounter, rate
from mnkala.lab.registry import Row
from mnkala.play.intervals import wilson
from mnkala.play.series import SeriesResult


def result_of(rows: Iterable[Row]) -> SeriesResult:
    """All games of some rows together."""
    return sum((SeriesResult(row["wins"], row["draws"], row["losses"], pairs_in(row)) for row in rows), SeriesResult())


def pairs_in(row: Row) -> tuple[int, ...]:
    """The results of the openings of a row, which older rows do not tell."""
    return tuple(int(count) for count in str(row.get("pairs") or "0 0 0 0 0").split())


def pairs_column(result: SeriesResult) -> str:
    """The same as the text that a row keeps."""
    return " ".join(str(count) for count in result.pairs)


def head_to_head(rows: Sequence[Row], one: object, other: object) -> SeriesResult:
    """All games between two, whichever was named first."""
    return (result_of(row for row in rows if row["one"] == one and row["other"] == other)
            + result_of(row for row in rows if row["one"] == other and row["other"] == one).turned())


def verdict(result: SeriesResult) -> str:
    """`ahead`, `behind` or `undecided`: whether the interval of the share lies on one side of a half."""
    low, high = result.interval
    return "ahead" if low > 0.5 else "behind" if high < 0.5 else "undecided"


def strongest_first(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """The players of a field by their ratings."""
    met = []
    for (i, one), (j, other) in itertools.combinations(enumerate(names), 2):
        result = head_to_head(rows, one, other)
        met.append(Encounter(i, j, (1.0,) * result.wins + (0.5,) * result.draws + (0.0,) * result.losses))
    elo = rate(len(names), met).elo
    return sorted(names, key=lambda name: -elo[names.index(name)])


def by_verdict(results: dict[str, SeriesResult]) -> dict[str, list[str]]:
    """Names by how sure their series is."""
    found: dict[str, list[str]] = {"ahead": [], "behind": [], "undecided": []}
    for name, result in results.items():
        found[verdict(result)].append(name)
    return found


def carried(results: Sequence[SeriesResult]) -> tuple[bool, bool]:
    """Whether several series together carry that one side is better, and whether they carry that it is worse: all games together lie
    clearly on that side of a half, most of the series do so by themselves, and none lies clearly on the other."""
    together, sure = verdict(sum(results, SeriesResult())), [verdict(result) for result in results]
    better, worse = (together == side and 2 * sure.count(side) > len(sure) and other not in sure
                     for side, other in (("ahead", "behind"), ("behind", "ahead")))
    return better, worse


# ---- The interval of a share whose trials come in clusters ----
#
# Moves of one game are not independent, nor are two games from one opening.
#
# The variance of the share is measured between clusters (the ratio estimator of cluster sampling, Cochran 1977, chapter 9A) and turned into
# a design effect (Kish 1965); the interval is Wilson's (1927) for as many independent trials as would vary as much, so that it does not
# shrink to nothing where nothing was hit.


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
