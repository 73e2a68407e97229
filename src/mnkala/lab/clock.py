"""CPU time of a piece of work that can be trusted: it is repeated until the clock has something to count. Also used by `make bench`."""

from __future__ import annotations

import time
from collections.abc import Callable

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
