"""Lanes: threads for engines, with bounded queues and fair turns.

Quick moves, long moves, questions (analyses, hints, trees, puzzles) and proofs, which may take minutes, each have a lane of their
own, so that a long analysis never stands in the way of somebody else's move. Within a lane people take turns: whoever asked for ten
things waits behind the one who asked for one.
"""

from __future__ import annotations

import collections
import threading
from collections.abc import Callable

from mnkala.errors import MnkalaError


class TooBusy(MnkalaError):
    """More was asked than is allowed to wait."""


Work = Callable[[], None]


class Lane:
    """Some threads that work through what people ask, in turns."""

    def __init__(self, name: str, threads: int, waiting: int, waiting_per_person: int) -> None:
        self.name = name
        self._waiting = waiting
        self._waiting_per_person = waiting_per_person
        self._queues: collections.OrderedDict[str, collections.deque[Work]] = collections.OrderedDict()
        self._count = 0
        self._closed = False
        self._changed = threading.Condition()
        self._threads = [threading.Thread(target=self._run, name=f"{name}-{i}", daemon=True) for i in range(threads)]
        for thread in self._threads:
            thread.start()

    def submit(self, person: str, work: Work) -> None:
        """Put work into a person's queue; raises TooBusy where it is full."""
        with self._changed:
            if self._closed:
                raise TooBusy("the server is closing")
            queue = self._queues.get(person)
            if queue is not None and len(queue) >= self._waiting_per_person:
                raise TooBusy(f"you have {len(queue)} questions waiting; at most {self._waiting_per_person} are allowed")
            if self._count >= self._waiting:
                raise TooBusy(f"{self._count} questions are waiting, which is all that this server allows; try again soon")
            self._queues.setdefault(person, collections.deque()).append(work)
            self._count += 1
            self._changed.notify()

    def close(self) -> None:
        """Take no more work, forget what waits, and let the threads end after what they are at."""
        with self._changed:
            self._closed = True
            self._queues.clear()
            self._count = 0
            self._changed.notify_all()

    def _next(self) -> Work | None:
        """The first work of the person whose turn it is; that person then goes to the end of the line."""
        with self._changed:
            while not self._queues:
                if self._closed:
                    return None
                self._changed.wait()
            person, queue = next(iter(self._queues.items()))
            work = queue.popleft()
            self._count -= 1
            if queue:
                self._queues.move_to_end(person)
            else:
                del self._queues[person]
            return work

    def _run(self) -> None:
        while (work := self._next()) is not None:
            work()
