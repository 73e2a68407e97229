"""How everything here is measured: CPU time, contestants in turn, and ratios within a round.

The two contestants of a round run within a second of each other, so that a busy or throttled
machine slows both and leaves their ratio alone. The order within a round alternates, so that
neither always follows the other.
"""

from __future__ import annotations

import concurrent.futures
import hashlib
import os
import statistics
import subprocess
import sys
import time
import types
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar
from unittest import mock

from bench.report import Row, Target, compared
from mnkala.core import Position
from mnkala.lab import measuring as clock
from mnkala.search import Analysis, Engine, Limit, Stop, Task

Figure = TypeVar("Figure")
TWO_THREADS = Target(">=", 1.7)

SHORTEST_TURN = 0.2
"""A contestant that answers sooner is asked again until this many seconds are full: shorter times
are mostly clock.
"""


class Effort(NamedTuple):
    """How much to measure."""

    full: bool = False

    def choose(self, usual: int, full: int) -> int:
        """A depth, a number of rounds or of nodes, for the usual run or the full one."""
        return full if self.full else usual


def in_turn(
    ours: Callable[[], Figure], peer: Callable[[], Figure], rounds: int
) -> list[tuple[Figure, Figure]]:
    """What each contestant scored in every round, ours first in the pairs whoever ran first."""
    pairs = []
    for number in range(rounds):
        if number % 2 == 0:
            our_figure = ours()
            pairs.append((our_figure, peer()))
        else:
            peer_figure = peer()
            pairs.append((ours(), peer_figure))
    return pairs


def cpu_seconds(task: Callable[[], object]) -> float:
    """CPU time of one call, averaged over as many calls as fill a turn."""
    return clock.cpu_seconds(task, SHORTEST_TURN)


def wall_seconds(task: Callable[[], object]) -> float:
    """Wall time of one call: the only time that a second thread can shorten."""
    started = time.perf_counter()
    task()
    return time.perf_counter() - started


def cores_free() -> str:
    """A note for a row of two threads: how much two threads that share nothing do beside one. Only
    where it is nearly 2 are two cores free, and what the row says is about the threads."""
    data = bytes(1 << 25)

    def work(_: int = 0) -> None:
        hashlib.sha256(data)  # without the interpreter's lock

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        pairs = in_turn(
            lambda: wall_seconds(work), lambda: wall_seconds(lambda: [*pool.map(work, (1, 2))]), 5
        )
    found = statistics.median(2 * one / two for one, two in pairs)
    return f"control: {found:.2f} cores free"


def two_threads(
    what: str, solve: Callable[[int], object], rounds: int, target: Target = TWO_THREADS
) -> list[Row]:
    """What a second thread brings to `solve(threads)`, which works in the thread that calls it and
    in helpers: wall time, which tells something only where two cores are idle; and CPU time of the
    calling thread, which falls by as much where the helper is given its share of the processor, and
    by less where it is not.
    """

    def seconds(threads: int) -> tuple[float, float]:
        spent = time.thread_time()
        wall = wall_seconds(lambda: solve(threads))
        return wall, time.thread_time() - spent

    pairs = in_turn(lambda: seconds(2), lambda: seconds(1), rounds)
    return [
        compared(
            f"{what}, 2 threads beside 1, {name}",
            "s",
            [(two[i], one[i]) for two, one in pairs],
            "peer/ours",
            target,
            note,
        )
        for i, (name, note) in enumerate((("wall", cores_free()), ("CPU of the first", "")))
    ]


def searched(engine: Engine, position: Position, limit: Limit) -> Analysis:
    """Search in the thread that calls, as `Engine.analyse` does not."""
    return engine.search.run(Task(position, limit, Stop(), lambda found: None, str(engine)))


class Usage(NamedTuple):
    """What a child process cost, in seconds."""

    wall: float
    cpu: float
    """User and system time, as `time.process_time` counts it: start-up is in good part the reading
    of files.
    """


def run_child(arguments: Sequence[str]) -> Usage:
    """Run this interpreter with these arguments to its end. Only `os.wait4` tells the CPU time of
    one child to the µs.
    """
    started = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL
    )
    _, status, resources = os.wait4(child.pid, 0)
    wall = time.perf_counter() - started
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise RuntimeError(f"python {' '.join(arguments)} ended with status {child.returncode}")
    return Usage(wall, resources.ru_utime + resources.ru_stime)


def count_calls(module: types.ModuleType, name: str, task: Callable[[], object]) -> int:
    """How often a recursive function of a peer is called during `task`, for counting the nodes that
    it visits.

    The recursion looks its own name up in its module, so a counter put in its place sees every
    call. It slows the peer down, so nodes are counted in one run and time is taken in another.
    """
    original = getattr(module, name)
    calls = 0

    def counting(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        return original(*arguments, **named)

    with mock.patch.object(module, name, counting):
        task()
    return calls
