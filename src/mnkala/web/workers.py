"""The work queues of a server, and how the event loop hands work to them and waits for it.

Whoever waits in the event loop for an answer can be cancelled (a client that left, a newer
question on the same socket); the work is then withdrawn. When the server closes, all who wait
are told so.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

from mnkala.core import Rules
from mnkala.play.compiler import Compiler
from mnkala.search import Engine, Stop
from mnkala.web.drawing import Drawing
from mnkala.web.engines import check_allowed
from mnkala.web.http_errors import ShuttingDown
from mnkala.web.limits import Limits
from mnkala.web.quick_study import QuickStudy
from mnkala.web.work_queues import Job, WorkQueue

log = logging.getLogger("mnkala.web")
T = TypeVar("T")


class Workers:
    """The queues for everything that takes time, and three helpers with processes of their own:
    the compiler, the quick study and the drawing of pictures."""

    def __init__(self, limits: Limits, compiler: Compiler) -> None:
        self.limits, self.compiler = limits, compiler
        # Eight analyses on two cores, each in a thread, came as deep as eight in turns of two, and all of them streamed at once.
        cores = max(2, os.cpu_count() or 1)
        waiting = (limits.waiting, limits.waiting_per_person)
        everyone = max(limits.live_games, limits.waiting)
        self.quick = WorkQueue("quick", cores + 3, everyone, limits.waiting, running_per_person=cores + 1, kept_for_urgent=cores + 1)
        self.questions = WorkQueue("questions", 2 * cores + 2, *waiting, running_per_person=cores)
        self.long = WorkQueue("long", 6 * cores, *waiting, running_per_person=2 * cores, kept_for_urgent=2 * cores,
                              patience=limits.patience)
        self.queues = (self.quick, self.questions, self.long)
        self.quick_study, self.drawing = QuickStudy(limits), Drawing(limits)
        self.closing = False
        self._asked: set[asyncio.Future[Any]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop that hands out the work."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        return self._loop

    def stop(self) -> None:
        """Stop what runs, drop what waits, and tell those who wait that no answer will come."""
        self.closing = True
        self.compiler.close()
        self.quick_study.close()
        self.drawing.close()
        for queue in self.queues:
            queue.close()
        for future in tuple(self._asked):
            if not future.done():
                future.set_exception(ShuttingDown("the server is closing"))

    def submit(self, queue: WorkQueue, person: str, work: Callable[[], T], done: Callable[[T | None, Exception | None], None],
               stop: Stop | None = None, *, urgent: bool = False, alone: str = "") -> Job:
        """Put work into a queue and then call `done(result, error)` in the event loop's thread.
        The work watches `stop`."""
        loop = self.loop

        def run() -> None:
            result, failure = None, None
            try:
                result = work()
            except Exception as error:
                failure = error
            try:
                loop.call_soon_threadsafe(done, result, failure)
            except RuntimeError:
                log.debug("an answer came after the server had closed")

        return queue.submit(person, run, stop, urgent=urgent, alone=alone)

    async def run(self, queue: WorkQueue, person: str, work: Callable[[], T], stop: Stop | None = None, *, urgent: bool = False,
                  alone: str = "") -> T:
        """Put work into a queue and wait for it. If the waiter is cancelled, the work is
        withdrawn, by `stop` if it is running."""
        future: asyncio.Future[T] = self.loop.create_future()

        def done(result: T | None, error: Exception | None) -> None:
            if future.done():
                return
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(cast("T", result))

        job = self.submit(queue, person, work, done, stop, urgent=urgent, alone=alone)
        self._asked.add(future)
        try:
            return await future
        except asyncio.CancelledError:
            queue.withdraw(job)
            raise
        finally:
            self._asked.discard(future)

    async def read(self, person: str, work: Callable[[], T]) -> T:
        """Run short work that reads a position or a game outside the event loop's thread."""
        return await self.run(self.quick, person, work)

    async def compiled(self, rules: Rules, *engines: Engine) -> None:
        """Wait until engines can play a game without compiling anything. Another process
        compiles, so nobody else has to wait. All work of engines waits for this first, so that
        no engine that is not allowed gets to work."""
        for engine in engines:
            check_allowed(engine, self.limits)
            if not self.compiler.is_ready(engine, rules):
                await asyncio.wrap_future(self.compiler.want(engine, rules))
