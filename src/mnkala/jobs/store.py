"""Jobs, their outcomes, and the file that keeps them: one SQLite file with a row for each key,
written as results arrive.

With the write-ahead log a killed program leaves every finished row and nothing of an unfinished
one. A key is a primary key, so nothing is counted twice, not even when two programs work on one
file.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from mnkala.errors import MnkalaError


class BadJob(MnkalaError):
    """Work that cannot be named or sent: a function that does not exist, or arguments that are not
    JSON.
    """


@dataclass(frozen=True, slots=True)
class Job:
    """A call of `function` ("module:name") with keyword arguments of JSON types. Seeds are part of
    the arguments.
    """

    key: str
    """Identifies the job: if the store holds a result under this key, the job is not done again."""
    function: str
    arguments: dict[str, Any]
    code: str = ""
    """The version of the program that does the job, kept with the result: a digest, and after a
    blank what else identifies it."""

    def __post_init__(self) -> None:
        module, colon, name = self.function.partition(":")
        if not (module and colon and name):
            raise BadJob(
                f"the job {self.key!r} names the function {self.function!r}; it must read module:name"
            )
        try:
            json.dumps(self.arguments, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise BadJob(f"the arguments of the job {self.key!r} are not JSON: {error}") from None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a job: a result (as JSON text), or the reason why there is none."""

    key: str
    result: str | None
    error: str | None
    seconds: float
    machine: str
    code: str = ""
    """The version of the program that did the job, as in `Job.code`."""

    @property
    def failed(self) -> bool:
        """Whether the job gave no result."""
        return self.error is not None

    @property
    def value(self) -> Any:
        """The result, decoded from JSON."""
        return None if self.result is None else json.loads(self.result)


@dataclass(frozen=True, slots=True)
class RunSummary:
    """Counts of what a call of `run_jobs` did."""

    total: int
    """Number of jobs with different keys."""
    kept: int = 0
    """Number of jobs whose results the store already held."""
    done: int = 0
    """Number of jobs done in this run, including failures."""
    failed: int = 0
    """Number of jobs that failed in this run."""
    old_failures: int = 0
    """Number of jobs that had failed in an earlier run and were not tried again."""
    replaced: int = 0
    """Number of workers that died and were replaced."""
    seconds: float = 0.0

    @property
    def any_failed(self) -> bool:
        """Whether there is a job without a result."""
        return bool(self.failed or self.old_failures)


# ---- The file ----


