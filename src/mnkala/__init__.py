"""mnkala: play, analyse, solve and measure two-player board games of perfect information."""

from __future__ import annotations

__version__ = "0.2.0"

TYPE_CHECKING = False
"""Stands for `typing.TYPE_CHECKING`, whose import takes time: until the command line is loaded,
Ctrl-C ends in a traceback of Python's.
"""
if TYPE_CHECKING:
    from mnkala.core import GOING_ON, Outcome, Position, Record, Rules, game, game_names, parse_game
    from mnkala.errors import IllegalMove, MnkalaError
    from mnkala.explain.inspection import Inspection, inspect
    from mnkala.native import kernel, lowest_bit, mix, popcount, shared
    from mnkala.search import (
        Analysis,
        Engine,
        Heuristic,
        Limit,
        Score,
        Search,
        Stop,
        parse_engine,
        perft,
        register_heuristic,
        register_search,
    )
    from mnkala.search.heuristic import heuristic

_HOMES = {
    "mnkala.core": (
        "GOING_ON",
        "Outcome",
        "Position",
        "Record",
        "Rules",
        "game",
        "game_names",
        "parse_game",
    ),
    "mnkala.errors": ("IllegalMove", "MnkalaError"),
    "mnkala.explain.inspection": ("Inspection", "inspect"),
    "mnkala.native": ("kernel", "lowest_bit", "mix", "popcount", "shared"),
    "mnkala.search": (
        "Analysis",
        "Engine",
        "Heuristic",
        "Limit",
        "Score",
        "Search",
        "Stop",
        "parse_engine",
        "perft",
        "register_heuristic",
        "register_search",
    ),
    "mnkala.search.heuristic": ("heuristic",),
}

__all__ = [
    "GOING_ON",
    "Analysis",
    "Engine",
    "Heuristic",
    "IllegalMove",
    "Inspection",
    "Limit",
    "MnkalaError",
    "Outcome",
    "Position",
    "Record",
    "Rules",
    "Score",
    "Search",
    "Stop",
    "game",
    "game_names",
    "heuristic",
    "inspect",
    "kernel",
    "lowest_bit",
    "mix",
    "parse_engine",
    "parse_game",
    "perft",
    "popcount",
    "register_heuristic",
    "register_search",
    "shared",
]

if (
    not TYPE_CHECKING
):  # a type checker sees the imports above, and reports a name that is not among them
    from mnkala.lazily import names_of

    __getattr__ = names_of("mnkala", _HOMES)
