"""Plots of a study as SVG that can also be read in grey.

Text stays text. Axes and words have one ink, which a page replaces by the colour of its text
(`for_page`); a separate file gets a white background (`for_file`). The report's own figures are
hollow markers in the colour of our series for the same case. A plot with several panels is drawn
twice: side by side, and in one column for a telephone. `drawing.py` draws it.
"""

from __future__ import annotations

import html
import io
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from mnkala.lab.drawing import draw_curves, draw_heat, middle_of
from mnkala.lab.points import INK, all_series, in_order, named, panels_of
from mnkala.lab.registry import Row
from mnkala.lab.results import PartResults, Results
from mnkala.lab.study import Part, Plot, Study, matches
from mnkala.lab.tables import grouped, is_number, label, mean_and_half, setting, show
from mnkala.numbers import counted

LETTERS_AN_INCH = 8.5
"""The number of letters of a title in one inch."""
LEGIBLE = 5.2
"""A picture wider than this, in inches, is drawn again for narrow screens. On 350 pixels its
letters would be nine pixels high.
"""
SETTINGS: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "mnkala",
    "font.size": 10,
    "font.family": ["DejaVu Sans", "sans-serif"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#9a9aa5",
    "grid.alpha": 0.35,
    "grid.linewidth": 0.6,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "axes.axisbelow": True,
    "axes.titlesize": 10,
    "lines.linewidth": 1.8,
    "lines.markersize": 6,
    "hatch.linewidth": 0.6,
    "axes.formatter.use_mathtext": False,
}


@dataclass(frozen=True)
class Picture:
    """A plot, which notebooks show. It can be unpacked into its title and its SVG."""

    title: str
    svg: str
    words: str = ""
    """A description for those who cannot see it."""
    draw_narrow: Callable[[], str] | None = None
    """Draws it for a narrow screen; None if it is legible there as it is."""

    def __iter__(self) -> Iterator[str]:
        return iter((self.title, self.svg))

    def _repr_svg_(self) -> str:
        return for_file(self.svg)


def figures(results: Results) -> list[Picture]:
    """All plots of a study."""
    return [picture for part in results.parts for picture in draw_part(part, results.study)]


def draw_part(results: PartResults, study: Study, only: str | None = None) -> list[Picture]:
    """All plots of a part, or those with the title `only`. A plot without any point is left out."""
    drawn = []
    for plot in results.part.plots if results.rows else ():
        if only not in (None, plot.title):
            continue
        svg = draw(results, plot)
        if svg is not None:
            title = plot.title or results.part.title or study.title
            drawn.append(
                Picture(
                    title,
                    svg,
                    alternative(results.part, plot, *_data(results, plot), title),
                    _narrower(results, plot, svg),
                )
            )
    return drawn


def _narrower(results: PartResults, plot: Plot, svg: str) -> Callable[[], str] | None:
    width = re.search(r'<svg [^>]*width="([\d.]+)pt"', svg)
    if width is None or float(width[1]) <= 72 * LEGIBLE:
        return None
    return lambda: draw(results, plot, narrow=True) or svg


