"""The Python side of a solver that closes in on a score by yes-or-no questions, on one table, in
one or more threads.

The table starts small and grows with the work, so that an easy question does not pay for clearing a
large one. A kernel that finds it full halts, the table is moved, and the question is asked again.
"""

from __future__ import annotations

import abc
import concurrent.futures
import dataclasses
import functools
import os
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mnkala.core import Position, Record, Rules, parse_game
from mnkala.core.registry import sound_game_names
from mnkala.errors import BadPosition
from mnkala.native import width
from mnkala.native.objects import IntArray, WordArray, source_digest
from mnkala.search.limit import Stop
from mnkala.search.runner import Helpers
from mnkala.solve.solver import TABLE_MB, Solver, Step, find_solver
from mnkala.solve.table import WAYS, ZERO, Keys, grow, keys_in, smallest_size
from mnkala.solve.threads import (
    FIELDS,
    GOING,
    HALT,
    HELD,
    NO_LIMIT,
    NODE_LIMIT,
    NODES,
    SIZE,
    STOPPED,
    TABLE_FULL,
    ThreadData,
    begin_question,
    make_threads,
)

Boards = np.ndarray[Any, np.dtype[np.uint64]]
"""An array of states, at [position, word of its state]."""
GROWTH = 3
"""The factor by which the table grows, as a power of two."""
Board = tuple[np.uint64, np.uint64]
"""A position in the form that a kernel takes."""


@dataclasses.dataclass(frozen=True)
class Layout:
    """The room that a solver needs."""

    keys: Keys
    plies: int
    """The number of positions on a path whose children the stack can hold."""
    children: int
    """The most children of a position."""
    history: int
    """The number of places in `ThreadData.history`."""


@functools.cache
def _digest(module: str) -> str:
    """A text that differs for different states of a solver's kernels and of what is shared here."""
    return f"{source_digest(module)} {source_digest(__name__)}"


