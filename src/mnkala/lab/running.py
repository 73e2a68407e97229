"""Run a study: its work as jobs, its data in a store."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mnkala.errors import MnkalaError
from mnkala.jobs import Progress, Store, run_jobs
from mnkala.lab.results import Results
from mnkala.lab.shipped import SHIPPED
from mnkala.lab.store import default_data, job_of, load, read, stale_keys
from mnkala.lab.study import Study
from mnkala.lab.study_file import check_columns, load_study

__all__ = ["load", "run"]


def run(study: str | Path | Study, data: str | Path | None = None, *, quick: bool = False, jobs: int | None = None,
        cluster: str | None = None, progress: Progress | None = None, retry: bool = False, fresh: bool = False,
        stale: bool = False) -> Results:
    """Measure what the data file does not hold yet, and give all rows.

    `jobs` processes (None: one a core; 0: in this process) or a Dask `cluster`. `retry` tries failed work again, `fresh` all of it,
    `stale` only measures again what older code measured, and leaves alone what is not there.
    Ctrl-C raises KeyboardInterrupt; the same call goes on from there.
    """
    study = study if isinstance(study, Study) else load_study(study)
    if str(data) == SHIPPED:
        raise MnkalaError(f"what is {SHIPPED} with mnkala is not written to; name a file, "
                          "or copy it into one: python -m mnkala.lab.shipped unpack FILE")
    work = [job_of(one) for one in study.work(quick)]
    with Store(data if data is not None else default_data()) as store:
        if fresh:
            store.forget(job.key for job in work)
        if stale:
            old = set(stale_keys(study.work(quick), store.outcomes(job.key for job in work)))
            store.forget(old)
            work = [job for job in work if job.key in old]
        check_columns(read(study, store, quick))
        summary = run_jobs(work, store, workers=jobs, cluster=cluster, progress=progress, retry=retry)
        results = replace(read(study, store, quick), summary=summary)
    check_columns(results)
    return results
