"""A child process seen from inside: the pipes to the process that started it (see `child.py`),
through which both send messages as lines of JSON, and the limits that it sets on itself before it
runs code that others wrote. The operating system enforces these limits.
"""

from __future__ import annotations

import _thread
import contextlib
import json
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from typing import Any

from mnkala.numbers import shortened


class Parent:
    """The pipes to and from the parent. They are moved away from standard input and output, so from
    now on `print` writes to standard error.
    """

    def __init__(self, niceness: int = 0) -> None:
        self._questions = os.fdopen(os.dup(0), "rb")
        self._answers = os.dup(1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        if niceness and hasattr(os, "nice"):
            with contextlib.suppress(OSError):
                os.nice(niceness)

    def tell(self, message: Any) -> None:
        """Send a message."""
        line = json.dumps(message).encode() + b"\n"
        while line:
            line = line[os.write(self._answers, line) :]

    def messages(self) -> Iterator[Any]:
        """The parent's messages until it is gone."""
        for line in self._questions:
            yield json.loads(line)

    def follow(self, grace: float = 0.0) -> queue.SimpleQueue[Any]:
        """Read messages in a thread, and end this process as soon as the parent is gone, even while
        it is busy. With `grace` it is first interrupted as by Ctrl-C, and ends so many seconds
        later. The queue then ends with None.
        """
        heard: queue.SimpleQueue[Any] = queue.SimpleQueue()

        def read() -> None:
            for message in self.messages():
                heard.put(message)
            if grace:
                _thread.interrupt_main()
                heard.put(None)  # Wakes a process that waits for a message.
                time.sleep(grace)
            os._exit(0)

        threading.Thread(target=read, daemon=True, name="parent").start()
        return heard


LONGEST_TEXT = 500
"""The most characters of a text that code of others wrote."""


def raised(error: BaseException, file: str) -> str:
    """The kind of an exception, the line where it left the file whose path ends like this, and its
    text; a text that cannot be had is left out."""
    lines: list[int | None] = [
        line
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename.endswith(file)
    ] or ([error.lineno] if isinstance(error, SyntaxError) else [])
    said = ""
    with contextlib.suppress(Exception):
        said = str(error)
    where = f" in line {lines[-1]}" if lines else ""
    return shortened(f"{type(error).__name__}{where}" + (f": {said}" if said else ""), LONGEST_TEXT)


# ---- Limits ----


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
    """Limit the processor time of this process until the next question."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    until = int(used.ru_utime + used.ru_stime + seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))
