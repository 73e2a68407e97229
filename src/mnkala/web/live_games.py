"""All live games of a server, and their followers. Everything here runs in the event loop's
thread."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import functools
import weakref
from collections.abc import AsyncIterator
from typing import Protocol

from mnkala.core import Position, Record
from mnkala.errors import MnkalaError
from mnkala.numbers import counted
from mnkala.play.controller import accepts_draw
from mnkala.play.events import DrawAgreed, DrawDeclined, Helped, Rematch
from mnkala.play.game_filter import Wanted
from mnkala.play.game_state import Event, Superseded
from mnkala.play.puzzle_progress import Solver
from mnkala.play.saved_games import records_text, row_of_record
from mnkala.play.store import THIS_COMPUTER, ChangedElsewhere, DamagedRow, Kept, Row, Store
from mnkala.search import Stop
from mnkala.web.addresses import Network
from mnkala.web.engines import recorded_player
from mnkala.web.game_runner import GameRunner
from mnkala.web.http_errors import Forbidden, NotFound, ServerFull, TooManyActions, Unreadable
from mnkala.web.limits import RateLimiter
from mnkala.web.live_game import LiveGame
from mnkala.web.messages import Game, Games, TakenIn
from mnkala.web.mistake_work import MistakeWork
from mnkala.web.presence import OutsideChanges, Presence
from mnkala.web.requests import Action, Change, Join, NewGame, PositionRequest, read_position
from mnkala.web.serialise import game_message, summary_message
from mnkala.web.workers import Workers

ANY = Wanted()
AT_ONCE = 50
"""The number of games of an export that are read at a time."""


class Follower(Protocol):
    """Somebody who is told of changes."""

    person: str

    def tell(self, game: Game) -> None:
        """Receive the newest state of a game."""


class LiveGames:
    """Games in memory, their followers, and the engines that play in them."""

    def __init__(self, store: Store, workers: Workers, loopback: bool) -> None:
        self.store, self.workers, self.limits = store, workers, workers.limits
        self.network = Network(loopback)
        self._runner = GameRunner(workers, store, self)
        self._transactions = self._runner.transactions
        self._actions = RateLimiter(self.limits.actions_per_second, self.limits.actions_at_once)
        self._games: collections.OrderedDict[str, LiveGame] = collections.OrderedDict()
        self._known: weakref.WeakValueDictionary[str, LiveGame] = weakref.WeakValueDictionary()
        """All games in use, including those that are no longer kept in memory, so that no game
        exists twice."""
        self._followers: dict[str, set[Follower]] = {}
        self._presence = Presence(self.limits.away_seconds, self._follows, self.tell)
        self._outside = OutsideChanges(self)
        self.mistakes = MistakeWork(self)

    def stop_work(self) -> None:
        """Stop every engine and all other work."""
        self.mistakes.close()
        self._runner.close()
        self._presence.close()
        self._outside.close()
        for game in self._games.values():
            game.stop_thinking()
        self.workers.stop()

    def close(self) -> None:
        """Stop all work and release the file; all games are on disk already."""
        self.stop_work()
        self._transactions.close()
        self.store.close()

    # ---- Games ----

    async def open(self, request: NewGame, person: str) -> Game:
        """Begin a new game; raises ServerFull if the server, or the person, has too many
        already."""
        if self.store.count() >= self.limits.stored_games:
            raise ServerFull(
                f"this server keeps {counted(self.limits.stored_games, 'game')} and has no room for another; delete some",
                "error.no_room",
                games=self.limits.stored_games,
            )
        if self.store.unfinished(person) >= self.limits.unfinished_per_person:
            raise ServerFull(
                f"you have {self.limits.unfinished_per_person} unfinished games; finish or delete some",
                "error.unfinished",
                games=self.limits.unfinished_per_person,
            )
        game, invitation = await self.workers.read(
            person, lambda: LiveGame.new(request, person, self.limits, self.network.is_here(person))
        )

        await self._transactions.write(game.row)
        self._enter(game)
        self._presence.seen(game, person)
        self._runner.wake_and_tell(game)
        return self.message(game, person, invitation)

    def message(self, game: LiveGame, person: str, invitation: str | None = None) -> Game:
        """A game as one person sees it."""
        return game_message(game, self.as_player(game, person), self._presence.of(game), invitation)

    def as_player(self, game: LiveGame, person: str) -> str:
        """The owner id under which a person acts in a game; on a page that nobody else can
        reach, games of the terminal belong to everyone."""
        here = self.network.is_here(person) and game.is_held_by(THIS_COMPUTER)
        return THIS_COMPUTER if here else person

    async def find(self, game_id: str, person: str, joins: bool = False) -> LiveGame:
        """A game that a person may see. Somebody who wants to join may see any linked game,
        because the game checks the invitation."""
        game = self._known.get(game_id) or await self._load(game_id, person)
        here = self.network.is_here(person)
        person = self.as_player(game, person)
        if not (
            game.is_held_by(person)
            or game.row.watchable
            or (game.row.linked if joins else here and not game.row.linked)
        ):
            raise _not_there(game_id)
        if (
            game.row.here
            and not game.changing.locked()
            and (kept := self.store.revision(game_id)) != game.row.revision
        ):
            if kept is None:  # the terminal has deleted it
                self._forget(game)
                raise _not_there(game_id)
            await self.renew(game)
        if game_id not in self._games:
            self._enter(game)
            self._runner.wake(game)
        self._games.move_to_end(game_id)
        if game.is_held_by(person):
            self._runner.somebody_waits(game)
        self._presence.seen(game, person)
        return game

    async def renew(self, game: LiveGame) -> None:
        """Read a game again that another program has changed."""

        async def read() -> LiveGame | None:
            row = self.store.load(game.id)
            if game.gone or not isinstance(row, Row) or row.revision == game.row.revision:
                return None
            return await self.workers.read(game.id, functools.partial(self._open_row, row))

        await self._transactions.renew(game, read)

    async def _load(self, game_id: str, person: str) -> LiveGame:
        """Load a game from the file. Replaying a long one takes a while, during which others may
        open, change or delete it."""
        while True:
            row = self.store.load(game_id)
            if row is None:
                raise _not_there(game_id)
            if isinstance(row, DamagedRow):
                if not self.network.is_here(person) and person not in row.owners:
                    raise _not_there(game_id)
                raise _cannot_open(game_id, row.why)
            loaded = await self.workers.read(person, functools.partial(self._open_row, row))
            known = (
                self._known.setdefault(game_id, loaded)
                if game_id in self._known or self.store.load(game_id) == row
                else None
            )
            if known is not None:
                return known

    def _open_row(self, row: Row) -> LiveGame:
        try:
            return LiveGame.of_row(row, self.limits)
        except Exception as error:  # a plug-in's rules may fail in any way
            why = error if isinstance(error, MnkalaError) else repr(error)
            raise _cannot_open(row.id, why) from error

    def _enter(self, game: LiveGame) -> None:
        self._games[game.id] = self._known[game.id] = game
        held = sum(each.bytes for each in self._games.values())
        for old in tuple(self._games.values()) if self._too_many(held) else ():
            if not self._too_many(held):
                break
            if old.ticket is None and not self._followers.get(old.id) and old is not game:
                held -= old.bytes
                self._leave(old)

    def _too_many(self, held: int) -> bool:
        return len(self._games) > self.limits.live_games or held > self.limits.live_bytes

    def _leave(self, game: LiveGame) -> None:
        self._games.pop(game.id, None)
        self._runner.cancel_timer(game)

    async def delete(self, game_id: str, person: str) -> None:
        """Delete a game for good."""
        try:
            game = await self.find(game_id, person)
        except Unreadable:
            await self._delete_unreadable(game_id, person)
            return

        def check() -> None:
            if not game.is_held_by(self.as_player(game, person)):
                raise Forbidden(
                    "only those who play a game may delete it", "error.not_yours_to_delete"
                )
            if game.row.linked and game.state.open_seat is None and not game.state.is_over:
                raise Forbidden(
                    "the other player is still in this game; resign before you delete it",
                    "error.still_playing",
                )

        await self._transactions.delete(game, check, self._forget)

    def _forget(self, game: LiveGame) -> None:
        game.gone = True
        game.stop_thinking()
        self._leave(game)
        self._known.pop(game.id, None)
        self._followers.pop(game.id, None)

    async def _delete_unreadable(self, game_id: str, person: str) -> None:
        row = self.store.load(game_id)
        if row is None:
            raise _not_there(game_id)
        owners = row.owners if isinstance(row, DamagedRow) else (row.first_owner, row.second_owner)
        if not set(self._owners(person)) & set(owners):
            raise Forbidden("only those who play a game may delete it", "error.not_yours_to_delete")
        await self._transactions.write(game_id)

    def _owners(self, person: str) -> tuple[str, ...]:
        """The owner ids whose games belong to a person."""
        return (person, THIS_COMPUTER) if self.network.is_here(person) else (person,)

    # ---- Puzzles and lessons ----

    def solver(self, person: str) -> Solver:
        """A person who solves puzzles, under the same owner as the person's games."""
        return Solver(self._owners(person), person, self.network.is_here(person))

    def learned(self, person: str) -> set[str]:
        """The lessons that a person has gone through."""
        return self.store.learned(self._owners(person))

    async def keep(self, *changes: Kept) -> None:
        """Write what is kept beside the games."""
        if changes:
            await self._transactions.write(*changes)

    # ---- Lists and files of games ----

    def _wanted(self, person: str, everyone: bool, wanted: Wanted) -> Wanted:
        if everyone and not self.network.is_here(person):
            raise Forbidden("all games are listed only on a server that nobody else can reach")
        return dataclasses.replace(wanted, owners=None if everyone else self._owners(person))

    async def listed(self, person: str, everyone: bool, wanted: Wanted = ANY) -> Games:
        """List saved games, the newest first."""
        asked, owners, most = (
            self._wanted(person, everyone, wanted),
            self._owners(person),
            self.limits.listed,
        )

        def read() -> Games:
            rows = self.store.listed(asked, most + 1)
            return Games(
                [summary_message(row, owners) for row in rows[:most]], more=len(rows) > most
            )

        return await self.workers.read(person, read)

    async def exported(
        self, person: str, everyone: bool, wanted: Wanted = ANY
    ) -> AsyncIterator[str]:
        """The records of all these games, the newest first, read in pieces, so that even a long
        list takes little memory and blocks nobody."""
        asked, most = self._wanted(person, everyone, wanted), self.limits.stored_games
        ids = await self.workers.read(person, lambda: self.store.ids(asked, most))
        between = ""
        for begin in range(0, len(ids), AT_ONCE):
            some = ids[begin : begin + AT_ONCE]
            read = functools.partial(lambda some: records_text(self.store.some(some)), some)
            if piece := await self.workers.read(person, read):
                yield between + piece
                between = "\n"

    async def take_in(self, person: str, text: str) -> TakenIn:
        """Import the games of a text of records as a person's own, all of them or none; raises an
        error if they are too many."""
        stop, player = Stop(), functools.partial(recorded_player, limits=self.limits)

        def make(game: str, start: str | None, moves: str) -> Position:
            if stop.is_set():
                raise MnkalaError("the games were not taken in: whoever sent them has left")
            return read_position(PositionRequest(game, start, moves), self.limits)

        def read() -> list[Row]:
            rows = []
            for record in Record.parse_many(text, make):
                rows.append(
                    dataclasses.replace(
                        row_of_record(record, player),
                        first_owner=person,
                        second_owner=person,
                        here=self.network.is_here(person),
                    )
                )
                if len(rows) > self.limits.taken_in:
                    raise MnkalaError(
                        f"more than {self.limits.taken_in} games at once; import fewer at a time",
                        "error.taken_in",
                        most=self.limits.taken_in,
                    )
            return rows

        rows = await self.workers.run(self.workers.questions, person, read, stop)
        if self.store.count() + len(rows) > self.limits.stored_games:
            raise ServerFull(
                f"this server keeps {self.limits.stored_games} games and has no room for {len(rows)} others; delete some"
            )
        if (
            self.store.unfinished(person) + sum(not row.over for row in rows)
            > self.limits.unfinished_per_person
        ):
            raise ServerFull(
                f"you have {self.limits.unfinished_per_person} unfinished games; finish or delete some",
                "error.unfinished",
                games=self.limits.unfinished_per_person,
            )
        await self._transactions.write(*rows)
        return TakenIn(len(rows))

    # ---- What people do with them ----

    async def change(self, game_id: str, person: str, request: Change) -> Game:
        """Carry out a person's request: a move, an action, or taking the open seat. A rematch
        returns the new game."""
        if isinstance(request, Action) and not self._actions.allows(person):
            raise TooManyActions(
                f"more than {self.limits.actions_per_second:g} actions a second; moves do not count, everything else does",
                "error.too_many_actions",
                most=f"{self.limits.actions_per_second:g}",
            )
        game = await self.find(game_id, person, joins=isinstance(request, Join))
        if isinstance(request, Action) and request.action == "rematch":
            return await self._rematch(game, person)
        player = person if isinstance(request, Join) else self.as_player(game, person)
        try:
            await self._transactions.commit(game, functools.partial(game.event, player, request))
        except ChangedElsewhere:
            await self.renew(game)
            raise
        self._presence.seen(game, person)
        await self._answer_draw(game, person)
        return self.message(game, person)

    async def _answer_draw(self, game: LiveGame, person: str) -> None:
        """Let an engine answer that was offered a draw."""
        state, stop = game.state, Stop()
        if state.draw_asked is None:
            return
        seat = 1 - state.draw_asked
        engine = state.players[seat].engine
        if engine is None:
            return
        agrees = False

        def decide() -> Event:
            if game.state.draw_asked != 1 - seat or game.state.turn != state.turn:
                raise Superseded("the offer is over")
            return DrawAgreed() if agrees else DrawDeclined(seat)

        try:
            await self.workers.compiled(state.position.rules, engine)
            agrees = await self.workers.run(
                self.workers.questions,
                person,
                lambda: accepts_draw(engine, state.position, stop),
                stop,
            )
        finally:
            with contextlib.suppress(Superseded):
                await self._transactions.commit(game, decide)

    async def note_help(self, game: LiveGame) -> None:
        """Note that a player has asked for a hint."""
        if game.state.unaided:
            await self._transactions.commit(game, Helped)

    async def _rematch(self, game: LiveGame, person: str) -> Game:
        """Begin the same game again with the sides swapped; both players are led to the same new
        game."""
        start = await self.workers.read(
            person, game.state.position.root
        )  # a literal of a large board takes a while to be read
        row = game.again(self.as_player(game, person), start)
        with contextlib.suppress(Superseded):
            await self._transactions.commit(game, lambda: Rematch(row.id), row)
        assert game.state.rematch is not None
        return self.message(await self.find(game.state.rematch, person), person)

    # ---- Changes ----

    def followed(self) -> list[LiveGame]:
        """The games that have followers."""
        return [self._known[game_id] for game_id in self._followers if game_id in self._known]

    def _follows(self, game: LiveGame, person: str) -> bool:
        return any(follower.person == person for follower in self._followers.get(game.id, ()))

    def is_followed(self, game: LiveGame) -> bool:
        """Whether a game has followers."""
        return bool(self._followers.get(game.id))

    def tell(self, game: LiveGame) -> None:
        """Send the state of a game to all its followers."""
        for follower in tuple(self._followers.get(game.id, ())):
            follower.tell(self.message(game, follower.person))

    def follow(self, game: LiveGame, follower: Follower) -> None:
        """Send a follower every change of a game from now on; raises ServerFull if too many games
        are followed already."""
        if game.id not in self._followers:
            followed = map(self._games.get, self._followers)
            held = sum(each.bytes for each in followed if each is not None)
            if (
                len(self._followers) >= self.limits.live_games
                or held + game.bytes > self.limits.live_bytes
            ):
                raise ServerFull(
                    "this server has no room for another game that is followed: it holds "
                    f"{len(self._followers)} of them; try again soon"
                )
        self._followers.setdefault(game.id, set()).add(follower)
        follower.tell(self.message(game, follower.person))
        self._presence.seen(game, follower.person)
        self._outside.watch()
        self._runner.wake(game)

    def unfollow(self, game_id: str, follower: Follower) -> None:
        """Stop sending this game's updates to the follower."""
        followers = self._followers.get(game_id)
        if followers is not None:
            followers.discard(follower)
            if not followers:
                del self._followers[game_id]
            if game := self._games.get(game_id):
                self._presence.seen(game, follower.person)
                if not followers:
                    self._runner.nobody_follows(game)


def _not_there(game_id: str) -> NotFound:
    return NotFound(
        f"there is no game '{game_id[:40]}', or it is not open to you",
        "error.no_such_game",
        game=game_id[:40],
    )


def _cannot_open(game_id: str, why: str | MnkalaError) -> Unreadable:
    text = f"game '{game_id}' cannot be opened: {why}"
    return Unreadable(text, "error.cannot_open", game=game_id, why=why)