def draw(results: PartResults, plot: Plot, narrow: bool = False) -> str | None:
    """Draw one plot as SVG; with `narrow`, its panels stand in one column. None if there is nothing
    to draw."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    rows, references = _data(results, plot)
    with mpl.rc_context(SETTINGS):
        figure = Figure()
        figure.set_layout_engine("constrained", h_pad=0.08)
        good = (
            draw_heat(figure, results.part, plot, rows, narrow)
            if plot.kind == "heat"
            else draw_curves(figure, results.part, plot, rows, references, narrow)
        )
        if not good:
            return None
        if plot.title:
            figure.suptitle(
                textwrap.fill(plot.title, int(figure.get_figwidth() * LETTERS_AN_INCH)),
                fontsize=12,
                fontweight="bold",
            )
        out = io.StringIO()
        figure.savefig(
            out, format="svg", transparent=True, metadata={"Date": None, "Creator": "mnkala lab"}
        )
    return re.sub(
        r'"[^"]*"', lambda quoted: re.sub(r"(\d\.\d\d)\d+", r"\1", quoted[0]), out.getvalue()
    )


def _data(results: PartResults, plot: Plot) -> tuple[list[Row], list[Row]]:
    """The rows of a plot, and the report's figures for it: those that contradict none of its
    conditions.
    """
    references = [
        row
        for row in results.references
        if matches(row, {name: value for name, value in plot.where.items() if name in row})
    ]
    return [
        row for row in results.rows if matches(row, plot.where)
    ], references if plot.reference else []


def for_page(svg: str, prefix: str, alternative: str) -> str:
    """An SVG to be part of a page: with ink in the colour of the page's text, ids of its own, and a
    description.
    """
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}-\1)", svg)
    svg = re.sub(r'href="#([^"]+)"', rf'href="#{prefix}-\1"', svg)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = svg.replace(INK, "currentColor")
    return re.sub(r"^<svg ", f'<svg role="img" aria-label="{html.escape(alternative)}" ', svg)


def for_file(svg: str) -> str:
    """An SVG as a separate file: on white, whatever is behind it."""
    return re.sub(
        r"(<svg [^>]*>)", r'\1<rect width="100%" height="100%" fill="#ffffff"/>', svg, count=1
    )


# ---- Attributes of the drawing for the page ----


STYLE = re.compile(r'\sstyle="([^"]*)"')
FONT = re.compile(r"(?P<style>italic |oblique )?(?P<weight>\w+ )?(?P<size>[\d.]+)px (?P<family>.+)")
"""The shorthand as Matplotlib writes it: it has no attribute of its own."""
SHEET = re.compile(r"<style[^>]*>\s*\*\s*\{([^}]*)\}\s*</style>")
DEFS = re.compile(r"<defs>\s*</defs>")


def with_attributes(svg: str) -> str:
    """The picture with its attributes in place of styles."""
    everywhere = SHEET.search(svg)
    svg = DEFS.sub("", SHEET.sub("", svg))
    svg = STYLE.sub(lambda found: _attributes(found[1]), svg)
    return (
        re.sub(r"^<svg", lambda found: found[0] + _attributes(everywhere[1]), svg, count=1)
        if everywhere
        else svg
    )


def _attributes(style: str) -> str:
    properties = (entry.partition(":") for entry in style.split(";") if entry.strip())
    return "".join(_attribute(name.strip(), value.strip()) for name, _, value in properties)


def _attribute(name: str, value: str) -> str:
    if name != "font":
        return f' {name}="{value}"'
    shorthand = FONT.fullmatch(value)
    if shorthand is None:
        return ""
    own = {
        "font-size": shorthand["size"],
        "font-family": shorthand["family"],
        "font-weight": shorthand["weight"],
        "font-style": shorthand["style"],
    }
    return "".join(f' {key}="{text.strip()}"' for key, text in own.items() if text)


# ---- The description of a plot ----


KINDS = {"line": "Lines", "bar": "Bars", "dot": "Dots", "scatter": "Points", "heat": "A heat map"}
MOST_NAMED = 8
"""The most series that a description names; each is described from its first point to its last."""


class Spot(NamedTuple):
    """A point of a plot."""

    value: float
    where: str
    """Its series, panel and x, in words."""
    x: Any


def alternative(part: Part, plot: Plot, rows: list[Row], references: list[Row], title: str) -> str:
    """Describe a plot: its title, axes, panels and series, and the range of its values."""
    panels = panels_of(plot, rows)
    x, y = plot.x_label or label(part, plot.x), plot.y_label or label(part, plot.y[0])
    value = label(part, plot.value) if plot.kind == "heat" else y
    lines = (
        _cells(part, plot, rows)
        if plot.kind == "heat"
        else _lines(part, plot, rows, references, panels)
    )
    axes = (
        f"{value} by {y} (rows) and {x} (columns)"
        if plot.kind == "heat"
        else f"{y} over {x}{_scales(plot)}"
    )
    names = _named([named(part, plot.facet, one) for one in panels]) if plot.facet else ""
    panel_words = (
        f", one panel for each {label(part, plot.facet, unit=False)}: {names}"
        if len(panels) > 1
        else ""
    )
    middle = middle_of(plot) if plot.kind == "heat" else None
    parts = [
        title if title.endswith(("?", "!", ".")) else f"{title}.",
        f"{KINDS[plot.kind]}: {axes}{panel_words}.",
    ]
    if len(listed := list(dict.fromkeys(name for name, _ in lines if name))) > 1:
        parts.append(f"Series: {_named(listed)}.")
    series = [] if plot.kind == "heat" else all_series(part, plot, rows, references, panels)
    hollow = any(points for one in series for points in one.report.values())
    parts += [
        _gist(lines, plot),
        f"The colours part at {setting(middle)}." if middle is not None else "",
        "Hollow markers are the report's own figures." if hollow else "",
    ]
    return " ".join(filter(None, parts)).replace("[", "(").replace("]", ")").replace("\n", " ")


def _scales(plot: Plot) -> str:
    return {
        "": "",
        "x": ", x logarithmic",
        "y": ", y logarithmic",
        "xy": ", both axes logarithmic",
    }[plot.log]


def _named(words: list[str]) -> str:
    more = f" and {counted(len(words) - MOST_NAMED, 'other')}" if len(words) > MOST_NAMED else ""
    return "; ".join(words[:MOST_NAMED]) + more


def _lines(
    part: Part, plot: Plot, rows: list[Row], references: list[Row], panels: list[Any]
) -> list[tuple[str, list[Spot]]]:
    """Describe the lines of a plot, one for each series and panel: the name of the series, and its
    points from left to right."""
    found = []
    for one in all_series(part, plot, rows, references, panels):
        name = one.name if plot.series or len(plot.y) > 1 else ""
        for panel, points in one.points.items():
            where = [name, named(part, plot.facet, panel) if plot.facet else ""]
            spots = [
                Spot(
                    point.y,
                    ", ".join(filter(None, (*where, named(part, plot.x, point.x)))),
                    point.x,
                )
                for point in points
            ]
            found += [(name, spots)] if spots else []
    return found


def _cells(part: Part, plot: Plot, rows: list[Row]) -> list[tuple[str, list[Spot]]]:
    """All cells of a heat map."""
    known = [row for row in rows if is_number(row.get(plot.value))]
    spots = []
    for (panel, y, x), some in grouped(known, [plot.facet, plot.y[0], plot.x]).items():
        where = f"{named(part, plot.facet, panel)}, " if plot.facet else ""
        spots.append(
            Spot(
                mean_and_half([row[plot.value] for row in some])[0],
                f"{where}{named(part, plot.y[0], y)} by {named(part, plot.x, x)}",
                x,
            )
        )
    return [("", spots)] if spots else []


def _gist(lines: list[tuple[str, list[Spot]]], plot: Plot) -> str:
    """The least and the greatest value with their places and, if there are few lines, the ends of
    each of them.
    """
    spots = [spot for _, some in lines for spot in some]
    if not spots:
        return ""
    least, most = min(spots, key=lambda spot: spot.value), max(spots, key=lambda spot: spot.value)
    gist = f"Values go from {show(least.value, 3)} ({least.where}) to {show(most.value, 3)} ({most.where})."
    if (
        plot.kind == "line"
        and len(lines) <= MOST_NAMED
        and all(len(in_order([spot.x for spot in some])) > 1 for _, some in lines)
    ):
        ways = [
            f"{some[0].where} {show(some[0].value, 3)} to {show(some[-1].value, 3)} at {setting(some[-1].x)}"
            for _, some in lines
        ]
        gist += f" From left to right: {'; '.join(ways)}."
    return gist
