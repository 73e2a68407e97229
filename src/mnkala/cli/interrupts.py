"""Ctrl-C: the first one asks the command to end in order; one that comes when it still has not
ended ends the process at once.

A second KeyboardInterrupt during the clean-up after the first would end in a traceback and lose
what is being saved, so only the first one is raised. Compiled code in an endless loop, as a
plug-in may have, reacts to neither: Python's own handlers run between steps of Python code. So a
thread reads the signals from the place where the system's handler writes them.
"""

from __future__ import annotations

import _thread
import os
import signal
import socket
import sys
import threading
from types import FrameType

INTERRUPTED = 130
"""The exit status of an interrupted command, as in every shell."""
PATIENCE_SECONDS = 2.0
"""How long a command may take to end before it says how to end it at once. A second Ctrl-C
within this time counts as the same one."""
MOMENT_SECONDS = 0.02
STANDARD_ERROR = 2
MAIN_THREAD = threading.main_thread().ident or 0

_asked = False


def watch_interrupts() -> None:
    """Handle Ctrl-C, unless the process was started with it ignored."""
    if signal.getsignal(signal.SIGINT) not in (signal.default_int_handler, signal.SIG_DFL):
        return
    signal.signal(signal.SIGINT, _interrupt)
    sys.unraisablehook = _ask_again_if_lost
    read_end, write_end = socket.socketpair()
    write_end.setblocking(False)
    signal.set_wakeup_fd(write_end.detach(), warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(read_end,), name="interrupts", daemon=True).start()


def end_at_once() -> None:
    """Let Ctrl-C end the process without a message from now on, because it has only just begun or
    has nothing left to do."""
    if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, _interrupt):
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _asked
    if not _asked:
        _asked = True
        raise KeyboardInterrupt


def _ask_again_if_lost(lost: sys.UnraisableHookArgs) -> None:
    """Repeat an interruption that was lost. Python drops what is raised in a destructor or a
    callback, among them those of its import system; the interruption then comes again a moment
    later, when that code has returned."""
    if lost.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(lost)
        return
    again = threading.Timer(MOMENT_SECONDS, _ask_again)
    again.daemon = True
    again.start()


def _ask_again() -> None:
    global _asked
    if signal.getsignal(signal.SIGINT) is _interrupt:
        _asked = False
        if hasattr(signal, "pthread_kill"):  # which ends a wait too
            signal.pthread_kill(MAIN_THREAD, signal.SIGINT)
        else:
            _thread.interrupt_main()


def _watch(signals: socket.socket) -> None:
    """Wait for the first Ctrl-C, then for the end of the process, and offer a quicker way."""
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
