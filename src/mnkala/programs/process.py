"""A program that somebody else wrote, run as a `Child`; the faults by which a program loses a game,
each a `Forfeit`; and what the searches that ask one share: the connection to it, its time for a
move, and who may run it.
"""

from __future__ import annotations

import dataclasses
import enum
import math
import os
import shlex
import shutil
import time
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, Generic, Protocol, TypeVar

from mnkala.core import Position, Rules
from mnkala.errors import BadEngine, MnkalaError, printable
from mnkala.jobs.child import Child, NoLine, Reason, Wanted
from mnkala.numbers import shortened
from mnkala.search.analysis import Analysis
from mnkala.search.engine import Search
from mnkala.search.root import Task


class Fault(enum.StrEnum):
    """A fault of a player, under the name that results use."""

    ILLEGAL_MOVE = "illegal move"
    """Its last answer was a move that the rules do not allow; the program has lost the game."""
    DISCONNECTED = "disconnection"
    """It left or died during a game, and has lost it."""
    SILENCE = "silence"
    """It did not answer a ping and was given up; it has lost its games."""
    FLAG_FALL = "flag fall"
    """It had sent no move when its time was up. A program has lost the game; for a client of KGP a
    random move was made, as that protocol demands."""
    NO_MOVE = "missing move"
    """It yielded without sending a move. A program has lost the game; for a client of KGP a random
    move was made."""
    EXCEPTION = "exception"
    """Its function raised an exception; it has lost the game."""
    OUT_OF_MEMORY = "out of memory"
    """It needed more memory than it may use; it has lost the game."""
    BAD_LINE = "bad line"
    """It sent something that cannot be read. A program has lost the game; a client was only told
    so."""


class Forfeit(MnkalaError):
    """A player has lost the game by a fault; the text says what happened."""

    def __init__(self, fault: Fault, what: str) -> None:
        super().__init__(f"{fault}: {what}")
        self.fault = fault


class NoStart(BadEngine):
    """A program could not be started, or ended before it was ready to play."""


MOST_WAITING = 1 << 20
"""The most bytes that a program may write before they are read."""
LONGEST_LINE = 1 << 12
FAULTS: dict[Reason, Fault] = {
    "silent": Fault.FLAG_FALL,
    "flooded": Fault.BAD_LINE,
    "greedy": Fault.OUT_OF_MEMORY,
    "ended": Fault.DISCONNECTED,
}
FAREWELL_SECONDS = 0.5
"""Seconds that a program may take to end after it was asked to."""


def command_of(text: str) -> list[str]:
    """Split a command line into words: a path that may contain spaces, or a program and its
    arguments. Raises BadEngine if there is no such program."""
    if Path(text).expanduser().is_file():
        return [str(Path(text).expanduser().resolve())]
    try:
        words = shlex.split(text, posix=os.name != "nt")
    except ValueError as error:
        raise BadEngine(f"'{shortened(text)}' is no command line: {error}") from None
    if os.name == "nt":
        words = [word.strip('"') for word in words]
    if not words:
        raise BadEngine("which program? Name it by its path, with its arguments behind it")
    found = shutil.which(os.path.expanduser(words[0]))
    if found is None:
        raise BadEngine(f"there is no program '{shortened(words[0], 200)}' that can be run")
    return [os.path.abspath(found), *words[1:]]


class Program:
    """A running program, written to and read in lines. It is ended if it and its descendants hold
    more than `memory` megabytes; 0 means no limit.
    """

    def __init__(
        self, command: Sequence[str], name: str, folder: str | None = None, memory: int = 0
    ) -> None:
        self.name = name
        try:
            self._child = Child(command, folder=folder, most=MOST_WAITING, memory=memory << 20)
            self._child.check_started()
        except OSError as error:
            raise BadEngine(
                f"'{shortened(' '.join(command), 200)}' cannot be run: {error.strerror or error}"
            ) from None

    @classmethod
    def typed(cls, text: str, memory: int) -> Program:
        """Start the program that somebody typed. One that is named by its path alone runs in its
        own folder, as tournament managers do it."""
        command = command_of(text)
        return cls(
            command,
            os.path.basename(command[0]),
            os.path.dirname(command[0]) if len(command) == 1 else None,
            memory,
        )

    def send(self, *lines: str) -> None:
        """Write lines with the line ends that the protocols expect."""
        self._child.send(*lines, end="\r\n")

    def line(self, seconds: float = math.inf, wanted: Wanted = lambda: True) -> str | None:
        """The next line, or None if it is no longer wanted; raise `Forfeit` if none arrives in time
        or the program has ended."""
        try:
            line = self._child.line(seconds, wanted)
        except NoLine as error:
            raise Forfeit(FAULTS[error.reason], f"{self.name} {error}") from None
        return line and printable(line[:LONGEST_LINE]).strip()

    def close(self, farewell: str = "") -> None:
        """End the program and everything that it started, after a farewell if there is one."""
        if farewell:
            self.send(farewell)
            self._child.close_input()
        self._child.end(FAREWELL_SECONDS if farewell else 0.0)


# ---- The searches that ask a program ----


USUAL_SECONDS = 1.0
"""Seconds for a move if no time limit is given."""
MOST_MEMORY = 1 << 20


class Talk(Protocol):
    """A conversation with a program during a game."""

    def close(self) -> None:
        """End the conversation and the program."""


Some = TypeVar("Some", bound=Talk)


class Line(Generic[Some]):
    """Holds the open conversation with a program, and closes it when the holder itself is no longer
    used."""

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
        """The program's move and its comment; None if it is no longer wanted. Raises `Forfeit` if
        the program has lost."""


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
        """Start the program, which may take its time before any clock runs; raises NoStart if it
        does not start."""
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
