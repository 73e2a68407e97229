"""Plots of a study as SVG, that read in grey too.

Text stays text. Axes and words have one ink, which a page replaces by its own colour of text (`for_page`); a file of its own gets a
white ground (`for_file`). The report's own figures are hollow markers in the colour of our series for the same case. What has several
panels is drawn twice: side by side, and in one column for a telephone. `curves.py` draws lines, bars and points, `heat_maps.py` fields.
"""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from mnkala.lab.curves import draw_curves
from mnkala.lab.heat_maps import draw_heat
from mnkala.lab.plot_words import alternative
from mnkala.lab.points import INK
from mnkala.lab.registry import Row
from mnkala.lab.results import PartResults, Results
from mnkala.lab.study import Plot, Study, matches

LETTERS_AN_INCH = 8.5
"""Of a title."""
LEGIBLE = 5.2
"""Inches: a wider picture is drawn once more, for narrow screens. On 350 pixels the letters of one so wide are nine pixels high."""
SETTINGS: Any = {
    "svg.fonttype": "none", "svg.hashsalt": "mnkala", "font.size": 10, "font.family": ["DejaVu Sans", "sans-serif"],
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#9a9aa5", "grid.alpha": 0.35,
    "grid.linewidth": 0.6, "axes.edgecolor": INK, "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK, "ytick.color": INK,
    "legend.frameon": False, "axes.axisbelow": True,
    "axes.titlesize": 10, "lines.linewidth": 1.8, "lines.markersize": 6, "hatch.linewidth": 0.6, "axes.formatter.use_mathtext": False,
}


@dataclass(frozen=True)
class Picture:
    """A plot; a notebook shows it. It unpacks as its title and its SVG."""

    title: str
    svg: str
    words: str = ""
    """What it shows, for those who cannot see it."""
    draw_narrow: Callable[[], str] | None = None
    """Draws it for a narrow screen; None if it is legible there as it is."""

    def __iter__(self) -> Iterator[str]:
        return iter((self.title, self.svg))

    def _repr_svg_(self) -> str:
        return for_file(self.svg)


def figures(results: Results) -> list[Picture]:
    """All plots of a study."""
    return [picture for part in results.parts for picture in draw_part(part, results.study)]


def draw_part(results: PartResults, study: Study) -> list[Picture]:
    """All plots of a part. A plot without any point is left out."""
    drawn = []
    for plot in results.part.plots if results.rows else ():
        svg = draw(results, plot)
        if svg is not None:
            title = plot.title or results.part.title or study.title
            drawn.append(Picture(title, svg, alternative(results.part, plot, *_data(results, plot), title), _narrower(results, plot, svg)))
    return drawn


def _narrower(results: PartResults, plot: Plot, svg: str) -> Callable[[], str] | None:
    width = re.search(r'<svg [^>]*width="([\d.]+)pt"', svg)
    if width is None or float(width[1]) <= 72 * LEGIBLE:
        return None
    return lambda: draw(results, plot, narrow=True) or svg


def draw(results: PartResults, plot: Plot, narrow: bool = False) -> str | None:
    """One plot as SVG; `narrow` in one column."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    rows, references = _data(results, plot)
    with mpl.rc_context(SETTINGS):
        figure = Figure()
        figure.set_layout_engine("constrained", h_pad=0.08)
        good = draw_heat(figure, results.part, plot, rows, narrow) if plot.kind == "heat" else \
            draw_curves(figure, results.part, plot, rows, references, narrow)
        if not good:
            return None
        if plot.title:
            figure.suptitle(textwrap.fill(plot.title, int(figure.get_figwidth() * LETTERS_AN_INCH)), fontsize=12, fontweight="bold")
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": "mnkala lab"})
    return re.sub(r'"[^"]*"', lambda quoted: re.sub(r"(\d\.\d\d)\d+", r"\1", quoted[0]), out.getvalue())


def _data(results: PartResults, plot: Plot) -> tuple[list[Row], list[Row]]:
    """The rows of a plot, and the report's figures for it."""
    references = [row for row in results.references if matches_known(row, plot.where)] if plot.reference else []
    return [row for row in results.rows if matches(row, plot.where)], references


def matches_known(row: Row, where: Row) -> bool:
    """Whether a figure of the report belongs here, judged by what it says."""
    return matches(row, {name: value for name, value in where.items() if name in row})


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
