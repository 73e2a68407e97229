"""Runs live games: whatever happens in a game without anybody asking for it. Engines think, and
clocks run out.

The game's state determines the next step (`play/controller.py`). An engine is compiled and
loaded before any clock runs, thinks in a queue, and returns its answer to the event loop, where
all of this runs. An engine that takes long thinks only while somebody waits for its move.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import time
from typing import TYPE_CHECKING

from mnkala.errors import MnkalaError
from mnkala.play.controller import Step, Ticket, seconds_to_wait
from mnkala.play.events import Answer, FlagFall
from mnkala.play.store import Store
from mnkala.search import Analysis
from mnkala.web.engines import check_allowed
from mnkala.web.live_game import LiveGame
from mnkala.web.requests import is_quick
from mnkala.web.transactions import Transactions
from mnkala.web.workers import Workers

if TYPE_CHECKING:
    from mnkala.web.live_games import LiveGames

log = logging.getLogger("mnkala.web")
MOST_PREPARED = 1_000
"""The most engines that are remembered as loaded: anybody can make up new ones, and loading one
again costs next to nothing."""


class GameRunner:
    """Carries out the next step of live games."""

    def __init__(self, workers: Workers, store: Store, games: LiveGames) -> None:
        self._workers, self._games = workers, games
        self.transactions = Transactions(store, self.wake_and_tell)
        self._limits = workers.limits
        self._prepared: set[tuple[str, type]] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._background: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """Stop all automatic work."""
        for task in self._background:
            task.cancel()
        for timer in self._timers.values():
            timer.cancel()

    def cancel_timer(self, game: LiveGame) -> None:
        """Cancel the timer after which a game would be checked again."""
        timer = self._timers.pop(game.id, None)
        if timer is not None:
            timer.cancel()

    # ---- Who waits ----

    def somebody_waits(self, game: LiveGame) -> None:
        """Note that a player asked for a game, so that somebody waits for its engine. Work that
        was called off begins again."""
        waited = self._is_awaited(game)
        game.awaited_until = time.monotonic() + self._limits.awaited_seconds
        if not waited:
            self.wake(game)

    def _is_awaited(self, game: LiveGame) -> bool:
        """Whether somebody follows a game or did so a moment ago."""
        return self._games.is_followed(game) or time.monotonic() < game.awaited_until

    def nobody_follows(self, game: LiveGame) -> None:
        """Note that the last follower has left, perhaps only to reload the page."""
        game.awaited_until = time.monotonic() + self._limits.left_seconds
        self._call_off(game, game.ticket)

    def _call_off(self, game: LiveGame, ticket: Ticket | None) -> None:
        """Stop an engine once nobody waits for its move any more; checked again after the last
        follower has left."""
        if ticket is None or game.ticket is not ticket or self._games.is_followed(game):
            return
        left = game.awaited_until - time.monotonic()
        if left > 0:
            self._workers.loop.call_later(left, self._call_off, game, ticket)
        else:
            game.stop_thinking()

    def _may_think(self, game: LiveGame) -> bool:
        """Whether an engine may think: two engines continue only while somebody watches, and
        long moves are only for those who wait."""
        if (
            game.state.between_engines
            and not game.state.steps
            and not self._games.is_followed(game)
        ):
            return False
        return self._is_awaited(game) or self._moves_quickly(game)

    @staticmethod
    def _moves_quickly(game: LiveGame) -> bool:
        engine = game.state.to_move.engine
        return engine is not None and is_quick(engine, game.state.position.rules)

    # ---- What happens by itself ----

    def wake(self, game: LiveGame) -> None:
        """Carry out the next step of a game, and check again when a pause or somebody's time is
        over."""
        if self._workers.closing:
            return
        step = game.next_step(time.monotonic())
        if step is Step.PREPARE:
            step = self._prepare(game)
        if step is Step.THINK and self._may_think(game):
            self._think(game)
        self._set_timer(game, step)

    def wake_and_tell(self, game: LiveGame) -> None:
        """Carry out the next step of a game and tell its followers."""
        self.wake(game)
        self._games.tell(game)

    def _prepare(self, game: LiveGame) -> Step:
        """Have the engines of a game compiled and loaded before any clock runs; return the next
        step."""
        rules = game.state.position.rules
        engines = [player.engine for player in game.state.players if player.engine]
        try:
            for engine in engines:
                check_allowed(engine, self._limits)
        except MnkalaError as error:
            game.broken(error)
            return Step.NOTHING
        missing = [
            engine for engine in engines if (repr(engine.search), type(rules)) not in self._prepared
        ]
        if not missing:
            game.prepared(time.monotonic())
            return game.next_step(time.monotonic())

        def load() -> None:
            for engine in missing:
                engine.search.prepare(rules)

        async def prepare() -> None:
            try:
                await self._workers.compiled(rules, *missing)
                await self._workers.run(
                    self._workers.quick, _engines(game), load, urgent=True, alone="loading"
                )
                if len(self._prepared) >= MOST_PREPARED:
                    self._prepared.clear()
                self._prepared.update((repr(engine.search), type(rules)) for engine in missing)
                game.prepared(time.monotonic())
            except Exception as error:
                game.broken(error)
            self.wake_and_tell(game)

        game.preparing()
        self._background.add(task := self._workers.loop.create_task(prepare()))
        task.add_done_callback(self._background.discard)
        return Step.NOTHING

    def _think(self, game: LiveGame) -> None:
        """Ask the engine whose turn it is."""
        workers, ticket, quick = (
            self._workers,
            game.think(time.monotonic()),
            self._moves_quickly(game),
        )
        longest = ticket.engine.limit.time or self._limits.seconds_per_move
        seconds = min(ticket.seconds or longest, longest)

        def work() -> Analysis | None:
            if ticket.stop.is_set():
                return None
            if not quick or ticket.seconds is not None:
                workers.loop.call_soon_threadsafe(workers.loop.call_later, seconds, ticket.stop.set)
            return ticket.engine.answer(ticket.position, ticket.stop)

        queue = workers.quick if quick else workers.long
        workers.submit(
            queue,
            _engines(game),
            work,
            functools.partial(self._answered, game, ticket),
            ticket.stop,
            urgent=True,
        )
        if not quick:
            self._call_off(game, ticket)

    def _answered(
        self, game: LiveGame, ticket: Ticket, analysis: Analysis | None, error: Exception | None
    ) -> None:
        """Play the move that an engine has found."""
        if game.ticket is not ticket:
            return
        if analysis is None or error is not None:
            log.warning("engine %s failed in game %s: %r", ticket.engine, game.id, error)
            game.broken(error or MnkalaError("the engine gave no answer"))
            self._games.tell(game)
            return
        ticket.has_answered = True
        game.set_clock(time.monotonic())
        self.transactions.retry_until_saved(
            game, functools.partial(game.wanted, ticket, Answer(analysis)), self._games.tell
        )

    def _set_timer(self, game: LiveGame, step: Step) -> None:
        """Check again when the pause between two engines, or the running side's time, is over."""
        self.cancel_timer(game)
        now = time.monotonic()
        left = None if game.unsaved else game.seconds_left(now)
        waits = [
            seconds
            for seconds in (seconds_to_wait(game.state, now) if step is Step.WAIT else None, left)
            if seconds is not None
        ]
        if waits:
            self._timers[game.id] = self._workers.loop.call_later(
                min(waits) + 0.001, self._time_came, game
            )

    def _time_came(self, game: LiveGame) -> None:
        left = game.seconds_left(time.monotonic())
        if left is not None and left <= 0 and not game.unsaved:
            self.transactions.retry_until_saved(game, FlagFall, self._games.tell)
        else:
            self.wake_and_tell(game)


def _engines(game: LiveGame) -> str:
    """The name under which a person's engines wait in the work queues, so that they do not delay
    the person's own questions."""
    return f"engines of {game.state.owners[0] or game.state.owners[1] or game.id}"