class TableSolver(Solver):
    """Base class of the solvers of Connect and Kalah."""

    @classmethod
    def kernel_key(cls, rules: Rules) -> str:
        return f"{cls.name} {_digest(cls.__module__)}"

    def __init__(self, rules: Rules, *, threads: int = 1, table_mb: int = TABLE_MB) -> None:
        super().__init__(rules, threads=threads, table_mb=table_mb)
        layout = self.layout()
        self.keys = keys = layout.keys
        self._smallest, words = smallest_size(keys), width(keys.mask)
        self._bucket = WAYS * words
        self._largest = min(
            int(keys.bits),
            max(self._smallest, (max(1, table_mb) * 2**20 // (8 * self._bucket)).bit_length() - 1),
        )
        # Memory that is never touched is never taken: the system hands out pages on first use.
        self._table = np.empty(self._bucket << self._largest, dtype=np.uint64)
        self._threads = make_threads(
            max(1, threads) if words == 1 else 1,  # see `solve.table`
            layout.plies * layout.children * FIELDS * words,
            layout.history,
            self._table,
            self._largest,
        )
        self._counters = [thread.control[NODES:] for thread in self._threads]
        self.clear()

    # ---- What each solver of this kind implements ----

    @abc.abstractmethod
    def layout(self) -> Layout:
        """The room that it needs; called once, when the rules are known to fit."""

    @abc.abstractmethod
    def board(self, position: Position) -> Board:
        """A position in the form that the kernels take."""

    def gained(self, position: Position) -> int:
        """The part of the score that the kernels do not compute."""
        return 0

    @classmethod
    def words(cls, position: Position) -> tuple[int, ...]:
        """A position as a row of an array of states."""
        return tuple(position.state())

    @classmethod
    @abc.abstractmethod
    def check_boards(cls, boards: Boards, rules: Rules) -> None:
        """Raise BadPosition, with its number, for the first state of an array that is not a
        position to be solved."""

    def gains(self, boards: Boards) -> IntArray:
        """The part of the score that the kernels do not compute (`gained`), for every state of an
        array."""
        return np.zeros(len(boards), np.int64)

    @abc.abstractmethod
    def close_in(self, board: Board, bounds: IntArray, thread: ThreadData) -> bool:
        """Ask one question, which narrows the two bounds; a third number is the kernel's own,
        NO_LIMIT before the first question. Return whether the thread had to halt."""

    @abc.abstractmethod
    def solve_some(
        self,
        boards: tuple[WordArray, WordArray],
        scores: IntArray,
        nodes: IntArray,
        bounds: IntArray,
        start: int,
        thread: ThreadData,
    ) -> int:
        """Solve boards from `start` on, each with an empty table, until all are done or the
        thread halts; return the index reached."""

    # ---- Questions ----

    def steps(
        self,
        position: Position,
        *,
        within: tuple[int, int] | None = None,
        weak: bool = False,
        stop: Stop | None = None,
        nodes: int | None = None,
    ) -> Iterator[Step]:
        """Yield a step for every yes-or-no question, each of which asks whether the score is above
        a number; the arguments are those of `Solver.steps`."""
        self.check(position)
        started = time.perf_counter()
        stop = stop or Stop()
        for thread, counter in zip(self._threads, self._counters, strict=True):
            thread.control[NODES], thread.control[NODE_LIMIT] = 0, nodes or NO_LIMIT
            stop.watch(counter)
        board, gained = self.board(position), self.gained(position)
        low, high = self.span(position)
        asked = (low, high) if within is None else (max(low, within[0]), min(high, within[1]))
        if weak:
            asked = max(asked[0], -1), min(asked[1], 1)
        bounds = np.array((asked[0] - gained, asked[1] - gained, NO_LIMIT), dtype=np.int64)
        going = True
        while going:
            answered = self._ask(board, bounds, stop)
            going = answered and bounds[0] < bounds[1]
            found = int(bounds[0]) + gained, int(bounds[1]) + gained
            # A bound that was not moved is no news, only where the question started from.
            lower = found[0] if found[0] > asked[0] or found[0] == found[1] < asked[0] else low
            upper = found[1] if found[1] < asked[1] or found[0] == found[1] > asked[1] else high
            spent = sum(int(counter[0]) for counter in self._counters)
            yield self.step(
                position, lower, upper, nodes=spent, seconds=time.perf_counter() - started
            )

    def clear(self) -> None:
        """Forget everything that was learnt."""
        self._table[: self._bucket << self._smallest] = ZERO
        for thread in self._threads:
            thread.control[SIZE], thread.control[HELD] = self._smallest, 0
            thread.history[:] = 0

    def held(self) -> int:
        """The approximate number of positions in the table."""
        return sum(int(thread.control[HELD]) for thread in self._threads)

    def keys_held(self) -> WordArray:
        """The keys of the positions in the table."""
        return keys_in(self._table, int(self._threads[0].control[SIZE]), self.keys)

    def _ask(self, board: Board, bounds: IntArray, stop: Stop) -> bool:
        """Ask one question in every thread at once; the first answer ends the work of the
        others. Return False if it was stopped from outside."""
        while True:
            begin_question(self._threads)
            answers = [bounds.copy() for _ in self._threads]
            halted = [True] * len(self._threads)

            def work(
                number: int, answers: list[IntArray] = answers, halted: list[bool] = halted
            ) -> None:
                thread = dataclasses.replace(self._threads[number], stop=stop.flag)
                halted[number] = self.close_in(board, answers[number], thread)
                thread.answered[0] = 1

            others = Helpers(
                functools.partial(work, number) for number in range(1, len(self._threads))
            )
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
        held = int(grow(self._table, size, larger, self.keys))
        for thread in self._threads:
            thread.control[SIZE], thread.control[HELD] = larger, held // len(self._threads)

    # ---- Many positions ----

    def batch(self, boards: Boards, stop: Stop) -> tuple[IntArray, IntArray]:
        """The scores of many boards, and their nodes, each solved with an empty table in this
        thread, until `stop` is set."""
        words = self._bucket // WAYS
        first, second = (
            np.ascontiguousarray(boards[:, at : at + words]).reshape(-1) for at in (0, words)
        )
        thread = dataclasses.replace(self._threads[0], stop=stop.flag)
        control = thread.control
        scores, nodes = np.zeros(len(boards), np.int64), np.zeros(len(boards), np.int64)
        bounds = np.zeros(3, np.int64)
        control[HELD], control[HALT], control[NODE_LIMIT] = -1, GOING, NO_LIMIT
        at = 0
        while True:
            at = self.solve_some((first, second), scores, nodes, bounds, at, thread)
            if at == len(boards) or control[HALT] == STOPPED:
                break
            control[HALT] = GOING
            self._grow()
        self.clear()
        return scores[:at] + self.gains(boards[:at]), nodes[:at]


# ---- Many positions at once, on all cores, for labelling data sets ----
#
# Each position is solved with an empty table, so that its answer and its node count depend on
# nothing else. Threads share the work in slices; compiled code runs without the interpreter's lock.


SLICE = 8
"""The number of positions that a thread takes at a time."""
BATCH_TABLE_MB = 128


def solve_many(
    positions: Sequence[Position] | Sequence[str] | Boards,
    game: str | Rules,
    *,
    threads: int | None = None,
    stop: Stop | None = None,
) -> IntArray:
    """The exact scores of many positions of a game with a solver for that (Connect, Kalah), in
    order, each for its mover.

    Positions are `Position`s, strings (moves, or `@LITERAL` and moves from there), or an array of
    their states, a row each. For Connect it is uint64[n, 2]: the mover's discs and all discs, bit
    `column * (rows + 1) + row`, or uint64[n, 4] on a board of more than 64 such bits, the lower half
    of each before the upper. For Kalah it is uint64[n, 3]: the mover's houses and the other's, a
    byte each, house 1 in the lowest, and the stores, the mover's in the lowest byte and the other's
    in the next. A raised `stop` ends it early: the answer is then shorter.
    """
    rules = parse_game(game) if isinstance(game, str) else game
    boards = boards_of(positions, rules)
    parts = list(solve_slices(boards, rules, threads=threads, stop=stop))
    return np.concatenate([scores for scores, _ in parts]) if parts else np.zeros(0, np.int64)


def solves_many(rules: Rules) -> type[TableSolver] | None:
    """The solver that takes many positions of a game at once, or None."""
    found = find_solver(rules)
    return found if found is not None and issubclass(found, TableSolver) else None


def boards_of(positions: Sequence[Position] | Sequence[str] | Boards, rules: Rules) -> Boards:
    """The state of every position, one in each row; BadPosition names the first that cannot be
    solved."""
    solver = solves_many(rules)
    if solver is None:
        games = [
            game
            for name in sound_game_names()
            for game in name.names
            if solves_many(parse_game(game)) is not None
        ]
        raise BadPosition(
            f"many positions at once are solved of {', '.join(games)}, not of {rules.game_string()}"
        )
    words = len(solver.words(Position(rules)))
    if isinstance(positions, np.ndarray):
        boards = positions
        if boards.ndim != 2 or boards.shape[1] != words or boards.dtype != np.uint64:
            raise BadPosition(
                f"boards of shape {boards.shape} and type {boards.dtype}; an array of uint64[n, {words}] is needed"
            )
    else:
        boards = np.zeros((len(positions), words), np.uint64)
        for i, given in enumerate(positions):
            try:
                boards[i] = solver.words(_position(given, rules))
            except Exception as error:
                raise BadPosition(f"position {i + 1}: {error}") from error
    solver.check_boards(boards, rules)
    return boards


def _position(given: object, rules: Rules) -> Position:
    position = (
        given if isinstance(given, Position) else _read(str(given), rules)
    )  # the text of a position is a drawing, and dear
    if position.game != rules.game_string():
        raise BadPosition(f"is of {position.game}, not of {rules.game_string()}")
    if position.is_over:
        raise BadPosition("the game is over: there is nothing to solve")
    return position


def _read(text: str, rules: Rules) -> Position:
    return (
        Record.parse(text, rules.game_string()).position
        if text.startswith("@")
        else Position(rules).play(text)
    )


def refuse_first(fault: str, found: Any) -> None:
    """Raise BadPosition for the first position with a fault (bool[n]), if there is one."""
    if np.any(found):
        raise BadPosition(f"position {int(np.argmax(found)) + 1} {fault}")


def solve_slices(
    boards: Boards,
    rules: Rules,
    *,
    threads: int | None = None,
    stop: Stop | None = None,
) -> Iterator[tuple[IntArray, IntArray]]:
    """The scores and nodes of one slice after the other, in order, while other threads work
    ahead. The boards come from `boards_of`."""
    solver = solves_many(rules)
    assert solver is not None, "boards_of refuses other games"
    over = Stop(stop)
    count = max(1, min(threads or os.cpu_count() or 1, -(-len(boards) // SLICE)))
    free = [solver(rules, table_mb=BATCH_TABLE_MB) for _ in range(count)]

    def work(start: int) -> tuple[IntArray, IntArray]:
        solver = free.pop()
        try:
            return solver.batch(boards[start : start + SLICE], over)
        finally:
            free.append(solver)

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        slices = [pool.submit(work, start) for start in range(0, len(boards), SLICE)]
        try:
            for future in slices:
                yield future.result()
                if over.is_set():
                    break
        finally:
            over.set()
            for future in slices:
                future.cancel()
