"""Players that do not search: random play, greedy play (report 001), and play by five rules (report
001 after Zain et al. 2020).

The rules are plain Python, and look at one position only. In games of lines: 1. win if you can; 2.
block; 3. make a fork; 4. deny a fork;
5. the move with the most open lines.
In other games their natural reading: 1. win if you can; 2. leave no win to the opponent; 3. move
again; 4. gain the most by the game's own heuristic, as a capture does; 5. keep the most moves.
"""

from __future__ import annotations

import dataclasses
import random
import time
from typing import Any

import numpy as np

from mnkala.core import Position, Rules
from mnkala.core.grid import DIRECTIONS
from mnkala.native import kernel
from mnkala.native.objects import IntArray
from mnkala.search.analysis import Analysis
from mnkala.search.buffers import EVALUATIONS, NODES, make_buffers
from mnkala.search.candidates import ALL, parse_candidates
from mnkala.search.engine import HeuristicSearch, Search, register_search
from mnkala.search.heuristic import Nothing, heuristic_for
from mnkala.search.limit import Limit, Stop
from mnkala.search.root import Root, RootNode, Task

# ---- Random play: the weakest opponent, and the baseline of every measurement ----


@dataclasses.dataclass(frozen=True)
class Random(Search):
    """Plays legal moves at random."""

    name = "random"
    seed: int = -1
    """Makes the moves repeatable: the same position gets the same move. With -1 they vary."""

    def prepare(self, rules: Rules) -> None:
        """Do nothing: this search has no kernels."""

    def most_nodes(self, rules: Rules, limit: Limit) -> float:
        return 1

    def run(self, task: Task) -> Analysis:
        moves = task.position.legal_codes
        fixed = (
            None
            if self.seed < 0
            else f"{self.seed}:{task.position.game}:{task.position.history_codes}"
        )
        choice = random.Random(fixed).choice(moves)
        return Analysis(
            task.position,
            task.engine,
            score=None,
            moves=(),
            line_codes=(choice,),
            nodes=1,
            held=1,
            seconds=time.perf_counter() - task.started,
        )


register_search(Random)


# ---- Greedy best-first play (report 001): the move that the heuristic likes best ----


@kernel
def score_moves(
    rules: Any, heuristic: Any, state: Any, memory: Any, moves: IntArray, scores: IntArray
) -> int:
    """Write the heuristic's score of every move."""
    for i in range(len(moves)):
        scores[i] = heuristic.score_move(rules, state, moves[i], memory)
    return len(moves)


@dataclasses.dataclass(frozen=True)
class Greedy(HeuristicSearch):
    """Plays the move with the best heuristic score (report 001's pure greedy player)."""

    name = "greedy"

    def most_nodes(self, rules: Rules, limit: Limit) -> float:
        return rules.most_moves()

    def run(self, task: Task) -> Analysis:
        buffers = make_buffers(task.rules, 1, task.stop)
        root = Root(task, self.heuristic_for(task.rules), self.candidates_for(task.rules), buffers)
        moves = np.array([node.move for node in root.nodes], dtype=np.int64)
        scores = np.zeros(len(moves), dtype=np.int64)
        score_moves(root.rules, root.heuristic, root.state, root.memory, moves, scores)
        buffers.counters[NODES] = buffers.counters[EVALUATIONS] = len(moves)
        root.nodes = [
            RootNode(int(move), int(score), "exact", False, (int(move),))
            for move, score in zip(moves, scores, strict=True)
        ]
        best = max(root.nodes, key=lambda node: node.value)
        return root.analysis(best, 1, held=1)


register_search(Greedy)


# ---- Five rules ----


LINE_RULES = ("wins", "blocks", "makes a fork", "denies a fork", "has the most open lines")
GENERAL_RULES = ("wins", "leaves no win", "moves again", "gains the most", "keeps the most moves")


