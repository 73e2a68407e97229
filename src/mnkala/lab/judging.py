"""What the findings and claims of all studies share: rows in groups, results added up over rows,
means, shares and slopes with their 95 % intervals, and the sentences in which a study says what it
found.

Every number comes from the rows. Intervals of shares of points count openings and not games
(`play/intervals.py`) where the rows have them.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import linear_regression, median, pvariance
from typing import TYPE_CHECKING, Any

from mnkala.arena.ratings import Encounter, rate
from mnkala.lab import tables
from mnkala.lab.registry import Row
from mnkala.numbers import counted
from mnkala.play.intervals import CONFIDENCE, student, wilson
from mnkala.play.series import SeriesResult

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.runtime import LoopContext


def having(rows: Iterable[Row], *names: str) -> list[Row]:
    """The rows that have a value in each of these columns. A part of a study is recognised by the
    columns that only its rows have."""
    return [row for row in rows if all(row.get(name) is not None for name in names)]


def where(rows: Iterable[Row], **values: object) -> list[Row]:
    """The rows that have these values in the named columns."""
    return [row for row in rows if all(row.get(name) == value for name, value in values.items())]


def grouped(rows: Iterable[Row], *names: str) -> dict[Any, list[Row]]:
    """Group rows by the value of a column, or by the values of several, in the order of their first
    appearance. Rows without a value are left out."""
    groups = tables.grouped(having(rows, *names), names)
    return groups if len(names) > 1 else {key: some for (key,), some in groups.items()}


# ---- Means, medians and slopes ----


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """A mean and the ends of its interval (Student's t), which is infinite for fewer than two
    values.
    """
    mean, half = tables.mean_and_half(values)
    return (mean, -math.inf, math.inf) if half is None else (mean, mean - half, mean + half)


def median_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The ends of a confidence interval for the median, whatever the distribution: two of the
    values themselves.

    Each value lies below the median with probability 1/2, so the number below it is binomial. For
    fewer than six values it is the least and the greatest of them, the widest interval that there
    is.
    """
    from scipy.special import bdtr

    ordered = sorted(values)
    improbable = sum(
        bdtr(below, len(ordered), 0.5) <= (1 - confidence) / 2 for below in range(len(ordered))
    )
    outside = max(0, improbable - 1)
    return ordered[outside], ordered[-1 - outside]


def median_columns(name: str, values: Sequence[float]) -> Row:
    """The median of some values with its interval, as the columns `name`, `name_low` and
    `name_high`.
    """
    low, high = median_interval(values)
    return {name: median(values), f"{name}_low": low, f"{name}_high": high}


def slope_interval(points: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """The slope of the least-squares line and the ends of its interval (Student's t), which is
    infinite where the points tell no more.
    """
    xs, ys = zip(*points, strict=True)
    if len(set(xs)) < 2:
        return 0.0, -math.inf, math.inf
    slope, intercept = linear_regression(xs, ys)
    left, spread, free = (
        sum((y - intercept - slope * x) ** 2 for x, y in points),
        len(xs) * pvariance(xs),
        len(xs) - 2,
    )
    half = student(free) * math.sqrt(left / free / spread) if free else math.inf
    return slope, slope - half, slope + half


def growth(rows: Iterable[Row], x: str, y: str) -> tuple[float, float, float]:
    """The power with which y grows with x, and its interval: the slope between their logarithms."""
    return slope_interval([(math.log(row[x]), math.log(row[y])) for row in rows])


# ---- Results of games ----


def result_of(rows: Iterable[Row]) -> SeriesResult:
    """Add up the results of some rows."""
    return sum(
        (SeriesResult(row["wins"], row["draws"], row["losses"], pairs_in(row)) for row in rows),
        SeriesResult(),
    )


def pairs_in(row: Row) -> tuple[int, ...]:
    """How many of a row's openings ended with each of the five results of a pair of games; all zero
    for older rows, which do not have them."""
    return tuple(int(count) for count in str(row.get("pairs") or "0 0 0 0 0").split())


def pairs_column(result: SeriesResult) -> str:
    """Write the results of pairs of games as a row stores them."""
    return " ".join(str(count) for count in result.pairs)


def results(rows: Iterable[Row], *names: str) -> dict[Any, SeriesResult]:
    """Add up results by the value of a column, or by the values of several."""
    return {key: result_of(some) for key, some in grouped(rows, *names).items()}


def head_to_head(rows: Sequence[Row], one: object, other: object) -> SeriesResult:
    """Add up all games between two players, whichever of them is named first."""
    return (
        result_of(where(rows, one=one, other=other))
        + result_of(where(rows, one=other, other=one)).turned()
    )


def verdict(result: SeriesResult) -> str:
    """Classify a result as `ahead`, `behind` or `undecided`, by whether the interval of its share
    lies on one side of a half."""
    low, high = result.interval
    return "ahead" if low > 0.5 else "behind" if high < 0.5 else "undecided"


def verdicts(results: Iterable[SeriesResult]) -> Row:
    """Count how many series are clearly ahead, how many clearly behind, and how many there are."""
    sure = [verdict(result) for result in results]
    return {"ahead": sure.count("ahead"), "behind": sure.count("behind"), "of": len(sure)}


def by_verdict(results: Mapping[Any, SeriesResult]) -> dict[str, list[Any]]:
    """Group the names of series by their verdicts."""
    return {
        side: [name for name, result in results.items() if verdict(result) == side]
        for side in ("ahead", "behind", "undecided")
    }


def carried(results: Iterable[SeriesResult]) -> tuple[bool, bool]:
    """Whether several series together show that one side is better, and whether they show that it
    is worse.

    They show it if all games added up lie clearly on that side of a half, most series do so by
    themselves, and none lies clearly on the other side.
    """
    some = list(results)
    together, sure = verdict(sum(some, SeriesResult())), verdicts(some)
    better, worse = (
        together == side and 2 * sure[side] > sure["of"] and not sure[other]
        for side, other in (("ahead", "behind"), ("behind", "ahead"))
    )
    return better, worse


def strongest_first(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """The players of a field, ordered by their ratings."""
    met = []
    for (i, one), (j, other) in itertools.combinations(enumerate(names), 2):
        result = head_to_head(rows, one, other)
        met.append(
            Encounter(i, j, (1.0,) * result.wins + (0.5,) * result.draws + (0.0,) * result.losses)
        )
    elo = rate(len(names), met).elo
    return sorted(names, key=lambda name: -elo[names.index(name)])


# ---- The interval of a share whose trials come in clusters ----
#
# Moves of one game are not independent, nor are two games from one opening. The variance of the
# share is measured between clusters (the ratio estimator of cluster sampling, Cochran 1977, chapter
# 9A) and turned into a design effect (Kish 1965). The interval is Wilson's (1927) for as many
# independent trials as would vary as much, so it does not shrink to nothing where there was no hit.


IMAGINED = 0.25
"""The variance of an imagined trial, which is added to the measured and to the expected variance:
few hits measure a variance badly.
"""


def clustered_share(clusters: Sequence[tuple[int, int]]) -> tuple[float, float, float]:
    """A share and the ends of its interval, from the hits and trials of each cluster; without any
    trial everything is possible.
    """
    hits, trials = (sum(column) for column in zip(*clusters, strict=True)) if clusters else (0, 0)
    if not trials:
        return 0.5, 0.0, 1.0
    share = hits / trials
    used = [(hit, of) for hit, of in clusters if of]
    between = sum((hit - share * of) ** 2 for hit, of in used) * len(used) / max(1, len(used) - 1)
    effect = (IMAGINED + between) / (IMAGINED + trials * share * (1 - share))
    return (share, *wilson(share, trials / max(1.0, effect)))


# ---- The sentences of a study ----
#
# A template `NAME.txt` lies beside `NAME.toml`, which the study's module fills with what it found in
# the rows. It is a list of Jinja macros. Each is a text that can be read as it stands, and names the
# values that it needs:
#
#     {% macro finding(ratio, boards) %}
#     Pruning makes the search {{ ratio | times }} as fast on {{ boards | listed }}.
#     {% endmacro %}
#
# `Sentences(__file__).finding(ratio=2.5, boards=["6x7"])` gives the text. However it is broken into
# lines, it is one paragraph; a ¶ begins another. The filters below turn numbers into words. The
# template decides nothing but wording: what is clear, and in how many cases, the module says.


class Sentences:
    """The template of the study whose module is `file`; each of its macros is a method that gives
    the text.
    """

    def __init__(self, file: str) -> None:
        module = Path(file)
        self.path = module.with_name(f"{module.stem.replace('_', '-')}.txt")

    def __getattr__(self, macro: str) -> Callable[..., str]:
        text = getattr(_macros(self.path), macro)
        return lambda **values: in_paragraphs(text(**values))


@functools.cache
def _macros(path: Path) -> Any:
    return environment().from_string(path.read_text(encoding="utf-8")).module


@functools.cache
def environment() -> Environment:
    """Jinja with our filters; it is imported when the first sentence is written, for workers write
    none.
    """
    from jinja2 import Environment, StrictUndefined

    made = Environment(undefined=StrictUndefined, autoescape=False)
    made.filters |= {
        "about": about,
        "count": counted,
        "listed": listed,
        "number": number,
        "percent": percent,
        "power": power,
        "share": share,
        "signed": signed,
        "then": then,
        "times": times,
    }
    return made


def in_paragraphs(text: str) -> str:
    """A text without the line breaks and indents of its template, which may also stand before a
    comma or after a bracket.
    """
    joined = re.sub(r"(?<=\() | (?=[,;.)])", "", re.sub(r"[ \n]+", " ", text))
    return "\n\n".join(paragraph for part in joined.split("¶") if (paragraph := part.strip()))


# ---- Filters ----


def number(value: float) -> str:
    """Write a number as people read it: 93,840; 12.3; 0.042."""
    if value == int(value) or abs(value) >= 1000:
        return f"{round(value):,}"
    return f"{value:.3g}"


def about(value: float) -> str:
    """Write a number with two significant digits: 0.43; 7.1; 160."""
    return number(float(f"{value:.2g}"))


def percent(share: float) -> str:
    """Write a share from 0 to 1 in percent: 65 %."""
    return f"{100 * share:.0f} %"


def times(factor: float) -> str:
    """Write a factor: 2.50×."""
    return f"{factor:.2f}×" if factor < 10 else f"{number(factor)}×"


def signed(value: float, digits: int = 0) -> str:
    """Write a change with its sign: +3; −0.5."""
    return f"{'+' if value >= 0 else '−'}{abs(value):.{digits}f}"


def share(found: SeriesResult | tuple[float, float, float]) -> str:
    """Write a share with its interval: 65 % (57 to 72 %)."""
    value, low, high = (found.share, *found.interval) if isinstance(found, SeriesResult) else found
    return f"{100 * value:.0f} % ({abs(round(100 * low))} to {abs(round(100 * high))} %)"


def power(found: tuple[float, float, float], name: str) -> str:
    """Write the power with which something grows, with its interval: cells^2.5 (2.2 to 2.7)."""
    shown = [f"{value:.1f}".replace("-", "−").replace("−0.0", "0.0") for value in found]
    return (
        f"{name}^{shown[0]} ({shown[1]} to {shown[2]})"
        if math.isfinite(found[1])
        else f"{name}^{shown[0]}"
    )


def listed(words: Iterable[object]) -> str:
    """Join words with commas and `and`: a; a and b; a, b and c."""
    *rest, last = [str(word) for word in words] or [""]
    return f"{', '.join(rest)} and {last}" if rest else last


def then(loop: LoopContext) -> str:
    """The separator after an item of a list: a comma, `and`, or nothing."""
    return {0: "", 1: " and "}.get(loop.revindex0, ", ")
