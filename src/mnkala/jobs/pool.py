"""Who does the jobs: worker processes on this machine, or a Dask cluster (Rocklin 2015).

Each worker process is led by a thread that hands it one job at a time. Python's own pools cannot be
used: `ProcessPoolExecutor` gives up all work when one process dies, and `multiprocessing` runs the
caller's main script again in every worker, which breaks scripts and notebooks. Here a worker that
dies is replaced and its job is given out again; a job that kills two workers has failed.

A cluster consists of `dask scheduler` somewhere and `dask worker ADDRESS` on any machine with
mnkala. Dask itself gives the job of a lost worker to another one; a job that kills several workers
comes back as failed.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import importlib.metadata
import json
import logging
import os
import platform
import queue
import re
import signal
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any, Protocol

from mnkala.errors import MnkalaError, in_one_line
from mnkala.jobs.child import Child, NoLine
from mnkala.jobs.parent import Parent
from mnkala.jobs.store import Job, Outcome

# ---- What a worker does ----


FAREWELL = 1.0
"""Seconds that an interrupted job has to end what it started."""
SO_FAR = "so far"
"""The name of a message that tells how far a job is."""


def find_function(name: str) -> Callable[..., Any]:
    """The function that "module:name" names; raises MnkalaError if there is none."""
    module, _, attribute = name.partition(":")
    try:
        function = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise MnkalaError(f"there is no function {name}: {error}") from None
    if not callable(function):
        raise MnkalaError(f"{name} is not a function")
    return function


def call(function: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Call a function; return its result as JSON text or its error in words, with the duration and
    the machine. Workers, the caller's process and a Dask cluster all use it, so that results are
    the same."""
    started = time.perf_counter()
    result = error = None
    try:
        result = to_json(find_function(function)(**arguments))
    except MnkalaError as problem:
        error = str(problem) or type(problem).__name__
    except (Exception, SystemExit) as problem:
        error = _in_words(problem)
    return {
        "result": result,
        "error": error,
        "seconds": time.perf_counter() - started,
        "machine": machine(),
    }


Listener = Callable[[Any], None]
_listeners: list[Listener] = []


@contextlib.contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Give to `listener` what jobs tell of themselves while they are being done."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.pop()


def tell_so_far(value: Any) -> None:
    """Tell those who wait for the current job how far it is, as a value of JSON types. Nothing
    happens where nobody listens, as on a cluster."""
    if _listeners:
        _listeners[-1](value)


def to_json(value: Any) -> str:
    """Encode a result as JSON, with NumPy's numbers as plain ones; raise an error for anything that
    JSON cannot express."""
    try:
        return json.dumps(value, allow_nan=False, ensure_ascii=False, default=_plain)
    except (TypeError, ValueError) as error:
        raise MnkalaError(f"the result is not JSON: {error}") from None


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a value of type {type(value).__name__}")


def _in_words(problem: BaseException) -> str:
    """Describe an unexpected error and where it arose, in one line."""
    last = traceback.extract_tb(problem.__traceback__)[-1]
    return f"{in_one_line(problem)} ({os.path.basename(last.filename)}, line {last.lineno})"


@functools.cache
def machine() -> str:
    """Describe this machine in one line: processor, cores, operating system, versions."""
    try:
        version = importlib.metadata.version("mnkala")
    except importlib.metadata.PackageNotFoundError:
        version = "from source"
    return (
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"{platform.python_implementation()} {platform.python_version()}, mnkala {version}"
    )


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as info:
            for line in info:
                if line.startswith("model name"):
                    return " ".join(line.partition(":")[2].split())
    except OSError:
        pass
    return platform.processor() or platform.machine()


def main() -> None:
    """Be a worker: read jobs from standard input, a line of JSON each, and answer on what was
    standard output; prints of the functions go to standard error. Before its answer a job may tell
    how far it is.

    The worker ends when its parent is gone, even in the middle of a job: the job is interrupted as
    by Ctrl-C, so that it can end what it has started, and compiled code, which does not hear that,
    is ended a second later.
    """
    parent = Parent()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # A shell may have it ignored.
    with contextlib.suppress(KeyboardInterrupt):
        jobs = parent.follow(FAREWELL)
        with heard_by(lambda value: parent.tell({SO_FAR: value})):
            while job := jobs.get():
                parent.tell(call(**job))
    os._exit(0)


# ---- Workers of this machine ----


MOST_DEATHS = 2
"""Workers that a job may kill before it counts as failed."""
HEARTBEAT = 0.2
"""The seconds between checks of the queue, so that Ctrl-C is noticed on every system."""
Answer = tuple[Job, Outcome]


class Heard(Protocol):
    """A function that is told how far a job is."""

    def __call__(self, key: str, value: Any) -> None: ...


