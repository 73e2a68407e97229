"""Limits on the work for proofs: a time, a number of nodes, and a flag to stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from types import TracebackType

import numpy as np

from mnkala.core import Position
from mnkala.search.limit import Stop
from mnkala.solve.solver import Solver, Step


class Effort:
    """A context in which a solver works until a time, for a number of nodes over all queries
    together, and until `stop` is set."""

    def __init__(
        self, stop: Stop | None = None, *, until: float | None = None, nodes: int | None = None
    ) -> None:
        self.stop = stop or Stop()
        self.until, self.nodes = until, nodes
        self._spent = np.zeros(1, dtype=np.int64)
        self._question = Stop()
        self._timer: threading.Timer | None = None
        self.stop.watch(self._spent)

    def __enter__(self) -> Effort:
        self._set_timer()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.until = None
        self._set_timer()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.until is not None:
            self._timer = threading.Timer(
                max(0.0, self.until - time.perf_counter()), self._time_is_up
            )
            self._timer.daemon = True
            self._timer.start()

    def _time_is_up(self) -> None:
        """End the current question; a later question checks the clock itself. Some systems wake
        a timer too early."""
        if self.until is not None and time.perf_counter() < self.until:
            self._set_timer()
        else:
            self._question.set()

    @property
    def spent(self) -> int:
        """The nodes of all answered questions."""
        return int(self._spent[0])

    def is_over(self) -> bool:
        """Whether the limit is reached and nothing more may be asked."""
        late = self.until is not None and time.perf_counter() >= self.until
        return late or self.stop.is_set() or (self.nodes is not None and self.spent >= self.nodes)

    def has(self, seconds: float) -> bool:
        """Whether there is enough time left for an answer that takes this long and cannot be
        interrupted."""
        return not self.is_over() and (
            self.until is None or self.until - time.perf_counter() >= seconds
        )

    def extend(self, *, until: float | None, nodes: int | None) -> None:
        """Allow more time or nodes."""
        self.nodes = nodes
        if until != self.until:  # a timer is a thread, and dear to those who think for milliseconds
            self.until = until
            self._set_timer()

    def end_within(self, seconds: float) -> None:
        """Allow at most so many seconds from now on."""
        end = time.perf_counter() + seconds
        self.extend(until=end if self.until is None else min(end, self.until), nodes=self.nodes)

    def steps(
        self, solver: Solver, position: Position, within: tuple[int, int], *, weak: bool = False
    ) -> Iterator[Step]:
        """The steps of one question to a solver; a single step that says nothing if no effort is
        left."""
        question = self._question = Stop(self.stop)
        if self.is_over():
            yield solver.step(position, *solver.span(position))
            return
        left = None if self.nodes is None else self.nodes - self.spent
        last: Step | None = None
        try:
            for last in solver.steps(position, within=within, weak=weak, stop=question, nodes=left):
                yield last
        finally:
            self._question = Stop()
            question.share_counters(
                self._question
            )  # what was counted while it was open counts as spent from now on
            self._spent[0] += 0 if last is None else last.nodes
