"""A game as files: SVG, PNG and an animated GIF of all moves, of which PNG and GIF show the SVG in pixels; and the record, for five in line
also as SGF and as Piskvork keeps it."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator

from PIL import Image, PngImagePlugin

from mnkala.core import Position, Record
from mnkala.core.picture import Cell, Picture
from mnkala.errors import MnkalaError
from mnkala.explain.words import say
from mnkala.play.raster import Raster

FORMATS: dict[str, tuple[str, str]] = {
    "svg": ("image/svg+xml", "svg"), "png": ("image/png", "png"), "gif": ("image/gif", "gif"),
    "record": ("text/plain; charset=utf-8", "txt"), "sgf": ("application/x-go-sgf; charset=utf-8", "sgf"),
    "psq": ("text/plain; charset=utf-8", "psq"),
}
"""Media types and the ends of file names."""
WRITTEN = ("record", "sgf", "psq")
LARGEST_PNG, LARGEST_GIF = 1200, 640
"""Pixels on the longer side."""
MOST_FRAMES = 400
"""A longer game shows every second, third, … move."""
COLOURS = 64
"""Of the animation's palette: the board has a dozen, the rest is for smooth edges."""
FIRST_FRAME, LAST_FRAME = 1000, 3000
LONGEST_FRAME, SHORTEST_FRAME, WHOLE_GAME = 700, 120, 60_000
"""Milliseconds: of a move, of a move in a long game, and what a whole game should take."""


def picture_bytes(position: Position, format: str, language: str = "en", record: Record | None = None) -> tuple[bytes, str, str]:
    """A file that shows a position (svg, png) or the game that led to it (gif, record): its bytes, media type and name. The `record` knows
    the players, and a result that the rules do not."""
    record = record or Record.of(position)
    if format not in FORMATS:
        raise MnkalaError(f"'{format}' is not a format; formats are {', '.join(FORMATS)}")
    media, end = FORMATS[format]
    name = f"mnkala-{re.sub(r'[^a-z0-9]+', '-', position.game)}.{end}"
    title = say("review.picture_title", language, game=position.game, moves=len(position.history))
    title += f", {record.result}" if record.result != "*" else ""
    if format == "svg":
        return position.svg().encode(), media, name
    if format in WRITTEN:
        return record.text(format).encode(), media, name
    data = io.BytesIO()
    if format == "png":
        words = PngImagePlugin.PngInfo()
        words.add_itxt("Title", title)
        picture = position.rules.picture(position.state())
        drawn = Raster(picture, position.rules.board_style(), LARGEST_PNG).draw(picture, position.last_cells())
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
    palette = raster.draw(*shown[-1]).quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    frames = [raster.draw(*each).quantize(palette=palette, dither=Image.Dither.NONE) for each in shown]
    pace = int(min(LONGEST_FRAME, max(SHORTEST_FRAME, WHOLE_GAME / len(frames))))
    times = [FIRST_FRAME, *[pace] * (len(frames) - 2), LAST_FRAME][-len(frames):]
    frames[0].save(data, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, disposal=1, optimize=False,
                   comment=title.encode())


def _pictures(position: Position, numbers: set[int]) -> Iterator[tuple[Picture, tuple[Cell, ...]]]:
    """What the board looked like after the moves with these numbers, and which cells the last of them changed."""
    rules, state = position.rules, position.root().state()
    last: tuple[Cell, ...] = ()
    for number, move in enumerate((*position.history_codes, None)):
        if number in numbers:
            yield rules.picture(state), last
        if move is not None:
            last = rules.changed_cells(state, move)
            state = rules.play(state, move)
