"""What other programs do to games that somebody follows here: a terminal may go on with a game that is open on the page.

The file tells cheaply that something was written. Then the games that were changed lately are compared with those that are followed.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
from typing import TYPE_CHECKING

from mnkala.errors import MnkalaError
from mnkala.play.saved_games import time_text

if TYPE_CHECKING:
    from mnkala.web.live_games import LiveGames

SECONDS = 1.0
"""How often to look, while somebody follows a game."""
SLACK = datetime.timedelta(seconds=5)
"""A change has its time before it waits for the file, at most two seconds."""


class OutsideChanges:
    """Has followed games read again when another program has changed them."""

    def __init__(self, games: LiveGames) -> None:
        self._games = games
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._seen = -1
        self._since = self._now()

    def watch(self) -> None:
        """Somebody follows a game."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SECONDS, self._look)

    def _look(self) -> None:
        self._timer = None
        if not self._games.followed:
            return
        with contextlib.suppress(MnkalaError):  # the file cannot be read just now
            seen = self._games.store.changes_of_others()
            if seen != self._seen:
                since, self._since, self._seen = self._since, self._now(), seen
                for game_id, revision in self._games.store.revisions_since(since).items():
                    game = self._games.followed_game(game_id)
                    if game is not None and game.kept_revision != revision and not game.changing.locked():
                        self._tasks.add(task := asyncio.create_task(self._games.renew(game)))
                        task.add_done_callback(self._tasks.discard)
        self.watch()

    @staticmethod
    def _now() -> str:
        return time_text(datetime.datetime.now(datetime.UTC) - SLACK)

    def close(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()
