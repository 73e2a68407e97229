"""What the judges share: rows in groups, and means, shares and slopes with their intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import fmean

from mnkala.lab.registry import Row
from mnkala.lab.tables import mean_and_half
from mnkala.play.intervals import student, wilson


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
    left = sum((y - mean_y - found * (x - mean_x)) ** 2 for x, y in points)
    half = student(free) * math.sqrt(left / free / spread)
    return found, found - half, found + half


def growth(rows: Iterable[Row], x: str, y: str) -> tuple[float, float, float]:
    """The power with which y grows with x, and its confidence interval."""
    return slope_interval([(math.log(row[x]), math.log(row[y])) for row in rows])
