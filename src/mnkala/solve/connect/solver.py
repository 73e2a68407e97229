"""The exact score of any Connect position: the solver's Python side.

The score is closed in from both ends by yes-or-no questions, far-out ones first: they are quickly answered, and a position that is
soon won or lost never needs the others (Pons' outward bisection, here pushed further out). Then comes the result as such, and the
rest. The table starts small and grows with the work, so that an easy question does not pay for clearing a large one.
"""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Iterator

import numpy as np

from mnkala.games import Position, Rules
from mnkala.games.connect_bits import Connect
from mnkala.native import kernel, popcount, shared
from mnkala.native.loading import loading
from mnkala.native.objects import IntArray, WordArray, source_digest
from mnkala.search.helpers import Helpers
from mnkala.search.limit import Stop
from mnkala.solve.connect.lines import ZERO, completing, signed
from mnkala.solve.connect.search import (
    APART,
    BUSY_MASK,
    CELLS,
    FIELDS,
    GOING,
    HALT,
    HELD,
    LARGEST,
    NODE_LIMIT,
    NODES,
    NUMBER,
    SIZE,
    STOPPED,
    TABLE_FULL,
    THREADS,
    ThreadData,
    search,
    settle,
)
from mnkala.solve.connect.shape import BOARDS, Shape, score_span, shape_for
from mnkala.solve.connect.table import WAYS, grow, smallest_size
from mnkala.solve.solution import Solution
from mnkala.solve.solver import TABLE_MB, Cost, Solver, register_solver

NO_LIMIT = 1 << 62
GROWTH = 3
"""The table grows by this power of two."""
FAR = 4
"""Scores beyond a FAR-th of the empty cells are asked for first."""
ALL_QUESTIONS = 1000
QUICK_CELLS = 32
"""With at most so many free cells a question costs milliseconds; with more it may cost seconds."""
WARM_CELLS = 36
"""The same if the table has just seen most of what can be asked."""
HASTY_CELLS, SHORT_SECONDS = 34, 2.0
"""With more free cells and less time there is no hope,"""
MOST_CELLS = 44
"""and with more than this, hardly ever: the empty board of 6 x 7 takes minutes, and two cells more about three times as long."""
SOON = 9
"""So near to a forced end, questions are cheap on every board: no line of play has to be followed further."""


