"""A game in progress: its state, what comes next, and what engines do about it. The server and
the terminal both use it.

It starts no thread, never waits, and is given the time. What comes next is a function of the
state and of how far the engines are. Whoever runs a game asks for `next_step` after every
change, carries it out (compile, let an engine think, wait) and reports the outcome: `prepared`,
an `Answer` applied to the state, or `failed`.

Time passes for the player to move from the moment when the previous move is on the board, so the
first move of a game costs none. The clock is stopped while the engines are being compiled, a
seat is empty, two engines are paused, or an engine is in trouble.
"""

from __future__ import annotations

import dataclasses
import enum

from mnkala.core import Position
from mnkala.errors import IllegalMove, MnkalaError
from mnkala.play.events import Pause
from mnkala.play.game_state import Event, GameState, Superseded
from mnkala.search import Engine, Stop


class Step(enum.Enum):
    """What whoever runs a game must do next."""

    PREPARE = "prepare"
    """Call `preparing`, have the engines compiled and loaded, then call `prepared` or `failed`."""
    THINK = "think"
    """Call `think`, let the engine of the ticket answer, then apply its `Answer` if it is still
    `wanted`, or call `failed`.
    """
    WAIT = "wait"
    """Ask again after `seconds_to_wait`."""
    NOTHING = "nothing"
    """A person is to move, an engine is at work, or the game is over or paused."""


class Engines(enum.Enum):
    """How far the preparation of a game's engines is."""

    UNPREPARED = "unprepared"
    PREPARING = "preparing"
    READY = "ready"
    THINKING = "thinking"
    ANSWERED = "answered"
    """The move has been found and only has to be saved; the clock is stopped."""
    IN_TROUBLE = "in trouble"
    """An engine could not move; it is not asked again until the question changes."""


def next_step(game: GameState, engines: Engines, now: float) -> Step:
    """The next step in a game."""
    if game.is_over or engines not in (Engines.UNPREPARED, Engines.READY):
        return Step.NOTHING
    if engines is Engines.UNPREPARED:
        return Step.PREPARE
    if question(game) is None:
        return Step.NOTHING
    return Step.WAIT if seconds_to_wait(game, now) > 0 else Step.THINK


def seconds_to_wait(game: GameState, now: float) -> float:
    """The seconds until the next move between two engines is due."""
    if not game.between_engines or game.steps or game.engine_moved_at is None:
        return 0.0
    return max(0.0, game.engine_moved_at + game.pace - now)


def time_passes(game: GameState, engines: Engines) -> bool:
    """Whether the player to move uses up time."""
    if game.is_over or not game.position.history_codes or game.open_seat is not None:
        return False
    return engines is Engines.THINKING or (engines is Engines.READY and not game.is_halted)


def question(game: GameState) -> tuple[int, Position, Engine | None] | None:
    """Identify the question that a game puts to an engine now; None where no engine is to move."""
    if game.is_over or game.to_move.is_human or game.open_seat is not None or game.is_halted:
        return None
    return game.turn, game.position, game.to_move.engine


@dataclasses.dataclass(eq=False)
class Ticket:
    """An engine's right to make the next move. It is void once the game holds another ticket, or
    none."""

    player: int
    engine: Engine
    position: Position
    seconds: float | None
    """Seconds for the search: the engine's own limit, and no more than the clock leaves; None if
    neither limits it."""
    stop: Stop = dataclasses.field(default_factory=Stop)
    """Set when nobody needs the answer any longer."""
    has_answered: bool = False


def opponent_of(game: GameState) -> Engine | None:
    """The engine that a person to move would offer a draw to; None if people play each other."""
    if game.opening is not None:
        raise IllegalMove("no draw is offered in an opening", "error.no_draw_yet")
    return game.players[1 - game.mover].engine


def accepts_draw(engine: Engine, position: Position, stop: Stop) -> bool:
    """Whether an engine agrees to a draw on its opponent's turn: only if its own search does not
    see it ahead. One that evaluates nothing plays on."""
    *_, last = engine.stream(position, stop=stop)
    score = last.score
    return score is not None and score.value >= 0


class Controller:
    """Runs a game: its state, its clock and the engine that is thinking."""

    def __init__(self, state: GameState) -> None:
        self.state = state
        self.ticket: Ticket | None = None
        self.trouble: MnkalaError | None = None
        """Why an engine could not move."""
        self.is_preparing = self.is_prepared = False

    def apply(self, event: Event, now: float) -> None:
        """Apply an event to the game; raise an error with the reason if it cannot happen."""
        self.become(self.state.apply(event, now), now, event)

    def become(self, state: GameState, now: float, event: Event | None = None) -> None:
        """Continue from another state, which an event made at the given time. If the engine now
        has another question, it stops thinking about the last one, and any trouble with that is
        over; trouble is also over if a person asks the engine to continue."""
        is_another = question(state) != question(self.state)
        if is_another:
            self.stop_thinking()
        if is_another or isinstance(event, Pause):
            self.trouble = None
        self.state = state
        self.set_clock(now)

    # ---- The next step ----

    @property
    def engines(self) -> Engines:
        """How far the engines have been prepared."""
        if self.ticket is not None:
            return Engines.ANSWERED if self.ticket.has_answered else Engines.THINKING
        if self.is_preparing:
            return Engines.PREPARING
        return (
            Engines.IN_TROUBLE
            if self.trouble
            else Engines.READY
            if self.is_prepared
            else Engines.UNPREPARED
        )

    def next_step(self, now: float) -> Step:
        """The next step; ask for it after every change."""
        self.set_clock(now)
        return next_step(self.state, self.engines, now)

    def preparing(self) -> None:
        """Note that the engines are being compiled and loaded."""
        self.is_preparing = True

    def prepared(self, now: float) -> None:
        """Note that the engines can play."""
        self.is_preparing, self.is_prepared = False, True
        self.set_clock(now)

    def think(self, now: float) -> Ticket:
        """Give a ticket to the engine whose turn it is."""
        game, engine = self.state, self.state.thinker
        self.ticket = ticket = Ticket(game.mover, engine, game.position, engine.limit.time)
        self.set_clock(now)
        if self.state.clock is not None:
            budget = self.state.clock.budget(game.mover, now)
            ticket.seconds = min(engine.limit.time or budget, budget)
        return ticket

    def wanted(self, ticket: Ticket, event: Event) -> Event:
        """The event that follows from an engine's answer to a ticket: its `Answer`, or the fault
        by which it lost. Raises `Superseded` if the game has moved on in the meantime."""
        if ticket is not self.ticket:
            raise Superseded("the game went on without this move")
        return event

    def failed(self, trouble: MnkalaError, now: float) -> None:
        """Note that an engine could not be prepared or could not move, with the reason, and let
        people continue."""
        self.stop_thinking()
        self.is_preparing = False
        self.trouble = trouble
        self.set_clock(now)

    def stop_thinking(self) -> None:
        """Stop the engine that is thinking."""
        if self.ticket is not None:
            self.ticket.stop.set()
            self.ticket = None

    # ---- The clock ----

    def set_clock(self, now: float) -> None:
        """Start the clock of the player to move, or stop it."""
        clock, running = (
            self.state.clock,
            self.state.mover if time_passes(self.state, self.engines) else None,
        )
        if clock is not None and clock.running != running:
            self.state = dataclasses.replace(self.state, clock=clock.started(running, now))

    def seconds_left(self, now: float) -> float | None:
        """The seconds left to the player whose clock is running."""
        clock = self.state.clock
        return (
            None if clock is None or clock.running is None else clock.remaining(clock.running, now)
        )
