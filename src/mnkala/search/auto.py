"""The strongest search of a game: its rules name it (`Rules.search`), and `auto` passes
everything on to it.

On a board that this search does not accept, as `threats` does not accept very long lines, `auto`
is the search that plays every game.
"""

from __future__ import annotations

import contextlib
import dataclasses

from mnkala.core import Rules
from mnkala.errors import BadEngine, MnkalaError
from mnkala.native.kernels import is_compiled
from mnkala.native.objects import is_foreign
from mnkala.search.analysis import Analysis
from mnkala.search.engine import Engine, Search, options_of, parse_engine, register_search, searches
from mnkala.search.heuristic import (
    HeuristicEntry,
    has_passed,
    heuristic_for,
    heuristics,
    require_compiled,
)
from mnkala.search.limit import Limit
from mnkala.search.root import Task


@dataclasses.dataclass(frozen=True)
class Auto(Search):
    """The strongest search of the game, which its rules name: deepening unless they know a better
    one.
    """

    name = "auto"
    threads: int = 1
    """1 or 2 threads, where the search can use them."""

    def check(self, rules: Rules) -> None:
        strongest(rules, self.threads).check(rules)

    def parts(self, rules: Rules) -> tuple[object, ...]:
        return strongest(rules, self.threads).parts(rules)

    def described(self, rules: Rules) -> str:
        return strongest(rules, self.threads).described(rules)

    def kernel_key(self, rules: Rules) -> str:
        return strongest(rules, self.threads).kernel_key(rules)

    def prepare(self, rules: Rules) -> None:
        strongest(rules, self.threads).prepare(rules)

    def most_nodes(self, rules: Rules, limit: Limit) -> float:
        return strongest(rules, self.threads).most_nodes(rules, limit)

    def run(self, task: Task) -> Analysis:
        engine = str(resolved(parse_engine(task.engine), task.rules)) if task.engine else ""
        return strongest(task.rules, self.threads).run(dataclasses.replace(task, engine=engine))


def strongest(rules: Rules, threads: int = 1) -> Search:
    """The search that the rules of a game name, or the one for any game where that refuses the
    board.
    """
    known = searches()
    if rules.search not in known or rules.search == Auto.name:
        others = ", ".join(name for name in known if name != Auto.name)
        raise BadEngine(
            f"{rules.game_string()} names '{rules.search}' as its strongest search; searches are {others}"
        )
    named = _with_threads(known[rules.search], threads)
    if rules.search != Rules.search:
        try:
            named.check(rules)
        except BadEngine:
            return _with_threads(known[Rules.search], threads)
    return named


def _with_threads(cls: type[Search], threads: int) -> Search:
    return cls(**{option.name: threads for option in options_of(cls) if option.name == "threads"})


def resolved(engine: Engine, rules: Rules) -> Engine:
    """The engine that really searches a game if `engine` is auto; otherwise the engine itself."""
    return (
        Engine(strongest(rules, engine.search.threads), engine.limit)
        if isinstance(engine.search, Auto)
        else engine
    )


register_search(Auto)

# ---- What menus offer ----


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
