"""Programs that are started, read in lines with a time limit, bounded, and ended with everything
that they started: the only way in which mnkala starts a program.

A supervisor (`supervisor.py`) stands between this process and the program. It kills the program and
all of its descendants when the program ends, when it is asked to, and when this process ends, even
by SIGKILL. On macOS descendants that have left the program's process group are not found. On
Windows there is no supervisor: `end` ends the whole tree, but if this process is killed a program
survives, unless it notices that its standard input has closed.

Threads read and write, so neither a program that says nothing nor one that does not read blocks the
caller. `parent.py` is the other end of the pipes in a process of the package.
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
import queue
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

SUPERVISOR = str(Path(__file__).with_name("supervisor.py"))
ENDING_SECONDS = 10.0
"""How long a supervisor may take to end everything. It takes milliseconds, unless the program keeps
it from its work.
"""


class Supervised(subprocess.Popen[bytes]):
    """A running program that the terminal's Ctrl-C does not reach; `options` are those of
    `subprocess.Popen`."""

    def __init__(self, command: Sequence[str], **options: Any) -> None:
        self._supervisor, theirs = socket.socketpair()
        with theirs:
            try:
                if os.name == "nt":
                    flags = options.pop("creationflags", 0) | getattr(
                        subprocess, "CREATE_NEW_PROCESS_GROUP", 0
                    )
                    super().__init__(command, creationflags=flags, **options)
                else:
                    end = theirs.fileno()
                    super().__init__(
                        [sys.executable, "-I", "-S", SUPERVISOR, str(end), *command],
                        pass_fds=(end,),
                        start_new_session=True,
                        **options,
                    )
            except BaseException:
                self._supervisor.close()
                raise

    def check_started(self) -> None:
        """Wait until the program runs; raise OSError if it cannot be executed. Without a
        supervisor, Popen has already raised it."""
        if os.name != "nt" and (number := self._supervisor.recv(16)) != b"0":
            error = int(number or errno.ECHILD)
            self.wait()
            raise OSError(error, os.strerror(error))

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the program and everything that it started have ended; return the program's
        exit status."""
        status = super().wait(timeout)
        self._supervisor.close()
        return status

    def end(self) -> int:
        """End the program and everything that it started; return its exit status."""
        if os.name == "nt":
            subprocess.run(
                ["taskkill", "/T", "/F", "/PID", str(self.pid)], capture_output=True, check=False
            )
        self._supervisor.close()
        try:
            return self.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self._end_without_supervisor()
            return self.wait()

    def _end_without_supervisor(self) -> None:
        """End every process that can still be found, for instance when the supervisor was stopped."""
        if os.name != "nt":
            from mnkala.jobs.supervisor import descendants, kill

            kill(descendants(self.pid))
        self.kill()


SLICE = 0.05
"""Seconds between two checks for other reasons to end a wait; Ctrl-C is noticed then on every
system.
"""
JOIN_SECONDS = 0.5
"""Seconds that the threads may take to notice that a program has ended."""
PERIOD = 0.1
"""Seconds between two checks of memory, in which it cannot grow by much more than some hundred
megabytes."""
KEPT_ERRORS = 4000
"""Bytes of a program's standard error that are kept."""
PAGE = (
    os.sysconf("SC_PAGE_SIZE")
    if hasattr(os, "sysconf") and "SC_PAGE_SIZE" in os.sysconf_names
    else 4096
)

Wanted = Callable[[], bool]
"""A function that tells whether somebody still waits for an answer."""
Errors = Literal["shown", "dropped", "counted"]
"""What happens to a program's standard error: it goes to that of this process, it is dropped, or
its bytes are counted and the first of them kept.
"""
Reason = Literal["silent", "flooded", "greedy", "ended"]


class NoLine(Exception):
    """The line that was waited for did not come; the text continues a sentence that begins with the
    program's name."""

    def __init__(self, reason: Reason, text: str, status: int = 0) -> None:
        super().__init__(text)
        self.reason, self.status = reason, status


