"""Report 001's heuristic for games of lines: how critical each cell is to either player, as board
value and as move score.

For a free cell and a player, look at every *sliding window* (k aligned cells) through it that holds
no mark of the opponent:

- an *end-game* cell has a window that lacks one mark: whoever moves there wins, or saves the game;
- a *double-game* cell has two or more windows that lack two marks: a fork;
- any other cell is worth a sum over its windows, which grows with the marks in them, so that the
  fullest windows and their number decide; and some more for a neighbour of the same owner. (The
  report counts marks, windows, the best window and how many such there are; the sum folds these
  into one number, which can be kept up to date in O(k).)

The three kinds lie on steps that no ordinary score can cross. A cell's *criticality*, its worth to
me plus its worth to the opponent, orders moves; the difference of the players' totals values the
board. A mark changes only the cells within k of it. `Criticality` sums the changes of the k windows
through it in one sweep along each direction, O(k), which the report names as future work;
`CriticalityByCell` recomputes each of those cells as the report does, O(k²), and is kept for
comparison.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mnkala.core import Rules
from mnkala.core.grid import DIRECTIONS
from mnkala.core.rules import State
from mnkala.errors import BadEngine
from mnkala.native import native, shared
from mnkala.native.objects import IntArray
from mnkala.search.heuristic import Heuristic, Memory, register_heuristic

END_GAME, DOUBLE_GAME = 1 << 20, 1 << 13
"""The two steps. A cell's ordinary worth stays below the second."""
NEIGHBOUR = 4
"""The bonus for an adjacent mark of the same owner."""
MOST_STEPS = 5
"""A window's weight grows fourfold with each mark, up to this many; after that it would cross
the step."""

ORDINARY, LACK_ONE, LACK_TWO = range(3)
FEATURES = 6
"""The numbers kept for each cell: three for the first player, three for the second."""


@shared
def window_weight(marks: int) -> int:
    """The value of an open window for a cell in it: 1, 4, 16, …"""
    return 1 << (2 * min(marks, MOST_STEPS))


@shared
def worth(memory: IntArray, base: int, cell: int, player: int) -> int:
    """The value of a free cell for a player, by its step."""
    feature = base + FEATURES * cell + 3 * player
    ordinary = min(DOUBLE_GAME - 1, memory[feature + ORDINARY])
    if memory[feature + LACK_ONE] > 0:
        return END_GAME + ordinary
    if memory[feature + LACK_TWO] > 1:
        return DOUBLE_GAME + ordinary
    return ordinary


@shared
def count_worth(memory: IntArray, base: int, cell: int, sign: int) -> None:
    """Add a free cell to both players' totals, or remove it."""
    totals = len(memory) - 2
    memory[totals] += sign * worth(memory, base, cell, 0)
    memory[totals + 1] += sign * worth(memory, base, cell, 1)


@shared
def add_window(
    sums: IntArray, place: int, player: int, own: int, other: int, line: int, sign: int
) -> None:
    """Add the contribution of a window with so many marks to a player's cells; it is nothing if the
    opponent has a mark in it."""
    if other == 0:
        at = place + 3 * player
        sums[at + ORDINARY] += sign * window_weight(own)
        if own == line - 1:
            sums[at + LACK_ONE] += sign
        elif own == line - 2:
            sums[at + LACK_TWO] += sign


class CellWorth(Heuristic):
    """The part that both forms share: how totals and features are read."""

    in_place = True
    tempo: int
    """The value of being to move."""

    def base(self, rules: Any) -> int:
        """The index in the memory at which the features of the cells begin."""
        raise NotImplementedError

    def value(self, rules: Any, state: State, memory: Memory) -> int:
        mover = rules.mover(state)
        totals = len(memory) - 2
        return memory[totals + mover] - memory[totals + 1 - mover] + self.tempo

    def evaluate(self, rules: Any, state: State) -> int:
        return self.value(rules, state, self.begin(rules, state))

    def score_move(self, rules: Any, state: State, move: int, memory: Memory) -> int:
        """The cell's criticality: twice its worth to the mover, plus its worth to the opponent."""
        cell, mover = rules.cell_of(state, move), rules.mover(state)
        base = self.base(rules)
        return 2 * worth(memory, base, cell, mover) + worth(memory, base, cell, 1 - mover)


