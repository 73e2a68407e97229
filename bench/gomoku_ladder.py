"""How strong `threats` is beside every other search and heuristic, and the ladder of our engines.

    python -m bench.gomoku_ladder                       against each of them at equal time (target: 97 %), 0.02 s a move
    python -m bench.gomoku_ladder --tenth               against budget and deepening at a tenth of their time (target: 90 %)
    python -m bench.gomoku_ladder --ladder              each rung against the one below it

Time is that of the processor, so that a busy machine takes nothing from either side; an engine with
a limit of its own (depth=2) uses that instead. Games are played in pairs, both colours from each
opening that comes with Gomoku (not those that random moves would give).
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Sequence

from bench.processor_clock import choose
from mnkala.arena.openings import choose as choose_openings
from mnkala.arena.sprt import PairShares
from mnkala.core import Position
from mnkala.play.engine_game import points_of
from mnkala.play.series import SeriesResult
from mnkala.search import Engine, Limit, Stop, parse_engine

GAME = "gomoku"
HEURISTICS = (
    "lines",
    "criticality",
    "criticality-by-cell",
    "runs",
    "utility",
    "zero-sum",
    "zero-sum-hv",
    "basic",
    "article",
    "nothing",
)
OTHERS = (
    *(f"deepening:heuristic={name}" for name in HEURISTICS),
    "budget",
    "budget:heuristic=lines",
    "mcts",
    "greedy",
    "greedy:heuristic=lines",
    "alphabeta:depth=3",
    "minimax:depth=2",
)
SLOW = ("budget", "deepening")
"""Those that get ten times as long."""
RUNGS = (
    "greedy",
    "deepening",
    "budget",
    "threats:heuristic=guessed",
    "threats",
)
"""The weakest first. The last but one has the evaluation and the order of moves before anything was
learnt."""


def games(one: Engine, other: Engine, pairs: int, seconds: tuple[float, float]) -> SeriesResult:
    """Pairs of games, and what the first engine scored."""
    start = Position(GAME)
    opening, _ = choose_openings(start.rules, "auto", 1)
    for engine in (one, other):
        engine.search.prepare(start.rules)
    result = SeriesResult()
    for number in range(pairs):
        points = []
        for seat in (0, 1):
            position = start.play(opening(number) or "")
            while not position.is_over:
                engine, time = (one, seconds[0]) if position.mover == seat else (other, seconds[1])
                code = (
                    choose(engine, position, time)
                    if engine.limit == Limit()
                    else engine.answer(position, Stop()).line_codes[0]
                )
                position = position.play_codes((code,))
            points.append(points_of(position, seat))
        result = result.add_pair(*points)
    return result


def told(one: str, other: str, pairs: int, seconds: tuple[float, float]) -> str:
    """A match in one line."""
    found = games(parse_engine(one), parse_engine(other), pairs, seconds)
    return f"{one} ({seconds[0]:g} s) against {other} ({seconds[1]:g} s): {found}, Elo {PairShares.of(found)}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.gomoku_ladder",
        description="How strong threats is beside our other engines.",
    )
    parser.add_argument("--time", type=float, default=0.02, help="seconds of processor time a move")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--tenth", action="store_true")
    parser.add_argument("--ladder", action="store_true")
    parser.add_argument("--others", nargs="+", help="only against these")
    asked = parser.parse_args(arguments)
    if asked.ladder:
        for below, rung in itertools.pairwise(RUNGS):
            print(told(rung, below, asked.pairs, (asked.time, asked.time)), flush=True)
        return
    for other in asked.others or (SLOW if asked.tenth else OTHERS):
        print(
            told(
                "threats",
                other,
                asked.pairs,
                (asked.time / 10 if asked.tenth else asked.time, asked.time),
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
