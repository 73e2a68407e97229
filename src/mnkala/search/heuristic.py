"""The contract of a heuristic, which estimates what a position is worth to its mover. Any
heuristic can be combined with any search.

A heuristic needs at least `evaluate(rules, state)`. One that is updated move by move also has a
*memory* (a number, a tuple or arrays): `begin` makes it, `played` and `undone` update it,
`value` reads it.

If the heuristic or the game is a plug-in, a trial finds out whether the heuristic can judge the
game's positions, and be compiled. In plain Python it is tried on first use, in a few
milliseconds: a heuristic that reads what a state does not have, or that raises, does not fit.
Whether it can be compiled is known only after trying, with one small kernel that calls
everything that a search may call; the success is noted on disk. Menus offer what has passed
both.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, TypeVar, dataclass_transform

import numpy as np

from mnkala.core import GOING_ON, Position, Rules
from mnkala.core.contract_checks import describe
from mnkala.core.plugin_guards import TookTooLong, guard_forcing, run_within
from mnkala.core.plugins import blame, blaming, name_of, new_register
from mnkala.core.registry import family_of, load
from mnkala.core.rules import State
from mnkala.errors import BadEngine, MnkalaError, first_sentence, in_one_line, unknown
from mnkala.folders import is_file
from mnkala.native import NativeClass, kernel, native, plain
from mnkala.native.kernels import is_compiled, loading, mark_compiled
from mnkala.native.objects import IntArray, is_foreign
from mnkala.numbers import shortened
from mnkala.search.values import HIGHEST, PER_MARGIN, WIN

Memory = Any
FILE_OF_WEIGHTS = ".json"
"""The ending of a heuristic's name that is a file which `mnkala tune weights` wrote."""
NO_MOVE = -1
"""Stands for a move where there is none."""
LOSES = -(1 << 60)
"""The rank of a move that lets the opponent win with the very next one."""


class Heuristic(NativeClass):
    """Base class of every heuristic. All methods are compiled together with the search that uses
    them."""

    guards: ClassVar[dict[str, Callable[..., Any]]] = {"forcing": guard_forcing}
    """The wrappers that keep a plug-in's compiled methods within their bounds."""
    in_place: ClassVar[bool] = False
    """Whether the memory is an array that `played` and `undone` change in place. At the root it
    is then updated by compiled code, too."""

    def evaluate(self, rules: Any, state: State) -> int:
        """How good `state`, a game in progress, looks to its mover: any whole number, 0 for
        even."""
        raise NotImplementedError

    def begin(self, rules: Any, state: State) -> Memory:
        """The memory of the position that a search starts from."""
        return 0

    def played(self, rules: Any, state: State, move: int, memory: Memory) -> Memory:
        """The memory after `move`, which led to `state`."""
        return memory

    def undone(self, rules: Any, state: State, move: int, memory: Memory) -> None:
        """Restore a memory of arrays to its state before `move`; called before the move is taken
        back from `state`."""

    def value(self, rules: Any, state: State, memory: Memory) -> int:
        """The value that a search uses; by default that of `evaluate`."""
        return self.evaluate(rules, state)

    def urgent(self, rules: Any, state: State, memory: Memory) -> int:
        """A move that wins the game at once for the mover, or else the only one that does not
        lose to the very next move; NO_MOVE if the heuristic knows of none. It must be right: a
        search considers no other move then, and calls the result proved."""
        return NO_MOVE

    def forcing(
        self, rules: Any, state: State, memory: Memory, moves: IntArray, scores: IntArray
    ) -> int:
        """Write the moves that leave the opponent an urgent one, with how promising they are;
        return their number. A search follows them beyond its horizon. Called only if nothing is
        urgent."""
        return 0

    def rank(
        self,
        rules: Any,
        state: State,
        memory: Memory,
        moves: IntArray,
        scores: IntArray,
        count: int,
    ) -> None:
        """Write how promising each move looks, for ordering: by default the game's own prior.
        LOSES must be right: a search does not consider such a move if there is another."""
        for i in range(count):
            scores[i] = rules.prior(state, moves[i])

    def score_move(self, rules: Any, state: State, move: int, memory: Memory) -> int:
        """How good a move looks to its mover: for ordering, choosing candidates and greedy play. By
        default the value of the position that it leads to.
        """
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
    """Rates every position as even: for counting nodes, and for searches that reach the end of
    the game anyway."""

    def evaluate(self, rules: Any, state: State) -> int:
        return 0


@dataclasses.dataclass(frozen=True)
class HeuristicEntry:
    """A registered heuristic."""

    name: str
    summary: str
    make: Callable[[Rules], Heuristic]
    """Makes the heuristic for a game; raises BadEngine if it does not fit."""


HeuristicClass = TypeVar("HeuristicClass", bound=type[Heuristic])

_entries: dict[str, HeuristicEntry] = new_register()


def register_heuristic(name: str, summary: str, make: Callable[[Rules], Heuristic]) -> None:
    """Make a heuristic known by name. `make` may be the class itself if it takes no arguments."""
    _entries[name] = HeuristicEntry(name, summary, make)