@native
class Criticality(CellWorth):
    """The heuristic, updated in O(k).

    Memory: for each direction and first cell of a window, the marks of both players; then
    FEATURES numbers for each cell; then room for the sweep; then the totals of both players over
    all free cells.
    """

    tempo: int = DOUBLE_GAME // 2

    def begin(self, rules: Any, state: State) -> Memory:
        cells = rules.rows * rules.cols
        memory = np.zeros(
            8 * cells + FEATURES * cells + FEATURES * (2 * rules.line + 1) + 2, dtype=np.int64
        )
        base = 8 * cells
        for cell in range(cells):
            for direction in range(4):
                step_row, step_col = DIRECTIONS[direction]
                row, col = cell // rules.cols, cell % rules.cols
                last_row, last_col = (
                    row + (rules.line - 1) * step_row,
                    col + (rules.line - 1) * step_col,
                )
                if last_row < rules.rows and 0 <= last_col < rules.cols:
                    for i in range(rules.line):
                        inside = (row + i * step_row) * rules.cols + col + i * step_col
                        for player in range(2):
                            add_window(
                                memory, base + FEATURES * inside, player, 0, 0, rules.line, 1
                            )
        for cell in range(cells):
            count_worth(memory, base, cell, 1)
        played = np.zeros(cells, dtype=np.int64)
        for cell in range(cells):
            if state.cells[cell] != 0:
                sweep(
                    memory,
                    played,
                    rules.rows,
                    rules.cols,
                    rules.line,
                    cell,
                    state.cells[cell] - 1,
                    1,
                )
                played[cell] = state.cells[cell]
        return memory

    def played(self, rules: Any, state: State, move: int, memory: Memory) -> Memory:
        cell = rules.last_cell(state)
        sweep(
            memory, state.cells, rules.rows, rules.cols, rules.line, cell, state.cells[cell] - 1, 1
        )
        return memory

    def undone(self, rules: Any, state: State, move: int, memory: Memory) -> None:
        cell = rules.last_cell(state)
        sweep(
            memory, state.cells, rules.rows, rules.cols, rules.line, cell, state.cells[cell] - 1, -1
        )

    def base(self, rules: Any) -> int:
        return 8 * rules.rows * rules.cols


@shared
def sweep(
    memory: IntArray,
    cells: IntArray,
    rows: int,
    cols: int,
    line: int,
    cell: int,
    player: int,
    change: int,
) -> None:
    """Put a mark on `cell` (change 1) or remove it (-1): update every feature and both totals,
    in O(k) for each direction.

    `cells` says which of the other cells are free; what it says about `cell` itself does not
    matter.
    """
    base = 8 * rows * cols
    scratch = base + FEATURES * rows * cols
    row, col = cell // cols, cell % cols
    other = 1 - player
    if change > 0:
        count_worth(memory, base, cell, -1)
    for direction in range(4):
        step_row, step_col = DIRECTIONS[direction]
        # 1. What changes in each window through the cell; window `first` starts `first` steps along
        #    the direction, -k < first <= 0.
        for i in range(FEATURES * (line + 1)):
            memory[scratch + i] = 0
        for back in range(line):
            first_row, first_col = row - back * step_row, col - back * step_col
            last_row, last_col = (
                first_row + (line - 1) * step_row,
                first_col + (line - 1) * step_col,
            )
            if (
                first_row < 0
                or last_row >= rows
                or min(first_col, last_col) < 0
                or max(first_col, last_col) >= cols
            ):
                continue
            window = 2 * ((direction * rows + first_row) * cols + first_col)
            place = scratch + FEATURES * back
            own, theirs = memory[window + player], memory[window + other]
            add_window(memory, place, player, own, theirs, line, -1)
            add_window(memory, place, other, theirs, own, line, -1)
            memory[window + player] = own + change
            add_window(memory, place, player, own + change, theirs, line, 1)
            add_window(memory, place, other, theirs, own + change, line, 1)
        # 2. Sweep: the cell t steps along lies in the windows t-k < first <= t; keep their sum
        #    while t grows.
        running = scratch + FEATURES * line
        for t in range(1 - line, line):
            if t <= 0:
                for i in range(FEATURES):
                    memory[running + i] += memory[scratch + FEATURES * -t + i]
            else:
                for i in range(FEATURES):
                    memory[running + i] -= memory[scratch + FEATURES * (line - t) + i]
            r, c = row + t * step_row, col + t * step_col
            if 0 <= r < rows and 0 <= c < cols:
                touched = r * cols + c
                free = t != 0 and cells[touched] == 0
                if free:
                    count_worth(memory, base, touched, -1)
                for i in range(FEATURES):
                    memory[base + FEATURES * touched + i] += memory[running + i]
                if t in (1, -1):
                    memory[base + FEATURES * touched + 3 * player + ORDINARY] += change * NEIGHBOUR
                if free:
                    count_worth(memory, base, touched, 1)
    if change < 0:
        count_worth(memory, base, cell, 1)