@dataclasses.dataclass(frozen=True)
class RuleBased(Search):
    """Five rules and no search (report 001): win, block, fork, deny a fork, most open lines."""

    name = "rules"
    candidates: str = "auto"
    """Which moves are considered: all, near:R, or auto for the game's own choice."""

    def prepare(self, rules: Rules) -> None:
        """Compile the choice of candidates; the rules themselves run in plain Python."""
        if parse_candidates(self.candidates, rules).kind != ALL:
            self._moves(Task(Position(rules), Limit(), Stop(), lambda analysis: None, engine=""))

    def run(self, task: Task) -> Analysis:
        moves = self._moves(task)
        in_lines = hasattr(task.rules, "line") and hasattr(task.rules, "cell_of")
        grade, names = (
            (grade_in_lines, LINE_RULES) if in_lines else (grade_in_general, GENERAL_RULES)
        )
        grades = {move: grade(task.position, move) for move in moves}
        best = max(moves, key=lambda move: grades[move])
        # The rule that decided: the first by which the best move does better than some other.
        rule = next(
            (
                number
                for number, worth in enumerate(grades[best])
                if any(worth > other[number] for other in grades.values())
            ),
            4,
        )
        return Analysis(
            task.position,
            task.engine,
            score=None,
            moves=(),
            line_codes=(best,),
            depth=1,
            nodes=len(moves),
            evaluations=len(moves),
            held=1,
            seconds=time.perf_counter() - task.started,
            note=f"rule {rule + 1}: {task.rules.move_text(best)} {names[rule]}",
        )

    def _moves(self, task: Task) -> list[int]:
        root = Root(
            task,
            Nothing(),
            parse_candidates(self.candidates, task.rules),
            make_buffers(task.rules, 1, task.stop),
        )
        return [node.move for node in root.nodes]


def grade_in_lines(position: Position, move: int) -> tuple[int, ...]:
    """Grade a move in a game of lines by each of the five rules, in their order."""
    rules: Any = position.rules
    owners = np.array(rules.picture(position.state()).cells)[::-1]
    row, col = divmod(int(rules.cell_of(position.state(), move)), rules.cols)
    mine, theirs = (
        window_marks(owners, row, col, rules.line, 1 + player)
        for player in (position.mover, 1 - position.mover)
    )
    wins = position.play_codes([move]).outcome is not None and rules.line - 1 in mine
    return (
        int(wins),
        int(rules.line - 1 in theirs),
        int(mine.count(rules.line - 2) > 1),
        int(theirs.count(rules.line - 2) > 1),
        len(mine),
    )


def window_marks(owners: np.ndarray, row: int, col: int, line: int, owner: int) -> list[int]:
    """The number of the owner's marks in each window through a cell that contains none of the
    opponent's."""
    rows, cols = owners.shape
    found = []
    for step_row, step_col in DIRECTIONS:
        for back in range(line):
            cells = [
                (row + (i - back) * step_row, col + (i - back) * step_col) for i in range(line)
            ]
            if all(0 <= r < rows and 0 <= c < cols for r, c in (cells[0], cells[-1])):
                marks = [owners[cell] for cell in cells]
                if all(mark in (0, owner) for mark in marks):
                    found.append(sum(mark == owner for mark in marks))
    return found


def grade_in_general(position: Position, move: int) -> tuple[int, ...]:
    """Grade a move by each of the five rules, in their order, in games without lines."""
    after = position.play_codes([move])
    mover = position.mover
    if after.outcome is not None:
        return (
            (1, 1, 0, 0, 0)
            if after.outcome.winner == mover
            else (0, int(after.outcome.winner is None), 0, 0, 0)
        )
    safe = (
        all(
            reply.outcome is None or reply.outcome.winner != 1 - mover
            for reply in (after.play_codes([code]) for code in after.legal_codes)
        )
        or after.mover == mover
    )
    heuristic = heuristic_for(position.rules.heuristic, position.rules)
    sign = 1 if after.mover == mover else -1
    with np.errstate(over="ignore"):  # words lose their carry, as in compiled code
        gain = sign * int(heuristic.evaluate(position.rules, after.state()))
    return (0, int(safe), int(after.mover == mover), gain, len(after.legal_codes))


register_search(RuleBased)
