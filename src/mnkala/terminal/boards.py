"""The boards of the full-screen terminal: discs that drop, stones on crossings, marks in
squares. `houses` draws Kalah.

Each drawing comes in two sizes; the large one is used where it fits, and the small one scrolls
if even that does not fit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from mnkala.core.picture import Cell
from mnkala.play.view import View
from mnkala.terminal.drawing import GOLD, GOOD, LAST, PLAYERS, SOFT, TONES, Canvas, Drawing, Overlay
from mnkala.terminal.houses import house_drawings

BOARD, HOLE, BOARD_LIT = "#234567", "#101c2a", "#2f5a84"
WOOD, WOOD_LINE = "#3a2d1f", "#83694a"
SQUARE, SQUARE_LINE, SQUARE_LIT = "#1c2530", "#4d5f75", "#2b394a"

DISC = ("▗▄▄▖", "████", "▝▀▀▘")
RING = ("▗▄▄▖", "█  █", "▝▀▀▘")
CROSS = ("▀▄ ▄▀", "  █  ", "▄▀ ▀▄")
NOUGHT = ("▄▀▀▀▄", "█   █", "▀▄▄▄▀")


class Drop(Drawing):
    """Discs in the columns of an upright board, with a line above for the cursor and one below
    for scores."""

    margin_left, margin_top, margin_right, margin_bottom = 1, 1, 1, 1
    sizes = ((6, 3), (3, 1))

    @property
    def label_line(self) -> int:
        return self.height - 2

    def background(self, canvas: Canvas, overlay: Overlay) -> None:
        canvas.fill(
            self.left - 1,
            self.top,
            self.view.columns * self.wide + 2,
            self.view.rows * self.high,
            BOARD,
        )
        if overlay.cursor is not None:
            x, _, wide, high = self.area((0, overlay.cursor[1]))
            canvas.fill(x, self.top, wide, self.view.rows * self.high, BOARD_LIT)
            canvas.middle(
                x,
                0,
                wide,
                "v" if self.ascii_only else "▼" if high == 1 else "▜██▛",
                PLAYERS[self.view.mover],
            )
        for (_, column), note in overlay.notes.items():
            x, _, wide, _ = self.area((0, column))
            canvas.middle(
                x,
                self.height - 1,
                wide,
                self.written(note, overlay),
                TONES[note.tone],
                bold=note.proved,
            )

    def cell(self, canvas: Canvas, cell: Cell, overlay: Overlay) -> None:
        x, y, wide, high = self.area(cell)
        player, ink = self.mark(cell, overlay)
        in_column = overlay.cursor is not None and overlay.cursor[1] == cell[1]
        ground = self.ground(cell, overlay, BOARD_LIT if in_column else BOARD, BOARD_LIT)
        canvas.fill(x, y, wide, high, ground)
        last = cell in self.view.last
        if high == 1 or self.ascii_only:
            middle, centre = x + (wide - 1) // 2, y + high // 2
            empty = "." if self.ascii_only else "·"
            canvas.put(
                middle,
                centre,
                empty if player < 0 else self.marks[player],
                SOFT if player < 0 else ink,
                bold=player >= 0,
            )
            if last:
                canvas.put(middle - 1, centre, "[", LAST)
                canvas.put(middle + 1, centre, "]", LAST)
            return
        canvas.stamp(x + 1, y, DISC, HOLE)
        if player >= 0:
            canvas.stamp(x + 1, y, RING if player else DISC, ink)
        if last:
            canvas.put(x + 2, y + 1, "▐▌", LAST, ground=HOLE if player else ink)


class Stones(Drawing):
    """Stones on the crossings of a wooden board."""

    margin_left, margin_top, margin_right, margin_bottom = 1, 1, 1, 1
    sizes = ((4, 2), (2, 1))

    def __init__(self, view: View, wide: int, high: int, ascii_only: bool) -> None:
        super().__init__(view, wide, high, ascii_only)
        self.width -= wide - 1
        self.height -= high - 1

    def cell_at(self, x: int, y: int) -> Cell | None:
        return super().cell_at(
            x + (self.wide - 1) // 2, y + (self.high - 1) // 2 + (self.high == 2)
        )

    def area(self, cell: Cell) -> tuple[int, int, int, int]:
        """The area of a stone, which is as wide as a cell but begins at its first character."""
        row, column = cell
        return self.left + column * self.wide - 1, self.top + row * self.high, 3, 1

    def background(self, canvas: Canvas, overlay: Overlay) -> None:
        rows, columns = self.view.rows, self.view.columns
        wide, high = (columns - 1) * self.wide + 1, (rows - 1) * self.high + 1
        canvas.fill(self.left - 1, self.top - 1, wide + 2, high + 2, WOOD)
        across, down = ("-", "|") if self.ascii_only else ("─", "│")
        for row in range(high):
            for column in range(wide):
                on_row, on_column = row % self.high == 0, column % self.wide == 0
                text = across if on_row else down if on_column else " "
                if on_row and on_column:
                    text = self._crossing(row // self.high, column // self.wide)
                canvas.put(self.left + column, self.top + row, text, WOOD_LINE)

    def _crossing(self, row: int, column: int) -> str:
        if self.ascii_only:
            return "+"
        vertical = 0 if row == 0 else 2 if row == self.view.rows - 1 else 1
        horizontal = 0 if column == 0 else 2 if column == self.view.columns - 1 else 1
        return ("┌┬┐", "├┼┤", "└┴┘")[vertical][horizontal]

    def cell(self, canvas: Canvas, cell: Cell, overlay: Overlay) -> None:
        x, y, _, _ = self.area(cell)
        player, ink = self.mark(cell, overlay)
        ground = self.ground(cell, overlay, WOOD, WOOD)
        if ground != WOOD:
            canvas.put(x + 1, y, canvas.spots[y][x + 1].text, WOOD_LINE, ground)
        note = overlay.notes.get(cell)
        if player >= 0:
            self._stone(canvas, cell, player, ink, ground)
        elif note:
            canvas.middle(x, y, 3, self.written(note, overlay), TONES[note.tone], bold=note.proved)
        elif cell in overlay.hinted:
            canvas.put(x + 1, y, "*" if self.ascii_only else "◆", GOOD, bold=True)
        if cell in self.view.last and ground == WOOD:
            self._bracket(canvas, x, y, LAST)
        if cell == overlay.cursor:
            self._bracket(canvas, x, y, GOLD)

    def _bracket(self, canvas: Canvas, x: int, y: int, ink: str) -> None:
        left, right = ("[", "]") if self.ascii_only or self.wide == 2 else ("▌", "▐")
        offset = self.wide == 4 and not self.ascii_only
        canvas.put(x - offset, y, "▐" if offset else left, ink)
        canvas.put(x + 2 + offset, y, "▌" if offset else right, ink)

    def _stone(self, canvas: Canvas, cell: Cell, player: int, ink: str, ground: str) -> None:
        x, y, _, _ = self.area(cell)
        if self.high == 1 or self.ascii_only:
            canvas.put(x + 1, y, self.marks[player], ink, ground, bold=True)
            return
        canvas.put(x, y, "█ █" if player else "███", ink)
        for line, half, other in (
            (y - 1, "▄", "▀"),
            (y + 1, "▀", "▄"),
        ):  # a neighbour's half may be there already
            spot = canvas.spots[line][x + 1]
            if spot.text == other:
                canvas.put(x + 1, line, half, ink, spot.ink)
            else:
                canvas.put(x + 1, line, half, ink, WOOD)
        if ground != WOOD:
            canvas.put(x + 1, y, "▐" if player == 0 else " ", ink, ground)


class Squares(Drawing):
    """Marks in squares between lines."""

    margin_right = margin_bottom = 1
    sizes = ((8, 4), (4, 2))
    glyphs = ("✕", "○")
    stamps: ClassVar[tuple[tuple[str, ...], tuple[str, ...]]] = (CROSS, NOUGHT)
    """The marks for cells that are three lines high."""

    def background(self, canvas: Canvas, overlay: Overlay) -> None:
        rows, columns = self.view.rows, self.view.columns
        wide, high = columns * self.wide + 1, rows * self.high + 1
        canvas.fill(self.left, self.top, wide, high, SQUARE)
        lines = ("+-+", "+-+", "+-+", "|") if self.ascii_only else ("┌┬┐", "├┼┤", "└┴┘", "│")
        for row in range(high):
            for column in range(wide):
                if row % self.high and column % self.wide:
                    continue
                three = lines[0 if row == 0 else 2 if row == high - 1 else 1]
                knot = (
                    "+"
                    if self.ascii_only
                    else three[0 if column == 0 else 2 if column == wide - 1 else 1]
                )
                across = "-" if self.ascii_only else "─"
                text = lines[3] if row % self.high else across if column % self.wide else knot
                canvas.put(self.left + column, self.top + row, text, SQUARE_LINE, SQUARE)

    def cell(self, canvas: Canvas, cell: Cell, overlay: Overlay) -> None:
        x, y, wide, high = self.area(cell)
        x, y, wide, high = x + 1, y + 1, wide - 1, high - 1
        player, ink = self.mark(cell, overlay)
        ground = self.ground(cell, overlay, SQUARE, SQUARE_LIT)
        canvas.fill(x, y, wide, high, ground)
        note = overlay.notes.get(cell)
        if player >= 0:
            if high == 3 and not self.ascii_only:
                canvas.stamp(x + 1, y, self.stamps[player], ink)
            else:
                canvas.put(x + wide // 2, y + high // 2, self.marks[player], ink, bold=True)
        elif note:
            canvas.middle(
                x,
                y + high // 2,
                wide,
                self.written(note, overlay),
                TONES[note.tone],
                bold=note.proved,
            )
        if cell in self.view.last and cell not in self.view.marked:
            self._corners(canvas, x, y, wide, high, LAST)
        if cell == overlay.cursor:
            self._corners(canvas, x, y, wide, high, GOLD)

    def _corners(self, canvas: Canvas, x: int, y: int, wide: int, high: int, ink: str) -> None:
        if high == 3 and not self.ascii_only:
            for row, (left, right) in ((0, "┏┓"), (2, "┗┛")):
                canvas.put(x, y + row, left, ink)
                canvas.put(x + wide - 1, y + row, right, ink)
        else:
            canvas.put(x, y + high // 2, "[", ink)
            canvas.put(x + wide - 1, y + high // 2, "]", ink)


class Discs(Squares):
    """Discs on squares, as in Reversi."""

    glyphs = Drawing.glyphs
    stamps = (DISC, RING)


STYLES: dict[str, type[Drawing]] = {
    "drop": Drop,
    "stones": Stones,
    "squares": Squares,
    "discs": Discs,
}


def fitting(candidates: Iterable[Drawing], width: int, height: int) -> Drawing:
    """The first drawing that fits, or else the last."""
    chosen: Drawing | None = None
    for chosen in candidates:
        if chosen.width <= width and chosen.height <= height:
            break
    assert chosen is not None
    return chosen


def drawing_for(view: View, width: int, height: int, ascii_only: bool = False) -> Drawing:
    """The drawing of a view that suits a space of the given size in characters."""
    if view.style == "houses" and view.seeds is not None:
        return fitting(house_drawings(view, width, ascii_only), width, height)
    kind = STYLES.get(view.style, Squares)
    return fitting((kind(view, wide, high, ascii_only) for wide, high in kind.sizes), width, height)
