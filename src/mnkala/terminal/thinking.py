"""Work in threads of its own, that ends at once when it is told to."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable

from mnkala.errors import MnkalaError, printable
from mnkala.games.blame import blame
from mnkala.search import Stop


class Job:
    """Work in a thread. What it finds is handed to `give`, in the screen's thread, unless the job was dropped meanwhile."""

    def __init__(self, call: Callable[[Callable[[], None]], None]) -> None:
        self.stop = Stop()
        self.dropped = False
        self._call = call
        self._thread: threading.Thread | None = None

    def start(self, work: Callable[[Job], None], failed: Callable[[str], None]) -> Job:
        """Begin. An error ends the job and is told in words."""

        def run() -> None:
            try:
                work(self)
            except MnkalaError as error:
                self.give(functools.partial(failed, str(error)))
            except Exception as error:  # the screen must live on
                self.give(functools.partial(failed, str(blame(error) or printable(f"{type(error).__name__}: {error}"))))

        self._thread = threading.Thread(target=run, name="terminal", daemon=True)
        self._thread.start()
        return self

    def give(self, function: Callable[[], None]) -> None:
        """Call a function in the screen's thread if the job still matters then."""
        if not self.dropped:
            self._call(lambda: None if self.dropped else function())

    def drop(self) -> None:
        """Nobody wants the answer any more."""
        self.dropped = True
        self.stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the thread; whether it has ended."""
        if self._thread is not None:
            self._thread.join(seconds)
        return self._thread is None or not self._thread.is_alive()
