"""Runs a solver in a thread of its own, so that a clock is kept and Ctrl-C is heard: compiled code cannot be interrupted from Python,
but it polls a stop flag at every node."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from mnkala.search.limit import Stop

WAKE_SECONDS = 0.1
Answer = TypeVar("Answer")


def ask(work: Callable[[Stop], Answer], *, seconds: float | None = None, stop: Stop | None = None) -> Answer:
    """What `work` answers. Its stop flag is raised after `seconds`, and on Ctrl-C, which goes on to the caller once the work has ended."""
    flag = stop or Stop()
    answers: list[Answer] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(work(flag))
        except BaseException as error:
            errors.append(error)

    deadline = None if seconds is None else time.perf_counter() + seconds
    thread = threading.Thread(target=run, name="solver", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            left = WAKE_SECONDS if deadline is None else min(WAKE_SECONDS, deadline - time.perf_counter())
            thread.join(max(0.0, left))
            if deadline is not None and time.perf_counter() >= deadline:
                flag.set()
                thread.join(WAKE_SECONDS)
    finally:
        flag.set()
        thread.join()
    if errors:
        raise errors[0]
    return answers[0]
