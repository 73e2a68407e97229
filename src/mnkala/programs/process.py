"""A program that communicates in lines: it is started in a group of its own, read with a time
limit, and ended with everything that it started.

Threads read and write, so neither a program that says nothing nor one that does not read blocks the
caller.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from mnkala.errors import BadEngine, printable
from mnkala.jobs.supervised import Supervised
from mnkala.numbers import shortened
from mnkala.programs.faults import Fault, Forfeit

PERIOD = 0.1
"""Seconds between two checks of memory, in which it cannot grow by much more than some hundred
megabytes."""
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") and "SC_PAGE_SIZE" in os.sysconf_names else 4096


def held_below(process: int) -> int:
    """The bytes of memory that the descendants of a process hold; 0 where the system does not tell."""
    total = 0
    with contextlib.suppress(OSError, ValueError):
        for children in Path(f"/proc/{process}/task").glob("*/children"):
            total += sum(held_below(int(child)) + _held(child) for child in children.read_text().split())
    return total


def _held(process: str) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        return PAGE * int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return 0


def watch_memory(supervisor: int, most: int, too_much: Callable[[], None]) -> Callable[[], None]:
    """Call `too_much` once if the descendants of a supervisor hold more than `most` bytes; return a
    function that ends the watch. A supervisor also adopts processes that have lost their parent."""
    over = threading.Event()
    if not Path(f"/proc/{supervisor}/statm").exists():
        return over.set

    def watch() -> None:
        while not over.wait(PERIOD):
            if held_below(supervisor) > most:
                too_much()
                return

    threading.Thread(target=watch, daemon=True, name="memory watch").start()
    return over.set


MOST_WAITING = 1 << 20
"""The most bytes that a program may write before they are read; more than that is not kept."""
LONGEST_LINE = 1 << 12
SLICE = 0.05
"""Seconds between two checks for other reasons to end a wait."""
FAREWELL_SECONDS = 0.5
"""Seconds that a program may take to end after it was asked to."""
Wanted = Callable[[], bool]
"""A function that tells whether somebody still waits for an answer."""


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
    """A running program, written to and read in lines."""

    def __init__(self, command: Sequence[str], name: str, folder: str | None = None) -> None:
        self.name = name
        try:
            self._process = Supervised[bytes](command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                              cwd=folder)
            self._process.check_started()
        except OSError as error:
            raise BadEngine(f"'{shortened(' '.join(command), 200)}' cannot be run: {error.strerror or error}") from None
        self._heard: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._said: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._waiting = 0
        self._flooded = False
        self._greedy = ""
        """An error text if the program was ended because it held too much memory."""
        self._unwatch: Callable[[], None] = lambda: None
        self._reader, self._writer = (threading.Thread(target=target, daemon=True, name="program") for target in (self._read, self._write))
        self._reader.start()
        self._writer.start()

    @classmethod
    def typed(cls, text: str) -> Program:
        """Start the program that somebody typed. One that is named by its path alone runs in its
        own folder, as tournament managers do it."""
        command = command_of(text)
        return cls(command, os.path.basename(command[0]), os.path.dirname(command[0]) if len(command) == 1 else None)

    def limit_memory(self, megabytes: int) -> None:
        """From now on end the program if it and its descendants hold more than this; 0 means no
        limit."""
        self._unwatch()

        def too_much() -> None:
            self._greedy = f"{self.name} holds more than {megabytes} megabytes"
            self._process.end()

        if megabytes:
            self._unwatch = watch_memory(self._process.pid, megabytes << 20, too_much)

    def send(self, *lines: str) -> None:
        """Write lines with the line ends that the protocol expects. A program that does not read
        them shows only by not answering."""
        self._said.put("".join(f"{line}\r\n" for line in lines).encode())

    def line(self, seconds: float, wanted: Wanted = lambda: True) -> str | None:
        """The next line, or None if it is no longer wanted; raise `Forfeit` if none arrives in time
        or the program has ended."""
        until = time.monotonic() + seconds
        while wanted():
            if self._flooded:
                raise Forfeit(Fault.BAD_LINE, f"{self.name} writes without end")
            left = until - time.monotonic()
            try:
                line = self._heard.get(timeout=max(0.0, min(SLICE, left)))
            except queue.Empty:
                if left <= 0:
                    raise Forfeit(Fault.FLAG_FALL, f"{self.name} gave no answer in its time") from None
                continue
            if line is None:
                self._heard.put(None)  # A later call gets the same answer.
                if self._flooded:
                    continue
                if self._greedy:
                    raise Forfeit(Fault.OUT_OF_MEMORY, self._greedy)
                raise Forfeit(Fault.DISCONNECTED, f"{self.name} has ended{self._status()}")
            self._waiting -= len(line)
            return line
        return None

    def _status(self) -> str:
        """Describe how a program ended that closed its pipe; everything that it started is ended
        first."""
        time.sleep(SLICE)  # The pipe closes a moment before the process ends.
        status = self._process.end()
        return f" by signal {-status}" if status < 0 else f" (status {status})" if status else ""

    def close(self, farewell: str = "") -> None:
        """End the program and everything that it started, after a farewell if there is one."""
        self._unwatch()
        if farewell:
            self.send(farewell)
            self._said.put(None)
            self._reader.join(FAREWELL_SECONDS)
        self._process.end()
        self._said.put(None)
        for thread in (self._reader, self._writer):
            thread.join(FAREWELL_SECONDS)

    def _read(self) -> None:
        """Pass lines on, with any kind of line end, until the pipe closes."""
        assert self._process.stdout is not None
        rest = b""
        with self._process.stdout as pipe, contextlib.suppress(OSError, ValueError):
            while block := os.read(pipe.fileno(), 1 << 14):
                *lines, rest = (rest + block).replace(b"\r", b"\n").split(b"\n")
                for line in filter(None, lines):
                    self._hear(line)
                if len(rest) > LONGEST_LINE or self._waiting > MOST_WAITING:
                    self._flooded = True
                    break
        if not self._flooded:
            self._hear(rest)
        self._heard.put(None)

    def _hear(self, line: bytes) -> None:
        if text := printable(line[:LONGEST_LINE].decode("utf-8", "replace")).strip():
            self._waiting += len(text)
            self._heard.put(text)

    def _write(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            while (block := self._said.get()) is not None:
                self._process.stdin.write(block)
                self._process.stdin.flush()
        with contextlib.suppress(OSError):
            self._process.stdin.close()
