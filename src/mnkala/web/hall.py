"""The hall: all live games of a server, who follows them, and the engines that play in them.

Everything here runs in the event loop's thread; engines think in lanes and hand their answers back to it.
"""

from __future__ import annotations

import asyncio
import collections
import functools
import logging
import os
import time
from collections.abc import Callable
from typing import Protocol, TypeVar, cast

from mnkala.errors import IllegalMove, MnkalaError
from mnkala.search import Analysis, Engine, Stop
from mnkala.web.borders import is_quick
from mnkala.web.lanes import Lane
from mnkala.web.limits import Limits
from mnkala.web.live_game import LiveGame, Ticket, summary
from mnkala.web.messages import Action, Game, Games, NewGame
from mnkala.web.refusals import Full, NotThere, NotYours
from mnkala.web.store import Store

log = logging.getLogger("mnkala.web")
T = TypeVar("T")


class Follower(Protocol):
    """Somebody who wants to hear of changes."""

    person: str

    def tell(self, game: Game) -> None:
        """Take the newest state of a game."""


class Hall:
    """Games, followers, lanes."""

    def __init__(self, store: Store, limits: Limits, loopback: bool) -> None:
        self.store = store
        self.limits = limits
        self.loopback = loopback
        threads = max(2, os.cpu_count() or 1)
        everyone = limits.live_games
        self.quick = Lane("quick-moves", threads, everyone, everyone)
        self.slow = Lane("long-moves", threads, everyone, everyone)
        self.questions = Lane("questions", threads, limits.waiting, limits.waiting_per_person)
        self.proofs = Lane("proofs", threads, limits.waiting, limits.waiting_per_person)
        self.light = Lane("light", 2, limits.waiting, limits.waiting)
        self._games: collections.OrderedDict[str, LiveGame] = collections.OrderedDict()
        self._followers: dict[str, set[Follower]] = {}
        self._prepared: set[tuple[str, type]] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop that owns the hall."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        return self._loop

    def close(self) -> None:
        """Stop every engine and let go of the file; all games are on disk already."""
        for timer in self._timers.values():
            timer.cancel()
        for game in self._games.values():
            game.stop_thinking()
        for lane in (self.quick, self.slow, self.questions, self.proofs, self.light):
            lane.close()
        self.store.close()

    # ---- Games ----

    def open(self, wish: NewGame, person: str) -> Game:
        """A new game."""
        if self.store.count() >= self.limits.stored_games:
            raise Full(f"this server keeps {self.limits.stored_games} games and has no room for another; delete some")
        if self.store.unfinished(person) >= self.limits.unfinished_per_person:
            raise Full(f"you have {self.limits.unfinished_per_person} unfinished games; finish or delete some")
        game, invitation = LiveGame.new(wish, person, self.limits)
        self._enter(game)
        self.changed(game)
        return game.seen_by(person, invitation)

    def find(self, game_id: str, person: str | None) -> LiveGame:
        """A game that a person may see."""
        game = self._games.get(game_id)
        if game is None:
            row = self.store.load(game_id)
            if row is None:
                raise NotThere(f"there is no game {game_id[:40]!r}, or it is not open to you")
            game = LiveGame.of_row(row, self.limits)
        if not (game.is_held_by(person) or game.watchable or (self.loopback and not game.linked)):
            raise NotThere(f"there is no game {game_id[:40]!r}, or it is not open to you")
        if game_id not in self._games:
            self._enter(game)
            self.wake(game)
        self._games.move_to_end(game_id)
        return game

    def find_to_join(self, game_id: str) -> LiveGame:
        """A linked game, for somebody with an invitation: the invitation is checked by the game."""
        row = self.store.load(game_id)
        if row is None or not row.linked:
            raise NotThere(f"there is no game {game_id[:40]!r} to join")
        holder = row.first_owner or row.second_owner
        return self.find(game_id, holder)

    def _enter(self, game: LiveGame) -> None:
        self._games[game.id] = game
        for old in list(self._games.values()) if len(self._games) > self.limits.live_games else ():
            if len(self._games) <= self.limits.live_games:
                break
            if old.ticket is None and not self._followers.get(old.id) and old is not game:
                self._leave(old)

    def _leave(self, game: LiveGame) -> None:
        self._games.pop(game.id, None)
        timer = self._timers.pop(game.id, None)
        if timer is not None:
            timer.cancel()

    def delete(self, game_id: str, person: str) -> None:
        """Forget a game for good."""
        game = self.find(game_id, person)
        if not game.is_held_by(person):
            raise NotYours("only those who play a game may delete it")
        if game.linked and game.open_seat is None and not game.match.is_over:
            raise NotYours("the other player is still in this game; resign before you delete it")
        game.stop_thinking()
        self._leave(game)
        self._followers.pop(game_id, None)
        self.store.delete(game_id)

    def listed(self, person: str, everyone: bool, before: str | None = None) -> Games:
        """Saved games, newest first."""
        if everyone and not self.loopback:
            raise NotYours("all games are listed only on a server that nobody else can reach")
        rows = self.store.listed(None if everyone else person, self.limits.listed + 1, before)
        return Games([summary(row, person) for row in rows[: self.limits.listed]], more=len(rows) > self.limits.listed)

    def rematch(self, game: LiveGame, person: str) -> Game:
        """The same again with sides swapped; both players are led to the same new game."""
        if not game.is_held_by(person):
            raise NotYours("you hold no seat in this game; you can only watch")
        if not game.match.is_over:
            raise NotYours("a rematch follows a finished game; this one is going on")
        if game.rematch is None:
            position, players = game.match.position, game.match.players
            clock = game.clock
            wish = NewGame(game=position.game, players=(players[1].name, players[0].name), start=position.start_literal,
                           watchable=game.watchable, pace=game.pace)
            again, _ = LiveGame.new(wish, person, self.limits)
            again.owners, again.linked = game.owners[::-1], game.linked
            if clock is not None:
                again.clock = type(clock).of(clock.seconds, clock.increment)
            self._enter(again)
            self.changed(again)
            game.rematch = again.id
            self.changed(game)
        return self.find(game.rematch, person).seen_by(person)

    def act(self, game_id: str, person: str, action: Action) -> Game:
        """Do something with a game; a rematch answers the new game."""
        game = self.find(game_id, person)
        if action.action == "rematch":
            return self.rematch(game, person)
        game.act(person, action)
        self.changed(game)
        return game.seen_by(person)

    # ---- Changes ----

    def changed(self, game: LiveGame) -> None:
        """Keep it, let engines go on, tell everybody."""
        self.store.save(game.row())
        self.wake(game)
        self.tell(game)

    def tell(self, game: LiveGame) -> None:
        """Tell all followers how a game stands."""
        for follower in tuple(self._followers.get(game.id, ())):
            follower.tell(game.seen_by(follower.person))

    def follow(self, game: LiveGame, follower: Follower) -> None:
        """From now on tell a follower of a game."""
        self._followers.setdefault(game.id, set()).add(follower)
        follower.tell(game.seen_by(follower.person))
        self.wake(game)

    def unfollow(self, game_id: str, follower: Follower) -> None:
        """No more."""
        followers = self._followers.get(game_id)
        if followers is not None:
            followers.discard(follower)
            if not followers:
                del self._followers[game_id]

    # ---- Engines and clocks ----

    def wake(self, game: LiveGame) -> None:
        """Start whatever has to happen next by itself: an engine's thinking, the end of somebody's time."""
        if not game.match.is_over and self._prepare(game):
            return
        if game.wants_engine(watched=bool(self._followers.get(game.id))):
            self._think(game)
        game.run_clock()
        self._watch_clock(game)

    def _prepare(self, game: LiveGame) -> bool:
        """Compile the engines of a game before any clock runs; whether that is still going on."""
        if game.preparing or game.prepared:
            return game.preparing
        rules = game.match.position.rules
        missing = [player.engine for player in game.match.players
                   if player.engine and (repr(player.engine.search), type(rules)) not in self._prepared]
        if not missing:
            game.prepared = True
        if not missing or game.trouble:
            return False

        def prepare() -> None:
            for engine in missing:
                engine.search.prepare(rules)

        def done(_: None, error: Exception | None) -> None:
            game.preparing = False
            if error is not None:
                game.failed(error)
            else:
                self._prepared.update((repr(engine.search), type(rules)) for engine in missing)
            self.wake(game)
            self.tell(game)

        game.preparing = True
        self.submit(self.slow, _owner(game), prepare, done)
        return True

    def _think(self, game: LiveGame) -> None:
        """Ask the engine whose turn it is."""
        player = game.match.position.mover
        engine = game.match.players[player].engine
        assert engine is not None
        ticket = Ticket(player, Stop())
        game.ticket = ticket
        position = game.match.position
        quick = is_quick(engine, position.rules)
        seconds = engine.limit.time or self.limits.seconds_per_move
        if game.clock is not None:
            game.run_clock()
            seconds = min(seconds, game.clock.budget(player, time.monotonic()))
        watched = not quick or game.clock is not None or engine.limit.time is not None

        def work() -> Analysis:
            if watched:
                self.loop.call_soon_threadsafe(self.loop.call_later, seconds, ticket.stop.set)
            return engine.answer(position, ticket.stop)

        self.submit(self.quick if quick else self.slow, _owner(game), work, functools.partial(self._answered, game, ticket, engine))

    def _answered(self, game: LiveGame, ticket: Ticket, engine: Engine, analysis: Analysis | None, error: Exception | None) -> None:
        """An engine's move arrives."""
        if game.ticket is not ticket:
            return
        game.ticket = None
        if analysis is None or error is not None:
            log.warning("engine %s failed in game %s: %r", engine, game.id, error)
            game.failed(error or MnkalaError("the engine gave no answer"))
            self.tell(game)
            return
        try:
            game.play_engine(analysis)
        except IllegalMove as refused:
            game.failed(MnkalaError(f"{engine} made an illegal move: {refused}"))
            self.tell(game)
            return
        except Exception as fault:  # the rules may be a plug-in's
            game.failed(fault)
            self.tell(game)
            return
        self.store.save(game.row())
        self.tell(game)
        if game.between_engines and not game.match.is_over:
            self.loop.call_later(game.pace, self._go_on, game)
        else:
            self.wake(game)

    def _go_on(self, game: LiveGame) -> None:
        if self._games.get(game.id) is game:
            self.wake(game)
            self.tell(game)

    def _watch_clock(self, game: LiveGame) -> None:
        """Look again when the running side's time is up."""
        timer = self._timers.pop(game.id, None)
        if timer is not None:
            timer.cancel()
        clock = game.clock
        if clock is None or clock.running is None:
            return
        left = clock.remaining(clock.running, time.monotonic())
        self._timers[game.id] = self.loop.call_later(left + 0.001, self._time_is_up, game)

    def _time_is_up(self, game: LiveGame) -> None:
        clock = game.clock
        if clock is None or clock.running is None:
            return
        if clock.remaining(clock.running, time.monotonic()) <= 0:
            game.match.lose_on_time(clock.running)
            game.touch()
            self.changed(game)
        else:
            self._watch_clock(game)

    # ---- Work in other threads ----

    def submit(self, lane: Lane, person: str, work: Callable[[], T],
               done: Callable[[T | None, Exception | None], None]) -> None:
        """Let a lane do some work, then call `done(result, error)` in the event loop's thread."""
        loop = self.loop

        def run() -> None:
            result, failure = None, None
            try:
                result = work()
            except Exception as error:
                failure = error
            try:
                loop.call_soon_threadsafe(done, result, failure)
            except RuntimeError:
                log.debug("an answer came after the server had closed")

        lane.submit(person, run)

    async def ask(self, lane: Lane, person: str, work: Callable[[], T]) -> T:
        """Let a lane do some work and wait for it."""
        future: asyncio.Future[T] = self.loop.create_future()

        def done(result: T | None, error: Exception | None) -> None:
            if future.cancelled():
                return
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(cast("T", result))

        self.submit(lane, person, work, done)
        return await future


def _owner(game: LiveGame) -> str:
    return game.owners[0] or game.owners[1] or game.id