class Pool:
    """A group of worker processes; `outcomes` yields results in the order in which they arrive."""

    def __init__(self, jobs: Sequence[Job], workers: int, heard: Heard | None = None) -> None:
        self.replaced, self._heard = 0, heard
        self._waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Answer | dict[str, Any] | BaseException] = (
            queue.SimpleQueue()
        )
        self._count, self._workers = len(jobs), min(workers, len(jobs))
        self._lock = threading.Lock()
        self._running: set[Child] = set()
        self._closed = False
        for job in jobs:
            self._waiting.put(job)

    def outcomes(self) -> Generator[Answer, None, None]:
        """Start the workers and yield each outcome as it comes; leaving the iterator ends the
        workers."""
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
                if not isinstance(answer, dict):
                    return answer
                if self._heard is not None:
                    self._heard(**answer)

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
        except (
            BaseException
        ) as error:  # If the thread died silently, the caller would wait for ever.
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
                while SO_FAR in (message := worker.message()):
                    self._answers.put({"key": job.key, "value": message[SO_FAR]})
                return worker, Outcome(job.key, **message)
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
                worker = Child.calling("mnkala.jobs.pool:main", errors="shown")
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


# ---- A cluster ----


AHEAD = 4
"""Jobs given out for each thread of the cluster: enough to keep it busy, few enough to stop soon."""
PATIENCE = 10
ADDRESS = re.compile(r"(inproc://.+|([a-z]+://)?[^\s/]+:\d+/?)")


class NoCluster(MnkalaError):
    """The Dask cluster cannot be used; the text says why."""


def cluster_outcomes(
    jobs: Sequence[Job], address: str
) -> Generator[tuple[Job, Outcome], None, None]:
    """Do jobs on the Dask cluster whose scheduler is at `address`, and yield each with its outcome
    as soon as it is done; leaving the iterator cancels the rest."""
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise NoCluster(
            "a cluster needs the package `distributed`: pip install 'mnkala[cluster]'"
        ) from None
    if not ADDRESS.fullmatch(
        address
    ):  # With a malformed address `distributed` would hang for a while and end in a traceback.
        raise NoCluster(
            f"{address!r} is no address of a Dask scheduler; it reads tcp://HOST:PORT, as the scheduler prints it"
        )
    logging.getLogger("distributed.client").setLevel(
        logging.CRITICAL
    )  # The loss of the scheduler is reported below.
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise NoCluster(
            f"no Dask scheduler answers at {address} within {PATIENCE} s: {error}"
        ) from None
    with client:
        threads = sum(
            worker["nthreads"] for worker in client.scheduler_info(n_workers=-1)["workers"].values()
        )
        if not threads:
            raise NoCluster(
                f"the cluster at {address} has no workers; start some with `dask worker {address}`"
            )
        _check_workers(client)
        left = iter(jobs)
        pending = distributed.as_completed([], loop=client.loop)
        of_future: dict[str, Job] = {}

        def give_out() -> None:
            job = next(left, None)
            if job is not None:
                key = "mnkala-" + hashlib.sha256(job.key.encode()).hexdigest()
                future = client.submit(call, job.function, job.arguments, key=key, pure=False)
                of_future[future.key] = job
                pending.add(future)

        try:
            for _ in range(threads * AHEAD):
                give_out()
            for future in pending:
                job = of_future.pop(future.key)
                outcome = _outcome(job, future)
                future.release()
                yield job, outcome
                give_out()
        except (CancelledError, OSError):  # Dask's CommClosedError is an OSError
            raise NoCluster(
                f"the Dask scheduler at {address} was lost; what came back is kept, and the same command, once there is a "
                "scheduler again, goes on from there"
            ) from None
        finally:
            with contextlib.suppress(CancelledError, OSError):
                client.cancel(list(pending.futures), force=True)


def _check_workers(client: Any) -> None:
    """Refuse a cluster with another mnkala: results must be the same everywhere."""
    try:
        versions = {text.rpartition(" ")[2] for text in client.run(machine).values()}
    except Exception as error:
        raise NoCluster(f"the workers of the cluster cannot run mnkala: {error}") from None
    own = machine().rpartition(" ")[2]
    if versions != {own}:
        raise NoCluster(
            f"the cluster has mnkala {', '.join(sorted(versions))}, this is {own}; install the same version everywhere"
        )


def _outcome(job: Job, future: Any) -> Outcome:
    error = future.exception()
    if error is None:
        return Outcome(job.key, **future.result())
    return Outcome(
        job.key,
        None,
        f"the cluster gave the job up: {type(error).__name__}: {' '.join(str(error).split())}",
        0.0,
        machine(),
    )
