"""One game between two engines, to its end or to the fault of one of them: the only place where
engines play each other.

An engine that raises an error, gives no move or an illegal one, does not start, or answers later
than its time and a grace allow, loses the game, and the fault is recorded. What each side spent
is counted, so that results can be shown with their cost.

With adjudication a game ends as soon as its result with best play is proved, which saves time
when nothing more can be learnt. Only exact knowledge counts: the book, and a solver where it
costs next to nothing. A judge guesses nothing, so a game that no solver can prove is played to
its end.
"""

from __future__ import annotations

import dataclasses
import queue
import threading
import time
from collections.abc import Callable
from typing import Literal

from mnkala.core import Position, Rules
from mnkala.errors import BadEngine, IllegalMove, MnkalaError, in_one_line
from mnkala.numbers import read_decimal
from mnkala.play.clock import Clock, Spent
from mnkala.play.events import Answer
from mnkala.play.game_state import GameState
from mnkala.play.opening_rule import new_opening
from mnkala.play.players import Player, parse_player
from mnkala.programs.process import Fault, Forfeit, NoStart
from mnkala.search import Analysis, Engine, Limit, Stop
from mnkala.solve import solver_for
from mnkala.solve.oracle import open_oracle

GRACE_SECONDS = 1.0
"""Seconds by which an answer may be late, because of other work on the machine."""
LONGEST_FAULT = 200
MOST_MOVES = 100_000
WHAT_ELSE = "; legal moves are"
"""The end of error messages about moves. It helps a person who may try again, but not the reader
of a table, so it is cut off."""
HURRY_SECONDS = 5.0
"""The seconds in which an engine must react to the stop flag; one that does not is left behind
in its thread."""
End = Literal["rules", "fault", "adjudication"]
"""What ended a game: its rules, the loser's fault, or a proof of the result."""


@dataclasses.dataclass(frozen=True)
class Conditions:
    """The conditions of a game, the same for all players."""

    clock: tuple[float, float] | None = None
    """The seconds of each side and the increment; None where every move has the engine's own
    limit."""
    opening_rule: str | None = None
    """The name of the rule by which the engines make the opening themselves."""
    adjudicate: int | None = None
    """The move from which a game ends as soon as a solver has proved its result; None plays all
    games to the end."""
    grace: float = GRACE_SECONDS
    lenient: bool = True
    """Whether an engine that crashes loses the game, as in games with strangers; otherwise its
    error is raised."""

    def check(self, rules: Rules) -> None:
        """Raise an error with the reason if a game cannot be played under these conditions."""
        new_opening(self.opening_rule, Position(rules))
        if self.adjudicate is not None:
            if not 0 <= self.adjudicate <= MOST_MOVES:
                raise MnkalaError(f"--adjudicate {self.adjudicate}; a move is 0 to {MOST_MOVES}")
            Judge(rules)


USUAL = Conditions()


@dataclasses.dataclass(frozen=True)
class Played:
    """A finished game; all pairs are in the order in which the engines were given."""

    end: Position
    points: tuple[float, float]
    fault: str = ""
    """The loser's fault, if the game was not lost by the rules: `flag fall: …`."""
    ending: End = "rules"
    spent: tuple[Spent, Spent] = (Spent(), Spent())
    swapped: bool = False
    """Whether the engine that was given first plays the second side, which an opening may
    decide."""


def engine_for(player: str, rules: Rules) -> Engine:
    """Make a new engine from an engine string or a level, ready to play a game, that remembers
    nothing from other games. Raises BadEngine for a person."""
    engine = parse_player(player, rules, programs=True).engine
    if engine is None:
        raise BadEngine("engines play here; `mnkala play` lets a person play")
    return engine


def read_clock(text: str) -> tuple[float, float]:
    """Read SECONDS or SECONDS+INCREMENT; raises MnkalaError for anything else."""
    seconds, plus, increment = text.partition("+")
    try:
        clock = read_decimal(seconds), read_decimal(increment) if plus else 0.0
    except ValueError:
        clock = 0.0, 0.0
    if not (0 < clock[0] <= 86_400 and 0 <= clock[1] <= 3_600):
        raise MnkalaError(
            f"--clock {text}; a clock is SECONDS or SECONDS+INCREMENT, such as 300+3 (at most 86400+3600)"
        )
    return clock


def play_game(
    start: Position,
    engines: tuple[Engine, Engine],
    conditions: Conditions = USUAL,
    watch: Callable[[Position], None] | None = None,
) -> Played:
    """Let two engines play a game to its end, the first of them in the first seat; `watch` sees the
    position before every move. External programs that they run are ended afterwards."""
    try:
        return _Game(start, engines, conditions).play(watch)
    finally:
        for engine in engines:
            engine.search.close()


