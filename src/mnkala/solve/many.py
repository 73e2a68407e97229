"""Many positions at once, on all cores, for labelling data sets of Connect and Kalah.

Each position is solved with an empty table, so that its answer and its node count depend on
nothing else. Threads share the work in slices; compiled code runs without the interpreter's
lock.
"""

from __future__ import annotations

import concurrent.futures
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mnkala.core import Position, Record, Rules, parse_game
from mnkala.core.registry import sound_game_names
from mnkala.errors import BadPosition
from mnkala.native.objects import IntArray
from mnkala.search.limit import Stop

if TYPE_CHECKING:
    from mnkala.solve.table_solver import TableSolver

SLICE = 8
"""The number of positions that a thread takes at a time."""
BATCH_TABLE_MB = 128

Boards = np.ndarray[Any, np.dtype[np.uint64]]
"""An array of states, at [position, word of its state]."""


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
    `column * (rows + 1) + row`. For Kalah it is uint64[n, 3]: the mover's houses and the other's, a
    byte each, house 1 in the lowest, and the stores, the mover's in the lowest byte and the other's
    in the next. A raised `stop` ends it early: the answer is then shorter.
    """
    rules = parse_game(game) if isinstance(game, str) else game
    boards = boards_of(positions, rules)
    parts = list(solve_slices(boards, rules, threads=threads, stop=stop))
    return np.concatenate([scores for scores, _ in parts]) if parts else np.zeros(0, np.int64)


def solves_many(rules: Rules) -> type[TableSolver] | None:
    """The solver that takes many positions of a game at once, or None."""
    from mnkala.solve.solver import find_solver
    from mnkala.solve.table_solver import TableSolver

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
    words = len(tuple(rules.start()))
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
                boards[i] = _position(given, rules).state()
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
    report: Callable[[int], None] | None = None,
) -> Iterator[tuple[IntArray, IntArray]]:
    """The scores and nodes of one slice after the other, in order, while other threads work
    ahead. The boards come from `boards_of`."""
    solver = solves_many(rules)
    assert solver is not None, "boards_of refuses other games"
    stop = stop or Stop()
    count = max(1, min(threads or os.cpu_count() or 1, -(-len(boards) // SLICE)))
    free = [solver(rules, table_mb=BATCH_TABLE_MB) for _ in range(count)]

    def work(start: int) -> tuple[IntArray, IntArray]:
        solver = free.pop()
        try:
            return solver.batch(boards[start : start + SLICE], stop)
        finally:
            free.append(solver)

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        slices = [pool.submit(work, start) for start in range(0, len(boards), SLICE)]
        done = 0
        try:
            for future in slices:
                scores, nodes = future.result()
                done += len(scores)
                if report is not None:
                    report(done)
                yield scores, nodes
                if stop.is_set():
                    break
        finally:
            if done < len(boards):
                stop.set()
            for future in slices:
                future.cancel()
