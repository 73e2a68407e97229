"""What is exactly known of every move of a Connect position, told while the solver works on it.

An analysis by a heuristic search gives a number for each move at once and improves it. A solver knows bounds: *between -2 and 3*. They
close in, column after column, and where they meet the score is proved. What the book knows is told first. Then comes the position
itself, for its score bounds that of every move; then the moves, the middle ones first; then the lines that best play makes of them.
The page and the terminal show the same `Exact`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from mnkala.errors import BadPosition
from mnkala.games import Position, Rules
from mnkala.search import Score, Stop
from mnkala.solve import ConnectSolver, Solution, plies_to_end, solvable

BY_RULES, BY_BOOK, BY_SOLVER, OPEN = "rules", "book", "solved", "open"
"""Where a score comes from: the move ends the game, the book has it, the solver proved it; or it is not known yet."""
TABLE_MB = 128
"""Memory of a solver at most; a question takes only what it needs of it."""
KEPT = 2
"""Solvers that are kept with what they learnt, for a game's next question."""
LONGEST_LINE = 42


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
                "line": [rules.move_text(code) for code in self.line]}


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
        return {**bounds_json(self.lower, self.upper, self.empties), "columns": [known.to_json(rules) for known in self.moves],
                "best": [rules.move_text(move) for move in self.best], "line": [rules.move_text(move) for move in self.line],
                "nodes": self.nodes, "seconds": round(self.seconds, 3), "done": self.done}


def bounds_json(lower: int, upper: int, empties: int) -> dict[str, Any]:
    """Bounds, and what they mean."""
    solution = Solution(lower, upper, empties)
    return {"lower": lower, "upper": upper, "score": solution.score, "result": solution.result, "plies": solution.plies}


# ---- Solvers that are kept ----

_idle: list[ConnectSolver] = []
_lock = threading.Lock()


@contextlib.contextmanager
def a_solver(rules: Rules) -> Iterator[ConnectSolver]:
    """A solver of this board for one thread: one that has worked on it before, if there is any."""
    game = rules.game_string()
    with _lock:
        found = next((solver for solver in _idle if solver.rules.game_string() == game), None)
        if found is not None:
            _idle.remove(found)
    solver = found or ConnectSolver(rules, table_mb=TABLE_MB)
    try:
        yield solver
    finally:
        with _lock:
            _idle.append(solver)
            del _idle[:-KEPT]


# ---- The question ----


def exact(position: Position, report: Callable[[Exact], None] = lambda found: None, stop: Stop | None = None, *, lines: bool = True) -> Exact:
    """Solve every move of a position; `report` hears of everything that is new, until `stop` is raised."""
    if not solvable(position.rules):
        raise BadPosition(f"{position.game} cannot be solved exactly: Connect boards of columns x (rows + 1) <= 64 can")
    if position.is_over:
        raise BadPosition(f"the game is over ({position.outcome}); there is nothing to solve")
    with a_solver(position.rules) as solver:
        question = _Question(position, solver, stop or Stop(), report)
        question.ask_book()
        question.ask_solver()
        if lines:
            question.follow_lines()
        return question.found


class _Question:
    """One position being solved: what is known grows, and every growth is reported."""

    def __init__(self, position: Position, solver: ConnectSolver, stop: Stop, report: Callable[[Exact], None]) -> None:
        self.position, self.solver, self.stop, self.report = position, solver, stop, report
        self.rules = position.rules
        self.empties = solver.shape.rows * solver.shape.cols - int(position.state().all).bit_count()
        self.started = time.perf_counter()
        self.nodes = 0
        low, high = -(self.empties // 2), (self.empties + 1) // 2
        self.found = Exact(position, low, high, tuple(self._first(move, low, high) for move in position.legal_codes))

    def _first(self, move: int, low: int, high: int) -> Known:
        """What the rules alone say: a move that ends the game is known."""
        after = self.position.play_codes((move,))
        if not after.is_over:
            return Known(move, low, high, self.empties)
        score = -int(self.rules.exact_score(after.state(), int(self.rules.result(after.state())), 0))
        return Known(move, score, score, self.empties, BY_RULES, (move,))

    def note(self, spent: int = 0, **news: Any) -> None:
        """Keep what is new, let every bound tell the others what follows from it, and report."""
        found = dataclasses.replace(self.found, nodes=self.nodes + spent, seconds=time.perf_counter() - self.started, **news)
        lower = max(found.lower, *(known.lower for known in found.moves)) if len(found.moves) > 1 else max(found.lower, found.moves[0].lower)
        upper = min(found.upper, max(known.upper for known in found.moves))
        moves = tuple(dataclasses.replace(known, upper=max(known.lower, min(known.upper, upper))) for known in found.moves)
        self.found = dataclasses.replace(found, lower=lower, upper=upper, moves=moves, done=all(known.score is not None for known in moves))
        self.report(self.found)

    def learn(self, move: int, spent: int = 0, **news: Any) -> None:
        """Something new of one move."""
        self.note(spent, moves=tuple(dataclasses.replace(known, **news) if known.move == move else known for known in self.found.moves))

    # ---- Book, solver ----

    def ask_book(self) -> None:
        """What the book has of this position and of those after it."""
        self.note()

    def ask_solver(self) -> None:
        """The position's own score, then every move's that is still open, from the middle outwards."""
        if self.found.lower < self.found.upper:
            whole = self.solver.solve(self.position, stop=self.stop, within=(self.found.lower, self.found.upper),
                                      report=lambda now: self.note(now.nodes, lower=now.lower, upper=now.upper))
            self.nodes += whole.nodes
        middle = (self.solver.shape.cols - 1) / 2
        for move in sorted((known.move for known in self.found.moves), key=lambda move: abs(move - middle)):
            if self.stop.is_set():
                return
            known = next(known for known in self.found.moves if known.move == move)
            if known.score is None:
                self._solve_move(known)

    def _solve_move(self, known: Known) -> None:
        def heard(now: Solution) -> None:
            source = BY_SOLVER if now.score is not None else OPEN
            self.learn(known.move, now.nodes, lower=-now.upper, upper=-now.lower, source=source)

        after = self.position.play_codes((known.move,))
        self.nodes += self.solver.solve(after, stop=self.stop, within=(-known.upper, -known.lower), report=heard).nodes

    # ---- Lines ----

    def follow_lines(self) -> None:
        """Best play after every move whose score is known: the best moves' lines first."""
        known = [each for each in self.found.moves if each.score is not None and len(each.line) <= 1]
        for each in sorted(known, key=lambda each: -each.lower):
            if self.stop.is_set():
                return
            line = each.line or self._line(each)
            news: dict[str, Any] = {} if self.found.line or each.move not in self.found.best else {"line": line}
            self.note(moves=tuple(dataclasses.replace(other, line=line) if other.move == each.move else other for other in self.found.moves),
                      **news)

    def _line(self, known: Known) -> tuple[int, ...]:
        after = self.position.play_codes((known.move,))
        return (known.move, *self.solver.line(after, stop=self.stop, longest=LONGEST_LINE))
