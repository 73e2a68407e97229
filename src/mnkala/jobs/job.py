"""What a piece of work is, and what becomes of it."""

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
    """Identifies the work: what a store holds under this key is not done again."""
    function: str
    arguments: dict[str, Any]
    code: str = ""
    """The state of the program that does it, kept with the result: a digest, and after a blank what else to know of it."""

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
    """As the job said."""

    @property
    def failed(self) -> bool:
        """Whether there is no result."""
        return self.error is not None

    @property
    def value(self) -> Any:
        """The result as JSON values."""
        return None if self.result is None else json.loads(self.result)


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a call of `run_jobs` did."""

    total: int
    """Jobs asked for, each key once."""
    kept: int = 0
    """Of these, in the store already."""
    done: int = 0
    """Done now, failed ones included."""
    failed: int = 0
    """Failed now."""
    old_failures: int = 0
    """Failed in an earlier run and not tried again."""
    replaced: int = 0
    """Workers that died and were replaced."""
    seconds: float = 0.0
