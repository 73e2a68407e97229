"""The searches and heuristics that a menu offers for a game: those that fit it and are known to
compile."""

from __future__ import annotations

import contextlib

from mnkala.core import Rules
from mnkala.errors import MnkalaError
from mnkala.native.kernels import is_compiled
from mnkala.native.objects import is_foreign
from mnkala.search.engine import searches
from mnkala.search.heuristic import (
    HeuristicEntry,
    has_passed,
    heuristic_for,
    heuristics,
    require_compiled,
)


def offered_heuristics(rules: Rules, *, compiling: bool = False) -> list[HeuristicEntry]:
    """The heuristics for a game. If it is not yet known whether a plug-in's heuristic compiles,
    it is left out or, with `compiling`, compiled now."""
    offered = []
    for entry in heuristics():
        with contextlib.suppress(MnkalaError):
            heuristic = heuristic_for(entry.name, rules)
            if compiling:
                require_compiled(entry.name, heuristic, rules)
            if has_passed(heuristic, rules):
                offered.append(entry)
    return offered


def offered_searches(rules: Rules) -> list[str]:
    """The searches for a game by name; a plug-in's search once it is compiled for it."""
    offered = []
    for name, cls in searches().items():
        try:
            search = cls()
            search.check(rules)
            if not is_foreign(cls.__module__) or is_compiled(search.kernel_key(rules)):
                offered.append(name)
        except Exception:  # a plug-in may raise anything, and is not offered then
            continue
    return offered
