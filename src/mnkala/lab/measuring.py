"""What measures share: CPU time that can be trusted on a shared machine (also for `make bench`), and seeded positions.

Work is repeated until the clock has something to count, medians stand for repetitions, what is compared takes turns, and what needs every
core waits until it is alone.
"""

from __future__ import annotations

import contextlib
import getpass
import math
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mnkala.core import Position
from mnkala.play.series import opening
from mnkala.search import Analysis, Engine, Limit, Stop, parse_engine

SHORTEST = 0.01
"""Seconds of CPU time that a measured piece of work lasts at least; the clocks of some systems tick every 16 ms."""


def cpu_seconds(work: Callable[[], object], at_least: float = SHORTEST) -> float:
    """CPU seconds (all threads of this process, user and system) that a piece of work takes, repeated until it can be measured."""
    done, started = 0, time.process_time()
    while True:
        work()
        done += 1
        spent = time.process_time() - started
        if spent >= at_least:
            return spent / done


def typical_seconds(work: Callable[[], object], repeats: int, at_least: float = SHORTEST) -> float:
    """The median of several such measurements."""
    return statistics.median(cpu_seconds(work, at_least) for _ in range(repeats))


def rivals_seconds(works: Sequence[Callable[[], object]], repeats: int, at_least: float = SHORTEST) -> list[list[float]]:
    """CPU seconds of several pieces of work that take turns, so that a change of the machine's speed meets all of them.

    One list for each piece, in the order of the rounds: ratios within a round are fair.
    """
    rounds = [[cpu_seconds(work, at_least) for work in works] for _ in range(repeats)]
    return [list(times) for times in zip(*rounds, strict=True)]


def median_interval(values: Sequence[float], confidence: float = 0.95) -> tuple[float, float]:
    """The ends of a confidence interval for the median, whatever the distribution: two of the values themselves.

    Each value lies below the median with probability 1/2, so the number below it is binomial. Of fewer than six values the least and
    the greatest are given, which is the best that there is.
    """
    ordered, n = sorted(values), len(values)
    outside, tail = 0, 0.0
    while outside < (n - 1) // 2 and tail + math.comb(n, outside) / 2**n <= (1 - confidence) / 2:
        tail += math.comb(n, outside) / 2**n
        outside += 1
    outside = max(0, outside - 1)
    return ordered[outside], ordered[-1 - outside]


@contextlib.contextmanager
def alone(patience: float = 3600) -> Iterator[None]:
    """Keep other workers of this machine that ask for the same out, for measurements that need every core.

    An exclusive transaction on a file of its own is a lock on every system, and one that the death of its holder opens.
    """
    try:
        user = getpass.getuser()
    except (KeyError, OSError, ImportError):
        user = "user"
    with contextlib.ExitStack() as stack:
        # Where no such file can be made, measure all the same: the rows tell how many cores there were.
        with contextlib.suppress(sqlite3.Error):
            file = Path(tempfile.gettempdir()) / f"mnkala-alone-{user}.sqlite"
            connection = stack.enter_context(contextlib.closing(sqlite3.connect(file, timeout=patience)))
            connection.execute("BEGIN EXCLUSIVE")
        yield


# ---- Seeded positions, and what an engine finds there ----


def position_of(game: str, plies: int, seed: int) -> Position:
    """A position after `plies` random moves that is neither finished nor won at once; with none, the start."""
    start = Position(game)
    return opening(start.rules, plies, seed) if plies else start


def engine_for(text: str, position: Position) -> Engine:
    """An engine whose kernels are compiled for the position's game, so that no clock sees the compiler."""
    engine = parse_engine(text)
    engine.search.prepare(position.rules)
    return engine


def answer(engine: str | Engine, position: Position) -> Analysis:
    """What an engine finds, searching in this very thread."""
    chosen = engine_for(engine, position) if isinstance(engine, str) else engine
    return chosen.answer(position, Stop())


def nodes_by_depth(engine: str, position: Position, limit: Limit) -> list[int]:
    """Nodes that a search by one depth after another has visited when it is through with depth 1, 2, …"""
    found: dict[int, int] = {}
    for analysis in engine_for(engine, position).stream(position, limit):
        found.setdefault(analysis.depth, analysis.nodes)
    return [found[depth] for depth in sorted(found) if depth >= 1]
