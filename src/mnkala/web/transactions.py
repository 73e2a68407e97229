"""Changes of games: applied to the state, written to disk, and only then valid. Nobody is told
of a change that is not saved.

One thread writes, so that a slow disk or another program's lock never blocks the event loop.
Changes that wait at the same time are written in one transaction, which costs little more than a
single row.
"""

from __future__ import annotations

import asyncio
import collections
import concurrent.futures
import dataclasses
import functools
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Concatenate, ParamSpec

from mnkala.errors import MnkalaError
from mnkala.play.game_state import Event, Superseded
from mnkala.play.saved_games import next_row
from mnkala.play.store import Change, ChangedElsewhere, DiskFull, NotSaved, Row, Store, Update
from mnkala.web.http_errors import NotFound
from mnkala.web.live_game import LiveGame

MOST_TOGETHER = 64


@dataclasses.dataclass(frozen=True)
class _Job:
    """Changes to write together, and the future that reports when they are on disk."""

    changes: tuple[Change, ...]
    done: concurrent.futures.Future[None]


class Writer:
    """Writes changes in the order in which they come."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: collections.deque[_Job] = collections.deque()
        self._thread = concurrent.futures.ThreadPoolExecutor(1, "writer")

    def write(self, *changes: Change) -> concurrent.futures.Future[None]:
        """Write all of these changes, or none; done when they are on disk, or fails with NotSaved."""
        job = _Job(changes, concurrent.futures.Future())
        self._waiting.append(job)
        try:
            self._thread.submit(self._write_waiting)
        except RuntimeError:
            raise NotSaved("not saved: the server is closing") from None
        return job.done

    def close(self) -> None:
        """Write everything that waits, then end."""
        self._thread.shutdown()

    def _write_waiting(self) -> None:
        jobs = [self._waiting.popleft() for _ in range(min(MOST_TOGETHER, len(self._waiting)))]
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
Decide = Callable[[], Event]
"""Returns the event for a game as it stands when its turn comes, or raises the reason why there
is none."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
"""The seconds before an automatic change is tried again; each pause is twice as long as the one
before."""


P = ParamSpec("P")


def to_its_end(
    work: Callable[Concatenate[Transactions, P], Coroutine[Any, Any, None]],
) -> Callable[Concatenate[Transactions, P], asyncio.Future[None]]:
    """Finish the work even if the client has gone in the meantime: what is written must become
    the game."""

    @functools.wraps(work)
    def start(self: Transactions, /, *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[None]:
        self.tasks.add(task := asyncio.create_task(work(self, *args, **kwargs)))
        task.add_done_callback(self.tasks.discard)
        return asyncio.shield(task)

    return start


class Transactions:
    """Makes changes, one at a time in each game: applies an event, writes the row, replaces the
    state and tells the followers."""

    def __init__(self, store: Store, changed: Callable[[LiveGame], None]) -> None:
        self._writer = Writer(store)
        self._changed = changed
        self.tasks: set[asyncio.Task[None]] = set()

    @to_its_end
    async def commit(self, game: LiveGame, decide: Decide, *beside: Row) -> None:
        """Make a change; raises the error that refuses it, or NotSaved. Rows of other games are
        written together with it."""
        async with game.changing:
            _require_there(game)
            now = time.monotonic()
            state = game.state.apply(event := decide(), now)
            row = next_row(game.row, state)
            await asyncio.wrap_future(self._writer.write(Update(row, game.row.revision), *beside))
            game.saved(state, row, now, event)
            self._changed(game)

    @to_its_end
    async def delete(
        self, game: LiveGame, check: Callable[[], None], forget: Callable[[LiveGame], None]
    ) -> None:
        """Delete a game, if that is allowed."""
        async with game.changing:
            _require_there(game)
            check()
            await asyncio.wrap_future(self._writer.write(game.id))
            forget(game)

    async def renew(self, game: LiveGame, read: Callable[[], Awaitable[LiveGame | None]]) -> None:
        """Replace a game by the version that another program has written, if it differs."""
        async with game.changing:
            if (kept := await read()) is not None:
                game.saved(kept.state, kept.row, time.monotonic())
                self._changed(game)

    async def write(self, *changes: Change) -> None:
        """Add games that nobody can have changed yet, or delete by its id one that cannot be
        opened.
        """
        await asyncio.wrap_future(self._writer.write(*changes))

    @to_its_end
    async def retry_until_saved(
        self, game: LiveGame, decide: Decide, tell: Callable[[LiveGame], None]
    ) -> None:
        """Make an automatic change; while it cannot be saved, report that and try again."""
        pause = FIRST_PAUSE
        while True:
            try:
                await self.commit(game, decide)
                return
            except NotSaved as error:
                log.warning("game %s: %s", game.id, error)
                game.unsaved = MnkalaError(
                    f"{error}; another attempt follows automatically",
                    "error.tried_again",
                    why=error,
                )
                tell(game)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            except (Superseded, NotFound, ChangedElsewhere):
                game.unsaved = None
                return
            except Exception as error:
                log.error(
                    "game %s cannot go on", game.id, exc_info=not isinstance(error, MnkalaError)
                )
                game.broken(error)
                tell(game)
                return

    def close(self) -> None:
        """Write what waits; nothing is retried after that."""
        for task in self.tasks:
            task.cancel()
        self._writer.close()


def _require_there(game: LiveGame) -> None:
    if game.gone:
        raise NotFound(f"there is no game {game.id!r} any more")
