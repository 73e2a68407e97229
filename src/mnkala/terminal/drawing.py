"""What all drawings of boards share: cells of one size, labels, scores, and what is brought out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from mnkala.games.picture import Cell
from mnkala.play.view import View
from mnkala.terminal.canvas import BAD, GOOD, INK, SOFT, Canvas

WON, HINTED, POINTED = "#fdf3c4", "#1f6b52", "#27594b"
ON_WON = ("#b8480a", "#0a6cab")
"""The players' colours on the light ground of the line that won."""
LAST = "#ffffff"
TONES = {"good": GOOD, "bad": BAD, "even": INK}


@dataclass(frozen=True)
class Note:
    """What an analysis says of a move, short enough to stand on the board."""

    text: str
    tone: str
    """good, bad or even, for the player to move."""
    proved: bool
    rank: int
    """1 for the best move."""


@dataclass(frozen=True)
class Overlay:
    """What is drawn over the position."""

    cursor: Cell | None = None
    preview: tuple[Cell, ...] = ()
    """What the move under the cursor or the mouse would change."""
    hinted: tuple[Cell, ...] = ()
    pointed: tuple[Cell, ...] = ()
    """What the reason of a hint speaks of."""
    notes: Mapping[Cell, Note] = field(default_factory=dict)


class Drawing:
    """Cells of one size, side by side. Derived classes say how a cell looks."""

    margin_left, margin_top, margin_right, margin_bottom = 0, 0, 0, 0

    def __init__(self, view: View, wide: int, high: int, ascii_only: bool) -> None:
        self.view, self.wide, self.high, self.ascii_only = view, wide, high, ascii_only
        self.marks = ("X", "O") if ascii_only else self.glyphs
        labels = max((len(label) for label in view.row_labels), default=0)
        self.note_width = max(1, wide - 1)
        self.left = self.margin_left + (labels + 1 if labels else 0)
        self.top = self.margin_top
        self.width = self.left + view.columns * wide + self.margin_right
        self.height = self.top + view.rows * high + self.margin_bottom + bool(view.column_labels)

    glyphs: ClassVar[tuple[str, str]] = ("●", "○")
    sizes: ClassVar[tuple[tuple[int, int], ...]] = ()
    """Width and height of a cell, the largest first."""

    def area(self, cell: Cell) -> tuple[int, int, int, int]:
        """Left, top, width and height of a cell."""
        row, column = cell
        return self.left + column * self.wide, self.top + row * self.high, self.wide, self.high

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell at a character."""
        row, column = (y - self.top) // self.high, (x - self.left) // self.wide
        return (row, column) if 0 <= row < self.view.rows and 0 <= column < self.view.columns else None

    def written(self, note: Note, overlay: Overlay) -> str:
        """A score as there is room for all of them: in full, without its sign of certainty, or as a rank among the moves."""
        texts = [other.text for other in overlay.notes.values()]
        if max(map(len, texts)) <= self.note_width:
            return note.text
        if max(map(len, texts)) <= self.note_width + 1:
            return note.text[1:]
        return str(note.rank) if len(str(note.rank)) <= self.note_width else ""

    def draw(self, overlay: Overlay) -> Canvas:
        """The whole board."""
        canvas = Canvas(self.width, self.height)
        self.background(canvas, overlay)
        for row in range(self.view.rows):
            for column in range(self.view.columns):
                self.cell(canvas, (row, column), overlay)
        self.labels(canvas)
        return canvas

    def background(self, canvas: Canvas, overlay: Overlay) -> None:
        """What lies under the cells."""

    def cell(self, canvas: Canvas, cell: Cell, overlay: Overlay) -> None:
        """One cell."""
        raise NotImplementedError

    def labels(self, canvas: Canvas) -> None:
        """Names of rows on the left, of columns below."""
        for row, label in enumerate(self.view.row_labels):
            _, y, _, high = self.area((row, 0))
            canvas.put(self.left - self.margin_left - 1 - len(label), y + high // 2, label, SOFT)
        for column, label in enumerate(self.view.column_labels):
            x, _, wide, _ = self.area((0, column))
            if len(label) < wide or column % 2 == 0:
                canvas.put(x + (wide - len(label)) // 2, self.label_line, label, SOFT)

    @property
    def label_line(self) -> int:
        """The line of the columns' names."""
        return self.height - 1

    def ground(self, cell: Cell, overlay: Overlay, usual: str, lit: str) -> str:
        """The colour behind a cell."""
        if cell in self.view.marked:
            return WON
        if cell in overlay.hinted:
            return HINTED
        if cell in overlay.pointed:
            return POINTED
        return lit if cell == overlay.cursor else usual
