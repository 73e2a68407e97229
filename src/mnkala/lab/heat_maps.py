"""Fields of cells, each with its number.

Shares of points are coloured from a half in two directions (ColorBrewer's PuOr, which people with any kind of colour blindness can read:
Harrower and Brewer 2003), always from 0 to 1, so that pictures compare. Other values grow lighter evenly, so that grey print keeps their
order.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from mnkala.lab.curves import LETTERS_AN_INCH_OF_LABEL, NARROW, arranged, set_words, tick
from mnkala.lab.points import INK, in_order, named, panels_of
from mnkala.lab.registry import Row
from mnkala.lab.study import Part, Plot
from mnkala.lab.tables import grouped, is_number, label, mean_and_half, setting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
    """Where the colours part: what the plot says, a half for shares, nowhere for other values."""
    return plot.mark if plot.mark is not None else 0.5 if plot.value == "share" or plot.value.endswith("_share") else None


def draw_heat(figure: Figure, part: Part, plot: Plot, rows: list[Row], narrow: bool) -> bool:
    """Draw all panels; whether there was anything to draw."""
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.colors import Normalize

    rows = [row for row in rows if is_number(row.get(plot.value))]
    if not rows:
        return False
    panels = panels_of(plot, rows)
    xs, ys = in_order([row.get(plot.x) for row in rows]), in_order([row.get(plot.y[0]) for row in rows])
    across, down = arranged(len(panels), narrow)
    if across == 3 and len(xs) > 4:
        across, down = 2, -(-len(panels) // 2)
    widest, longest = (max(len(setting(value)) for value in values) for values in (xs, ys))
    beside = 0.9 + longest / LETTERS_AN_INCH_OF_LABEL
    cell = min(CELL_WIDTH, ((NARROW if narrow else (WIDE - BAR) / across) - beside) / len(xs))
    crowded = widest > LETTERS_A_CELL * cell
    height = 1.0 + CELL_HEIGHT * len(ys) + (widest / 2 / LETTERS_AN_INCH_OF_LABEL if crowded else 0)
    figure.set_size_inches(NARROW if narrow else max(5.0, (beside + cell * len(xs)) * across + BAR), max(3.4, height * down + 0.8))
    grid = figure.subplots(down, across, squeeze=False)
    means = {key: mean_and_half([row[plot.value] for row in some])[0]
             for key, some in grouped(rows, [plot.facet, plot.y[0], plot.x]).items()}
    scale = Normalize(*_ends(middle_of(plot), list(means.values())))
    colours = colormaps[TWO_WAYS if middle_of(plot) is not None else EVENLY]
    decimals = _decimals(list(means.values()))
    image: Any = None
    for axes, panel in zip(grid.flat, panels, strict=False):
        field = np.array([[means.get((panel, y, x), np.nan) for x in xs] for y in ys])
        image = axes.pcolormesh(np.ma.masked_invalid(field), cmap=colours, norm=scale, edgecolors=INK, linewidth=0.4)
        axes.invert_yaxis()
        axes.grid(False)
        for (row, column), value in np.ndenumerate(field):
            light = math.isnan(value) or _luminance(colours(scale(value))) > DARK
            words = "–" if math.isnan(value) else setting(round(float(value), decimals))
            axes.text(column + 0.5, row + 0.5, words, ha="center", va="center", fontsize=10 if cell > 0.5 else 9,
                      color=INK if math.isnan(value) else "#000000" if light else "#ffffff")
        set_words(axes, xs, crowded, at=0.5)
        axes.set_yticks([place + 0.5 for place in range(len(ys))], [setting(y) for y in ys])
        axes.set_xlabel(plot.x_label or label(part, plot.x))
        axes.set_ylabel(plot.y_label or label(part, plot.y[0]))
        if plot.facet:
            axes.set_title(named(part, plot.facet, panel))
    for axes in list(grid.flat)[len(panels):]:
        axes.set_axis_off()
    below: Any = {"location": "bottom", "shrink": 0.9, "aspect": 30, "pad": 0.01} if narrow else {"shrink": 0.85}
    figure.colorbar(image, ax=list(grid.flat), label=label(part, plot.value), format=lambda value, _: tick(value), **below)
    return True


def _ends(middle: float | None, values: list[float]) -> tuple[float, float]:
    """Where the colours begin and end; alike on both sides of the middle, and all shares for a half."""
    low, high = min(values), max(values)
    if middle is not None:
        half = 0.5 if middle == 0.5 and low >= 0 and high <= 1 else max(abs(low - middle), abs(high - middle)) or 1.0
        return middle - half, middle + half
    return low, high if high > low else low + 1


def _decimals(values: list[float]) -> int:
    """How many tell the values apart."""
    span = max(values) - min(values)
    return max(0, 2 - math.ceil(math.log10(span))) if span > 0 else 2


def _luminance(colour: tuple[float, ...]) -> float:
    """How bright a colour looks."""
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
