"""A game on the server: a game in progress (`play/controller.py`), its row on disk, and who may
do what in it.

Only the event loop's thread touches it. A request becomes an event here, or is refused;
`transactions.py` applies it to the game's state and writes the row, and only then does the game
take on that state: the game in memory is always the game on disk.
"""

from __future__ import annotations

import asyncio
import functools
import hmac
import secrets
import time

import msgspec

from mnkala.core import Position
from mnkala.core.plugins import failure
from mnkala.core.rules import State
from mnkala.errors import BadGame, IllegalMove, MnkalaError
from mnkala.play.clock import Clock
from mnkala.play.controller import Controller
from mnkala.play.events import (
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    Helped,
    Move,
    Pace,
    Pause,
    Redo,
    Renamed,
    Resignation,
    SeatTaken,
    Undo,
    UndoDeclined,
    UndoOffered,
)
from mnkala.play.game_state import Event, GameState
from mnkala.play.opening_rule import new_opening
from mnkala.play.saved_games import new_row, state_of
from mnkala.play.store import Row, digest
from mnkala.play.view import make_view
from mnkala.web.engines import check_allowed, kept_player, read_player
from mnkala.web.http_errors import Conflict, Forbidden
from mnkala.web.limits import Limits
from mnkala.web.requests import Action, Change, Join, NewGame, read_position

ID_BYTES, INVITATION_BYTES = 9, 18
BYTES_OF_A_GAME = 16_384
"""The memory of a live game beside its position and its view."""


