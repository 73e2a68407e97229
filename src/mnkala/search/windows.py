"""Report 002's heuristics for games of lines: a sum over all windows, by how many marks of either
side stand in each.

A *window* is `line` aligned cells. Each heuristic is a table of weights, by the mover's and the
other's marks in a window:

- *basic*: own line +100; all but one own, rest empty +5; all but two +2; all but one the
  opponent's, rest empty -4.
- *article*: own line +1,000,000; else all but one own +1; else all but one the opponent's -100;
  else their line -1,000,000.
- *zero-sum*: a power of ten for each further mark in a window without opponents, and exactly minus
  that for theirs.
- *zero-sum-hv*: the same over horizontal and vertical windows only, which is what the report's own
  code must have done: its node counts come out to the node with it.

The report has lines of four; for other lengths the same words are read as above.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mnkala.core import Rules
from mnkala.core.grid import DIRECTIONS
from mnkala.core.rules import State
from mnkala.errors import BadEngine
from mnkala.native import native, shared
from mnkala.native.objects import IntArray
from mnkala.search.heuristic import Heuristic, Memory, register_heuristic

LINE_VALUE = 1_000_000
LARGEST_STEP = 100_000
"""The largest power of ten, so that sums over long lines stay below the value of a win."""


def basic(own: int, other: int, line: int) -> int:
    """The value of a window by the heuristic basic: report 002's first attempt, which a chat
    program made according to the report."""
    if own == line:
        return 100
    score = 0
    if own == line - 1 and other == 0:
        score = 5
    elif own == line - 2 and own > 0 and other == 0:
        score = 2
    if other == line - 1 and own == 0:
        score -= 4
    return score


def article(own: int, other: int, line: int) -> int:
    """The value of a window by the heuristic article, which report 002 found in an article: it
    counts three marks even if the fourth cell is taken."""
    if own == line:
        return LINE_VALUE
    if own == line - 1:
        return 1
    if other == line - 1:
        return -100
    return -LINE_VALUE if other == line else 0


def zero_sum(own: int, other: int, line: int) -> int:
    """The value of a window by report 002's own heuristic: only windows that one side can still
    fill count, in powers of ten (after Anvari)."""
    if own and other:
        return 0
    marks = own or other
    size = LINE_VALUE if marks == line else min(LARGEST_STEP, 10 ** (marks - 1)) if marks else 0
    return size if own else -size


@native
class Windows(Heuristic):
    """Counts every window anew at each evaluation, which is quick on bitboards, where counting
    is one instruction."""

    weights: IntArray
    diagonals: bool = True
    tempo: int = 0
    """The value of being to move."""

    def evaluate(self, rules: Any, state: State) -> int:
        return rules.window_sum(state, self.diagonals, self.weights) + self.tempo


@native
class IncrementalWindows(Heuristic):
    """Keeps the count of every window and both players' sums: a move touches only the windows
    through its cell.

    For boards of arrays. Memory: int64[2 * windows + 2]: for each window (direction and first cell)
    the marks of either player, then the sum of the weights as each player sees it.
    """

    in_place = True

    weights: IntArray
    diagonals: bool = True
    tempo: int = 0

    def begin(self, rules: Any, state: State) -> Memory:
        cells = rules.rows * rules.cols
        memory = np.zeros(8 * cells + 2, dtype=np.int64)
        for cell in range(cells):
            if state.cells[cell] != 0:
                put_mark(
                    memory,
                    rules.rows,
                    rules.cols,
                    rules.line,
                    self.weights,
                    self.diagonals,
                    cell,
                    state.cells[cell] - 1,
                    1,
                )
        return memory

    def played(self, rules: Any, state: State, move: int, memory: Memory) -> Memory:
        cell = rules.last_cell(state)
        put_mark(
            memory,
            rules.rows,
            rules.cols,
            rules.line,
            self.weights,
            self.diagonals,
            cell,
            state.cells[cell] - 1,
            1,
        )
        return memory

    def undone(self, rules: Any, state: State, move: int, memory: Memory) -> None:
        cell = rules.last_cell(state)
        put_mark(
            memory,
            rules.rows,
            rules.cols,
            rules.line,
            self.weights,
            self.diagonals,
            cell,
            state.cells[cell] - 1,
            -1,
        )

    def value(self, rules: Any, state: State, memory: Memory) -> int:
        return memory[len(memory) - 2 + rules.mover(state)] + self.tempo

    def evaluate(self, rules: Any, state: State) -> int:
        return self.value(rules, state, self.begin(rules, state))


@shared
def put_mark(
    memory: IntArray,
    rows: int,
    cols: int,
    line: int,
    weights: IntArray,
    diagonals: bool,
    cell: int,
    player: int,
    change: int,
) -> None:
    """Add a mark to all windows through a cell (`change` = 1) or remove it (-1), and update both
    sums."""
    row, col = cell // cols, cell % cols
    sums = len(memory) - 2
    for direction in range(4 if diagonals else 2):
        step_row, step_col = DIRECTIONS[direction]
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
            first, second = memory[window], memory[window + 1]
            memory[sums] -= weights[first * (line + 1) + second]
            memory[sums + 1] -= weights[second * (line + 1) + first]
            memory[window + player] += change
            first, second = memory[window], memory[window + 1]
            memory[sums] += weights[first * (line + 1) + second]
            memory[sums + 1] += weights[second * (line + 1) + first]


def utility(own: int, other: int, line: int) -> int:
    """The value of a window by report 000's evaluation, which the report does not spell out. These
    are the values that its course hands out for Connect Four: 1, 10 and 50 for one, two and three
    discs of one side in a window, 512 for a line, and 16 for being to move (`UTILITY_TEMPO`)."""
    if own and other:
        return 0
    marks = own or other
    size = (
        512
        if marks == line
        else (0, 50, 10)[line - marks]
        if 0 < line - marks < 3 and marks
        else int(marks > 0)
    )
    return size if own else -size


UTILITY_TEMPO = 16


def lines(own: int, other: int, line: int) -> int:
    """The value of a window by our own heuristic for (m,n,k)-games: steps of twelve for each
    further mark, and double for the mover, who builds or blocks first. All but one of the mover's
    own marks win at once; all but one of the opponent's can still be stopped."""
    if (own and other) or not (own or other):
        return 0
    size = min(LINE_VALUE, 12 ** (min(own or other, 5)))
    if own == line - 1:
        size *= 4
    return 2 * size if own else -size


