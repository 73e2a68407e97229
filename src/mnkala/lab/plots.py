"""Plots of a study as SVG, that read in grey too.

Text stays text. Axes and words have one ink, which a page replaces by its own colour of text (`for_page`); a file of its own gets a
white ground (`for_file`). The report's own figures are hollow markers in the colour of our series for the same case.
"""

from __future__ import annotations

import io
import itertools
import math
import re
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from mnkala.lab.points import INK, THE_REPORT, Series, all_series, in_order, named, off_the_axis
from mnkala.lab.registry import Row
from mnkala.lab.results import PartResults, Results
from mnkala.lab.study import Part, Plot, Study, matches
from mnkala.lab.tables import grouped, is_number, label, mean_and_half, setting, show

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS_A_ROW = 3
LETTERS_AN_INCH = 8.5
"""Of a title."""
LETTERS_AN_INCH_OF_LABEL = 11.0
CELL_WIDTH, CELL_HEIGHT = 0.7, 0.5
"""Of a heat map, in inches."""
LETTERS_A_CELL = 7
"""Longer labels of a heat map's columns are turned."""
FEW_DECADES = 200
"""A logarithmic axis of a smaller span has ticks at 1, 2 and 5."""
LESS_THAN_ONE = 8
"""And below this span, evenly spaced ones."""
PANEL_WIDTH, SINGLE_WIDTH = 2.7, 6.2
"""Of the axes, in inches: one of several panels, and a plot that stands alone."""
BAND: Any = {"facecolor": "#9a9aa5", "edgecolor": INK, "hatch": "////", "linewidth": 0, "alpha": 0.28}
MOST_TICKS, FEW_TICKS = 12, 6
"""Up to so many different values have ticks of their own: whole numbers or on a logarithmic axis, and others."""
APART = 0.3
"""Series with error bars share at most this part of the way to the next point."""
SETTINGS: Any = {
    "svg.fonttype": "none", "svg.hashsalt": "mnkala", "font.size": 10, "font.family": ["DejaVu Sans", "sans-serif"],
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#9a9aa5", "grid.alpha": 0.35,
    "grid.linewidth": 0.6, "axes.edgecolor": INK, "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK, "ytick.color": INK,
    "legend.frameon": False, "axes.axisbelow": True,
    "axes.titlesize": 10, "lines.linewidth": 1.8, "lines.markersize": 6, "hatch.linewidth": 0.6, "axes.formatter.use_mathtext": False,
}


class Picture(NamedTuple):
    """A plot; a notebook shows it."""

    title: str
    svg: str

    def _repr_svg_(self) -> str:
        return for_file(self.svg)


def figures(results: Results) -> list[Picture]:
    """All plots of a study."""
    return [picture for part in results.parts for picture in draw_part(part, results.study)]


def draw_part(results: PartResults, study: Study) -> list[Picture]:
    """All plots of a part: title and SVG. A plot without any point is left out."""
    drawn = []
    for plot in results.part.plots if results.rows else ():
        svg = draw(results, plot)
        if svg is not None:
            drawn.append(Picture(plot.title or results.part.title or study.title, svg))
    return drawn


