"""Changes that other programs make to games that somebody follows here: a terminal may continue
a game that is open on the page.

The file shows cheaply that something was written. Then the revisions of the games that are
followed are compared with those in the file. Times would not do, because the clock of a computer
may be set back.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from mnkala.errors import MnkalaError

if TYPE_CHECKING:
    from mnkala.web.live_games import LiveGames

SECONDS = 1.0
"""How often to check, while somebody follows a game."""


class OutsideChanges:
    """Reads followed games again when another program has changed them."""

    def __init__(self, games: LiveGames) -> None:
        self._games = games
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._seen = -1

    def watch(self) -> None:
        """Begin to watch the file, because somebody follows a game."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SECONDS, self._look)

    def _look(self) -> None:
        self._timer = None
        if not (followed := self._games.followed()):
            return
        with contextlib.suppress(MnkalaError):  # the file cannot be read just now
            seen = self._games.store.changes_of_others()
            if seen != self._seen:
                self._seen = seen
                for game in followed:
                    revision = self._games.store.revision(game.id)
                    if revision not in (None, game.row.revision) and not game.changing.locked():
                        self._tasks.add(task := asyncio.create_task(self._games.renew(game)))
                        task.add_done_callback(self._tasks.discard)
        self.watch()

    def close(self) -> None:
        """Stop watching the file."""
        if self._timer is not None:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()
