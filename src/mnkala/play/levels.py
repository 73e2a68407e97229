"""Levels of play: easy, medium and hard, for people who do not want to choose an engine; and perfect where that can be had.

For Kalah easy and medium are in the manner of report 003: alpha-beta to depth 2 and 5. All others have a limit in nodes, so that a level
feels alike on every board size. Games whose start is within a solver's reach have a fourth level, which never errs unless a position takes
it longer than a person waits.
"""

from __future__ import annotations

import functools

from mnkala.errors import BadEngine
from mnkala.games import Position, Rules
from mnkala.solve.oracle import out_of_reach
from mnkala.suggestions import unknown

LEVELS = ("easy", "medium", "hard")
"""Of every game."""
PERFECT = "perfect"
PERFECT_ENGINE = "perfect:time=10"
HARD = "deepening:nodes=400000"
BY_FAMILY = {"kalah": ("alphabeta:depth=2,heuristic=kalah", "alphabeta:depth=5,heuristic=kalah", HARD),
             "mnk": ("deepening:nodes=150", "threats:nodes=2000", "threats:nodes=200000")}
USUAL = ("deepening:nodes=150", "deepening:nodes=4000", HARD)


def levels_of(rules: Rules) -> tuple[str, ...]:
    """The levels of a game, the weakest first."""
    return (*LEVELS, PERFECT) if _has_perfect(rules) else LEVELS


@functools.lru_cache(maxsize=256)
def _has_perfect(rules: Rules) -> bool:
    return out_of_reach(Position(rules)) is None


def engine_of_level(level: str, rules: Rules) -> str:
    """The engine string of a level, for a game."""
    if level not in levels_of(rules):
        raise BadEngine(unknown("level", level, levels_of(rules)))
    return PERFECT_ENGINE if level == PERFECT else BY_FAMILY.get(rules.name, USUAL)[LEVELS.index(level)]
