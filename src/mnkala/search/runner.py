"""Runs work in a thread of its own, so that a clock is kept, answers stream out and Ctrl-C is
noticed; or directly, if the work is over before any of that could matter.

Compiled code cannot be interrupted from Python, but it polls a stop flag at every node. A timer
sets the flag when the time is up, so that a clock is kept even while the caller is busy with an
earlier answer. The flag is also set when the caller goes away, or through the caller's own flag.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from mnkala.search.limit import Stop

WAKE_SECONDS = 0.2
"""The longest sleep, so that Ctrl-C is noticed on every system."""
Answer = TypeVar("Answer")


def stream(
    work: Callable[[Stop, Callable[[Answer], None]], object],
    *,
    stop: Stop | None = None,
    until: float | None = None,
) -> Iterator[Answer]:
    """Yield the answers that `work(stop, give)` gives during its run. Its flag is set at the
    time `until`, with `stop`, and when this generator is closed."""
    flag = _flag_under(stop)
    answers: queue.SimpleQueue[tuple[Answer] | BaseException | None] = queue.SimpleQueue()

    def run() -> None:
        try:
            work(flag, lambda answer: answers.put((answer,)))
            answers.put(None)
        except BaseException as error:
            answers.put(error)

    thread = threading.Thread(target=run, name="search", daemon=True)
    timer = (
        None if until is None else threading.Timer(max(0.0, until - time.perf_counter()), flag.set)
    )
    thread.start()
    if timer is not None:
        timer.daemon = True
        timer.start()
    try:
        while (answer := _next(answers)) is not None:
            if isinstance(answer, BaseException):
                raise answer
            yield answer[0]
    finally:
        flag.set()
        if timer is not None:
            timer.cancel()
        thread.join()


def stream_at_once(
    work: Callable[[Stop, Callable[[Answer], None]], object], *, stop: Stop | None = None
) -> Iterator[Answer]:
    """Yield the answers of `work` as `stream` does, but do it in the calling thread: for little
    work without a clock, because a thread costs more than a small search. Answers come when all is
    done; `stop` works as usual."""
    answers: list[Answer] = []
    work(_flag_under(stop), answers.append)
    yield from answers


def _flag_under(stop: Stop | None) -> Stop:
    """A flag for one piece of work that is set with the caller's own and shows the same
    counters."""
    flag = Stop(stop)
    if stop is not None:
        flag.share_counters(stop)
    return flag


def run(work: Callable[[Stop], Answer]) -> Answer:
    """Return the result of `work(stop)`. Its flag is set on Ctrl-C, which reaches the caller
    once the work has ended."""

    def once(stop: Stop, give: Callable[[Answer], None]) -> None:
        give(work(stop))

    answers = [*stream(once)]
    return answers[0]


def _next(
    answers: queue.SimpleQueue[tuple[Answer] | BaseException | None],
) -> tuple[Answer] | BaseException | None:
    """Wait for the next answer."""
    while True:
        with contextlib.suppress(queue.Empty):
            return answers.get(timeout=WAKE_SECONDS)


# ---- Threads that help a search ----


class Helpers:
    """Threads that help a search. Without this class an error in one of them would be printed as
    a traceback and forgotten."""

    def __init__(self, works: Iterable[Callable[[], None]]) -> None:
        self._errors: list[BaseException] = []
        self._threads = [
            threading.Thread(target=self._run, args=(work,), daemon=True) for work in works
        ]
        for thread in self._threads:
            thread.start()

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            self._errors.append(error)

    def join(self) -> None:
        """Wait for all of them; raise what one of them raised."""
        for thread in self._threads:
            thread.join()
        if self._errors:
            raise self._errors[0]
