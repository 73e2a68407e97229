"""Calls foreign code that may never return in a thread, and makes the thread give up when its time
is over."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable

GRACE_SECONDS = 1.0
"""How long to wait for a thread that was asked to give up. Compiled code does not notice the
request; such a thread is left behind."""


class TookTooLong(Exception):
    """A call did not return in time."""


class _GiveUp(BaseException):
    """Raised inside the call, from outside; not an Exception, so that the call's own handlers let it pass."""


def run_within(seconds: float, function: Callable[[], None]) -> None:
    """Call `function`; what it raises is raised here, and TookTooLong if it does not return within `seconds`."""
    raised: list[BaseException] = []

    def work() -> None:
        try:
            function()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=work, name="bounded", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_GiveUp))
        thread.join(GRACE_SECONDS)
        raise TookTooLong
    if raised:
        raise raised[0]
