"""Threads that help a search, and whose errors are the search's own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable


class Helpers:
    """Some threads at work. Without this an error in one of them would be printed as a traceback and forgotten."""

    def __init__(self, works: Iterable[Callable[[], None]]) -> None:
        self._errors: list[BaseException] = []
        self._threads = [threading.Thread(target=self._run, args=(work,), daemon=True) for work in works]
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
