"""Watching games that are followed: who is present, and what other programs do to them.

A player of a linked game is present who follows it over a socket or was here a moment ago.
Reloading a page takes a second, which is not worth reporting: a player counts as away only after
some seconds.

A terminal may continue a game that is open on the page. The file shows cheaply that something was
written. Then the revisions of the games that are followed are compared with those in the file.
Times would not do, because the clock of a computer may be set back.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from mnkala.errors import MnkalaError
from mnkala.web.live_game import LiveGame

if TYPE_CHECKING:
    from mnkala.web.live_games import LiveGames

Present = tuple[bool | None, bool | None]
"""Whether each player is present; None where it does not matter: an engine, an open seat, a game
at one computer."""


class Presence:
    """Tells the followers of linked games who is present."""

    def __init__(
        self,
        seconds: float,
        follows: Callable[[LiveGame, str], bool],
        tell: Callable[[LiveGame], None],
    ) -> None:
        self._seconds, self._follows, self._tell = seconds, follows, tell
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def of(self, game: LiveGame) -> Present:
        """Whether the players of a game are present."""
        first, second = (
            self._is_there(game, owner)
            if game.row.linked and owner is not None and player.is_human
            else None
            for owner, player in zip(game.state.owners, game.state.players, strict=True)
        )
        return first, second

    def _is_there(self, game: LiveGame, owner: str) -> bool:
        return (
            self._follows(game, owner)
            or time.monotonic() < game.seen.get(owner, 0.0) + self._seconds
        )

    def seen(self, game: LiveGame, person: str) -> None:
        """Note that a person has just asked for a game, followed it or left it."""
        if game.row.linked and person in game.state.owners:
            game.seen[person] = time.monotonic()
            self._look(game)

    def _look(self, game: LiveGame) -> None:
        """Report changes, and check again when somebody who left may count as away."""
        if (timer := self._timers.pop(game.id, None)) is not None:
            timer.cancel()
        present = self.of(game)
        if present != game.present_as_told:
            game.present_as_told = present
            self._tell(game)
        now = time.monotonic()
        ends = [
            game.seen[owner] + self._seconds - now
            for owner in game.state.owners
            if owner in game.seen
            and not self._follows(game, owner)
            and now < game.seen[owner] + self._seconds
        ]
        if ends:
            self._timers[game.id] = asyncio.get_running_loop().call_later(
                min(ends) + 0.001, self._look, game
            )

    def close(self) -> None:
        """Stop watching."""
        for timer in self._timers.values():
            timer.cancel()


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
        """Read those followed games again that another program has changed, and check again
        later."""
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
