"""Parallel, resumable work: the lowest layer, which knows no game.

A `Job` names a function and its arguments, all JSON. `run_jobs` does what a `Store` (an SQLite
file) does not hold yet, in several processes or on a Dask cluster, and saves every result as it
comes. If it is interrupted in any way, the same call continues where it stopped.
"""

from mnkala.jobs.run import PlainProgress, Progress, RichProgress, Run, run_jobs, shown_on
from mnkala.jobs.store import Job, Outcome, RunSummary, Store

__all__ = [
    "Job",
    "Outcome",
    "PlainProgress",
    "Progress",
    "RichProgress",
    "Run",
    "RunSummary",
    "Store",
    "run_jobs",
    "shown_on",
]
