"""Boards in pixels: cells from tiles, and houses with their seeds. The measures and colours are those of the SVG drawings."""

from __future__ import annotations

import functools
import math

from PIL import Image, ImageDraw, ImageFont

from mnkala.games.kalah_picture import CELL, GOLDEN_ANGLE, HOLLOW, HOUSE, MARGIN, NAMES, ROW_BELOW, SEED, WOOD, KalahPicture
from mnkala.games.picture import FIRST, SECOND, SVG_BOARD, SVG_CELL, SVG_COLOURS, SVG_INK, Picture
from mnkala.play.view import Cell

SMOOTH = 4
"""How many times too large things are drawn before they are scaled down."""
PAPER, TABLE, GRAIN, SQUARE = "#ffffff", "#e6c692", "#7d5a2c", "#f3f1ec"
"""Background; the board of stones and its lines; a square."""
SMALLEST_CELL, SMALLEST_LABELLED, LARGEST_CELL = 4, 14, 2 * SVG_CELL
"""Pixels of a cell; below the second figure labels are left out, for nobody could read them."""
LARGEST_SCALE = 2.0
"""Of a board of houses, in the measures of its SVG."""


@functools.cache
def font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    """Pillow's own font."""
    return ImageFont.load_default(size)


class GridPainter:
    """Paints boards of cells, each from its tile; keeps the last picture, so that the next one repaints only what changed."""

    def __init__(self, picture: Picture, style: str, largest: int) -> None:
        self.style = style
        self.rows, self.columns = len(picture.cells), len(picture.cells[0])
        side = max(self.columns + bool(picture.row_labels), self.rows + bool(picture.column_labels))
        self.cell = max(SMALLEST_CELL, min(LARGEST_CELL, int(largest / (side + 1 / 3))))
        labelled = self.cell >= SMALLEST_LABELLED
        self.pad = self.cell // 6
        self.left = self.pad + (self.cell * 2 // 3 if picture.row_labels and labelled else 0)
        self.below = self.cell * 2 // 3 if picture.column_labels and labelled else 0
        self.canvas = self._background(picture)
        self.shown: dict[Cell, tuple[int, bool, bool]] = {}
        self.tile = functools.cache(self._tile)

    def paint(self, picture: Picture, last: tuple[Cell, ...] = ()) -> Image.Image:
        """The board with a picture's marks; the last move has a dark ring."""
        marked, new = set(picture.marked), set(last)
        for row, cells in enumerate(picture.cells):
            for column, owner in enumerate(cells):
                wanted = (owner, (row, column) in marked, (row, column) in new)
                if self.shown.get((row, column)) != wanted:
                    self.shown[row, column] = wanted
                    edges = (row == 0, row == self.rows - 1, column == 0, column == self.columns - 1) if self.style != "squares" else ()
                    self.canvas.paste(self.tile(*wanted, edges), (self.left + column * self.cell, self.pad + row * self.cell))
        return self.canvas.copy()

    def _background(self, picture: Picture) -> Image.Image:
        size = (self.left + self.columns * self.cell + self.pad, self.rows * self.cell + self.below + 2 * self.pad)
        canvas = Image.new("RGB", size, PAPER)
        draw = ImageDraw.Draw(canvas)
        letters = font(max(8, self.cell * 15 // SVG_CELL))
        for column, label in enumerate(picture.column_labels if self.below else ()):
            where = (self.left + (column + 0.5) * self.cell, size[1] - (self.pad + self.below) // 2)
            draw.text(where, label, fill=SVG_INK, font=letters, anchor="mm")
        for row, label in enumerate(picture.row_labels if self.left > self.pad else ()):
            draw.text(((self.left + self.pad) // 2, self.pad + (row + 0.5) * self.cell), label, fill=SVG_INK, font=letters, anchor="mm")
        return canvas

    # ---- Tiles ----

    def _tile(self, owner: int, marked: bool, last: bool, edges: tuple[bool, ...]) -> Image.Image:
        """A cell with its mark. `edges` says whether it lies at the top, the bottom, the left and the right."""
        size = self.cell * SMOOTH
        tile = Image.new("RGB", (size, size), PAPER)
        draw = ImageDraw.Draw(tile)
        if self.style == "drop":
            self._plank(draw, size, edges)
        elif self.style == "stones":
            self._crossing(draw, size, edges)
        else:
            draw.rectangle((0, 0, size, size), fill=SVG_BOARD)
            gap = max(1, size // 40)
            draw.rectangle((gap, gap, size - 1 - gap, size - 1 - gap), fill=SQUARE)
        if owner or self.style == "drop":
            disc(draw, size / 2, size / 2, size * 2 / 5, owner, marked, last, light="#ffffff" if self.style == "drop" else SVG_INK)
        return tile.resize((self.cell, self.cell), Image.Resampling.LANCZOS)

    @staticmethod
    def _plank(draw: ImageDraw.ImageDraw, size: int, edges: tuple[bool, ...]) -> None:
        """The blue board, with round corners."""
        top, bottom, left, right = edges
        corners = (top and left, top and right, bottom and right, bottom and left)
        draw.rounded_rectangle((0, 0, size - 1, size - 1), size // 6, fill=SVG_BOARD, corners=corners)

    @staticmethod
    def _crossing(draw: ImageDraw.ImageDraw, size: int, edges: tuple[bool, ...]) -> None:
        """Lines that cross in the middle and end at the edge of the board."""
        top, bottom, left, right = edges
        draw.rectangle((0, 0, size, size), fill=TABLE)
        middle, width = size // 2, max(SMOOTH, size // 32)
        draw.line((middle if left else 0, middle, middle if right else size, middle), fill=GRAIN, width=width)
        draw.line((middle, middle if top else 0, middle, middle if bottom else size), fill=GRAIN, width=width)


def disc(draw: ImageDraw.ImageDraw, x: float, y: float, radius: float, owner: int, marked: bool, last: bool, light: str) -> None:
    """A disc: the first player's with a cross, the second's with a ring. `light` is the ring of a line that won."""
    stroke = max(1, round(radius * 3 / 19))
    if marked:
        round_shape(draw, x, y, radius + stroke, fill=light)
        radius -= stroke / 2
    round_shape(draw, x, y, radius, fill=SVG_COLOURS[owner])
    if last and owner:
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=SVG_INK, width=stroke)
    arm = radius / 3
    if owner == FIRST:
        for dx, dy in ((arm, arm), (arm, -arm)):
            draw.line((x - dx, y - dy, x + dx, y + dy), fill="#ffffff", width=stroke)
            for end in (-1, 1):
                round_shape(draw, x + end * dx, y + end * dy, stroke / 2, fill="#ffffff")
    elif owner == SECOND:
        outer = arm + stroke / 2
        draw.ellipse((x - outer, y - outer, x + outer, y + outer), outline=SVG_BOARD, width=stroke)


def round_shape(draw: ImageDraw.ImageDraw, x: float, y: float, radius: float, fill: str) -> None:
    """A filled circle."""
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill)


# ---- Houses ----


def paint_houses(picture: KalahPicture, last: tuple[Cell, ...], largest: int) -> Image.Image:
    """A Kalah board as its SVG has it; the house that was sown last has a thicker rim."""
    houses = len(picture.seeds[0])
    width, height = (houses + 2) * CELL, ROW_BELOW + 2 * HOUSE + 28 + 2 * MARGIN
    shown = min(LARGEST_SCALE, largest / width)
    scale = 2 * shown
    canvas = Image.new("RGB", (round(width * scale), round(height * scale)), PAPER)
    pen = _Pen(ImageDraw.Draw(canvas), scale)
    pen.box(2, MARGIN, width - 4, height - 2 * MARGIN, 24, fill=WOOD)
    for player in (0, 1):
        y = (height + ROW_BELOW) / 2 if player == 0 else (height - ROW_BELOW) / 2
        outside = height - 14 if player == 0 else 15
        for column, count in enumerate(picture.seeds[1 - player]):
            x = CELL * (column + 1) + CELL / 2
            number = column + 1 if player == 0 else houses - column
            sown = (1 - player, column) in last
            pen.circle(x, y, HOUSE + 1.5, HOLLOW, rim=SVG_INK if sown else SVG_COLOURS[1 + player], width=5 if sown else 3)
            pen.seeds(x, y, count, HOUSE - 5)
            if count:
                pen.text(x, y + (-HOUSE - 13 if player == 0 else HOUSE + 12), str(count), 14, SVG_INK, bold=True)
            pen.text(x, outside, str(number), 14, SVG_INK)
        _paint_store(pen, picture, player, width, height)
    return canvas.resize((round(width * shown), round(height * shown)), Image.Resampling.LANCZOS)


def _paint_store(pen: _Pen, picture: KalahPicture, player: int, width: int, height: int) -> None:
    x = width - CELL / 2 - 4 if player == 0 else CELL / 2 + 4
    top, tall = (height - ROW_BELOW) / 2 - HOUSE, ROW_BELOW + 2 * HOUSE
    pen.box(x - HOUSE, top, 2 * HOUSE, tall, HOUSE, fill=HOLLOW, rim=SVG_COLOURS[1 + player], width=3)
    pen.seeds(x, top + tall / 2 + 8, picture.stores[player], HOUSE - 5, stretch=1.9)
    pen.text(x, top + 18, str(picture.stores[player]), 18, "#ffffff", bold=True)
    label = height - 15 if player == 0 else 14
    pen.text(x, label, NAMES[player], 17, SVG_INK, bold=True)
    if picture.mover == player:
        pen.arrow(x - 16, label + 1, 5, SVG_INK)


class _Pen:
    """Draws in the measures of the SVG, at a scale."""

    def __init__(self, draw: ImageDraw.ImageDraw, scale: float) -> None:
        self.draw, self.scale = draw, scale

    def circle(self, x: float, y: float, radius: float, fill: str, rim: str | None = None, width: float = 0) -> None:
        """A circle, with a rim inside its edge."""
        box = [self.scale * each for each in (x - radius, y - radius, x + radius, y + radius)]
        self.draw.ellipse(box, fill=fill, outline=rim, width=round(width * self.scale))

    def box(self, x: float, y: float, wide: float, high: float, corner: float, fill: str, rim: str | None = None,
            width: float = 0) -> None:
        """A box with round corners."""
        box = [self.scale * each for each in (x, y, x + wide, y + high)]
        self.draw.rounded_rectangle(box, corner * self.scale, fill=fill, outline=rim, width=round(width * self.scale))

    def text(self, x: float, y: float, text: str, size: int, fill: str, bold: bool = False) -> None:
        """A text around a point."""
        self.draw.text((x * self.scale, y * self.scale), text, fill=fill, font=font(max(6, round(size * self.scale))), anchor="mm",
                       stroke_width=round(0.35 * self.scale) if bold else 0)

    def arrow(self, x: float, y: float, size: float, fill: str) -> None:
        """A small triangle to the right."""
        corners = [(x - size, y - size), (x + size, y), (x - size, y + size)]
        self.draw.polygon([(self.scale * a, self.scale * b) for a, b in corners], fill=fill)

    def seeds(self, x: float, y: float, count: int, radius: float, stretch: float = 1.0) -> None:
        """So many dots around a point, as the seeds of a sunflower lie (see `games.kalah_picture`)."""
        size = min(5.0, 0.6 * radius * math.sqrt(stretch / max(1, count)))
        for i in range(count):
            far = (radius - size) * math.sqrt((i + 0.5) / max(count, 6)) if count > 1 else 0
            angle = i * GOLDEN_ANGLE
            self.circle(x + far * math.cos(angle), y + stretch * far * math.sin(angle), size, SEED)
