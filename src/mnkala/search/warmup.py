"""Compile ahead: every combination of search, game and heuristic that a user may ask for, so that nobody waits later."""

from __future__ import annotations

import functools
from collections.abc import Callable

from mnkala.errors import MnkalaError
from mnkala.games import Position, families
from mnkala.search.engine import HeuristicSearch, searches
from mnkala.search.heuristic import heuristics
from mnkala.search.perft import perft


def warmup_steps() -> list[tuple[str, Callable[[], object]]]:
    """What has to be compiled: a description, and the function that does it. Combinations of the same types come once."""
    steps: dict[tuple[object, ...], tuple[str, Callable[[], object]]] = {}
    for family in families():
        for name in family.names:
            position = Position(name)
            rules = position.rules
            steps[type(rules), "perft"] = (f"{name}, perft", functools.partial(perft, position, 1))
            for search_name, search_class in searches().items():
                if not issubclass(search_class, HeuristicSearch):
                    step = functools.partial(search_class().prepare, rules)
                    steps.setdefault((type(rules), search_class), (f"{name}, {search_name}", step))
                    continue
                for entry in heuristics():
                    search = search_class(heuristic=entry.name)
                    try:
                        kind = type(search.heuristic_for(rules))
                    except MnkalaError:
                        continue
                    label = f"{name}, {search_name}, {entry.name}"
                    steps.setdefault((type(rules), search_class, kind), (label, functools.partial(search.prepare, rules)))
    return list(steps.values())