@dataclass_transform(frozen_default=True)
def heuristic(cls: HeuristicClass) -> HeuristicClass:
    """Make a class with a `name` a heuristic that every search knows by that name, for any game
    that it can evaluate.
    """
    made = native(cls)
    register_heuristic(name_of(made), first_sentence(cls), lambda rules: made())
    return made


def heuristics() -> list[HeuristicEntry]:
    """All heuristics by name, including those of plug-ins."""
    load("heuristics")
    return [_entries[name] for name in sorted(_entries)]


def heuristic_for(name: str, rules: Rules) -> Heuristic:
    """The heuristic of this name, or of this file of weights, made for a game. A heuristic that
    cannot judge its positions is refused (`heuristic_trial`)."""
    if name not in _entries:
        load("heuristics")
    if name not in _entries and name.endswith(FILE_OF_WEIGHTS) and is_file(name):
        made = family_of(rules).weights(Path(name).expanduser(), rules)
        if made is None:
            raise BadEngine(
                f"{name} is a file of weights, and there are none for {rules.game_string()}"
            )
        return made
    if name not in _entries:
        raise BadEngine(
            unknown("heuristic", name, sorted(_entries)),
            "error.unknown_heuristic",
            name=shortened(name),
            heuristics=", ".join(sorted(_entries)),
        )
    try:
        made = _entries[name].make(rules)
    except MnkalaError:
        raise
    except Exception as error:
        raise BadEngine(
            f"the heuristic {name} cannot be made for {rules.game_string()}: {in_one_line(error)}"
        ) from error
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


PATIENCE_SECONDS = 10.0
"""The longest time that a heuristic may take for the sample, even on a busy machine; beyond it,
it is in an endless loop."""
SAMPLE_PLIES = 6
SEED = 1

_problems: dict[tuple[type, type, str], str | None] = {}


def is_tried(heuristic: Heuristic, rules: Rules) -> bool:
    """Whether a heuristic has to be tried on a game; the package's own heuristics and games are
    tested together."""
    return is_foreign(type(heuristic).__module__) or is_foreign(type(rules).__module__)


def require_fit(name: str, heuristic: Heuristic, rules: Rules) -> None:
    """Raise BadEngine if a heuristic cannot judge positions of a game in plain Python."""
    if not is_tried(heuristic, rules):
        return
    game = rules.game_string()
    key = (type(heuristic), type(rules), game)
    if key not in _problems:
        _problems[key] = _problem(heuristic, rules)
    if (problem := _problems[key]) is not None:
        raise BadEngine(f"the heuristic {name} does not fit {game}: {problem}")


def _problem(heuristic: Heuristic, rules: Rules) -> str | None:
    def judge() -> None:
        rng, position = random.Random(SEED), Position(rules)
        for _ in range(SAMPLE_PLIES):
            if position.is_over:
                break
            with np.errstate(all="ignore", divide="raise"):
                value = heuristic.value(
                    rules, state := position.state(), heuristic.begin(rules, state)
                )
                if not isinstance(value, (int, float, np.number)):
                    raise BadEngine(
                        f"it gives {shortened(repr(value))} for the value of a position, which must be a whole number"
                    )
                plain(ask_everything)(heuristic, rules, position.state(), *_room(rules))
            position = position.play_codes((rng.choice(position.legal_codes),))

    try:
        run_within(PATIENCE_SECONDS, judge)
    except TookTooLong:
        return f"it did not return within {PATIENCE_SECONDS:.0f} seconds"
    except BadEngine as error:
        return str(error)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return str(blame(error) or describe(error))
    return None


def trial_name(heuristic: Heuristic, rules: Rules) -> str:
    """A text that identifies the kernel of the trial, as `Search.kernel_key` identifies those of a
    search."""
    return f"trial {rules.native_identity()} {heuristic.native_identity()}"


def has_passed(heuristic: Heuristic, rules: Rules) -> bool:
    """Whether it is known that a heuristic can be compiled for a game."""
    return not is_tried(heuristic, rules) or is_compiled(trial_name(heuristic, rules))


def require_compiled(name: str, heuristic: Heuristic, rules: Rules) -> None:
    """Compile a heuristic for a game, if it has to be tried; raise BadPlugin or NotCompiled if
    the compiler refuses it."""
    if has_passed(heuristic, rules):
        return
    with (
        blaming(lambda: (rules, heuristic), f"the heuristic {name} on {rules.game_string()}"),
        loading(),
    ):
        ask_everything(heuristic, rules, Position(rules).state(), *_room(rules))
    mark_compiled(trial_name(heuristic, rules))


def _room(rules: Rules) -> tuple[IntArray, IntArray]:
    return np.zeros(rules.most_moves(), np.int64), np.zeros(rules.most_moves(), np.int64)


@kernel
def ask_everything(
    heuristic: Any, rules: Any, state: Any, moves: IntArray, scores: IntArray
) -> int:
    """Call everything of a heuristic that a search may call, for a game in progress."""
    memory = heuristic.begin(rules, state)
    answers = int(heuristic.value(rules, state, memory)) + int(
        heuristic.urgent(rules, state, memory)
    )
    answers += int(heuristic.forcing(rules, state, memory, moves, scores))
    count = rules.moves(state, moves)
    heuristic.rank(rules, state, memory, moves, scores, count)
    return answers + int(heuristic.score_move(rules, state, moves[0], memory))
