"""Runs a search in a thread of its own, so that the clock is kept, answers stream out and Ctrl-C is heard.

A kernel cannot be interrupted from Python, but it polls a stop flag at every node. The asking thread sleeps on a queue and
raises the flag when the time is up, when the asker's own flag is raised, or when the asker goes away.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator

from mnkala.search.analysis import Analysis
from mnkala.search.limit import Limit, Stop
from mnkala.search.root import Task

POLL_SECONDS = 0.01
"""How often the asker's stop flag is looked at."""
WAKE_SECONDS = 0.2
"""How long to sleep at most, so that Ctrl-C is heard on every system."""


def stream_task(run: Callable[[Task], Analysis], make: Callable[..., Task], limit: Limit) -> Iterator[Analysis]:
    """Yield what `run` reports, then its final answer."""
    stop = Stop()
    if limit.stop is not None:
        stop.share_counters(limit.stop)
    answers: queue.SimpleQueue[Analysis | BaseException] = queue.SimpleQueue()
    task = make(stop=stop, report=answers.put)
    final: list[Analysis] = []
    last: Analysis | None = None

    def work() -> None:
        try:
            final.append(run(task))
            answers.put(final[0])
        except BaseException as error:
            answers.put(error)

    thread = threading.Thread(target=work, name="search", daemon=True)
    deadline = None if limit.time is None else task.started + limit.time
    thread.start()
    try:
        while True:
            answer = _next(answers, deadline, limit.stop, stop)
            if isinstance(answer, BaseException):
                raise answer
            if last is None or not _alike(answer, last):
                yield answer
            last = answer
            if final and answer is final[0]:
                return
    finally:
        stop.set()
        thread.join()


def _alike(answer: Analysis, last: Analysis) -> bool:
    """Whether an answer says nothing new: the final one often repeats the last report."""
    return ((answer.depth, answer.nodes, answer.line, answer.score, answer.moves, answer.note)
            == (last.depth, last.nodes, last.line, last.score, last.moves, last.note))


def _next(answers: queue.SimpleQueue[Analysis | BaseException], deadline: float | None, asked: Stop | None,
          stop: Stop) -> Analysis | BaseException:
    """Wait for the next answer, and raise the stop flag when it is time."""
    while True:
        wait = WAKE_SECONDS if asked is None else POLL_SECONDS
        if deadline is not None and not stop.is_set():
            wait = min(wait, max(0.0, deadline - time.perf_counter()))
        try:
            return answers.get(timeout=wait)
        except queue.Empty:
            if (deadline is not None and time.perf_counter() >= deadline) or (asked is not None and asked.is_set()):
                stop.set()
