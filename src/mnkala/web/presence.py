"""Who is present: whether the players of a linked game follow it over a socket, or were here a
moment ago.

Reloading a page takes a second, which is not worth reporting: a player counts as away only after
some seconds.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from mnkala.web.live_game import LiveGame

Present = tuple[bool | None, bool | None]
"""Whether each player is present; None where it does not matter: an engine, an open seat, a game
at one computer."""


class Presence:
    """Tells the followers of linked games who is present."""

    def __init__(self, seconds: float, follows: Callable[[LiveGame, str], bool], tell: Callable[[LiveGame], None]) -> None:
        self._seconds, self._follows, self._tell = seconds, follows, tell
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def of(self, game: LiveGame) -> Present:
        """Whether the players of a game are present."""
        first, second = (self._is_there(game, owner) if game.row.linked and owner is not None and player.is_human else None
                         for owner, player in zip(game.state.owners, game.state.players, strict=True))
        return first, second

    def _is_there(self, game: LiveGame, owner: str) -> bool:
        return self._follows(game, owner) or time.monotonic() < game.seen.get(owner, 0.0) + self._seconds

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
        ends = [game.seen[owner] + self._seconds - now for owner in game.state.owners
                if owner in game.seen and not self._follows(game, owner) and now < game.seen[owner] + self._seconds]
        if ends:
            self._timers[game.id] = asyncio.get_running_loop().call_later(min(ends) + 0.001, self._look, game)

    def close(self) -> None:
        """Stop watching."""
        for timer in self._timers.values():
            timer.cancel()