def draw(results: PartResults, plot: Plot) -> str | None:
    """One plot as SVG."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    part = results.part
    rows = [row for row in results.rows if matches(row, plot.where)]
    references = [row for row in results.references if matches_known(row, plot.where)] if plot.reference else []
    with mpl.rc_context(SETTINGS):
        figure = Figure()
        heat = plot.kind == "heat"
        good = _heat(figure, part, plot, rows) if heat else _curves(figure, part, plot, rows, references)
        if not good:
            return None
        if plot.title:
            figure.suptitle(textwrap.fill(plot.title, int(figure.get_figwidth() * LETTERS_AN_INCH)), fontsize=12, fontweight="bold")
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": "mnkala lab"})
    return out.getvalue()


def matches_known(row: Row, where: Row) -> bool:
    """Whether a figure of the report belongs here, judged by what it says."""
    return matches(row, {name: value for name, value in where.items() if name in row})


def _curves(figure: Figure, part: Part, plot: Plot, rows: list[Row], references: list[Row]) -> bool:
    """Lines, bars or points: one panel for each value of the facet, axes shared, the legend outside."""
    panels = [key[0] for key in grouped(rows, [plot.facet])] if plot.facet else [None]
    series = [one for one in all_series(part, plot, rows, references, panels) if any(one.points.values()) or any(one.report.values())]
    if not series:
        return False
    across, down = _arranged(len(panels))
    figure.set_layout_engine("constrained")
    figure.set_size_inches((7.2, 4.6) if len(panels) == 1 else (0.8 + 3.3 * across, 1.1 + 2.9 * down))
    grid = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    values = [point.x for one in series for points in (*one.points.values(), *one.report.values()) for point in points]
    ticks = None if all(is_number(x) for x in values) and plot.kind != "bar" else in_order(values)
    bands = [(row[plot.band[0]], row[plot.band[1]]) for row in references if plot.band and all(name in row for name in plot.band)]
    for axes, panel in zip(grid.flat, panels, strict=False):
        for low, high in bands:
            axes.axhspan(low, high, **BAND)
        if plot.mark is not None:
            axes.axhline(plot.mark, color=INK, linewidth=0.9, zorder=1.5)
        _panel(axes, plot, series, panel, ticks)
        if plot.facet:
            axes.set_title(named(part, plot.facet, panel))
        _scales(axes, plot, ticks, values, PANEL_WIDTH if len(panels) > 1 else SINGLE_WIDTH)
    for axes in list(grid.flat)[len(panels):]:
        axes.set_axis_off()
    for column in range(across):
        lowest = max(index for index in range(len(panels)) if index % across == column)
        grid.flat[lowest].set_xlabel(plot.x_label or label(part, plot.x))
        grid.flat[lowest].xaxis.set_tick_params(labelbottom=True)
    for row in grid:
        row[0].set_ylabel(plot.y_label or label(part, plot.y[0]))
    _legend(figure, plot, series, _notes(plot, series, rows), bool(bands))
    return True


def _arranged(panels: int) -> tuple[int, int]:
    """Columns and rows for so many panels: three a row, but two for four."""
    across = 2 if panels == 4 else min(panels, PANELS_A_ROW)
    return across, -(-panels // across)


def _panel(axes: Axes, plot: Plot, series: list[Series], panel: Any, ticks: list[Any] | None) -> None:
    """Draw all series into one panel; those with error bars a little apart, so that the bars do not hide each other."""
    ours = [one for one in series if one.style != THE_REPORT and (plot.kind == "bar" or one.points.get(panel))]
    width = 0.8 / max(1, len(ours))
    by_ratio = "x" in plot.log and ticks is None
    apart = 0.0
    if plot.kind == "line" and plot.error:
        places = sorted({_place(point.x, ticks, by_ratio) for one in series for point in one.points.get(panel, [])})
        apart = min(0.05, APART / max(1, len(ours))) * min((b - a for a, b in itertools.pairwise(places)), default=0.0)
    for one in series:
        points, report = one.points.get(panel, []), one.report.get(panel, [])
        shift = (ours.index(one) - (len(ours) - 1) / 2) * (width if plot.kind == "bar" else apart) if one in ours else 0.0
        at = [_shifted(point.x, ticks, by_ratio, shift) for point in points]
        heights = [point.y for point in points]
        bars = [(x, point) for x, point in zip(at, points, strict=True) if point.low is not None and point.high is not None]
        if bars:
            ends = [[point.y - (point.low or 0.0) for _, point in bars], [(point.high or 0.0) - point.y for _, point in bars]]
            axes.errorbar([x for x, _ in bars], [point.y for _, point in bars], yerr=ends, fmt="none",
                          ecolor=INK if plot.kind == "bar" else one.look["color"], elinewidth=1.1, capsize=3, zorder=4)
        if plot.kind == "bar":
            axes.bar(at, heights, width * 0.92, color=one.look["color"], hatch=one.hatch, edgecolor=INK,
                     linewidth=0.6)
        else:
            dash = one.dash if plot.kind == "line" else "none"
            axes.plot(at, heights, linestyle=dash, alpha=0.75 if plot.kind == "scatter" else 1.0, **one.look)
        theirs = [_shifted(point.x, ticks, by_ratio, shift) for point in report]
        marker, size = ("D", 7) if plot.kind == "bar" else (one.look["marker"], 11)
        edge = INK if plot.kind == "bar" else one.look["color"]
        axes.plot(theirs, [point.y for point in report], linestyle="none", marker=marker, markersize=size, markerfacecolor="none",
                  markeredgecolor=edge, markeredgewidth=1.4, zorder=5)


def _place(x: Any, ticks: list[Any] | None, by_ratio: bool) -> float:
    """Where a value stands on its axis: words by their number, on a logarithmic axis by the logarithm."""
    return ticks.index(x) if ticks else math.log(x) if by_ratio else x


def _shifted(x: Any, ticks: list[Any] | None, by_ratio: bool, shift: float) -> float:
    place = _place(x, ticks, by_ratio) + shift
    return x if not shift and not ticks else math.exp(place) if by_ratio else place


def _scales(axes: Axes, plot: Plot, ticks: list[Any] | None, values: Sequence[Any], width: float) -> None:
    """Logarithms where asked for; ticks at the values themselves where these are few; thousands apart."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

    if "y" in plot.log:
        axes.set_yscale("log")
        low, high = axes.get_ylim()
        if low > 0 and high / low < FEW_DECADES:
            axes.yaxis.set_major_locator(MaxNLocator(6) if high / low < LESS_THAN_ONE else LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_minor_locator(NullLocator())
            axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _tick(value)))
    else:
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _tick(value)))
        if plot.kind == "bar":
            axes.set_ylim(bottom=None if axes.get_ylim()[0] < 0 else 0)
    if "x" in plot.log and ticks is None:
        axes.set_xscale("log")
    different = in_order(values)
    many = MOST_TICKS if "x" in plot.log or all(isinstance(x, int) for x in different) else FEW_TICKS
    if ticks is not None:
        axes.set_xticks(range(len(ticks)), [setting(tick) for tick in ticks])
        if sum(len(setting(tick)) for tick in ticks) > 48:
            axes.set_xticks(range(len(ticks)), [setting(tick) for tick in ticks], rotation=30, ha="right", rotation_mode="anchor")
        axes.set_xlim(-0.6, len(ticks) - 0.4)
    elif plot.kind != "scatter" and len(different) <= many:
        axes.set_xticks(different, _sparse(different, "x" in plot.log, width))
        axes.xaxis.set_minor_formatter(NullFormatter())
    elif "x" not in plot.log:
        axes.xaxis.set_major_locator(MaxNLocator(8, integer=all(isinstance(x, int) for x in different)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _tick(value)))


