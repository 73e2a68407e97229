"""A student's process seen from outside: start it, ask it, and end it with everything that it
started.

An answer is JSON with the token of its question and is checked before it is believed; nothing is
ever unpickled. `sandbox.py` isolates the process.
"""

from __future__ import annotations

import dataclasses
import json
import os
import secrets
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from mnkala.core import Position
from mnkala.errors import MnkalaError
from mnkala.jobs.child import KEPT_ERRORS, Child, NoLine
from mnkala.jobs.parent import OUT_OF_MEMORY
from mnkala.school.guard import DISK_TEXT, GUARDED
from mnkala.school.sandbox import (
    available,
    command,
    environment,
    is_full,
    new_folder,
    readable_paths,
    remove_folder,
)

Trouble = Literal[
    "time", "memory", "disk", "exit", "died", "raised", "answer", "forbidden", "output", "channel"
]
DISQUALIFYING: tuple[Trouble, ...] = ("disk", "forbidden", "output", "channel")
"""Kinds of trouble that are not a wrong answer but something that a search never needs to do."""
STARTING_SECONDS = 60.0
"""The time limit for loading Python and mnkala, which also suffices on a busy machine."""
MOST_PRINTED = 1 << 20
"""The bytes that a file may print in its whole life."""
MOST_UNASKED = 1 << 16
"""The most bytes that may wait in its channel. No answer has as many."""


class StudentError(Exception):
    """The file gave no answer; the text explains why to the student."""

    def __init__(self, kind: Trouble, text: str) -> None:
        super().__init__(text)
        self.kind, self.text = kind, text


@dataclasses.dataclass(frozen=True)
class Answer:
    """What the function returned, and the number of moves it played."""

    value: str | float
    plays: int
    """The number of moves played on positions during the search."""
    seconds: float


@dataclasses.dataclass(frozen=True)
class Bounds:
    """The resources that a file may use."""

    seconds: float = 5.0
    """The seconds for one answer."""
    memory: int = 512
    """The megabytes of memory on top of Python itself."""


