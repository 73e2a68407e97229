"""Searches and heuristics: generic, compiled, each known by a name. Importing this package loads
Numba.
"""

from mnkala.core.score import Score
from mnkala.search import (
    auto,
    budget,
    criticality,
    deepening,
    mcts,
    minimax,
    simple,
    stone_runs,
    windows,
)
from mnkala.search.analysis import Analysis, RootMove
from mnkala.search.conformance import perft
from mnkala.search.engine import (
    Engine,
    HeuristicSearch,
    Search,
    parse_engine,
    register_search,
    searches,
)
from mnkala.search.heuristic import Heuristic, heuristic_for, heuristics, register_heuristic
from mnkala.search.limit import Limit, Stop
from mnkala.search.root import Task

__all__ = [
    "Analysis",
    "Engine",
    "Heuristic",
    "HeuristicSearch",
    "Limit",
    "RootMove",
    "Score",
    "Search",
    "Stop",
    "Task",
    "auto",
    "budget",
    "criticality",
    "deepening",
    "heuristic_for",
    "heuristics",
    "mcts",
    "minimax",
    "parse_engine",
    "perft",
    "register_heuristic",
    "register_search",
    "searches",
    "simple",
    "stone_runs",
    "windows",
]
