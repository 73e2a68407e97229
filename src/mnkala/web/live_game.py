"""A game on the server: a running game (`play/controller.py`) with seats and a revision. Only the event loop's thread touches it.

A game is changed by way of a draft: a copy on which the change is tried. Only when the draft is on disk does the game adopt it, so that
the game in memory is always the game on disk, and a change that was refused or could not be saved leaves no trace.
"""

from __future__ import annotations

import asyncio
import copy
import dataclasses
import hmac
import secrets
import time

import msgspec

from mnkala.core import Position
from mnkala.core.plugin_errors import error_text
from mnkala.core.rules import State
from mnkala.errors import BadGame, IllegalMove, MnkalaError
from mnkala.play import Match, Player
from mnkala.play.clock import Clock
from mnkala.play.controller import Controller, Ticket
from mnkala.play.nicknames import read_nickname
from mnkala.play.opening_rule import SWAP2, new_opening
from mnkala.play.saved_games import now_text
from mnkala.play.store import digest
from mnkala.play.view import make_view
from mnkala.search import Analysis
from mnkala.web.engines import check_allowed, read_player
from mnkala.web.http_errors import Conflict, Forbidden
from mnkala.web.limits import Limits
from mnkala.web.requests import Action, NewGame, read_position

ID_BYTES, INVITATION_BYTES = 9, 18
CHANGEABLE = ("owners", "invitation", "revision", "updated", "undo_asked", "rematch", "_before")
"""What a game takes over from a draft, beside what the controller does. The rest is the server's: its view, what is not saved yet."""


BYTES_OF_A_GAME = 16_384
"""What a live game takes beside its position and its view."""


class Superseded(MnkalaError):
    """A change that is not called for any more."""


