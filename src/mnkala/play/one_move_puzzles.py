"""Puzzles of one move, for any game with a solver: exactly one move wins, or exactly one does
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
from mnkala.numbers import counted
from mnkala.play.puzzle_contract import (
    MOST_STARS,
    Attempt,
    Goal,
    Grade,
    Maker,
    Puzzle,
    PuzzleFamily,
    rivals,
)
from mnkala.play.result_goals import ResultGoals
from mnkala.search import Stop, parse_engine
from mnkala.solve import Solver, solver_for
from mnkala.solve.effort import Effort
from mnkala.solve.oracle import Oracle

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
        """The difficulty from 1 to 5: a point for each place below the best, each tempting wrong
        move, and every four free cells; two points make a star."""
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
