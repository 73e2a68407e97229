"""The board of houses (Kalah) on the full screen: hollows in wood that hold seeds, with a store
at each end."""

from __future__ import annotations

from collections.abc import Iterator

from mnkala.core.picture import Cell
from mnkala.play.view import View
from mnkala.terminal.drawing import (
    GOLD,
    HINTED,
    INK,
    LAST,
    PLAYERS,
    POINTED,
    SOFT,
    TONES,
    Canvas,
    Drawing,
    Overlay,
)

TABLE, HOLLOW, HOLLOW_LIT, SEED = "#5b4129", "#2b1d11", "#4a3520", "#f3e3c3"
SEEDS = (" ", "•", ":", "∴", "∷")
"""The characters for 0 to 4 seeds."""
NARROWEST, WIDEST = 4, 12
DIGITS = {
    "0": ("█▀█", "█ █", "▀▀▀"),
    "1": ("▀█ ", " █ ", "▀▀▀"),
    "2": ("▀▀█", "█▀▀", "▀▀▀"),
    "3": ("▀▀█", " ▀█", "▀▀▀"),
    "4": ("█ █", "▀▀█", "  ▀"),
    "5": ("█▀▀", "▀▀█", "▀▀▀"),
    "6": ("█▀▀", "█▀█", "▀▀▀"),
    "7": ("▀▀█", "  █", "  ▀"),
    "8": ("█▀█", "█▀█", "▀▀▀"),
    "9": ("█▀█", "▀▀█", "▀▀▀"),
}
"""Large digits made of half blocks, for the stores."""


