"""Limits that a process sets on itself before it runs what others wrote: memory and processor time, kept by the operating system."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time

PYTHON_ITSELF = 256 << 20
"""Address space that Python and NumPy need; it does not count towards the limit."""
OUT_OF_MEMORY = 4
"""The exit status of a process that exceeded its memory."""


def limit_memory(most: int) -> None:
    """Limit the bytes that this process may use on top of Python itself; without effect on Windows."""
    try:
        import resource
    except ImportError:
        return
    most += PYTHON_ITSELF
    if sys.platform == "darwin":
        watch_memory(most)  # macOS cannot limit the address space.
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def watch_memory(most: int) -> None:
    """End the process when it has used more than `most` bytes, looking ten times a second."""
    import resource

    unit = 1 if sys.platform == "darwin" else 1024

    def watch() -> None:
        while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit < most:
            time.sleep(0.1)
        os._exit(OUT_OF_MEMORY)

    threading.Thread(target=watch, daemon=True).start()


def limit_processor(seconds: float) -> None:
    """Bound the processor time of this process until the next question."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    until = int(used.ru_utime + used.ru_stime + seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))