class LiveGame(Controller):
    """A game between the owners of two seats."""

    def __init__(self, state: GameState, row: Row, limits: Limits) -> None:
        super().__init__(state)
        self.row = row
        """The row of the game on disk."""
        self.limits = limits
        self.unsaved: MnkalaError | None = None
        """Why something that happened automatically is not on disk yet."""
        self.gone = False
        """Whether the game was deleted."""
        self.changing = asyncio.Lock()
        """The lock held while the game changes, so that changes come one after the other."""
        self.awaited_until = time.monotonic() + limits.awaited_seconds
        """The time, on the monotonic clock, until which somebody is expected to wait for an
        engine's move."""
        self.seen: dict[str, float] = {}
        """When its players were last here, on the monotonic clock."""
        self.present_as_told: tuple[bool | None, bool | None] = (None, None)
        self._before: Position | None = None
        self._view: tuple[Position, msgspec.Raw] | None = None
        self._bytes_of_state = _bytes_of(state.position.state())

    @property
    def id(self) -> str:
        """The id of the game in addresses."""
        return self.row.id

    @property
    def bytes(self) -> int:
        """The approximate memory of the game."""
        view = 0 if self._view is None else len(self._view[1])
        return BYTES_OF_A_GAME + view + self._bytes_of_state

    # ---- Coming and going ----

    @classmethod
    def new(
        cls, request: NewGame, person: str, limits: Limits, here: bool = True
    ) -> tuple[LiveGame, str | None]:
        """Make a new game, and the invitation to its open seat if it is linked. Raises BadGame for
        a linked game that is not between two people."""
        position = read_position(request, limits)
        first, second = (
            read_player(text, position.rules, limits).called(nickname)
            for text, nickname in zip(request.players, request.nicknames, strict=True)
        )
        owners: tuple[str | None, str | None] = person, person
        invitation = None
        if request.linked:
            if not (first.is_human and second.is_human):
                raise BadGame("a linked game is between two people; both players must be 'human'")
            owners = (None, person) if request.side else (person, None)
            invitation = secrets.token_urlsafe(INVITATION_BYTES)
        state = GameState(
            position,
            (first, second),
            new_opening(request.opening, position),
            None
            if request.clock is None
            else Clock.of(request.clock.seconds, request.clock.increment),
            pace=request.pace,
            unaided=not position.history_codes,
            paused=request.paused,
            owners=owners,
            invitation=None if invitation is None else digest(invitation),
        )
        row = new_row(
            state,
            secrets.token_urlsafe(ID_BYTES),
            linked=request.linked,
            watchable=request.watchable,
            here=here,
        )
        return cls._drawn(state, row, limits), invitation

    @classmethod
    def of_row(cls, row: Row, limits: Limits) -> LiveGame:
        """The game saved in a row. It opens whatever was played; engines that are not allowed
        here do not continue."""
        return cls._drawn(state_of(row, functools.partial(kept_player, limits=limits)), row, limits)

    @classmethod
    def _drawn(cls, state: GameState, row: Row, limits: Limits) -> LiveGame:
        """A game with its view, which the thread that makes the game draws, because a large
        board would block the event loop."""
        game = cls(state, row, limits)
        game.encoded_view()
        return game

    def again(self, person: str, start: Position) -> Row:
        """Make the row of a rematch: a new game from the same starting position with the sides
        swapped. Raises Forbidden if the person holds no seat or the game is not over."""
        old = self.state
        if not self.is_held_by(person):
            raise Forbidden("you hold no seat in this game; you can only watch", "error.no_seat")
        if not old.is_over:
            raise Forbidden(
                "a rematch follows a finished game; this one is going on", "error.no_rematch_yet"
            )
        for player in old.players:
            if player.engine is not None:
                check_allowed(player.engine, self.limits)
        rule, clock = old.opening_rule, old.clock
        state = GameState(
            start,
            old.players[::-1],
            None if rule is None else new_opening(rule.name, start),
            clock and Clock.of(clock.seconds, clock.increment),
            pace=old.pace,
            owners=old.owners[::-1],
        )
        row = self.row
        return new_row(
            state,
            secrets.token_urlsafe(ID_BYTES),
            linked=row.linked,
            watchable=row.watchable,
            here=row.here,
        )

    def saved(self, state: GameState, row: Row, now: float, event: Event | None = None) -> None:
        """Take on a state that is on disk. An engine that thinks about an outdated position
        stops."""
        before, after = self.state.position, state.position
        self._before = (
            before
            if after.history_codes and after.history_codes[:-1] == before.history_codes
            else None
        )
        self.row, self.unsaved = row, None
        self.become(state, now, event)

    # ---- Who may what ----

    def seats(self, person: str | None) -> tuple[bool, bool]:
        """The seats for which a person may move."""
        first, second = (
            owner is not None and owner == person and player.is_human
            for owner, player in zip(self.state.owners, self.state.players, strict=True)
        )
        return first, second

    def is_held_by(self, person: str | None) -> bool:
        """Whether a person takes part, as a player or as the one who set up a game between
        engines."""
        return person is not None and person in self.state.owners

    def event(self, person: str, request: Change) -> Event:
        """The event that a person's request stands for; raises an error if the person may not
        ask for it. (`LiveGames` makes a rematch.)"""
        game, mine = self.state, self.seats(person)
        if isinstance(request, Join):  # an invitation works once
            wanted = game.invitation
            if (
                game.open_seat is None
                or wanted is None
                or not hmac.compare_digest(wanted, digest(request.invitation))
            ):
                raise Forbidden(
                    "this invitation is not valid; it works once, for the open seat of one game",
                    "error.bad_invitation",
                )
            if person in game.owners:
                raise Forbidden(
                    "you hold the other seat of this game; open the invitation in another browser",
                    "error.other_seat",
                )
            return SeatTaken(person, request.nickname)
        if not self.is_held_by(person):
            raise Forbidden("you hold no seat in this game; you can only watch", "error.no_seat")
        if isinstance(request, Action):
            return self._action(mine, request)
        if request.turn != game.turn:  # not the revision: others can raise that as they like
            raise Conflict(
                f"the position has changed: your move answers turn {request.turn}, the game is at turn {game.turn}",
                "error.changed",
                asked=request.turn,
                turn=game.turn,
            )
        if not game.is_over and not mine[game.mover]:
            player = game.position.rules.players[game.mover]
            raise Forbidden(
                f"it is {player}'s turn, not yours", "error.not_your_turn", player=player
            )
        if not game.is_over and game.open_seat is not None:
            raise IllegalMove(
                "nobody has taken the other seat yet; send the invitation", "error.nobody_there"
            )
        return Move(request.move)

    def _action(self, mine: tuple[bool, bool], request: Action) -> Event:
        """The event that a request of the owner of these seats stands for, unless it is a move."""
        match request.action:
            case "undo":
                asker = 0 if mine[0] else 1
                agreed = all(mine) or not self.row.linked or self.state.undo_asked == 1 - asker
                return Undo() if agreed else UndoOffered(asker)
            case "decline":
                return UndoDeclined(0 if mine[0] else 1)
            case "draw":
                return DrawAgreed() if all(mine) else DrawOffered(0 if mine[0] else 1)
            case "decline_draw":
                return DrawDeclined(0 if mine[0] else 1)
            case "redo":
                if self.row.linked:
                    raise IllegalMove(
                        "a linked game cannot be played again from what was taken back; make the move",
                        "error.linked_redo",
                    )
                return Redo()
            case "resign":
                return Resignation(mine)
            case "pause" | "resume":
                return Pause(request.action == "pause")
            case "step":
                return Pause(True, steps=1)
            case "pace":
                return Pace(request.seconds)
            case "rename":
                if all(mine) or not any(mine):
                    raise IllegalMove(
                        "a name is for the one seat that is yours; you hold both or none"
                    )
                return Renamed(mine.index(True), request.nickname)
            case _:
                return Helped()

    def broken(self, error: Exception) -> None:
        """Note the reason why an engine could not move, and let people continue."""
        self.failed(failure(error), time.monotonic())

    # ---- Looking at it ----

    def encoded_view(self) -> msgspec.Raw:
        """The view as JSON, made once for all who look at the game, because making it takes the
        most time."""
        position = self.state.position
        if self._view is None or self._view[0] is not position:
            self._view = (
                position,
                msgspec.Raw(msgspec.json.encode(make_view(position, self._before))),
            )
            self._before = None  # only this view wanted it
        return self._view[1]


def _bytes_of(state: State) -> int:
    """The approximate memory of a state: arrays, or a few numbers."""
    parts = state if isinstance(state, tuple) else (state,)
    return sum(int(getattr(part, "nbytes", 32)) for part in parts)
