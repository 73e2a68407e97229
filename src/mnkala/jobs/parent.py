"""The process that started this one (see `child.py`), seen from inside. Both write messages as lines of
JSON."""

from __future__ import annotations

import _thread
import contextlib
import json
import os
import queue
import threading
import time
from collections.abc import Iterator
from typing import Any


class Parent:
    """The pipes to and from the parent. They are moved away from standard input and output, so from now
    on `print` writes to standard error."""

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
            line = line[os.write(self._answers, line):]

    def messages(self) -> Iterator[Any]:
        """The parent's messages until it is gone."""
        for line in self._questions:
            yield json.loads(line)

    def follow(self, grace: float = 0.0) -> queue.SimpleQueue[Any]:
        """Read messages in a thread, and end this process as soon as the parent is gone, even while it
        is busy. With `grace` it is first interrupted as by Ctrl-C, and ends so many seconds later.
        The queue then ends with None."""
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
