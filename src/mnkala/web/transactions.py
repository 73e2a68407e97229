"""Changes of games: tried on a draft, written to disk, and only then made. Nobody is told of a change that is not saved.

One thread writes, so that a slow disk or another program's lock never holds up the event loop. Changes that wait at the same
time are written in one transaction, which costs little more than a single row.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import dataclasses
import functools
import logging
import queue
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, TypeVar

from mnkala.errors import MnkalaError
from mnkala.play.saved_games import columns_of, controller_of, details_of
from mnkala.play.store import Change, ChangedElsewhere, Details, DiskFull, NotSaved, Row, Store, Update
from mnkala.web.engines import kept_player
from mnkala.web.http_errors import NotFound
from mnkala.web.limits import Limits
from mnkala.web.live_game import LiveGame, Superseded


def row_of(game: LiveGame) -> Row:
    """The row that saves a game."""
    running = game.controller
    return Row(
        **columns_of(running), id=game.id, first_owner=game.owners[0], second_owner=game.owners[1], invitation=game.invitation,
        linked=game.linked, watchable=game.watchable, here=game.here, revision=game.revision, created=game.created, updated=game.updated,
        more=Details(**details_of(running), rematch=game.rematch, undo_asked=game.undo_asked),
    )


def game_of(row: Row, limits: Limits) -> LiveGame:
    """The game that a row has saved. It opens whatever was played; engines that are not allowed here do not play on."""
    controller = controller_of(row, functools.partial(kept_player, limits=limits))
    game = LiveGame(controller, [row.first_owner, row.second_owner], linked=row.linked, watchable=row.watchable, here=row.here,
                    limits=limits)
    game.id, game.invitation, game.created, game.updated = row.id, row.invitation, row.created, row.updated
    game.revision = game.kept_revision = row.revision
    game.rematch, game.undo_asked = row.more.rematch, row.more.undo_asked
    return game


MOST_TOGETHER = 64
CLOSING_SECONDS = 5.0


@dataclasses.dataclass(frozen=True)
class _Job:
    changes: tuple[Change, ...]
    done: concurrent.futures.Future[None]


class Writer:
    """Writes what it is given, in that order."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._closed = False
        self._waiting: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def write(self, *changes: Change) -> concurrent.futures.Future[None]:
        """Write all of these changes, or none: done when they are on disk, or with NotSaved as its error."""
        if self._closed:
            raise NotSaved("not saved: the server is closing")
        job = _Job(changes, concurrent.futures.Future())
        self._waiting.put(job)
        return job.done

    def close(self) -> None:
        """Write what waits, then end."""
        self._closed = True
        self._waiting.put(None)
        self._thread.join(CLOSING_SECONDS)

    def _run(self) -> None:
        last = False
        while not last:
            taken = [self._waiting.get()]
            while len(taken) < MOST_TOGETHER and not self._waiting.empty():
                taken.append(self._waiting.get())
            jobs = [job for job in taken if job is not None]
            last = len(jobs) < len(taken)
            if wanted := [job for job in jobs if job.done.set_running_or_notify_cancel()]:
                self._write(wanted)

    def _write(self, jobs: list[_Job]) -> None:
        try:
            self._store.write([change for job in jobs for change in job.changes])
        except (DiskFull, ChangedElsewhere) as error:
            if len(jobs) > 1:  # one that cannot be written must not take the others with it
                for job in jobs:
                    self._write([job])
            else:
                jobs[0].done.set_exception(error)
        except Exception as error:
            for job in jobs:
                job.done.set_exception(error)
        else:
            for job in jobs:
                job.done.set_result(None)


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
