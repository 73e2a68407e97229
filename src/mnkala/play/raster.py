"""SVG pictures in pixels, by resvg (whose wheels need no library of the system).

Text is set in DejaVu Sans as it comes with Matplotlib, so that a picture is the same on every machine. In a game only what a move
changed is drawn again, and each kind of piece only once: that keeps an animation of a 90x90 board at some seconds.
"""

from __future__ import annotations

import dataclasses
import functools
import io
from pathlib import Path

from PIL import Image

from mnkala.core.picture import SVG_CELL, Cell, Picture, Piece, svg_document

SMALLEST_LABELLED = 14
"""Pixels of a cell; on smaller ones labels are left out, for nobody could read them."""
LARGEST_SCALE = 2
"""Pixels by the measures of the SVG."""
MOST_PIXELS = 200_000
"""In a call of resvg, which other threads have to wait for: some 15 ms of a usual board."""


class Raster:
    """Draws the pictures of one game, all at the same size; keeps the last one, so that the next one draws only what changed."""

    def __init__(self, picture: Picture, style: str, largest: int) -> None:
        self.style = style
        self.cell = self._cell(picture, largest)
        self.labelled = self.cell >= SMALLEST_LABELLED
        if not self.labelled:
            picture = without_labels(picture)
            self.cell = self._cell(picture, largest)
        self.scale = self.cell / SVG_CELL
        width, height = (round(side * self.scale) for side in picture.size())
        self.board = Image.new("RGB", (width, height), "#ffffff")
        board = render(0, 0, width, height, self.scale, picture.board(style))
        self.board.paste(board, mask=board)
        self.canvas = self.board.copy()
        self.shown: set[Piece] = set()
        self.render = functools.cache(render)

    @staticmethod
    def _cell(picture: Picture, largest: int) -> int:
        """Whole pixels a cell, so that all look the same."""
        return max(1, min(LARGEST_SCALE * SVG_CELL, largest * SVG_CELL // max(picture.size())))

    def draw(self, picture: Picture, last: tuple[Cell, ...] = ()) -> Image.Image:
        """A picture with the cells of the last move."""
        pieces = set((picture if self.labelled else without_labels(picture)).pieces(self.style, last))
        for piece in self.shown - pieces:
            box = self._box(piece)
            self.canvas.paste(self.board.crop(box), box)
        for piece in pieces - self.shown:
            left, top, right, bottom = box = self._box(piece)
            x, y = round(left / self.scale - piece.x, 3), round(top / self.scale - piece.y, 3)  # where it lies between the pixels
            drawn = self.render(x, y, right - left, bottom - top, self.scale, piece.svg)
            self.canvas.paste(drawn, box, drawn)
        self.shown = pieces
        return self.canvas.copy()

    def _box(self, piece: Piece) -> tuple[int, int, int, int]:
        """Left, top, right and bottom in pixels."""
        return (round(piece.x * self.scale), round(piece.y * self.scale),
                round((piece.x + piece.width) * self.scale), round((piece.y + piece.height) * self.scale))


def without_labels(picture: Picture) -> Picture:
    """The board alone."""
    return dataclasses.replace(picture, row_labels=(), column_labels=())


def render(x: float, y: float, width: int, height: int, scale: float, content: str) -> Image.Image:
    """So many pixels of an SVG picture from the point (x, y) on."""
    import resvg_py

    drawn = Image.new("RGBA", (width, height))
    fonts = font_files() if "<text" in content else []
    rows = max(1, MOST_PIXELS // width)
    for top in range(0, height, rows):
        document = svg_document(x, y + top / scale, width / scale, min(rows, height - top) / scale, content, scale=scale)
        png = resvg_py.svg_to_bytes(document, skip_system_fonts=True, font_files=fonts, sans_serif_family="DejaVu Sans")
        drawn.paste(Image.open(io.BytesIO(png)), (0, top))
    return drawn


@functools.cache
def font_files() -> list[str]:
    """DejaVu Sans, plain and bold."""
    import matplotlib

    folder = Path(matplotlib.get_data_path(), "fonts", "ttf")
    return [str(folder / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]
