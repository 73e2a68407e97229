"""Workers as processes of their own, each led by a thread that hands it one job at a time.

Python's own pools were left aside: `ProcessPoolExecutor` gives up all work when one process dies, and `multiprocessing` runs the
caller's main script again in every worker, which breaks scripts and notebooks. Here a worker that dies is replaced and its job given
out again; a job that kills two workers has failed.
"""

from __future__ import annotations

import contextlib
import json
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Generator, Sequence
from typing import Any

from mnkala.errors import MnkalaError
from mnkala.jobs.job import Job, Outcome
from mnkala.jobs.supervised import Supervised
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
        self._running: set[Supervised[str]] = set()
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
        for process in running:
            assert process.stdin is not None
            with contextlib.suppress(OSError, ValueError):
                process.stdin.close()
        for process in running:
            _wait(process)

    def _lead(self) -> None:
        """Lead one worker: hand it job after job, and start a new process when it dies."""
        try:
            process = None
            while not self._closed:
                try:
                    job = self._waiting.get_nowait()
                except queue.Empty:
                    break
                process, outcome = self._do(job, process)
                if outcome is not None:
                    self._answers.put((job, outcome))
            if process is not None:
                self._end(process)
        except BaseException as error:  # If the thread died silently, the caller would wait for ever.
            self._answers.put(error)

    def _do(self, job: Job, process: Supervised[str] | None) -> tuple[Supervised[str] | None, Outcome | None]:
        """Do one job, with as many processes as it takes. Return the process to continue with, and
        the outcome unless the pool was closed."""
        for deaths in range(1, MOST_DEATHS + 1):
            process = process or self._start()
            if process is None:
                return None, None
            answer = self._ask(process, job)
            if answer is not None:
                return process, Outcome(job.key, **answer)
            reason = self._end(process)
            process = None
            if self._closed:
                return None, None
            with self._lock:
                self.replaced += 1
            if deaths == MOST_DEATHS:
                words = f"left alone until it is asked for again: its worker died {MOST_DEATHS} times, the last time {reason}"
                return None, Outcome(job.key, None, words, 0.0, machine())
        return None, None

    def _start(self) -> Supervised[str] | None:
        """Start a new worker process."""
        with self._lock:
            if self._closed:
                return None
            try:
                process = Supervised.module("mnkala.jobs")
            except OSError as error:
                raise MnkalaError(f"cannot start a worker process: {error}") from None
            self._running.add(process)
        self._send(process, sys.path)
        return process

    def _ask(self, process: Supervised[str], job: Job) -> dict[str, Any] | None:
        """Send a job to a worker; return its answer, or None if it died."""
        if not self._send(process, {"function": job.function, "arguments": job.arguments}):
            return None
        assert process.stdout is not None
        line = process.stdout.readline()
        return json.loads(line) if line.endswith("\n") else None

    def _send(self, process: Supervised[str], message: Any) -> bool:
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()
        except (OSError, ValueError):
            return False
        return True

    def _end(self, process: Supervised[str]) -> str:
        """Wait for a worker to end; return in words how it ended."""
        with self._lock:
            self._running.discard(process)
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError, ValueError):
                if pipe is not None:
                    pipe.close()
        status = _wait(process)
        if status < 0:
            with contextlib.suppress(ValueError):
                return f"by signal {-status} ({signal.Signals(-status).name})"
        return f"with exit status {status}"


def _wait(process: Supervised[str]) -> int:
    """The status of a worker whose input has ended; one that does not end by itself is killed."""
    try:
        return process.wait(timeout=2 * FAREWELL)
    except subprocess.TimeoutExpired:
        return process.end()
