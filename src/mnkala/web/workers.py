"""The work queues of a server: bounded, with threads of their own, in which people take turns; and
how the event loop hands work to them and waits for it.

There are three: for what takes an instant (reading, quick moves), for questions (hints, puzzles,
trees) and for what is long (analyses, reviews, proofs, long moves), so that a long analysis never
delays somebody else's move or hint. Within a queue people take turns: whoever asked for ten things
waits behind the one who asked for one, and nobody holds all places. Some work is done one piece at
a time (`alone`): pictures, which one process draws.

The long queue has more threads than there are cores: compiled code does without Python's lock and
the system shares the cores out, so that everybody's analysis streams, if more slowly. Where even
these places are taken, whoever holds more than the one who waits gives way after a while: what was
found until then is the answer. What a game needs to go on is `urgent`: it is always accepted, some
places are kept for it, and it gives way to nobody.

Whoever waits in the event loop for an answer can be cancelled (a client that left, a newer
question on the same socket); the work is then withdrawn. When the server closes, all who wait
are told so.
"""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import logging
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from mnkala.core import Rules
from mnkala.folders import data_folder
from mnkala.jobs.background import Background
from mnkala.numbers import counted
from mnkala.play.compiler import Compiler
from mnkala.search import Engine, Stop
from mnkala.web.drawing import Drawing
from mnkala.web.engines import check_allowed
from mnkala.web.http_errors import Forbidden, ShuttingDown, TooBusy
from mnkala.web.limits import Limits
from mnkala.web.page_tournaments import PageTournaments

log = logging.getLogger("mnkala.web")
T = TypeVar("T")


@dataclasses.dataclass(eq=False)
class Job:
    """A piece of work that a person asked for."""

    person: str
    work: Callable[[], None]
    stop: Stop
    """The flag that asks the work to end early."""
    urgent: bool = False
    alone: str = ""
    """Work of one name is done one after the other."""
    started: float = 0.0


class WorkQueue:
    """Some threads, and the jobs that people have submitted to them."""

    def __init__(
        self,
        name: str,
        threads: int,
        waiting: int,
        waiting_per_person: int,
        *,
        running_per_person: int | None = None,
        kept_for_urgent: int = 0,
        patience: float | None = None,
    ) -> None:
        """With `patience`, a job that has run for this many seconds gives way to people who wait."""
        self.name = name
        self._places, self._for_all = threads, threads - kept_for_urgent
        self._waiting = waiting
        self._waiting_per_person = waiting_per_person
        self._running_per_person = running_per_person or threads
        self._patience = patience
        self._queues: collections.OrderedDict[str, collections.deque[Job]] = (
            collections.OrderedDict()
        )
        self._running: list[Job] = []
        """The running jobs, the oldest first."""
        self._closed = False
        self._changed = threading.Condition()
        targets = [self._run] * threads + ([self._make_way] if patience is not None else [])
        self._threads = [
            threading.Thread(target=target, name=f"{name}-{i}", daemon=True)
            for i, target in enumerate(targets)
        ]
        for thread in self._threads:
            thread.start()

    def submit(
        self,
        person: str,
        work: Callable[[], None],
        stop: Stop | None = None,
        *,
        urgent: bool = False,
        alone: str = "",
    ) -> Job:
        """Put work into a person's queue; raises TooBusy where it is full, unless the work is
        urgent.
        """
        job = Job(person, work, stop or Stop(), urgent, alone)
        with self._changed:
            if self._closed:
                raise TooBusy("the server is closing")
            queue = self._queues.get(person)
            if queue is not None and len(queue) >= self._waiting_per_person and not urgent:
                raise TooBusy(
                    f"you have {counted(len(queue), 'question')} waiting; at most {self._waiting_per_person} are allowed",
                    "error.your_questions",
                    questions=len(queue),
                    most=self._waiting_per_person,
                )
            waiting = sum(not job.urgent for queue in self._queues.values() for job in queue)
            if waiting >= self._waiting and not urgent:
                raise TooBusy(
                    f"{waiting} questions are waiting, which is all that this server allows; try again soon",
                    "error.queue_full",
                    waiting=waiting,
                )
            self._queues.setdefault(person, collections.deque()).append(job)
            self._changed.notify_all()
        return job

    def withdraw(self, job: Job) -> None:
        """Cancel a job whose answer nobody wants any more: take it out of the queue, or stop it if
        it runs.
        """
        job.stop.set()
        with self._changed:
            queue = self._queues.get(job.person)
            if queue is not None and job in queue:
                queue.remove(job)
                if not queue:
                    del self._queues[job.person]

    def counts(self) -> tuple[int, int]:
        """The numbers of jobs that run and that wait."""
        with self._changed:
            return len(self._running), sum(map(len, self._queues.values()))

    def close(self) -> None:
        """Accept no more work, drop what waits, and stop what runs."""
        with self._changed:
            self._closed = True
            self._queues.clear()
            for job in self._running:
                job.stop.set()
            self._changed.notify_all()

    # ---- The threads ----

    def _run(self) -> None:
        while (job := self._next()) is not None:
            try:
                job.work()
            finally:
                with self._changed:
                    self._running.remove(job)
                    self._changed.notify_all()

    def _next(self) -> Job | None:
        """The job whose turn it is; its person then goes to the end of the queue."""
        with self._changed:
            while (job := self._first(self._has_room())) is None:
                if self._closed:
                    return None
                self._changed.wait()
            queue = self._queues[job.person]
            queue.remove(job)
            if queue:
                self._queues.move_to_end(job.person)
            else:
                del self._queues[job.person]
            job.started = time.monotonic()
            self._running.append(job)
            return job

    def _has_room(self) -> bool:
        """Whether there is a place for work that is not urgent."""
        return sum(not job.urgent for job in self._running) < self._for_all

    def _first(self, has_room: bool) -> Job | None:
        """The first job that may begin, of the first in line who does not hold as many places as a
        person may.
        """
        busy = {job.alone for job in self._running if job.alone}
        return next(
            (
                job
                for person, queue in self._queues.items()
                if self._held_by(person) < self._running_per_person
                for job in queue
                if job.alone not in busy and (has_room or job.urgent)
            ),
            None,
        )

    def _held_by(self, person: str) -> int:
        return sum(job.person == person for job in self._running)

    def _make_way(self) -> None:
        """Free places for people who wait, in a thread of its own.

        While somebody waits and all places are taken, stop the job that has run longest among the
        people who hold more places than the one who waits, once it has run for `patience` seconds.
        """
        assert self._patience is not None
        with self._changed:
            while not self._closed:
                left = None
                waits = self._first(True)
                full = not self._has_room() or len(self._running) >= self._places
                if (
                    waits is not None
                    and full
                    and not any(job.stop.is_set() for job in self._running)
                ):
                    held = self._held_by(waits.person)
                    longest = next(
                        (
                            job
                            for job in self._running
                            if not job.urgent and self._held_by(job.person) > held
                        ),
                        None,
                    )
                    if longest is not None:
                        left = longest.started + self._patience - time.monotonic()
                        if left <= 0:
                            longest.stop.set()
                            left = None
                self._changed.wait(left)


