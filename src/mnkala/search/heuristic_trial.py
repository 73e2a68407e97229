"""The trial of a heuristic on a game, where one of the two is a plug-in: whether it can judge the game's positions, and be compiled.

In plain Python it is tried on first use, in a few milliseconds: a heuristic that reads what a state does not have, or that raises, does not
fit. Whether the compiler takes it is known only after compiling it, by one small kernel that asks all that a search may ask; what passed is
marked on disk. Menus offer what has passed both.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from mnkala.core import Position, Rules
from mnkala.core.contract_checks import describe
from mnkala.core.plugin_errors import blame, blaming
from mnkala.core.timeouts import TookTooLong, run_within
from mnkala.errors import BadEngine
from mnkala.native import kernel, plain
from mnkala.native.kernels import is_compiled, loading, mark_compiled
from mnkala.native.objects import IntArray, is_foreign
from mnkala.numbers import shortened
from mnkala.search.heuristic import Heuristic

PATIENCE_SECONDS = 10.0
"""No heuristic takes longer for the sample, on however busy a machine: it is then in an endless loop."""
SAMPLE_PLIES = 6
SEED = 1

_problems: dict[tuple[type, type, str], str | None] = {}


def is_tried(heuristic: Heuristic, rules: Rules) -> bool:
    """Whether a heuristic has to be tried on a game; what is all the package's own is tested with it."""
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
                value = heuristic.value(rules, state := position.state(), heuristic.begin(rules, state))
                if not isinstance(value, (int, float, np.number)):
                    raise BadEngine(f"it gives {shortened(repr(value))} for the value of a position, which must be a whole number")
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
    """Names the kernel of the trial, as `Search.kernel_key` names those of a search."""
    return f"trial {rules.native_identity()} {heuristic.native_identity()}"


def has_passed(heuristic: Heuristic, rules: Rules) -> bool:
    """Whether it is known that the compiler takes a heuristic for a game."""
    return not is_tried(heuristic, rules) or is_compiled(trial_name(heuristic, rules))


def require_compiled(name: str, heuristic: Heuristic, rules: Rules) -> None:
    """Compile a heuristic for a game, if it is one to be tried; raise BadPlugin or NotCompiled where the compiler refuses it."""
    if has_passed(heuristic, rules):
        return
    with blaming(lambda: (rules, heuristic), f"the heuristic {name} on {rules.game_string()}"), loading():
        ask_everything(heuristic, rules, Position(rules).state(), *_room(rules))
    mark_compiled(trial_name(heuristic, rules))


def _room(rules: Rules) -> tuple[IntArray, IntArray]:
    return np.zeros(rules.most_moves(), np.int64), np.zeros(rules.most_moves(), np.int64)


@kernel
def ask_everything(heuristic: Any, rules: Any, state: Any, moves: IntArray, scores: IntArray) -> int:
    """Ask a heuristic all that a search may ask about a game that is going on."""
    memory = heuristic.begin(rules, state)
    answers = int(heuristic.value(rules, state, memory)) + int(heuristic.urgent(rules, state, memory))
    answers += int(heuristic.forcing(rules, state, memory, moves, scores))
    count = rules.moves(state, moves)
    heuristic.rank(rules, state, memory, moves, scores, count)
    return answers + int(heuristic.score_move(rules, state, moves[0], memory))
