"""A game on the server: a match with seats, a clock, a revision and a turn. Only the event loop's thread touches it.

A game is changed by way of a draft: a copy on which the change is tried. Only when the draft is on disk does the game adopt it, so that
the game in memory is always the game on disk, and a change that was refused or could not be saved leaves no trace.
"""

from __future__ import annotations

import asyncio
import copy
import dataclasses
import datetime
import hmac
import secrets
import time
from collections.abc import Callable

import msgspec

from mnkala.errors import BadGame, IllegalMove, MnkalaError
from mnkala.games import Position
from mnkala.play import Match
from mnkala.play.clock import Clock
from mnkala.play.view import make_view
from mnkala.search import Analysis, Stop
from mnkala.web.http_errors import Conflict, Forbidden, message_of
from mnkala.web.limits import Limits
from mnkala.web.requests import Action, NewGame, Where, read_player, read_position
from mnkala.web.store import digest

ID_BYTES, INVITATION_BYTES = 9, 18
CHANGEABLE = ("match", "owners", "invitation", "clock", "revision", "turn", "updated", "paused", "pace", "steps", "undo_asked", "answer",
              "trouble", "rematch", "_before")
"""What a change may touch, and a game takes over from a draft. The rest is the server's: tickets, views, what is being compiled."""


class Superseded(MnkalaError):
    """A change that is not called for any more."""


@dataclasses.dataclass
class Ticket:
    """The right to make the next move: void once the game has changed and holds another ticket, or none."""

    player: int
    stop: Stop
    answered: bool = False
    """The move has come and waits to be written: from here on the clock stands."""


class LiveGame:
    """A match between the holders of two seats."""

    def __init__(self, match: Match, owners: list[str | None], *, linked: bool, watchable: bool, limits: Limits) -> None:
        self.id = secrets.token_urlsafe(ID_BYTES)
        self.match = match
        self.owners = owners
        self.linked = linked
        self.watchable = watchable
        self.limits = limits
        self.invitation: str | None = None
        self.clock: Clock | None = None
        self.revision, self.turn = 1, 0
        self.paused, self.pace, self.steps = False, 0.6, 0
        self.undo_asked: int | None = None
        self.ticket: Ticket | None = None
        self.preparing, self.prepared = False, False
        self.answer: Analysis | None = None
        """What the engine that moved last thought."""
        self.trouble: str | None = None
        self.unsaved: str | None = None
        """Why something that happened by itself is not on disk yet."""
        self.gone = False
        """Whether it was deleted."""
        self.changing = asyncio.Lock()
        """One change at a time."""
        self.rematch: str | None = None
        self.awaited_until = time.monotonic() + limits.awaited_seconds
        """The moment, on the monotonic clock, up to which somebody seems to wait for an engine's move."""
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
        game.encoded_view()  # a large board is drawn by the thread that makes the game, not by the event loop's
        return game, invitation

    def draft(self) -> LiveGame:
        """A copy on which a change can be tried."""
        draft = copy.copy(self)
        draft.match = copy.copy(self.match)
        draft.match.undone = [*self.match.undone]
        draft.owners = [*self.owners]
        draft.clock = self.clock and dataclasses.replace(self.clock, left=[*self.clock.left])
        return draft

    def adopt(self, draft: LiveGame) -> None:
        """Become what a draft has become. Whoever thinks about a position that is no more, or shall not go on, stops."""
        before = self.match.position
        for name in CHANGEABLE:
            setattr(self, name, getattr(draft, name))
        self.unsaved = None
        halted = self.between_engines and self.paused and not self.steps
        if self.match.position is not before or self.match.is_over or halted:
            self.stop_thinking()

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
            raise Forbidden("this invitation is not valid; it works once, for the open seat of one game")
        if person in self.owners:
            raise Forbidden("you hold the other seat of this game; open the invitation in another browser")
        self.owners[seat] = person
        self.invitation = None
        self.touch()

    def again(self, person: str, start: Position) -> LiveGame:
        """A new game like this one with sides swapped, from the position that this one started from."""
        if not self.is_held_by(person):
            raise Forbidden("you hold no seat in this game; you can only watch")
        if not self.match.is_over:
            raise Forbidden("a rematch follows a finished game; this one is going on")
        first, second = self.match.players
        match = Match(start, (second, first))
        again = LiveGame(match, self.owners[::-1], linked=self.linked, watchable=self.watchable, limits=self.limits)
        again.pace = self.pace
        again.clock = self.clock and Clock.of(self.clock.seconds, self.clock.increment)
        return again

    # ---- Moves and actions ----

    def play(self, person: str, text: str, turn: int) -> None:
        """A person moves in the position of a turn. (Not of a revision: others can raise that as they like.)"""
        self._need_holder(person)
        if turn != self.turn:
            raise Conflict(f"the position has changed: your move answers turn {turn}, the game is at turn {self.turn}")
        match = self.match
        if match.is_over:
            raise IllegalMove(f"the game is over ({self.result})")
        if not self.seats(person)[match.position.mover]:
            raise Forbidden(f"it is the turn of {match.position.to_move}, who is not you")
        if self.open_seat is not None:
            raise IllegalMove("nobody has taken the other seat yet; send the invitation")
        self._make(lambda: match.play(text))

    def play_engine(self, analysis: Analysis) -> None:
        """An engine moves."""
        self._make(lambda: self._take(analysis))
        self.answer = analysis
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
        self.turn += 1
        if self.clock is not None:
            self.clock.moved(mover, now)
        self.undo_asked = None
        self.touch()

    def act(self, person: str, action: Action) -> None:
        """Undo, redo, resign, pause, resume, step, pace. (`LiveGames` makes a rematch.)"""
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
        self.turn += 1
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
            raise Forbidden("you hold no seat in this game; you can only watch")

    def touch(self) -> None:
        """Note that something changed."""
        self.revision += 1
        self.updated = _now()
        self.trouble = None
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
        answered = self.ticket is not None and self.ticket.answered
        if match.is_over or not match.position.history or self.open_seat is not None or self.preparing or answered:
            self.clock.stop(now)
        elif self.clock.running != match.position.mover:
            self.clock.start(match.position.mover, now)

    def lose_on_time(self) -> None:
        """The running side's time is up."""
        if self.clock is None or self.clock.running is None or self.clock.remaining(self.clock.running, time.monotonic()) > 0:
            raise Superseded("the move came in time")
        self.match.lose_on_time(self.clock.running)
        self.touch()

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
        self.trouble = message_of(error)

    # ---- Looking at it ----

    @property
    def result(self) -> str:
        """`*` while it goes on."""
        outcome = self.match.outcome
        return "*" if outcome is None else str(outcome)

    def encoded_view(self) -> msgspec.Raw:
        """The view as JSON, made once for all who look at it: it is what takes the time."""
        position = self.match.position
        if self._view is None or self._view[0] is not position:
            self._view = position, msgspec.Raw(msgspec.json.encode(make_view(position, self._before)))
        return self._view[1]

    def clock_left(self) -> tuple[float, float, tuple[float, float], int | None] | None:
        """The clock's seconds, increment, seconds left and running side; None if there is none."""
        if self.clock is None:
            return None
        now = time.monotonic()
        left = (round(self.clock.remaining(0, now), 3), round(self.clock.remaining(1, now), 3))
        return self.clock.seconds, self.clock.increment, left, self.clock.running


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="microseconds")
