"""Compile ahead what users ask for most, so that nobody waits later; or everything there is."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable

from mnkala.errors import MnkalaError
from mnkala.games import Position, Rules
from mnkala.games.registry import sound_families
from mnkala.search.candidates import ALL
from mnkala.search.engine import HeuristicSearch, Search, searches
from mnkala.search.heuristic import heuristics
from mnkala.search.perft import perft

Step = tuple[str, Callable[[], object]]


def warmup_steps(everything: bool = False) -> list[Step]:
    """What has to be compiled: a description, and the function that does it. Combinations of the same types come once.

    Usually every search of every game with the heuristic that it uses unless told otherwise; with `everything`, all heuristics too.
    """
    steps: dict[tuple[object, ...], Step] = {}
    for family in sound_families():
        for name in family.names:
            position = Position(name)
            rules = position.rules
            steps.setdefault((type(rules), perft), (f"{name}, perft", functools.partial(perft, position, 1)))
            for search_name, search_class in searches().items():
                usual = search_class()
                if not isinstance(usual, HeuristicSearch):
                    if _can_play(usual, rules):
                        step = functools.partial(usual.prepare, rules)
                        steps.setdefault((type(rules), search_class), (f"{name}, {search_name}", step))
                    continue
                others = [dataclasses.replace(usual, heuristic=entry.name) for entry in heuristics()] if everything else []
                for search in [usual, *others]:
                    if not _can_play(search, rules):
                        continue
                    kind = type(search.heuristic_for(rules))
                    label = f"{name}, {search_name}, {kind.__name__}"
                    key = (type(rules), search_class, kind, search.candidates_for(rules).kind != ALL)
                    steps.setdefault(key, (label, functools.partial(search.prepare, rules)))
    return list(steps.values())


def _can_play(search: Search, rules: Rules) -> bool:
    try:
        search.check(rules)
    except MnkalaError:
        return False
    return True