class _Game:
    """A game between two engines while it is being played."""

    def __init__(
        self, start: Position, engines: tuple[Engine, Engine], conditions: Conditions
    ) -> None:
        self.players = Player("one", engines[0]), Player("other", engines[1])
        self.state = GameState(
            start,
            self.players,
            new_opening(conditions.opening_rule, start),
            None if conditions.clock is None else Clock.of(*conditions.clock),
        )
        self.grace, self.lenient = conditions.grace, conditions.lenient
        self.judge = None if conditions.adjudicate is None else Judge(start.rules)
        self.judged_from = conditions.adjudicate or 0

    def play(self, watch: Callable[[Position], None] | None) -> Played:
        """Play the whole game."""
        try:
            for seat, player in enumerate(self.players):
                self._prepare(seat, player)
            while not self.state.is_over:
                if watch is not None:
                    watch(self.state.position)
                if (verdict := self._verdict()) is not None:
                    return self._played(verdict, "adjudication")
                self._move()
        except _Lost as lost:
            return self._played(
                (0.0, 1.0) if lost.seat == 0 else (1.0, 0.0),
                "fault",
                str(lost).partition(WHAT_ELSE)[0][:LONGEST_FAULT],
            )
        return self._played(
            (points_of(self.state.position, 0), points_of(self.state.position, 1)), "rules"
        )

    def _verdict(self) -> tuple[float, float] | None:
        """The result that adjudication has proved, if the conditions ask for it and it is time
        to check."""
        game = self.state
        if (
            self.judge is None
            or game.opening is not None
            or len(game.position.history_codes) < self.judged_from
        ):
            return None
        return self.judge.points(game.position)

    def _played(self, by_seat: tuple[float, float], ending: End, fault: str = "") -> Played:
        swapped = self.state.players[0] is not self.players[0]
        points, spent = (
            (by_seat[::-1], self.state.spent[::-1]) if swapped else (by_seat, self.state.spent)
        )
        return Played(self.state.position, points, fault, ending, spent, swapped)

    def _prepare(self, seat: int, player: Player) -> None:
        assert player.engine is not None
        try:
            player.engine.search.prepare(self.state.position.rules)
        except (Forfeit, NoStart) as error:
            raise _Lost(seat, str(error)) from None

    def _move(self) -> None:
        """Ask the player whose turn it is, take the time, and play the move."""
        seat, engine = self.state.mover, self.state.thinker
        limit, allowed = self._time(seat, engine)
        started = time.perf_counter()
        try:
            answer = self._ask(engine, limit, allowed)
        except Forfeit as error:  # a program says itself what it did wrong
            raise _Lost(seat, str(error)) from None
        except Exception as error:  # Whatever an engine raises, the other one continues.
            if not self.lenient:
                raise
            raise _Lost(seat, f"crash: {in_one_line(error)}") from None
        used = time.perf_counter() - started
        if allowed is not None and (answer is None or used > allowed + self.grace):
            raise _Lost(seat, f"{Fault.FLAG_FALL}: a move took {used:.1f} s of {allowed:.3g} s")
        assert answer is not None
        game = self.state
        if game.clock is not None:
            game = dataclasses.replace(game, clock=game.clock.started(seat, 0.0))
        try:
            self.state = game.apply(Answer(answer), used)
        except IllegalMove as error:
            raise _Lost(seat, f"{Fault.ILLEGAL_MOVE}: {error.__cause__ or error}") from None

    def _time(self, seat: int, engine: Engine) -> tuple[Limit, float | None]:
        """The limit for an engine's next move, and the seconds after which it loses on time."""
        own = engine.limit.time
        clock = self.state.clock
        if clock is None:
            return engine.limit, own
        budget = clock.budget(seat, 0.0)
        return dataclasses.replace(
            engine.limit, time=budget if own is None else min(own, budget)
        ), clock.left[seat]

    def _ask(self, engine: Engine, limit: Limit, allowed: float | None) -> Analysis | None:
        """Return the engine's answer, or None if it does not answer. An engine with limited time
        runs in a thread, so that it cannot block the game."""
        position = self.state.position
        if allowed is None:
            return engine.analyse(position, limit)
        stop = Stop()
        answers: queue.SimpleQueue[Analysis | BaseException] = queue.SimpleQueue()

        def ask() -> None:
            try:
                answers.put(engine.analyse(position, dataclasses.replace(limit, stop=stop)))
            except BaseException as error:
                answers.put(error)

        threading.Thread(target=ask, daemon=True, name="engine").start()
        answer = _within(answers, allowed + max(0.0, self.grace))
        if answer is None:
            stop.set()
            answer = _within(answers, HURRY_SECONDS)
        if isinstance(answer, BaseException):
            raise answer
        return answer


class _Lost(Exception):
    """The player in a seat has lost by a fault, which the text names."""

    def __init__(self, seat: int, fault: str) -> None:
        super().__init__(fault)
        self.seat = seat


def _within(
    answers: queue.SimpleQueue[Analysis | BaseException], seconds: float
) -> Analysis | BaseException | None:
    """Wait for an answer in short slices, so that Ctrl-C works on every system; None if it does
    not arrive in time."""
    until = time.perf_counter() + seconds
    while True:
        try:
            return answers.get(timeout=max(0.0, min(0.2, until - time.perf_counter())))
        except queue.Empty:
            if time.perf_counter() >= until:
                return None


def points_of(end: Position, player: int) -> float:
    """The points for an outcome: 1 for a win, ½ for a draw."""
    assert end.outcome is not None
    winner = end.outcome.winner
    return 0.5 if winner is None else float(winner == player)


MOST_NODES = 200_000
"""The node limit for one position, in case a proof that is expected to be quick is not."""


class Judge:
    """Asks the exact solver of a game for results."""

    def __init__(self, rules: Rules) -> None:
        """Raises NoSolver with the reason if no solver fits the game."""
        self.rules, self._cls, self._ready = rules, solver_for(rules), False

    def points(self, position: Position) -> tuple[float, float] | None:
        """The points of the first and of the second player, if the result can be proved at once."""
        if not self._ready:
            self._cls.prepare(self.rules)
            self._ready = True
        with open_oracle(self.rules, nodes=MOST_NODES) as oracle:
            if not oracle.is_quick(position):
                return None
            found = oracle.answer(position, weak=True).seen_by(0)
        first = {"win": 1.0, "draw": 0.5, "loss": 0.0}.get(found.result)
        return None if first is None else (first, 1.0 - first)
