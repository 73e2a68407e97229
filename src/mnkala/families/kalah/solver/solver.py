"""The exact margin of any Kalah position: the solver's Python side.

The margin is guessed by looking ahead, and the questions begin there: is it above the guess? They
move upwards or downwards from the answer, as in Plaat's MTD(f) (1996), until the margin lies
between two of them. The table keeps what they have in common.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Iterator

import numpy as np

from mnkala.core import Position, Rules
from mnkala.families.kalah.rules import ZERO, Kalah, seeds_in, sum_of
from mnkala.families.kalah.solver.board import MOST_SEEDS, Board, board_for, number_of
from mnkala.families.kalah.solver.database import NOTHING, open_database
from mnkala.families.kalah.solver.search import DEEPEST, LOOK, ROOM, search, settle
from mnkala.families.kalah.solver.shallow_search import (
    HUNDRED,
    MEMORY_BITS,
    SMALL_MEMORY_BITS,
    look_ahead,
)
from mnkala.native import kernel, shared
from mnkala.native.kernels import loading
from mnkala.native.objects import IntArray, WordArray
from mnkala.search.limit import Stop
from mnkala.solve.books import Book
from mnkala.solve.solver import TABLE_MB, Cost, Step, register_solver
from mnkala.solve.table import WAYS, signed
from mnkala.solve.table_solver import Board as Words
from mnkala.solve.table_solver import Boards, Layout, TableSolver, refuse_first
from mnkala.solve.threads import (
    GOING,
    HALT,
    HELD,
    MEMORY,
    NO_LIMIT,
    NODES,
    SIZE,
    ThreadData,
)

ALL_QUESTIONS = np.int64(
    1000
)  # A plain 1000 would have a type of its own, and `close_in` would be compiled again for it.
NO_GUESS = NO_LIMIT
"""The value of `bounds[2]` before there is a guess."""
GUESS_DEPTH, SEEDS_A_MOVE = 8, 3
"""The most moves that the first guess looks ahead, and for how many seeds beyond the database it
looks ahead a move more: near the end looking ahead would cost more than it saves."""
AT_ONCE, WARM_SEEDS = 0.005, 4
"""The seconds that an immediate answer usually takes, and by how many more seeds such positions may
have if the table has just seen most of what can be asked."""
USUAL_SEEDS, USUAL_SECONDS, A_SEED_MORE, A_SEED_KNOWN = 30, 0.012, 1.37, 1.1
"""A margin with USUAL_SEEDS seeds in the houses usually takes USUAL_SECONDS, multiplied by
A_SEED_MORE for each further seed and divided by A_SEED_KNOWN for each seed that the database
covers. Measured on boards of six houses."""
SURELY, HARDLY = 4, 2
"""Nine positions of ten take less than SURELY times the usual time. If even HARDLY times the usual
time is too long, there is little hope, because the caller keeps some of the clock for a second
opinion."""
CERTAINLY = 40
"""No position takes more than so many times the usual time: of 100 with 38 seeds the slowest took
six times as long."""
REACH = 48
"""With more seeds than this nobody would wait: six houses of four seeds take half a minute."""


@shared
def next_question(lower: int, upper: int, guess: int) -> int:
    """The next number to ask about, between `lower` and `upper - 1`: is the margin above it?"""
    if upper <= guess:
        return max(lower, upper - 2)
    return max(lower, min(guess, upper - 1))


@kernel
def close_in(
    own: np.uint64,
    other: np.uint64,
    bounds: IntArray,
    questions: int | np.int64,
    rules: Kalah,
    board: Board,
    thread: ThreadData,
) -> int:
    """Ask up to `questions` questions and write the bounds of the margin to come for the mover.
    Return 1 if the thread had to halt, else 0.

    `bounds[2]` keeps the guess between questions.
    """
    over, certain, sign, own, other, left = settle(
        own, other, signed(sum_of(own)) + signed(sum_of(other)), rules
    )
    if over:
        bounds[0] = bounds[1] = certain
        return 0
    lower, upper = (
        (bounds[0] - certain, bounds[1] - certain)
        if sign > 0
        else (certain - bounds[1], certain - bounds[0])
    )
    lower, upper = max(lower, -left), min(upper, left)
    if left <= board.known:
        lower = upper = int(board.database[number_of(own, other, board)])
    halted = 0
    for _ in range(questions):
        if lower >= upper:
            break
        if bounds[2] == NO_GUESS:
            bounds[2] = guess(own, other, left, lower, upper, rules, board, thread)
        ask = next_question(lower, upper, bounds[2])
        value = search(own, other, left, ask, ZERO, ZERO, signed(ZERO), rules, board, thread)
        if thread.control[HALT] != GOING:
            halted = 1
            break
        if value > ask:
            lower = min(value, upper)
        else:
            upper = max(value, lower)
    bounds[0], bounds[1] = (
        (certain + lower, certain + upper) if sign > 0 else (certain - upper, certain - lower)
    )
    return halted


@shared
def guess(
    own: np.uint64,
    other: np.uint64,
    seeds: int,
    lower: int,
    upper: int,
    rules: Kalah,
    board: Board,
    thread: ThreadData,
) -> int:
    """Guess slightly below the margin, so that the first answer is likely to be yes: by bisection,
    looking ahead for each half."""
    low, high = max(lower, -seeds), min(upper, seeds)
    depth = min(GUESS_DEPTH, (seeds - board.known) // SEEDS_A_MOVE)
    ply = signed(ZERO)  # A literal would have a type of its own; code cached so crashed.
    while high - low > 2:
        middle = (low + high) // 2
        if (
            look_ahead(own, other, seeds, depth, HUNDRED * middle, ply, rules, board, thread)
            > HUNDRED * middle
        ):
            low = middle
        else:
            high = middle
    return low - (low + seeds) % 2


@kernel
def solve_batch(
    owns: WordArray,
    others: WordArray,
    margins: IntArray,
    nodes: IntArray,
    bounds: IntArray,
    start: int,
    smallest: int,
    rules: Kalah,
    board: Board,
    thread: ThreadData,
) -> int:
    """Solve positions from `start` on, each with an empty table, until all are done or the thread
    halts; return the index reached."""
    control = thread.control
    for i in range(start, len(owns)):
        if control[HELD] < 0:
            control[SIZE], control[HELD], control[NODES] = smallest, 0, 0
            thread.table[: WAYS << smallest] = ZERO
            seeds = signed(sum_of(owns[i])) + signed(sum_of(others[i]))
            control[MEMORY] = MEMORY_BITS if seeds >= LOOK else SMALL_MEMORY_BITS
            thread.history[: 1 << control[MEMORY]] = 0
            bounds[0], bounds[1], bounds[2] = -NO_LIMIT, NO_LIMIT, NO_GUESS
        if close_in(owns[i], others[i], bounds, ALL_QUESTIONS, rules, board, thread) != 0:
            return i
        margins[i], nodes[i] = bounds[0], control[NODES]
        control[HELD] = -1
    return len(owns)


@functools.cache
@loading()
def prepare() -> None:
    """Compile or load everything by solving a tiny board in every way. One compiled solver serves
    all boards."""
    rules = Kalah(2, 2)
    solver = KalahSolver(rules, table_mb=1)
    solver.solve(Position(rules))
    solver.batch(np.array([rules.start()], np.uint64), Stop())
    solver._grow()


@register_solver
class KalahSolver(TableSolver):
    """The exact solver of Kalah on any board, as far as the number of seeds in play allows."""

    name = "kalah"
    reach = f"positions with at most {REACH} seeds in the houses"
    reach_key = "kalah.reach"
    rules: Kalah

    @classmethod
    def why_not(cls, rules: Rules) -> str | None:
        return (
            None
            if isinstance(rules, Kalah)
            else "the solver of Kalah takes Kalah of any size, under both rules of capture"
        )

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        prepare()

    def __init__(
        self, rules: Rules, *, threads: int = 1, table_mb: int = TABLE_MB, database: bool = True
    ) -> None:
        """Make a solver; `database` says whether to use the endgame database if there is one.
        Scores are the same without it."""
        self._use_database = database
        super().__init__(rules, threads=threads, table_mb=table_mb)

    def clear(self) -> None:
        for thread in self._threads:
            thread.control[MEMORY] = MEMORY_BITS
        super().clear()

    def layout(self) -> Layout:
        known = open_database(self.rules) if self._use_database else NOTHING
        self.houses = dataclasses.replace(
            board_for(self.rules), known=known.seeds, database=known.margins
        )
        return Layout(
            self.houses, plies=DEEPEST + ROOM, children=self.houses.houses, history=1 << MEMORY_BITS
        )

    # ---- Contract ----

    def steps(
        self,
        position: Position,
        *,
        within: tuple[int, int] | None = None,
        weak: bool = False,
        stop: Stop | None = None,
        nodes: int | None = None,
    ) -> Iterator[Step]:
        """A step for every yes-or-no question. Where there are too many seeds, a single step
        excludes nothing."""
        self.check(position)
        if self.seeds(position) > MOST_SEEDS:
            yield self.step(position, *self.span(position))
            return
        yield from super().steps(position, within=within, weak=weak, stop=stop, nodes=nodes)

    def span(self, position: Position) -> tuple[int, int]:
        gained, seeds = self.gained(position), self.seeds(position)
        return gained - seeds, gained + seeds

    def order(self, position: Position) -> list[int]:
        """The moves: extra turns first, then captures by their size, then the others from the store
        backwards."""
        state = position.state()
        return sorted(position.legal_codes, key=lambda move: -self.rules.prior(state, move))

    def cost(
        self,
        position: Position,
        *,
        score: int | None = None,
        seconds: float | None = None,
        warm: bool = False,
    ) -> Cost:
        """Estimate the cost by the number of seeds in play. What lies beyond all margins is known
        at once."""
        low, high = self.span(position)
        if (score is not None and not low <= score < high) or self.usual_seconds(
            position, warm=warm
        ) <= AT_ONCE:
            return Cost.AT_ONCE
        late = seconds is not None and HARDLY * self.usual_seconds(position) > seconds
        return Cost.HOPELESS if late or self.seeds(position) > REACH else Cost.WORTH_TRYING

    def is_sure(self, position: Position, seconds: float) -> bool:
        return SURELY * self.usual_seconds(position) <= seconds

    def is_always_sure(self, seconds: float, book: Book | None) -> bool:
        """Whether so few seeds are on the board at the start; a book ends where many still are."""
        return self.seeds(Position(self.rules)) <= self.sure_from(seconds)[1]

    def sure_from(self, seconds: float) -> tuple[str, int]:
        return "seeds", USUAL_SEEDS + int(
            math.log(seconds / (CERTAINLY * USUAL_SECONDS), A_SEED_MORE)
        )

    def usual_seconds(self, position: Position, *, warm: bool = False) -> float:
        """The time that the margin of a position usually takes."""
        more = self.seeds(position) - (WARM_SEEDS if warm else 0) - USUAL_SEEDS
        return float(USUAL_SECONDS * A_SEED_MORE**more / A_SEED_KNOWN**self.houses.known)

    def seeds(self, position: Position) -> int:
        """The number of seeds in the houses."""
        return sum(map(int, map(sum_of, self.board(position))))

    def look(self, position: Position) -> int:
        """Guess the margin to come for the mover by looking a few moves ahead."""
        seeds = self.seeds(position)
        return int(
            guess(
                *self.board(position),
                seeds,
                -seeds,
                seeds,
                self.rules,
                self.houses,
                self._threads[0],
            )
        )

    # ---- Kernels ----

    def board(self, position: Position) -> Words:
        state = position.state()
        return np.uint64(state.own), np.uint64(state.other)

    def gained(self, position: Position) -> int:
        """The lead in the stores, for the mover."""
        stores = position.state().stores
        return seeds_in(stores, 0) - seeds_in(stores, 1)

    @classmethod
    def check_boards(cls, boards: Boards, rules: Rules) -> None:
        assert isinstance(rules, Kalah)
        seeds = (
            np.ascontiguousarray(boards).view(np.uint8).reshape(len(boards), 3, 8).astype(np.int64)
        )
        refuse_first(
            "is no board: there are seeds beyond its houses",
            seeds[:, :2, rules.houses :].any(axis=(1, 2)),
        )
        refuse_first(
            "is no board: the third word holds two stores, and bit 16 for the second player",
            (seeds[:, 2, 2] > 1) | seeds[:, 2, 3:].any(axis=1),
        )
        rows = seeds[:, :2].sum(axis=2)
        refuse_first("is over: there is nothing to solve", (rows == 0).any(axis=1))
        refuse_first(
            f"has more than {MOST_SEEDS} seeds in its houses, which the solver does not take",
            rows.sum(axis=1) > MOST_SEEDS,
        )

    def gains(self, boards: Boards) -> IntArray:
        stores = boards[:, 2].astype(np.int64)
        return (stores & 255) - (stores >> 8 & 255)

    def close_in(self, board: Words, bounds: IntArray, thread: ThreadData) -> bool:
        return bool(close_in(*board, bounds, 1, self.rules, self.houses, thread))

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
            solve_batch(
                *boards,
                scores,
                nodes,
                bounds,
                start,
                self._smallest,
                self.rules,
                self.houses,
                thread,
            )
        )
