"""Does the jobs that are not done yet, saves each result as it comes, and shows the progress."""

from __future__ import annotations

import dataclasses
import os
import sys
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any, TextIO

from mnkala.errors import MnkalaError
from mnkala.jobs.pool import Heard, Pool, call, cluster_outcomes, heard_by
from mnkala.jobs.store import Job, Outcome, RunSummary, Store
from mnkala.numbers import counted

# ---- Progress ----


PLAIN_PERIOD = 10.0
"""Seconds between two lines of progress."""


class Progress:
    """Shows the progress of a run; this base class shows nothing."""

    label = ""
    """A short description of the current work; it may change during the run."""

    def begin(self, total: int, kept: int) -> None:
        """Note that the run begins with `total` jobs, `kept` of which are already in the store."""

    def done(self, outcome: Outcome) -> None:
        """Note that one more job is done and stored."""

    def end(self) -> None:
        """Note that the run is over, because everything is done or because it was interrupted."""


class PlainProgress(Progress):
    """A line at the beginning and the end, and one every ten seconds."""

    def __init__(
        self, label: str, out: TextIO | None = None, period: float = PLAIN_PERIOD, noun: str = "job"
    ) -> None:
        self.label, self.out, self.period, self.noun = label, out or sys.stderr, period, noun
        self.total = self.kept = self.now = self.failed = 0
        self.started = self.told = time.monotonic()

    def begin(self, total: int, kept: int) -> None:
        self.total, self.kept = total, kept
        self.started = self.told = time.monotonic()
        self._say(f"{counted(total, self.noun)}" + (f", {kept} already done" if kept else ""))

    def done(self, outcome: Outcome) -> None:
        self.now += 1
        self.failed += outcome.failed
        time_now = time.monotonic()
        finished = self.kept + self.now == self.total
        if finished or time_now - self.told >= self.period:
            self.told = time_now
            elapsed = time_now - self.started
            left = elapsed / self.now * (self.total - self.kept - self.now)
            ending = f"in {in_words(elapsed)}" if finished else f"about {in_words(left)} left"
            failures = f", {self.failed} failed" if self.failed else ""
            self._say(f"{self.kept + self.now} of {self.total} done{failures}, {ending}")

    def _say(self, text: str) -> None:
        print(f"{self.label}: {text}", file=self.out, flush=True)


class RichProgress(Progress):
    """A progress bar with the number of jobs done, the elapsed time and the time left."""

    def __init__(self, label: str, refreshes: bool = True) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
        from rich.progress import Progress as Bar

        self.label, self.failed = label, 0
        self.bar = Bar(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            speed_estimate_period=3600,
            auto_refresh=refreshes,
        )
        self.task = self.bar.add_task(label, total=None)

    def begin(self, total: int, kept: int) -> None:
        # Kept jobs must not count towards the speed, so the task starts again with them done.
        self.bar.reset(self.task, total=total, completed=kept)
        self.bar.start()

    def done(self, outcome: Outcome) -> None:
        self.failed += outcome.failed
        self.bar.update(
            self.task,
            advance=1,
            description=self.label + (f" ({self.failed} failed)" if self.failed else ""),
        )

    def end(self) -> None:
        self.bar.stop()


def shown_on(label: str, stream: TextIO | None = None) -> Progress:
    """A progress bar on a terminal, plain lines elsewhere."""
    stream = stream or sys.stderr
    return RichProgress(label) if stream.isatty() else PlainProgress(label, stream)


def in_words(seconds: float) -> str:
    """A duration as people say it: 12 s, 3 min, 1 h 20 min."""
    if seconds < 90:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


# ---- The run ----


MOST_WORKERS = 256


