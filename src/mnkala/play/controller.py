"""A running game: who is to move, which engine thinks, what is paused, whose time passes. The server and the terminal both play by it.

It is a plain state machine: it starts no thread, waits for nothing and is told the time. Whoever runs a game asks `next_step` after every
change, does what it says (compile, let an engine think, wait) and tells what came of it (`prepared`, `answered`, `failed`).

Time passes for the player to move from the moment the move before is on the board, so the first move of a game costs none. It stands while
the engines are being compiled, a seat is empty, two engines are paused, or an engine is in trouble.
"""

from __future__ import annotations

import copy
import dataclasses
import enum

from mnkala.core import Position
from mnkala.errors import IllegalMove, MnkalaError
from mnkala.play.clock import Clock
from mnkala.play.match import Match, Player
from mnkala.search import Analysis, Engine, Stop

USUAL_PACE = 0.6
"""Seconds between the moves of two engines, so that people can follow."""
CHANGEABLE = ("match", "clock", "pace", "paused", "steps", "turn", "open_seat", "answer", "trouble", "engine_moved_at")
"""What a game takes over from a draft. The rest goes on meanwhile: who thinks, what is being compiled."""


class Step(enum.Enum):
    """What is to be done next."""

    PREPARE = "prepare"
    """Call `preparing`, have the engines compiled and loaded, then call `prepared` or `failed`."""
    THINK = "think"
    """Call `think`, let the engine of the ticket answer, then call `answered` or `failed`."""
    WAIT = "wait"
    """Ask again after `seconds_to_wait`."""
    NOTHING = "nothing"
    """A person is to move, an engine is at work, or the game is over or paused."""


@dataclasses.dataclass(eq=False)
class Ticket:
    """An engine's right to make the next move: void once the game holds another ticket, or none."""

    player: int
    engine: Engine
    position: Position
    seconds: float | None
    """How long it may think: the engine's own limit, and no more than the clock leaves; None if neither bounds it."""
    stop: Stop = dataclasses.field(default_factory=Stop)
    """Raised when nobody wants the answer any more."""
    has_answered: bool = False
    """Whether the move is there and only waits to be saved: the clock stands."""


