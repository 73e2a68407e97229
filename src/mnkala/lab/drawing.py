"""Draws plots: one panel for each value of the facet, with shared axes, and the legend below, where
it covers nothing.
"""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mnkala.lab.points import (
    INK,
    THE_REPORT,
    Series,
    all_series,
    in_order,
    named,
    off_the_axis,
    panels_of,
)
from mnkala.lab.registry import Row
from mnkala.lab.study import Part, Plot
from mnkala.lab.tables import (
    grouped,
    is_number,
    label,
    mean_and_half,
    setting,
    show,
    superscript,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS_A_ROW = 3
LETTERS_AN_INCH_OF_LABEL = 11.0
LETTERS_AN_INCH_OF_NOTE = 11.0
FEW_DECADES = 200
"""A logarithmic axis with a smaller span has ticks at 1, 2 and 5."""
LESS_THAN_ONE = 8
"""A logarithmic axis with a smaller span than this has evenly spaced ticks."""
NARROW = 4.4
"""The width in inches of a picture for a narrow screen."""
SINGLE = (5.2, 4.0)
"""The size in inches of a plot with a single panel."""
MARGIN = 0.8
"""The margin beside the axes, in inches."""
PANEL_WIDTH = 2.7
"""The width of the axes, in inches, where panels are side by side."""
BAND: Any = {
    "facecolor": "#9a9aa5",
    "edgecolor": INK,
    "hatch": "////",
    "linewidth": 0,
    "alpha": 0.28,
}
SLANTED: Any = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"}
MOST_TICKS, FEW_TICKS = 12, 6
"""The most different values that have a tick each: for whole numbers or a logarithmic axis, and for
others.
"""
LARGE = 1e5
"""Round numbers from this one on are written as 10⁵ or 2·10⁵."""
APART = 0.3
"""Series with error bars are spread over at most this share of the distance to the next point."""
BY_PLACE = ("bar", "dot")
"""The kinds of plot whose series are side by side at each word."""


def draw_curves(
    figure: Figure, part: Part, plot: Plot, rows: list[Row], references: list[Row], narrow: bool
) -> bool:
    """Draw all panels; return whether there was anything to draw."""
    panels = panels_of(plot, rows)
    series = [
        one
        for one in all_series(part, plot, rows, references, panels)
        if any(one.points.values()) or any(one.report.values())
    ]
    if not series:
        return False
    across, down = arranged(len(panels), narrow)
    if len(panels) == 1:
        figure.set_size_inches(*SINGLE)
    else:
        figure.set_size_inches(
            NARROW if narrow else 0.8 + 3.3 * across, 1.1 + (2.5 if narrow else 2.9) * down
        )
    width = PANEL_WIDTH if across > 1 else figure.get_figwidth() - MARGIN
    grid = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    values = [
        point.x
        for one in series
        for points in (*one.points.values(), *one.report.values())
        for point in points
    ]
    ticks = (
        None
        if all(is_number(x) for x in values) and plot.kind not in BY_PLACE
        else in_order(values)
    )
    bands = [
        (row[plot.band[0]], row[plot.band[1]])
        for row in references
        if plot.band and all(name in row for name in plot.band)
    ]
    for axes, panel in zip(grid.flat, panels, strict=False):
        for low, high in bands:
            axes.axhspan(low, high, **BAND)
        if plot.mark is not None:
            axes.axhline(plot.mark, color=INK, linewidth=0.9, zorder=1.5)
        _panel(axes, plot, series, panel, ticks)
        if plot.facet:
            axes.set_title(named(part, plot.facet, panel))
        _scales(axes, plot, ticks, values, width)
        axes.xaxis.set_tick_params(labelbottom=narrow or axes.get_subplotspec().is_last_row())
    for axes in list(grid.flat)[len(panels) :]:
        axes.set_axis_off()
    for column in range(across):
        lowest = max(index for index in range(len(panels)) if index % across == column)
        grid.flat[lowest].set_xlabel(plot.x_label or label(part, plot.x))
        grid.flat[lowest].xaxis.set_tick_params(labelbottom=True)
    for row in grid:
        row[0].set_ylabel(plot.y_label or label(part, plot.y[0]))
    _legend(figure, plot, series, _notes(plot, series, rows), bool(bands))
    return True


def arranged(panels: int, narrow: bool) -> tuple[int, int]:
    """The columns and rows for so many panels: three columns, but two for four panels; on a narrow
    screen one.
    """
    across = 1 if narrow else 2 if panels == 4 else min(panels, PANELS_A_ROW)
    return across, -(-panels // across)


def _panel(
    axes: Axes, plot: Plot, series: list[Series], panel: Any, ticks: list[Any] | None
) -> None:
    """Draw all series into one panel, those with error bars a little apart, so that the bars do not
    hide each other.
    """
    by_place = plot.kind in BY_PLACE
    ours = [
        one for one in series if one.style != THE_REPORT and (by_place or one.points.get(panel))
    ]
    width = 0.8 / max(1, len(ours))
    by_ratio = "x" in plot.log and ticks is None
    apart = 0.0
    if plot.kind == "line" and plot.error:
        places = sorted(
            {
                _place(point.x, ticks, by_ratio)
                for one in series
                for point in one.points.get(panel, [])
            }
        )
        apart = min(0.05, APART / max(1, len(ours))) * min(
            (b - a for a, b in itertools.pairwise(places)), default=0.0
        )
    for one in series:
        points, report = one.points.get(panel, []), one.report.get(panel, [])
        shift = (
            (ours.index(one) - (len(ours) - 1) / 2) * (width if by_place else apart)
            if one in ours
            else 0.0
        )
        at = [_shifted(point.x, ticks, by_ratio, shift) for point in points]
        heights = [point.y for point in points]
        bars = [
            (x, point)
            for x, point in zip(at, points, strict=True)
            if point.low is not None and point.high is not None
        ]
        if bars:
            ends = [
                [point.y - (point.low or 0.0) for _, point in bars],
                [(point.high or 0.0) - point.y for _, point in bars],
            ]
            axes.errorbar(
                [x for x, _ in bars],
                [point.y for _, point in bars],
                yerr=ends,
                fmt="none",
                ecolor=INK if plot.kind == "bar" else one.look["color"],
                elinewidth=1.1,
                capsize=3,
                zorder=4,
            )
        if plot.kind == "bar":
            axes.bar(
                at,
                heights,
                width * 0.92,
                color=one.look["color"],
                hatch=one.hatch,
                edgecolor=INK,
                linewidth=0.6,
            )
        else:
            dash = one.dash if plot.kind == "line" else "none"
            axes.plot(
                at,
                heights,
                linestyle=dash,
                alpha=0.75 if plot.kind == "scatter" else 1.0,
                **one.look,
            )
        theirs = [_shifted(point.x, ticks, by_ratio, shift) for point in report]
        marker, size = ("D", 7) if plot.kind == "bar" else (one.look["marker"], 11)
        edge = INK if plot.kind == "bar" else one.look["color"]
        axes.plot(
            theirs,
            [point.y for point in report],
            linestyle="none",
            marker=marker,
            markersize=size,
            markerfacecolor="none",
            markeredgecolor=edge,
            markeredgewidth=1.4,
            zorder=5,
        )


def _place(x: Any, ticks: list[Any] | None, by_ratio: bool) -> float:
    """The place of a value on its axis: for words their number, on a logarithmic axis the
    logarithm.
    """
    return ticks.index(x) if ticks else math.log(x) if by_ratio else x


def _shifted(x: Any, ticks: list[Any] | None, by_ratio: bool, shift: float) -> float:
    place = _place(x, ticks, by_ratio) + shift
    return x if not shift and not ticks else math.exp(place) if by_ratio else place


def _scales(
    axes: Axes, plot: Plot, ticks: list[Any] | None, values: Sequence[Any], width: float
) -> None:
    """Set logarithmic scales where the plot has them, and ticks at the values themselves if there
    are few.
    """
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

    if "y" in plot.log:
        axes.set_yscale("log")
        low, high = axes.get_ylim()
        if low > 0 and high / low < FEW_DECADES:
            axes.yaxis.set_major_locator(
                MaxNLocator(6) if high / low < LESS_THAN_ONE else LogLocator(subs=(1, 2, 5))
            )
            axes.yaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_minor_formatter(NullFormatter())
    elif plot.kind == "bar":
        axes.set_ylim(bottom=None if axes.get_ylim()[0] < 0 else 0)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(value)))
    if "x" in plot.log and ticks is None:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(value)))
    different = in_order(values)
    many = (
        MOST_TICKS if "x" in plot.log or all(isinstance(x, int) for x in different) else FEW_TICKS
    )
    if ticks is not None:
        set_words(
            axes,
            ticks,
            crowded=sum(len(setting(one)) + 2 for one in ticks) > width * LETTERS_AN_INCH_OF_LABEL,
        )
        axes.set_xlim(-0.6, len(ticks) - 0.4)
    elif plot.kind != "scatter" and len(different) <= many:
        axes.set_xticks(different, sparse(different, "x" in plot.log, width))
        axes.xaxis.set_minor_formatter(NullFormatter())
    elif "x" not in plot.log:
        axes.xaxis.set_major_locator(
            MaxNLocator(8, integer=all(isinstance(x, int) for x in different))
        )
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(value)))