class Run:
    """The jobs of a run as they are done: a context manager that a loop takes the outcomes from.

        with Run(jobs, store) as run:
            for outcome in run:
                ...

    Each outcome comes as soon as it is in the store. Leaving the context ends the work, whether or
    not all of it is done; `summary` then says in numbers what was. The arguments are those of
    `run_jobs`; `heard` is told how far the jobs are that are being done on this machine, as far as
    they say so (`tell_so_far`).
    """

    def __init__(
        self,
        jobs: Iterable[Job],
        store: Store,
        *,
        workers: int | None = None,
        cluster: str | None = None,
        progress: Progress | None = None,
        retry: bool = False,
        heard: Heard | None = None,
    ) -> None:
        if workers is not None and not 0 <= workers <= MOST_WORKERS:
            raise MnkalaError(
                f"{workers} workers; a run has 1 to {MOST_WORKERS}, or 0 to stay in this process"
            )
        wanted = {job.key: job for job in jobs}
        known = store.outcomes(wanted)
        left = [
            job
            for job in wanted.values()
            if job.key not in known or (retry and known[job.key].failed)
        ]
        old_failures = 0 if retry else sum(outcome.failed for outcome in known.values())
        self.summary = RunSummary(
            len(wanted), kept=len(wanted) - len(left), old_failures=old_failures
        )
        self._store, self._progress = store, progress or Progress()
        self._pool: Pool | None = None
        if not left or (workers == 0 and cluster is None):
            self._outcomes = _here(left, heard)
        elif cluster is not None:
            self._outcomes = cluster_outcomes(left, cluster)
        else:
            self._pool = Pool(left, usual_workers() if workers is None else workers, heard)
            self._outcomes = self._pool.outcomes()
        self._unshown: Outcome | None = None
        self._started = time.perf_counter()

    def __enter__(self) -> Run:
        self._progress.begin(self.summary.total, self.summary.kept)
        return self

    def __iter__(self) -> Iterator[Outcome]:
        for job, outcome in self._outcomes:
            self._store.add(job, outcome)
            self.summary = dataclasses.replace(
                self.summary,
                done=self.summary.done + 1,
                failed=self.summary.failed + outcome.failed,
            )
            self._unshown = outcome
            yield outcome
            self._show()

    def _show(self) -> None:
        """Show an outcome as done after the loop has handled it and may have changed the label."""
        outcome, self._unshown = self._unshown, None
        if outcome is not None:
            self._progress.done(outcome)

    def __exit__(self, *error: object) -> None:
        try:
            self._outcomes.close()
            self._show()
        finally:
            self._progress.end()
        self.summary = dataclasses.replace(
            self.summary,
            replaced=self._pool.replaced if self._pool else 0,
            seconds=time.perf_counter() - self._started,
        )


def run_jobs(
    jobs: Iterable[Job],
    store: Store,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
    retry: bool = False,
) -> RunSummary:
    """Do the jobs whose keys the store does not hold, and count what was done. `Run` also yields
    the outcomes as they come.

    `workers` processes do the work (None: one for each core; 0: the calling process), or the
    Dask cluster whose scheduler is at the address `cluster`. `retry` repeats failed jobs. Ctrl-C
    interrupts the jobs as well and raises KeyboardInterrupt within two seconds; all finished
    work is in the store, and the same call continues from there.
    """
    with Run(jobs, store, workers=workers, cluster=cluster, progress=progress, retry=retry) as run:
        for _ in run:
            pass
    return run.summary


def finished(
    jobs: Sequence[Job], store: Store, *, advice: str = "", **options: Any
) -> list[Outcome]:
    """Do the jobs as `run_jobs` does and return their outcomes in order. If one of them has failed,
    raise an error with the `advice` and the reason.
    """
    run_jobs(jobs, store, **options)
    known = store.outcomes(job.key for job in jobs)
    outcomes = [known[job.key] for job in jobs]
    for outcome in outcomes:
        if outcome.failed:
            raise MnkalaError(f"{advice}{outcome.error}")
    return outcomes


def usual_workers() -> int:
    """The usual number of workers: one for each core that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _here(jobs: Sequence[Job], heard: Heard | None) -> Generator[tuple[Job, Outcome], None, None]:
    """Do the jobs in the calling process, one after the other."""
    for job in jobs:

        def listen(value: Any, key: str = job.key) -> None:
            if heard is not None:
                heard(key, value)

        with heard_by(listen):
            outcome = Outcome(job.key, **call(job.function, job.arguments))
        yield job, outcome
