"""What is exactly known of every move of a Connect position, told while the solver works on it.

An analysis by a heuristic search gives a number for each move at once and improves it. A solver knows bounds: *between -2 and 3*. They
close in, column after column, and where they meet the score is proved. What the book knows is told first. Then comes the position
itself, for its score bounds that of every move; then the moves, the middle ones first; then the lines that best play makes of them.
The page and the terminal show the same `Exact`.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any

from mnkala.errors import BadPosition
from mnkala.games import Position, Rules
from mnkala.play.reason import Reason
from mnkala.play.verdicts import verdict
from mnkala.search import Score, Stop
from mnkala.solve import Solution, prepare, solvable
from mnkala.solve.book import open_book
from mnkala.solve.connect.solver import SOLVED
from mnkala.solve.kept import lent_solver
from mnkala.solve.questions import Allowance, Questions, empty_cells

BY_RULES, BY_BOOK, BY_SOLVER, OPEN = "rules", "book", "solved", "open"
"""Where a score comes from: the move ends the game, the book has it, the solver proved it; or it is not known yet."""


@dataclasses.dataclass(frozen=True)
class Known:
    """What is known of one move, for the player who makes it."""

    move: int
    lower: int
    upper: int
    empties: int
    """Free cells before the move."""
    source: str = OPEN
    line: tuple[int, ...] = ()
    """The move and best play after it, as far as it was followed: proved."""
    reasons: tuple[Reason, ...] = ()
    """Why it is good or bad."""

    @property
    def solution(self) -> Solution:
        """As the solver says it."""
        return Solution(self.lower, self.upper, self.empties)

    @property
    def score(self) -> int | None:
        """The exact score, once the bounds meet."""
        return self.lower if self.lower == self.upper else None

    def to_json(self, rules: Rules) -> dict[str, Any]:
        """As the server tells it."""
        return {"move": rules.move_text(self.move), **bounds_json(self.lower, self.upper, self.empties), "source": self.source,
                "line": [rules.move_text(code) for code in self.line], "reasons": [reason.to_json() for reason in self.reasons]}


@dataclasses.dataclass(frozen=True)
class Exact:
    """Everything that is proved of a position by now. Scores are for its mover."""

    position: Position
    lower: int
    upper: int
    moves: tuple[Known, ...]
    """Every legal move, from the left."""
    line: tuple[int, ...] = ()
    """Best play by both sides, proved, as far as it was followed."""
    nodes: int = 0
    seconds: float = 0.0
    done: bool = False
    """Whether every score is exact."""

    @property
    def empties(self) -> int:
        """Free cells."""
        return self.moves[0].empties

    @property
    def score(self) -> Score:
        """The position's score, or the bound that says most."""
        return Solution(self.lower, self.upper, self.empties).as_score(self.position.mover)

    @property
    def best(self) -> tuple[int, ...]:
        """The moves that are proved to be best."""
        return tuple(known.move for known in self.moves if self.lower == self.upper == known.lower)

    def to_json(self) -> dict[str, Any]:
        """As the server tells it."""
        rules = self.position.rules
        return {**bounds_json(self.lower, self.upper, self.empties), "scores": [known.to_json(rules) for known in self.moves],
                "best": [rules.move_text(move) for move in self.best], "line": [rules.move_text(move) for move in self.line],
                "nodes": self.nodes, "seconds": round(self.seconds, 3), "done": self.done}


def bounds_json(lower: int, upper: int, empties: int) -> dict[str, Any]:
    """Bounds, and what they mean."""
    solution = Solution(lower, upper, empties)
    return {"lower": lower, "upper": upper, "score": solution.score, "result": solution.result, "plies": solution.plies}


# ---- The question ----


def exact(position: Position, report: Callable[[Exact], None] = lambda found: None, stop: Stop | None = None, *,
          seconds: float | None = None) -> Exact:
    """Solve every move of a position; `report` hears of everything that is new, until `stop` is raised or the time is up."""
    check_solvable(position)
    book = open_book(position.rules)
    with lent_solver(position.rules) as solver, Allowance(stop or Stop()) as allowance:
        question = _Question(position, PatientQuestions(solver, book, allowance), report)
        question.ask_book()
        prepare()
        allowance.extend(until=None if seconds is None else time.perf_counter() + seconds, nodes=None)
        question.ask_solver()
        question.follow_lines()
        return question.found


def check_solvable(position: Position) -> None:
    """Raise an error that says why, if a position cannot be solved."""
    if not solvable(position.rules):
        raise BadPosition(f"{position.game} cannot be solved exactly; Connect boards with columns x (rows + 1) of at most 64 can")
    if position.is_over:
        raise BadPosition(f"the game is over ({position.outcome}); there is nothing to solve")


