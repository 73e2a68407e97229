"""One game between two engines, to its end or to the fault of one of them.

An engine that raises an error, gives no move or an illegal one, or answers later than its time and a grace allow has lost the game, and the
fault is written down.
"""

from __future__ import annotations

import dataclasses
import time

from mnkala.error_words import in_one_line
from mnkala.errors import BadEngine, IllegalMove
from mnkala.games import Position, Rules
from mnkala.play.match import parse_player
from mnkala.play.series import points_of
from mnkala.programs.faults import Fault, Forfeit
from mnkala.search import Engine

GRACE_SECONDS = 1.0
"""What an answer may be late, for other work on the machine."""
LONGEST_FAULT = 200


@dataclasses.dataclass(frozen=True)
class Played:
    """A finished game."""

    end: Position
    points: tuple[float, float]
    """Of the first and of the second player."""
    fault: str = ""
    """What the loser did wrong, if it did not lose by the rules: `flag fall: …`."""


def engine_for(player: str, rules: Rules) -> Engine:
    """The engine of an engine string or a level, ready to play a game; one of its own, that remembers nothing of other games."""
    engine = parse_player(player, rules, programs=True).engine
    if engine is None:
        raise BadEngine("engines play here; `mnkala play` lets a person play")
    return engine


def play_game(start: Position, seats: tuple[Engine, Engine], grace: float = GRACE_SECONDS) -> Played:
    """Let two engines finish a game; programs that they run are ended with it."""
    try:
        return _play(start, seats, grace)
    finally:
        for engine in seats:
            engine.search.close()


def _play(start: Position, seats: tuple[Engine, Engine], grace: float) -> Played:
    position = start
    for seat, engine in enumerate(seats):
        try:
            engine.search.prepare(start.rules)
        except Forfeit as error:
            return _lost(position, seat, str(error))
    while not position.is_over:
        mover = position.mover
        engine = seats[mover]
        started = time.perf_counter()
        try:
            moves = engine.analyse(position).line_codes[:1]
        except Forfeit as error:  # a program says itself what it did wrong
            return _lost(position, mover, str(error))
        except Exception as error:  # whatever an engine does, the other one goes on
            return _lost(position, mover, f"crash: {in_one_line(error)}")
        used, allowed = time.perf_counter() - started, engine.limit.time
        if allowed is not None and used > allowed + grace:
            return _lost(position, mover, f"{Fault.FLAG_FALL}: a move took {used:.1f} s of {allowed:g} s")
        if not moves:
            return _lost(position, mover, f"{Fault.ILLEGAL_MOVE}: no move at all")
        try:
            position = position.play_codes(moves)
        except IllegalMove as error:
            return _lost(position, mover, f"{Fault.ILLEGAL_MOVE}: {error}")
    return Played(position, (points_of(position, 0), points_of(position, 1)))


def _lost(position: Position, seat: int, fault: str) -> Played:
    return Played(position, (0.0, 1.0) if seat == 0 else (1.0, 0.0), fault[:LONGEST_FAULT])
