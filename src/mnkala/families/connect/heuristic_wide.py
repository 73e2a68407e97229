"""The heuristic `threats` for Connect boards of arrays, kept up to date move by move.

It counts open windows, weighs the threats of every column and asks who will run out of moves (`zugzwang`). On such boards most games
end long before the board is full, by attacks: a disc that makes a threat in a cell that can be played at once must be answered there,
and one that makes two wins. So the heuristic also tells the search what is urgent, what is forcing and which moves to try first.

All that is read from a word for each window, which a disc changes by one addition (`WideThreats`).
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from mnkala.core.grid import DIRECTIONS
from mnkala.core.rules import State
from mnkala.families.connect.zugzwang import SIDE, SIDE_BITS, column_worth, good_rows, zugzwang
from mnkala.native import native, shared
from mnkala.native.objects import IntArray, IntGrid
from mnkala.search.heuristic import LOSES, NO_MOVE, Heuristic, Memory

MARKS_BITS = 2 * SIDE_BITS
MARKS = (1 << MARKS_BITS) - 1
"""The part of a window's word that counts its discs."""
WON = 1 << 20
"""The value of a line that can be completed at once and not be prevented. Searches that follow
urgent moves never meet it."""
TEMPO = 5
RANK_STEP = 8
"""In move ordering, the weight of a window that only one side occupies is multiplied by this for
each further disc."""
MOST_RANK = 1 << 12
FORCING, BEST_RANK = 1 << 20, 1 << 26
"""The rank of a move that makes a threat which must be answered at once, and of one that makes two;
both exceed all sums of windows."""
RANK_SCALE = 1 << 20
"""Ranks count more than the search's own history, which knows columns but not cells, and forcing
moves more than its killers."""
OTHERS = 3 * SIDE + 1
"""The number of entries in the memory after the windows and the counts."""


