"""Processes with all that they start: begun in a group of their own, and ended as a whole."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

OWN_GROUP: dict[str, Any] = (
    {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)} if os.name == "nt" else {"start_new_session": True})
"""Starts a process out of reach of the terminal's Ctrl-C: its parent decides."""


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End a process, its group, and those of its descendants that have left the group, as far as the system tells who they are. The group
    is killed before its leader is waited for, so that its number still means it."""
    if os.name == "nt":
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False)
    elif process.returncode is None:
        strays = _descendants(process.pid)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        for stray in strays:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(stray, signal.SIGKILL)
    with contextlib.suppress(OSError):
        process.kill()
    process.wait()


def _descendants(ancestor: int) -> list[int]:
    """The children of a process and theirs, where the system lists all processes as Linux does; else none."""
    parents: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            parents[int(status.parent.name)] = int(status.read_text().rpartition(")")[2].split()[1])
    found, level = list[int](), {ancestor}
    while level := {child for child, parent in parents.items() if parent in level}:
        found += level
    return found
