"""Engines that play in live games, and clocks that run out: whatever happens in a game without anybody asking for it.

An engine is compiled and loaded before any clock runs, thinks in a queue, and hands its answer back to the event loop, where all of this
runs. Its *ticket* is void once the game has changed meanwhile. An engine that takes long thinks only while somebody waits for its move.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import time
from typing import Protocol

from mnkala.errors import IllegalMove, MnkalaError
from mnkala.search import Analysis, Engine, Stop
from mnkala.web.live_game import LiveGame, Superseded, Ticket
from mnkala.web.requests import is_quick
from mnkala.web.transactions import Transactions
from mnkala.web.workers import Workers

log = logging.getLogger("mnkala.web")


class Audience(Protocol):
    """Those who see a game."""

    def is_followed(self, game: LiveGame) -> bool:
        """Whether somebody hears of its changes."""

    def holds(self, game: LiveGame) -> bool:
        """Whether it is still in memory."""

    def tell(self, game: LiveGame) -> None:
        """Tell all followers how it stands."""


class Engines:
    """Moves for those who are no people."""

    def __init__(self, workers: Workers, transactions: Transactions, audience: Audience) -> None:
        self._workers, self._transactions, self._audience = workers, transactions, audience
        self._limits = workers.limits
        self._prepared: set[tuple[str, type]] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._background: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """Nothing happens by itself any more."""
        for task in self._background:
            task.cancel()
        for timer in self._timers.values():
            timer.cancel()

    def forget(self, game: LiveGame) -> None:
        """A game leaves the memory."""
        timer = self._timers.pop(game.id, None)
        if timer is not None:
            timer.cancel()

    # ---- Who waits ----

    def somebody_waits(self, game: LiveGame) -> None:
        """A player asked for a game: somebody waits for its engine. What was called off meanwhile begins again."""
        waited = self._is_awaited(game)
        game.awaited_until = time.monotonic() + self._limits.awaited_seconds
        if not waited:
            self.wake(game)

    def _is_awaited(self, game: LiveGame) -> bool:
        """Whether somebody follows a game, or did so a moment ago."""
        return self._audience.is_followed(game) or time.monotonic() < game.awaited_until

    def nobody_follows(self, game: LiveGame) -> None:
        """The last follower has left, perhaps only to load the page anew."""
        game.awaited_until = time.monotonic() + self._limits.left_seconds
        self._call_off(game, game.ticket)

    def _call_off(self, game: LiveGame, ticket: Ticket | None) -> None:
        """Call an engine off once nobody waits for its move any more; the last follower who leaves makes us look again."""
        if ticket is None or game.ticket is not ticket or self._audience.is_followed(game):
            return
        left = game.awaited_until - time.monotonic()
        if left > 0:
            self._workers.loop.call_later(left, self._call_off, game, ticket)
        else:
            game.stop_thinking()

    # ---- What happens by itself ----

    def wake(self, game: LiveGame) -> None:
        """Start whatever has to happen next by itself: an engine's thinking, the end of somebody's time."""
        if self._workers.closing or (not game.match.is_over and self._prepare(game)):
            return
        if game.wants_engine(watched=self._audience.is_followed(game)) and (self._is_awaited(game) or self._moves_quickly(game)):
            self._think(game)
        game.run_clock()
        self._watch_clock(game)

    def _prepare(self, game: LiveGame) -> bool:
        """Have the engines of a game compiled and loaded before any clock runs; whether that is still going on."""
        if game.preparing or game.prepared:
            return game.preparing
        rules = game.match.position.rules
        missing = [player.engine for player in game.match.players
                   if player.engine and (repr(player.engine.search), type(rules)) not in self._prepared]
        if not missing:
            game.prepared = True
        if not missing or game.trouble:
            return False

        def load() -> None:
            for engine in missing:
                engine.search.prepare(rules)

        async def prepare() -> None:
            try:
                await self._workers.compiled(rules, *missing)
                await self._workers.run(self._workers.loading, _owner(game), load)
                self._prepared.update((repr(engine.search), type(rules)) for engine in missing)
            except Exception as error:
                game.failed(error)
            game.preparing = False
            self._wake_and_tell(game)

        game.preparing = True
        self._background.add(task := self._workers.loop.create_task(prepare()))
        task.add_done_callback(self._background.discard)
        return True

    @staticmethod
    def _moves_quickly(game: LiveGame) -> bool:
        engine = game.match.to_move.engine
        return engine is not None and is_quick(engine, game.match.position.rules)

    def _think(self, game: LiveGame) -> None:
        """Ask the engine whose turn it is."""
        workers, player = self._workers, game.match.position.mover
        engine = game.match.players[player].engine
        assert engine is not None
        ticket = Ticket(player, Stop())
        game.ticket = ticket
        position = game.match.position
        quick = self._moves_quickly(game)
        seconds = engine.limit.time or self._limits.seconds_per_move
        if game.clock is not None:
            game.run_clock()
            seconds = min(seconds, game.clock.budget(player, time.monotonic()))
        watched = not quick or game.clock is not None or engine.limit.time is not None

        def work() -> Analysis | None:
            if ticket.stop.is_set():
                return None
            if watched:
                workers.loop.call_soon_threadsafe(workers.loop.call_later, seconds, ticket.stop.set)
            return engine.answer(position, ticket.stop)

        queue = workers.quick_moves if quick else workers.long_moves
        workers.submit(queue, _owner(game), work, functools.partial(self._answered, game, ticket, engine), ticket.stop)
        if not quick:
            self._call_off(game, ticket)

    def _answered(self, game: LiveGame, ticket: Ticket, engine: Engine, analysis: Analysis | None, error: Exception | None) -> None:
        """An engine's move arrives."""
        if game.ticket is not ticket:
            return
        try:
            if analysis is None or error is not None:
                log.warning("engine %s failed in game %s: %r", engine, game.id, error)
                raise error or MnkalaError("the engine gave no answer")
            game.draft().play_engine(analysis)
        except Exception as refused:
            illegal = analysis is not None and isinstance(refused, IllegalMove)
            game.failed(MnkalaError(f"{engine} made an illegal move: {refused}") if illegal else refused)
            self._audience.tell(game)
            return
        ticket.answered = True
        game.run_clock()

        def play(draft: LiveGame) -> None:
            if draft.ticket is not ticket:
                raise Superseded("the game went on without this move")
            draft.play_engine(analysis)

        self._transactions.insist(game, play, functools.partial(self._engine_moved, game), self._audience.tell)

    def _engine_moved(self, game: LiveGame) -> None:
        self._audience.tell(game)
        if game.between_engines and not game.match.is_over:
            self._workers.loop.call_later(game.pace, self._go_on, game)
        else:
            self.wake(game)

    def _go_on(self, game: LiveGame) -> None:
        if self._audience.holds(game):
            self._wake_and_tell(game)

    def _wake_and_tell(self, game: LiveGame) -> None:
        self.wake(game)
        self._audience.tell(game)

    def _watch_clock(self, game: LiveGame) -> None:
        """Look again when the running side's time is up."""
        self.forget(game)
        clock = game.clock
        if clock is None or clock.running is None or game.unsaved:
            return
        left = clock.remaining(clock.running, time.monotonic())
        self._timers[game.id] = self._workers.loop.call_later(left + 0.001, self._time_is_up, game)

    def _time_is_up(self, game: LiveGame) -> None:
        clock = game.clock
        if clock is None or clock.running is None:
            return
        if clock.remaining(clock.running, time.monotonic()) <= 0:
            self._transactions.insist(game, LiveGame.lose_on_time, functools.partial(self._wake_and_tell, game), self._audience.tell)
        else:
            self._watch_clock(game)


def _owner(game: LiveGame) -> str:
    return game.owners[0] or game.owners[1] or game.id