def house_drawings(view: View, width: int, ascii_only: bool) -> Iterator[Drawing]:
    """The drawings that suit a width: high houses as wide as it allows, then small flat ones."""
    places = view.columns + 2
    wide = (
        max(NARROWEST, min(WIDEST, (width - 4) // places)) // 2 * 2
    )  # hollows of odd width have a middle
    yield Houses(view, wide, 4, ascii_only)
    yield Houses(view, NARROWEST, 2, ascii_only)


class Houses(Drawing):
    """The first player's houses below, sown to the right, and the second player's above. `high`
    is the height of a hollow."""

    def __init__(self, view: View, wide: int, high: int, ascii_only: bool) -> None:
        super().__init__(view, wide, high, ascii_only)
        self.store = wide + 1
        self.left = self.store + 1
        self.width = view.columns * wide + 2 * self.store + 2
        self.board_top = 2
        self.board_high = 2 * high + 5
        self.height = self.board_high + 4
        self.upper, self.lower = self.board_top + 1, self.board_top + self.board_high - 1 - high

    def area(self, cell: Cell) -> tuple[int, int, int, int]:
        row, column = cell
        return (
            self.left + column * self.wide,
            self.lower if row else self.upper,
            self.wide,
            self.high,
        )

    def cell_at(self, x: int, y: int) -> Cell | None:
        column = (x - self.left) // self.wide
        if not 0 <= column < self.view.columns:
            return None
        middle = self.board_top + self.board_high // 2
        return None if y == middle or not 0 <= y < self.height else (int(y > middle), column)

    def background(self, canvas: Canvas, overlay: Overlay) -> None:
        canvas.fill(0, self.board_top, self.width, self.board_high, TABLE)
        seeds = self.view.seeds
        assert seeds is not None
        for player in (0, 1):
            self._store(canvas, player, seeds.stores[player], overlay)

    def cell(self, canvas: Canvas, cell: Cell, overlay: Overlay) -> None:
        row, column = cell
        x, y, wide, high = self.area(cell)
        player = 1 - row
        seeds = self.view.seeds
        assert seeds is not None
        count = seeds.houses[row][column]
        chosen = cell == overlay.cursor
        ground = HOLLOW_LIT if cell in overlay.preview else HOLLOW
        ground = (
            HINTED if cell in overlay.hinted else POINTED if cell in overlay.pointed else ground
        )
        self.hollow(canvas, x, y, wide - 1, high, ground)
        self._seeds(canvas, x, y, wide - 1, high, count, SEED)
        inside = y - 1 if row else y + high
        ink = PLAYERS[player] if count else SOFT
        canvas.middle(
            x, inside, wide - 1, str(count), GOLD if chosen else INK if count else SOFT, bold=True
        )
        number = str(column + 1 if player == 0 else self.view.columns - column)
        outside = self.height - 2 if row else 1
        edge = self.board_top + self.board_high - 1 if row else self.board_top
        canvas.middle(x, outside, wide - 1, number, GOLD if chosen else ink, bold=chosen)
        if cell in self.view.last:
            canvas.middle(x, edge, wide - 1, "^" if self.ascii_only else "▴" if row else "▾", LAST)
        if chosen:
            canvas.middle(
                x,
                edge,
                wide - 1,
                ("^" if row else "v") if self.ascii_only else "▲" if row else "▼",
                GOLD,
            )
        if overlay.hand and cell == overlay.hand[0]:
            canvas.middle(x, edge, wide - 1, f"({overlay.hand[1]})", GOLD, bold=True)
        note = overlay.notes.get(cell)
        if note:
            canvas.middle(
                x,
                self.height - 1 if row else 0,
                wide - 1,
                self.written(note, overlay),
                TONES[note.tone],
                bold=note.proved,
            )

    def hollow(self, canvas: Canvas, x: int, y: int, wide: int, high: int, ground: str) -> None:
        """Draw a rounded hollow."""
        canvas.fill(x, y, wide, high, ground)
        if not self.ascii_only:
            for row, corners in ((y, "▟▙"), (y + high - 1, "▜▛")):
                canvas.put(x, row, corners[0], ground, TABLE)
                canvas.put(x + wide - 1, row, corners[1], ground, TABLE)

    def _seeds(
        self, canvas: Canvas, x: int, y: int, wide: int, high: int, count: int, ink: str
    ) -> None:
        """Draw seeds from the middle outwards, several in one place where there are many."""
        spots = places(wide, high)
        for index, (column, row) in enumerate(spots):
            here = min(len(SEEDS) - 1, count // len(spots) + (index < count % len(spots)))
            if here:
                canvas.put(
                    x + column,
                    y + row,
                    SEEDS[here] if not self.ascii_only else " .:;%"[here],
                    ink,
                    bold=True,
                )

    def _store(self, canvas: Canvas, player: int, count: int, overlay: Overlay) -> None:
        cell = (1, self.view.columns) if player == 0 else (0, -1)
        wide = self.store - 1
        x = self.width - wide - 1 if player == 0 else 1
        y, high = self.board_top + 1, self.board_high - 2
        self.hollow(canvas, x, y, wide, high, HOLLOW)
        text, middle = str(count), y + high // 2
        if len(text) * 4 - 1 <= wide and not self.ascii_only:
            at = x + (wide - (len(text) * 4 - 1)) // 2
            for index, digit in enumerate(text):
                canvas.stamp(at + 4 * index, middle - 1, DIGITS[digit], PLAYERS[player])
        else:
            canvas.middle(x, middle, wide, text, PLAYERS[player], bold=True)
        if cell in self.view.last:
            canvas.middle(x, y + high, wide, "^" if self.ascii_only else "▴", LAST)
        if overlay.hand and cell == overlay.hand[0]:
            canvas.middle(x, y + high, wide, f"({overlay.hand[1]})", GOLD, bold=True)
        mark = self.marks[player]
        canvas.middle(
            x, self.height - 2 if player == 0 else 1, wide, mark, PLAYERS[player], bold=True
        )


def places(wide: int, high: int) -> list[tuple[int, int]]:
    """The places of seeds in a hollow, the middle first; corners stay free."""
    middle = (wide - 1) / 2, (high - 1) / 2
    inner = [
        (column, row)
        for row in range(high)
        for column in range(wide)
        if 0 < row < high - 1 or (0 < column < wide - 1 and high < 4)
    ]
    return sorted(
        inner,
        key=lambda spot: (
            (spot[0] - middle[0]) ** 2 + 3 * (spot[1] - middle[1]) ** 2,
            spot[1],
            spot[0],
        ),
    )