@native
class CriticalityByCell(CellWorth):
    """Computes the values of `Criticality` in O(k²), as the report does: every cell within k is
    examined anew, window by window.

    Memory: FEATURES numbers for each cell; the same for each direction and cell; then the totals of
    both players.
    """

    tempo: int = DOUBLE_GAME // 2

    def begin(self, rules: Any, state: State) -> Memory:
        cells = rules.rows * rules.cols
        memory = np.zeros(5 * FEATURES * cells + 2, dtype=np.int64)
        for cell in range(cells):
            for direction in range(4):
                renew_direction(
                    memory, state.cells, rules.rows, rules.cols, rules.line, cell, direction
                )
            if state.cells[cell] == 0:
                count_worth(memory, 0, cell, 1)
        return memory

    def played(self, rules: Any, state: State, move: int, memory: Memory) -> Memory:
        cell = rules.last_cell(state)
        count_worth(memory, 0, cell, -1)
        renew_around(memory, state.cells, rules.rows, rules.cols, rules.line, cell)
        return memory

    def undone(self, rules: Any, state: State, move: int, memory: Memory) -> None:
        cell = rules.last_cell(state)
        mark = state.cells[cell]
        state.cells[cell] = 0
        renew_around(memory, state.cells, rules.rows, rules.cols, rules.line, cell)
        state.cells[cell] = mark
        count_worth(memory, 0, cell, 1)

    def base(self, rules: Any) -> int:
        return 0


@shared
def renew_around(
    memory: IntArray, cells: IntArray, rows: int, cols: int, line: int, cell: int
) -> None:
    """Examine every cell within k of a changed one again, in the direction that connects them."""
    row, col = cell // cols, cell % cols
    for direction in range(4):
        step_row, step_col = DIRECTIONS[direction]
        for t in range(1 - line, line):
            r, c = row + t * step_row, col + t * step_col
            if 0 <= r < rows and 0 <= c < cols:
                touched = r * cols + c
                free = t != 0 and cells[touched] == 0
                if free:
                    count_worth(memory, 0, touched, -1)
                renew_direction(memory, cells, rows, cols, line, touched, direction)
                if free:
                    count_worth(memory, 0, touched, 1)


@shared
def renew_direction(
    memory: IntArray, cells: IntArray, rows: int, cols: int, line: int, cell: int, direction: int
) -> None:
    """Compute the features of a cell in one direction from the board, and replace the old ones."""
    row, col = cell // cols, cell % cols
    step_row, step_col = DIRECTIONS[direction]
    kept = FEATURES * (rows * cols + 4 * cell + direction)
    for i in range(FEATURES):
        memory[FEATURES * cell + i] -= memory[kept + i]
        memory[kept + i] = 0
    for back in range(line):
        first_row, first_col = row - back * step_row, col - back * step_col
        last_row, last_col = first_row + (line - 1) * step_row, first_col + (line - 1) * step_col
        if (
            first_row < 0
            or last_row >= rows
            or min(first_col, last_col) < 0
            or max(first_col, last_col) >= cols
        ):
            continue
        first, second = 0, 0
        for i in range(line):
            mark = cells[(first_row + i * step_row) * cols + first_col + i * step_col]
            if mark == 1:
                first += 1
            elif mark == 2:
                second += 1
        add_window(memory, kept, 0, first, second, line, 1)
        add_window(memory, kept, 1, second, first, line, 1)
    for side in (-1, 1):
        r, c = row + side * step_row, col + side * step_col
        if 0 <= r < rows and 0 <= c < cols and cells[r * cols + c] != 0:
            memory[kept + 3 * (cells[r * cols + c] - 1) + ORDINARY] += NEIGHBOUR
    for i in range(FEATURES):
        memory[FEATURES * cell + i] += memory[kept + i]


def _maker(cls: type[Heuristic]) -> Any:
    def make(rules: Rules) -> Heuristic:
        if not (hasattr(rules, "line") and hasattr(rules, "last_cell")):
            raise BadEngine(
                f"{rules.game_string()} has no board of cells and lines in arrays, so cells have no criticality"
            )
        return cls()

    return make


register_heuristic(
    "criticality",
    "report 001's: how critical every cell is, kept up to date in O(k)",
    _maker(Criticality),
)
register_heuristic(
    "criticality-by-cell",
    "the same numbers in O(k²), as report 001 computes them",
    _maker(CriticalityByCell),
)
