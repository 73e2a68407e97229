"""How searches scale: nodes a second, time to a depth and memory as the board grows, with one thread and with two.

Report 001 claims memory of Θ(mn) for its player, since one board is played on and restored, and names threads as future work.
"""

from __future__ import annotations

import time
import tracemalloc

from mnkala.games import Position, Rules
from mnkala.lab.clock import alone
from mnkala.lab.positions import answer, engine_for, position_of
from mnkala.lab.registry import Row, measure
from mnkala.search import Engine

TABLE_BITS = 16
"""A transposition table of the same size on every board: 2^16 positions of 16 bytes."""


MOST_TRIES = 40
"""Random positions that are looked at for some whose result is not proved before the depth is reached."""


@measure("scaling", version=1)
def scaling(game: str, depth: int, positions: int = 3, plies: int = 2, repeats: int = 3, seed: int = 1) -> list[Row]:
    """Speed, time to depth and memory of iterative deepening on one board, with one thread and with two, taking turns.

    Two threads need both cores, so the measurement waits until no other worker measures the same. `cores` tells how many the search
    really had: fewer than `threads` where other processes wanted them too.
    """
    rules = Position(game).rules
    board = {"family": rules.name, "cells": _cells(rules), "moves": rules.most_moves()}
    starts = _undecided(game, depth, positions, plies, seed)
    with alone():
        by_threads: dict[int, list[tuple[float, float, int]]] = {1: [], 2: []}
        for position in starts:
            engines = {threads: _engine(depth, threads, position) for threads in by_threads}
            rounds = [{threads: _timed(engine, position) for threads, engine in engines.items()} for _ in range(repeats)]
            for threads, some in by_threads.items():
                some.append(min(one[threads] for one in rounds))
        return [{"threads": threads, **board, **_summary(some), "kilobytes": _kilobytes(_engine(depth, threads, starts[0]), starts[0])}
                for threads, some in by_threads.items()]


def _cells(rules: Rules) -> int:
    """Cells of a board; on a Kalah board the houses and the stores."""
    rows, columns = getattr(rules, "rows", 0), getattr(rules, "cols", 0)
    return rows * columns or 2 * rules.most_moves() + 2


def _engine(depth: int, threads: int, position: Position) -> Engine:
    return engine_for(f"deepening:depth={depth},threads={threads},table_bits={TABLE_BITS}", position)


def _undecided(game: str, depth: int, positions: int, plies: int, seed: int) -> list[Position]:
    """Positions from which the search really goes to the depth; the start of the game if there are none."""
    found: list[Position] = []
    for attempt in range(MOST_TRIES):
        position = position_of(game, plies, seed + attempt)
        if answer(_engine(depth, 1, position), position).depth == depth:
            found.append(position)
        if len(found) == positions:
            break
    return found or [Position(game)]


def _summary(timed: list[tuple[float, float, int]]) -> Row:
    seconds, cpu, nodes = (sum(column) for column in zip(*timed, strict=True))
    return {"nodes": nodes / len(timed), "seconds": seconds / len(timed), "nodes_per_second": nodes / seconds,
            "nodes_per_cpu_second": nodes / cpu, "cores": cpu / seconds}


def _timed(engine: Engine, position: Position) -> tuple[float, float, int]:
    """(seconds by the clock, CPU seconds, nodes)."""
    clock, processor = time.perf_counter(), time.process_time()
    nodes = answer(engine, position).nodes
    return time.perf_counter() - clock, time.process_time() - processor, nodes


def _kilobytes(engine: Engine, position: Position) -> float:
    """The most memory that a search holds at a time beyond its transposition table, as Python and NumPy report it."""
    tracemalloc.start()
    try:
        answer(engine, position)
        return max(0.0, tracemalloc.get_traced_memory()[1] - 16 * (1 << TABLE_BITS)) / 1024
    finally:
        tracemalloc.stop()
