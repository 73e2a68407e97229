"""The state of a game: everything about it that may change, as one immutable value. The server,
both terminals and `Match` use it.

Whatever happens to a game is an `Event` (`events.py`); `apply` gives the state after it or
raises an error that says why it cannot happen. So a change is written to disk before it takes
effect, nothing has to be copied, and the same events always give the same state.

A game may begin with an opening (`opening_rule.py`): until it is over, seats are those of the
opening, and a choice is played like a move.
"""

from __future__ import annotations

import abc
import dataclasses
import datetime
from typing import Any, Literal

from mnkala.core import Outcome, Position, Record
from mnkala.errors import BadEngine, IllegalMove
from mnkala.explain.inspection import hint_engine
from mnkala.play.clock import Clock, Spent
from mnkala.play.opening_rule import OpeningRule
from mnkala.play.players import Player
from mnkala.play.store import THIS_COMPUTER
from mnkala.search import Analysis, Engine

USUAL_PACE = 0.6
"""The seconds between the moves of two engines, so that people can follow."""
Ending = Literal["rules", "resignation", "agreement", "time", "fault"]


class Superseded(IllegalMove):
    """An event is no longer valid, because the game has moved on."""


class Event(abc.ABC):
    """Something that happens to a game: a small frozen value."""

    @abc.abstractmethod
    def after(self, game: GameState, now: float) -> GameState:
        """The game after the event, with its clock stopped; raises an error with the reason if
        the event cannot happen."""


@dataclasses.dataclass(frozen=True)
class GameState:
    """The state of a game at one moment."""

    position: Position
    players: tuple[Player, Player]
    opening_rule: OpeningRule | None = None
    """The opening rule by which the game began, if any, with its progress."""
    clock: Clock | None = None
    turn: int = 0
    """Grows whenever the position changes or a choice is made in an opening."""
    resigned: int | None = None
    """The player who resigned, ran out of time or lost by a fault."""
    out_of_time: bool = False
    fault: str | None = None
    """The fault of a program that ended the game."""
    undone: tuple[tuple[int, ...], ...] = ()
    """Moves that were taken back and can be played again; the next one to play is the last."""
    unaided: bool = True
    """Whether the players made every move from the start by themselves: nothing was taken back,
    nobody asked for help, and the game did not begin with moves made elsewhere."""
    spent: tuple[Spent, Spent] = (Spent(), Spent())
    """What the engine in each seat has spent since this game was loaded, including moves that
    were taken back."""
    answer: Analysis | None = None
    """The last answer of an engine, without its other moves, whose lines would take up memory."""
    engine_moved_at: float | None = None
    pace: float = USUAL_PACE
    paused: bool = False
    """Whether a game between two engines is paused."""
    steps: int = 0
    """How many single moves the engines may make while they are paused."""
    owners: tuple[str | None, str | None] = (THIS_COMPUTER, THIS_COMPUTER)
    """The owner ids of the seats; None for one that is still open."""
    invitation: str | None = None
    """The digest of the secret with which the open seat can be taken."""
    undo_asked: int | None = None
    """The seat that has asked to take a move back and waits for the other to agree."""
    rematch: str | None = None
    """The id of the game that follows this one."""
    draw_asked: int | None = None
    """The seat that has offered a draw and waits for the other's answer."""
    agreed: bool = False
    """Whether the players agreed on a draw."""

    def apply(self, event: Event, now: float = 0.0) -> GameState:
        """The game after an event that happens now. Its clock is stopped; whoever runs the game
        starts it (`controller.py`)."""
        return event.after(
            self
            if self.clock is None
            else dataclasses.replace(self, clock=self.clock.started(None, now)),
            now,
        )

    # ---- The player to move ----

    @property
    def opening(self) -> OpeningRule | None:
        """The opening rule while it is in use, or None."""
        return (
            self.opening_rule
            if self.opening_rule is not None and self.opening_rule.goes_on
            else None
        )

    @property
    def mover(self) -> int:
        """The seat whose turn it is; in an opening, the seat that acts, whatever is put on the
        board."""
        return self.position.mover if self.opening is None else self.opening.actor

    @property
    def to_move(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.mover]

    @property
    def thinker(self) -> Engine:
        """The engine whose turn it is, ready to be asked about the position; raises BadEngine if a
        person is to move."""
        engine = self.to_move.engine
        if engine is None:
            raise BadEngine(f"{self.position.to_move} is played by a person")
        return engine if self.opening is None else self.opening.thinker(engine)

    @property
    def open_seat(self) -> int | None:
        """The seat that an invitation is for."""
        return self.owners.index(None) if None in self.owners else None

    @property
    def between_engines(self) -> bool:
        """Whether two engines play each other."""
        return not any(player.is_human for player in self.players)

    @property
    def is_halted(self) -> bool:
        """Whether the game is between two engines and paused."""
        return self.between_engines and self.paused and not self.steps

    @property
    def fixed_plies(self) -> int:
        """The number of moves that cannot be taken back: those of an opening."""
        if self.opening is not None:
            return len(self.position.history_codes)
        return 0 if self.opening_rule is None else self.opening_rule.stones

    def engines(self) -> list[Engine]:
        """All engines that the game may ask, including the one that gives hints; they are
        prepared before it starts."""
        asked = [player.engine for player in self.players if player.engine]
        return (
            asked if len(asked) == len(self.players) else [*asked, hint_engine(self.position.rules)]
        )

    # ---- How it ends ----

    @property
    def is_over(self) -> bool:
        """Whether nothing more can be played."""
        return self.position.is_over or self.agreed or self.resigned is not None

    @property
    def ending(self) -> Ending | None:
        """What ended the game: its rules, a resignation, an agreed draw, time or a fault; None
        while it is in progress."""
        if self.agreed:
            return "agreement"
        if self.fault is not None:
            return "fault"
        if self.resigned is not None:
            return "time" if self.out_of_time else "resignation"
        return "rules" if self.position.is_over else None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by the rules or otherwise."""
        if self.agreed:
            return Outcome(0)
        if self.resigned is not None:
            return Outcome(-1 if self.resigned == 0 else 1)
        return self.position.outcome

    @property
    def result(self) -> str:
        """The result as in records, `*` while the game is in progress."""
        outcome = self.outcome
        return "*" if outcome is None else str(outcome)

    def as_json(self) -> dict[str, Any]:
        """The game for programs: who played what, how it ended, and what the engine in each seat
        spent; None for a person, whose time is not measured."""
        position, outcome = self.position, self.outcome
        return {
            "game": position.game,
            "start": position.start_literal,
            "players": [player.nickname or player.name for player in self.players],
            "result": self.result,
            "winner": None if outcome is None else outcome.winner,
            "ending": self.ending,
            "fault": self.fault,
            "moves": list(position.history),
            "spent": [
                None if player.is_human else spent.as_json()
                for player, spent in zip(self.players, self.spent, strict=True)
            ],
        }

    def record(self) -> Record:
        """The game so far as a record, with its players and, unless it was the rules, what ended
        it."""
        first, second = (player.nickname or player.name for player in self.players)
        ending = (
            {} if self.ending in (None, "rules") else {"ending": self.fault or str(self.ending)}
        )
        ending |= {"opening": self.opening_rule.name} if self.opening_rule is not None else {}
        today = datetime.date.today().isoformat()
        tags = {"first": first, "second": second, "date": today, **ending}
        return Record(self.position, self.result, tuple(tags.items()))
