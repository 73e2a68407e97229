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
from mnkala.families.connect.rules import ConnectRules, WideConnect, build
from mnkala.families.connect.solver.board import (
    LARGEST_BITS,
    Shape,
    completing,
    has_line,
    has_solver,
    score_span,
    shape_of,
)
from mnkala.families.connect.solver.search import CELLS, search, settle
from mnkala.native import Wide, kernel, load, popcount, shared, width
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
MOST_OF_ONE_WORD, NARROWING = 63, 4
"""With more cells than a board of one word has, even those questions are dear; then each takes off
so much."""
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
    if empties > MOST_OF_ONE_WORD and max(upper, -lower) > far:
        ask = upper - NARROWING if upper >= -lower else lower + NARROWING - 1
    elif upper > far and upper >= -lower:
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
        value = search(own, both, left, ask, threats, own & ZERO, signed(ZERO), thread, shape)
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
    control, like = thread.control, shape.full
    for i in range(start, len(scores)):
        if control[HELD] < 0:
            if control[NODES] > 0 or i == start:  # Most late positions take no node.
                thread.table[: (WAYS << smallest) * width(like)] = ZERO
                thread.history[:] = 0
            control[SIZE], control[HELD], control[NODES] = smallest, 0, 0
            bounds[0], bounds[1] = -NO_LIMIT, NO_LIMIT
        own, both = load(owns, i, like), load(boths, i, like)
        if close_in(own, both, bounds, ALL_QUESTIONS, thread, shape) != 0:
            return i
        scores[i], nodes[i] = bounds[0], control[NODES]
        control[HELD] = -1
    return len(scores)


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
def prepare(wide: bool) -> None:
    """Compile or load everything by solving a tiny board in every way. One compiled solver serves
    all boards of one word, another one those of two."""
    rules = build(40, 2, 2) if wide else Connect(3, 4, 3)
    solver = ConnectSolver(rules, table_mb=1)
    solver.solve(Position(rules))
    solver.batch(np.zeros((1, 2 * width(solver.shape.full)), np.uint64), Stop())
    solver._grow()


def is_wide(rules: Rules) -> bool:
    """Whether the board takes the kernels for two words."""
    return has_solver(rules) and width(shape_of(rules.rows, rules.cols, rules.line).full) > 1


@register_solver
class ConnectSolver(TableSolver):
    """The exact solver of Connect on boards of at most 127 bits."""

    name = "connect"
    reach = f"positions with at most {MOST_CELLS} free cells"
    reach_key = "connect.reach"

    @classmethod
    def why_not(cls, rules: Rules) -> str | None:
        if has_solver(rules):
            return None
        return (
            f"the solver of Connect takes boards with columns x (rows + 1) of at most "
            f"{LARGEST_BITS}, such as connect4:10x11"
        )

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        return isinstance(rules, ConnectRules)

    @classmethod
    def kernel_key(cls, rules: Rules) -> str:
        return f"{super().kernel_key(rules)}{' wide' if is_wide(rules) else ''}"

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        prepare(is_wide(rules))

    def layout(self) -> Layout:
        self.shape = _shape(self.rules)
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
        rules: Any = self.rules
        return self.shape.rows * self.shape.cols - int(rules.discs(position.state()))

    # ---- Kernels ----

    def board(self, position: Position) -> Board:
        own, both = _masks(position)
        word: Any = type(self.shape.full)
        return word(own), word(both)

    @classmethod
    def words(cls, position: Position) -> tuple[int, ...]:
        each = _masks(position)
        if not is_wide(position.rules):
            return each
        return tuple(part for word in map(Wide, each) for part in (word.low, word.high))

    @classmethod
    def check_boards(cls, boards: Boards, rules: Rules) -> None:
        shape = _shape(rules)
        if not is_wide(rules):
            faults = _faults(boards[:, 0], boards[:, 1], shape, np.bitwise_count)
            for fault, found in faults.items():
                refuse_first(fault, found)
            return
        like = shape.full
        for number, row in enumerate(boards):
            faults = _faults(load(row, 0, like), load(row, 1, like), shape, popcount)
            for fault, found in faults.items():
                refuse_first(fault, np.arange(len(boards)) == number if found else False)

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


def _shape(rules: Rules) -> Shape:
    assert isinstance(rules, ConnectRules)
    return shape_of(rules.rows, rules.cols, rules.line)


def _faults(own: Any, both: Any, shape: Shape, count: Any) -> dict[str, Any]:
    """What is wrong with a board, or with every board of two arrays."""
    # Stacked discs cancel in the sum with the bottom row.
    outside = (both & (both + shape.bottom)) | (both & ~shape.full) | (own & ~both)
    over = has_line(own, shape.step, shape.line) | has_line(own ^ both, shape.step, shape.line)
    return {
        "is no board: discs hang or lie outside": outside != ZERO,
        "has the wrong number of the mover's discs": count(own) != count(both) // 2,
        "is over: there is nothing to solve": over | (both == shape.full),
    }


def _masks(position: Position) -> tuple[int, int]:
    """The mover's discs and all discs, in the encoding of `bits.py`."""
    rules, state = position.rules, position.state()
    if not isinstance(rules, WideConnect):
        return int(state.own), int(state.all)
    columns = np.pad(state.cells.reshape(rules.rows, rules.cols), ((0, 1), (0, 0))).T
    own, both = (
        int.from_bytes(np.packbits(cells, bitorder="little").tobytes(), "little")
        for cells in (columns == 1 + rules.mover(state), columns != 0)
    )
    return own, both
