"""Labels for the positions of a data set: the exact score, or an engine's evaluation.

`label_lines` is a job for `mnkala.jobs`. Exact scores of Connect and Kalah come from the book where
it reaches, and otherwise from the kernel that solves many positions, each with an empty table;
those of other games come from their solver. An answer therefore depends on its position alone, not
on which worker found it or when.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from mnkala.core import Position, Rules, parse_game
from mnkala.core.score import Score
from mnkala.dataset.sampling import positions_by_ply
from mnkala.errors import BadEngine, MnkalaError
from mnkala.search import Engine, parse_engine
from mnkala.solve import solver_for
from mnkala.solve.books import open_book
from mnkala.solve.many import boards_of, solve_slices, solves_many
from mnkala.solve.oracle import out_of_reach
from mnkala.solve.solver import Cost
from mnkala.solve.solver_pool import lent_solver

EXACT = "exact"
RESULTS = {"win": 1, "draw": 0, "loss": -1, "unknown": None}
LOOKED_AT = 20
"""The number of positions of each ply that are solved to see how long that takes."""
MOST_DEAR = 0.1
"""The share of these positions that may take longer than a moment."""

Rows = dict[str, list[Any]]
"""Columns of a table, by name."""


def label_lines(game: str, label: str, lines: list[list[int]]) -> Rows:
    """Label some positions, given by their moves; a job for `mnkala.jobs`."""
    rules = parse_game(game)
    positions = [Position(rules).play_codes(line) for line in lines]
    rows: Rows = {"board": [position.to_array(position.mover).ravel().tolist() for position in positions],
                  "to_move": [position.mover for position in positions], "ply": [len(line) for line in lines],
                  "moves": [position.moves for position in positions]}
    return rows | (exact_scores(positions, rules) if label == EXACT else opinions(positions, engine_of(label)))


# ---- Exact scores ----


def exact_scores(positions: Sequence[Position], rules: Rules) -> Rows:
    """Scores for the player to move, and what they mean: 1 won, 0 drawn, -1 lost."""
    solver, book = solver_for(rules)(rules, table_mb=1), open_book(rules)
    scores: list[int | None] = []
    for position in positions:
        known = solver.from_book(position, book)
        scores.append(None if known is None else known.exact)
    left = [position for position, score in zip(positions, scores, strict=True) if score is None]
    earliest = min(left, key=lambda position: len(position.history_codes), default=None)
    if earliest is not None and (why := out_of_reach(earliest)) is not None:
        raise MnkalaError(f"{why}: {earliest.moves or 'the start'}")
    solved = iter(_solved(left, rules))
    found = [next(solved) if score is None else score for score in scores]
    return {"score": found, "result": [(score > 0) - (score < 0) for score in found]}


def _solved(positions: Sequence[Position], rules: Rules) -> list[int]:
    if solves_many(rules) is not None:
        return [int(score) for scores, _ in solve_slices(boards_of(positions, rules), rules, threads=1) for score in scores]
    with lent_solver(rules) as solver:
        answers = [solver.solve(position).score.exact for position in positions]
    if None in answers:
        raise MnkalaError(f"the solver {solver.name} has found no score of {positions[answers.index(None)].moves or 'the start'}")
    return [score for score in answers if score is not None]


def first_quick_ply(rules: Rules, seed: int) -> int:
    """The first ply from which nearly all positions of random games can be solved in a moment.

    Books do not count, so that the answer is the same on every machine.
    """
    solver, last_dear = solver_for(rules)(rules, table_mb=1), -1
    for ply, positions in positions_by_ply(rules, seed, LOOKED_AT):
        if sum(solver.cost(position) is not Cost.AT_ONCE for position in positions) > MOST_DEAR * len(positions):
            last_dear = ply
    return last_dear + 1


# ---- An engine's evaluation ----


@functools.lru_cache(maxsize=1)
def engine_of(label: str) -> Engine:
    """The engine that a label names, kept for the next job. It must have a limit that ends its
    search."""
    return parse_engine(label, programs=True)


def check_label(label: str, rules: Rules) -> None:
    """Raise an error with the reason if positions of a game cannot be labelled in this way."""
    if label == EXACT:
        solver_for(rules)
        return
    try:
        engine_of(label).search.check(rules)
    except MnkalaError as error:
        raise BadEngine(f"--label {label}: {error}; a label is {EXACT} or an engine string, such as deepening:nodes=10000") from None


def opinions(positions: Sequence[Position], engine: Engine) -> Rows:
    """Evaluate positions with an engine: the score for the player to move and its kind, the result
    if it is proved, and the move."""
    rows: Rows = {"score": [], "kind": [], "result": [], "best": []}
    for position in positions:
        found = engine.analyse(position)
        score = None if found.score is None else found.score.seen_by(position.mover)
        rows["score"].append(None if score is None else score.value)
        rows["kind"].append(None if score is None else _kind(score))
        rows["result"].append(None if score is None else RESULTS[score.result])
        rows["best"].append(found.line_codes[0])
    return rows


def _kind(score: Score) -> str:
    """Whether a number is exact, a bound (lower, upper), or a heuristic's."""
    if score.exact is not None:
        return "exact"
    if score.is_proved or score.at is not None:
        return "lower" if score.value == score.lower or score.at == "least" else "upper"
    return "heuristic"
