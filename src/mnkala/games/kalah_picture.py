"""A Kalah board as data, and its three drawings. The first player sits below and sows to the right, the second sits above.

In the SVG a house is a hollow with its seeds in it as dots, laid out like the seeds of a sunflower (Vogel 1979) so that any
number fits, and their count beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from mnkala.games.picture import EMPTY, FIRST, RESET, SECOND, SVG_COLOURS, SVG_INK, Picture

NAMES = ("x", "o")
TERMINAL_COLOURS = ("\x1b[38;2;213;94;0m", "\x1b[38;2;86;180;233m")
WIDTH = 5
"""Characters of a house in the text: a number of up to three digits and a space on either side."""

CELL, HOUSE, ROW_BELOW, MARGIN = 72, 29, 112, 30
"""Measures of the SVG: width of a house's place, radius of a house, distance of the rows, space above and below for numbers."""
WOOD, HOLLOW, SEED = "#c9a06a", "#8d6a3f", "#fff4dc"
GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))


@dataclass(frozen=True)
class KalahPicture(Picture):
    """The seeds as they lie on the table. `cells` tells only whose houses are not empty."""

    seeds: tuple[tuple[int, ...], ...] = ()
    """The upper row (the second player's) and the lower, both from the left."""
    stores: tuple[int, int] = (0, 0)
    """The first player's, on the right, and the second's, on the left."""
    mover: int | None = None
    """Who is to move, or None when the game is over."""

    @staticmethod
    def of(first: tuple[int, ...], second: tuple[int, ...], stores: tuple[int, int], mover: int | None) -> KalahPicture:
        """The picture of two rows in the order of sowing."""
        above, below = second[::-1], first
        cells = (tuple(SECOND if count else EMPTY for count in above), tuple(FIRST if count else EMPTY for count in below))
        return KalahPicture(cells, seeds=(above, below), stores=stores, mover=mover)

    # ---- Text ----

    def text(self) -> str:
        return self._board(lambda player, text: text)

    def terminal(self) -> str:
        return self._board(lambda player, text: f"{TERMINAL_COLOURS[player]}{text}{RESET}" if text.strip() else text)

    def _board(self, paint: Callable[[int, str], str]) -> str:
        """A frame with the seeds in it, the numbers of the houses outside; a star marks the mover."""
        houses = len(self.seeds[0])
        stores = [paint(player, f"{count:^{WIDTH}}") for player, count in enumerate(self.stores)]
        names = [paint(player, f"{name + '*' if player == self.mover else name:^{WIDTH}}") for player, name in enumerate(NAMES)]
        rows = ["|".join(paint(player, f"{count:^{WIDTH}}") for count in self.seeds[1 - player]) for player in (0, 1)]
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

    def svg(self) -> str:
        houses = len(self.seeds[0])
        width, height = (houses + 2) * CELL, ROW_BELOW + 2 * HOUSE + 28 + 2 * MARGIN
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
            f'aria-label="Kalah board of {houses} houses, stores {self.stores[0]} (x) and {self.stores[1]} (o)" '
            'font-family="sans-serif" text-anchor="middle">',
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            f'<rect x="2" y="{MARGIN}" width="{width - 4}" height="{height - 2 * MARGIN}" rx="24" fill="{WOOD}"/>',
        ]
        for player in (0, 1):
            parts += self._row(player, houses, height) + self._store(player, width, height)
        return "".join(parts) + "</svg>"

    def _row(self, player: int, houses: int, height: int) -> list[str]:
        """The houses of a player with their numbers outside the board."""
        y = (height + ROW_BELOW) // 2 if player == 0 else (height - ROW_BELOW) // 2
        outside = height - 9 if player == 0 else 20
        parts = []
        for column, count in enumerate(self.seeds[1 - player]):
            x = CELL * (column + 1) + CELL // 2
            number = column + 1 if player == 0 else houses - column
            parts.append(f'<circle cx="{x}" cy="{y}" r="{HOUSE}" fill="{HOLLOW}" stroke="{SVG_COLOURS[1 + player]}" stroke-width="3"/>')
            parts.append(self._dots(x, y, count, HOUSE - 5))
            inside = y + (-HOUSE - 8 if player == 0 else HOUSE + 17)
            if count:
                parts.append(f'<text x="{x}" y="{inside}" font-size="14" font-weight="bold" fill="{SVG_INK}">{count}</text>')
            parts.append(f'<text x="{x}" y="{outside}" font-size="14" fill="{SVG_INK}">{number}</text>')
        return parts

    def _store(self, player: int, width: int, height: int) -> list[str]:
        """A player's store with the player's name outside the board."""
        x = width - CELL // 2 - 4 if player == 0 else CELL // 2 + 4
        top, tall = (height - ROW_BELOW) // 2 - HOUSE, ROW_BELOW + 2 * HOUSE
        colour = SVG_COLOURS[1 + player]
        moving = " ▸" if player == self.mover == 0 else ""
        before = "▸ " if player == self.mover == 1 else ""
        label = height - 9 if player == 0 else 20
        return [
            f'<rect x="{x - HOUSE}" y="{top}" width="{2 * HOUSE}" height="{tall}" rx="{HOUSE}" fill="{HOLLOW}" stroke="{colour}" '
            'stroke-width="3"/>',
            self._dots(x, top + tall // 2 + 8, self.stores[player], HOUSE - 5, stretch=1.9),
            f'<text x="{x}" y="{top + 24}" font-size="18" font-weight="bold" fill="#ffffff">{self.stores[player]}</text>',
            f'<text x="{x}" y="{label}" font-size="17" font-weight="bold" fill="{SVG_INK}">{before}{NAMES[player]}{moving}</text>',
        ]

    @staticmethod
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