class LiveGame:
    """A match between the holders of two seats."""

    def __init__(self, controller: Controller, owners: list[str | None], *, linked: bool, watchable: bool, here: bool,
                 limits: Limits) -> None:
        self.id = secrets.token_urlsafe(ID_BYTES)
        self.controller = controller
        self.owners = owners
        self.linked = linked
        self.watchable = watchable
        self.here = here
        """Whether it was begun at this computer, so that its terminal may go on with it."""
        self.limits = limits
        self.invitation: str | None = None
        self.revision = 1
        self.kept_revision: int | None = None
        """The one on disk; None for a game that is not there yet."""
        self.undo_asked: int | None = None
        self.unsaved: str | None = None
        """Why something that happened by itself is not on disk yet."""
        self.gone = False
        """Whether it was deleted."""
        self.changing = asyncio.Lock()
        """One change at a time."""
        self.rematch: str | None = None
        self.awaited_until = time.monotonic() + limits.awaited_seconds
        """The moment, on the monotonic clock, up to which somebody seems to wait for an engine's move."""
        self.seen: dict[str, float] = {}
        """When its players were last here, on the monotonic clock."""
        self.present_as_told: tuple[bool | None, bool | None] = (None, None)
        self.created = self.updated = now_text()
        self._before: Position | None = None
        self._view: tuple[Position, msgspec.Raw] | None = None
        self._bytes_of_state = _bytes_of(controller.match.position.state())
        controller.open_seat = self.open_seat is not None

    @property
    def match(self) -> Match:
        """The players and the position."""
        return self.controller.match

    @property
    def bytes(self) -> int:
        """The memory that it takes, about."""
        view = 0 if self._view is None else len(self._view[1])
        return BYTES_OF_A_GAME + view + self._bytes_of_state

    # ---- Coming and going ----

    @classmethod
    def new(cls, request: NewGame, person: str, limits: Limits, here: bool = True) -> tuple[LiveGame, str | None]:
        """A new game, and the invitation to its open seat if it is linked."""
        position = read_position(request, limits)
        first, second = (_named(read_player(text, position.rules, limits), nickname)
                         for text, nickname in zip(request.players, request.nicknames, strict=True))
        players = (first, second)
        clock = None if request.clock is None else Clock.of(request.clock.seconds, request.clock.increment)
        match = Match(position, players, new_opening(request.opening or (SWAP2 if request.swap2 else None), position))
        controller = Controller(match, clock, pace=request.pace, paused=request.paused)
        owners: list[str | None] = [person, person]
        invitation = None
        if request.linked:
            if not all(player.is_human for player in players):
                raise BadGame("a linked game is between two people; both players must be 'human'")
            owners[1 - request.side] = None
            invitation = secrets.token_urlsafe(INVITATION_BYTES)
        game = cls(controller, owners, linked=request.linked, watchable=request.watchable, here=here, limits=limits)
        game.invitation = None if invitation is None else digest(invitation)
        game.encoded_view()  # a large board is drawn by the thread that makes the game, not by the event loop's
        return game, invitation

    def draft(self) -> LiveGame:
        """A copy on which a change can be tried."""
        draft = copy.copy(self)
        draft.controller = self.controller.draft()
        draft.owners = [*self.owners]
        return draft

    def adopt(self, draft: LiveGame) -> None:
        """Become what a draft has become. Whoever thinks about a position that is no more, or shall not go on, stops."""
        for name in CHANGEABLE:
            setattr(self, name, getattr(draft, name))
        self.controller.adopt(draft.controller)
        self.unsaved = None
        self.kept_revision = self.revision

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

    def join(self, person: str, invitation: str, nickname: str | None = None) -> None:
        """Take the open seat; an invitation works once."""
        seat = self.open_seat
        if seat is None or self.invitation is None or not hmac.compare_digest(self.invitation, digest(invitation)):
            raise Forbidden("this invitation is not valid; it works once, for the open seat of one game")
        if person in self.owners:
            raise Forbidden("you hold the other seat of this game; open the invitation in another browser")
        self.owners[seat] = person
        self._call(seat, nickname)
        self.invitation = None
        self.controller.open_seat = False
        self.touch()

    def again(self, person: str, start: Position) -> LiveGame:
        """A new game like this one with sides swapped, from the position that this one started from."""
        if not self.is_held_by(person):
            raise Forbidden("you hold no seat in this game; you can only watch")
        if not self.match.is_over:
            raise Forbidden("a rematch follows a finished game; this one is going on")
        for player in self.match.players:
            if player.engine is not None:
                check_allowed(player.engine, self.limits)
        first, second = self.match.players
        clock = self.controller.clock
        rule = self.match.opening_rule
        match = Match(start, (second, first), None if rule is None else new_opening(rule.name, start))
        again = Controller(match, clock and Clock.of(clock.seconds, clock.increment), pace=self.controller.pace)
        return LiveGame(again, self.owners[::-1], linked=self.linked, watchable=self.watchable, here=self.here, limits=self.limits)

    def _call(self, seat: int, nickname: str | None) -> None:
        first, second = (_named(player, nickname) if side == seat else player for side, player in enumerate(self.match.players))
        self.match.players = (first, second)

    # ---- Moves and actions ----

    def play(self, person: str, text: str, turn: int) -> None:
        """A person moves in the position of a turn. (Not of a revision: others can raise that as they like.)"""
        self._need_holder(person)
        if turn != self.controller.turn:
            raise Conflict(f"the position has changed: your move answers turn {turn}, the game is at turn {self.controller.turn}")
        position = self.match.position
        if self.match.is_over:
            raise IllegalMove(f"the game is over ({self.result})")
        if not self.seats(person)[self.match.mover]:
            raise Forbidden(f"it is the turn of {position.rules.players[self.match.mover]}, who is not you")
        if self.open_seat is not None:
            raise IllegalMove("nobody has taken the other seat yet; send the invitation")
        players = self.match.players
        self.controller.play(text, time.monotonic())
        self._moved(position, players)
        self.touch()

    def play_engine(self, ticket: Ticket, analysis: Analysis) -> None:
        """An engine moves."""
        position, players = self.match.position, self.match.players
        # Only the answer is told; the lines of thousands of other moves would stay in memory.
        answer = dataclasses.replace(analysis, moves=())
        if not self.controller.answered(ticket, answer, time.monotonic()):
            raise Superseded("the game went on without this move")
        self._moved(position, players)
        self.touch()

    def _moved(self, before: Position | None, players: tuple[Player, Player] | None = None) -> None:
        """The position has changed, by a move that was made in the position `before`. Where a choice in an opening has swapped the
        `players` that there were, whoever owns their seats follows them."""
        played = len(self.match.position.history_codes)
        one_move = before is not None and len(before.history_codes) == played - 1
        self._before, self.undo_asked = before if one_move else None, None
        if players is not None and self.match.players is not players:
            self.owners.reverse()

    def act(self, person: str, action: Action) -> None:
        """Undo, redo, resign, pause, resume, step, pace, rename, helped. (`LiveGames` makes a rematch.)"""
        self._need_holder(person)
        controller, now = self.controller, time.monotonic()
        match action.action:
            case "undo":
                self._undo(person, now)
            case "redo":
                if self.linked:
                    raise IllegalMove("a linked game cannot be played again from what was taken back; make the move")
                controller.redo(now)
                self._moved(None)
            case "resign":
                controller.resign(self.seats(person), now)
            case "pause":
                controller.pause(now)
            case "resume":
                controller.resume(now)
            case "step":
                controller.step(now)
            case "pace":
                controller.set_pace(action.seconds, now)
            case "rename":
                mine = self.seats(person)
                if all(mine) or not any(mine):
                    raise IllegalMove("a name is for the one seat that is yours; you hold both or none")
                self._call(mine.index(True), action.nickname)
            case "helped":
                self.match.note_help()
        self.touch()

    def _undo(self, person: str, now: float) -> None:
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
        self.controller.undo(now)
        self._moved(None)

    def _need_holder(self, person: str) -> None:
        if not self.is_held_by(person):
            raise Forbidden("you hold no seat in this game; you can only watch")

    def touch(self) -> None:
        """Note that something changed."""
        self.revision += 1
        self.updated = now_text()

    def lose_on_time(self) -> None:
        """The running side's time is up."""
        if not self.controller.lose_on_time(time.monotonic()):
            raise Superseded("the move came in time")
        self.touch()

    def failed(self, error: Exception) -> None:
        """An engine could not move: say so, and let people go on."""
        self.controller.failed(error_text(error, "the engine failed: "), time.monotonic())

    # ---- Looking at it ----

    @property
    def result(self) -> str:
        """`*` while it goes on."""
        return self.match.result

    def encoded_view(self) -> msgspec.Raw:
        """The view as JSON, made once for all who look at it: it is what takes the time."""
        position = self.match.position
        if self._view is None or self._view[0] is not position:
            self._view = position, msgspec.Raw(msgspec.json.encode(make_view(position, self._before)))
            self._before = None  # only this view wanted it
        return self._view[1]


def _bytes_of(state: State) -> int:
    """The memory of a state: arrays, or a few numbers."""
    parts = state if isinstance(state, tuple) else (state,)
    return sum(int(getattr(part, "nbytes", 32)) for part in parts)


def _named(player: Player, nickname: str | None) -> Player:
    """A person by the name that he has given; engines have their own."""
    return dataclasses.replace(player, nickname=read_nickname(nickname)) if player.is_human else player
