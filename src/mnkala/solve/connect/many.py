"""Many positions at once, over all cores: for labelling data sets.

Each position is solved with an empty table, so that its answer and its count of nodes depend on nothing else. Threads share the work in
slices; compiled code runs without the interpreter's lock.
"""

from __future__ import annotations

import concurrent.futures
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from mnkala.errors import BadPosition
from mnkala.games import Position, Rules, parse_game
from mnkala.native.objects import IntArray, WordArray
from mnkala.search.limit import Stop
from mnkala.solve.connect.lines import has_line
from mnkala.solve.connect.shape import shape_for
from mnkala.solve.connect.solver import ConnectSolver

SLICE = 8
"""Positions that a thread takes at a time."""
BATCH_TABLE_MB = 128

Boards = np.ndarray[Any, np.dtype[np.uint64]]


def solve_many(positions: Sequence[Position] | Sequence[str] | Boards, game: str | Rules = "connect4", *, threads: int | None = None,
               stop: Stop | None = None) -> IntArray:
    """The exact scores of many positions, in order, each for its mover.

    Positions are `Position`s, strings of moves, or an array of uint64[n, 2]: the mover's discs and all discs, bit `column * (rows + 1) +
    row`. A raised `stop` ends it early: the answer is then shorter.
    """
    rules = parse_game(game) if isinstance(game, str) else game
    owns, boths = boards_of(positions, rules)
    parts = list(solve_slices(owns, boths, rules, threads=threads, stop=stop))
    return np.concatenate([scores for scores, _ in parts]) if parts else np.zeros(0, np.int64)


def boards_of(positions: Sequence[Position] | Sequence[str] | Boards, rules: Rules) -> tuple[WordArray, WordArray]:
    """The two words of every position."""
    if isinstance(positions, np.ndarray):
        return _checked(positions, rules)
    words = np.zeros((len(positions), 2), np.uint64)
    for i, given in enumerate(positions):
        try:
            position = given if isinstance(given, Position) else Position(rules).play(str(given))
            if position.game != rules.game_string():
                raise BadPosition(f"is of {position.game}, not of {rules.game_string()}")
            if position.is_over:
                raise BadPosition("the game is over: there is nothing to solve")
        except Exception as error:
            raise BadPosition(f"position {i + 1}: {error}") from error
        words[i] = position.state()
    return np.ascontiguousarray(words[:, 0]), np.ascontiguousarray(words[:, 1])


def _checked(boards: Boards, rules: Rules) -> tuple[WordArray, WordArray]:
    shape = shape_for(rules)
    if boards.ndim != 2 or boards.shape[1] != 2 or boards.dtype != np.uint64:
        raise BadPosition(f"boards of shape {boards.shape} and type {boards.dtype}; an array of uint64[n, 2] is needed")
    owns, boths = np.ascontiguousarray(boards[:, 0]), np.ascontiguousarray(boards[:, 1])
    # Discs that rest on each other leave nothing of themselves in the sum with the bottom row; `has_line` takes arrays as well.
    lined: Any = has_line
    faults = (
        ("is no board: discs hang or lie outside",
         (boths & (boths + shape.bottom) != 0) | (boths & ~shape.full != 0) | (owns & ~boths != 0)),
        ("has the wrong number of the mover's discs", np.bitwise_count(owns) != np.bitwise_count(boths) // 2),
        ("is over: there is nothing to solve", (boths == shape.full) | lined(owns, shape.step, shape.line)
         | lined(owns ^ boths, shape.step, shape.line)),
    )
    for fault, found in faults:
        if np.any(found):
            raise BadPosition(f"position {int(np.argmax(found)) + 1} {fault}")
    return owns, boths


def solve_slices(owns: WordArray, boths: WordArray, rules: Rules, *, threads: int | None = None, stop: Stop | None = None,
                 report: Callable[[int], None] | None = None) -> Iterator[tuple[IntArray, IntArray]]:
    """Scores and nodes of one slice after the other, in order, while other threads work ahead."""
    stop = stop or Stop()
    count = max(1, min(threads or os.cpu_count() or 1, -(-len(owns) // SLICE)))
    free = [ConnectSolver(rules, table_mb=BATCH_TABLE_MB) for _ in range(count)]

    def work(start: int) -> tuple[IntArray, IntArray]:
        solver = free.pop()
        try:
            return solver.batch(owns[start:start + SLICE], boths[start:start + SLICE], stop)
        finally:
            free.append(solver)

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        slices = [pool.submit(work, start) for start in range(0, len(owns), SLICE)]
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
            if done < len(owns):
                stop.set()
            for future in slices:
                future.cancel()
