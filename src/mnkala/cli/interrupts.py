"""Ctrl-C: the first one asks the command to end in order, a later one ends the process at once.

A second KeyboardInterrupt in the midst of the first one's cleaning up would end in a traceback, and lose what is being saved.
"""

from __future__ import annotations

import os
import signal
import time
from types import FrameType

INTERRUPTED = 130
"""The exit status of an interrupted command, as in every shell."""
DOUBLE_PRESS_SECONDS = 1.0
"""What comes so soon after the first one is the same request."""
STANDARD_ERROR = 2

_first: float | None = None


def watch_interrupts() -> None:
    """Take Ctrl-C over, unless whoever started the process wants it to be ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _first
    now = time.monotonic()
    if _first is None:
        _first = now
        raise KeyboardInterrupt
    if now > _first + DOUBLE_PRESS_SECONDS:
        os.write(STANDARD_ERROR, b"\nmnkala: ended without waiting for what was at work\n")
        os._exit(INTERRUPTED)
