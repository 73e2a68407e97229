"""Report 004's heuristic for games of lines: a sum over runs of stones, by their length and their
open ends.

The report sums v(n) * s(x) over the runs of n = 1 to 4 stones on a Gomoku board: s is 1 with both
ends open, 1/2 with one and 1/10 with none; v(1) = 1 and v(n+1) = (v(1) + … + v(n)) * 3 * 7.5 * 113
* (15 - n + 1), that is 1, 38137.5, 1.4e9 and 4.5e13, so that a longer run always outweighs every
sum of shorter ones. Our reading, where the report leaves room:

- A run is maximal, in any of four directions; n goes up to one less than a line. An end is open if
  the next cell is empty; the edge of the board closes it as a stone of the opponent does.
- The report's search for runs "may identify sequences with one empty cell as good": two runs of one
  owner around a single empty cell count also as one run of their joint length (at most one less
  than a line, since filling the gap is still to be done; where only exact lines win and the gap
  would make a longer one, not at all).
- A board is worth the mover's sum minus the opponent's.

The weights explode, far over the 27 bits that a heuristic value may have. Because they are so far
apart, they only rank: the longest length in which the players differ decides, then the size of the
difference there, then the next length. The value packs just that: length, difference, next
difference. It keeps the report's order of any two boards, except that it calls those equal which
differ only further down.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mnkala.core import Rules
from mnkala.core.grid import ways
from mnkala.core.rules import State
from mnkala.errors import BadEngine
from mnkala.native import native, shared
from mnkala.native.objects import IntArray
from mnkala.search.heuristic import Heuristic, Memory, register_heuristic

TENTHS = (1, 5, 10)
"""The factor s by the number of open ends, in tenths."""
DIGIT = 1 << 10
"""Differences at one length are distinguished up to this many tenths; a lead of more than a
hundred open runs counts the same."""


@native
class Runs(Heuristic):
    """The heuristic, updated move by move: a mark changes only the runs beside it on four lines.

    Memory: int64[line], by length the first player's tenths minus the second's.
    """

    in_place = True

    exact: bool = False
    """Whether longer lines do not win."""

    def begin(self, rules: Any, state: State) -> Memory:
        memory = np.zeros(rules.line, dtype=np.int64)
        rows, cols = rules.rows, rules.cols
        for row in range(rows):
            count_runs(memory, state.cells, self.exact, row * cols, 1, cols, 1)
            length = min(rows - row, cols)
            count_runs(memory, state.cells, self.exact, row * cols, cols + 1, length, 1)
            count_runs(memory, state.cells, self.exact, row * cols + cols - 1, cols - 1, length, 1)
        for col in range(cols):
            count_runs(memory, state.cells, self.exact, col, cols, rows, 1)
            if col > 0:
                count_runs(memory, state.cells, self.exact, col, cols + 1, min(rows, cols - col), 1)
            if col < cols - 1:
                count_runs(memory, state.cells, self.exact, col, cols - 1, min(rows, col + 1), 1)
        return memory

    def played(self, rules: Any, state: State, move: int, memory: Memory) -> Memory:
        recount(memory, state.cells, rules.rows, rules.cols, self.exact, rules.last_cell(state), 1)
        return memory

    def undone(self, rules: Any, state: State, move: int, memory: Memory) -> None:
        recount(memory, state.cells, rules.rows, rules.cols, self.exact, rules.last_cell(state), -1)

    def value(self, rules: Any, state: State, memory: Memory) -> int:
        return rank(memory) if rules.mover(state) == 0 else -rank(memory)

    def evaluate(self, rules: Any, state: State) -> int:
        return self.value(rules, state, self.begin(rules, state))


@shared
def rank(memory: IntArray) -> int:
    """Pack the differences by length into one number that orders boards as they do: the longest
    length at which the players differ, the difference there, and the one a length below."""
    for length in range(len(memory) - 1, 0, -1):
        lead = memory[length]
        if lead != 0:
            below = memory[length - 1] if lead > 0 else -memory[length - 1]
            below = max(1, min(DIGIT - 1, below + DIGIT // 2))
            size = (length * DIGIT + min(DIGIT - 1, abs(lead))) * DIGIT + below
            return size if lead > 0 else -size
    return 0


@shared
def recount(
    memory: IntArray, cells: IntArray, rows: int, cols: int, exact: bool, cell: int, change: int
) -> None:
    """Count the runs around a mark that was put on `cell` (`change` = 1), or is about to be
    removed (-1).

    Nothing beyond two empty cells changes a run, so only the cells up to there are examined,
    once without the mark and once with it.
    """
    row, col = cell // cols, cell % cols
    mark = cells[cell]
    for direction in range(4):
        step, ahead, behind = ways(direction, row, col, rows, cols)
        ahead = reach(cells, cell, step, ahead)
        behind = reach(cells, cell, -step, behind)
        for present in (0, 1):
            cells[cell] = present * mark
            count_runs(
                memory,
                cells,
                exact,
                cell - behind * step,
                step,
                behind + 1 + ahead,
                change if present else -change,
            )


@shared
def reach(cells: IntArray, cell: int, step: int, room: int) -> int:
    """How far to go from a cell to pass two empty cells in a row; at most `room`."""
    empty = 0
    for distance in range(1, room + 1):
        empty = empty + 1 if cells[cell + distance * step] == 0 else 0
        if empty == 2:
            return distance
    return room


@shared
def count_runs(
    memory: IntArray, cells: IntArray, exact: bool, first: int, step: int, count: int, sign: int
) -> None:
    """Add the runs among `count` cells of a line, `step` apart, to the differences by length, or
    remove them (`sign` = -1).

    Beyond either end there must be the edge of the board, or two empty cells before it.
    """
    line = len(memory)
    gap = 0
    last_mark, last_length, last_open = 0, 0, 0
    i = 0
    while i < count:
        mark = cells[first + i * step]
        if mark == 0:
            gap += 1
            i += 1
            continue
        # 1. Measure the run and look at its ends.
        start = i
        while i < count and cells[first + i * step] == mark:
            i += 1
        length = i - start
        open_behind = 1 if gap > 0 else 0
        open_ahead = 1 if i < count and cells[first + i * step] == 0 else 0
        # 2. Count it, and count it together with the one before if a single empty cell lies
        #    between.
        tenths = sign if mark == 1 else -sign
        if length < line:
            memory[length] += tenths * TENTHS[open_behind + open_ahead]
        if gap == 1 and mark == last_mark and (length + last_length < line or not exact):
            memory[min(length + last_length, line - 1)] += tenths * TENTHS[last_open + open_ahead]
        last_mark, last_length, last_open = mark, length, open_behind
        gap = 0


def _make(rules: Rules) -> Heuristic:
    if not (
        hasattr(rules, "line") and hasattr(rules, "last_cell") and hasattr(rules.start(), "cells")
    ):
        raise BadEngine(
            f"{rules.game_string()} has no board of cells and lines in arrays, so runs cannot be counted"
        )
    return Runs(getattr(rules, "exact", False))


register_heuristic(
    "runs",
    "report 004's: runs of stones by length and open ends; the longest in which the sides differ decides",
    _make,
)