@shared
def next_question(lower: int, upper: int, empties: int) -> int:
    """The number to ask for next: is the score above it? Between `lower` and `upper - 1`."""
    far = empties // FAR
    if upper > far and upper >= -lower:
        ask = 2 * upper // 3
    elif -lower > far:
        ask = -(2 * -lower // 3)
    else:
        ask = 0 if upper >= -lower else -1
    return max(lower, min(ask, upper - 1))


@kernel
def close_in(own: np.uint64, both: np.uint64, bounds: IntArray, questions: int, thread: ThreadData, shape: Shape) -> int:
    """Ask up to `questions` questions and write the bounds of the score for the mover. 1 when the thread had to halt, else 0."""
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
        # A literal 0 for the ply would be a type of its own: code cached with such a drift crashed in the next process.
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
def solve_batch(owns: WordArray, boths: WordArray, scores: IntArray, nodes: IntArray, bounds: IntArray, start: int, smallest: int,
                thread: ThreadData, shape: Shape) -> int:
    """Solve positions from `start` on, each with an empty table, until all are done or the thread halts; answers where it is."""
    control = thread.control
    for i in range(start, len(owns)):
        if control[HELD] < 0:
            control[SIZE], control[HELD], control[NODES] = smallest, 0, 0
            thread.table[:WAYS << smallest] = ZERO
            thread.history[:] = 0
            bounds[0], bounds[1] = -NO_LIMIT, NO_LIMIT
        if close_in(owns[i], boths[i], bounds, ALL_QUESTIONS, thread, shape) != 0:
            return i
        scores[i], nodes[i] = bounds[0], control[NODES]
        control[HELD] = -1
    return len(owns)


def plies_to_end(score: int, empties: int) -> int:
    """How many moves a game lasts that ends with this score for the mover: odd if the mover wins, even if the other does."""
    if score == 0:
        return empties
    left = 2 * (abs(score) - 1)
    wanted = 1 if score > 0 else 0
    return empties - left if (empties - left) % 2 == wanted else empties - left - 1


@functools.cache
@loading()
def prepare() -> None:
    """Compile (or load) everything by solving a tiny board in every way. One compiled solver serves all boards."""
    rules = Connect(3, 4, 3)
    solver = ConnectSolver(rules, table_mb=1)
    solver.solve(Position(rules))
    solver.batch(np.zeros(1, np.uint64), np.zeros(1, np.uint64), Stop())
    solver._grow()


@functools.cache
def _digest() -> str:
    return source_digest(__name__)


@register_solver
class ConnectSolver(Solver):
    """Connect on boards of at most 64 bits."""

    name = "connect"
    reach = f"positions with at most {MOST_CELLS} free cells"

    @classmethod
    def why_not(cls, rules: Rules) -> str | None:
        if isinstance(rules, Connect):
            return None
        return f"the solver of Connect takes {BOARDS}"

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        prepare()

    @classmethod
    def combination(cls, rules: Rules) -> str:
        return f"{cls.name} {_digest()}"

    def __init__(self, rules: Rules, *, threads: int = 1, table_mb: int = TABLE_MB) -> None:
        super().__init__(rules, threads=threads, table_mb=table_mb)
        self.shape = shape_for(rules)
        self._smallest = smallest_size(self.shape)
        self._largest = max(self._smallest, (max(1, table_mb) * 2**20 // (8 * WAYS)).bit_length() - 1)
        # Memory that is never touched is never taken: the system hands out pages on first use.
        self._table = np.empty(WAYS << self._largest, dtype=np.uint64)
        self._answered = np.zeros(1, dtype=np.int64)
        self._busy = np.zeros(int(BUSY_MASK) + 1, dtype=np.uint64)
        self._paths = np.zeros(CELLS * max(1, threads), dtype=np.uint64)
        self._leave = np.zeros(APART * max(1, threads), dtype=np.int64)
        self._threads = [self._make_thread(number) for number in range(max(1, threads))]
        self._counters = [thread.control[NODES:] for thread in self._threads]
        for thread in self._threads:
            thread.control[THREADS] = len(self._threads)
        self.clear()

    # ---- Questions ----

    def steps(self, position: Position, *, within: tuple[int, int] | None = None, weak: bool = False, stop: Stop | None = None,
              nodes: int | None = None) -> Iterator[Solution]:
        """See `Solver`: a step for every yes-or-no question."""
        self.check(position)
        state = position.state()
        own, both = np.uint64(state.own), np.uint64(state.all)
        started = time.perf_counter()
        stop = stop or Stop()
        for thread, counter in zip(self._threads, self._counters, strict=True):
            thread.control[NODES], thread.control[NODE_LIMIT] = 0, nodes or NO_LIMIT
            stop.watch(counter)
        low, high = self.span(position)
        asked = (low, high) if within is None else (max(low, within[0]), min(high, within[1]))
        if weak:
            asked = max(asked[0], -1), min(asked[1], 1)
        bounds = np.array(asked, dtype=np.int64)
        going = True
        while going:
            answered = self._ask(own, both, bounds, stop)
            going = answered and bounds[0] < bounds[1]
            # A bound that was not moved is no news, only where the question started from.
            lower = int(bounds[0]) if bounds[0] > asked[0] or bounds[0] == bounds[1] < asked[0] else low
            upper = int(bounds[1]) if bounds[1] < asked[1] or bounds[0] == bounds[1] > asked[1] else high
            spent = sum(int(counter[0]) for counter in self._counters)
            yield self.solution(position, lower, upper, nodes=spent, seconds=time.perf_counter() - started)

    def span(self, position: Position) -> tuple[int, int]:
        return score_span(self.free_cells(position))

    def plies(self, position: Position, score: int) -> int:
        return plies_to_end(score, self.free_cells(position))

    def order(self, position: Position) -> list[int]:
        """The nearest to the centre first, the left one of two."""
        centre = (self.shape.cols - 1) / 2
        return sorted(position.legal_codes, key=lambda move: (abs(move - centre), move))

    def cost(self, position: Position, *, score: int | None = None, seconds: float | None = None, warm: bool = False) -> Cost:
        """By the number of free cells, measured on boards of about 6 x 7; and so near to a forced end that no line goes on for long, every
        question is cheap."""
        cells = self.free_cells(position)
        if cells <= (WARM_CELLS if warm else QUICK_CELLS):
            return Cost.AT_ONCE
        if score is not None and plies_to_end(score, cells) <= SOON:
            return Cost.AT_ONCE
        hasty = seconds is not None and seconds < SHORT_SECONDS
        return Cost.HOPELESS if cells > (HASTY_CELLS if hasty else MOST_CELLS) else Cost.WORTH_TRYING

    def free_cells(self, position: Position) -> int:
        """Cells without a disc."""
        return self.shape.rows * self.shape.cols - int(position.state().all).bit_count()

    def clear(self) -> None:
        """Forget everything."""
        self._table[:WAYS << self._smallest] = ZERO
        for thread in self._threads:
            thread.control[SIZE], thread.control[HELD] = self._smallest, 0
            thread.history[:] = 0

    def held(self) -> int:
        """Positions in the table, about."""
        return sum(int(thread.control[HELD]) for thread in self._threads)

    # ---- Work ----

    def _make_thread(self, number: int) -> ThreadData:
        # Larger than needed: counters of two threads in one cache line would slow both down.
        control = np.zeros(64, dtype=np.int64)
        control[LARGEST], control[NODE_LIMIT], control[NUMBER], control[THREADS] = self._largest, NO_LIMIT, number, 1
        stack = (self.shape.rows * self.shape.cols + 1) * self.shape.cols * FIELDS
        return ThreadData(np.zeros(stack, np.uint64), np.zeros(stack, np.int64), control, np.zeros(1, np.int64), self._answered,
                          self._table, self._busy, self._paths, self._leave, np.zeros(2 * CELLS, np.int64))

    def _ask(self, own: np.uint64, both: np.uint64, bounds: IntArray, stop: Stop) -> bool:
        """One question to every thread at once; the first answer ends the others' work. False when it was stopped from outside."""
        while True:
            self._answered[0] = 0
            self._busy[:] = ZERO
            self._paths[:] = ZERO
            self._leave[:] = 0
            for thread in self._threads:
                thread.control[HALT] = GOING
            answers = [bounds.copy() for _ in self._threads]
            halted = [True] * len(self._threads)

            def work(number: int, answers: list[IntArray] = answers, halted: list[bool] = halted) -> None:
                thread = dataclasses.replace(self._threads[number], stop=stop.flag)
                halted[number] = bool(close_in(own, both, answers[number], 1, thread, self.shape))
                self._answered[0] = 1

            others = Helpers(functools.partial(work, number) for number in range(1, len(self._threads)))
            work(0)
            others.join()
            for number in range(len(self._threads)):
                if not halted[number]:
                    bounds[:] = answers[number]
                    return True
            if not any(thread.control[HALT] == TABLE_FULL for thread in self._threads):
                return False
            self._grow()

    def _grow(self) -> None:
        size = int(self._threads[0].control[SIZE])
        larger = min(size + GROWTH, self._largest)
        held = int(grow(self._table, size, larger, self.shape))
        for thread in self._threads:
            thread.control[SIZE], thread.control[HELD] = larger, held // len(self._threads)

    # ---- Many positions ----

    def batch(self, owns: WordArray, boths: WordArray, stop: Stop) -> tuple[IntArray, IntArray]:
        """The score and the nodes of many positions, each solved with an empty table in this thread, until `stop`."""
        thread = dataclasses.replace(self._threads[0], stop=stop.flag)
        control = thread.control
        scores, nodes = np.zeros(len(owns), np.int64), np.zeros(len(owns), np.int64)
        bounds = np.zeros(2, np.int64)
        control[HELD], control[HALT], control[NODE_LIMIT] = -1, GOING, NO_LIMIT
        at = 0
        while True:
            at = int(solve_batch(owns, boths, scores, nodes, bounds, at, self._smallest, thread, self.shape))
            if at == len(owns) or control[HALT] == STOPPED:
                break
            control[HALT] = GOING
            self._grow()
        self.clear()
        return scores[:at], nodes[:at]
