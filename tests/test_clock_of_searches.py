"""The clock of a search is kept by nobody but itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from mnkala.search import Stop
from mnkala.search.runner import stream


def test_time_runs_out_while_the_asker_is_busy_with_an_earlier_answer() -> None:
    stopped = threading.Event()

    def work(stop: Stop, give: Callable[[int], None]) -> None:
        give(1)
        while not stop.is_set():
            time.sleep(0.001)
        stopped.set()
        give(2)

    answers = stream(work, until=time.perf_counter() + 0.01)
    assert next(answers) == 1
    assert stopped.wait(60), "the flag was raised though nobody asked for the next answer"
    assert [*answers] == [2]
