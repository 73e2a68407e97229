"""A board as data, and its three drawings: plain text, coloured terminal text and SVG.

Marks differ in shape as well as in colour, so that neither colour-blind people nor a
black-and-white printer lose anything. The colours are from the palette of Okabe and Ito (2008).

Kalah and any other game of sowing have two rows of houses and two stores. The first player
sits below and sows to the right, the second sits above.

In the SVG a house is a hollow with its seeds in it as dots, laid out like the seeds of a sunflower
(Vogel 1979) so that any number fits, and their count beside it.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mnkala.numbers import counted

EMPTY, FIRST, SECOND = 0, 1, 2

Cell = tuple[int, int]
"""(row, column) of a picture, counted from the top left."""

TEXT_MARKS = ".xo"
TERMINAL_MARKS = ("\x1b[2m·\x1b[0m", "\x1b[38;2;213;94;0m●\x1b[0m", "\x1b[38;2;86;180;233m○\x1b[0m")
HIGHLIGHT, RESET = "\x1b[1;7m", "\x1b[0m"

SVG_CELL, DISC, SVG_MARGIN, SVG_LABEL = 48, 19, 8, 28
"""Sizes in the SVG: a cell, the radius of a disc, the margin around the board and the space for
labels."""
SVG_COLOURS = ("#ffffff", "#d55e00", "#56b4e9")
SVG_BOARD, SVG_INK = "#1f3b57", "#333333"
TABLE, GRAIN, SQUARE = "#e6c692", "#7d5a2c", "#f3f1ec"
"""Colours of a board of stones and its lines, and of a board of squares."""


class Piece(NamedTuple):
    """A box of an SVG picture that a move may change, and the SVG of its content, in the
    measures of the box."""

    x: int
    y: int
    width: int
    height: int
    svg: str


@dataclass(frozen=True)
class Seeds:
    """The seeds on a board of houses: in the houses of the upper and the lower row, both from
    the left, and in the first and the second player's store."""

    houses: tuple[tuple[int, ...], ...]
    stores: tuple[int, int]


