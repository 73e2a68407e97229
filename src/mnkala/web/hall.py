"""The hall: all live games of a server, who follows them, and the engines that play in them.

Everything here runs in the event loop's thread; engines think in lanes and hand their answers back to it.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import functools
import logging
import time
import weakref
from typing import Protocol

from mnkala.errors import IllegalMove, MnkalaError
from mnkala.games import Rules
from mnkala.play.compiler import Compiler
from mnkala.search import Analysis, Engine, Stop
from mnkala.web.borders import is_quick
from mnkala.web.changes import Changes, Try
from mnkala.web.keeping import game_of, row_of
from mnkala.web.limits import Limits
from mnkala.web.listing import summary
from mnkala.web.live_game import LiveGame, Overtaken, Ticket
from mnkala.web.messages import Action, Game, Games, Move, NewGame
from mnkala.web.refusals import Full, NotThere, NotYours, TooFast, Unreadable
from mnkala.web.store import Damaged, Row, Store
from mnkala.web.throttle import Throttle
from mnkala.web.workers import Workers

log = logging.getLogger("mnkala.web")


class Follower(Protocol):
    """Somebody who wants to hear of changes."""

    person: str

    def tell(self, game: Game) -> None:
        """Take the newest state of a game."""


class Hall(Workers):
    """Games, followers, and the workers that think for them."""

    def __init__(self, store: Store, limits: Limits, loopback: bool, compiler: Compiler) -> None:
        super().__init__(limits)
        self.store = store
        self.limits = limits
        self.loopback = loopback
        self.compiler = compiler
        self._changes = Changes(store)
        self._actions = Throttle(limits.actions_per_second, limits.actions_at_once)
        self._games: collections.OrderedDict[str, LiveGame] = collections.OrderedDict()
        self._known: weakref.WeakValueDictionary[str, LiveGame] = weakref.WeakValueDictionary()
        """Also those that are not kept in memory any more but that somebody still works with: a game is never there twice."""
        self._followers: dict[str, set[Follower]] = {}
        self._prepared: set[tuple[str, type]] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._background: set[asyncio.Task[None]] = set()

    def stop_work(self) -> None:
        """Stop every engine and everything else that is being worked at."""
        self.compiler.close()
        for task in self._background:
            task.cancel()
        for timer in self._timers.values():
            timer.cancel()
        for game in self._games.values():
            game.stop_thinking()
        super().stop_work()

    def close(self) -> None:
        """Stop working and let go of the file; all games are on disk already."""
        self.stop_work()
        self._changes.close()
        self.store.close()

    # ---- Games ----

    async def open(self, wish: NewGame, person: str) -> Game:
        """A new game."""
        if self.store.count() >= self.limits.stored_games:
            raise Full(f"this server keeps {self.limits.stored_games} games and has no room for another; delete some")
        if self.store.unfinished(person) >= self.limits.unfinished_per_person:
            raise Full(f"you have {self.limits.unfinished_per_person} unfinished games; finish or delete some")
        game, invitation = await self.ask(self.light, person, lambda: LiveGame.new(wish, person, self.limits))

        def opened() -> Game:
            self._enter(game)
            self._changed(game)
            return game.seen_by(person, invitation)

        return await self._changes.make(game, lambda _: None, opened)

    async def find(self, game_id: str, person: str | None) -> LiveGame:
        """A game that a person may see."""
        game = self._known.get(game_id) or await self._load(game_id, person)
        if not (game.is_held_by(person) or game.watchable or (self.loopback and not game.linked)):
            raise _not_there(game_id)
        if game_id not in self._games:
            self._enter(game)
            self.wake(game)
        self._games.move_to_end(game_id)
        if game.is_held_by(person):
            self._await(game)
        return game

    async def _load(self, game_id: str, person: str | None) -> LiveGame:
        """A game from the file. A long one takes a while to be played again, in which others may open, change or delete it."""
        while True:
            row = self.store.load(game_id)
            if row is None:
                raise _not_there(game_id)
            if isinstance(row, Damaged):
                if not self.loopback and person not in row.owners:
                    raise _not_there(game_id)
                raise Unreadable(f"game {game_id!r} cannot be opened: {row.why}")
            loaded = await self.ask(self.light, person or game_id, functools.partial(self._open_row, row))
            known = self._known.setdefault(game_id, loaded) if game_id in self._known or self.store.load(game_id) == row else None
            if known is not None:
                return known

    def _open_row(self, row: Row) -> LiveGame:
        try:
            game = game_of(row, self.limits)
            game.seen_by(None)  # a large board is drawn by this thread, not by the event loop's
            return game
        except Exception as error:  # a plug-in's rules may fail in any way
            why = str(error) if isinstance(error, MnkalaError) else repr(error)
            raise Unreadable(f"game {row.id!r} cannot be opened: {why}") from error

    async def find_to_join(self, game_id: str) -> LiveGame:
        """A linked game, for somebody with an invitation: the invitation is checked by the game."""
        row = self.store.load(game_id)
        if row is None or isinstance(row, Damaged) or not row.linked:
            raise NotThere(f"there is no game {game_id[:40]!r} to join")
        holder = row.first_owner or row.second_owner
        return await self.find(game_id, holder)

    def _enter(self, game: LiveGame) -> None:
        self._games[game.id] = self._known[game.id] = game
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

    async def delete(self, game_id: str, person: str) -> None:
        """Forget a game for good."""
        try:
            game = await self.find(game_id, person)
        except Unreadable:
            await self._delete_unreadable(game_id, person)
            return

        def check(draft: LiveGame) -> None:
            if not draft.is_held_by(person):
                raise NotYours("only those who play a game may delete it")
            if draft.linked and draft.open_seat is None and not draft.match.is_over:
                raise NotYours("the other player is still in this game; resign before you delete it")

        def forget() -> None:
            game.stop_thinking()
            self._leave(game)
            self._known.pop(game_id, None)
            self._followers.pop(game_id, None)

        await self._changes.forget(game, check, forget)

    async def _delete_unreadable(self, game_id: str, person: str) -> None:
        row = self.store.load(game_id)
        if row is None:
            raise _not_there(game_id)
        if person not in (row.owners if isinstance(row, Damaged) else (row.first_owner, row.second_owner)):
            raise NotYours("only those who play a game may delete it")
        await self._changes.forget_row(game_id)

    async def listed(self, person: str, everyone: bool, before: str | None = None) -> Games:
        """Saved games, newest first."""
        if everyone and not self.loopback:
            raise NotYours("all games are listed only on a server that nobody else can reach")
        rows = self.store.listed(None if everyone else person, self.limits.listed + 1, before)
        shown = await self.ask(self.light, person, lambda: [summary(row, person) for row in rows[: self.limits.listed]])
        return Games(shown, more=len(rows) > self.limits.listed)

    # ---- What people do with them ----

    async def play(self, game_id: str, person: str, move: Move) -> Game:
        """A person's move."""
        game = await self.find(game_id, person)
        return await self._change(game, person, lambda draft: draft.play(person, move.move, move.turn))

    async def join(self, game_id: str, person: str, invitation: str) -> Game:
        """Take the open seat of a linked game."""
        game = await self.find_to_join(game_id)
        return await self._change(game, person, lambda draft: draft.join(person, invitation))

    async def act(self, game_id: str, person: str, action: Action) -> Game:
        """Do something else with a game; a rematch answers the new game."""
        if not self._actions.allows(person):
            raise TooFast(f"more than {self.limits.actions_per_second:g} actions a second; moves are not counted, all else waits a moment")
        game = await self.find(game_id, person)
        if action.action == "rematch":
            return await self._rematch(game, person)
        return await self._change(game, person, lambda draft: draft.act(person, action))

    async def _rematch(self, game: LiveGame, person: str) -> Game:
        """The same again with sides swapped; both players are led to the same new game."""
        made: list[LiveGame] = []

        def again(draft: LiveGame) -> Row:
            made.append(draft.again(person))
            if draft.rematch is not None:
                raise Overtaken("the other player was quicker")
            draft.rematch = made[0].id
            draft.touch()
            return row_of(made[0])

        def entered() -> None:
            self._enter(made[0])
            self.wake(made[0])
            self._changed(game)

        with contextlib.suppress(Overtaken):
            await self._changes.make(game, again, entered)
        assert game.rematch is not None
        return (await self.find(game.rematch, person)).seen_by(person)

    async def _change(self, game: LiveGame, person: str, change: Try) -> Game:
        def changed() -> Game:
            self._changed(game)
            return game.seen_by(person)

        return await self._changes.make(game, change, changed)

    # ---- Changes ----

    def _changed(self, game: LiveGame) -> None:
        """It is on disk: let engines go on, tell everybody."""
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
                if game := self._games.get(game_id):
                    game.awaited_until = time.monotonic() + self.limits.left_seconds
                    self._call_off(game, game.ticket)

    # ---- Engines and clocks ----

    def _await(self, game: LiveGame) -> None:
        """A player asked for a game: somebody waits for its engine. What was called off meanwhile begins again."""
        waited = self._is_awaited(game)
        game.awaited_until = time.monotonic() + self.limits.awaited_seconds
        if not waited:
            self.wake(game)

    def _is_awaited(self, game: LiveGame) -> bool:
        """Whether somebody follows a game, or did so a moment ago."""
        return bool(self._followers.get(game.id)) or time.monotonic() < game.awaited_until

    def _call_off(self, game: LiveGame, ticket: Ticket | None) -> None:
        """Call an engine off once nobody waits for its move any more; the last follower who leaves makes us look again."""
        if ticket is None or game.ticket is not ticket or self._followers.get(game.id):
            return
        left = game.awaited_until - time.monotonic()
        if left > 0:
            self.loop.call_later(left, self._call_off, game, ticket)
        else:
            game.stop_thinking()

    def wake(self, game: LiveGame) -> None:
        """Start whatever has to happen next by itself: an engine's thinking, the end of somebody's time."""
        if self.closing or (not game.match.is_over and self._prepare(game)):
            return
        if game.wants_engine(watched=bool(self._followers.get(game.id))) and (self._is_awaited(game) or self._moves_quickly(game)):
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
                await self.compiled(rules, *missing)
                await self.ask(self.loading, _owner(game), load)
                self._prepared.update((repr(engine.search), type(rules)) for engine in missing)
            except Exception as error:
                game.failed(error)
            game.preparing = False
            self.wake(game)
            self.tell(game)

        game.preparing = True
        self._background.add(task := self.loop.create_task(prepare()))
        task.add_done_callback(self._background.discard)
        return True

    async def compiled(self, rules: Rules, *engines: Engine) -> None:
        """Wait until engines can play a game without compiling anything: another process does that, so nobody else waits."""
        for engine in engines:
            if not self.compiler.is_ready(engine, rules):
                await asyncio.wrap_future(self.compiler.want(engine, rules))

    @staticmethod
    def _moves_quickly(game: LiveGame) -> bool:
        engine = game.match.to_move.engine
        return engine is not None and is_quick(engine, game.match.position.rules)

    def _think(self, game: LiveGame) -> None:
        """Ask the engine whose turn it is."""
        player = game.match.position.mover
        engine = game.match.players[player].engine
        assert engine is not None
        ticket = Ticket(player, Stop())
        game.ticket = ticket
        position = game.match.position
        quick = self._moves_quickly(game)
        seconds = engine.limit.time or self.limits.seconds_per_move
        if game.clock is not None:
            game.run_clock()
            seconds = min(seconds, game.clock.budget(player, time.monotonic()))
        watched = not quick or game.clock is not None or engine.limit.time is not None

        def work() -> Analysis | None:
            if ticket.stop.is_set():
                return None
            if watched:
                self.loop.call_soon_threadsafe(self.loop.call_later, seconds, ticket.stop.set)
            return engine.answer(position, ticket.stop)

        self.submit(self.quick if quick else self.slow, _owner(game), work, functools.partial(self._answered, game, ticket, engine),
                    ticket.stop)
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
            self.tell(game)
            return
        ticket.answered = True
        game.run_clock()

        def play(draft: LiveGame) -> None:
            if draft.ticket is not ticket:
                raise Overtaken("the game went on without this move")
            draft.play_engine(analysis)

        self._changes.insist(game, play, functools.partial(self._engine_moved, game), self.tell)

    def _engine_moved(self, game: LiveGame) -> None:
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
        if clock is None or clock.running is None or game.unsaved:
            return
        left = clock.remaining(clock.running, time.monotonic())
        self._timers[game.id] = self.loop.call_later(left + 0.001, self._time_is_up, game)

    def _time_is_up(self, game: LiveGame) -> None:
        clock = game.clock
        if clock is None or clock.running is None:
            return
        if clock.remaining(clock.running, time.monotonic()) <= 0:
            self._changes.insist(game, LiveGame.lose_on_time, functools.partial(self._changed, game), self.tell)
        else:
            self._watch_clock(game)


def _owner(game: LiveGame) -> str:
    return game.owners[0] or game.owners[1] or game.id


def _not_there(game_id: str) -> NotThere:
    return NotThere(f"there is no game {game_id[:40]!r}, or it is not open to you")
