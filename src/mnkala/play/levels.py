"""Levels of play: easy, medium and hard, for people who do not want to choose an engine.

For Kalah they are report 003's: alpha-beta to depth 2, 5 and 8 (the report gives only the last; the others are our reading). For the
other games the limit is in nodes, so that a level feels alike on every board size.
"""

from __future__ import annotations

from mnkala.errors import BadEngine
from mnkala.games import Rules

LEVELS = ("easy", "medium", "hard")
BY_FAMILY = {"kalah": ("alphabeta:depth=2", "alphabeta:depth=5", "alphabeta:depth=8")}
USUAL = ("deepening:nodes=150", "deepening:nodes=4000", "deepening:nodes=400000")


def engine_of_level(level: str, rules: Rules) -> str:
    """The engine string of a level, for a game."""
    if level not in LEVELS:
        raise BadEngine(f"no level is called '{level}'; levels are {', '.join(LEVELS)}")
    return BY_FAMILY.get(rules.name, USUAL)[LEVELS.index(level)]
