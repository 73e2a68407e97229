"""Connect Four for easyAI, twice, with report 002's zero-sum window score, so that its search walks
our tree.

`ListConnectFour` is what a careful Python programmer would write for speed: a flat list of cells,
moves that are taken back instead of boards that are copied, and a look for a line only through the
last disc. `ExampleConnectFour` is the game that easyAI itself brings along (a NumPy board that is
copied for every move), which is what its users start from.

Importing this module needs easyAI.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from easyAI import TwoPlayerGame

ROWS, COLS, LINE = 6, 7, 4
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
LOST = -float(1 << 28)
"""Far beyond any window score, as in our searches; easyAI adds the preference for quick wins
itself.
"""
MARKS = (0, 1, LINE + 1)
"""What a cell adds to its windows, by owner: from the sum of four cells the number of discs of
either side can be read.
"""


def all_windows() -> list[tuple[int, ...]]:
    """Every four aligned cells, as places in a flat board."""
    windows = []
    for step_row, step_col in DIRECTIONS:
        for row in range(ROWS):
            for col in range(COLS):
                if row + step_row * (LINE - 1) < ROWS and 0 <= col + step_col * (LINE - 1) < COLS:
                    windows.append(
                        tuple((row + i * step_row) * COLS + col + i * step_col for i in range(LINE))
                    )
    return windows


def window_values() -> list[int]:
    """What a window is worth to the first player, by the sum of its marks: powers of ten, nothing
    where both have discs.
    """
    values = [0] * (LINE * MARKS[2] + 1)
    for discs in range(1, LINE):
        values[discs * MARKS[1]] = 10 ** (discs - 1)
        values[discs * MARKS[2]] = -values[discs * MARKS[1]]
    return values


WINDOWS = all_windows()
THROUGH = [[window for window in WINDOWS if cell in window] for cell in range(ROWS * COLS)]
VALUES = window_values()
WINDOW_ARRAY, VALUE_ARRAY, MARK_ARRAY = np.array(WINDOWS), np.array(VALUES), np.array(MARKS)


class ListConnectFour(TwoPlayerGame):  # type: ignore[misc]
    """As fast as is reasonable in plain Python."""

    def __init__(self, moves: Sequence[int] = ()) -> None:
        self.players = (None, None)
        self.current_player = 1
        self.cells = [0] * (ROWS * COLS)
        self.heights = [0] * COLS
        self.played: list[int] = []
        for move in moves:
            self.play_move(move)

    def possible_moves(self) -> list[int]:
        return [column for column, height in enumerate(self.heights) if height < ROWS]

    def make_move(self, move: int) -> None:
        cell = self.heights[move] * COLS + move
        self.cells[cell] = MARKS[self.current_player]
        self.heights[move] += 1
        self.played.append(cell)

    def unmake_move(self, move: int) -> None:
        self.heights[move] -= 1
        self.cells[self.played.pop()] = 0

    def lose(self) -> bool:
        """Whether the last disc completed a line."""
        if not self.played:
            return False
        cells, last = self.cells, self.played[-1]
        mark = cells[last]
        for a, b, c, d in THROUGH[last]:
            if cells[a] == mark and cells[b] == mark and cells[c] == mark and cells[d] == mark:
                return True
        return False

    def is_over(self) -> bool:
        return len(self.played) == ROWS * COLS or self.lose()

    def scoring(self) -> float:
        if self.lose():
            return LOST
        cells, values, total = self.cells, VALUES, 0
        for a, b, c, d in WINDOWS:
            total += values[cells[a] + cells[b] + cells[c] + cells[d]]
        return total if self.current_player == 1 else -total


def example_game() -> TwoPlayerGame | None:
    """The example that easyAI brings along, scored as above; None where it comes without its
    examples.
    """
    try:
        from easyAI.games.ConnectFour import ConnectFour
    except ImportError:
        return None

    class ExampleConnectFour(ConnectFour):  # type: ignore[misc]
        def scoring(self) -> float:
            if self.lose():
                return LOST
            marks = MARK_ARRAY[self.board.ravel()]
            total = int(VALUE_ARRAY[marks[WINDOW_ARRAY].sum(axis=1)].sum())
            return total if self.current_player == 1 else -total

    return ExampleConnectFour((None, None))