@dataclass(frozen=True)
class Picture:
    """A rectangular board: `cells[row][column]` counted from the top left, each EMPTY, FIRST or
    SECOND.
    """

    cells: tuple[tuple[int, ...], ...]
    column_labels: tuple[str, ...] = ()
    row_labels: tuple[str, ...] = ()
    marked: tuple[Cell, ...] = ()
    """Cells to highlight, such as the line that won."""
    seeds: Seeds | None = None
    """The seeds on a board of houses (`HousesPicture`), whose cells say only which houses are
    not empty."""

    def rows(self) -> str:
        """The rows from the top, separated by `/`, as position literals have them."""
        return "/".join("".join(TEXT_MARKS[owner] for owner in row) for row in self.cells)

    def text(self) -> str:
        """Draw the board in plain characters, one for each cell."""
        return self._lines(lambda row, column: TEXT_MARKS[self.cells[row][column]])

    def terminal(self) -> str:
        """Draw the board in colour with ANSI escape sequences."""

        def mark(row: int, column: int) -> str:
            plain = TERMINAL_MARKS[self.cells[row][column]]
            return (
                plain.replace("\x1b[", f"{HIGHLIGHT}\x1b[", 1) + RESET
                if (row, column) in self.marked
                else plain
            )

        return self._lines(mark)

    def array(self, seen_by: int) -> NDArray[np.int16]:
        """The board in numbers, for `Position.to_array`: 1 for a mark of the player `seen_by`, 2
        for one of the other."""
        cells = np.array(self.cells, dtype=np.int16)
        return cells if seen_by == 0 else np.array((EMPTY, SECOND, FIRST), dtype=np.int16)[cells]

    def _lines(self, mark: Callable[[int, int], str]) -> str:
        width = max((len(label) for label in self.column_labels), default=1)
        margin = max((len(label) for label in self.row_labels), default=0)
        gap = " " * (margin + 1 if margin else 0)
        lines = []
        for row, cells in enumerate(self.cells):
            label = self.row_labels[row].rjust(margin) + " " if margin else ""
            lines.append(
                label
                + " ".join(" " * (width - 1) + mark(row, column) for column in range(len(cells)))
            )
        if self.column_labels:
            lines.append(gap + " ".join(label.rjust(width) for label in self.column_labels))
        return "\n".join(lines)

    # ---- SVG ----

    def svg(self, style: str = "squares", last: tuple[Cell, ...] = ()) -> str:
        """A picture that stands alone, in a style of `Rules.board_style`, with the cells `last`
        of the last move."""
        width, height = self.size()
        paper = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
        pieces = [
            f'<g transform="translate({piece.x} {piece.y})">{piece.svg}</g>'
            for piece in self.pieces(style, last)
        ]
        content = paper + self.board(style) + "".join(pieces)
        return svg_document(
            0, 0, width, height, content, f'role="img" aria-label="{self.description()}"'
        )

    def description(self) -> str:
        """The description that a screen reader reads out."""
        return f"board of {counted(len(self.cells), 'row')} and {counted(len(self.cells[0]), 'column')}"

    def size(self) -> tuple[int, int]:
        """The width and the height of the SVG picture."""
        return (
            self._left + len(self.cells[0]) * SVG_CELL + SVG_MARGIN,
            len(self.cells) * SVG_CELL + 2 * SVG_MARGIN + (SVG_LABEL if self.column_labels else 0),
        )

    @property
    def _left(self) -> int:
        return SVG_MARGIN + (SVG_LABEL if self.row_labels else 0)

    def board(self, style: str) -> str:
        """The SVG of everything that no move changes: the empty board and its labels."""
        rows, columns, left, half = len(self.cells), len(self.cells[0]), self._left, SVG_CELL // 2
        wide, high = columns * SVG_CELL, rows * SVG_CELL
        xs = [left + half + column * SVG_CELL for column in range(columns)]
        ys = [SVG_MARGIN + half + row * SVG_CELL for row in range(rows)]
        area = f'x="{left}" y="{SVG_MARGIN}" width="{wide}" height="{high}"'
        if style == "drop":
            holes = "".join(f'<circle cx="{x}" cy="{y}" r="{DISC}"/>' for y in ys for x in xs)
            empty = f'<rect {area} rx="8" fill="{SVG_BOARD}"/><g fill="{SVG_COLOURS[EMPTY]}">{holes}</g>'
        elif style == "stones":  # lines cross in the middle of the cells
            lines = "".join(
                [f"M{xs[0]} {y}H{xs[-1]}" for y in ys] + [f"M{x} {ys[0]}V{ys[-1]}" for x in xs]
            )
            empty = f'<rect {area} fill="{TABLE}"/><path d="{lines}" stroke="{GRAIN}" stroke-width="1.5" stroke-linecap="square"/>'
        else:
            lines = "".join(
                [f"M{left} {y + half}h{wide}" for y in ys[:-1]]
                + [f"M{x + half} {SVG_MARGIN}v{high}" for x in xs[:-1]]
            )
            empty = f'<g stroke="{SVG_BOARD}" stroke-width="2"><rect {area} fill="{SQUARE}"/><path d="{lines}"/></g>'
        labels = [
            (x, SVG_MARGIN + high + 23, label)
            for x, label in zip(xs, self.column_labels, strict=False)
        ]
        labels += [
            (SVG_MARGIN + 14, y + 5, label) for y, label in zip(ys, self.row_labels, strict=False)
        ]
        texts = "".join(f'<text x="{x}" y="{y}">{escape(label)}</text>' for x, y, label in labels)
        return empty + f'<g font-size="15" fill="{SVG_INK}">{texts}</g>'

    def pieces(self, style: str, last: tuple[Cell, ...] = ()) -> Iterator[Piece]:
        """The boxes of the picture that moves can change, with what lies in each."""
        marked, new, left = set(self.marked), set(last), self._left
        for row, cells in enumerate(self.cells):
            for column, owner in enumerate(cells):
                if owner:
                    svg = disc(
                        owner, style == "drop", (row, column) in marked, (row, column) in new
                    )
                    yield Piece(
                        left + column * SVG_CELL,
                        SVG_MARGIN + row * SVG_CELL,
                        SVG_CELL,
                        SVG_CELL,
                        svg,
                    )


