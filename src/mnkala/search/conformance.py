"""Perft, and the conformance suite: every clause of the contract of a game, checked on random
games and reported in words.

A game that passes works in every search and every interface. Plain Python
(`core/contract_checks.py`) is checked before compiled code, because an error in compiled code
may crash instead of raising; `mnkala check` therefore runs all of it in a process of its own.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mnkala.core import GOING_ON, Position, Rules
from mnkala.core.contract_checks import LARGE, PLAIN_CLAUSES, Broken, Clause, PlayedMove, problem_of
from mnkala.core.plugin_trial import require_sound, trust
from mnkala.core.plugins import blaming
from mnkala.errors import BadPlugin, in_one_line
from mnkala.native import kernel, plain
from mnkala.native.objects import IntArray
from mnkala.search.engine import Engine
from mnkala.search.limit import Limit
from mnkala.search.minimax import AlphaBeta, Minimax

# ---- Perft: how many positions a game has, ply by ply ----


@kernel
def count_games(rules: Any, state: Any, depth: int, moves: np.ndarray, stop: IntArray) -> int:
    """The number of sequences of exactly `depth` moves from `state`; finished games have none.
    Meaningless once `stop` is set."""
    if depth == 0:
        return 1
    if rules.result(state) != GOING_ON or stop[0] != 0:
        return 0
    buffer = moves[depth]
    count = rules.moves(state, buffer)
    if depth == 1:
        return count
    total = 0
    for i in range(count):
        move = buffer[i]
        child = rules.play(state, move)
        total += count_games(rules, child, depth - 1, moves, stop)
        rules.undo(child, move)
    return total


def perft(position: Position, depth: int, stop: IntArray | None = None) -> int:
    """The number of ways to play `depth` moves from a position."""
    rules = position.rules
    require_sound(rules)
    with blaming(lambda: (rules,)):
        buffers = np.zeros((depth + 1, rules.most_moves()), dtype=np.int64)
        flag = np.zeros(1, dtype=np.int64) if stop is None else stop
        return int(count_games(rules, position.state(), depth, buffers, flag))


# ---- The suite ----


SECONDS_PER_CLAUSE = 120.0


@dataclasses.dataclass(frozen=True)
class Finding:
    """The verdict on one clause."""

    clause: str
    problem: str | None = None
    """What is wrong, or None if the clause holds."""


def check_rules(
    rules: Rules, seed: int = 1, begin: Callable[[str], None] = lambda clause: None
) -> Iterator[Finding]:
    """Check every clause, and call `begin` with each first; clauses that make no sense after a
    broken one are skipped."""
    trust(rules)
    samples: list[list[PlayedMove]] = []
    for clause in CLAUSES:
        begin(clause.text)
        problem = problem_of(clause, rules, samples, seed, SECONDS_PER_CLAUSE)
        yield Finding(clause.text, problem)
        if problem and clause.needed:
            return


def rules_of(cls: type) -> Rules:
    """An instance of a plug-in's class, with its default sizes."""
    if not (isinstance(cls, type) and issubclass(cls, Rules)):
        raise BadPlugin(f"{cls.__name__} is not a game: it must derive from mnkala.Rules")
    if not getattr(cls, "native_name", None) or "native_fields" not in vars(cls):
        raise BadPlugin(
            f"{cls.__name__} is not registered: put the decorator @mnkala.game above the class"
        )
    try:
        return cls()
    except Exception as error:
        raise BadPlugin(
            f"{cls.__name__}() cannot be made with its default sizes: {in_one_line(error)}"
        ) from error


@kernel
def replay(rules: Any, state: Any, moves: IntArray, out: np.ndarray, buffer: IntArray) -> int:
    """Play `moves` and write result, mover, key and number of legal moves after each."""
    for i in range(len(moves)):
        state = rules.play(state, moves[i])
        result = rules.result(state)
        out[i, 0] = result
        out[i, 1] = rules.mover(state)
        out[i, 2] = np.int64(rules.key(state) >> np.uint64(1))
        out[i, 3] = rules.moves(state, buffer) if result == GOING_ON else 0
    return len(moves)


def check_compiled(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Check that compiled rules do exactly what they do in plain Python."""
    for game in samples:
        moves = np.array([step.move for step in game], dtype=np.int64)
        compiled, reference = (np.zeros((len(moves), 4), dtype=np.int64) for _ in range(2))
        buffer = np.zeros(rules.most_moves(), dtype=np.int64)
        replay(rules, rules.start(), moves, compiled, buffer)
        plain(replay)(rules, rules.start(), moves, reference, buffer)
        wrong = np.argwhere(compiled != reference)
        if len(wrong):
            row, column = wrong[0]
            what = ("result", "mover", "key", "number of moves")[column]
            played = rules.moves_text(moves[: row + 1].tolist())
            raise Broken(
                f"after {played} the {what} is {reference[row, column]} in plain Python "
                f"but {compiled[row, column]} compiled"
            )
    for depth in (1, 2):
        buffers = np.zeros((depth + 1, rules.most_moves()), dtype=np.int64)
        stop = np.zeros(1, dtype=np.int64)
        arguments = (rules, rules.start(), depth, buffers, stop)
        if count_games(*arguments) != plain(count_games)(*arguments):
            raise Broken(f"perft {depth} differs between plain Python and compiled code")


def check_searches(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Check that alpha-beta finds minimax's value and move."""
    for game in samples[:5]:
        for length in range(0, len(game), max(1, len(game) // 3)):
            position = Position(rules).play_codes(step.move for step in game[:length])
            limit = Limit(depth=2 if rules.most_moves() <= LARGE else 1)
            full, pruned = (
                Engine(search).analyse(position, limit) for search in (Minimax(), AlphaBeta())
            )
            if full.score is None or pruned.score is None:
                raise Broken(
                    f"a search of depth 2 has no score after {position.moves or 'no moves'}"
                )
            if (full.score.value, full.best_code) != (pruned.score.value, pruned.best_code):
                raise Broken(
                    f"minimax finds {full.best_move} {full.score} and alpha-beta {pruned.best_move} {pruned.score} "
                    f"after {position.moves or 'no moves'}"
                )


CLAUSES = (
    *PLAIN_CLAUSES,
    Clause("compiled: the same as in plain Python", True, check_compiled),
    Clause("searches: alpha-beta = minimax", False, check_searches),
)
