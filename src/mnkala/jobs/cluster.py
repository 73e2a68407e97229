"""The same work on a Dask cluster (Rocklin 2015): `dask scheduler` somewhere, `dask worker ADDRESS` on any machine with mnkala.

Dask itself gives the job of a lost worker to another; a job that kills several workers comes back as failed.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import logging
import re
from collections.abc import Generator, Sequence
from concurrent.futures import CancelledError
from typing import Any

from mnkala.errors import MnkalaError
from mnkala.jobs.job import Job, Outcome
from mnkala.jobs.worker import call, machine

AHEAD = 4
"""Jobs given out for each thread of the cluster: enough to keep it busy, few enough to stop soon."""
PATIENCE = 10
ADDRESS = re.compile(r"(inproc://.+|([a-z]+://)?[^\s/]+:\d+/?)")


class NoCluster(MnkalaError):
    """The Dask cluster cannot be used; the text says why."""


def cluster_outcomes(jobs: Sequence[Job], address: str) -> Generator[tuple[Job, Outcome], None, None]:
    """Give each outcome as it comes; leaving the iterator cancels the rest."""
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise NoCluster("a cluster needs the package `distributed`: pip install 'mnkala[cluster]'") from None
    if not ADDRESS.fullmatch(address):  # With a malformed address `distributed` would hang for a while and end in a traceback.
        raise NoCluster(f"{address!r} is no address of a Dask scheduler; it reads tcp://HOST:PORT, as the scheduler prints it")
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # The loss of the scheduler is reported below.
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise NoCluster(f"no Dask scheduler answers at {address} within {PATIENCE} s: {error}") from None
    with client:
        threads = sum(worker["nthreads"] for worker in client.scheduler_info(n_workers=-1)["workers"].values())
        if not threads:
            raise NoCluster(f"the cluster at {address} has no workers; start some with `dask worker {address}`")
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
            raise NoCluster(f"the Dask scheduler at {address} was lost; what came back is kept, and the same command, once there is a "
                            "scheduler again, goes on from there") from None
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
        raise NoCluster(f"the cluster has mnkala {', '.join(sorted(versions))}, this is {own}; install the same version everywhere")


def _outcome(job: Job, future: Any) -> Outcome:
    error = future.exception()
    if error is None:
        return Outcome(job.key, **future.result())
    return Outcome(job.key, None, f"the cluster gave the job up: {type(error).__name__}: {' '.join(str(error).split())}", 0.0, machine())
