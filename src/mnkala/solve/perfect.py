"""The perfect player: the book first, an exact solver beyond it, and the hardest task for the opponent among equal moves.

1. The score of the position is found, and its bounds are told while they close in.
2. A move that keeps the score is as good as any. Of several, that one is played after which the most replies spoil something (a draw, a
   win, or the longest defence), because opponents err; then the one nearest to the centre.
3. Where the clock is too short for an answer, half of it is kept for the strongest heuristic search, which then chooses the move, and
   the note says so.
"""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Callable

from mnkala.errors import BadEngine
from mnkala.games import Position, Rules
from mnkala.native.compiled import mark_compiled
from mnkala.native.objects import source_digest
from mnkala.search.analysis import Analysis, RootMove
from mnkala.search.deepening import MOST_THREADS as MOST_HEURISTIC_THREADS
from mnkala.search.deepening import Deepening
from mnkala.search.engine import Search, register_search
from mnkala.search.limit import Limit
from mnkala.search.root import Task
from mnkala.search.values import Score
from mnkala.solve.book import open_book
from mnkala.solve.connect.shape import solvable
from mnkala.solve.connect.solver import SOLVED, Solution, prepare
from mnkala.solve.kept import lent_solver
from mnkala.solve.questions import Allowance, Questions, empty_cells

MOST_THREADS = 16
SHARE = 0.5
"""Of the clock, or of the nodes, for finding the score; what is left is for the heuristic search, should that fail."""
SMALL_SHARE, EARLY_CELLS, SHORT_SECONDS = 0.15, 34, 2.0
"""With more empty cells than this and less time, there is little hope: a small share finds what is soon won or lost."""
DEFAULT_NODES = 400_000_000
"""Without any limit: some minutes, four times what the empty board of 6 x 7 takes. Larger boards would take days."""
NODES_AT_A_DEPTH = 100_000
"""With a depth as the only limit, which means nothing to a solver: what it solves in an instant it solves."""
LINE_CELLS, WARM_LINE_CELLS = 32, 36
"""Lines are followed from so many empty cells on; from more if the solver has just looked at them all."""
GUESS_NODES = 2_000
"""For the move that is shown while nothing is known yet."""


@dataclasses.dataclass(frozen=True)
class Perfect(Search):
    """Perfect play on Connect boards that can be solved: book, exact solver, and the hardest task for the opponent."""

    name = "perfect"
    threads: int = 1
    """Threads of the solver."""
    book: bool = True
    """Whether to look into the book first."""

    def __post_init__(self) -> None:
        if not 1 <= self.threads <= MOST_THREADS:
            raise BadEngine(f"{self.threads} threads; perfect runs on 1 to {MOST_THREADS}")

    def check(self, rules: Rules) -> None:
        if not solvable(rules):
            raise BadEngine(f"perfect cannot play {rules.game_string()}: it plays Connect on boards with columns x (rows + 1) up to 64, "
                            f"such as connect4, connect4:7x8 or connect:6x8x5; deepening plays every game")

    def prepare(self, rules: Rules) -> None:
        self.check(rules)
        prepare()
        self._heuristic().prepare(rules)
        if self.book and (book := open_book(rules)) is not None:
            book.bounds(Position(rules))  # reading it takes a while, and so does its first answer
        mark_compiled(self.combination(rules))

    def combination(self, rules: Rules) -> str:
        return f"{self.name} {_solver_digest()} {self._heuristic().combination(rules)}"

    def run(self, task: Task) -> Analysis:
        limit = task.limit
        nodes = limit.nodes
        if limit.time is None and nodes is None:
            nodes = DEFAULT_NODES if limit.depth is None else NODES_AT_A_DEPTH
        share = None if nodes is None else max(1, int(nodes * SHARE)) if limit.nodes is not None else nodes
        until = None if limit.time is None else task.started + _share(task.position, limit.time) * limit.time
        with (lent_solver(task.rules, threads=self.threads, empty=not _may_remember(limit)) as solver,
              Allowance(task.stop, until=until, nodes=share) as allowance):
            proof = Proof(task, Questions(solver, open_book(task.rules) if self.book else None, allowance), self._guess)
            found = proof.find(lambda: allowance.extend(until=None if limit.time is None else task.started + limit.time, nodes=nodes))
        return found or self._heuristic_answer(task, proof.bounds, allowance.spent)

    def _heuristic(self) -> Deepening:
        return Deepening(threads=min(self.threads, MOST_HEURISTIC_THREADS))

    def _guess(self, task: Task) -> Analysis:
        quick = dataclasses.replace(task, limit=Limit(nodes=GUESS_NODES), report=lambda analysis: None, all_moves=False)
        return Deepening().run(quick)

    def _heuristic_answer(self, task: Task, bounds: Solution, spent: int) -> Analysis:
        """The strongest heuristic search with what is left of the limit."""
        note = f"not solved within the limit ({_told(bounds)}): the heuristic search deepening chose the move"
        limit = task.limit
        left = limit.nodes if limit.nodes is None else max(1, limit.nodes - spent)

        def labelled(answer: Analysis) -> Analysis:
            return dataclasses.replace(answer, nodes=answer.nodes + spent, note=note)

        rest = dataclasses.replace(task, limit=dataclasses.replace(limit, nodes=left, stop=None),
                                   report=lambda answer: task.report(labelled(answer)))
        return labelled(self._heuristic().run(rest))