def set_words(axes: Axes, ticks: list[Any], crowded: bool, at: float = 0.0) -> None:
    """Set words as ticks of the x axis, slanted if they would touch."""
    axes.set_xticks(
        [place + at for place in range(len(ticks))],
        [setting(one) for one in ticks],
        **(SLANTED if crowded else {}),
    )


def sparse(values: Sequence[float], by_ratio: bool, width: float) -> list[str]:
    """The labels of the ticks on an axis of this width in inches. A label that would touch the one
    before it is left out.
    """
    places = [math.log(value) if by_ratio else value for value in values]
    inch = width / ((places[-1] - places[0]) or 1.0)
    labels, free = [], -math.inf
    for value, place in zip(values, places, strict=True):
        text = tick(value)
        half = (len(text) + 1) / LETTERS_AN_INCH_OF_LABEL / 2
        fits = place * inch - half >= free
        labels.append(text if fits else "")
        free = place * inch + half if fits else free
    return labels


def tick(value: float) -> str:
    """A number on an axis; large round ones by their power of ten."""
    power = math.floor(math.log10(value) + 1e-9) if value >= LARGE else 0
    if power and (front := value / 10**power).is_integer():
        return f"{'' if front == 1 else f'{int(front)}·'}10{superscript(power)}"
    return show(int(value)) if float(value).is_integer() else f"{value:g}".replace("-", "−")


