"""Pictures of a game as files: SVG, PNG and an animated GIF of all moves; and the record.

PNG and GIF are drawn by Pillow, in the look of the SVG of `games.picture` and `games.kalah_picture`. A board of cells is put together
from tiles, each drawn four times too large and scaled down, so that edges are smooth; a frame of the animation repaints only the tiles
that a move changed. That keeps a game on a 90x90 board at some seconds and some megabytes.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from typing import Literal

from PIL import Image, PngImagePlugin

from mnkala.errors import MnkalaError
from mnkala.games import Position, Record
from mnkala.games.kalah_picture import KalahPicture
from mnkala.games.picture import Picture
from mnkala.play.paint import GridPainter, paint_houses
from mnkala.play.view import Cell
from mnkala.play.words import say

Format = Literal["svg", "png", "gif", "record"]
FORMATS: dict[str, tuple[str, str]] = {
    "svg": ("image/svg+xml", "svg"), "png": ("image/png", "png"), "gif": ("image/gif", "gif"),
    "record": ("text/plain; charset=utf-8", "txt"),
}
"""Media types and the ends of file names."""
LARGEST_PNG, LARGEST_GIF = 1200, 640
"""Pixels on the longer side."""
MOST_FRAMES = 400
"""A longer game shows every second, third, … move."""
COLOURS = 64
"""Of the animation's palette: the board has a dozen, the rest is for smooth edges."""
FIRST_FRAME, LAST_FRAME = 1000, 3000
LONGEST_FRAME, SHORTEST_FRAME, WHOLE_GAME = 700, 120, 60_000
"""Milliseconds: of a move, of a move in a long game, and what a whole game should take."""


def picture_bytes(position: Position, format: str, language: str = "en") -> tuple[bytes, str, str]:
    """A file that shows a position (svg, png) or the game that led to it (gif, record): its bytes, media type and name."""
    if format not in FORMATS:
        raise MnkalaError(f"'{format}' is not a format; formats are {', '.join(FORMATS)}")
    media, end = FORMATS[format]
    name = f"mnkala-{re.sub(r'[^a-z0-9]+', '-', position.game)}.{end}"
    title = say("review.picture_title", language, game=position.game, moves=len(position.history))
    if format == "svg":
        return position.svg().encode(), media, name
    if format == "record":
        return str(Record.of(position)).encode(), media, name
    data = io.BytesIO()
    if format == "png":
        words = PngImagePlugin.PngInfo()
        words.add_itxt("Title", title)
        *_, (picture, last) = _pictures(position, keep_all=False)
        _Painter(position, LARGEST_PNG).paint(picture, last).save(data, "PNG", pnginfo=words, optimize=True)
    else:
        _save_gif(position, title, data)
    return data.getvalue(), media, name


def _save_gif(position: Position, title: str, data: io.BytesIO) -> None:
    painter = _Painter(position, LARGEST_GIF)
    stride = max(1, math.ceil(len(position.history) / (MOST_FRAMES - 1)))
    shown = [each for number, each in enumerate(_pictures(position))
             if number in (0, len(position.history)) or (len(position.history) - number) % stride == 0]
    # The last picture has all colours: both players', the winning line's.
    palette = painter.paint(*shown[-1]).quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    frames = [painter.paint(*each).quantize(palette=palette, dither=Image.Dither.NONE) for each in shown]
    pace = int(min(LONGEST_FRAME, max(SHORTEST_FRAME, WHOLE_GAME / len(frames))))
    times = [FIRST_FRAME, *[pace] * (len(frames) - 2), LAST_FRAME][-len(frames):]
    frames[0].save(data, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, disposal=1, optimize=False,
                   comment=title.encode())


def _pictures(position: Position, keep_all: bool = True) -> Iterator[tuple[Picture, tuple[Cell, ...]]]:
    """What the board looked like after each move, and which cells that move changed; or only at the end."""
    rules, state = position.rules, position.root().state()
    yield rules.picture(state), ()
    for number, move in enumerate(position.history, start=1):
        last = rules.changed_cells(state, move)
        state = rules.play(state, move)
        if keep_all or number == len(position.history):
            yield rules.picture(state), last


class _Painter:
    """Paints the pictures of one game, in one size."""

    def __init__(self, position: Position, largest: int) -> None:
        picture = position.rules.picture(position.state())
        self.largest = largest
        self.grid = None if isinstance(picture, KalahPicture) else GridPainter(picture, position.rules.board_style(), largest)

    def paint(self, picture: Picture, last: tuple[Cell, ...]) -> Image.Image:
        """One picture."""
        if isinstance(picture, KalahPicture):
            return paint_houses(picture, last, self.largest)
        assert self.grid is not None
        return self.grid.paint(picture, last)
