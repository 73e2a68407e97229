"""Do what is not done yet, and keep each result as it comes."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Generator, Iterable, Sequence

from mnkala.errors import MnkalaError
from mnkala.jobs.cluster import cluster_outcomes
from mnkala.jobs.job import Job, Outcome, Summary
from mnkala.jobs.pool import Pool
from mnkala.jobs.progress import Progress
from mnkala.jobs.store import Store
from mnkala.jobs.worker import call

MOST_WORKERS = 256


def run_jobs(jobs: Iterable[Job], store: Store, *, workers: int | None = None, cluster: str | None = None,
             progress: Progress | None = None, retry: bool = False) -> Summary:
    """Do the jobs whose keys the store does not hold; what was done, in numbers.

    `workers` processes (None: one a core; 0: in the calling process), or the Dask cluster whose scheduler is at the address `cluster`.
    `retry` does failed ones again. Ctrl-C interrupts the jobs as well and raises KeyboardInterrupt within two seconds; all that was
    done is in the store, and the same call goes on from there.
    """
    if workers is not None and not 0 <= workers <= MOST_WORKERS:
        raise MnkalaError(f"{workers} workers; a run has 1 to {MOST_WORKERS}, or 0 to stay in this process")
    progress = progress or Progress()
    wanted = {job.key: job for job in jobs}
    known = store.outcomes(wanted)
    left = [job for job in wanted.values() if job.key not in known or (retry and known[job.key].failed)]
    old_failures = 0 if retry else sum(outcome.failed for outcome in known.values())
    summary = Summary(len(wanted), kept=len(wanted) - len(left), old_failures=old_failures)
    started = time.perf_counter()
    progress.begin(summary.total, summary.kept)
    pool = Pool(left, usual_workers() if workers is None else workers) if workers != 0 and cluster is None else None
    source = pool.outcomes() if pool else cluster_outcomes(left, cluster) if cluster is not None else _here(left)
    try:
        if left:
            for job, outcome in source:
                store.add(job, outcome)
                progress.done(outcome)
                summary = dataclasses.replace(summary, done=summary.done + 1, failed=summary.failed + outcome.failed)
    finally:
        source.close()
        progress.end()
    return dataclasses.replace(summary, replaced=pool.replaced if pool else 0, seconds=time.perf_counter() - started)


def usual_workers() -> int:
    """One for each core that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _here(jobs: Sequence[Job]) -> Generator[tuple[Job, Outcome], None, None]:
    """In the calling process, one after the other."""
    for job in jobs:
        yield job, Outcome(job.key, **call(job.function, job.arguments))
