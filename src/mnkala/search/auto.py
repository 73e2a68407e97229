"""The strongest search of a game: its rules name it (`Rules.search`), and `auto` passes
everything on to it.

On a board that this search does not accept, as `threats` does not accept very long lines, `auto`
is the search that plays every game.
"""

from __future__ import annotations

import dataclasses

from mnkala.core import Rules
from mnkala.errors import BadEngine
from mnkala.search.analysis import Analysis
from mnkala.search.engine import Engine, Search, options_of, parse_engine, register_search, searches
from mnkala.search.limit import Limit
from mnkala.search.root import Task

MOST_THREADS = 2


@dataclasses.dataclass(frozen=True)
class Auto(Search):
    """The strongest search of the game, which its rules name: deepening unless they know a better
    one.
    """

    name = "auto"
    threads: int = 1
    """1 or 2 threads, where the search can use them."""

    def __post_init__(self) -> None:
        if not 1 <= self.threads <= MOST_THREADS:
            raise BadEngine(f"{self.threads} threads; auto runs on 1 to {MOST_THREADS}")

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
