"""The content of a plot before it is drawn: rows become points with intervals, points become series
beside the report's own figures.

The number of a series determines its style. Colours are those of Okabe and Ito (2008); markers,
dashes and hatches differ as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mnkala.lab.registry import Row
from mnkala.lab.study import Part, Plot, matches
from mnkala.lab.tables import grouped, is_number, label, mean_and_half, setting

INK = "#1b1b1f"
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8A6D3B")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")
DASHES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)))
HATCHES = ("", "//", "..", "\\\\", "xx", "--", "++")
THE_REPORT = -1
"""The style of a report's figures that belong to no single series of ours."""


@dataclass(frozen=True)
class Point:
    """A point: the mean of all rows with the same x, and the ends of its interval."""

    x: Any
    y: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Series:
    """A line or a set of bars, with the same style in all panels."""

    name: str
    style: int
    points: dict[Any, list[Point]]
    """The points of the series, by panel."""
    report: dict[Any, list[Point]]

    @property
    def look(self) -> dict[str, Any]:
        """The colour and the marker of the series."""
        if self.style == THE_REPORT:
            return {"color": INK, "marker": "o"}
        return {
            "color": COLOURS[self.style % len(COLOURS)],
            "marker": MARKERS[self.style % len(MARKERS)],
        }

    @property
    def dash(self) -> Any:
        """The kind of line."""
        return DASHES[self.style % len(DASHES)]

    @property
    def hatch(self) -> str:
        """The pattern that fills a bar."""
        return HATCHES[self.style % len(HATCHES)]


def panels_of(plot: Plot, rows: list[Row]) -> list[Any]:
    """The values of the facet, one panel each."""
    return [key[0] for key in grouped(rows, [plot.facet])] if plot.facet else [None]


def all_series(
    part: Part, plot: Plot, rows: list[Row], references: list[Row], panels: Sequence[Any]
) -> list[Series]:
    """The series in the order in which they first appear, each with its points and the report's."""

    def by_panel(y: str, rows: list[Row], bare: bool = False) -> dict[Any, list[Point]]:
        """The points of some rows in each panel; figures of a report that name no panel are in all
        of them.
        """
        return {
            panel: points_of(
                plot,
                y,
                [
                    row
                    for row in rows
                    if panel is None or row.get(plot.facet, panel if bare else None) == panel
                ],
                bare,
            )
            for panel in panels
        }

    found: list[Series] = []
    groups = grouped(rows, plot.series)
    for reference in references:
        if all(name in reference for name in plot.series):
            groups.setdefault(tuple(reference[name] for name in plot.series), [])
    for y in plot.y:
        for key, some in groups.items():
            words = [named(part, name, value) for name, value in zip(plot.series, key, strict=True)]
            name = ", ".join(
                words if len(plot.y) == 1 and words else [label(part, y, unit=False), *words]
            )
            own = dict(zip(plot.series, key, strict=True))
            theirs = [row for row in references if y in row and plot.x in row and matches(row, own)]
            found.append(
                Series(name, len(found), by_panel(y, some), by_panel(y, theirs, bare=True))
            )
    for y in plot.y:
        general = [
            row
            for row in references
            if y in row and plot.x in row and not all(name in row for name in plot.series)
        ]
        found.append(Series("", THE_REPORT, {}, by_panel(y, general, bare=True)))
    return found


def points_of(plot: Plot, y: str, rows: list[Row], bare: bool = False) -> list[Point]:
    """Convert rows to points: means over equal x (for a scatter every row), with the kind of
    interval that the plot has.

    A case with a value that a logarithmic axis cannot show (zero or less) has no point;
    `off_the_axis` counts such cases.
    """
    rows = [row for row in rows if is_number(row.get(y)) and row.get(plot.x) is not None]
    groups = (
        [(row[plot.x], [row]) for row in rows]
        if plot.kind == "scatter"
        else [(key[0], some) for key, some in grouped(rows, [plot.x]).items()]
    )
    points = [_point(plot, y, x, some, bare) for x, some in groups if can_be_shown(plot, y, some)]
    return (
        sorted(points, key=lambda point: point.x)
        if all(is_number(point.x) for point in points)
        else points
    )


def can_be_shown(plot: Plot, y: str, rows: list[Row]) -> bool:
    """Whether the axes can show these rows."""
    columns = ([plot.x] if "x" in plot.log else []) + ([y] if "y" in plot.log else [])
    return all(row[name] > 0 for row in rows for name in columns if is_number(row[name]))


def off_the_axis(plot: Plot, rows: list[Row]) -> int:
    """The number of rows with a zero or less where the plot has a logarithmic axis."""
    return sum(
        is_number(row.get(y)) and row.get(plot.x) is not None and not can_be_shown(plot, y, [row])
        for y in plot.y
        for row in rows
    )


def _point(plot: Plot, y: str, x: Any, rows: list[Row], bare: bool) -> Point:
    values = [row[y] for row in rows]
    mean, half = mean_and_half(values)
    if bare or not plot.error:
        return Point(x, mean)
    if plot.error == "ci":
        if "y" in plot.log:
            middle, half = mean_and_half([math.log(value) for value in values])
            ends = () if half is None else (math.exp(middle - half), math.exp(middle + half))
            return Point(x, math.exp(middle), *ends)
        return Point(x, mean) if half is None else Point(x, mean, mean - half, mean + half)
    limits = [[row[name] for row in rows if is_number(row.get(name))] for name in plot.error]
    if not all(limits):
        return Point(x, mean)
    low, high = (mean_and_half(some)[0] for some in limits)
    return Point(x, mean, min(low, mean), max(high, mean))


def named(part: Part, name: str, value: Any) -> str:
    """A value that stands alone, with the name of its column unless it is a word."""
    speaks = isinstance(value, str) and any(letter.isalpha() for letter in value)
    measure = part.units.get(name, "")
    return (
        setting(value)
        if speaks
        else " ".join(filter(None, (label(part, name, unit=False), setting(value), measure)))
    )


def in_order(values: Sequence[Any]) -> list[Any]:
    """Return each value once: numbers sorted by size, words in their order."""
    known = list(dict.fromkeys(values))
    return sorted(known) if all(is_number(value) for value in known) else known
