"""Workers as processes of their own, each led by a thread that hands it one job at a time.

Python's own pools were left aside: `ProcessPoolExecutor` gives up all work when one process dies, and `multiprocessing` runs the
caller's main script again in every worker, which breaks scripts and notebooks. Here a worker that dies is replaced and its job given
out again; a job that kills two workers has failed.
"""

from __future__ import annotations

import contextlib
import queue
import signal
import threading
from collections.abc import Generator, Sequence

from mnkala.errors import MnkalaError
from mnkala.jobs.child import Child, NoLine
from mnkala.jobs.job import Job, Outcome
from mnkala.jobs.worker import FAREWELL, machine

MOST_DEATHS = 2
"""Workers that a job may kill before it counts as failed."""
HEARTBEAT = 0.2
"""Seconds between looks at the queue, so that Ctrl-C is heard on every system."""
Answer = tuple[Job, Outcome]


class Pool:
    """A group of worker processes; `outcomes` yields results in the order in which they arrive."""

    def __init__(self, jobs: Sequence[Job], workers: int) -> None:
        self.replaced = 0
        self._waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Answer | BaseException] = queue.SimpleQueue()
        self._count, self._workers = len(jobs), min(workers, len(jobs))
        self._lock = threading.Lock()
        self._running: set[Child] = set()
        self._closed = False
        for job in jobs:
            self._waiting.put(job)

    def outcomes(self) -> Generator[Answer, None, None]:
        """Start the workers and give each outcome as it comes; leaving the iterator ends the workers."""
        for number in range(self._workers):
            threading.Thread(target=self._lead, name=f"worker {number + 1}", daemon=True).start()
        try:
            for _ in range(self._count):
                yield self._next()
        finally:
            self.close()

    def _next(self) -> Answer:
        while True:
            with contextlib.suppress(queue.Empty):
                answer = self._answers.get(timeout=HEARTBEAT)
                if isinstance(answer, BaseException):
                    raise answer
                return answer

    def close(self) -> None:
        """End all workers. They have nothing to save, but may have processes of their own to end."""
        with self._lock:
            self._closed = True
            running = list(self._running)
        for worker in running:
            worker.close_input()
        for worker in running:
            worker.end(2 * FAREWELL)

    def _lead(self) -> None:
        """Lead one worker: hand it job after job, and start a new process when it dies."""
        try:
            worker = None
            while not self._closed:
                try:
                    job = self._waiting.get_nowait()
                except queue.Empty:
                    break
                worker, outcome = self._do(job, worker)
                if outcome is not None:
                    self._answers.put((job, outcome))
            if worker is not None:
                self._end(worker)
        except BaseException as error:  # If the thread died silently, the caller would wait for ever.
            self._answers.put(error)

    def _do(self, job: Job, worker: Child | None) -> tuple[Child | None, Outcome | None]:
        """Do one job, with as many processes as it takes. Return the process to continue with, and
        the outcome unless the pool was closed."""
        for deaths in range(1, MOST_DEATHS + 1):
            worker = worker or self._start()
            if worker is None:
                return None, None
            worker.tell({"function": job.function, "arguments": job.arguments})
            try:
                return worker, Outcome(job.key, **worker.message())
            except NoLine:
                reason = self._end(worker)
            worker = None
            if self._closed:
                return None, None
            with self._lock:
                self.replaced += 1
            if deaths == MOST_DEATHS:
                words = f"left alone until it is asked for again: its worker died {MOST_DEATHS} times, the last time {reason}"
                return None, Outcome(job.key, None, words, 0.0, machine())
        return None, None

    def _start(self) -> Child | None:
        """Start a new worker process."""
        with self._lock:
            if self._closed:
                return None
            try:
                worker = Child.module("mnkala.jobs", errors="shown")
            except OSError as error:
                raise MnkalaError(f"cannot start a worker process: {error}") from None
            self._running.add(worker)
        return worker

    def _end(self, worker: Child) -> str:
        """Wait for a worker to end; return in words how it ended."""
        with self._lock:
            self._running.discard(worker)
        worker.close_input()
        status = worker.end(2 * FAREWELL)
        if status < 0:
            with contextlib.suppress(ValueError):
                return f"by signal {-status} ({signal.Signals(-status).name})"
        return f"with exit status {status}"
