"""Connect solved by plain negamax over the game's own rules: no pruning, no table, no ordering. The
judge of the exact solver.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from mnkala import Position
from mnkala.core import GOING_ON, Rules
from mnkala.core.score import Score
from mnkala.families.connect.solver.solver import ConnectSolver
from mnkala.native import kernel
from mnkala.native.objects import IntArray
from mnkala.solve.effort import Effort
from mnkala.solve.oracle import Oracle


@kernel
def plain_score(rules: Any, state: Any, empties: int, moves: IntArray, ply: int) -> int:
    """The score for the mover: r // 2 + 1 for who completes a line with r cells left."""
    result = rules.result(state)
    if result != GOING_ON:
        return result * (empties // 2 + 1)
    best = -1000
    count = rules.moves(state, moves[ply * rules.cols :])
    for i in range(count):
        move = moves[ply * rules.cols + i]
        child = rules.play(state, move)
        best = max(best, -plain_score(rules, child, empties - 1, moves, ply + 1))
        rules.undo(child, move)
    return best


def plain_solve(position: Position) -> int:
    """The exact score by brute force."""
    rules: Any = position.rules
    cells = rules.rows * rules.cols
    empties = cells - rules.discs(position.state())
    return int(
        plain_score(
            rules, position.state(), empties, np.zeros((cells + 1) * rules.cols, np.int64), 0
        )
    )


def random_positions(rules: Rules, count: int, empties: range, seed: int) -> Iterator[Position]:
    """Positions with so many empty cells, from random play that shuns the end of the game: few
    games would get so far otherwise.
    """
    dice = random.Random(seed)
    cells = rules.longest_game()
    while count:
        position = Position(rules)
        for _ in range(cells - dice.choice(empties)):
            after = [position.play_codes((move,)) for move in position.legal_codes]
            going_on = [next_position for next_position in after if not next_position.is_over]
            position = dice.choice(going_on or [position])
        if cells - len(position.history) in empties:
            count -= 1
            yield position


def all_moves(solver: ConnectSolver, position: Position) -> dict[int, Score]:
    """Every move with what the solver finds, without a book."""
    with Effort() as effort:
        *_, exact = Oracle(solver, None, effort).prove(position, lines=False)
    return {known.code: known.score for known in exact.moves}


def best_line(solver: ConnectSolver, position: Position, score: int) -> tuple[int, ...]:
    """Best play to the end, without a book."""
    with Effort() as effort:
        return Oracle(solver, None, effort).line(position, Score.exactly(score, position.mover))


def true_scores(moves: str, game: str = "connect4") -> dict[str, int]:
    """What the solver itself says of every move after these, by name."""
    position = Position(game).play(moves)
    found = all_moves(ConnectSolver(position.rules), position)
    return {position.rules.move_text(move): known.lower for move, known in found.items()}
