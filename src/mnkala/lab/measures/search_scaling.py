"""How searches scale: nodes a second, time to a depth and memory as the board grows, with one thread and with two.

Report 001 claims memory of Θ(mn) for its player, since one board is played on and restored, and names threads as future work.
"""

from __future__ import annotations

import time
import tracemalloc
from statistics import median
from typing import NamedTuple

from mnkala.games import Position, Rules
from mnkala.lab.measures.search_common import alone, answer, engine_for, position_of
from mnkala.lab.registry import Row, measure
from mnkala.search import Engine

TABLE_BITS = 16
"""A transposition table of the same size on every board: 2^16 positions of 16 bytes."""


MOST_TRIES = 40
"""Random positions that are looked at for some whose result is not proved before the depth is reached."""


@measure("scaling")
def scaling(game: str, depth: int, positions: int = 3, plies: int = 2, repeats: int = 3, seed: int = 1) -> list[Row]:
    """Speed, time to depth and memory of iterative deepening on one board, with one thread and with two, taking turns.

    Two threads need both cores, so the measurement waits until no other worker measures the same. `cores` tells how many the search
    really had: fewer than `threads` where other processes wanted them too.
    """
    rules = Position(game).rules
    board = {"family": rules.name, "cells": _cells(rules), "moves": rules.most_moves()}
    starts = _undecided(game, depth, positions, plies, seed)
    with alone():
        engines = {threads: [_engine(depth, threads, position) for position in starts] for threads in (1, 2)}
        by_threads: dict[int, list[Cost]] = {threads: [] for threads in engines}
        for _ in range(repeats):
            for threads, some in engines.items():
                by_threads[threads].append(_timed(some, starts))
        return [{"threads": threads, **board, **_summary(rounds, len(starts)), "kilobytes": _kilobytes(engines[threads][0], starts[0])}
                for threads, rounds in by_threads.items()]


def _cells(rules: Rules) -> int:
    """Cells of a board; on a Kalah board the houses and the stores."""
    rows, columns = getattr(rules, "rows", 0), getattr(rules, "cols", 0)
    return rows * columns or 2 * rules.most_moves() + 2


def _engine(depth: int, threads: int, position: Position) -> Engine:
    return engine_for(f"deepening:depth={depth},threads={threads},table_bits={TABLE_BITS}", position)


def _undecided(game: str, depth: int, positions: int, plies: int, seed: int) -> list[Position]:
    """Positions from which the search really goes to the depth; the start of the game if there are none."""
    found: list[Position] = []
    for number in range(MOST_TRIES):
        position = position_of(game, plies, seed + number)
        if answer(_engine(depth, 1, position), position).depth == depth:
            found.append(position)
        if len(found) == positions:
            break
    return found or [Position(game)]


class Cost(NamedTuple):
    """What one round, a search of every position, cost."""

    seconds: float
    """By the clock on the wall, the only one that a second thread can shorten."""
    cpu: float
    nodes: int


def _summary(rounds: list[Cost], positions: int) -> Row:
    """Medians over the rounds, and the extremes of what the clock told."""
    seconds = [one.seconds / positions for one in rounds]
    rates = [one.nodes / one.seconds for one in rounds]
    return {"nodes": median(one.nodes for one in rounds) / positions,
            "seconds": median(seconds), "seconds_low": min(seconds), "seconds_high": max(seconds),
            "nodes_per_second": median(rates), "nodes_per_second_low": min(rates), "nodes_per_second_high": max(rates),
            "nodes_per_cpu_second": median(one.nodes / one.cpu for one in rounds), "cores": median(one.cpu / one.seconds for one in rounds)}


def _timed(engines: list[Engine], positions: list[Position]) -> Cost:
    clock, processor = time.perf_counter(), time.process_time()
    nodes = sum(answer(engine, position).nodes for engine, position in zip(engines, positions, strict=True))
    return Cost(time.perf_counter() - clock, time.process_time() - processor, nodes)


def _kilobytes(engine: Engine, position: Position) -> float:
    """The most memory that a search holds at a time beyond its transposition table, as Python and NumPy report it."""
    tracemalloc.start()
    try:
        answer(engine, position)
        return max(0.0, tracemalloc.get_traced_memory()[1] - 16 * (1 << TABLE_BITS)) / 1024
    finally:
        tracemalloc.stop()
