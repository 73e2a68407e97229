"""About how long a tournament will take, before it is played.

A sample game says how long it is and how quickly its players move: they take turns in it, each
with a part of its time or nodes where it would take too long, and what is cut off is extrapolated.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Sequence

from mnkala.arena.plan import TournamentPlan
from mnkala.core import Position, Rules
from mnkala.play.engine_game import engine_for
from mnkala.search import Engine, Stop

SAMPLE_SECONDS = 2.0
"""The time for the sample game; after it the players move as quickly as they can."""
QUICK_SECONDS = 0.01
START_SECONDS = 4.0
"""The time until the first game begins: a process starts and loads its engines."""
CUT = 3.0
"""How many times longer than its time in the sample a move that was cut off may take, by an engine
that often answers early."""
USUAL_SECONDS = 10.0
"""A move of a player that had no turn in the sample game, and has no limit of time."""


@dataclasses.dataclass(frozen=True)
class Pace:
    """How quickly a game is played."""

    plies: int
    seconds: tuple[float, ...]
    """The mean time of a move of each player."""


def pace_of(rules: Rules, players: Sequence[str], stop: Stop) -> Pace:
    """Play the sample game. Its engines must be compiled already."""
    engines = [engine_for(player, rules) for player in players]
    for engine in engines:
        engine.search.prepare(rules)
    spent: list[list[_Move]] = [[] for _ in engines]
    position, plies, until = Position(rules), 0, time.monotonic() + SAMPLE_SECONDS
    while not position.is_over and not stop.is_set():
        seat = plies % len(engines)
        sampled = time.monotonic() < until
        allowed = max(QUICK_SECONDS, (until - time.monotonic()) / len(engines))
        limit = engines[seat].limit
        started = time.perf_counter()
        analysis = engines[seat].analyse(
            position,
            dataclasses.replace(limit, time=min(allowed, limit.time or math.inf), stop=stop),
        )
        if sampled:
            used = time.perf_counter() - started
            spent[seat].append(_Move(used, used > 0.9 * allowed, analysis.nodes))
        if analysis.best_code is None:
            break
        position = position.play_codes([analysis.best_code])
        plies += 1
    return Pace(plies, tuple(_mean(*each) for each in zip(engines, spent, strict=True)))


@dataclasses.dataclass(frozen=True)
class _Move:
    """A move of the sample game."""

    seconds: float
    is_cut: bool
    """Whether it would have taken longer."""
    nodes: int


def _mean(engine: Engine, moves: Sequence[_Move]) -> float:
    """Estimate the mean time of a move that is not cut off. Under a limit of nodes, a move that was
    cut off is extrapolated to all its nodes. Otherwise it is taken to use all its time or, if the
    engine ended other moves early, CUT times what it has used."""
    most, nodes = engine.limit.time or USUAL_SECONDS, engine.limit.nodes
    if not moves:
        return most
    later = moves[1:] or moves  # the first move also loads things
    answers_early = not all(move.is_cut for move in later)

    def whole(move: _Move) -> float:
        if not move.is_cut:
            return move.seconds
        if nodes is not None:
            return min(most, move.seconds * max(1.0, nodes / max(1, move.nodes)))
        return min(most, CUT * move.seconds) if answers_early else most

    return sum(map(whole, later)) / len(later)


def expected_seconds(plan: TournamentPlan, paces: Sequence[Pace], workers: int) -> float:
    """Estimate how long the games of a plan take, from the pace of each of its games; every player
    is taken to play equally often."""
    games_of_player = 2 * plan.total / len(plan.players) / len(plan.games)
    spent = sum(games_of_player * pace.plies / 2 * sum(pace.seconds) for pace in paces)
    return START_SECONDS + spent / max(1, min(workers, plan.total))
