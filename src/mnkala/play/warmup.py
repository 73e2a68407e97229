"""What can be compiled in advance so that nobody waits later: every combination that a menu
offers, the most likely first.

0. What plug-ins bring: their heuristics, tried on every game that they fit, and their searches.
Menus wait for these.

1. The engines behind the levels, the hints and the analysis of each game.

2. Every search with its default heuristic, and the counting of games (perft).

3. Every search with every other heuristic that fits.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Callable, Iterator

from mnkala.core import Position, Rules
from mnkala.core.registry import sound_game_names
from mnkala.errors import MnkalaError
from mnkala.explain.inspection import hint_engine
from mnkala.native.kernels import is_compiled, mark_compiled
from mnkala.native.objects import is_foreign
from mnkala.play.human_errors import Overlooking
from mnkala.play.levels import ladder_of
from mnkala.search import Engine, parse_engine
from mnkala.search.auto import resolved
from mnkala.search.conformance import perft
from mnkala.search.engine import HeuristicSearch, Search, searches
from mnkala.search.heuristic import (
    heuristic_for,
    heuristics,
    is_tried,
    require_compiled,
    trial_name,
)

ANALYST = "auto"
WITH_HEURISTIC = "best:3"
"""The choices of candidates that make a search ask its heuristic even if it has no other use for
it."""


@dataclasses.dataclass(frozen=True)
class CompileStep:
    """One combination of types to compile."""

    kernel_key: str
    """The key by which `Search.kernel_key` identifies it."""
    label: str
    """The game, the search and the heuristic, for people."""
    compile: Callable[[], object]

    @property
    def is_done(self) -> bool:
        """Whether it is already on disk."""
        return is_compiled(self.kernel_key)


def warmup_steps(everything: bool = False) -> list[CompileStep]:
    """The steps in the order above, without part 3 unless `everything` is set. Combinations of
    the same types appear once."""
    return _steps_of(
        _of_plugins, _usual_engines, _usual_heuristics, *([_other_heuristics] if everything else [])
    )


def plugin_steps() -> list[CompileStep]:
    """The steps that compile plug-ins."""
    return _steps_of(_of_plugins)


def _steps_of(*parts: Callable[[Position], Iterator[CompileStep]]) -> list[CompileStep]:
    boards = [Position(name) for name in _boards()]
    steps: dict[str, CompileStep] = {}
    for part in parts:
        for position in boards:
            for step in part(position):
                steps.setdefault(step.kernel_key, step)
    return list(steps.values())


def step_for(search: Search, rules: Rules) -> CompileStep:
    """The step that compiles what a search needs for a game."""
    seen_by = search.base if isinstance(search, Overlooking) else search
    search = resolved(Engine(seen_by), rules).search
    heuristic = (
        f", {search.heuristic}"
        if isinstance(search, HeuristicSearch) and search.heuristic != "auto"
        else ""
    )
    label = f"{rules.game_string()}, {search.name}{heuristic}"
    return CompileStep(search.kernel_key(rules), label, functools.partial(search.prepare, rules))


def _boards() -> list[str]:
    """A game string for every kind of board, beginning with the usual board of each game:
    Connect has small and large ones."""
    known = sound_game_names()
    return [game for name in known for game in name.names[:1]] + [
        game for name in known for game in name.names[1:]
    ]


def _of_plugins(position: Position) -> Iterator[CompileStep]:
    """Yield the steps for the heuristics and searches that plug-ins bring."""
    rules = position.rules
    for entry in heuristics():
        with contextlib.suppress(MnkalaError):
            heuristic = heuristic_for(entry.name, rules)
            if is_tried(heuristic, rules):
                yield CompileStep(
                    trial_name(heuristic, rules),
                    f"{rules.game_string()}, {entry.name}",
                    functools.partial(require_compiled, entry.name, heuristic, rules),
                )
    for cls in searches().values():
        if is_foreign(cls.__module__):
            yield from _steps(Engine(cls()), rules)


def _usual_engines(position: Position) -> Iterator[CompileStep]:
    rules = position.rules
    levels = [parse_engine(level.engine) for level in ladder_of(rules)]
    for engine in (*levels, hint_engine(rules), parse_engine(ANALYST)):
        yield from _steps(engine, rules)


def _usual_heuristics(position: Position) -> Iterator[CompileStep]:
    """Yield the steps for every search with its default heuristic, and for the counting of
    games."""
    for cls in searches().values():
        yield from _steps(Engine(cls()), position.rules)
    kernel_key = f"perft {position.rules.native_identity()}"

    def count() -> None:
        perft(position, 1)
        mark_compiled(kernel_key)

    yield CompileStep(kernel_key, f"{position.game}, perft", count)


def _other_heuristics(position: Position) -> Iterator[CompileStep]:
    """Yield the steps for every search with every heuristic, with and without a choice of
    candidates."""
    for cls in searches().values():
        usual = cls()
        if isinstance(usual, HeuristicSearch):
            for entry in heuristics():
                search = dataclasses.replace(usual, heuristic=entry.name)
                yield from _steps(Engine(search), position.rules)
                yield from _steps(
                    Engine(dataclasses.replace(search, candidates=WITH_HEURISTIC)), position.rules
                )


def _steps(engine: Engine, rules: Rules) -> Iterator[CompileStep]:
    """The one step that an engine needs, or none if it cannot play the game or has nothing to
    compile."""
    try:
        engine.search.check(rules)
        step = step_for(engine.search, rules)
    except MnkalaError:
        return
    if step.kernel_key:
        yield step
