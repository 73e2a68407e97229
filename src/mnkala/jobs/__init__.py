"""Parallel, resumable work: the lowest layer, which knows no game.

A `Job` names a function and its arguments, all JSON. `run_jobs` does what a `Store` (an SQLite file) does not hold yet, over processes
or a Dask cluster, and keeps every result as it comes. Interrupted in any way, the same call goes on where it stopped.
"""

from mnkala.jobs.run import PlainProgress, Progress, RichProgress, Run, run_jobs, shown_on
from mnkala.jobs.store import Job, Outcome, RunSummary, Store

__all__ = ["Job", "Outcome", "PlainProgress", "Progress", "RichProgress", "Run", "RunSummary", "Store", "run_jobs", "shown_on"]
