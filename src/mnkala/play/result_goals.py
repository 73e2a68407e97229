"""Goals that every game with a solver has: win at once, win, do not lose, give nothing away."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from mnkala.core import Position
from mnkala.errors import IllegalMove
from mnkala.explain.contract import Reason
from mnkala.explain.reasons import explain
from mnkala.play.puzzle_contract import Attempt, Goal, NotSolvedInTime, SolverGoals
from mnkala.search import Analysis, Limit, parse_engine
from mnkala.solve.oracle import Oracle, check_open

AT_ONCE = "win-now"
NEEDED: dict[Goal, int | None] = {AT_ONCE: 1, "win": 1, "hold": 0, "best": None}
"""The least score that reaches a goal; for the best, that of the position."""
DEFENDER = parse_engine("perfect")
"""The engine that defends. Among equally long defences it chooses the one that is hardest to meet."""
DEFENDER_NODES = 3_000_000
"""The nodes of the defender: some seconds at most, and always the same answer."""


class ResultGoals(SolverGoals):
    """The result of a game, or its exact score, to be reached or kept."""

    def left(self, position: Position, goal: Goal, played: Sequence[str]) -> Goal:
        if position.is_over:
            raise IllegalMove("there is nothing left to try: the game is over")
        check_open(position)
        return goal

    def needed(self, judge: Oracle, position: Position, goal: Goal) -> int:
        """The least score with which the player to move reaches a goal."""
        if (needed := NEEDED[goal]) is None:
            needed = judge.answer(position).exact
        if needed is None:
            raise NotSolvedInTime("what this position is worth could not be proved")
        return needed

    def attempt(self, judge: Oracle, position: Position, left: Goal, move: str) -> Attempt:
        tried, answered = self.judged(judge, position, left, move), position.play(move)
        if not tried.right:
            return tried
        while not answered.is_over and answered.mover != position.mover:
            limit = Limit(nodes=DEFENDER_NODES, stop=judge.effort.stop)
            answered = answered.play(DEFENDER.analyse(answered, limit).best_move)
        return dataclasses.replace(tried, answered=answered, left="" if answered.is_over else left)

    def judged(self, judge: Oracle, position: Position, left: Goal, move: str) -> Attempt:
        """Judge a move, before the opponent replies to a right one."""
        after, needed = position.play(move), self.needed(judge, position, left)
        answer = judge.answer(after)
        known = answer.before(position.mover)
        if known.lower < needed <= known.upper:
            raise NotSolvedInTime(f"what {move} is worth could not be proved")
        right = known.lower >= needed and (after.is_over or left != AT_ONCE)
        line = judge.line(after, answer) if not right and answer.exact is not None else ()
        texts = (after.history[-1], *map(position.rules.move_text, line))
        return Attempt(texts[0], right, known, after, after, left, () if right else texts)

    def solution(self, judge: Oracle, position: Position, left: Goal) -> tuple[str, ...]:
        answer = judge.answer(position)
        if answer.exact is None or answer.exact < self.needed(judge, position, left):
            raise NotSolvedInTime("no such move was found here")
        return tuple(map(position.rules.move_text, judge.line(position, answer)))

    def reasons(self, position: Position, line: tuple[str, ...]) -> tuple[Reason, ...]:
        codes = tuple(position.rules.parse_moves(" ".join(line)))
        return explain(Analysis(position, "perfect", None, (), codes, depth=len(codes)))
