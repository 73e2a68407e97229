"""A game on the server: a match with seats, a clock and a revision. Only the event loop's thread touches it."""

from __future__ import annotations

import dataclasses
import datetime
import hmac
import secrets
import time
from collections.abc import Callable
from typing import cast

import msgspec

from mnkala.errors import BadGame, IllegalMove
from mnkala.games import Position
from mnkala.play import Match, Player
from mnkala.play.clock import Clock
from mnkala.play.view import View, make_view
from mnkala.search import Analysis, Stop
from mnkala.web.borders import read_player, read_position
from mnkala.web.limits import Limits
from mnkala.web.messages import Action, Can, ClockView, EngineAnswer, Game, NewGame, PlayerView, Summary, Where
from mnkala.web.refusals import MovedOn, NotYours, trouble_words
from mnkala.web.scores import score_view
from mnkala.web.store import Row, digest

ID_BYTES, INVITATION_BYTES = 9, 18


@dataclasses.dataclass(frozen=True)
class Ticket:
    """The right to make the next move: void once the game has changed and holds another ticket, or none."""

    player: int
    stop: Stop


class LiveGame:
    """A match between the holders of two seats."""

    def __init__(self, match: Match, owners: list[str | None], *, linked: bool, watchable: bool, limits: Limits) -> None:
        self.id = secrets.token_urlsafe(ID_BYTES)
        self.match = match
        self._players = (_player_view(match.players[0]), _player_view(match.players[1]))
        self.owners = owners
        self.linked = linked
        self.watchable = watchable
        self.limits = limits
        self.invitation: str | None = None
        self.clock: Clock | None = None
        self.revision = 1
        self.paused, self.pace, self.steps = False, 0.6, 0
        self.undo_asked: int | None = None
        self.ticket: Ticket | None = None
        self.preparing, self.prepared = False, False
        self.answer: EngineAnswer | None = None
        self.trouble: str | None = None
        self.rematch: str | None = None
        self.created = self.updated = _now()
        self._before: Position | None = None
        self._view: tuple[Position, msgspec.Raw] | None = None

    # ---- Coming and going ----

    @classmethod
    def new(cls, wish: NewGame, person: str, limits: Limits) -> tuple[LiveGame, str | None]:
        """A new game, and the invitation to its open seat if it is linked."""
        position = read_position(Where(wish.game, wish.start, wish.moves), limits)
        first, second = wish.players
        players = (read_player(first, position.rules, limits), read_player(second, position.rules, limits))
        match = Match(position, players)
        owners: list[str | None] = [person, person]
        invitation = None
        if wish.linked:
            if not all(player.is_human for player in players):
                raise BadGame("a linked game is between two people; both players must be 'human'")
            owners[1 - wish.side] = None
            invitation = secrets.token_urlsafe(INVITATION_BYTES)
        game = cls(match, owners, linked=wish.linked, watchable=wish.watchable, limits=limits)
        game.invitation = None if invitation is None else digest(invitation)
        game.paused, game.pace = wish.paused, wish.pace
        if wish.clock is not None:
            game.clock = Clock.of(wish.clock.seconds, wish.clock.increment)
        return game, invitation

    @classmethod
    def of_row(cls, row: Row, limits: Limits) -> LiveGame:
        """A game as it was kept."""
        position = read_position(Where(row.game, row.start, row.moves), limits)
        players = (read_player(row.first, position.rules, limits), read_player(row.second, position.rules, limits))
        match = Match(position, players)
        more = row.more
        match.resigned, match.out_of_time = more["resigned"], more["out_of_time"]
        match.undone = [tuple(moves) for moves in more["undone"]]
        game = cls(match, [row.first_owner, row.second_owner], linked=row.linked, watchable=row.watchable, limits=limits)
        game.id, game.invitation, game.created, game.updated = row.id, row.invitation, row.created, row.updated
        game.revision, game.paused, game.pace = more["revision"], more["paused"], more["pace"]
        game.rematch, game.undo_asked = more["rematch"], more["undo_asked"]
        if more["clock"] is not None:
            game.clock = Clock(*more["clock"])
        return game

    def row(self) -> Row:
        """The game as it is kept."""
        match, clock = self.match, self.clock
        left = None if clock is None else [clock.remaining(player, time.monotonic()) for player in (0, 1)]
        return Row(
            id=self.id, game=match.position.game, start=match.position.start_literal, moves=match.position.moves,
            first=match.players[0].name, second=match.players[1].name, first_owner=self.owners[0], second_owner=self.owners[1],
            invitation=self.invitation, linked=self.linked, watchable=self.watchable, over=match.is_over, result=self.result,
            played=len(match.position.history), created=self.created, updated=self.updated,
            more={"revision": self.revision, "resigned": match.resigned, "out_of_time": match.out_of_time, "undone": match.undone,
                  "paused": self.paused, "pace": self.pace, "rematch": self.rematch, "undo_asked": self.undo_asked,
                  "clock": None if clock is None else [clock.seconds, clock.increment, left]},
        )

    # ---- Who may what ----

    @property
    def open_seat(self) -> int | None:
        """The seat that an invitation leads to."""
        return self.owners.index(None) if None in self.owners else None

    def seats(self, person: str | None) -> tuple[bool, bool]:
        """The seats that a person moves for."""
        first, second = (owner is not None and owner == person and player.is_human
                         for owner, player in zip(self.owners, self.match.players, strict=True))
        return first, second

    def is_held_by(self, person: str | None) -> bool:
        """Whether a person takes part, as a player or as the one who set engines to play."""
        return person is not None and person in self.owners

    def join(self, person: str, invitation: str) -> None:
        """Take the open seat; an invitation works once."""
        seat = self.open_seat
        if seat is None or self.invitation is None or not hmac.compare_digest(self.invitation, digest(invitation)):
            raise NotYours("this invitation is not valid; it works once, for the open seat of one game")
        if person in self.owners:
            raise NotYours("you hold the other seat of this game; open the invitation in another browser")
        self.owners[seat] = person
        self.invitation = None
        self.touch()

    # ---- Moves and actions ----

    def play(self, person: str, text: str, revision: int) -> None:
        """A person moves."""
        self._need_holder(person)
        if revision != self.revision:
            raise MovedOn(f"the game has changed: you saw revision {revision}, it is at {self.revision}")
        match = self.match
        if match.is_over:
            raise IllegalMove(f"the game is over ({self.result})")
        if not self.seats(person)[match.position.mover]:
            raise NotYours(f"it is the turn of {match.position.to_move}, who is not you")
        if self.open_seat is not None:
            raise IllegalMove("nobody has taken the other seat yet; send the invitation")
        self._make(lambda: match.play(text))

    def play_engine(self, analysis: Analysis) -> None:
        """An engine moves."""
        position = self.match.position
        self._make(lambda: self._take(analysis))
        score = None if analysis.score is None else score_view(analysis.score, position, analysis.engine)
        self.answer = EngineAnswer(analysis.best, score, analysis.depth, analysis.nodes, round(analysis.seconds, 3), analysis.engine)
        self.steps = max(0, self.steps - 1)

    def _take(self, analysis: Analysis) -> None:
        match = self.match
        match.position = match.position.play_codes(analysis.line[:1])
        match.undone.clear()

    def _make(self, move: Callable[[], None]) -> None:
        """Make a move and press the clock."""
        before, mover, now = self.match.position, self.match.position.mover, time.monotonic()
        move()
        self._before = before
        if self.clock is not None:
            self.clock.moved(mover, now)
        self.undo_asked = None
        self.touch()

    def act(self, person: str, action: Action) -> None:
        """Undo, redo, resign, pause, resume, step, pace. (A rematch is the hall's.)"""
        self._need_holder(person)
        match action.action:
            case "undo":
                self._undo(person)
            case "redo":
                if self.linked:
                    raise IllegalMove("a linked game cannot be played again from what was taken back; make the move")
                self.match.redo()
                self._jumped()
            case "resign":
                self._resign(person)
            case "pause" | "resume":
                self.paused, self.steps = action.action == "pause", 0
            case "step":
                self.paused, self.steps = True, 1
            case "pace":
                self.pace = action.seconds
        self.touch()

    def _undo(self, person: str) -> None:
        mine = self.seats(person)
        both_are_mine = all(mine) or not self.linked
        asker = 0 if mine[0] else 1
        if not both_are_mine and self.undo_asked != 1 - asker:
            if not self.match.position.history:
                raise IllegalMove("there is no move to take back")
            if self.match.is_over:
                raise IllegalMove("the game is over; moves of a linked game cannot be taken back any more")
            self.undo_asked = asker
            return
        if not any(player.is_human for player in self.match.players):
            self.paused = True
        self.match.undo()
        self._jumped()

    def _jumped(self) -> None:
        """The position changed otherwise than by a move."""
        self._before, self.undo_asked, self.answer = None, None, None
        if self.clock is not None:
            self.clock.stop(time.monotonic())

    def _resign(self, person: str) -> None:
        mine = self.seats(person)
        if self.match.is_over:
            raise IllegalMove(f"the game is over ({self.result})")
        if not any(mine):
            raise IllegalMove("engines do not resign; delete the game or let them play on")
        self.match.resign(self.match.position.mover if all(mine) else mine.index(True))

    def _need_holder(self, person: str) -> None:
        if not self.is_held_by(person):
            raise NotYours("you hold no seat in this game; you can only watch")

    def touch(self) -> None:
        """Note that something changed: whoever thinks about the old position stops."""
        self.revision += 1
        self.updated = _now()
        self.trouble = None
        self.stop_thinking()
        self.run_clock()

    def stop_thinking(self) -> None:
        """Call an engine off."""
        if self.ticket is not None:
            self.ticket.stop.set()
            self.ticket = None

    def run_clock(self) -> None:
        """The mover's time passes from the first move on, while the game can go on."""
        if self.clock is None:
            return
        now, match = time.monotonic(), self.match
        if match.is_over or not match.position.history or self.open_seat is not None or self.preparing:
            self.clock.stop(now)
        elif self.clock.running != match.position.mover:
            self.clock.start(match.position.mover, now)

    # ---- Engines ----

    @property
    def between_engines(self) -> bool:
        """Whether no person plays."""
        return not any(player.is_human for player in self.match.players)

    def wants_engine(self, watched: bool) -> bool:
        """Whether an engine should move now. Engines alone go on only while somebody watches."""
        if self.match.is_over or self.match.to_move.is_human or self.open_seat is not None or self.trouble or self.ticket:
            return False
        if not self.between_engines:
            return True
        return self.steps > 0 if self.paused else watched

    def failed(self, error: Exception) -> None:
        """An engine could not move: say so, and let people go on."""
        self.stop_thinking()
        self.trouble = trouble_words(error)

    # ---- Looking at it ----

    @property
    def result(self) -> str:
        """`*` while it goes on."""
        outcome = self.match.outcome
        return "*" if outcome is None else str(outcome)

    def seen_by(self, person: str | None, invitation: str | None = None) -> Game:
        """The game for one person."""
        match = self.match
        position, over, held, mine = match.position, match.is_over, self.is_held_by(person), self.seats(person)
        going = held and not over and self.open_seat is None
        can = Can(
            move=going and mine[position.mover],
            undo=held and bool(position.history) and not (self.linked and over),
            redo=held and match.can_redo and not self.linked,
            resign=going and any(mine),
            hint=going and mine[position.mover] and not self.linked,
            rematch=held and over,
        )
        return Game(
            id=self.id, revision=self.revision, view=self._view_of(position),
            players=self._players,
            yours=mine, linked=self.linked, watchable=self.watchable, open_seat=self.open_seat, over=over, result=self.result,
            ending=match.ending, thinking=self.ticket.player if self.ticket else None, preparing=self.preparing, can=can,
            undo_asked=self.undo_asked, paused=self.paused, pace=self.pace, clock=self._clock_view(), answer=self.answer,
            rematch=self.rematch, created=self.created, updated=self.updated, trouble=self.trouble, invitation=invitation,
        )

    def _view_of(self, position: Position) -> View:
        """The view, made and encoded once for all who look at it: it is what takes the time."""
        if self._view is None or self._view[0] is not position:
            self._view = position, msgspec.Raw(msgspec.json.encode(make_view(position, self._before)))
        return cast("View", self._view[1])

    def _clock_view(self) -> ClockView | None:
        if self.clock is None:
            return None
        now = time.monotonic()
        left = (round(self.clock.remaining(0, now), 3), round(self.clock.remaining(1, now), 3))
        return ClockView(self.clock.seconds, self.clock.increment, left, self.clock.running)


def _player_view(player: Player) -> PlayerView:
    return PlayerView(player.name, player.is_human, str(player.engine) if player.engine else None)


def summary(row: Row, person: str | None) -> Summary:
    """A kept game in a list."""
    humans = (row.first == "human", row.second == "human")
    yours = (row.first_owner == person and humans[0], row.second_owner == person and humans[1])
    seat = 0 if row.first_owner is None else 1 if row.second_owner is None else None
    return Summary(row.id, row.game, (row.first, row.second), yours, row.played, row.over, row.result, row.created, row.updated,
                   row.linked, seat)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="microseconds")
