"""What all searches that run a program share: the open line to it, its time for a move, and who may run it."""

from __future__ import annotations

import dataclasses
import time
import weakref
from collections.abc import Callable
from typing import ClassVar, Generic, Protocol, TypeVar

from mnkala.errors import BadEngine
from mnkala.numbers import shortened
from mnkala.search.analysis import Analysis
from mnkala.search.engine import Search
from mnkala.search.root import Task

USUAL_SECONDS = 1.0
"""For a move, where no limit of time is given."""
MOST_MEMORY = 1 << 20


class Talk(Protocol):
    """A conversation with a program."""

    def close(self) -> None:
        """End the program."""


Some = TypeVar("Some", bound=Talk)


class Line(Generic[Some]):
    """The open line to a program, which ends with whoever holds it."""

    def __init__(self) -> None:
        self.talk: Some | None = None

    def open(self, make: Callable[[], Some]) -> Some:
        """The conversation; a new one where there is none."""
        if self.talk is None:
            self.talk = make()
            weakref.finalize(self, self.talk.close)
        return self.talk


@dataclasses.dataclass(frozen=True)
class ProgramSearch(Search, Generic[Some]):
    """Base of the searches that ask a program."""

    runs_program: ClassVar[bool] = True
    allowed: bool = dataclasses.field(default=False, metadata={"option": False})
    """Whether the program may be run: whoever named it is the one for whom it runs."""
    line: Line[Some] = dataclasses.field(default_factory=Line, init=False, repr=False, compare=False)

    @staticmethod
    def seconds(task: Task) -> float:
        """The program's time for a move."""
        return task.limit.time or USUAL_SECONDS

    @staticmethod
    def is_wanted(task: Task, seconds: float) -> bool:
        """Whether somebody still waits. The flag that is raised when the time is up is not meant: the program knows its time, and is
        granted a little more."""
        return not task.stop.is_set() or (task.limit.time is not None and time.perf_counter() >= task.started + seconds)

    @staticmethod
    def answered(task: Task, answer: tuple[int, str] | None) -> Analysis:
        """A move and what the program said, as an analysis; None is an answer that nobody waits for any more."""
        if answer is None:
            return Analysis(task.position, task.engine, None, (), task.position.legal_codes[:1], note="stopped")
        code, message = answer
        return Analysis(task.position, task.engine, None, (), (code,), seconds=time.perf_counter() - task.started, note=message)

    def check_memory(self, memory: int) -> None:
        """Refuse what cannot be meant as megabytes."""
        if not 0 <= memory <= MOST_MEMORY:
            raise BadEngine(f"memory={memory}; a program may have up to {MOST_MEMORY} megabytes, and 0 means no limit")

    def require_allowed(self, what: str) -> None:
        """Refuse to run a program that came by a record, a saved game or the network."""
        if not self.allowed:
            raise BadEngine(f"{self.name}:{shortened(what, 200)} is a program, which runs only where it is typed: "
                            "mnkala play --first or --second, mnkala match, mnkala analyse")

    def close(self) -> None:
        if self.line.talk is not None:
            self.line.talk.close()
