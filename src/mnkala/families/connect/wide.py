"""Connect on boards beyond 64 bits: a state of arrays, changed in place by `play` and restored by `undo`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mnkala.core.grid import completes_line, winning_cells
from mnkala.core.rules import GOING_ON
from mnkala.families.connect.rules import ConnectRules
from mnkala.native import mix, native
from mnkala.native.objects import IntArray

UNKNOWN = -1
"""Stands in the trail for the moves before a position that was read from a literal."""


class WideState(NamedTuple):
    """The arrays of one position."""

    cells: IntArray
    """The owner of each cell by row * cols + column, row 0 at the bottom: 0 if empty, else 1 + the
    player."""
    heights: IntArray
    """The number of discs in each column."""
    trail: IntArray
    """The number of moves played, then the moves. A win needs to be looked for only around the last
    one."""
    hash: np.ndarray
    """The hash as uint64[1]: the exclusive or of a random word for each disc (Zobrist 1970)."""


@native
class WideConnect(ConnectRules):
    """Rules of Connect on boards of arrays."""

    rows: int = 10
    cols: int = 11
    line: int = 4

    # ---- The rules ----

    def start(self) -> WideState:
        cells = self.rows * self.cols
        return WideState(np.zeros(cells, np.int64), np.zeros(self.cols, np.int64), np.zeros(cells + 1, np.int64),
                         np.zeros(1, np.uint64))

    def copy(self, state: WideState) -> WideState:
        return WideState(state.cells.copy(), state.heights.copy(), state.trail.copy(), state.hash.copy())

    def moves(self, state: WideState, out: IntArray) -> int:
        count = 0
        for col in range(self.cols):
            if state.heights[col] < self.rows:
                out[count] = col
                count += 1
        return count

    def play(self, state: WideState, move: int) -> WideState:
        player = self.mover(state)
        cell = state.heights[move] * self.cols + move
        state.cells[cell] = 1 + player
        state.heights[move] += 1
        state.trail[0] += 1
        state.trail[state.trail[0]] = move
        state.hash[0] ^= mix(np.uint64(2 * cell + player + 1))
        return state

    def undo(self, state: WideState, move: int) -> None:
        state.trail[state.trail[0]] = 0
        state.trail[0] -= 1
        state.heights[move] -= 1
        cell = state.heights[move] * self.cols + move
        state.cells[cell] = 0
        state.hash[0] ^= mix(np.uint64(2 * cell + self.mover(state) + 1))

    def mover(self, state: WideState) -> int:
        return state.trail[0] & 1

    def result(self, state: WideState) -> int:
        played = state.trail[0]
        if played == 0:
            return GOING_ON
        if completes_line(state.cells, self.rows, self.cols, self.line, False, self.last_cell(state)):
            return -1
        return 0 if played == self.rows * self.cols else GOING_ON

    def key(self, state: WideState) -> np.uint64:
        return state.hash[0]

    def prior(self, state: WideState, move: int) -> int:
        return self.cols - abs(2 * move - self.cols + 1)

    def last_cell(self, state: WideState) -> int:
        """The cell where the last disc fell, as row * cols + column."""
        col = state.trail[state.trail[0]]
        return (state.heights[col] - 1) * self.cols + col

    def cell_of(self, state: WideState, move: int) -> int:
        """The cell where a disc dropped into a column would come to rest, as row * cols + column."""
        return state.heights[move] * self.cols + move

    def is_legal(self, state: WideState, move: int) -> bool:
        return 0 <= move < self.cols and bool(state.heights[move] < self.rows)

    # ---- For people ----

    def owner(self, state: WideState, row: int, column: int) -> int:
        return int(state.cells[row * self.cols + column])

    def discs(self, state: WideState) -> int:
        return int(state.trail[0])

    def from_owners(self, owners: np.ndarray) -> WideState:
        state = self.start()
        discs = int(np.count_nonzero(owners))
        if discs == 0:
            return state
        state.cells[:] = owners.reshape(-1)
        state.heights[:] = np.count_nonzero(owners, axis=0)
        for cell in np.nonzero(state.cells)[0]:
            state.hash[0] ^= mix(np.uint64(2 * int(cell) + int(state.cells[cell])))
        last = 2 - discs % 2
        line = winning_cells(owners, last, self.line)
        tops = [(self._top_row(owners, col), col) for col in range(self.cols)]
        candidates = [(row, col) for row, col in tops if row >= 0 and owners[row, col] == last]
        state.trail[0] = discs
        state.trail[1:discs] = UNKNOWN
        state.trail[discs] = next((col for row, col in candidates if (row, col) in line), candidates[0][1])
        return state