def _legend(figure: Figure, plot: Plot, series: list[Series], note: str, banded: bool) -> None:
    """Draw the legend below the panels, where it covers nothing, with the report's hollow marker
    once.
    """
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = []
    ours = [one for one in series if one.style != THE_REPORT]
    if len(ours) > 1:
        for one in ours:
            if plot.kind == "bar":
                handles.append(
                    Patch(
                        facecolor=one.look["color"], hatch=one.hatch, edgecolor=INK, label=one.name
                    )
                )
            else:
                dash: Any = one.dash if plot.kind == "line" else "none"
                handles.append(Line2D([], [], linestyle=dash, label=one.name, **one.look))
    if any(points for one in series for points in one.report.values()):
        handles.append(
            Line2D(
                [],
                [],
                linestyle="none",
                marker="D" if plot.kind == "bar" else "o",
                markersize=9,
                markerfacecolor="none",
                markeredgecolor=INK,
                markeredgewidth=1.4,
                label="the report's own figures (hollow)",
            )
        )
    if banded:
        handles.append(Patch(label=plot.band_label or "the report's claim", **BAND))
    if handles or note:
        width = figure.get_figwidth()
        longest = max((len(str(handle.get_label())) for handle in handles), default=1)
        columns = max(1, min(len(handles), int(width * 12 / (longest + 7))))
        lines = textwrap.wrap(note, int(width * LETTERS_AN_INCH_OF_NOTE))
        figure.legend(
            handles=handles,
            loc="outside lower center",
            ncols=columns,
            handlelength=2.6,
            title="\n".join(lines) or None,
            title_fontsize=10,
        )
        figure.set_figheight(
            figure.get_figheight()
            + 0.22 * max(0, -(-len(handles) // columns) - 1)
            + 0.16 * max(0, len(lines) - 1)
        )


def _notes(plot: Plot, series: list[Series], rows: list[Row]) -> str:
    """Notes for the reader: the meaning of the bars, and the values that could not be drawn."""
    missing = off_the_axis(plot, rows)
    axes = (
        f"{missing} of {len(rows)} values are zero or less and have no place on a logarithmic axis"
        if missing
        else ""
    )
    return "; ".join(filter(None, (_about_bars(plot, series), axes)))


def _about_bars(plot: Plot, series: list[Series]) -> str:
    """The meaning of points and bars, if there are bars."""
    if not any(
        point.low is not None
        for one in series
        for points in one.points.values()
        for point in points
    ):
        return ""
    if plot.error_label:
        return plot.error_label
    if plot.error != "ci":
        return "bars: 95 % intervals"
    return f"{'geometric ' if 'y' in plot.log else ''}means over equal cases, bars: their 95 % intervals"


# ---- Heat maps ----
#
# Fields of cells, each with its number. Shares of points are coloured from a half in two directions
# (ColorBrewer's PuOr, which people with any kind of colour blindness can read: Harrower and Brewer
# 2003), always from 0 to 1, so that pictures can be compared. Other values grow lighter evenly, so
# that their order is visible in grey print.


CELL_WIDTH, CELL_HEIGHT = 0.7, 0.5
"""The width and the height of a cell, in inches."""
WIDE, BAR = 11.0, 1.0
"""Inches: the widest picture, and the scale of colours beside its panels."""
LETTERS_A_CELL = 10
"""An inch of cells has room for so many letters of a label; longer ones are turned."""
EVENLY, TWO_WAYS = "cividis", "PuOr"
DARK = 0.42
"""Cells of less luminance have white numbers."""


def middle_of(plot: Plot) -> float | None:
    """The value at which the colours part: that of the plot, a half for shares, none for other
    values.
    """
    return (
        plot.mark
        if plot.mark is not None
        else 0.5
        if plot.value == "share" or plot.value.endswith("_share")
        else None
    )


def draw_heat(figure: Figure, part: Part, plot: Plot, rows: list[Row], narrow: bool) -> bool:
    """Draw all panels; return whether there was anything to draw."""
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.colors import Normalize

    rows = [row for row in rows if is_number(row.get(plot.value))]
    if not rows:
        return False
    panels = panels_of(plot, rows)
    xs, ys = (
        in_order([row.get(plot.x) for row in rows]),
        in_order([row.get(plot.y[0]) for row in rows]),
    )
    across, down = arranged(len(panels), narrow)
    if across == 3 and len(xs) > 4:
        across, down = 2, -(-len(panels) // 2)
    widest, longest = (max(len(setting(value)) for value in values) for values in (xs, ys))
    beside = 0.9 + longest / LETTERS_AN_INCH_OF_LABEL
    cell = min(CELL_WIDTH, ((NARROW if narrow else (WIDE - BAR) / across) - beside) / len(xs))
    crowded = widest > LETTERS_A_CELL * cell
    height = 1.0 + CELL_HEIGHT * len(ys) + (widest / 2 / LETTERS_AN_INCH_OF_LABEL if crowded else 0)
    figure.set_size_inches(
        NARROW if narrow else max(5.0, (beside + cell * len(xs)) * across + BAR),
        max(3.4, height * down + 0.8),
    )
    grid = figure.subplots(down, across, squeeze=False)
    means = {
        key: mean_and_half([row[plot.value] for row in some])[0]
        for key, some in grouped(rows, [plot.facet, plot.y[0], plot.x]).items()
    }
    scale = Normalize(*_ends(middle_of(plot), list(means.values())))
    colours = colormaps[TWO_WAYS if middle_of(plot) is not None else EVENLY]
    decimals = _decimals(list(means.values()))
    image: Any = None
    for axes, panel in zip(grid.flat, panels, strict=False):
        field = np.array([[means.get((panel, y, x), np.nan) for x in xs] for y in ys])
        image = axes.pcolormesh(
            np.ma.masked_invalid(field), cmap=colours, norm=scale, edgecolors=INK, linewidth=0.4
        )
        axes.invert_yaxis()
        axes.grid(False)
        for (row, column), value in np.ndenumerate(field):
            light = math.isnan(value) or _luminance(colours(scale(value))) > DARK
            words = "–" if math.isnan(value) else setting(round(float(value), decimals))
            axes.text(
                column + 0.5,
                row + 0.5,
                words,
                ha="center",
                va="center",
                fontsize=10 if cell > 0.5 else 9,
                color=INK if math.isnan(value) else "#000000" if light else "#ffffff",
            )
        set_words(axes, xs, crowded, at=0.5)
        axes.set_yticks([place + 0.5 for place in range(len(ys))], [setting(y) for y in ys])
        axes.set_xlabel(plot.x_label or label(part, plot.x))
        axes.set_ylabel(plot.y_label or label(part, plot.y[0]))
        if plot.facet:
            axes.set_title(named(part, plot.facet, panel))
    for axes in list(grid.flat)[len(panels) :]:
        axes.set_axis_off()
    below: Any = (
        {"location": "bottom", "shrink": 0.9, "aspect": 30, "pad": 0.01}
        if narrow
        else {"shrink": 0.85}
    )
    figure.colorbar(
        image,
        ax=list(grid.flat),
        label=label(part, plot.value),
        format=lambda value, _: tick(value),
        **below,
    )
    return True


def _ends(middle: float | None, values: list[float]) -> tuple[float, float]:
    """The values at which the colours begin and end: at equal distances from the middle, and all
    shares for a half.
    """
    low, high = min(values), max(values)
    if middle is not None:
        half = (
            0.5
            if middle == 0.5 and low >= 0 and high <= 1
            else max(abs(low - middle), abs(high - middle)) or 1.0
        )
        return middle - half, middle + half
    return low, high if high > low else low + 1


def _decimals(values: list[float]) -> int:
    """The number of decimals that distinguish the values."""
    span = max(values) - min(values)
    return max(0, 2 - math.ceil(math.log10(span))) if span > 0 else 2


def _luminance(colour: tuple[float, ...]) -> float:
    """The brightness of a colour as people see it."""
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
