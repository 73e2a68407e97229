"""A board of two rows of houses and two stores as data, and its three drawings, for Kalah and any other game of sowing. The first player
sits below and sows to the right, the second sits above.

In the SVG a house is a hollow with its seeds in it as dots, laid out like the seeds of a sunflower (Vogel 1979) so that any
number fits, and their count beside it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnkala.core.picture import (
    EMPTY,
    FIRST,
    RESET,
    SECOND,
    SVG_COLOURS,
    SVG_INK,
    Cell,
    Picture,
    Piece,
    Seeds,
)
from mnkala.numbers import counted

NAMES = ("x", "o")
TERMINAL_COLOURS = ("\x1b[38;2;213;94;0m", "\x1b[38;2;86;180;233m")
WIDTH = 5
"""Characters of a house in the text: a number of up to three digits and a space on either side."""

CELL, HOUSE, ROW, MARGIN = 72, 29, 99, 30
"""Measures of the SVG: width of a house's place, radius of a house, height of a row, space above and below for numbers."""
WOOD, HOLLOW, SEED = "#c9a06a", "#8d6a3f", "#fff4dc"
GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))


@dataclass(frozen=True)
class HousesPicture(Picture):
    """The seeds as they lie on the table. The upper row and the store on the left are the second player's."""

    seeds: Seeds = Seeds(((), ()), (0, 0))
    mover: int | None = None
    """Who is to move, or None when the game is over."""

    @staticmethod
    def of(first: tuple[int, ...], second: tuple[int, ...], stores: tuple[int, int], mover: int | None) -> HousesPicture:
        """The picture of two rows in the order of sowing."""
        above, below = second[::-1], first
        cells = (tuple(SECOND if count else EMPTY for count in above), tuple(FIRST if count else EMPTY for count in below))
        return HousesPicture(cells, seeds=Seeds((above, below), stores), mover=mover)

    def array(self, seen_by: int) -> NDArray[np.int16]:
        """The seeds: the row of `seen_by` and the other's, in the order of sowing, the store last."""
        above, below = self.seeds.houses
        rows = np.array(((*below, self.seeds.stores[0]), (*above[::-1], self.seeds.stores[1])), dtype=np.int16)
        return rows if seen_by == 0 else rows[::-1].copy()

    # ---- Text ----

    def text(self) -> str:
        return self._board(lambda player, text: text)

    def terminal(self) -> str:
        return self._board(lambda player, text: f"{TERMINAL_COLOURS[player]}{text}{RESET}" if text.strip() else text)

    def _board(self, paint: Callable[[int, str], str]) -> str:
        """A frame with the seeds in it, the numbers of the houses outside; a star marks the mover."""
        houses = len(self.seeds.houses[0])
        stores = [paint(player, f"{count:^{WIDTH}}") for player, count in enumerate(self.seeds.stores)]
        names = [paint(player, f"{name + '*' if player == self.mover else name:^{WIDTH}}") for player, name in enumerate(NAMES)]
        rows = ["|".join(paint(player, f"{count:^{WIDTH}}") for count in self.seeds.houses[1 - player]) for player in (0, 1)]
        numbers = [f"{house:^{WIDTH}}" for house in range(1, houses + 1)]
        gap, rule = " " * WIDTH, "-" * WIDTH
        inner = "+".join([rule] * houses)
        lines = [
            f" {names[1]} {' '.join(reversed(numbers))}",
            f"+{rule}+{inner}+{rule}+",
            f"|{gap}|{rows[1]}|{gap}|",
            f"|{stores[1]}+{inner}+{stores[0]}|",
            f"|{gap}|{rows[0]}|{gap}|",
            f"+{rule}+{inner}+{rule}+",
            f" {gap} {' '.join(numbers)} {names[0]}",
        ]
        return "\n".join(line.rstrip() for line in lines)

    # ---- SVG ----

    def description(self) -> str:
        return f"board of {counted(len(self.seeds.houses[0]), 'house')}, stores {self.seeds.stores[0]} (x) and {self.seeds.stores[1]} (o)"

    def size(self) -> tuple[int, int]:
        return (len(self.seeds.houses[0]) + 2) * CELL, 2 * (MARGIN + ROW)

    def board(self, style: str) -> str:
        """The wood, with the numbers of the houses outside."""
        (width, height), houses = self.size(), len(self.seeds.houses[0])
        middles = [CELL * (column + 1) + CELL // 2 for column in range(houses)]
        numbers = [(x, height - 9, number) for number, x in enumerate(middles, start=1)]
        numbers += [(x, 20, houses - column) for column, x in enumerate(middles)]
        return (f'<rect x="2" y="{MARGIN}" width="{width - 4}" height="{2 * ROW}" rx="24" fill="{WOOD}"/><g font-size="14" '
                f'fill="{SVG_INK}">' + "".join(f'<text x="{x}" y="{y}">{number}</text>' for x, y, number in numbers) + "</g>")

    def pieces(self, style: str, last: tuple[Cell, ...] = ()) -> Iterator[Piece]:
        """The houses and the stores, with the names of the players."""
        width, height = self.size()
        for row, seeds in enumerate(self.seeds.houses):
            for column, count in enumerate(seeds):
                yield Piece(CELL * (column + 1), MARGIN + ROW * row, CELL, ROW, _house(1 - row, count, (row, column) in last))
        for player, x in ((0, width - CELL - 4), (1, 4)):
            yield Piece(x, 0, CELL, height, _store(player, self.seeds.stores[player], self.mover == player, height))


@functools.cache
def _house(player: int, count: int, last: bool) -> str:
    """A house in its half of the board, the number of its seeds towards the middle; the one that was sown last has a dark rim."""
    x, y = CELL // 2, ROW - 43 if player == 0 else 43
    rim = f'stroke="{SVG_INK}" stroke-width="5"' if last else f'stroke="{SVG_COLOURS[1 + player]}" stroke-width="3"'
    house = f'<circle cx="{x}" cy="{y}" r="{HOUSE}" fill="{HOLLOW}" {rim}/>{_dots(x, y, count, HOUSE - 5)}'
    beside = y + (-HOUSE - 8 if player == 0 else HOUSE + 17)
    return house + (f'<text x="{x}" y="{beside}" font-size="14" font-weight="bold" fill="{SVG_INK}">{count}</text>' if count else "")


@functools.cache
def _store(player: int, count: int, moving: bool, height: int) -> str:
    """A player's store, with the player's name outside the board; an arrow points to the mover's."""
    x, label = CELL // 2, height - 9 if player == 0 else 20
    top, tall = MARGIN + 14, 2 * (ROW - 14)
    arrow = f'<path d="M{x - 21} {label - 11}l10 5l-10 5z" fill="{SVG_INK}"/>' if moving else ""
    return (f'<rect x="{x - HOUSE}" y="{top}" width="{2 * HOUSE}" height="{tall}" rx="{HOUSE}" fill="{HOLLOW}" '
            f'stroke="{SVG_COLOURS[1 + player]}" stroke-width="3"/>{_dots(x, top + tall // 2 + 8, count, HOUSE - 5, stretch=1.9)}'
            f'<text x="{x}" y="{top + 24}" font-size="18" font-weight="bold" fill="#ffffff">{count}</text>'
            f'<text x="{x}" y="{label}" font-size="17" font-weight="bold" fill="{SVG_INK}">{NAMES[player]}</text>{arrow}')


def _dots(x: int, y: int, count: int, radius: int, stretch: float = 1.0) -> str:
    """So many dots around a point, within a radius; `stretch` makes the disc higher than wide."""
    if count == 0:
        return ""
    size = min(5.0, 0.6 * radius * math.sqrt(stretch / count))
    dots = []
    for i in range(count):
        far = (radius - size) * math.sqrt((i + 0.5) / max(count, 6)) if count > 1 else 0
        angle = i * GOLDEN_ANGLE
        dots.append(f'<circle cx="{x + far * math.cos(angle):.1f}" cy="{y + stretch * far * math.sin(angle):.1f}" r="{size:.1f}"/>')
    return f'<g fill="{SEED}">{"".join(dots)}</g>'
