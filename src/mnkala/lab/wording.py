"""What the findings on searches share: grouping rows, intervals, and numbers in words. Every number in a finding comes from the rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean

from mnkala.lab.registry import Row
from mnkala.lab.tables import mean_and_half
from mnkala.play.intervals import CONFIDENCE, wilson


def grouped(rows: Iterable[Row], *names: str) -> dict[tuple[object, ...], list[Row]]:
    """Rows by the values of some columns, in the order of their first appearance. Rows that lack one of them are left out."""
    groups: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        if all(row.get(name) is not None for name in names):
            groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def having(rows: Iterable[Row], *names: str) -> list[Row]:
    """The rows that have a value in each of these columns: those of one part of a study."""
    return [row for row in rows if all(row.get(name) is not None for name in names)]


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """A mean and the ends of its confidence interval (Student's t); with fewer than two values the interval is endless."""
    mean, half = mean_and_half(values)
    return (mean, -math.inf, math.inf) if half is None else (mean, mean - half, mean + half)


def share_interval(hits: float, of: int) -> tuple[float, float, float]:
    """A share and the ends of Wilson's interval (1927)."""
    share = hits / of if of else 0.5
    return (share, *wilson(share, of))


def slope(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the straight line that fits best; of logarithms, the power with which y grows with x."""
    mean_x, mean_y = fmean(x for x, _ in points), fmean(y for _, y in points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0


def slope_interval(points: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """The slope of the straight line that fits best, and the ends of its confidence interval (Student's t): endless for two points."""
    found = slope(points)
    mean_x, mean_y = fmean(x for x, _ in points), fmean(y for _, y in points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    free = len(points) - 2
    if free < 1 or not spread:
        return found, -math.inf, math.inf
    from scipy.stats import t

    left = sum((y - mean_y - found * (x - mean_x)) ** 2 for x, y in points)
    half = float(t.ppf((1 + CONFIDENCE) / 2, free)) * math.sqrt(left / free / spread)
    return found, found - half, found + half


def growth(rows: Iterable[Row], x: str, y: str) -> tuple[float, float, float]:
    """The power with which y grows with x, and its confidence interval."""
    return slope_interval([(math.log(row[x]), math.log(row[y])) for row in rows])


def power(name: str, found: tuple[float, float, float]) -> str:
    """A growth in words: cells^2.5 (2.2 to 2.7)."""
    told = [f"{value:.1f}".replace("-", "−").replace("−0.0", "0.0") for value in found]
    return f"{name}^{told[0]} ({told[1]} to {told[2]})" if math.isfinite(found[1]) else f"{name}^{told[0]}"


def number(value: float) -> str:
    """A number as people read it: 93,840; 12.3; 0.042."""
    if value == int(value) or abs(value) >= 1000:
        return f"{round(value):,}"
    return f"{value:.3g}"


def about(value: float) -> str:
    """A number to two digits: 0.43; 7.1; 160."""
    return number(float(f"{value:.2g}"))


def percent(share: float) -> str:
    """A share of 0 to 1."""
    return f"{100 * share:.0f} %"


def times(factor: float) -> str:
    """A factor."""
    return f"{factor:.2f}×" if factor < 10 else f"{number(factor)}×"


def in_paragraphs(answer: Sequence[str], rest: Sequence[str] = ()) -> str:
    """A finding: the answer to the study's question, and what else there is to say, where there is something."""
    return "\n\n".join(text for text in (" ".join(filter(None, answer)), " ".join(filter(None, rest))) if text)


def with_interval(share: float, low: float, high: float) -> str:
    """A share with its interval: 65 % (57 to 72 %)."""
    return f"{100 * share:.0f} % ({abs(round(100 * low))} to {abs(round(100 * high))} %)"


def listed(words: Sequence[str]) -> str:
    """a; a and b; a, b and c."""
    words = list(words)
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def count(amount: int, one: str, many: str = "") -> str:
    """1 position, 2 positions."""
    return f"{amount:,} {one if amount == 1 else many or one + 's'}"


def extremes(values: dict[str, float], show: Callable[[float], str] = number) -> str:
    """From the least to the greatest, by name."""
    low, high = min(values, key=lambda name: values[name]), max(values, key=lambda name: values[name])
    return f"from {show(values[low])} ({low}) to {show(values[high])} ({high})" if low != high else f"{show(values[low])} ({low})"