def _maker(
    weight: Callable[[int, int, int], int], diagonals: bool = True, tempo: int = 0
) -> Callable[[Rules], Heuristic]:
    def make(rules: Rules) -> Heuristic:
        if not hasattr(rules, "line"):
            raise BadEngine(
                f"{rules.game_string()} is not a game of lines, so windows cannot be counted"
            )
        line: int = rules.line
        table = [
            weight(own, other, line) if own + other <= line else 0
            for own in range(line + 1)
            for other in range(line + 1)
        ]
        weights = np.array(table, dtype=np.int64)
        cls = Windows if hasattr(rules, "window_sum") else IncrementalWindows
        return cls(weights, diagonals, tempo)

    return make


register_heuristic(
    "utility",
    "report 000's evaluation: 1, 10 and 50 by window, 16 for being to move",
    _maker(utility, tempo=UTILITY_TEMPO),
)
register_heuristic(
    "lines", "ours for (m,n,k)-games: steps of twelve by window, the mover's doubled", _maker(lines)
)
register_heuristic("basic", "report 002's first: 100, 5, 2 and -4 by window", _maker(basic))
register_heuristic(
    "article",
    "report 002's second, from an article: 1,000,000, 1 and -100 by window",
    _maker(article),
)
register_heuristic(
    "zero-sum",
    "report 002's own: powers of ten by window, the same for both sides",
    _maker(zero_sum),
)
register_heuristic(
    "zero-sum-hv",
    "zero-sum without diagonals, as report 002's code counts",
    _maker(zero_sum, diagonals=False),
)
