"""An engine's move within so much processor time: a busy machine then takes nothing from either
side of a match.
"""

from __future__ import annotations

import threading
import time

from mnkala.core import Position
from mnkala.search import Engine, Limit, Stop
from mnkala.search.root import Task

GLANCE = 0.0005
"""How often the processor's time is looked at when it is nearly up."""


def choose(engine: Engine, position: Position, seconds: float) -> int:
    """The move of an engine whose thread may work so long."""
    stop, answered = Stop(), threading.Event()
    clock = time.pthread_getcpuclockid(threading.get_ident())
    end = time.clock_gettime(clock) + seconds

    def watch() -> None:
        while not answered.wait(max(GLANCE, end - time.clock_gettime(clock))):
            if time.clock_gettime(clock) >= end:
                stop.set()
                return

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        return engine.search.run(
            Task(position, Limit(time=seconds), stop, lambda analysis: None, engine="")
        ).line_codes[0]
    finally:
        answered.set()
        watcher.join()