class Controller:
    """A match that is being played, with its clock and its engines."""

    def __init__(self, match: Match, clock: Clock | None = None, *, pace: float = USUAL_PACE, paused: bool = False) -> None:
        self.match, self.clock = match, clock
        self.pace = pace
        self.paused, self.steps = paused, 0
        """Whether two engines rest, and how many single moves they may make all the same."""
        self.turn = 0
        """Rises whenever the position changes."""
        self.open_seat = False
        """Whether a player is still missing."""
        self.answer: Analysis | None = None
        """What the engine that moved last thought."""
        self.trouble: str | None = None
        """Why an engine could not move; it is not asked again before something changes."""
        self.engine_moved_at: float | None = None
        self.ticket: Ticket | None = None
        self.is_preparing = self.is_prepared = False

    def draft(self) -> Controller:
        """A copy on which a change can be tried."""
        draft = copy.copy(self)
        draft.match = copy.copy(self.match)
        draft.match.undone = [*self.match.undone]
        draft.clock = self.clock and dataclasses.replace(self.clock, left=[*self.clock.left])
        return draft

    def adopt(self, draft: Controller) -> None:
        """Become what a draft has become; an engine whose answer is no longer wanted stops."""
        for name in CHANGEABLE:
            setattr(self, name, getattr(draft, name))
        self._drop_unwanted_ticket()

    # ---- What is to be done ----

    def next_step(self, now: float) -> Step:
        """What is to be done next; to be asked after every change."""
        self._drop_unwanted_ticket()
        self.set_clock(now)
        if self.match.is_over or self.trouble or self.is_preparing:
            return Step.NOTHING
        if not self.is_prepared:
            return Step.PREPARE
        if self.match.to_move.is_human or self.open_seat or self.is_halted or self.ticket:
            return Step.NOTHING
        return Step.WAIT if self.seconds_to_wait(now) > 0 else Step.THINK

    def seconds_to_wait(self, now: float) -> float:
        """How long two engines still wait before the next move."""
        if not self.match.between_engines or self.steps or self.engine_moved_at is None:
            return 0.0
        return max(0.0, self.engine_moved_at + self.pace - now)

    @property
    def is_halted(self) -> bool:
        """Whether two engines are paused."""
        return self.match.between_engines and self.paused and not self.steps

    # ---- Engines ----

    def preparing(self) -> None:
        """The engines are being compiled and loaded."""
        self.is_preparing = True

    def prepared(self, now: float) -> None:
        """The engines can play."""
        self.is_preparing, self.is_prepared = False, True
        self.set_clock(now)

    def think(self, now: float) -> Ticket:
        """Give the engine to move a ticket."""
        player, engine = self.match.mover, self.match.thinker
        self.ticket = Ticket(player, engine, self.match.position, engine.limit.time)
        self.set_clock(now)
        if self.clock is not None:
            budget = self.clock.budget(player, now)
            self.ticket.seconds = min(engine.limit.time or budget, budget)
        return self.ticket

    def answered(self, ticket: Ticket, analysis: Analysis, now: float) -> bool:
        """An engine has found its move, which is played unless the game went on without it; whether it was."""
        if ticket is not self.ticket:
            return False
        players = self.match.players
        try:
            self.match.take(analysis)
        except IllegalMove as error:
            raise MnkalaError(f"{ticket.engine} made an illegal move: {error}") from error
        player = self._seat_after(ticket.player, players)
        self.ticket, self.answer, self.engine_moved_at = None, analysis, now
        self.steps = max(0, self.steps - 1)
        self._moved(player, now)
        return True

    def forfeited(self, ticket: Ticket, fault: str, now: float) -> bool:
        """A program has lost by a fault, unless the game went on without it; whether it has."""
        if ticket is not self.ticket:
            return False
        self.ticket = None
        self.match.forfeit(ticket.player, fault)
        self._changed(now)
        return True

    def failed(self, trouble: str, now: float) -> None:
        """An engine could not be prepared or could not move: say why, and let people go on."""
        self.stop_thinking()
        self.is_preparing = False
        self.trouble = trouble
        self.set_clock(now)

    def stop_thinking(self) -> None:
        """Call an engine off."""
        if self.ticket is not None:
            self.ticket.stop.set()
            self.ticket = None

    def _drop_unwanted_ticket(self) -> None:
        ticket = self.ticket
        if ticket is not None and (ticket.position is not self.match.position or self.match.is_over or self.is_halted):
            self.stop_thinking()

    # ---- What people do ----

    def play(self, text: str, now: float) -> None:
        """A person moves."""
        self._require_unfinished()
        mover, players = self.match.mover, self.match.players
        self.match.play(text)
        self._moved(self._seat_after(mover, players), now)

    def undo(self, now: float) -> int:
        """Take back to the last turn of a person; how many moves that was. Two engines are paused by it."""
        count = self.match.undo()
        self.paused = self.paused or self.match.between_engines
        self._jumped(now)
        return count

    def redo(self, now: float) -> int:
        """Play again what was taken back; how many moves that was."""
        count = self.match.redo()
        self._jumped(now)
        return count

    def resign(self, players: tuple[bool, bool], now: float) -> None:
        """One of these players gives up: the one to move, if it is among them."""
        self._require_unfinished()
        if not any(players):
            raise IllegalMove("engines do not resign; delete the game or let them play on")
        mover = self.match.mover
        self.match.resign(mover if players[mover] else 1 - mover)
        self._changed(now)

    def pause(self, now: float) -> None:
        """Let two engines rest."""
        self.paused, self.steps = True, 0
        self._changed(now)

    def resume(self, now: float) -> None:
        """Let two engines go on."""
        self.paused, self.steps = False, 0
        self._changed(now)

    def step(self, now: float) -> None:
        """Let two engines make one move, then rest."""
        self.paused, self.steps = True, 1
        self._changed(now)

    def set_pace(self, seconds: float, now: float) -> None:
        """Leave more or less time between the moves of two engines."""
        self.pace = seconds
        self._changed(now)

    def _require_unfinished(self) -> None:
        if self.match.is_over:
            raise IllegalMove(f"the game is over ({self.match.outcome})")

    def _seat_after(self, seat: int, players: tuple[Player, Player]) -> int:
        """Where whoever sat on a seat sits now: a choice in an opening may swap the players, and with them their times."""
        if self.match.players is players:
            return seat
        if self.clock is not None:
            self.clock.swap()
        return 1 - seat

    def _moved(self, player: int, now: float) -> None:
        self.turn += 1
        if self.clock is not None:
            self.clock.moved(player, now)
        self._changed(now)

    def _jumped(self, now: float) -> None:
        """The position has changed otherwise than by a move."""
        self.turn += 1
        self.answer = None
        self._changed(now)

    def _changed(self, now: float) -> None:
        self.trouble = None
        self.set_clock(now)

    # ---- The clock ----

    @property
    def time_passes(self) -> bool:
        """Whether the player to move uses up time."""
        if self.match.is_over or not self.match.position.history or self.open_seat or not self.is_prepared or self.trouble:
            return False
        return not self.ticket.has_answered if self.ticket else not self.is_halted

    def set_clock(self, now: float) -> None:
        """Let the time of the player to move pass, or nobody's."""
        if self.clock is None:
            return
        if not self.time_passes:
            self.clock.stop(now)
        elif self.clock.running != self.match.mover:
            self.clock.start(self.match.mover, now)

    def seconds_left(self, now: float) -> float | None:
        """What the player whose time passes has left."""
        clock = self.clock
        return None if clock is None or clock.running is None else clock.remaining(clock.running, now)

    def lose_on_time(self, now: float) -> bool:
        """End the game if somebody's time is up; whether it was."""
        clock = self.clock
        if clock is None or clock.running is None or clock.remaining(clock.running, now) > 0:
            return False
        self.match.lose_on_time(clock.running)
        self._changed(now)
        return True
