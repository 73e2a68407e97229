"""Programs that end together with us and with all that they started: the one way in which mnkala starts a program.

A supervisor (`supervisor.py`) stands between us and the program. It kills the program and all of its descendants when the program ends,
when we ask for it, and when we end ourselves, be it by SIGKILL. On macOS descendants that have left the program's process group are not
found. On Windows there is no supervisor: `end` ends the whole tree, but a program outlives us if we are killed, unless it notices that
its standard input has closed.
"""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SUPERVISOR = str(Path(__file__).with_name("supervisor.py"))
ENDING_SECONDS = 10.0
"""How long a supervisor may take to end everything. It takes milliseconds, unless the program keeps it from its work."""


class Supervised(subprocess.Popen[bytes]):
    """A running program that the terminal's Ctrl-C does not reach; `options` are those of
    `subprocess.Popen`."""

    def __init__(self, command: Sequence[str], **options: Any) -> None:
        self._supervisor, theirs = socket.socketpair()
        with theirs:
            try:
                if os.name == "nt":
                    flags = options.pop("creationflags", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
                    super().__init__(command, creationflags=flags, **options)
                else:
                    end = theirs.fileno()
                    super().__init__([sys.executable, "-I", "-S", SUPERVISOR, str(end), *command], pass_fds=(end,),
                                     start_new_session=True, **options)
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
            subprocess.run(["taskkill", "/T", "/F", "/PID", str(self.pid)], capture_output=True, check=False)
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
