"""What all searches that run an external program share: the connection to it, its time for a move,
and who may run it."""

from __future__ import annotations

import dataclasses
import time
import weakref
from collections.abc import Callable
from typing import ClassVar, Generic, Protocol, TypeVar

from mnkala.core import Position, Rules
from mnkala.errors import BadEngine
from mnkala.jobs.child import Wanted
from mnkala.numbers import shortened
from mnkala.programs.process import Forfeit, NoStart
from mnkala.search.analysis import Analysis
from mnkala.search.engine import Search
from mnkala.search.root import Task

USUAL_SECONDS = 1.0
"""Seconds for a move if no time limit is given."""
MOST_MEMORY = 1 << 20


class Talk(Protocol):
    """A conversation with a program during a game."""

    def close(self) -> None:
        """End the conversation and the program."""


Some = TypeVar("Some", bound=Talk)


class Line(Generic[Some]):
    """Holds the conversation with a program, and closes it when the holder is no longer used."""

    def __init__(self) -> None:
        self.talk: Some | None = None

    def open(self, make: Callable[[], Some]) -> Some:
        """Return the open conversation, or start a new one."""
        if self.talk is None:
            self.talk = make()
            weakref.finalize(self, self.talk.close)
        return self.talk


@dataclasses.dataclass(frozen=True)
class ProgramSearch(Search, Generic[Some]):
    """Base class of the searches that ask an external program."""

    runs_program: ClassVar[bool] = True
    allowed: bool = dataclasses.field(default=False, metadata={"option": False})
    """Whether the program may be run. External programs are allowed only if the user typed the
    string."""
    line: Line[Some] = dataclasses.field(
        default_factory=Line, init=False, repr=False, compare=False
    )

    @staticmethod
    def seconds(task: Task) -> float:
        """The seconds that the program has for a move."""
        return task.limit.time or USUAL_SECONDS

    @staticmethod
    def is_wanted(task: Task, seconds: float) -> bool:
        """Whether somebody still waits for the answer. The flag that is raised when the time is up
        does not count: the program knows its time and gets a little more."""
        return not task.stop.is_set() or (
            task.limit.time is not None and time.perf_counter() >= task.started + seconds
        )

    @staticmethod
    def answered(task: Task, answer: tuple[int, str] | None) -> Analysis:
        """Make an analysis of a move and the program's comment. The answer is None if nobody waits
        for it any more."""
        if answer is None:
            return Analysis(
                task.position, task.engine, None, (), task.position.legal_codes[:1], note="stopped"
            )
        code, message = answer
        return Analysis(
            task.position,
            task.engine,
            None,
            (),
            (code,),
            seconds=time.perf_counter() - task.started,
            note=message,
        )

    def check_memory(self, memory: int) -> None:
        """Refuse a memory limit that cannot be a number of megabytes."""
        if not 0 <= memory <= MOST_MEMORY:
            raise BadEngine(
                f"memory={memory}; a program may have up to {MOST_MEMORY} megabytes, and 0 means no limit"
            )

    def require_allowed(self, what: str) -> None:
        """Refuse to run a program that was named by a record, a saved game or the network."""
        if not self.allowed:
            raise BadEngine(
                f"{self.name}:{shortened(what, 200)} is a program, which runs only where it is typed: "
                "mnkala play --first or --second, mnkala match, mnkala analyse"
            )

    def close(self) -> None:
        if self.line.talk is not None:
            self.line.talk.close()


class Conversation(Talk, Protocol):
    """A conversation with a program that is asked for moves."""

    def get_ready(self, rules: Rules) -> None:
        """Start the program, unless it is ready to play a game; raise `Forfeit` if it fails."""

    def move(self, position: Position, seconds: float, wanted: Wanted) -> tuple[int, str] | None:
        """The program's move and its comment; None if it is no longer wanted."""


Partner = TypeVar("Partner", bound=Conversation)


@dataclasses.dataclass(frozen=True)
class ProcessSearch(ProgramSearch[Partner]):
    """Base class of the searches that ask a process of its own, which `first_option` names."""

    def converse(self) -> Partner:
        """Begin a conversation. The process is started when it is first needed."""
        raise NotImplementedError

    def talk(self, rules: Rules) -> Partner:
        """The conversation with the program, if it may be run."""
        self.require_allowed(self._named)
        self.check(rules)
        return self.line.open(self.converse)

    @property
    def _named(self) -> str:
        return str(getattr(self, self.first_option))

    def prepare(self, rules: Rules) -> None:
        """Start the program, which may take its time before any clock runs."""
        try:
            self.talk(rules).get_ready(rules)
        except Forfeit as error:  # Nothing was played yet, so nobody has lost.
            raise NoStart(f"'{shortened(self._named, 200)}' does not start: {error}") from None

    def run(self, task: Task) -> Analysis:
        seconds = self.seconds(task)
        return self.answered(
            task,
            self.talk(task.rules).move(
                task.position, seconds, lambda: self.is_wanted(task, seconds)
            ),
        )