class Workers:
    """The queues for everything that takes time, and four helpers with processes of their own:
    the compiler, the quick study, the tournaments and the drawing of pictures."""

    def __init__(self, limits: Limits, compiler: Compiler) -> None:
        self.limits, self.compiler = limits, compiler
        # Eight analyses on two cores, each in a thread, came as deep as eight in turns of two, and
        # all of them streamed at once.
        cores = max(2, os.cpu_count() or 1)
        waiting = (limits.waiting, limits.waiting_per_person)
        everyone = max(limits.live_games, limits.waiting)
        self.quick = WorkQueue(
            "quick",
            cores + 3,
            everyone,
            limits.waiting,
            running_per_person=cores + 1,
            kept_for_urgent=cores + 1,
        )
        self.questions = WorkQueue("questions", 2 * cores + 2, *waiting, running_per_person=cores)
        self.long = WorkQueue(
            "long",
            6 * cores,
            *waiting,
            running_per_person=2 * cores,
            kept_for_urgent=2 * cores,
            patience=limits.patience,
        )
        self.queues = (self.quick, self.questions, self.long)
        self.quick_study, self.drawing = QuickStudy(limits), Drawing(limits)
        self.tournaments = PageTournaments(limits)
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
        self.tournaments.close()
        self.drawing.close()
        for queue in self.queues:
            queue.close()
        for future in tuple(self._asked):
            if not future.done():
                future.set_exception(ShuttingDown("the server is closing"))

    def submit(
        self,
        queue: WorkQueue,
        person: str,
        work: Callable[[], T],
        done: Callable[[T | None, Exception | None], None],
        stop: Stop | None = None,
        *,
        urgent: bool = False,
        alone: str = "",
    ) -> Job:
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

    async def run(
        self,
        queue: WorkQueue,
        person: str,
        work: Callable[[], T],
        stop: Stop | None = None,
        *,
        urgent: bool = False,
        alone: str = "",
    ) -> T:
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


def quick_data() -> Path:
    """The file in which quick runs of the page keep their rows, apart from those of the command
    line, which were measured on a quieter machine."""
    return data_folder() / "quick-studies.sqlite"


class QuickStudy:
    """The one quick study that a server runs at a time, for whoever asked first. All methods may be
    called from any thread.

    A process of its own at low priority does the work (`lab.store.answer_page`), so that moves and
    analyses come first and a study can be ended in the middle of a job. It goes on when the page
    that started it is closed, and is found again by any page; whoever started it may cancel it, and
    what was measured until then is kept. It ends with the server, even if that is killed.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._closed = False
        self.study = self._person = ""
        self.work: Background | None = None
        """The run of the current study, or of the last one."""

    def start(self, study: str, person: str) -> None:
        """Start a shipped study by its name. While another runs this is refused; the same one is
        joined."""
        with self._lock:
            if self._closed:
                raise TooBusy("the server is closing")
            if self.work is not None and self.work.run.state == "running":
                if self.study == study:
                    return
                raise TooBusy(
                    f"the study {self.study} is running; this server runs one at a time",
                    "error.study_running",
                    study=self.study,
                )
            data = quick_data()
            data.parent.mkdir(parents=True, exist_ok=True)
            self.study, self._person = study, person
            self.work = Background(
                "mnkala.lab.store:answer_page",
                study,
                str(data),
                seconds=self._limits.seconds_of_study,
            )

    def is_of(self, person: str) -> bool:
        """Whether a person started the study, and so may cancel it."""
        return person == self._person

    def cancel(self, person: str) -> None:
        """End the current run; only the job in progress is lost. Raises Forbidden if somebody else
        started a run that is still under way."""
        work = self.work
        if work is not None and work.run.state == "running" and not self.is_of(person):
            raise Forbidden(f"somebody else started the study {self.study}")
        if work is not None:
            work.end()

    def close(self) -> None:
        """End the current run, and start no other."""
        with self._lock:
            self._closed = True
        if self.work is not None:
            self.work.end()
