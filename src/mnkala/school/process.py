"""A student's process seen from outside: start it, ask it, and end it with everything that it
started.

Threads read what comes back, so the same code can wait with a time limit on every system. An answer
is JSON with the token of its question and is checked before it is believed; nothing is ever
unpickled. `sandbox.py` isolates the process.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import queue
import secrets
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from mnkala.core import Position
from mnkala.errors import MnkalaError
from mnkala.jobs.supervised import Supervised
from mnkala.programs.limits import OUT_OF_MEMORY
from mnkala.school.guard import DISK_TEXT, GUARDED
from mnkala.school.sandbox import available, command, environment, is_full, new_folder, readable_paths, remove_folder

Trouble = Literal["time", "memory", "disk", "exit", "died", "raised", "answer", "forbidden", "output", "channel"]
DISQUALIFYING: tuple[Trouble, ...] = ("disk", "forbidden", "output", "channel")
"""Kinds of trouble that are not a wrong answer but something that a search never needs to do."""
STARTING_SECONDS = 60.0
"""The time limit for loading Python and mnkala, which also suffices on a busy machine."""
MOST_PRINTED = 1 << 20
"""The bytes that a file may print in its whole life."""
KEPT_PRINTED = 4000
LONGEST_LINE = 1 << 16
MOST_WAITING = 4
"""The most lines that may wait. One that nobody asked for is already wrong; more are not even kept."""
SLICE = 0.1
"""Seconds between two checks of what was printed; this also lets Ctrl-C be noticed on every system."""


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
        self._process: Supervised[bytes] | None = None
        self._folder: str | None = None
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._printed, self._kept = 0, b""

    def __enter__(self) -> StudentProcess:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def printed(self) -> str:
        """The beginning of what the file printed."""
        return self._kept.decode("utf-8", "replace")

    @property
    def running(self) -> bool:
        """Whether there is a process to ask."""
        return self._process is not None

    def ask(self, do: Literal["move", "value", "greedy"], position: Position, arguments: Mapping[str, Any] | None = None,
            seconds: float | None = None) -> Answer:
        """Ask the function about a position. If it gives no answer the process is ended; the next
        question starts a fresh one."""
        limit = seconds or self._bounds.seconds
        if not self.running:
            self.start()
        reply = self._exchange({"do": do, "game": position.game, "literal": position.start_literal, "codes": list(position.history_codes),
                                "arguments": dict(arguments or {}), "seconds": limit}, limit)
        value, plays, took = reply.get("answer"), reply.get("plays"), reply.get("seconds")
        wanted = float if do == "value" else str
        if not isinstance(value, wanted) or not isinstance(plays, int) or not isinstance(took, float):
            raise self._ended("channel", "wrote into the grader's own channel")
        return Answer(value, plays, took)

    # ---- Start and end ----

    def start(self) -> None:
        """Start an interpreter and load the file. `ask` does this when needed."""
        layers = available().layers
        self._folder = new_folder()
        home = os.path.join(self._folder, "home")
        Path(home, "student.py").write_text(self._source, encoding="utf-8")
        self._lines = queue.Queue()
        self._process = Supervised[bytes](command(self._folder), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE, cwd=home, env=environment(home))
        for target in (_read_lines, _drain):
            threading.Thread(target=target, args=(self, self._process, self._lines), daemon=True).start()
        setup = {"layers": layers, "readable": readable_paths(), "function": self._function, "memory": self._bounds.memory << 20,
                 "seconds": self._bounds.seconds}
        try:
            self._exchange(setup, STARTING_SECONDS)
        except StudentError as error:  # No code of the file has run yet.
            self.close()
            raise MnkalaError(f"no process for students' files can be started: it {error.text}\n{clean(self.printed)}".rstrip()) from None
        try:
            self._exchange({}, self._bounds.seconds)
        except StudentError:
            self.close()
            raise

    def _exchange(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send one message and wait for its answer."""
        assert self._process is not None
        assert self._process.stdin is not None
        token = secrets.token_hex(8)
        try:
            self._process.stdin.write(json.dumps({"token": token} | message).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            pass  # The process has died; its channel shows it.
        line = self._wait(seconds)
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict) or reply.get("token") != token:
            raise self._ended("channel", "wrote into the grader's own channel")
        if "error" in reply:
            kind: Trouble = reply["error"] if reply["error"] in _KINDS else "channel"
            text = _memory_text(self._bounds) if kind == "memory" else clean(str(reply.get("text", "")))
            if kind in ("raised", "answer"):
                raise StudentError(kind, text)  # The process is well and can be asked again.
            raise self._ended(kind, text)
        return reply

    def _wait(self, seconds: float) -> bytes:
        """Wait for the next line from the process."""
        until = time.monotonic() + seconds
        while True:
            if self._printed > MOST_PRINTED:
                raise self._ended("output", f"printed more than {MOST_PRINTED >> 20} MB")
            left = until - time.monotonic()
            try:
                line = self._lines.get(timeout=max(0.0, min(SLICE, left)))
            except queue.Empty:
                line = b""
            if self._folder is not None and is_full(self._folder):
                raise self._ended("disk", DISK_TEXT)
            if line == b"":
                if left <= 0:
                    raise self._ended("time", f"gave no answer within {seconds:g} s")
                continue
            if line is None:
                raise self._died()
            return line

    def _died(self) -> StudentError:
        """Explain why a process that has closed its channel ended."""
        assert self._process is not None
        process = self._process
        time.sleep(SLICE / 2)  # The other thread may still be counting what was printed.
        self.close()
        status = process.returncode if process.returncode < 128 else 128 - process.returncode
        if self._printed > MOST_PRINTED:
            return StudentError("output", f"printed more than {MOST_PRINTED >> 20} MB")
        if status == GUARDED:
            return StudentError("forbidden", "did something that a search never needs")
        if status == OUT_OF_MEMORY:
            return StudentError("memory", _memory_text(self._bounds))
        if status == -getattr(signal, "SIGXCPU", 0):
            return StudentError("time", f"used more than {self._bounds.seconds:g} s of processor time")
        if status < 0:
            return StudentError("died", f"was killed by {_signal_name(-status)}, as by endless recursion or lack of memory")
        return StudentError("exit", f"ended its process (status {status}) instead of returning, as os._exit does")

    def _ended(self, kind: Trouble, text: str) -> StudentError:
        self.close()
        return StudentError(kind, text)

    def close(self) -> None:
        """End the process, everything that it started, and its folder."""
        if self._process is not None:
            self._process.end()
            with contextlib.suppress(OSError):
                if self._process.stdin is not None:
                    self._process.stdin.close()
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


def _read_lines(student: StudentProcess, process: subprocess.Popen[bytes], lines: queue.Queue[bytes | None]) -> None:
    """Pass lines on until the channel closes. It is closed at a line that is too long or when too
    many lines wait."""
    assert process.stdout is not None
    with process.stdout as pipe, contextlib.suppress(OSError, ValueError):
        while line := pipe.readline(LONGEST_LINE):
            lines.put(line)
            if not line.endswith(b"\n") or lines.qsize() > MOST_WAITING:
                break
    lines.put(None)


def _drain(student: StudentProcess, process: subprocess.Popen[bytes], lines: queue.Queue[bytes | None]) -> None:
    """Read what the file prints, count the bytes and keep the beginning."""
    assert process.stderr is not None
    with process.stderr as pipe, contextlib.suppress(OSError, ValueError):
        while block := os.read(pipe.fileno(), 1 << 16):
            student._printed += len(block)
            student._kept = (student._kept + block)[:KEPT_PRINTED]
