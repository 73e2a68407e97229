"""The one thread that writes games, so that a slow disk or another program's lock never holds up the event loop.

Whoever changes a game waits until its row is on disk. What waits at the same time goes into one transaction, which costs little more
than a single row.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import queue
import threading

from mnkala.play.store import Change, ChangedElsewhere, DiskFull, NotSaved, Store

MOST_TOGETHER = 64
CLOSING_SECONDS = 5.0


@dataclasses.dataclass(frozen=True)
class _Job:
    changes: tuple[Change, ...]
    done: concurrent.futures.Future[None]


class Writer:
    """Writes what it is given, in that order."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._closed = False
        self._waiting: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def write(self, *changes: Change) -> concurrent.futures.Future[None]:
        """Write all of these changes, or none: done when they are on disk, or with NotSaved as its error."""
        if self._closed:
            raise NotSaved("not saved: the server is closing")
        job = _Job(changes, concurrent.futures.Future())
        self._waiting.put(job)
        return job.done

    def close(self) -> None:
        """Write what waits, then end."""
        self._closed = True
        self._waiting.put(None)
        self._thread.join(CLOSING_SECONDS)

    def _run(self) -> None:
        last = False
        while not last:
            taken = [self._waiting.get()]
            while len(taken) < MOST_TOGETHER and not self._waiting.empty():
                taken.append(self._waiting.get())
            jobs = [job for job in taken if job is not None]
            last = len(jobs) < len(taken)
            if wanted := [job for job in jobs if job.done.set_running_or_notify_cancel()]:
                self._write(wanted)

    def _write(self, jobs: list[_Job]) -> None:
        try:
            self._store.write([change for job in jobs for change in job.changes])
        except (DiskFull, ChangedElsewhere) as error:
            if len(jobs) > 1:  # one that cannot be written must not take the others with it
                for job in jobs:
                    self._write([job])
            else:
                jobs[0].done.set_exception(error)
        except Exception as error:
            for job in jobs:
                job.done.set_exception(error)
        else:
            for job in jobs:
                job.done.set_result(None)
