"""The contract of a heuristic: what a position looks worth to its mover. Any heuristic pairs with any search.

The least that a heuristic needs is `evaluate(rules, state)`. One that is kept up to date move by move also has a *memory*
(a number, a tuple or arrays): `begin` makes it, `played` and `undone` keep it in step, `value` reads it.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, TypeVar, dataclass_transform

from mnkala.core import GOING_ON, Rules
from mnkala.core.plugin_errors import name_of
from mnkala.core.plugin_guards import guard_forcing
from mnkala.core.plugins import new_register
from mnkala.core.registry import family_of, load
from mnkala.core.rules import State
from mnkala.errors import BadEngine, MnkalaError, printable
from mnkala.folders import is_file
from mnkala.native import NativeClass, native
from mnkala.native.objects import IntArray
from mnkala.search.values import HIGHEST, PER_MARGIN, WIN
from mnkala.suggestions import unknown
from mnkala.unexpected_errors import in_one_line

Memory = Any
FILE_OF_WEIGHTS = ".json"
"""How a heuristic's name ends that is a file which `mnkala tune weights` wrote."""
NO_MOVE = -1
"""Stands for a move where there is none."""
LOSES = -(1 << 60)
"""The rank of a move that lets the opponent win with the very next one."""


class Heuristic(NativeClass):
    """Base of every heuristic. All methods are compiled together with the search that uses them."""

    guards: ClassVar[dict[str, Callable[..., Any]]] = {"forcing": guard_forcing}
    """How compiled code holds a plug-in's heuristic to its bounds."""
    in_place: ClassVar[bool] = False
    """Whether the memory is an array that `played` and `undone` change in place. It is then kept by compiled code at the root too."""

    def evaluate(self, rules: Any, state: State) -> int:
        """How good `state`, a game that is going on, looks to its mover: any whole number, 0 for even."""
        raise NotImplementedError

    def begin(self, rules: Any, state: State) -> Memory:
        """The memory of the position that a search starts from."""
        return 0

    def played(self, rules: Any, state: State, move: int, memory: Memory) -> Memory:
        """The memory after `move`, which led to `state`."""
        return memory

    def undone(self, rules: Any, state: State, move: int, memory: Memory) -> None:
        """Put a memory of arrays back as it was before `move`; called before the move is taken back from `state`."""

    def value(self, rules: Any, state: State, memory: Memory) -> int:
        """The value that a search asks for; by default the answer of `evaluate`."""
        return self.evaluate(rules, state)

    def urgent(self, rules: Any, state: State, memory: Memory) -> int:
        """A move that ends the game in the mover's favour, or else the only one that does not lose to the very next move; NO_MOVE
        where the heuristic knows of none. It must be right: a search looks at no other move then, and calls the result proved."""
        return NO_MOVE

    def forcing(self, rules: Any, state: State, memory: Memory, moves: IntArray, scores: IntArray) -> int:
        """Write the moves that leave the opponent an urgent one, and how promising they are; how many. A search follows them beyond
        its horizon. Asked only where nothing is urgent."""
        return 0

    def rank(self, rules: Any, state: State, memory: Memory, moves: IntArray, scores: IntArray, count: int) -> None:
        """Write how promising each move looks, for ordering: by default the game's own prior. LOSES must be right: a search does not look
        at such a move if there is another."""
        for i in range(count):
            scores[i] = rules.prior(state, moves[i])

    def score_move(self, rules: Any, state: State, move: int, memory: Memory) -> int:
        """How good a move looks to its mover: for ordering, choosing candidates and greedy play. By default the value of the
        position that it leads to."""
        mover = rules.mover(state)
        child = rules.play(state, move)
        child_memory = self.played(rules, child, move, memory)
        result = rules.result(child)
        if result == GOING_ON:
            value = max(-HIGHEST, min(HIGHEST, int(self.value(rules, child, child_memory))))
        else:
            value = (WIN - 1) * max(-1, min(1, result)) + PER_MARGIN * result
        if rules.mover(child) != mover:
            value = -value
        self.undone(rules, child, move, child_memory)
        rules.undo(child, move)
        return value


@native
class Nothing(Heuristic):
    """Every position is even: for counting nodes, and for searches that reach the end of the game anyway."""

    def evaluate(self, rules: Any, state: State) -> int:
        return 0


@dataclasses.dataclass(frozen=True)
class HeuristicEntry:
    """A heuristic by name."""

    name: str
    summary: str
    make: Callable[[Rules], Heuristic]
    """The heuristic for a game; raises BadEngine where it does not fit."""


HeuristicClass = TypeVar("HeuristicClass", bound=type[Heuristic])

_entries: dict[str, HeuristicEntry] = new_register()


def register_heuristic(name: str, summary: str, make: Callable[[Rules], Heuristic]) -> None:
    """Make a heuristic known by name. `make` may be the class itself if it takes no arguments."""
    _entries[name] = HeuristicEntry(name, summary, make)


@dataclass_transform(frozen_default=True)
def heuristic(cls: HeuristicClass) -> HeuristicClass:
    """Make a class with a `name` a heuristic that every search knows by that name, for any game that it can evaluate."""
    made = native(cls)
    register_heuristic(name_of(made), printable((inspect.getdoc(cls) or "").partition("\n")[0]), lambda rules: made())
    return made


def heuristics() -> list[HeuristicEntry]:
    """All heuristics, those of plug-ins too, by name."""
    load("heuristics")
    return [_entries[name] for name in sorted(_entries)]


def heuristic_for(name: str, rules: Rules) -> Heuristic:
    """The heuristic of this name, or of this file of weights, made for a game. One that cannot judge its positions is refused
    (`heuristic_trial`)."""
    from mnkala.search.heuristic_trial import require_fit

    if name not in _entries:
        load("heuristics")
    if name not in _entries and name.endswith(FILE_OF_WEIGHTS) and is_file(name):
        made = family_of(rules).weights(Path(name).expanduser(), rules)
        if made is None:
            raise BadEngine(f"{name} is a file of weights, and there are none for {rules.game_string()}")
        return made
    if name not in _entries:
        raise BadEngine(unknown("heuristic", name, sorted(_entries)))
    try:
        made = _entries[name].make(rules)
    except MnkalaError:
        raise
    except Exception as error:
        raise BadEngine(f"the heuristic {name} cannot be made for {rules.game_string()}: {in_one_line(error)}") from error
    require_fit(name, made, rules)
    return made


def fits(name: str, rules: Rules) -> bool:
    """Whether a heuristic can be used for a game."""
    try:
        heuristic_for(name, rules)
    except BadEngine:
        return False
    return True


register_heuristic("nothing", "every position is even", lambda rules: Nothing())
