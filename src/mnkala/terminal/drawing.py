"""What all boards of the full-screen terminal share: colours, a grid of characters to draw on,
cells, labels, scores.

A character is about twice as high as wide, so half blocks (▀ ▄) make square pixels and quarter
blocks make round corners; discs, crosses and hollows consist of them. Marks differ in shape as
well as in colour; the colours are those of Okabe and Ito (2008).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from mnkala.core.picture import Cell
from mnkala.play.view import View

PLAYERS = ("#e0691a", "#56b4e9")
"""Vermilion, a little lighter than on paper, and sky blue."""
PALE_PLAYERS = ("#7d4a2c", "#3d6580")
"""The colours of the players for a move that is only considered."""
PAPER, PANEL, INK, SOFT = "#12171e", "#1a212b", "#e8ecf1", "#93a0b0"
GOLD, GOOD, BAD = "#f0e442", "#35c493", "#e08bb8"
"""The cursor and the line that won; a good move; a bad one."""
WON, HINTED, POINTED = "#fdf3c4", "#1f6b52", "#27594b"
ON_WON = ("#b8480a", "#0a6cab")
"""The players' colours on the light ground of the line that won."""
LAST = "#ffffff"
TONES = {"good": GOOD, "bad": BAD, "even": INK}


@dataclass
class Spot:
    """A character and its colours."""

    text: str = " "
    ink: str = INK
    ground: str = PAPER
    bold: bool = False


class Canvas:
    """A grid of characters; whatever lies outside is not drawn."""

    def __init__(self, width: int, height: int, ground: str = PAPER) -> None:
        self.width, self.height = width, height
        self.spots = [[Spot(ground=ground) for _ in range(width)] for _ in range(height)]

    def fill(self, x: int, y: int, width: int, height: int, ground: str) -> None:
        """Paint a rectangle."""
        for row in self.spots[max(0, y) : y + height]:
            for spot in row[max(0, x) : x + width]:
                spot.text, spot.ground = " ", ground

    def put(
        self,
        x: int,
        y: int,
        text: str,
        ink: str | None = None,
        ground: str | None = None,
        *,
        bold: bool = False,
    ) -> None:
        """Write a text; the background stays unless another is given."""
        for column, character in enumerate(text, start=x):
            if 0 <= y < self.height and 0 <= column < self.width:
                spot = self.spots[y][column]
                spot.text, spot.ink, spot.bold = character, ink or spot.ink, bold
                spot.ground = ground or spot.ground

    def stamp(
        self, x: int, y: int, shape: tuple[str, ...], ink: str, *, bold: bool = False
    ) -> None:
        """Draw a shape of several lines; its spaces leave the canvas unchanged."""
        for row, line in enumerate(shape):
            for column, character in enumerate(line):
                if character != " ":
                    self.put(x + column, y + row, character, ink, bold=bold)

    def middle(
        self, x: int, y: int, width: int, text: str, ink: str, *, bold: bool = False
    ) -> None:
        """Write a text centred in the given width, and cut it to that."""
        self.put(x + max(0, (width - len(text)) // 2), y, text[:width], ink, bold=bold)

    def text(self) -> str:
        """The characters without colours, for tests and screen readers."""
        return "\n".join("".join(spot.text for spot in row).rstrip() for row in self.spots)


@dataclass(frozen=True)
class Note:
    """What an analysis says about a move, short enough for the board."""

    text: str
    tone: str
    """Whether the move is good, bad or even for the player to move."""
    proved: bool
    rank: int
    """The rank of the move: 1 for the best."""
    words: str = ""
    """The longer text, for boards with room for it."""

    @property
    def forms(self) -> tuple[str, str, str]:
        """The possible texts, the longest first; a percentage may lose the sign of an estimate."""
        return (
            self.words or self.text,
            self.text,
            self.text.lstrip("~≤≥") if self.text.endswith("%") else self.text,
        )


@dataclass(frozen=True)
class Overlay:
    """What is drawn on top of the position."""

    cursor: Cell | None = None
    preview: tuple[Cell, ...] = ()
    """The cells that the move under the cursor or the mouse would change."""
    hinted: tuple[Cell, ...] = ()
    pointed: tuple[Cell, ...] = ()
    """The cells that the reason of a hint is about."""
    notes: Mapping[Cell, Note] = field(default_factory=dict)
    hand: tuple[Cell, int] | None = None
    """The cell at which seeds are held in the hand, and their number."""


class Drawing:
    """A board of cells of one size, side by side. Derived classes draw the cells."""

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
    """The widths and heights that a cell can have, the largest first."""

    def area(self, cell: Cell) -> tuple[int, int, int, int]:
        """The left edge, top edge, width and height of a cell."""
        row, column = cell
        return self.left + column * self.wide, self.top + row * self.high, self.wide, self.high

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell drawn at a character."""
        row, column = (y - self.top) // self.high, (x - self.left) // self.wide
        return (
            (row, column) if 0 <= row < self.view.rows and 0 <= column < self.view.columns else None
        )

    def written(self, note: Note, overlay: Overlay) -> str:
        """A score in the longest form for which all notes have room: words, short, without the
        sign of an estimate, or the rank among the moves."""
        for form in range(len(note.forms)):
            if all(len(other.forms[form]) <= self.note_width for other in overlay.notes.values()):
                return note.forms[form]
        return str(note.rank) if len(str(note.rank)) <= self.note_width else ""

    def mark(self, cell: Cell, overlay: Overlay) -> tuple[int, str]:
        """The player whose mark is on a cell or would come there, and its colour; -1 for nobody."""
        owner, won = self.view.cells[cell[0]][cell[1]], cell in self.view.marked
        ghost = owner == 0 and cell in overlay.preview
        player = self.view.mover if ghost else owner - 1
        return player, (ON_WON if won else PALE_PLAYERS if ghost else PLAYERS)[player]

    def draw(self, overlay: Overlay) -> Canvas:
        """Draw the whole board."""
        canvas = Canvas(self.width, self.height)
        self.background(canvas, overlay)
        for row in range(self.view.rows):
            for column in range(self.view.columns):
                self.cell(canvas, (row, column), overlay)
        self.labels(canvas)
        return canvas

    def background(self, canvas: Canvas, overlay: Overlay) -> None:
        """Draw what lies beneath the cells."""

    def cell(self, canvas: Canvas, cell: Cell, overlay: Overlay) -> None:
        """Draw one cell."""
        raise NotImplementedError

    def labels(self, canvas: Canvas) -> None:
        """Draw the names of rows on the left and of columns below."""
        for row, label in enumerate(self.view.row_labels):
            _, y, _, high = self.area((row, 0))
            canvas.put(self.left - self.margin_left - 1 - len(label), y + high // 2, label, SOFT)
        for column, label in enumerate(self.view.column_labels):
            x, _, wide, _ = self.area((0, column))
            if len(label) < wide or column % 2 == 0:
                canvas.put(x + (wide - len(label)) // 2, self.label_line, label, SOFT)

    @property
    def label_line(self) -> int:
        """The line on which the columns are named."""
        return self.height - 1

    def ground(self, cell: Cell, overlay: Overlay, usual: str, lit: str) -> str:
        """The background colour of a cell."""
        if cell in self.view.marked:
            return WON
        if cell in overlay.hinted:
            return HINTED
        if cell in overlay.pointed:
            return POINTED
        return lit if cell == overlay.cursor else usual
