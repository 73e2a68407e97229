"""Engines at work in threads of their own, that end at once when they are told to.

A limit with a stop flag is not the engine's own limit any more (a search without any limit would lose its default), so the flag is
given to the runner alone: the engine plays exactly as it always does.
"""

from __future__ import annotations

import dataclasses
import functools
import threading
from collections.abc import Callable, Iterator

from mnkala.errors import MnkalaError, printable
from mnkala.games import Position
from mnkala.games.blame import blame
from mnkala.search import Analysis, Engine, Limit, Stop
from mnkala.search.engine import finished
from mnkala.search.root import Task
from mnkala.search.runner import stream_task


def stream(engine: Engine, position: Position, stop: Stop, *, limit: Limit | None = None, all_moves: bool = False) -> Iterator[Analysis]:
    """`Engine.stream` that a flag can end."""
    if position.is_over:
        yield finished(position, str(engine))
        return
    limit = limit or engine.limit
    with engine.ready(position.rules):
        task = functools.partial(Task, position, limit, engine=str(engine), all_moves=all_moves)
        yield from stream_task(engine.search.run, task, dataclasses.replace(limit, stop=stop))


class Job:
    """Work in a thread. What it finds is handed to `give`, in the screen's thread, unless the job was dropped meanwhile."""

    def __init__(self, call: Callable[[Callable[[], None]], None]) -> None:
        self.stop = Stop()
        self.dropped = False
        self._call = call
        self._thread: threading.Thread | None = None

    def start(self, work: Callable[[Job], None], failed: Callable[[str], None]) -> Job:
        """Begin. An error ends the job and is told in words."""

        def run() -> None:
            try:
                work(self)
            except MnkalaError as error:
                self.give(functools.partial(failed, str(error)))
            except Exception as error:  # the screen must live on
                self.give(functools.partial(failed, str(blame(error) or printable(f"{type(error).__name__}: {error}"))))

        self._thread = threading.Thread(target=run, name="terminal", daemon=True)
        self._thread.start()
        return self

    def give(self, function: Callable[[], None]) -> None:
        """Call a function in the screen's thread if the job still matters then."""
        if not self.dropped:
            self._call(lambda: None if self.dropped else function())

    def drop(self) -> None:
        """Nobody wants the answer any more."""
        self.dropped = True
        self.stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the thread; whether it has ended."""
        if self._thread is not None:
            self._thread.join(seconds)
        return self._thread is None or not self._thread.is_alive()
