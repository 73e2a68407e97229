"""Ctrl-C: the first one asks the command to end in order; one that comes when it still has not ended ends the process at once.

A second KeyboardInterrupt in the midst of the first one's cleaning up would end in a traceback, and lose what is being saved, so only the
first one is raised. Compiled code that loops for ever, as a plug-in's may, hears neither: Python's own handlers run between the steps of
Python code. Therefore a thread reads the signals from the place where the system's handler writes them.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
from types import FrameType

INTERRUPTED = 130
"""The exit status of an interrupted command, as in every shell."""
PATIENCE_SECONDS = 2.0
"""How long a command may take to end in order before a person is told how to end it otherwise. What comes sooner is the same request."""
STANDARD_ERROR = 2

_asked = False


def watch_interrupts() -> None:
    """Take Ctrl-C over, unless whoever started the process wants it to be ignored."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    signal.signal(signal.SIGINT, _interrupt)
    read_end, write_end = socket.socketpair()
    write_end.setblocking(False)
    signal.set_wakeup_fd(write_end.detach(), warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(read_end,), name="interrupts", daemon=True).start()


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _asked
    if not _asked:
        _asked = True
        raise KeyboardInterrupt


def _watch(signals: socket.socket) -> None:
    """Wait for the first Ctrl-C, then for the end of the process, and offer to hasten it."""
    _next_interrupt(signals)
    signals.settimeout(PATIENCE_SECONDS)
    while _next_interrupt(signals):
        pass
    _say("still at work in code that cannot be interrupted; press Ctrl-C again to end it at once")
    signals.settimeout(None)
    _next_interrupt(signals)
    _say("ended without waiting for what was at work")
    os._exit(INTERRUPTED)


def _next_interrupt(signals: socket.socket) -> bool:
    """Wait for the next Ctrl-C; False if none came in time."""
    try:
        while signals.recv(1)[0] != signal.SIGINT:
            pass
    except TimeoutError:
        return False
    return True


def _say(text: str) -> None:
    os.write(STANDARD_ERROR, f"\nmnkala: {text}\n".encode())
