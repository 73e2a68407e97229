"""A board as data, and its three drawings: plain text, coloured terminal text and SVG.

Marks differ in shape as well as in colour, so that neither colour-blind people nor a black-and-white printer lose anything.
The colours are from the palette of Okabe and Ito (2008).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

EMPTY, FIRST, SECOND = 0, 1, 2

Cell = tuple[int, int]
"""(row, column) of a picture, counted from the top left."""

TEXT_MARKS = ".xo"
TERMINAL_MARKS = ("\x1b[2m·\x1b[0m", "\x1b[38;2;213;94;0m●\x1b[0m", "\x1b[38;2;86;180;233m○\x1b[0m")
HIGHLIGHT, RESET = "\x1b[1;7m", "\x1b[0m"

SVG_CELL = 48
SVG_COLOURS = ("#ffffff", "#d55e00", "#56b4e9")
SVG_BOARD, SVG_INK = "#1f3b57", "#333333"


@dataclass(frozen=True)
class Picture:
    """A rectangular board: `cells[row][column]` counted from the top left, each EMPTY, FIRST or SECOND."""

    cells: tuple[tuple[int, ...], ...]
    column_labels: tuple[str, ...] = ()
    row_labels: tuple[str, ...] = ()
    marked: tuple[Cell, ...] = ()
    """Cells to bring out: the line that won."""

    def text(self) -> str:
        """Plain characters, one cell a character."""
        return self._lines(lambda row, column: TEXT_MARKS[self.cells[row][column]])

    def terminal(self) -> str:
        """Discs in colour, by ANSI escape sequences."""

        def mark(row: int, column: int) -> str:
            plain = TERMINAL_MARKS[self.cells[row][column]]
            return plain.replace("\x1b[", f"{HIGHLIGHT}\x1b[", 1) + RESET if (row, column) in self.marked else plain

        return self._lines(mark)

    def _lines(self, mark: Callable[[int, int], str]) -> str:
        width = max((len(label) for label in self.column_labels), default=1)
        margin = max((len(label) for label in self.row_labels), default=0)
        gap = " " * (margin + 1 if margin else 0)
        lines = []
        for row, cells in enumerate(self.cells):
            label = self.row_labels[row].rjust(margin) + " " if margin else ""
            lines.append(label + " ".join(" " * (width - 1) + mark(row, column) for column in range(len(cells))))
        if self.column_labels:
            lines.append(gap + " ".join(label.rjust(width) for label in self.column_labels))
        return "\n".join(lines)

    def svg(self) -> str:
        """A picture that stands alone: board, discs with shape marks, labels."""
        rows, columns = len(self.cells), len(self.cells[0])
        left = SVG_CELL // 2 if self.row_labels else 0
        below = SVG_CELL // 2 if self.column_labels else 0
        width, height = columns * SVG_CELL + left, rows * SVG_CELL + below
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" aria-label="board of {rows} rows and {columns} columns">',
            f'<rect x="{left}" width="{columns * SVG_CELL}" height="{rows * SVG_CELL}" rx="8" fill="{SVG_BOARD}"/>',
        ]
        for row, cells in enumerate(self.cells):
            for column, owner in enumerate(cells):
                x, y = left + column * SVG_CELL + SVG_CELL // 2, row * SVG_CELL + SVG_CELL // 2
                parts.append(self._disc(x, y, owner, (row, column) in self.marked))
        style = f'font-family="sans-serif" font-size="15" text-anchor="middle" fill="{SVG_INK}"'
        for column, label in enumerate(self.column_labels):
            parts.append(f'<text x="{left + column * SVG_CELL + SVG_CELL // 2}" y="{height - 6}" {style}>{label}</text>')
        for row, label in enumerate(self.row_labels):
            parts.append(f'<text x="{left // 2}" y="{row * SVG_CELL + SVG_CELL // 2 + 5}" {style}>{label}</text>')
        return "".join(parts) + "</svg>"

    @staticmethod
    def _disc(x: int, y: int, owner: int, marked: bool) -> str:
        radius = SVG_CELL * 2 // 5
        ring = ' stroke="#ffffff" stroke-width="4"' if marked else ""
        disc = f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{SVG_COLOURS[owner]}"{ring}/>'
        if owner == FIRST:
            arm = radius // 3
            disc += (f'<path d="M{x - arm} {y - arm}L{x + arm} {y + arm}M{x + arm} {y - arm}L{x - arm} {y + arm}" '
                     'stroke="#ffffff" stroke-width="3" stroke-linecap="round"/>')
        elif owner == SECOND:
            disc += f'<circle cx="{x}" cy="{y}" r="{radius // 3}" fill="none" stroke="#1f3b57" stroke-width="3"/>'
        return disc
