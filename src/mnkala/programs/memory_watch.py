"""A bound on the memory of a supervised program and of all that it has started, where the system tells what they hold (Linux).

Limits of the address space would not do: runtimes reserve far more than they use, and a program with a large reserve would lose for
nothing. So it is watched what is really held, some times a second, and whoever holds too much is ended.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable
from pathlib import Path

PERIOD = 0.1
"""Seconds between two looks: memory cannot grow by much more than some hundred megabytes in between."""
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") and "SC_PAGE_SIZE" in os.sysconf_names else 4096


def held_below(process: int) -> int:
    """Bytes of memory that the descendants of a process hold; 0 where nobody tells."""
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
    """Call `too_much` once if all below a supervisor, which adopts who has lost its parent, hold more than `most` bytes; answers what ends
    the watch."""
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