VERSION = 2
PATIENCE = 30.0
"""Seconds to wait for another program that is writing."""
SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    key TEXT PRIMARY KEY,
    function TEXT NOT NULL,
    arguments TEXT NOT NULL,
    result TEXT,
    error TEXT,
    seconds REAL NOT NULL,
    machine TEXT NOT NULL,
    finished TEXT NOT NULL,
    code TEXT NOT NULL DEFAULT '',
    CHECK ((result IS NULL) <> (error IS NULL))
) WITHOUT ROWID;
"""
WITH_CODE = "ALTER TABLE jobs ADD COLUMN code TEXT NOT NULL DEFAULT ''"
"""For files of version 1, whose rows do not say which code made them."""
COLUMNS = "key, function, arguments, result, error, seconds, machine, finished, code"
SELECT = "SELECT key, result, error, seconds, machine, code FROM jobs"


class BadStore(MnkalaError):
    """A file of results cannot be used; the text says why."""


class Entry(NamedTuple):
    """A row of the file of results."""

    job: Job
    outcome: Outcome
    finished: str
    """When the job was finished, in universal time."""


class Store:
    """A file of results. Use it in a `with` statement, or close it."""

    def __init__(self, path: str | Path, content: bytes | None = None) -> None:
        """Open the file at `path`. With `content`, which `as_bytes` returned, the store is in
        memory and `path` is only a name for error messages."""
        self.path = Path(path)
        with self._naming_the_file():
            if content is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(
                self.path if content is None else ":memory:", timeout=PATIENCE, isolation_level=None
            )
            if content is not None:
                self._base.deserialize(content)
            version = self._base.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise BadStore(
                    f"{self.path} was written by a newer mnkala (format {version}; this one reads {VERSION})"
                )
            if version < VERSION:
                self._base.execute("PRAGMA journal_mode = WAL")
                self._base.execute("BEGIN IMMEDIATE")
                if self._base.execute("PRAGMA user_version").fetchone()[0] == 1:
                    self._base.execute(WITH_CODE)
                self._base.execute(SCHEMA)
                self._base.execute(f"PRAGMA user_version = {VERSION}")
                self._base.execute("COMMIT")

    @contextlib.contextmanager
    def _naming_the_file(self) -> Iterator[None]:
        """Turn errors of SQLite inside the block into a `BadStore` that names the file."""
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise BadStore(f"cannot use {self.path} for results: {error}") from None

    def add(self, job: Job, outcome: Outcome) -> bool:
        """Keep an outcome and return whether anything was written. A result replaces a failure,
        never another result."""
        finished = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        with self._naming_the_file():
            written = self._base.execute(
                f"INSERT INTO jobs ({COLUMNS})"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET result = excluded.result,"
                " error = excluded.error, seconds = excluded.seconds, machine = excluded.machine, finished = excluded.finished,"
                " code = excluded.code"
                " WHERE jobs.error IS NOT NULL",
                (
                    job.key,
                    job.function,
                    _text(job),
                    outcome.result,
                    outcome.error,
                    outcome.seconds,
                    outcome.machine,
                    finished,
                    job.code,
                ),
            )
        return written.rowcount > 0

    def outcomes(self, keys: Iterable[str]) -> dict[str, Outcome]:
        """The stored outcomes of these keys, by key."""
        wanted = list(keys)
        found: dict[str, Outcome] = {}
        with self._naming_the_file():
            for start in range(0, len(wanted), 500):
                some = wanted[start : start + 500]
                marks = ",".join("?" * len(some))
                found |= {
                    row[0]: Outcome(*row)
                    for row in self._base.execute(f"{SELECT} WHERE key IN ({marks})", some)
                }
        return found

    def errors(self, keys: Iterable[str] | None = None) -> list[str]:
        """The errors of the jobs of these keys, or of all jobs, each text once."""
        outcomes = self.all() if keys is None else self.outcomes(keys).values()
        return sorted({outcome.error for outcome in outcomes if outcome.error})

    def entries(self) -> list[Entry]:
        """All rows, with the jobs' arguments and dates, the oldest first."""
        with self._naming_the_file():
            rows = self._base.execute(
                "SELECT key, function, arguments, finished, result, error, seconds, machine FROM jobs "
                "ORDER BY finished, key"
            ).fetchall()
        return [
            Entry(Job(key, function, json.loads(arguments)), Outcome(key, *outcome), finished)
            for key, function, arguments, finished, *outcome in rows
        ]

    def count(self) -> int:
        """The number of results, without failures."""
        with self._naming_the_file():
            return int(
                self._base.execute("SELECT COUNT(*) FROM jobs WHERE error IS NULL").fetchone()[0]
            )

    def note(self, name: str, text: str) -> None:
        """Store a text that concerns the whole work, such as its plan, under a name."""
        with self._naming_the_file():
            self._base.execute(
                "CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID"
            )
            self._base.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, text))

    def noted(self, name: str) -> str | None:
        """The text that `note` stored under this name, or None."""
        with self._naming_the_file():
            if (
                self._base.execute("SELECT 1 FROM sqlite_master WHERE name = 'notes'").fetchone()
                is None
            ):
                return None
            row = self._base.execute("SELECT text FROM notes WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def all(self) -> list[Outcome]:
        """All outcomes, sorted by key."""
        with self._naming_the_file():
            return [Outcome(*row) for row in self._base.execute(f"{SELECT} ORDER BY key")]

    def under_other_keys(self, jobs: Iterable[Job]) -> int:
        """How many of these jobs are stored only under other keys, because another version of the
        program did them."""
        with self._naming_the_file():
            there = self._base.execute("SELECT key, function, arguments FROM jobs").fetchall()
        keys, calls = {row[0] for row in there}, {row[1:] for row in there}
        return len(
            {job.key for job in jobs if job.key not in keys and (job.function, _text(job)) in calls}
        )

    def forget(self, keys: Iterable[str]) -> int:
        """Remove rows so that their jobs are done again; return how many there were."""
        with self._naming_the_file():
            self._base.execute("BEGIN")
            removed = sum(
                self._base.execute("DELETE FROM jobs WHERE key = ?", (key,)).rowcount
                for key in keys
            )
            self._base.execute("COMMIT")
        return removed

    def dates(self, keys: Iterable[str]) -> tuple[str, str] | None:
        """When the first and the last of these rows were written, in universal time."""
        wanted = set(keys)
        with self._naming_the_file():
            times = sorted(
                row[1]
                for row in self._base.execute("SELECT key, finished FROM jobs")
                if row[0] in wanted
            )
        return (times[0], times[-1]) if times else None

    def as_bytes(self, keys: Iterable[str]) -> bytes:
        """The rows of these keys as a file of their own, the same bytes for the same rows."""
        wanted = list(keys)
        with (
            self._naming_the_file(),
            contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as copy,
        ):
            copy.execute(SCHEMA)
            copy.execute(f"PRAGMA user_version = {VERSION}")
            copy.execute("BEGIN")
            for start in range(0, len(wanted), 500):
                some = wanted[start : start + 500]
                rows = self._base.execute(
                    f"SELECT {COLUMNS} FROM jobs WHERE key IN ({','.join('?' * len(some))})", some
                )
                copy.executemany(
                    f"INSERT INTO jobs ({COLUMNS}) VALUES ({','.join('?' * len(COLUMNS.split(',')))})",
                    rows,
                )
            copy.execute("COMMIT")
            copy.execute("VACUUM")
            return copy.serialize()

    def close(self) -> None:
        """Close the file and merge SQLite's log into it."""
        with self._naming_the_file():
            self._base.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def remove_store(path: Path) -> None:
    """Delete the file of a closed store, and those that SQLite may have left beside it."""
    for end in ("", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            path.with_name(path.name + end).unlink()


def _text(job: Job) -> str:
    return json.dumps(job.arguments, ensure_ascii=False, sort_keys=True)
