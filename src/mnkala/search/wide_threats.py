"""The heuristic `threats` for Connect boards of arrays: what the fight for odd and even rows is worth, kept up to date move by move.

A *threat* is an empty cell that completes a line. Nobody likes to play right below an opponent's, so columns stay open below threats
until the rest of the board is full and somebody has to (Allis 1988): zugzwang.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from mnkala.games.grid import DIRECTIONS
from mnkala.games.rules import State
from mnkala.native import native, shared
from mnkala.native.objects import IntArray, IntGrid
from mnkala.search.heuristic import NO_MOVE, Heuristic, Memory

SIDE_BITS = 6
SIDE = 1 << SIDE_BITS
"""More than the discs in a window, the rows and the columns of any board: each fits this many bits."""
MARKS = SIDE * SIDE - 1
"""The part of a window's word that counts discs."""


@native
class WideThreats(Heuristic):
    """Memory: a word for each window; for either player and each cell the number of lines that it completes; for either player and
    each column the rows of such cells, as bits; the sum of the windows' weights as the first player sees it.

    A window's word adds up the discs of the first player, SIDE times those of the second, and SIDE * SIDE times the places of its empty
    cells (row * SIDE + column): where only one is empty, that part is its place. A disc changes each word by the same addition.
    """

    in_place = True

    through: IntGrid
    """[cell, i]: how many windows pass through a cell, then which."""
    empty: IntArray
    """The words of the windows of an empty board."""
    weights: IntArray
    """[discs of the first + SIDE * discs of the second]: what a window is worth to the first."""
    ranks: IntArray
    """The same for ordering: what a move into such a window promises, whoever stands in it."""
    good_rows: int
    """Bits: the rows in which the first player wants threats; the second wants them in the others."""
    good: int = 60
    other: int = 20
    double: int = 200
    playable: int = 5000
    kill: int = 3
    weak: int = 1
    tempo: int = 5
    force: int = 200
    scale: int = 1 << 16

    def begin(self, rules: Any, state: State) -> Memory:
        windows = len(self.empty)
        memory = np.zeros(windows + 2 * SIDE * rules.rows + 2 * SIDE + 1, dtype=np.int64)
        memory[:windows] = self.empty
        for cell in range(rules.rows * rules.cols):
            if state.cells[cell] != 0:
                add_disc(memory, self.through, self.weights, windows, rules.rows, rules.line, cell,
                         disc(cell // rules.cols, cell % rules.cols, state.cells[cell] - 1))
        return memory

    def played(self, rules: Any, state: State, move: int, memory: Memory) -> Memory:
        row = state.heights[move] - 1
        cell = row * rules.cols + move
        add_disc(memory, self.through, self.weights, len(self.empty), rules.rows, rules.line, cell, disc(row, move, state.cells[cell] - 1))
        return memory

    def undone(self, rules: Any, state: State, move: int, memory: Memory) -> None:
        row = state.heights[move] - 1
        cell = row * rules.cols + move
        take_disc(memory, self.through, self.weights, len(self.empty), rules.rows, rules.line, cell, disc(row, move, state.cells[cell] - 1))

    def urgent(self, rules: Any, state: State, memory: Memory) -> int:
        mover = state.trail[0] & 1
        rows = len(memory) - 1 - 2 * SIDE
        return urgent_column(memory, state.heights, rows + SIDE * mover, rows + SIDE * (1 - mover))

    def forcing(self, rules: Any, state: State, memory: Memory, moves: IntArray, scores: IntArray) -> int:
        mover = state.trail[0] & 1
        rows = len(memory) - 1 - 2 * SIDE
        found = 0
        for col in range(rules.cols):
            height = state.heights[col]
            if height < rules.rows and (memory[rows + SIDE * (1 - mover) + col] >> (height + 1)) & 1 == 0:
                threats = new_threats(memory, self.through, state.heights, rules.line, rules.cols, col, mover)
                if threats == 2:
                    moves[0], scores[0] = col, 0
                    return 1
                if threats == 1:
                    moves[found], scores[found] = col, 0
                    found += 1
        return found

    def rank(self, rules: Any, state: State, memory: Memory, moves: IntArray, scores: IntArray, count: int) -> None:
        mover = state.trail[0] & 1
        rows = len(memory) - 1 - 2 * SIDE
        for i in range(count):
            scores[i] = rank_column(memory, self.through, self.ranks, state.heights, rules.line, rules.cols, moves[i], mover,
                                    rows + SIDE * mover, rows + SIDE * (1 - mover), self.force) * self.scale

    def value(self, rules: Any, state: State, memory: Memory) -> int:
        rows = len(memory) - 1 - 2 * SIDE
        total = memory[len(memory) - 1]
        mover = state.trail[0] & 1
        for col in range(rules.cols):
            height = state.heights[col]
            first, second = memory[rows + col] >> height, memory[rows + SIDE + col] >> height
            if first | second != 0:
                total += column_worth(first, second, self.good_rows >> height, self.good, self.other, self.double, self.kill, self.weak)
                playable = (first & 1) - (second & 1)
                if playable != 0:
                    total += playable * self.playable
                    if (playable > 0) == (mover == 0):
                        total += playable * 10 * self.playable
        return (total if mover == 0 else -total) + self.tempo

    def evaluate(self, rules: Any, state: State) -> int:
        return self.value(rules, state, self.begin(rules, state))


@shared
def disc(row: int, col: int, player: int) -> int:
    """What a disc adds to the word of a window."""
    return (SIDE if player else 1) - ((row * SIDE + col) << (2 * SIDE_BITS))


@shared
def add_disc(memory: IntArray, through: IntGrid, weights: IntArray, windows: int, rows: int, line: int, cell: int, change: int) -> None:
    """Add a disc to all windows through its cell."""
    total = 0
    for i in range(1, through[cell, 0] + 1):
        window = through[cell, i]
        before = memory[window]
        after = before + change
        memory[window] = after
        marks = after & MARKS
        total += weights[marks] - weights[before & MARKS]
        if marks == line - 1 or marks == (line - 1) * SIDE:
            place = after >> (2 * SIDE_BITS)
            player = 0 if marks == line - 1 else 1
            count = windows + player * rows * SIDE + place
            memory[count] += 1
            if memory[count] == 1:
                memory[windows + 2 * rows * SIDE + player * SIDE + (place & (SIDE - 1))] |= 1 << (place >> SIDE_BITS)
    memory[len(memory) - 1] += total


@shared
def take_disc(memory: IntArray, through: IntGrid, weights: IntArray, windows: int, rows: int, line: int, cell: int, change: int) -> None:
    """Undo `add_disc`."""
    total = 0
    for i in range(1, through[cell, 0] + 1):
        window = through[cell, i]
        before = memory[window]
        after = before - change
        memory[window] = after
        marks = before & MARKS
        total += weights[after & MARKS] - weights[marks]
        if marks == line - 1 or marks == (line - 1) * SIDE:
            place = before >> (2 * SIDE_BITS)
            player = 0 if marks == line - 1 else 1
            count = windows + player * rows * SIDE + place
            memory[count] -= 1
            if memory[count] == 0:
                memory[windows + 2 * rows * SIDE + player * SIDE + (place & (SIDE - 1))] ^= 1 << (place >> SIDE_BITS)
    memory[len(memory) - 1] += total


@shared
def urgent_column(memory: IntArray, heights: IntArray, own: int, other: int) -> int:
    """The column that wins, else the one that must be blocked, else NO_MOVE."""
    found = NO_MOVE
    for col in range(len(heights)):
        if (memory[own + col] >> heights[col]) & 1 != 0:
            return col
        if (memory[other + col] >> heights[col]) & 1 != 0:
            found = col
    return found


@shared
def new_threats(memory: IntArray, through: IntGrid, heights: IntArray, line: int, cols: int, col: int, mover: int) -> int:
    """How many cells that can be played at once complete a line after a disc in this column: 0, 1, or 2 for more."""
    row = heights[col]
    place = row * SIDE + col
    wanted = (line - 2) * (SIDE if mover else 1)
    cell = row * cols + col
    found = NO_MOVE
    rows = len(memory) - 1 - 2 * SIDE + SIDE * mover
    if (memory[rows + col] >> (row + 1)) & 1 != 0:
        found = place + SIDE
    for i in range(1, through[cell, 0] + 1):
        word = memory[through[cell, i]]
        if word & MARKS == wanted:
            other = (word >> (2 * SIDE_BITS)) - place
            column = other & (SIDE - 1)
            if other >> SIDE_BITS == heights[column] + (1 if column == col else 0) and other != found:
                if found != NO_MOVE:
                    return 2
                found = other
    return 0 if found == NO_MOVE else 1


@shared
def rank_column(memory: IntArray, through: IntGrid, ranks: IntArray, heights: IntArray, line: int, cols: int, col: int, mover: int,
                own: int, other: int, force: int) -> int:
    """How promising a disc in this column looks."""
    row = heights[col]
    if (memory[other + col] >> (row + 1)) & 1 != 0:
        return -(1 << 24)
    place = row * SIDE + col
    wanted = (line - 2) * (SIDE if mover else 1)
    cell = row * cols + col
    found = NO_MOVE
    total = 0
    if (memory[own + col] >> (row + 1)) & 1 != 0:
        found = place + SIDE
        total = -2 * force
    for i in range(1, through[cell, 0] + 1):
        word = memory[through[cell, i]]
        total += ranks[word & MARKS]
        if word & MARKS == wanted:
            answer = (word >> (2 * SIDE_BITS)) - place
            column = answer & (SIDE - 1)
            if answer >> SIDE_BITS == heights[column] + (1 if column == col else 0) and answer != found:
                if found != NO_MOVE:
                    return 1 << 24
                found = answer
    return total if found == NO_MOVE else total + force


@shared
def column_worth(first: int, second: int, good_rows: int, good: int, other: int, double: int, kill: int, weak: int) -> int:
    """What the threats of a column are worth to the first player. All bits from the first empty cell on."""
    worth = 0
    scale = 6
    while first | second != 0 and scale >= 0:
        lowest = (first | second) & -(first | second)
        is_good = good_rows & lowest != 0
        cut = weak
        if first & lowest != 0:
            worth += (good if is_good else other) << scale
            if first & (lowest << 1) != 0:
                worth += double << scale
            if is_good:
                cut = kill
        if second & lowest != 0:
            worth -= (other if is_good else good) << scale
            if second & (lowest << 1) != 0:
                worth -= double << scale
            if not is_good:
                cut = kill
        first &= ~lowest
        second &= ~lowest
        scale -= cut
    return worth >> 6


def make_wide(rules: Any, **options: Any) -> WideThreats:
    return _made(rules.rows, rules.cols, rules.line, **options)


@functools.lru_cache(maxsize=64)
def _made(rows: int, cols: int, line: int, own: tuple[int, ...] | None = None, rank_step: int = 8, **options: int) -> WideThreats:
    """The heuristic for a board."""
    windows: list[list[tuple[int, int]]] = []
    for step_row, step_col in DIRECTIONS:
        for row in range(rows):
            for col in range(cols):
                last_row, last_col = row + (line - 1) * step_row, col + (line - 1) * step_col
                if last_row < rows and 0 <= last_col < cols:
                    windows.append([(row + i * step_row, col + i * step_col) for i in range(line)])
    through = np.zeros((rows * cols, 4 * line + 1), dtype=np.int64)
    for number, window in enumerate(windows):
        for row, col in window:
            cell = row * cols + col
            through[cell, 0] += 1
            through[cell, through[cell, 0]] = number
    empty = np.array([sum(row * SIDE + col for row, col in window) << (2 * SIDE_BITS) for window in windows], dtype=np.int64)
    weights = np.zeros(SIDE * SIDE, dtype=np.int64)
    steps = own or tuple(min(1 << 12, round(2.75 ** (n - 1))) if n else 0 for n in range(line + 1))
    for n in range(1, line + 1):
        weights[n], weights[n * SIDE] = steps[n], -steps[n]
    ranks = np.zeros(SIDE * SIDE, dtype=np.int64)
    for n in range(line):
        ranks[n] = ranks[n * SIDE] = min(1 << 12, rank_step ** n)
    below = (cols - 1) * rows
    good_rows = sum(1 << row for row in range(rows) if (below + row) % 2 == 0)
    return WideThreats(through, empty, weights, ranks, good_rows, **options)