@functools.cache
def _solver_digest() -> str:
    return source_digest(prepare.__module__)


class Proof:
    """One position, proved step by step."""

    def __init__(self, task: Task, questions: Questions, guess: Callable[[Task], Analysis]) -> None:
        self.task, self.questions, self.guess = task, questions, guess
        self.position = task.position
        cells = empty_cells(task.position)
        self.bounds = Solution(-(cells // 2), (cells + 1) // 2, cells)
        self.moves: dict[int, Solution] = {}
        """What is known of each move, for the mover."""

    def find(self, allow_more: Callable[[], None]) -> Analysis | None:
        """The exact answer, or None if time or nodes ran out before a move was known to be best."""
        self.bounds = self.questions.ask(self.position, report=self._report_bounds)
        score = self.bounds.score
        if score is None:
            return None
        allow_more()
        if self.task.all_moves:
            self._every_move(score)
        best = self._best_moves(score)
        if not best:
            return None
        move, note = self._hardest(best, score)
        return self._answer(score, move, note)

    def _every_move(self, score: int) -> None:
        """The exact score of every move; none exceeds the position's own."""
        for move in self.questions.by_centre(self.position):
            after = self.position.play_codes((move,))
            self.moves[move] = self._turned(self.questions.ask(after, within=(-score, self.bounds.empties)))
            best = next((each for each, known in self.moves.items() if known.lower >= score), None)
            if best is not None:
                self.task.report(self._analysis(self.bounds.as_score(self.position.mover), (best,), self.bounds.empties, ""))

    def _best_moves(self, score: int) -> list[int]:
        """The moves that keep the score, as far as they were found in time."""
        for move in self.questions.by_centre(self.position):
            if move not in self.moves:
                after = self.position.play_codes((move,))
                self.moves[move] = self._turned(self.questions.ask(after, within=(-score, 1 - score)), capped_at=score)
        return [move for move, known in self.moves.items() if known.lower >= score]

    def _turned(self, answer: Solution, capped_at: int | None = None) -> Solution:
        """The score of the position after a move as the move's own. With a cap, the question was only whether the move reaches it."""
        lower, upper = -answer.upper, -answer.lower
        if capped_at is not None and upper < capped_at:
            lower = -(self.bounds.empties // 2)
        return Solution(lower, upper, self.bounds.empties, answer.nodes, answer.seconds, answer.source)

    def _hardest(self, best: list[int], score: int) -> tuple[int, str]:
        """Of the best moves, the one after which most replies spoil something; and a note on it."""
        if len(best) == 1:
            return best[0], ""
        traps = {}
        for move in best:
            after = self.position.play_codes((move,))
            found = (0, 0) if after.is_over else self.questions.traps(after, -score)
            if found is None:
                return best[0], ""
            traps[move] = found
        move = max(best, key=lambda each: (traps[each][0], -traps[each][1]))
        spoiled, kept = traps[move]
        told = f"of {len(best)} equal moves the hardest to answer: {spoiled} of {spoiled + kept} replies spoil something"
        return move, told if spoiled else ""

    def _answer(self, score: int, move: int, note: str) -> Analysis:
        self.questions.cheap_cells = LINE_CELLS if self.bounds.source != SOLVED else WARM_LINE_CELLS
        line = self._line(move, score)
        source = "" if self.bounds.source == SOLVED else f"from the book {self.bounds.source}"
        exact = self.bounds.as_score(self.position.mover)
        return self._analysis(exact, line, self.bounds.empties, "; ".join(filter(None, (source, note))), lines=self.task.all_moves)

    def _line(self, move: int, score: int) -> tuple[int, ...]:
        return (move, *self.questions.line(self.position.play_codes((move,)), -score))

    # ---- Telling ----

    @functools.cached_property
    def _guessed(self) -> tuple[int, ...]:
        return self.guess(self.task).line

    def _report_bounds(self, bounds: Solution) -> None:
        if bounds.score is None:
            score = bounds.as_score(self.position.mover)
            self.task.report(self._analysis(score, self._guessed, 0, _told(bounds), spent=bounds.nodes))

    def _analysis(self, score: Score, line: tuple[int, ...], depth: int, note: str, *, lines: bool = False, spent: int = 0) -> Analysis:
        mover = self.position.mover
        moves = []
        for move in self.position.legal_codes:
            if move in self.moves:
                known = self.moves[move]
                follow = line if line[:1] == (move,) else self._line(move, known.score) if lines and known.score is not None else (move,)
                moves.append(RootMove(move, known.as_score(mover), follow))
        return Analysis(self.position, self.task.engine, score, tuple(moves), line, depth=depth,
                        nodes=self.questions.allowance.spent + spent, evaluations=0, cutoffs=0, held=self.questions.solver.held(),
                        table_hits=0, seconds=time.perf_counter() - self.task.started, note=note)


def _share(position: Position, seconds: float) -> float:
    """The part of the clock that the solver gets before it has to give up."""
    return SMALL_SHARE if empty_cells(position) > EARLY_CELLS and seconds < SHORT_SECONDS else SHARE


def _told(bounds: Solution) -> str:
    return f"its score lies between {bounds.lower} and {bounds.upper}"


def _may_remember(limit: Limit) -> bool:
    """A limit of nodes or depth is for answers that come out the same every time, so nothing learnt before may count."""
    return limit.nodes is None and limit.depth is None


register_search(Perfect)