class PatientQuestions(Questions):
    """Questions of somebody who waits and can stop when he likes: lines of play are followed to their end, whatever that costs."""

    def is_cheap(self, position: Position, score: int = 0) -> bool:
        return True


class _Question:
    """One position being solved: what is known grows, and every growth is reported."""

    def __init__(self, position: Position, questions: Questions, report: Callable[[Exact], None]) -> None:
        self.position, self.questions, self.report = position, questions, report
        self.empties = empty_cells(position)
        self.started = time.perf_counter()
        low, high = -(self.empties // 2), (self.empties + 1) // 2
        self.found = Exact(position, low, high, tuple(Known(move, low, high, self.empties) for move in position.legal_codes))

    def note(self, spent: int = 0, **news: Any) -> None:
        """Keep what is new, let every bound tell the others what follows from it, and report. `spent`: nodes of the open question."""
        nodes = self.questions.allowance.spent + spent
        found = dataclasses.replace(self.found, nodes=nodes, seconds=time.perf_counter() - self.started, **news)
        lower = max([found.lower, *(known.lower for known in found.moves)])
        upper = min(found.upper, max(known.upper for known in found.moves))
        moves = tuple(dataclasses.replace(known, upper=max(known.lower, min(known.upper, upper))) for known in found.moves)
        self.found = dataclasses.replace(found, lower=lower, upper=upper, moves=moves, done=all(known.score is not None for known in moves))
        self.report(self.found)

    def learn(self, move: int, spent: int = 0, **news: Any) -> None:
        """Something new of one move."""
        self.note(spent, moves=tuple(dataclasses.replace(known, **news) if known.move == move else known for known in self.found.moves))

    def ask_book(self) -> None:
        """What costs nothing: moves that end the game, and what the quick book has of this position and of those after it."""
        book = self.questions.quick_book
        for known in self.found.moves:
            after = self.position.play_codes((known.move,))
            if after.is_over:
                score = self.questions.ask(after).lower
                self.learn(known.move, lower=-score, upper=-score, source=BY_RULES, line=(known.move,))
            elif book is not None and (bounds := book.bounds(after)) is not None:
                self.learn(known.move, lower=-bounds[1], upper=-bounds[0], source=BY_BOOK if bounds[0] == bounds[1] else OPEN)
        whole = None if book is None else book.bounds(self.position)
        self.note(**({} if whole is None else {"lower": whole[0], "upper": whole[1]}))

    def ask_solver(self) -> None:
        """The position's own score, then every move's that is still open, from the middle outwards."""
        if self.found.lower < self.found.upper:
            whole = self.questions.ask(self.position, within=(self.found.lower, self.found.upper),
                                       report=lambda now: self.note(now.nodes, lower=now.lower, upper=now.upper))
            self.note(lower=max(self.found.lower, whole.lower), upper=min(self.found.upper, whole.upper))
        for move in self.questions.by_centre(self.position):
            known = next(known for known in self.found.moves if known.move == move)
            if known.score is None and not self.questions.allowance.is_over():
                self._solve_move(known)

    def _solve_move(self, known: Known) -> None:
        def heard(now: Solution, nodes: int) -> None:
            source = OPEN if now.score is None else BY_SOLVER if now.source == SOLVED else BY_BOOK
            self.learn(known.move, nodes, lower=-now.upper, upper=-now.lower, source=source)

        answer = self.questions.ask(self.position.play_codes((known.move,)), within=(-known.upper, -known.lower),
                                    report=lambda now: heard(now, now.nodes))
        if answer.source != SOLVED:
            heard(answer, 0)

    def follow_lines(self) -> None:
        """Why every move whose score is known is good or bad, and best play after it: the best moves' lines first."""
        self.note(moves=tuple(dataclasses.replace(known, reasons=self._reasons(known.move, known.line)) for known in self.found.moves))
        for known in sorted(self.found.moves, key=lambda known: -known.lower):
            if known.score is None or self.questions.allowance.is_over():
                continue
            after = self.position.play_codes((known.move,))
            line = known.line or (known.move, *self.questions.line(after, -known.score))
            if known.move in self.found.best and not self.found.line:
                self.found = dataclasses.replace(self.found, line=line)
            self.learn(known.move, line=line, reasons=self._reasons(known.move, line))

    def _reasons(self, move: int, line: tuple[int, ...]) -> tuple[Reason, ...]:
        mover = self.position.mover
        return verdict(self.position, move, {known.move: known.solution.as_score(mover) for known in self.found.moves}, line)
