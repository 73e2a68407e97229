"""A grid of characters with colours: what the boards of the full-screen terminal are drawn on.

A character is about twice as high as wide, so half blocks (▀ ▄) make square pixels and quarter blocks round a corner; discs, crosses
and hollows are made of them. Marks differ in shape as well as in colour; the colours are those of Okabe and Ito (2008).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

PLAYERS = ("#e0691a", "#56b4e9")
"""Vermilion, a little lighter than on paper, and sky blue."""
PALE_PLAYERS = ("#7d4a2c", "#3d6580")
"""The same for a move that is only thought of."""
PAPER, PANEL, INK, SOFT = "#12171e", "#1a212b", "#e8ecf1", "#93a0b0"
GOLD, GOOD, BAD = "#f0e442", "#35c493", "#e08bb8"
"""The cursor and the line that won; a good move; a bad one."""


@functools.lru_cache(maxsize=4096)
def style_of(ink: str | None, ground: str | None, bold: bool) -> Style:
    """A Rich style; making one is slow, so each is made once."""
    return Style(color=ink, bgcolor=ground, bold=bold)


@dataclass
class Spot:
    """One character."""

    text: str = " "
    ink: str = INK
    ground: str = PAPER
    bold: bool = False


class Canvas:
    """Characters from the top left; what falls outside is not drawn."""

    def __init__(self, width: int, height: int, ground: str = PAPER) -> None:
        self.width, self.height = width, height
        self.spots = [[Spot(ground=ground) for _ in range(width)] for _ in range(height)]

    def fill(self, x: int, y: int, width: int, height: int, ground: str) -> None:
        """Paint a rectangle."""
        for row in self.spots[max(0, y) : y + height]:
            for spot in row[max(0, x) : x + width]:
                spot.text, spot.ground = " ", ground

    def put(self, x: int, y: int, text: str, ink: str | None = None, ground: str | None = None, *, bold: bool = False) -> None:
        """Write a text; the ground stays unless another is given."""
        for column, character in enumerate(text, start=x):
            if 0 <= y < self.height and 0 <= column < self.width:
                spot = self.spots[y][column]
                spot.text, spot.ink, spot.bold = character, ink or spot.ink, bold
                spot.ground = ground or spot.ground

    def stamp(self, x: int, y: int, shape: tuple[str, ...], ink: str, *, bold: bool = False) -> None:
        """Draw a shape of several lines; its spaces leave what is there."""
        for row, line in enumerate(shape):
            for column, character in enumerate(line):
                if character != " ":
                    self.put(x + column, y + row, character, ink, bold=bold)

    def middle(self, x: int, y: int, width: int, text: str, ink: str, *, bold: bool = False) -> None:
        """Write a text in the middle of a width, cut to it."""
        self.put(x + max(0, (width - len(text)) // 2), y, text[:width], ink, bold=bold)

    def strips(self) -> list[Strip]:
        """The lines, for Textual: characters of one style together."""
        return [Strip(_segments(row), self.width) for row in self.spots]

    def text(self) -> str:
        """The characters alone, for tests and for people who read them aloud."""
        return "\n".join("".join(spot.text for spot in row).rstrip() for row in self.spots)


def _segments(row: list[Spot]) -> list[Segment]:
    segments: list[Segment] = []
    run, style = "", None
    for spot in row:
        wanted = style_of(spot.ink, spot.ground, spot.bold)
        if wanted is not style and run:
            segments.append(Segment(run, style))
            run = ""
        run, style = run + spot.text, wanted
    return [*segments, Segment(run, style)] if run else segments
