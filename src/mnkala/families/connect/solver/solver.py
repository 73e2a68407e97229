"""The exact score of any Connect position: the solver's Python side.

The score is enclosed from both ends by yes-or-no questions. Extreme ones come first: they are
answered fast, and a position that is soon won or lost never needs the others (Pons' outward
bisection, here pushed further out). Then comes the question whether the position is won, drawn or
lost, and then the rest.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from mnkala.core import Position, Rules
from mnkala.families.connect.bits import Connect
from mnkala.families.connect.solver.board import (
    BOARDS,
    Shape,
    completing,
    fits,
    has_line,
    score_span,
    shape_for,
)
from mnkala.families.connect.solver.search import CELLS, search, settle
from mnkala.native import kernel, popcount, shared
from mnkala.native.kernels import loading
from mnkala.native.objects import IntArray, WordArray
from mnkala.search.limit import Stop
from mnkala.solve.books import Book, Shelf
from mnkala.solve.solver import Cost, register_solver
from mnkala.solve.table import WAYS, ZERO, signed
from mnkala.solve.table_solver import Board, Boards, Layout, TableSolver, refuse_first
from mnkala.solve.threads import GOING, HALT, HELD, NO_LIMIT, NODES, SIZE, ThreadData

FAR = 4
"""The first questions concern scores beyond a FAR-th of the empty cells."""
ALL_QUESTIONS = np.int64(
    1000
)  # A plain 1000 would have a type of its own, and `close_in` would be compiled again for it.
QUICK_CELLS = 32
"""Up to this many free cells, a question costs milliseconds; with more it may cost seconds."""
WARM_CELLS = 36
"""The same limit if the table has just seen most of what can be asked."""
HASTY_CELLS, SHORT_SECONDS = 34, 2.0
"""With more free cells and less time than this, solving is hopeless."""
SURE_TIMES = 5
"""This many times SHORT_SECONDS are enough for HASTY_CELLS: of 60 positions with 33 free cells
the slowest took 1.3 seconds."""
MOST_CELLS = 44
"""With more free cells than this, solving is hopeless almost always: the empty board of 6 x 7 takes
minutes, and two more cells about three times as long."""
SOON = 9
"""This many plies before a forced end, questions are cheap on every board, because no line of play
is longer."""


@shared
def next_question(lower: int, upper: int, empties: int) -> int:
    """The next number to ask about, between `lower` and `upper - 1`: is the score above it?"""
    far = empties // FAR
    if upper > far and upper >= -lower:
        ask = 2 * upper // 3
    elif -lower > far:
        ask = -(2 * -lower // 3)
    else:
        ask = 0 if upper >= -lower else -1
    return max(lower, min(ask, upper - 1))


@kernel
def close_in(
    own: np.uint64,
    both: np.uint64,
    bounds: IntArray,
    questions: int | np.int64,
    thread: ThreadData,
    shape: Shape,
) -> int:
    """Ask up to `questions` questions and write the bounds of the score for the mover. Return 1 if
    the thread had to halt, else 0."""
    empties = popcount(shape.full & ~both)
    playable = (both + shape.bottom) & shape.full
    if playable != ZERO and completing(own, shape.step, shape.line) & playable != ZERO:
        bounds[0] = bounds[1] = (empties + 1) // 2
        return 0
    decided, value, own, both, left, sign, threats, _ = settle(own, both, empties, shape)
    if decided:
        bounds[0] = bounds[1] = value
        return 0
    lower, upper = (bounds[0], bounds[1]) if sign > 0 else (-bounds[1], -bounds[0])
    lower, upper = max(lower, -((left - 2) // 2)), min(upper, (left - 1) // 2)
    halted = 0
    for _ in range(questions):
        if lower >= upper:
            break
        ask = next_question(lower, upper, left)
        # A literal 0 for the ply would have a type of its own; code cached with such a difference
        # crashed in the next process.
        value = search(own, both, left, ask, threats, ZERO, signed(ZERO), thread, shape)
        if thread.control[HALT] != GOING:
            halted = 1
            break
        if value > ask:
            lower = min(value, upper)
        else:
            upper = max(value, lower)
    bounds[0], bounds[1] = (lower, upper) if sign > 0 else (-upper, -lower)
    return halted


@kernel
def solve_batch(
    owns: WordArray,
    boths: WordArray,
    scores: IntArray,
    nodes: IntArray,
    bounds: IntArray,
    start: int,
    smallest: int,
    thread: ThreadData,
    shape: Shape,
) -> int:
    """Solve positions from `start` on, each with an empty table, until all are done or the thread
    halts; return the index reached."""
    control = thread.control
    for i in range(start, len(owns)):
        if control[HELD] < 0:
            control[SIZE], control[HELD], control[NODES] = smallest, 0, 0
            thread.table[: WAYS << smallest] = ZERO
            thread.history[:] = 0
            bounds[0], bounds[1] = -NO_LIMIT, NO_LIMIT
        if close_in(owns[i], boths[i], bounds, ALL_QUESTIONS, thread, shape) != 0:
            return i
        scores[i], nodes[i] = bounds[0], control[NODES]
        control[HELD] = -1
    return len(owns)


def plies_to_end(score: int, empties: int) -> int:
    """The length of a game that ends with this score for the mover: odd if the mover wins, even if
    the opponent does."""
    if score == 0:
        return empties
    left = 2 * (abs(score) - 1)
    wanted = 1 if score > 0 else 0
    return empties - left if (empties - left) % 2 == wanted else empties - left - 1


@functools.cache
@loading()
def prepare() -> None:
    """Compile or load everything by solving a tiny board in every way. One compiled solver serves
    all boards."""
    rules = Connect(3, 4, 3)
    solver = ConnectSolver(rules, table_mb=1)
    solver.solve(Position(rules))
    solver.batch(np.zeros((1, 2), np.uint64), Stop())
    solver._grow()


@register_solver
class ConnectSolver(TableSolver):
    """The exact solver of Connect on boards of at most 64 bits."""

    name = "connect"
    reach = f"positions with at most {MOST_CELLS} free cells"
    reach_key = "connect.reach"

    @classmethod
    def why_not(cls, rules: Rules) -> str | None:
        return None if fits(rules) else f"the solver of Connect takes {BOARDS}"

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        prepare()

    def layout(self) -> Layout:
        self.shape = shape_for(self.rules)
        return Layout(
            self.shape,
            plies=self.shape.rows * self.shape.cols + 1,
            children=self.shape.cols,
            history=2 * CELLS,
        )

    # ---- Contract ----

    def span(self, position: Position) -> tuple[int, int]:
        return score_span(self.free_cells(position))

    def plies(self, position: Position, score: int) -> int:
        return plies_to_end(score, self.free_cells(position))

    def order(self, position: Position) -> list[int]:
        """The columns, those nearest to the centre first, the left of two equally near ones first."""
        centre = (self.shape.cols - 1) / 2
        return sorted(position.legal_codes, key=lambda move: (abs(move - centre), move))

    def cost(
        self,
        position: Position,
        *,
        score: int | None = None,
        seconds: float | None = None,
        warm: bool = False,
    ) -> Cost:
        """Estimate the cost by the number of free cells, measured on boards of about 6 x 7. Close
        to a forced end every question is cheap."""
        cells = self.free_cells(position)
        if cells <= (WARM_CELLS if warm else QUICK_CELLS):
            return Cost.AT_ONCE
        if score is not None and plies_to_end(score, cells) <= SOON:
            return Cost.AT_ONCE
        hasty = seconds is not None and seconds < SHORT_SECONDS
        return (
            Cost.HOPELESS if cells > (HASTY_CELLS if hasty else MOST_CELLS) else Cost.WORTH_TRYING
        )

    def is_always_sure(self, seconds: float, book: Book | None) -> bool:
        """Whether few enough cells are left where the complete part of the book ends."""
        parts = book.books if isinstance(book, Shelf) else () if book is None else (book,)
        known = max(
            (
                part.depth + 1
                for part in parts
                if all(exact == count for exact, count in part.counts())
            ),
            default=0,
        )
        return self.free_cells(Position(self.rules)) - known <= self.sure_from(seconds)[1]

    def sure_from(self, seconds: float) -> tuple[str, int]:
        return "free_cells", QUICK_CELLS if seconds < SURE_TIMES * SHORT_SECONDS else HASTY_CELLS

    def free_cells(self, position: Position) -> int:
        """The number of empty cells."""
        return self.shape.rows * self.shape.cols - int(position.state().all).bit_count()

    # ---- Kernels ----

    def board(self, position: Position) -> Board:
        state = position.state()
        return np.uint64(state.own), np.uint64(state.all)

    @classmethod
    def check_boards(cls, boards: Boards, rules: Rules) -> None:
        shape = shape_for(rules)
        owns, boths = boards[:, 0], boards[:, 1]
        # Stacked discs cancel in the sum with the bottom row; `has_line` takes arrays as well.
        lined: Any = has_line
        refuse_first(
            "is no board: discs hang or lie outside",
            (boths & (boths + shape.bottom) != 0)
            | (boths & ~shape.full != 0)
            | (owns & ~boths != 0),
        )
        refuse_first(
            "has the wrong number of the mover's discs",
            np.bitwise_count(owns) != np.bitwise_count(boths) // 2,
        )
        refuse_first(
            "is over: there is nothing to solve",
            (boths == shape.full)
            | lined(owns, shape.step, shape.line)
            | lined(owns ^ boths, shape.step, shape.line),
        )

    def close_in(self, board: Board, bounds: IntArray, thread: ThreadData) -> bool:
        return bool(close_in(*board, bounds, 1, thread, self.shape))

    def solve_some(
        self,
        boards: tuple[WordArray, WordArray],
        scores: IntArray,
        nodes: IntArray,
        bounds: IntArray,
        start: int,
        thread: ThreadData,
    ) -> int:
        return int(
            solve_batch(*boards, scores, nodes, bounds, start, self._smallest, thread, self.shape)
        )
