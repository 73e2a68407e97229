"""Who is there: whether the people of a linked game follow it over a socket, or were here a moment ago.

A page that is loaded again is away for a second, which nobody wants to hear of: one is away only after some seconds.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from mnkala.web.live_game import LiveGame

Present = tuple[bool | None, bool | None]
"""Whether each player is there; None where nobody asks: an engine, an open seat, a game at one computer."""


class Presence:
    """Keeps the followers of linked games told about who is there."""

    def __init__(self, seconds: float, follows: Callable[[LiveGame, str], bool], tell: Callable[[LiveGame], None]) -> None:
        self._seconds, self._follows, self._tell = seconds, follows, tell
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def of(self, game: LiveGame) -> Present:
        """Who is present in a game."""
        first, second = (self._is_there(game, owner) if game.row.linked and owner is not None and player.is_human else None
                         for owner, player in zip(game.state.owners, game.state.players, strict=True))
        return first, second

    def _is_there(self, game: LiveGame, owner: str) -> bool:
        return self._follows(game, owner) or time.monotonic() < game.seen.get(owner, 0.0) + self._seconds

    def seen(self, game: LiveGame, person: str) -> None:
        """A person has just asked for a game, followed it or left it."""
        if game.row.linked and person in game.state.owners:
            game.seen[person] = time.monotonic()
            self._look(game)

    def _look(self, game: LiveGame) -> None:
        """Tell what is new, and look again when somebody who left may be away."""
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