class StudentProcess:
    """An interpreter with one student's file. Use it as a context manager."""

    def __init__(self, source: str, function: str, bounds: Bounds) -> None:
        self._source, self._function, self._bounds = source, function, bounds
        self._process: Child | None = None
        self._folder: str | None = None
        self._printed, self._printed_bytes = b"", 0
        """What earlier processes of the file printed: the beginning, and the number of bytes."""

    def __enter__(self) -> StudentProcess:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def printed(self) -> str:
        """The beginning of what the file printed."""
        return self._kept().decode("utf-8", "replace")

    def _kept(self) -> bytes:
        return (
            self._printed
            if self._process is None
            else (self._printed + self._process.errors)[:KEPT_ERRORS]
        )

    @property
    def running(self) -> bool:
        """Whether there is a process to ask."""
        return self._process is not None

    def ask(
        self,
        do: Literal["move", "value", "greedy"],
        position: Position,
        arguments: Mapping[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Answer:
        """Ask the function about a position. If it gives no answer, the process is ended and
        StudentError raised; the next question starts a fresh one."""
        limit = seconds or self._bounds.seconds
        if not self.running:
            self.start()
        reply = self._exchange(
            {
                "do": do,
                "game": position.game,
                "literal": position.start_literal,
                "codes": list(position.history_codes),
                "arguments": dict(arguments or {}),
                "seconds": limit,
            },
            limit,
        )
        value, plays, took = reply.get("answer"), reply.get("plays"), reply.get("seconds")
        wanted = float if do == "value" else str
        if (
            not isinstance(value, wanted)
            or not isinstance(plays, int)
            or not isinstance(took, float)
        ):
            raise self._ended("channel", "wrote into the grader's own channel")
        return Answer(value, plays, took)

    # ---- Start and end ----

    def start(self) -> None:
        """Start an interpreter and load the file. `ask` does this when needed."""
        layers = available().layers
        self._folder = new_folder()
        home = os.path.join(self._folder, "home")
        Path(home, "student.py").write_text(self._source, encoding="utf-8")
        self._process = Child(
            command(self._folder),
            folder=home,
            environment=environment(home),
            errors="counted",
            most=MOST_UNASKED,
        )
        setup = {
            "layers": layers,
            "readable": readable_paths(),
            "function": self._function,
            "memory": self._bounds.memory << 20,
            "seconds": self._bounds.seconds,
        }
        try:
            self._exchange(setup, STARTING_SECONDS)
        except StudentError as error:  # No code of the file has run yet.
            self.close()
            raise MnkalaError(
                f"no process for students' files can be started: it {error.text}\n{clean(self.printed)}".rstrip()
            ) from None
        try:
            self._exchange({}, self._bounds.seconds)
        except StudentError:
            self.close()
            raise

    def _exchange(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send one message and wait for its answer."""
        assert self._process is not None
        token = secrets.token_hex(8)
        self._process.tell({"token": token} | message)
        try:
            line = self._process.line(seconds, lambda: self._excess() is None)
        except NoLine as error:
            raise self._no_answer(error, seconds) from None
        excess = self._excess()
        if excess is not None:
            raise self._ended(*excess)
        try:
            reply = json.loads(line or "")
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict) or reply.get("token") != token:
            raise self._ended("channel", "wrote into the grader's own channel")
        if "error" in reply:
            kind: Trouble = reply["error"] if reply["error"] in _KINDS else "channel"
            text = (
                _memory_text(self._bounds)
                if kind == "memory"
                else clean(str(reply.get("text", "")))
            )
            if kind in ("raised", "answer"):
                raise StudentError(kind, text)  # The process is well and can be asked again.
            raise self._ended(kind, text)
        return reply

    def _excess(self) -> tuple[Trouble, str] | None:
        """The trouble if the file has printed or stored too much, or None."""
        assert self._process is not None
        assert self._folder is not None
        if self._printed_bytes + self._process.error_bytes > MOST_PRINTED:
            return "output", f"printed more than {MOST_PRINTED >> 20} MB"
        return ("disk", DISK_TEXT) if is_full(self._folder) else None

    def _no_answer(self, error: NoLine, seconds: float) -> StudentError:
        """Explain why there is no answer."""
        match error.reason:
            case "silent":
                return self._ended("time", f"gave no answer within {seconds:g} s")
            case "flooded":
                return self._ended("channel", "wrote into the grader's own channel")
        excess = self._excess()
        return (
            self._ended(*excess) if excess is not None else self._ended(*self._death(error.status))
        )

    def _death(self, status: int) -> tuple[Trouble, str]:
        """Explain why a process has ended with a status."""
        status = status if status < 128 else 128 - status
        if status == GUARDED:
            return "forbidden", "did something that a search never needs"
        if status == OUT_OF_MEMORY:
            return "memory", _memory_text(self._bounds)
        if status == -getattr(signal, "SIGXCPU", 0):
            return "time", f"used more than {self._bounds.seconds:g} s of processor time"
        if status < 0:
            return (
                "died",
                f"was killed by {_signal_name(-status)}, as by endless recursion or lack of memory",
            )
        return "exit", f"ended its process (status {status}) instead of returning, as os._exit does"

    def _ended(self, kind: Trouble, text: str) -> StudentError:
        self.close()
        return StudentError(kind, text)

    def close(self) -> None:
        """End the process, everything that it started, and its folder."""
        if self._process is not None:
            self._process.end()
            self._printed, self._printed_bytes = (
                self._kept(),
                self._printed_bytes + self._process.error_bytes,
            )
            self._process = None
        if self._folder is not None:
            remove_folder(self._folder)
            self._folder = None


_KINDS: tuple[Trouble, ...] = ("memory", "disk", "exit", "raised", "answer", "forbidden")
"""The troubles that a process may report itself; the grader detects all others."""


def _memory_text(bounds: Bounds) -> str:
    return f"used more than {bounds.memory} MB of memory"


def _signal_name(number: int) -> str:
    """The name of a signal; signals for programs' own use have none."""
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"


def clean(text: str) -> str:
    """Remove control characters from a student's text, so that it cannot affect the terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
