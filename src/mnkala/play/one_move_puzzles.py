"""Goals and puzzles that any game with a solver has. The goals are to win at once, to win, not to
lose, and to give nothing away. The puzzles are of one move: exactly one wins, or exactly one does
not lose.

A family derives from `OneMovePuzzles`, says which boards have such puzzles and which positions
are worth examining, and inherits the rest. Puzzles come from random games in which moves with a
higher prior (`Rules.prior`) are likelier. The solver proves every claim. The grade says how hard
a puzzle is for a person: where the heuristic alone would rank the solution, and how many wrong
moves a search of a few plies rates as high.
"""

from __future__ import annotations

import abc
import dataclasses
import random
from collections.abc import Sequence
from typing import Any, ClassVar

from mnkala.core import Position, Rules
from mnkala.core.score import Score
from mnkala.errors import IllegalMove
from mnkala.explain.contract import Reason
from mnkala.explain.reasons import explain
from mnkala.numbers import counted
from mnkala.play.puzzle_contract import (
    MOST_STARS,
    Attempt,
    Goal,
    Grade,
    Maker,
    NotSolvedInTime,
    Puzzle,
    PuzzleFamily,
    SolverGoals,
    rivals,
)
from mnkala.search import Analysis, Limit, Stop, parse_engine
from mnkala.solve import Solver, solver_for
from mnkala.solve.effort import Effort
from mnkala.solve.oracle import Oracle, check_open

AT_ONCE = "win-now"
GOALS: dict[Goal, int | None] = {AT_ONCE: 1, "win": 1, "hold": 0, "best": None}
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
        if (needed := GOALS[goal]) is None:
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


WIN, SAVE = "only-win", "only-draw"
NEEDED = {WIN: 1, SAVE: 0}
"""The least score that solves a puzzle of each kind."""
SHALLOW = parse_engine("deepening")
SHALLOW_DEPTH = 2
"""The number of plies that a person sees at a glance."""
PRIOR_BASE, PRIOR_STEP = 1.1, 20
"""In random games a move is likelier by this factor for each such step of its prior."""


@dataclasses.dataclass(frozen=True)
class OneMove(Puzzle):
    """A position with one right move. The solution is that move and best play to the end."""

    kind: str

    @property
    def goal(self) -> str:
        return self.kind

    def task(self, left: Goal) -> Reason:
        return Reason(f"one_move.task_{self.kind}", {"player": self.position.to_move})

    def answer(self) -> str:
        return f"{' '.join(self.solution)}  (looks like choice {self.grade.rank}, {counted(self.grade.tempting, 'tempting wrong move')})"

    def facts(self) -> dict[str, Any]:
        return {"kind": self.kind}


class OneMovePuzzles(ResultGoals, PuzzleFamily[Oracle]):
    """The only move that keeps a result."""

    texts = "one_move"
    option = "kind"
    offered = (WIN, SAVE)
    patience = 300
    trains: ClassVar = {
        "mistake.missed_now": (WIN,),
        "mistake.missed_win": (WIN,),
        "mistake.missed_block": (SAVE,),
        "mistake.missed_draw": (SAVE,),
        "mistake.allowed_double": (SAVE,),
    }

    @abc.abstractmethod
    def is_rich(self, position: Position, free: int) -> bool:
        """Whether a position with this many free cells offers enough to find, but not too much
        for a person."""

    def free_cells(self, position: Position) -> int:
        """How many cells are free."""
        return sum(
            cell == 0 for row in position.rules.picture(position.state()).cells for cell in row
        )

    def is_obvious(self, position: Position) -> bool:
        """Whether everybody would play the right move, so that the position is no puzzle."""
        return False

    def maker(self, rules: Rules, stop: Stop) -> Maker:
        self.prepare(rules)
        SHALLOW.search.prepare(rules)
        return OneMoveMaker(self, solver_for(rules)(rules), stop)

    def read(self, entry: dict[str, Any]) -> OneMove:
        return OneMove(
            entry["game"],
            entry["moves"],
            tuple(entry["solution"]),
            Grade(**entry["grade"]),
            entry["kind"],
        )

    def stars(self, grade: Grade, free: int) -> int:
        """Rate the difficulty from 1 to 5: a point for each place below the best, each tempting
        wrong move, and every four free cells; two points make a star."""
        points = min(grade.rank - 1, 4) + min(grade.tempting, 3) + free // 4
        return min(MOST_STARS, 1 + points // 2)

    # ---- Playing ----

    def left(self, position: Position, goal: Goal, played: Sequence[str]) -> Goal:
        """The kind of puzzle until the one move is made, then an empty text."""
        self.check_goals([goal])
        if played or position.is_over:
            raise IllegalMove("there is nothing left to try: this puzzle is one move")
        return goal

    def needed(self, judge: Oracle, position: Position, goal: Goal) -> int:
        return NEEDED[str(goal)]

    def attempt(self, judge: Oracle, position: Position, left: Goal, move: str) -> Attempt:
        tried = self.judged(judge, position, left, move)
        return dataclasses.replace(tried, left="") if tried.right else tried


class OneMoveMaker(Maker):
    """Looks for positions with one right move."""

    def __init__(self, puzzles: OneMovePuzzles, solver: Solver, stop: Stop) -> None:
        self.puzzles, self.solver, self.stop = puzzles, solver, stop
        self.rules = solver.rules
        self._seen: set[str] = set()

    def game(self, rng: random.Random) -> list[Position]:
        position, passed = Position(self.rules), []
        while not position.is_over:
            passed.append(position)
            moves = position.legal_codes
            likely = [
                PRIOR_BASE ** (self.rules.prior(position.state(), move) / PRIOR_STEP)
                for move in moves
            ]
            position = position.play_codes(rng.choices(moves, likely))
        return passed

    def from_game(self, game: list[Position], wanted: set[Goal]) -> OneMove | None:
        """Find the first puzzle in a game. Late positions come first, because they are quick to
        prove."""
        for position in reversed(game):
            if self.stop.is_set():
                break
            if self.puzzles.is_rich(position, self.puzzles.free_cells(position)) and (
                puzzle := self.from_position(position, wanted)
            ):
                return puzzle
        return None

    def from_position(self, position: Position, wanted: set[Goal]) -> OneMove | None:
        """Make a puzzle of a position; None if it is not of a wanted kind or everybody would
        play its solution."""
        if position.literal in self._seen or self.puzzles.is_obvious(position):
            return None
        with Effort(self.stop) as effort:
            oracle = Oracle(self.solver, None, effort)
            *_, proof = oracle.prove(position, moves="all", lines=False)
            scores = {move.code: move.score.exact for move in proof.moves}
            best = proof.score.exact
            if best is None or best < 0 or None in scores.values():
                return None
            kind = WIN if best > 0 else SAVE
            right = [
                move
                for move, score in scores.items()
                if score is not None and score >= NEEDED[kind]
            ]
            if kind not in wanted or len(right) != 1:
                return None
            line = oracle.line(position, Score.exactly(best, position.mover))
        rank, tempting = (
            1 + rivals(SHALLOW, position, right[0], 1),
            rivals(SHALLOW, position, right[0], SHALLOW_DEPTH),
        )
        if rank == 1 and not tempting:
            return None
        self._seen.add(str(position.literal))
        grade = Grade(1, rank, tempting)
        grade = dataclasses.replace(
            grade, stars=self.puzzles.stars(grade, self.puzzles.free_cells(position))
        )
        return OneMove(
            position.game, position.moves, tuple(map(self.rules.move_text, line)), grade, kind
        )