@functools.cache
def disc(owner: int, on_dark: bool, marked: bool, last: bool) -> str:
    """The SVG of a disc in the middle of a cell: the first player's with a cross, the second's with
    a ring.

    A disc of a line that won has a ring around it that stands out from the board, and the last disc
    has a dark edge.
    """
    middle, radius, arm = SVG_CELL // 2, DISC - 1.5 * marked, DISC // 3
    round_ = f'<circle cx="{middle}" cy="{middle}"'
    parts = (
        [f'{round_} r="{DISC + 3}" fill="{SVG_COLOURS[EMPTY] if on_dark else SVG_INK}"/>']
        if marked
        else []
    )
    parts.append(f'{round_} r="{radius}" fill="{SVG_COLOURS[owner]}"/>')
    if last:
        parts.append(f'{round_} r="{radius - 1}" fill="none" stroke="{SVG_INK}" stroke-width="4"/>')
    if owner == FIRST:
        parts.append(
            f'<path d="M{middle - arm} {middle - arm}l{2 * arm} {2 * arm}m0 {-2 * arm}l{-2 * arm} {2 * arm}" '
            'stroke="#ffffff" stroke-width="3" stroke-linecap="round"/>'
        )
    else:
        parts.append(f'{round_} r="{arm}" fill="none" stroke="{SVG_BOARD}" stroke-width="3"/>')
    return "".join(parts)


def svg_document(
    x: float,
    y: float,
    width: float,
    height: float,
    content: str,
    attributes: str = "",
    scale: float = 1,
) -> str:
    """An SVG file that shows a box of `content`, at a scale."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x:g} {y:g} {width:g} {height:g}" width="{width * scale:g}" '
        f'height="{height * scale:g}" font-family="sans-serif" text-anchor="middle" {attributes}>{content}</svg>'
    )


StepKind = Literal["lift", "sow", "capture", "sweep"]


@dataclasses.dataclass(frozen=True)
class BoardStep:
    """One step of a move, with the board after it."""

    kind: StepKind
    """A house is emptied, a seed is sown, seeds are captured, or the rest at the end goes to its
    stores."""
    cells: tuple[Cell, ...]
    """The cells of the step; for a capture the house of the last seed and then the one opposite.
    Stores are cells one step beyond their rows."""
    picture: Picture
    """The board after the step. Its mover is the player who makes the move."""
    seeds: int
    """How many seeds move in this step."""
    hand: int
    """How many seeds remain in the hand after this step."""


NAMES = ("x", "o")
TERMINAL_COLOURS = ("\x1b[38;2;213;94;0m", "\x1b[38;2;86;180;233m")
WIDTH = 5
"""The characters of a house in the text: a number of up to three digits with a space on either
side."""

CELL, HOUSE, ROW, MARGIN = 72, 29, 99, 30
"""Measures of the SVG: width of a house's place, radius of a house, height of a row, space above
and below for numbers.
"""
WOOD, HOLLOW, SEED = "#c9a06a", "#8d6a3f", "#fff4dc"
GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))


@dataclass(frozen=True)
class HousesPicture(Picture):
    """The seeds as they lie on the table. The upper row and the store on the left belong to the
    second player."""

    seeds: Seeds = Seeds(((), ()), (0, 0))
    mover: int | None = None
    """The player to move, or None if the game is over."""

    @staticmethod
    def of(
        first: tuple[int, ...], second: tuple[int, ...], stores: tuple[int, int], mover: int | None
    ) -> HousesPicture:
        """The picture of two rows in the order of sowing."""
        above, below = second[::-1], first
        cells = (
            tuple(SECOND if count else EMPTY for count in above),
            tuple(FIRST if count else EMPTY for count in below),
        )
        return HousesPicture(cells, seeds=Seeds((above, below), stores), mover=mover)

    def array(self, seen_by: int) -> NDArray[np.int16]:
        """The seeds: the row of `seen_by` and the other's, in the order of sowing, the store last."""
        above, below = self.seeds.houses
        rows = np.array(
            ((*below, self.seeds.stores[0]), (*above[::-1], self.seeds.stores[1])), dtype=np.int16
        )
        return rows if seen_by == 0 else rows[::-1].copy()

    # ---- Text ----

    def text(self) -> str:
        return self._board(lambda player, text: text)

    def terminal(self) -> str:
        return self._board(
            lambda player, text: (
                f"{TERMINAL_COLOURS[player]}{text}{RESET}" if text.strip() else text
            )
        )

    def _board(self, paint: Callable[[int, str], str]) -> str:
        """A frame with the seeds in it and the numbers of the houses outside; a star marks the
        mover."""
        houses = len(self.seeds.houses[0])
        stores = [
            paint(player, f"{count:^{WIDTH}}") for player, count in enumerate(self.seeds.stores)
        ]
        names = [
            paint(player, f"{name + '*' if player == self.mover else name:^{WIDTH}}")
            for player, name in enumerate(NAMES)
        ]
        rows = [
            "|".join(paint(player, f"{count:^{WIDTH}}") for count in self.seeds.houses[1 - player])
            for player in (0, 1)
        ]
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
        return (
            f'<rect x="2" y="{MARGIN}" width="{width - 4}" height="{2 * ROW}" rx="24" fill="{WOOD}"/><g font-size="14" '
            f'fill="{SVG_INK}">'
            + "".join(f'<text x="{x}" y="{y}">{number}</text>' for x, y, number in numbers)
            + "</g>"
        )

    def pieces(self, style: str, last: tuple[Cell, ...] = ()) -> Iterator[Piece]:
        """The houses and the stores, with the names of the players."""
        width, height = self.size()
        for row, seeds in enumerate(self.seeds.houses):
            for column, count in enumerate(seeds):
                yield Piece(
                    CELL * (column + 1),
                    MARGIN + ROW * row,
                    CELL,
                    ROW,
                    _house(1 - row, count, (row, column) in last),
                )
        for player, x in ((0, width - CELL - 4), (1, 4)):
            yield Piece(
                x,
                0,
                CELL,
                height,
                _store(player, self.seeds.stores[player], self.mover == player, height),
            )


