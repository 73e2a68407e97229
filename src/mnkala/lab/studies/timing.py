"""Report 000's table: the mean time of the computer's moves in a game, by how many moves it made, for three algorithms.

The report's games were played by people. Ours are played by engines of many strengths, so that short and long games come up; for each
length that the report lists, some games in which the computer makes exactly so many moves are found, and its decisions in them are timed.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from statistics import fmean

from mnkala.core import Position
from mnkala.lab.clock import typical_seconds
from mnkala.lab.positions import answer, engine_for
from mnkala.lab.registry import Row, measure
from mnkala.lab.tables import mean_and_half
from mnkala.search import Analysis

ALGORITHMS = {
    "Minimax": "minimax:depth=4,heuristic=utility",
    "Alpha-Beta": "alphabeta:depth=4,heuristic=utility",
    "MCTS": "mcts:iterations=1000,expand=all,solve=off,keep=off,seed={seed}",
}
"""As the report has them. Its depth of 5 counts the level of the root: at most 1 + 7 + … + 7^4 = 2,801 nodes, which is depth 4 here."""

EMPTY = {
    "Minimax": "minimax:depth=1,heuristic=utility",
    "Alpha-Beta": "alphabeta:depth=1,heuristic=utility",
    "MCTS": "mcts:iterations=1,expand=all,solve=off,keep=off,seed=1",
}
"""The same with next to nothing to do: what a question costs beside its nodes. Moves at the root are played in Python."""

OPPONENTS = ("random", "greedy", "alphabeta:depth=1", "alphabeta:depth=2", "alphabeta:depth=4", "deepening:nodes=3000")


@measure("time-a-move", version=4)
def time_a_move(algorithm: str, computer_moves: int, games: int = 5, tries: int = 240, repeats: int = 3) -> Row:
    """Mean CPU time, nodes and memory of the computer's moves in games of Connect Four in which it makes so many.

    `ms` is the time less what an empty question costs, `whole_ms` all of it: at the report's few nodes the difference matters.
    """
    found: list[tuple[int, tuple[Position, ...]]] = []
    for game in range(tries):
        decisions = _decisions(algorithm, game)
        if len(decisions) == computer_moves:
            found.append((game, decisions))
        if len(found) == games:
            break
    if not found:
        return {"games": 0, "ms": None, "ms_low": None, "ms_high": None, "whole_ms": None, "fixed_ms": None, "nodes": None, "held": None}
    means, empty, nodes, held, same = [], [], [], [], 0
    for game, decisions in found:
        means.append(1000 * fmean(_seconds(_engine(algorithm, game), position, repeats) for position in decisions))
        empty.append(1000 * fmean(_seconds(EMPTY[algorithm], position, repeats) for position in decisions))
        analyses = [_ask(algorithm, game, position) for position in decisions]
        nodes.append(sum(analysis.nodes for analysis in analyses) / len(analyses))
        held += [analysis.held for analysis in analyses]
        same += sum(_same_move(game, position) for position in decisions)
    mean, half = mean_and_half([whole - fixed for whole, fixed in zip(means, empty, strict=True)])
    return {"games": len(found), "ms": mean, "ms_low": None if half is None else mean - half,
            "ms_high": None if half is None else mean + half, "whole_ms": fmean(means), "fixed_ms": fmean(empty),
            "nodes": fmean(nodes), "held": max(held), "decisions": sum(len(decisions) for _, decisions in found), "same_moves": same}


def _same_move(game: int, position: Position) -> bool:
    """Whether Minimax and Alpha-Beta choose the same move."""
    return len({_ask(algorithm, game, position).line_codes[0] for algorithm in ("Minimax", "Alpha-Beta")}) == 1


def _engine(algorithm: str, game: int) -> str:
    return ALGORITHMS[algorithm].format(seed=game)


def _ask(algorithm: str, game: int, position: Position) -> Analysis:
    return answer(_engine(algorithm, game), position)


def _seconds(text: str, position: Position, repeats: int) -> float:
    engine = engine_for(text, position)
    return typical_seconds(lambda: answer(engine, position), repeats, at_least=0.002)


@functools.lru_cache(maxsize=2000)
def _decisions(algorithm: str, game: int) -> tuple[Position, ...]:
    """The positions in which the computer had to move in game number `game`, whoever moved first. Kept for the next length."""
    return tuple(_game(algorithm, game))


def _game(algorithm: str, game: int) -> Iterator[Position]:
    """Each side's first move is random, so that no two games are alike; the computer is timed there all the same."""
    chance = random.Random(game)
    opponent = OPPONENTS[game % len(OPPONENTS)] + (f":seed={game}" if game % len(OPPONENTS) == 0 else "")
    computer = (game // len(OPPONENTS)) % 2
    position = Position("connect4")
    while not position.is_over:
        ours = position.mover == computer
        if ours:
            yield position
        if len(position.history) < 2:
            move = chance.choice(position.legal_codes)
        else:
            move = answer(_engine(algorithm, game) if ours else opponent, position).line_codes[0]
        position = position.play_codes([move])
