"""A game as files: SVG, PNG and an animated GIF of all moves, of which PNG and GIF show the SVG in
pixels; the record, and the forms of other programs that the game's family writes.
"""

from __future__ import annotations

import dataclasses
import functools
import io
import math
import re
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, PngImagePlugin

from mnkala.core import Position, Record
from mnkala.core.paste import GameFile, form_named, forms_for
from mnkala.core.picture import SVG_CELL, Cell, Picture, Piece, svg_document
from mnkala.errors import MnkalaError
from mnkala.explain.words import say
from mnkala.numbers import shortened

SMALLEST_LABELLED = 14
"""The smallest cell, in pixels, with labels; on smaller ones nobody could read them."""
LARGEST_SCALE = 2
"""The most pixels for each unit of the SVG."""
MOST_PIXELS = 200_000
"""The most pixels drawn in one call of resvg, which blocks other threads: about 15 ms for a
usual board."""


class Raster:
    """Draws the pictures of one game in pixels, all at the same size.

    It keeps the last picture, so that only what changed is drawn for the next one.
    """

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
        """The side of a cell in whole pixels, so that all cells look the same."""
        return max(1, min(LARGEST_SCALE * SVG_CELL, largest * SVG_CELL // max(picture.size())))

    def draw(self, picture: Picture, last: tuple[Cell, ...] = ()) -> Image.Image:
        """Draw the next picture, with the cells `last` marked as the last move, and return it as an
        image.
        """
        pieces = set(
            (picture if self.labelled else without_labels(picture)).pieces(self.style, last)
        )
        for piece in self.shown - pieces:
            box = self._box(piece)
            self.canvas.paste(self.board.crop(box), box)
        for piece in pieces - self.shown:
            left, top, right, bottom = box = self._box(piece)
            x, y = (
                round(left / self.scale - piece.x, 3),
                round(top / self.scale - piece.y, 3),
            )  # where it lies between the pixels
            drawn = self.render(x, y, right - left, bottom - top, self.scale, piece.svg)
            self.canvas.paste(drawn, box, drawn)
        self.shown = pieces
        return self.canvas.copy()

    def _box(self, piece: Piece) -> tuple[int, int, int, int]:
        """The left, top, right and bottom edges of a piece in pixels."""
        return (
            round(piece.x * self.scale),
            round(piece.y * self.scale),
            round((piece.x + piece.width) * self.scale),
            round((piece.y + piece.height) * self.scale),
        )


def without_labels(picture: Picture) -> Picture:
    """The board without its labels."""
    return dataclasses.replace(picture, row_labels=(), column_labels=())


def render(x: float, y: float, width: int, height: int, scale: float, content: str) -> Image.Image:
    """Render part of an SVG picture in pixels, from the point (x, y) on."""
    import resvg_py

    drawn = Image.new("RGBA", (width, height))
    fonts = font_files() if "<text" in content else []
    rows = max(1, MOST_PIXELS // width)
    for top in range(0, height, rows):
        document = svg_document(
            x, y + top / scale, width / scale, min(rows, height - top) / scale, content, scale=scale
        )
        png = resvg_py.svg_to_bytes(
            document, skip_system_fonts=True, font_files=fonts, sans_serif_family="DejaVu Sans"
        )
        drawn.paste(Image.open(io.BytesIO(png)), (0, top))
    return drawn


@functools.cache
def font_files() -> list[str]:
    """The files of DejaVu Sans, regular and bold."""
    import matplotlib

    folder = Path(matplotlib.get_data_path(), "fonts", "ttf")
    return [str(folder / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]


PICTURES = {"svg": "image/svg+xml", "png": "image/png", "gif": "image/gif"}
"""The formats and their media types."""
RECORD = "record"
LARGEST_PNG, LARGEST_GIF = 1200, 640
"""The longer side of the largest picture, in pixels."""
MOST_FRAMES = 400
"""The most frames; a longer game shows only every second, third, … move."""
COLOURS = 64
"""The colours in the animation's palette: the board needs a dozen, the rest is for smooth edges."""
FIRST_FRAME, LAST_FRAME = 1000, 3000
LONGEST_FRAME, SHORTEST_FRAME, WHOLE_GAME = 700, 120, 60_000
"""Milliseconds: of a move, of a move in a long game, and what a whole game should take."""


def picture_bytes(
    position: Position, format: str, language: str = "en", record: Record | None = None
) -> tuple[bytes, str, str]:
    """Make a file that shows a position (svg, png) or the game that led to it (gif, record, or the
    form of another program); return its bytes, media type and name.

    The `record` knows the players, and a result that the rules do not. Raises MnkalaError for an
    unknown format.
    """
    record = record or Record.of(position)
    stem = f"mnkala-{re.sub(r'[^a-z0-9]+', '-', position.game)}"
    if format == RECORD:
        return record.text().encode(), GameFile.media, f"{stem}.txt"
    if (form := form_named(format, position.rules)) is not None:
        return record.text(format).encode(), form.media, f"{stem}.{form.name}"
    if format not in PICTURES:
        raise MnkalaError(
            f"'{shortened(format)}' is not a format; formats are {', '.join((*PICTURES, RECORD, *forms_for(position)))}"
        )
    media, name = PICTURES[format], f"{stem}.{format}"
    title = say("review.picture_title", language, game=position.game, moves=len(position.history))
    title += f", {record.result}" if record.result != "*" else ""
    if format == "svg":
        return position.svg().encode(), media, name
    data = io.BytesIO()
    if format == "png":
        words = PngImagePlugin.PngInfo()
        words.add_itxt("Title", title)
        picture = position.rules.picture(position.state())
        drawn = Raster(picture, position.rules.board_style(), LARGEST_PNG).draw(
            picture, position.last_cells()
        )
        drawn.save(data, "PNG", pnginfo=words, optimize=True)
    else:
        _save_gif(position, title, data)
    return data.getvalue(), media, name


def _save_gif(position: Position, title: str, data: io.BytesIO) -> None:
    played = len(position.history_codes)
    stride = max(1, math.ceil(played / (MOST_FRAMES - 1)))
    shown = [*_pictures(position, {0, *range(played, 0, -stride)})]
    raster = Raster(shown[0][0], position.rules.board_style(), LARGEST_GIF)
    # The last picture has all colours: both players', the winning line's.
    palette = raster.draw(*shown[-1]).quantize(
        COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
    )
    frames = [
        raster.draw(*each).quantize(palette=palette, dither=Image.Dither.NONE) for each in shown
    ]
    pace = int(min(LONGEST_FRAME, max(SHORTEST_FRAME, WHOLE_GAME / len(frames))))
    times = [FIRST_FRAME, *[pace] * (len(frames) - 2), LAST_FRAME][-len(frames) :]
    frames[0].save(
        data,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=times,
        loop=0,
        disposal=1,
        optimize=False,
        comment=title.encode(),
    )


def _pictures(position: Position, numbers: set[int]) -> Iterator[tuple[Picture, tuple[Cell, ...]]]:
    """The board after the moves with these numbers, with the cells changed by the last of them."""
    rules, state = position.rules, position.root().state()
    last: tuple[Cell, ...] = ()
    for number, move in enumerate((*position.history_codes, None)):
        if number in numbers:
            yield rules.picture(state), last
        if move is not None:
            last = rules.changed_cells(state, move)
            state = rules.play(state, move)