@functools.cache
def _house(player: int, count: int, last: bool) -> str:
    """The SVG of a house in its half of the board, with the number of its seeds towards the middle;
    the one that was sown last has a dark rim."""
    x, y = CELL // 2, ROW - 43 if player == 0 else 43
    rim = (
        f'stroke="{SVG_INK}" stroke-width="5"'
        if last
        else f'stroke="{SVG_COLOURS[1 + player]}" stroke-width="3"'
    )
    house = f'<circle cx="{x}" cy="{y}" r="{HOUSE}" fill="{HOLLOW}" {rim}/>{_dots(x, y, count, HOUSE - 5)}'
    beside = y + (-HOUSE - 8 if player == 0 else HOUSE + 17)
    return house + (
        f'<text x="{x}" y="{beside}" font-size="14" font-weight="bold" fill="{SVG_INK}">{count}</text>'
        if count
        else ""
    )


@functools.cache
def _store(player: int, count: int, moving: bool, height: int) -> str:
    """The SVG of a player's store, with the player's name outside the board; an arrow points to the
    mover's."""
    x, label = CELL // 2, height - 9 if player == 0 else 20
    top, tall = MARGIN + 14, 2 * (ROW - 14)
    arrow = f'<path d="M{x - 21} {label - 11}l10 5l-10 5z" fill="{SVG_INK}"/>' if moving else ""
    return (
        f'<rect x="{x - HOUSE}" y="{top}" width="{2 * HOUSE}" height="{tall}" rx="{HOUSE}" fill="{HOLLOW}" '
        f'stroke="{SVG_COLOURS[1 + player]}" stroke-width="3"/>{_dots(x, top + tall // 2 + 8, count, HOUSE - 5, stretch=1.9)}'
        f'<text x="{x}" y="{top + 24}" font-size="18" font-weight="bold" fill="#ffffff">{count}</text>'
        f'<text x="{x}" y="{label}" font-size="17" font-weight="bold" fill="{SVG_INK}">{NAMES[player]}</text>{arrow}'
    )


def _dots(x: int, y: int, count: int, radius: int, stretch: float = 1.0) -> str:
    """The SVG of dots around a point, within a radius; `stretch` makes their disc higher than
    wide."""
    if count == 0:
        return ""
    size = min(5.0, 0.6 * radius * math.sqrt(stretch / count))
    dots = []
    for i in range(count):
        far = (radius - size) * math.sqrt((i + 0.5) / max(count, 6)) if count > 1 else 0
        angle = i * GOLDEN_ANGLE
        dots.append(
            f'<circle cx="{x + far * math.cos(angle):.1f}" cy="{y + stretch * far * math.sin(angle):.1f}" r="{size:.1f}"/>'
        )
    return f'<g fill="{SEED}">{"".join(dots)}</g>'
