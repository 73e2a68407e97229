"""A program that somebody else wrote, run as a `Child`, and the faults by which a program loses a
game: a `Forfeit`.
"""

from __future__ import annotations

import enum
import math
import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from mnkala.errors import BadEngine, MnkalaError, printable
from mnkala.jobs.child import Child, NoLine, Reason, Wanted
from mnkala.numbers import shortened


class Fault(enum.StrEnum):
    """A fault of a player, under the name that results use."""

    ILLEGAL_MOVE = "illegal move"
    """Its last answer was a move that the rules do not allow; it has lost the game."""
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
    arguments."""
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
