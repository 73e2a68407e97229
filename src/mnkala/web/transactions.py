"""Changes of games: tried on a draft, written, and only then made. What nobody has saved, nobody is told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, TypeVar

from mnkala.errors import MnkalaError
from mnkala.play.store import ChangedElsewhere, NotSaved, Row, Store, Update
from mnkala.web.game_rows import row_of
from mnkala.web.http_errors import NotFound
from mnkala.web.live_game import LiveGame, Superseded
from mnkala.web.writer import Writer

log = logging.getLogger("mnkala.web")
T = TypeVar("T")
DraftChange = Callable[[LiveGame], Row | None]
"""Changes a draft, or raises what is wrong with that. A row that it gives is of another game, written together with the draft's."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
"""Seconds before something that happened by itself is tried again; each pause is twice the one before."""


class Transactions:
    """Makes changes, one at a time in each game."""

    def __init__(self, store: Store) -> None:
        self._writer = Writer(store)
        self._tasks: set[asyncio.Task[Any]] = set()

    async def commit(self, game: LiveGame, change: DraftChange, then: Callable[[], T]) -> T:
        """Make a change that somebody asked for and then do what follows from it; raises what the change raises, or NotSaved.

        It goes on if the one who asked is gone in the meantime: what is written must become the game.
        """
        return await asyncio.shield(self._start(self._commit(game, change, then)))

    async def delete(self, game: LiveGame, check: DraftChange, then: Callable[[], None]) -> None:
        """Delete a game, if that is allowed."""
        await asyncio.shield(self._start(self._delete(game, check, then)))

    async def renew(self, game: LiveGame, read: Callable[[], Awaitable[LiveGame | None]]) -> bool:
        """Let a game become what another program has made of it; whether that was another."""
        async with game.changing:
            kept = await read()
            if kept is not None:
                game.adopt(kept)
            return kept is not None

    async def add(self, rows: Iterable[Row]) -> None:
        """Add games that are not open."""
        await asyncio.wrap_future(self._writer.write(*rows))

    async def delete_row(self, game_id: str) -> None:
        """Delete a game that cannot be opened."""
        await asyncio.wrap_future(self._writer.write(game_id))

    def retry_until_saved(self, game: LiveGame, change: DraftChange, then: Callable[[], None], tell: Callable[[LiveGame], None]) -> None:
        """Make a change that happens by itself: as long as it cannot be saved, tell so and try again."""
        self._start(self._retry(game, change, then, tell))

    def close(self) -> None:
        """Write what waits; nothing is tried again."""
        for task in self._tasks:
            task.cancel()
        self._writer.close()

    def _start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _commit(self, game: LiveGame, change: DraftChange, then: Callable[[], T]) -> T:
        async with game.changing:
            draft = _draft(game)
            other = change(draft)
            row = row_of(draft)
            kept = row if game.kept_revision is None else Update(row, game.kept_revision)
            await asyncio.wrap_future(self._writer.write(kept, *([other] if other else [])))
            game.adopt(draft)
            return then()

    async def _delete(self, game: LiveGame, check: DraftChange, then: Callable[[], None]) -> None:
        async with game.changing:
            check(_draft(game))
            await asyncio.wrap_future(self._writer.write(game.id))
            game.gone = True
            then()

    async def _retry(self, game: LiveGame, change: DraftChange, then: Callable[[], None], tell: Callable[[LiveGame], None]) -> None:
        pause = FIRST_PAUSE
        while True:
            try:
                await self._commit(game, change, then)
                return
            except NotSaved as error:
                log.warning("game %s: %s", game.id, error)
                game.unsaved = f"{error}; it is tried again by itself"
                tell(game)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            except (Superseded, NotFound, ChangedElsewhere):
                game.unsaved = None
                return
            except Exception as error:
                log.error("game %s cannot go on", game.id, exc_info=not isinstance(error, MnkalaError))
                game.failed(error)
                tell(game)
                return


def _draft(game: LiveGame) -> LiveGame:
    if game.gone:
        raise NotFound(f"there is no game {game.id!r} any more")
    return game.draft()