class Child:
    """A running program. All methods may be called from any thread.

    It may write `most` bytes before they are read; more than that is not kept. It is ended if it
    and its descendants hold more than `memory` bytes; 0 means no limit.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: str | None = None,
        environment: Mapping[str, str] | None = None,
        errors: Errors = "dropped",
        most: float = math.inf,
        memory: int = 0,
        background: bool = False,
    ) -> None:
        self._most, self._memory = most, memory
        self._written, self._taken = 0, 0
        """The bytes of all lines that arrived, and of those that were read. Each is changed by one
        thread only.
        """
        self._flooded = self._greedy = False
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._said: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._over = threading.Event()
        self.errors, self.error_bytes = b"", 0
        """The beginning of its standard error and the number of its bytes, if they are counted."""
        self._process = Supervised(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            env=environment,
            stderr={"shown": None, "dropped": subprocess.DEVNULL, "counted": subprocess.PIPE}[
                errors
            ],
            creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
            if background
            else 0,
        )
        targets = {
            self._read: True,
            self._write: True,
            self._count: errors == "counted",
            self._watch: memory > 0,
        }
        self._threads = [
            threading.Thread(target=target, daemon=True, name="child")
            for target, needed in targets.items()
            if needed
        ]
        for thread in self._threads:
            thread.start()

    @classmethod
    def calling(
        cls, function: str, *arguments: str, errors: Errors = "dropped", background: bool = False
    ) -> Child:
        """Call a function without parameters, `module:name`, in a fresh interpreter with the same
        import path; it finds `arguments` in `sys.argv`."""
        module, _, name = function.partition(":")
        return cls(
            [
                sys.executable,
                "-P",
                "-X",
                "utf8",
                "-c",
                f"from {module} import {name}; {name}()",
                *arguments,
            ],
            errors=errors,
            background=background,
            environment={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )

    @property
    def pid(self) -> int:
        """The process whose descendants are the program and everything that it starts."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the program has not ended yet."""
        return self._process.poll() is None

    def check_started(self) -> None:
        """Wait until the program runs; raise OSError if it cannot be executed."""
        try:
            self._process.check_started()
        except OSError:
            self.end()
            raise

    # ---- Lines ----

    def send(self, *lines: str, end: str = "\n") -> None:
        """Write lines. A program that does not read them shows only by not answering."""
        self._said.put("".join(line + end for line in lines).encode())

    def tell(self, message: Any) -> None:
        """Write a message as a line of JSON."""
        self.send(json.dumps(message))

    def line(self, seconds: float = math.inf, wanted: Wanted = lambda: True) -> str | None:
        """The next line that is not blank, or None if it is no longer wanted; raise NoLine if none
        arrives in time or the program has ended."""
        until = time.monotonic() + seconds
        while wanted():
            if self._flooded:
                raise NoLine("flooded", "writes without end")
            left = until - time.monotonic()
            try:
                line = self._lines.get(timeout=max(0.0, min(SLICE, left)))
            except queue.Empty:
                if left <= 0:
                    raise NoLine("silent", "gave no answer in its time") from None
                continue
            if line is not None:
                self._taken += len(line)
                return line.decode("utf-8", "replace")
            self._lines.put(None)  # A later call gets the same answer.
            if not self._flooded:
                raise self._gone()
        return None

    def _gone(self) -> NoLine:
        """Explain why the pipe is closed, which happens a moment before the process ends."""
        status = self.end(SLICE)
        if self._greedy:
            return NoLine("greedy", f"holds more than {self._memory >> 20} megabytes", status)
        return NoLine(
            "ended",
            "has ended"
            + (f" by signal {-status}" if status < 0 else f" (status {status})" if status else ""),
            status,
        )

    def message(self, seconds: float = math.inf, wanted: Wanted = lambda: True) -> Any:
        """The next message, or None if it is no longer wanted. The rest of a message that broke off
        because the program died is passed over."""
        while (line := self.line(seconds, wanted)) is not None:
            with contextlib.suppress(ValueError):
                return json.loads(line)
        return None

    def messages(self) -> Iterator[Any]:
        """All messages until the program ends."""
        with contextlib.suppress(NoLine):
            while True:
                yield self.message()

    # ---- Its end ----

    def close_input(self) -> None:
        """Close the program's standard input, at which many programs end."""
        self._said.put(None)

    def end(self, grace: float = 0.0) -> int:
        """End the program and everything that it started, if it has not ended by itself within
        `grace` seconds; return its status.
        """
        self._over.set()
        try:
            status = self._process.wait(grace)
        except subprocess.TimeoutExpired:
            status = self._process.end()
        self.close_input()
        for thread in self._threads:
            thread.join(JOIN_SECONDS)
        return status

    # ---- The threads ----

    def _read(self) -> None:
        """Pass lines on, with any kind of line end, until the pipe closes."""
        assert self._process.stdout is not None
        rest = bytearray()
        with self._process.stdout as pipe, contextlib.suppress(OSError, ValueError):
            while block := os.read(pipe.fileno(), 1 << 16):
                *ends, last = block.replace(b"\r", b"\n").split(b"\n")
                for end in ends:
                    self._hear(bytes(rest + end))
                    rest.clear()
                rest += last
                if self._written - self._taken + len(rest) > self._most:
                    self._flooded = True
                    break
        if not self._flooded:
            self._hear(bytes(rest))
        self._lines.put(None)

    def _hear(self, line: bytes) -> None:
        if line.strip():
            self._written += len(line)
            self._lines.put(line)

    def _write(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            while (block := self._said.get()) is not None:
                self._process.stdin.write(block)
                self._process.stdin.flush()
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _count(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as pipe, contextlib.suppress(OSError, ValueError):
            while block := os.read(pipe.fileno(), 1 << 16):
                self.error_bytes += len(block)
                self.errors = (self.errors + block)[:KEPT_ERRORS]

    def _watch(self) -> None:
        while not self._over.wait(PERIOD):
            if held_below(self.pid) > self._memory:
                self._greedy = True
                self._process.end()
                return


def held_below(process: int) -> int:
    """The bytes of memory that the descendants of a process hold; 0 where the system does not tell."""
    total = 0
    with contextlib.suppress(OSError, ValueError):
        for children in Path(f"/proc/{process}/task").glob("*/children"):
            total += sum(
                held_below(int(child)) + _held(child) for child in children.read_text().split()
            )
    return total


def _held(process: str) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        return PAGE * int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return 0