@native
class WideThreats(Heuristic):
    """The evaluation, updated move by move in a memory.

    The memory holds a word for each window; for each player and place the number of windows that
    lack only this place; for each player and column the rows of such places, as bits; room for
    `zugzwang`; and the sum of the windows' weights for the first player. A *place* is row * SIDE +
    column.

    The word of a window is the sum of the first player's discs, SIDE times the second player's
    discs, and SIDE * SIDE times the places of its empty cells. If one cell is empty, that part is
    its place. The counts of a place are no longer updated once a disc lies there; bits below the
    height of a column have no meaning.
    """

    in_place = True

    through: IntGrid
    """For each cell: the number of windows through it, followed by their indices."""
    empty: IntArray
    """The words of the windows on an empty board."""
    weights: IntArray
    """The value of a window for the first player, by its discs."""
    ranks: IntArray
    """How promising it is to play into a window, by its discs."""
    good: int
    """The rows in which the first player wants threats, as bits."""

    def begin(self, rules: Any, state: State) -> Memory:
        windows = len(self.empty)
        memory = np.zeros(windows + 2 * SIDE * rules.rows + OTHERS, dtype=np.int64)
        memory[:windows] = self.empty
        for cell in range(rules.rows * rules.cols):
            if state.cells[cell] != 0:
                change_windows(memory, self.through, self.weights, windows, rules.line, cell,
                               disc(cell // rules.cols, cell % rules.cols, state.cells[cell] - 1), 1)
        return memory

    def played(self, rules: Any, state: State, move: int, memory: Memory) -> Memory:
        row = state.heights[move] - 1
        cell = row * rules.cols + move
        change_windows(memory, self.through, self.weights, len(self.empty), rules.line, cell, disc(row, move, state.cells[cell] - 1), 1)
        return memory

    def undone(self, rules: Any, state: State, move: int, memory: Memory) -> None:
        row = state.heights[move] - 1
        cell = row * rules.cols + move
        change_windows(memory, self.through, self.weights, len(self.empty), rules.line, cell, disc(row, move, state.cells[cell] - 1), -1)

    def urgent(self, rules: Any, state: State, memory: Memory) -> int:
        mover = rules.mover(state)
        threats = len(memory) - OTHERS
        return urgent_column(memory, state.heights, threats + SIDE * mover, threats + SIDE * (1 - mover))

    def forcing(self, rules: Any, state: State, memory: Memory, moves: IntArray, scores: IntArray) -> int:
        mover = rules.mover(state)
        found = 0
        for col in range(rules.cols):
            if state.heights[col] < rules.rows:
                rank = rank_column(memory, self.through, self.ranks, state.heights, rules.line, rules.cols, col, mover)
                if rank == BEST_RANK:
                    moves[0] = col
                    return 1
                if rank >= FORCING:
                    moves[found], scores[found] = col, rank
                    found += 1
        return found

    def rank(self, rules: Any, state: State, memory: Memory, moves: IntArray, scores: IntArray, count: int) -> None:
        mover = rules.mover(state)
        for i in range(count):
            rank = rank_column(memory, self.through, self.ranks, state.heights, rules.line, rules.cols, moves[i], mover)
            scores[i] = RANK_SCALE * rank if rank != -BEST_RANK else LOSES

    def value(self, rules: Any, state: State, memory: Memory) -> int:
        mover = rules.mover(state)
        threats = len(memory) - OTHERS
        total = memory[len(memory) - 1]
        mine = theirs = 0
        for col in range(rules.cols):
            height = state.heights[col]
            first, second = memory[threats + col] >> height, memory[threats + SIDE + col] >> height
            if first | second != 0:
                total += column_worth(first, second, self.good >> height)
                mine += (second if mover else first) & 1
                theirs += (first if mover else second) & 1
        if mine > 0:
            return WON
        if theirs > 1:
            return -WON
        total += zugzwang(memory, threats, threats + 2 * SIDE, state.heights, rules.rows, mover)
        return (total if mover == 0 else -total) + TEMPO

    def evaluate(self, rules: Any, state: State) -> int:
        return self.value(rules, state, self.begin(rules, state))


@shared
def disc(row: int, col: int, player: int) -> int:
    """The number that a disc adds to the word of a window."""
    return (SIDE if player else 1) - ((row * SIDE + col) << MARKS_BITS)


@shared
def change_windows(memory: IntArray, through: IntGrid, weights: IntArray, windows: int, line: int, cell: int, change: int,
                   sign: int) -> None:
    """Add a disc to all windows through its cell (`sign` = 1) or remove it (-1), and update counts,
    bits and sum."""
    total = 0
    rows_of_threats = len(memory) - OTHERS
    for i in range(1, through[cell, 0] + 1):
        window = through[cell, i]
        before = memory[window]
        after = before + sign * change
        memory[window] = after
        total += weights[after & MARKS] - weights[before & MARKS]
        # With the disc, the window may lack one more cell; without it, it no longer does.
        word = after if sign > 0 else before
        marks = word & MARKS
        if marks == line - 1 or marks == (line - 1) * SIDE:
            player = 0 if marks == line - 1 else 1
            place = word >> MARKS_BITS
            count = windows + player * (rows_of_threats - windows) // 2 + place
            memory[count] += sign
            if memory[count] == (1 if sign > 0 else 0):
                memory[rows_of_threats + player * SIDE + (place & (SIDE - 1))] ^= 1 << (place >> SIDE_BITS)
    memory[len(memory) - 1] += total


@shared
def urgent_column(memory: IntArray, heights: IntArray, own: int, other: int) -> int:
    """The column that wins, else one that must be blocked, else NO_MOVE."""
    found = NO_MOVE
    for col in range(len(heights)):
        if (memory[own + col] >> heights[col]) & 1 != 0:
            return col
        if (memory[other + col] >> heights[col]) & 1 != 0:
            found = col
    return found


@shared
def rank_column(memory: IntArray, through: IntGrid, ranks: IntArray, heights: IntArray, line: int, cols: int, col: int,
                mover: int) -> int:
    """How promising a disc in a column looks where nothing is urgent.

    BEST_RANK if it wins by two threats, side by side or one above the other; -BEST_RANK if it loses
    to the cell above; at least FORCING if it makes a threat; at least -FORCING if it only gives up
    the player's own threat above it.
    """
    row = heights[col]
    above = len(memory) - OTHERS + col
    if (memory[above + SIDE * (1 - mover)] >> (row + 1)) & 1 != 0:
        return -BEST_RANK
    place = row * SIDE + col
    lacks_two = (line - 2) * (SIDE if mover else 1)
    gives_up = (memory[above + SIDE * mover] >> (row + 1)) & 1 != 0
    if gives_up and (memory[above + SIDE * mover] >> (row + 2)) & 1 != 0:
        return BEST_RANK
    answer = place + SIDE if gives_up else NO_MOVE
    total = 0
    cell = row * cols + col
    for i in range(1, through[cell, 0] + 1):
        word = memory[through[cell, i]]
        total += ranks[word & MARKS]
        if word & MARKS == lacks_two:
            # The cell that the window would then lack, if it can be played at once.
            other = (word >> MARKS_BITS) - place
            column = other & (SIDE - 1)
            if other >> SIDE_BITS == heights[column] + (1 if column == col else 0) and other != answer:
                if answer != NO_MOVE:
                    return BEST_RANK
                answer = other
    if answer == NO_MOVE:
        return total
    return total - FORCING if gives_up else total + FORCING


@functools.lru_cache(maxsize=16)
def make_wide(rows: int, cols: int, line: int, worths: tuple[int, ...]) -> WideThreats:
    """Make the heuristic of a board with these values of open windows. It is cached, because the
    milliseconds that it takes would be noticed in every short search."""
    windows = [
        [(row + i * step_row, col + i * step_col) for i in range(line)]
        for step_row, step_col in DIRECTIONS for row in range(rows) for col in range(cols)
        if row + (line - 1) * step_row < rows and 0 <= col + (line - 1) * step_col < cols
    ]
    through = np.zeros((rows * cols, 4 * line + 1), dtype=np.int64)
    for number, window in enumerate(windows):
        for row, col in window:
            cell = row * cols + col
            through[cell, 0] += 1
            through[cell, through[cell, 0]] = number
    empty = [sum(row * SIDE + col for row, col in window) << MARKS_BITS for window in windows]
    weights, ranks = np.zeros((2, MARKS + 1), dtype=np.int64)
    for discs in range(line):
        weights[discs], weights[discs * SIDE] = worths[discs], -worths[discs]
        ranks[discs] = ranks[discs * SIDE] = min(MOST_RANK, RANK_STEP**discs)
    return WideThreats(through, np.array(empty, dtype=np.int64), weights, ranks, good_rows(rows, cols))
