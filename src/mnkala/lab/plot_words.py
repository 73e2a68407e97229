"""A plot in words, for those who cannot see it: what is drawn over what, in which panels and series, and the gist of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from mnkala.lab.heat_maps import middle_of
from mnkala.lab.points import all_series, in_order, named, panels_of
from mnkala.lab.registry import Row
from mnkala.lab.study import Part, Plot
from mnkala.lab.tables import grouped, is_number, label, mean_and_half, setting, show
from mnkala.lab.wording import count

KINDS = {"line": "Lines", "bar": "Bars", "dot": "Dots", "scatter": "Points", "heat": "A heat map"}
MOST_NAMED = 8
"""So many series are named, and told from their first point to their last."""


class Spot(NamedTuple):
    """A point of a plot."""

    value: float
    where: str
    """Its series, panel and x, in words."""
    x: Any


def alternative(part: Part, plot: Plot, rows: list[Row], references: list[Row], title: str) -> str:
    """What a plot shows: its title, its axes, its panels and series, and from where to where the values go."""
    panels = panels_of(plot, rows)
    x, y = plot.x_label or label(part, plot.x), plot.y_label or label(part, plot.y[0])
    value = label(part, plot.value) if plot.kind == "heat" else y
    lines = _cells(part, plot, rows) if plot.kind == "heat" else _lines(part, plot, rows, references, panels)
    axes = f"{value} by {y} (rows) and {x} (columns)" if plot.kind == "heat" else f"{y} over {x}{_scales(plot)}"
    names = _named([named(part, plot.facet, one) for one in panels]) if plot.facet else ""
    panel_words = f", one panel for each {label(part, plot.facet, unit=False)}: {names}" if len(panels) > 1 else ""
    middle = middle_of(plot) if plot.kind == "heat" else None
    parts = [title if title.endswith(("?", "!", ".")) else f"{title}.", f"{KINDS[plot.kind]}: {axes}{panel_words}."]
    if len(series := list(dict.fromkeys(name for name, _ in lines if name))) > 1:
        parts.append(f"Series: {_named(series)}.")
    hollow = plot.kind != "heat" and _has_report(part, plot, rows, references, panels)
    parts += [_gist(lines, plot), f"The colours part at {setting(middle)}." if middle is not None else "",
              "Hollow markers are the report's own figures." if hollow else ""]
    return " ".join(filter(None, parts)).replace("[", "(").replace("]", ")").replace("\n", " ")


def _scales(plot: Plot) -> str:
    return {"": "", "x": ", x logarithmic", "y": ", y logarithmic", "xy": ", both axes logarithmic"}[plot.log]


def _named(words: list[str]) -> str:
    more = f" and {count(len(words) - MOST_NAMED, 'other')}" if len(words) > MOST_NAMED else ""
    return "; ".join(words[:MOST_NAMED]) + more


def _lines(part: Part, plot: Plot, rows: list[Row], references: list[Row], panels: list[Any]) -> list[tuple[str, list[Spot]]]:
    """By series and panel: the name of the series, and its points from left to right."""
    found = []
    for one in all_series(part, plot, rows, references, panels):
        for panel, points in one.points.items():
            where = ", ".join(filter(None, (one.name if plot.series or len(plot.y) > 1 else "",
                                            named(part, plot.facet, panel) if plot.facet else "")))
            spots = [Spot(point.y, f"{where}, {named(part, plot.x, point.x)}".lstrip(", "), point.x) for point in points]
            if spots:
                found.append((one.name if plot.series or len(plot.y) > 1 else "", spots))
    return found


def _cells(part: Part, plot: Plot, rows: list[Row]) -> list[tuple[str, list[Spot]]]:
    """All cells of a heat map."""
    known = [row for row in rows if is_number(row.get(plot.value))]
    spots = []
    for (panel, y, x), some in grouped(known, [plot.facet, plot.y[0], plot.x]).items():
        words = [named(part, plot.facet, panel)] if plot.facet else []
        words += [f"{named(part, plot.y[0], y)} by {named(part, plot.x, x)}"]
        spots.append(Spot(mean_and_half([row[plot.value] for row in some])[0], ", ".join(words), x))
    return [("", spots)] if spots else []


def _gist(lines: list[tuple[str, list[Spot]]], plot: Plot) -> str:
    """The least and the greatest value with their places; where there are few lines, also how each of them goes."""
    spots = [spot for _, some in lines for spot in some]
    if not spots:
        return ""
    least, most = min(spots, key=lambda spot: spot.value), max(spots, key=lambda spot: spot.value)
    gist = f"Values go from {show(least.value, 3)} ({least.where}) to {show(most.value, 3)} ({most.where})."
    if plot.kind == "line" and len(lines) <= MOST_NAMED and all(len(in_order([spot.x for spot in some])) > 1 for _, some in lines):
        ways = [f"{some[0].where} {show(some[0].value, 3)} to {show(some[-1].value, 3)} at {setting(some[-1].x)}" for _, some in lines]
        gist += f" From left to right: {'; '.join(ways)}."
    return gist


def _has_report(part: Part, plot: Plot, rows: list[Row], references: list[Row], panels: list[Any]) -> bool:
    return any(points for one in all_series(part, plot, rows, references, panels) for points in one.report.values())
