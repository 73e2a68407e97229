"""A window for reading, with boards between the paragraphs: the rules of the game, and how to
read the numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.style import Style
from textual.widgets import Static

from mnkala.core import Rules
from mnkala.explain.rulebook import Figure, Rulebook
from mnkala.play.view import View, legend, make_view
from mnkala.terminal.boards import drawing_for
from mnkala.terminal.drawing import GOLD, INK, SOFT, Canvas, Overlay, Spot

WIDE, HIGH, GAP = 70, 13, 3
"""The width and height available for boards, and the gap between two of them, in characters."""


class ReadingScreen(ModalScreen[None]):
    """A title and paragraphs, scrolled by arrow keys and the mouse wheel."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,i,k,enter", "dismiss", show=False)]
    AUTO_FOCUS = "VerticalScroll"

    def __init__(self, title: str, parts: Iterable[Content], close: str) -> None:
        super().__init__()
        self._title, self._parts, self._close = title, tuple(parts), close

    def compose(self) -> ComposeResult:
        """Lay out the parts one below the other."""
        with VerticalScroll(classes="window wide"):
            yield Static(Content(self._title), classes="title")
            for part in self._parts:
                yield Static(part, classes="part")
            yield Static(Content.styled(self._close, SOFT), classes="close")


def rules_parts(rules: Rules, language: str, ascii_only: bool) -> Iterator[Content]:
    """The rules of a game in parts."""
    for section in Rulebook(rules, language).sections:
        yield Content.assemble(
            (section.heading, f"bold {GOLD}"), "\n" if section.heading else "", (section.text, INK)
        )
        yield from _boards(section.figures, ascii_only)


def legend_parts(view: View, language: str) -> Iterator[Content]:
    """The explanation of the numbers in parts."""
    for entry in legend(view, language):
        yield Content.assemble((entry.sample, f"bold {GOLD}"), "\n", (entry.text, INK))


def _boards(figures: Sequence[Figure], ascii_only: bool) -> Iterator[Content]:
    """Boards with their captions, as many beside each other as fit."""
    row: list[tuple[Canvas, str]] = []
    for figure in figures:
        view = make_view(figure.position)
        canvas = drawing_for(view, WIDE // (1 if view.seeds else 3), HIGH, ascii_only).draw(
            Overlay(pointed=figure.cells)
        )
        if row and sum(_width(*each) + GAP for each in row) + _width(canvas, figure.caption) > WIDE:
            yield _joined(row)
            row = []
        row.append((canvas, figure.caption))
    if row:
        yield _joined(row)


def _width(canvas: Canvas, caption: str) -> int:
    return max(canvas.width, len(caption))


def _joined(row: Sequence[tuple[Canvas, str]]) -> Content:
    lines = []
    for spots in itertools.zip_longest(*(canvas.spots for canvas, _ in row)):
        cells = [(line or [], _width(*each) + GAP) for line, each in zip(spots, row, strict=True)]
        lines.append(
            Content.assemble(
                *(
                    part
                    for line, width in cells
                    for part in (_line(line), " " * (width - len(line)))
                )
            )
        )
    captions = Content.styled(
        "".join(caption.ljust(_width(canvas, caption) + GAP) for canvas, caption in row), SOFT
    )
    return Content("\n").join([*lines, captions])


def _line(spots: Sequence[Spot]) -> Content:
    """A line in which neighbouring characters of one style are joined."""
    runs = itertools.groupby(spots, key=lambda spot: (spot.ink, spot.ground, spot.bold))
    return Content.assemble(
        *(
            (
                "".join(spot.text for spot in run),
                Style.parse(f"{'bold ' if bold else ''}{ink} on {ground}"),
            )
            for (ink, ground, bold), run in runs
        )
    )
