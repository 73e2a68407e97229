"""A unit of work and its outcome."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from mnkala.errors import MnkalaError


class BadJob(MnkalaError):
    """Work that cannot be named or sent: a function that does not exist, or arguments that are not JSON."""


@dataclass(frozen=True, slots=True)
class Job:
    """A call of `function` ("module:name") with keyword arguments of JSON types. Seeds are part of the arguments."""

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
            raise BadJob(f"the job {self.key!r} names the function {self.function!r}; it must read module:name")
        try:
            json.dumps(self.arguments, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise BadJob(f"the arguments of the job {self.key!r} are not JSON: {error}") from None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a job: a result (as JSON text), or the reason why there is none."""

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
