"""Puzzles of Reversi: positions near the end in which exactly one move wins, or exactly one does not lose.

They come from games of players who like corners and leave the opponent few moves, and otherwise play by the die. The solver proves every
claim. The grade says how hard a puzzle is to a person: where the heuristic alone would rank the solution, and how many wrong moves a search of
a few plies likes as well.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence
from typing import Any

from mnkala import Position, Rules, Score
from mnkala.errors import IllegalMove
from mnkala.explain.reason import Reason
from mnkala.explain.reasons import explain
from mnkala.numbers import counted
from mnkala.play.puzzle_contract import (
    MOST_STARS,
    Attempt,
    BadPuzzle,
    Goal,
    Grade,
    Maker,
    NotSolvedInTime,
    Puzzle,
    PuzzleFamily,
    rivals,
)
from mnkala.search import Analysis, Stop, parse_engine
from mnkala.solve.effort import Effort
from mnkala.solve.oracle import Oracle
from reversi.rules import Reversi
from reversi.solver import ReversiSolver

WIN, SAVE = "only-win", "only-draw"
NEEDED = {WIN: 1, SAVE: 0}
"""The least score that solves a puzzle of each kind."""
FEWEST_CELLS, MOST_CELLS = 5, 13
"""Free cells: with fewer there is little to find, with more a person can hardly work it out."""
FEWEST_MOVES = 4
"""Moves among which the solution has to be found."""
SHALLOW = parse_engine("deepening")


@dataclasses.dataclass(frozen=True)
class OneMove(Puzzle):
    """A position with one right move; the solution is that move and best play to the end."""

    kind: str

    @property
    def goal(self) -> str:
        return self.kind

    def task(self, left: Goal) -> Reason:
        return Reason(f"reversi.puzzle.task_{self.kind}", {"player": self.position.to_move})

    def answer(self) -> str:
        return f"{' '.join(self.solution)}  (looks like choice {self.grade.rank}, {counted(self.grade.tempting, 'tempting wrong move')})"

    def facts(self) -> dict[str, Any]:
        return {"kind": self.kind}


class ReversiPuzzles(PuzzleFamily):
    """The only move that keeps a result."""

    game = "reversi"
    texts = "reversi.puzzle"
    option = "kind"
    offered = (WIN, SAVE)
    boards = "Reversi on boards of any size"
    patience = 300

    def fits(self, rules: Rules) -> bool:
        return isinstance(rules, Reversi)

    def read_goals(self, text: str) -> tuple[str, ...]:
        """`only-win`, or several with commas."""
        goals = tuple(dict.fromkeys(word.strip() for word in text.split(",")))
        self.check_goals(goals)
        return goals

    def check_goals(self, goals: Sequence[Goal]) -> None:
        if not goals or not all(goal in NEEDED for goal in goals):
            raise BadPuzzle(f"puzzles of Reversi are of the kinds {', '.join(NEEDED)}")

    def in_words(self, goal: Goal) -> str:
        return f"of the kind {goal}"

    def maker(self, rules: Rules, stop: Stop) -> Maker:
        ReversiSolver.prepare(rules)
        SHALLOW.search.prepare(rules)
        return ReversiMaker(rules, stop)

    def read(self, entry: dict[str, Any]) -> OneMove:
        return OneMove(entry["game"], entry["moves"], tuple(entry["solution"]), Grade(**entry["grade"]), entry["kind"])

    # ---- Playing ----

    def left(self, position: Position, goal: Goal, played: Sequence[str]) -> Goal:
        """The kind, until the one move is made."""
        self.check_goals([goal])
        if played or position.is_over:
            raise IllegalMove("there is nothing left to try: a puzzle of Reversi is one move")
        return goal

    def attempt(self, oracle: Oracle, position: Position, left: Goal, move: str) -> Attempt:
        after, needed = position.play(move), NEEDED[str(left)]
        known = oracle.answer(after).before(position.mover)
        if known.lower < needed <= known.upper:
            raise NotSolvedInTime(f"what {move} is worth could not be proved")
        line = oracle.line(after, known.seen_by(after.mover))
        texts = (after.history[-1], *map(position.rules.move_text, line))
        right = known.lower >= needed
        return Attempt(after.history[-1], right, known, after, after, "" if right else left, () if right else texts)

    def solution(self, oracle: Oracle, position: Position, left: Goal) -> tuple[str, ...]:
        answer = oracle.answer(position)
        if answer.exact is None or answer.exact < NEEDED[str(left)]:
            raise NotSolvedInTime("no such move was found here")
        return tuple(map(position.rules.move_text, oracle.line(position, answer)))

    def reasons(self, position: Position, line: tuple[str, ...]) -> tuple[Reason, ...]:
        codes = tuple(position.rules.parse_moves(" ".join(line)))
        return explain(Analysis(position, "perfect", None, (), codes, depth=len(codes)))


class ReversiMaker(Maker):
    """Looks for positions with one right move."""

    def __init__(self, rules: Rules, stop: Stop) -> None:
        self.rules, self.stop = rules, stop
        self.solver = ReversiSolver(rules)
        self._seen: set[str] = set()

    def game(self, rng: random.Random) -> list[Position]:
        position, passed = Position(self.rules), []
        while not position.is_over:
            passed.append(position)
            moves = position.legal_codes
            likely = [1.1 ** (self.rules.prior(position.state(), move) / 20) for move in moves]
            position = position.play_codes(rng.choices(moves, likely))
        return passed

    def from_game(self, game: list[Position], wanted: set[Goal]) -> OneMove | None:
        """The later positions are looked at first: they are quick."""
        for position in reversed(game):
            free = self.solver.free_cells(position)
            if free > MOST_CELLS or self.stop.is_set():
                break
            if free >= FEWEST_CELLS and len(position.legal_codes) >= FEWEST_MOVES and (puzzle := self.from_position(position, wanted)):
                return puzzle
        return None

    def from_position(self, position: Position, wanted: set[Goal]) -> OneMove | None:
        """The puzzle that a position is, if it is one of a wanted kind and not what everybody would play."""
        with Effort(self.stop) as effort:
            oracle = Oracle(self.solver, None, effort)
            *_, proof = oracle.prove(position, moves="all", lines=False)
            scores = {move.code: move.score.exact for move in proof.moves}
            best = proof.score.exact
            if best is None or best < 0 or None in scores.values() or position.literal in self._seen:
                return None
            kind = WIN if best > 0 else SAVE
            right = [move for move, score in scores.items() if score is not None and score >= NEEDED[kind]]
            if kind not in wanted or len(right) != 1:
                return None
            self._seen.add(str(position.literal))
            line = oracle.line(position, Score.exactly(best, position.mover))
        rank, tempting = 1 + rivals(SHALLOW, position, right[0], 1), rivals(SHALLOW, position, right[0], 2)
        if rank == 1 and not tempting:
            return None
        grade = Grade(stars_for(rank, tempting, self.solver.free_cells(position)), rank, tempting)
        return OneMove(position.game, position.moves, tuple(map(self.rules.move_text, line)), grade, kind)


def stars_for(rank: int, tempting: int, free: int) -> int:
    """1 to 5: a point for each place below the best, each tempting wrong move, and every two free cells beyond the fewest; two a star."""
    points = min(rank - 1, 4) + min(tempting, 3) + (free - FEWEST_CELLS) // 2
    return min(MOST_STARS, 1 + points // 2)