def _sparse(values: Sequence[float], by_ratio: bool, width: float) -> list[str]:
    """The labels of ticks on an axis so many inches wide; one that would touch the label before it is left out."""
    places = [math.log(value) if by_ratio else value for value in values]
    inch = width / ((places[-1] - places[0]) or 1.0)
    labels, free = [], -math.inf
    for value, place in zip(values, places, strict=True):
        text = _tick(value)
        half = (len(text) + 1) / LETTERS_AN_INCH_OF_LABEL / 2
        fits = place * inch - half >= free
        labels.append(text if fits else "")
        free = place * inch + half if fits else free
    return labels


def _tick(value: float) -> str:
    return show(int(value)) if float(value).is_integer() else f"{value:g}".replace("-", "−")


def _legend(figure: Figure, plot: Plot, series: list[Series], note: str, banded: bool) -> None:
    """Below the panels, where it covers nothing; the report's hollow marker once."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = []
    ours = [one for one in series if one.style != THE_REPORT]
    if len(ours) > 1:
        for one in ours:
            if plot.kind == "bar":
                handles.append(Patch(facecolor=one.look["color"], hatch=one.hatch, edgecolor=INK, label=one.name))
            else:
                dash: Any = one.dash if plot.kind == "line" else "none"
                handles.append(Line2D([], [], linestyle=dash, label=one.name, **one.look))
    if any(points for one in series for points in one.report.values()):
        handles.append(Line2D([], [], linestyle="none", marker="D" if plot.kind == "bar" else "o", markersize=9, markerfacecolor="none",
                              markeredgecolor=INK, markeredgewidth=1.4, label="the report's own figures (hollow)"))
    if banded:
        handles.append(Patch(label=plot.band_label or "the report's claim", **BAND))
    if handles or note:
        longest = max((len(str(handle.get_label())) for handle in handles), default=1)
        columns = max(1, min(len(handles), int(figure.get_figwidth() * 12 / (longest + 7))))
        figure.legend(handles=handles, loc="outside lower center", ncols=columns, handlelength=2.6, title=note or None, title_fontsize=8.5)
        figure.set_figheight(figure.get_figheight() + 0.22 * max(0, -(-len(handles) // columns) - 1))


def _notes(plot: Plot, series: list[Series], rows: list[Row]) -> str:
    """What a reader must know besides: what bars mean, and what could not be drawn."""
    missing = off_the_axis(plot, rows)
    axes = f"{missing} of {len(rows)} values are zero or less and have no place on a logarithmic axis" if missing else ""
    return "; ".join(filter(None, (_about_bars(plot, series), axes)))


def _about_bars(plot: Plot, series: list[Series]) -> str:
    """What points and bars mean, if there are bars."""
    if not any(point.low is not None for one in series for points in one.points.values() for point in points):
        return ""
    if plot.error_label:
        return plot.error_label
    if plot.error != "ci":
        return "bars: 95 % intervals"
    return f"{'geometric ' if 'y' in plot.log else ''}means over equal cases, bars: their 95 % intervals"


def _heat(figure: Figure, part: Part, plot: Plot, rows: list[Row]) -> bool:
    """A field of cells, each with its number; the colours grow lighter evenly, so grey print keeps their order."""
    import numpy as np

    rows = [row for row in rows if is_number(row.get(plot.value))]
    if not rows:
        return False
    panels = [key[0] for key in grouped(rows, [plot.facet])] if plot.facet else [None]
    xs, ys = in_order([row.get(plot.x) for row in rows]), in_order([row.get(plot.y[0]) for row in rows])
    across, down = _arranged(len(panels))
    if across == 3 and len(xs) > 4:
        across, down = 2, -(-len(panels) // 2)
    figure.set_layout_engine("constrained")
    widest, longest = (max(len(setting(value)) for value in values) for values in (xs, ys))
    crowded = widest > LETTERS_A_CELL
    width = 0.7 + longest / LETTERS_AN_INCH_OF_LABEL + CELL_WIDTH * len(xs)
    height = 1.0 + CELL_HEIGHT * len(ys) + (widest / 2 / LETTERS_AN_INCH_OF_LABEL if crowded else 0)
    figure.set_size_inches(max(5.0, width * across + 1.4), max(3.4, height * down + 0.8))
    grid = figure.subplots(down, across, squeeze=False)
    cells = grouped(rows, [plot.facet, plot.y[0], plot.x])
    means = {key: mean_and_half([row[plot.value] for row in some])[0] for key, some in cells.items()}
    low, high = min(means.values()), max(means.values())
    decimals = max(0, 2 - math.ceil(math.log10(high - low))) if high > low else 2
    image = None
    for axes, panel in zip(grid.flat, panels, strict=False):
        field = np.array([[means.get((panel, y, x), np.nan) for x in xs] for y in ys])
        image = axes.imshow(field, cmap="cividis", vmin=low, vmax=high if high > low else low + 1, aspect="auto")
        axes.grid(False)
        for (row, column), value in np.ndenumerate(field):
            light = (value - low) / ((high - low) or 1) > 0.55
            axes.text(column, row, "–" if np.isnan(value) else setting(round(float(value), decimals)), ha="center", va="center", fontsize=9,
                      color="#777777" if np.isnan(value) else "#000000" if light else "#ffffff")
        axes.set_xticks(range(len(xs)), [setting(x) for x in xs])
        if crowded:
            axes.set_xticks(range(len(xs)), [setting(x) for x in xs], rotation=30, ha="right", rotation_mode="anchor")
        axes.set_yticks(range(len(ys)), [setting(y) for y in ys])
        axes.set_xlabel(plot.x_label or label(part, plot.x))
        axes.set_ylabel(plot.y_label or label(part, plot.y[0]))
        if plot.facet:
            axes.set_title(named(part, plot.facet, panel))
    for axes in list(grid.flat)[len(panels):]:
        axes.set_axis_off()
    if image is not None:
        figure.colorbar(image, ax=list(grid.flat), label=label(part, plot.value), shrink=0.85, format=lambda value, _: _tick(value))
    return True


def for_page(svg: str, prefix: str, alternative: str) -> str:
    """An SVG to stand in a page: ink in the page's colour of text, ids of its own, words for those who cannot see it."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}-\1)", svg)
    svg = re.sub(r'href="#([^"]+)"', rf'href="#{prefix}-\1"', svg)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = svg.replace(INK, "currentColor")
    words = alternative.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return re.sub(r"^<svg ", f'<svg role="img" aria-label="{words}" ', svg)


def for_file(svg: str) -> str:
    """An SVG file of its own: on white, whatever lies behind it."""
    return re.sub(r"(<svg [^>]*>)", r'\1<rect width="100%" height="100%" fill="#ffffff"/>', svg, count=1)
