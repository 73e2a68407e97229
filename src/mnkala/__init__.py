"""mnkala: play, analyse, solve and measure two-player board games of perfect information."""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False
"""As in `typing`, without the time to import it: until the command line is loaded, Ctrl-C ends in Python's own traceback."""
if TYPE_CHECKING:
    from typing import Any

    from mnkala.core import GOING_ON, Outcome, Position, Record, Rules, game, game_names, parse_game
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
    "mnkala.core": ("GOING_ON", "Outcome", "Position", "Record", "Rules", "game", "game_names", "parse_game"),
    "mnkala.native": ("kernel", "lowest_bit", "mix", "popcount", "shared"),
    "mnkala.search": ("Analysis", "Engine", "Heuristic", "Limit", "Score", "Search", "Stop", "parse_engine", "perft",
                      "register_heuristic", "register_search"),
    "mnkala.search.heuristic": ("heuristic",),
}

__all__ = [
    "GOING_ON", "Analysis", "Engine", "Heuristic", "Limit", "Outcome", "Position", "Record", "Rules", "Score", "Search",
    "Stop", "game", "game_names", "heuristic", "kernel", "lowest_bit", "mix", "parse_engine", "parse_game", "perft", "popcount",
    "register_heuristic", "register_search", "shared",
]


def __getattr__(name: str) -> Any:
    """Import on first use: `import mnkala` alone loads neither NumPy nor Numba."""
    from importlib import import_module

    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'mnkala' has no attribute {name!r}")
