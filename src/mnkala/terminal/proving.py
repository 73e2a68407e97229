"""What can be proved of the position on the screen: exact scores of every move, the opening book, puzzles; each in a job that can be
dropped."""

from __future__ import annotations

import dataclasses
import functools
import random
import time

from mnkala.errors import BadGame
from mnkala.games import Position, Rules
from mnkala.play import HUMAN, Match, Player
from mnkala.play.opening import Opening, opening
from mnkala.play.puzzle_game import Attempt, attempt, solution
from mnkala.play.puzzle_sets import puzzle_set
from mnkala.play.puzzles import Puzzle
from mnkala.solve import Exact, find_solver, prove
from mnkala.solve.book import has_books
from mnkala.terminal.thinking import Job
from mnkala.terminal.thoughts import ANALYSIS_LIMIT, Refused, Stage, Thoughts

NEITHER_SIDE = (Player(HUMAN), Player(HUMAN))
"""Who sits at a puzzle: the solver moves for the other side, when it judges a move."""


@dataclasses.dataclass(frozen=True)
class Task:
    """A puzzle that is being solved."""

    puzzle: Puzzle
    number: int
    """In the set of its length, from 0."""
    total: int
    left: int
    """Moves of one's own that are left for the win."""
    tried: Attempt | None = None
    """The last move that was tried."""
    helped: bool = False
    line: tuple[str, ...] = ()
    """The solution from here, once it was asked for."""

    @property
    def solved(self) -> bool:
        """Whether the win is on the board."""
        return self.left == 0

    def match(self) -> Match:
        """The puzzle's position, to be played on."""
        return Match(Position(self.puzzle.game).play(self.puzzle.moves), NEITHER_SIDE)

    def after(self, tried: Attempt) -> Task:
        """Once a move was judged."""
        left = tried.left if tried.right else self.left
        return dataclasses.replace(self, tried=tried, left=left, helped=self.helped or not tried.right, line=())


def make_task(rules: Rules, win_in: int, number: int | None = None) -> Task:
    """A puzzle of a length: of a number, or any."""
    if not has_books(rules):
        raise BadGame(f"there are no puzzles of {rules.game_string()}; Connect boards have some, such as connect4")
    found = puzzle_set(rules, win_in)
    chosen = random.randrange(len(found)) if number is None else number % len(found)
    return Task(found[chosen], chosen, len(found), win_in)


class Proving(Thoughts):
    """Thoughts that are proofs."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.task: Task | None = None

    def _forget_all(self) -> None:
        super()._forget_all()
        self.proving = False
        self.proof: Exact | None = None
        self.looking_up = False
        self.opening: Opening | None = None
        self.task = None
        self._judge: Job | None = None
        self._reader: Job | None = None

    # ---- Exact scores ----

    def toggle_proof(self) -> None:
        """Start or stop to prove the score of every move on the board that is shown."""
        if find_solver(self.position.rules) is None:
            raise Refused("terminal.not_solvable")
        self.proving = not self.proving
        self.analysing = self.looking_up = False
        self._restart_analysis()
        self._evaluate()
        self.stage.changed()

    def toggle_analysis(self) -> None:
        self.proving = self.looking_up = False
        super().toggle_analysis()

    def analysis_effort(self) -> tuple[int, float]:
        if not self.proving:
            return super().analysis_effort()
        nodes, seconds = (self.proof.nodes, self.proof.seconds) if self.proof else (0, 0.0)
        if self._analyst is None:
            return nodes, seconds
        return max(nodes, self._analyst.stop.nodes()), max(seconds, time.monotonic() - self._analysis_started)

    def _restart_analysis(self) -> None:
        self.proof = None
        super()._restart_analysis()
        self._look_up()
        position = self.position
        if not self.proving or not self.ready or position.is_over:
            return

        def work(job: Job) -> None:
            for found in prove(position, stop=job.stop, seconds=ANALYSIS_LIMIT.time):
                job.give(functools.partial(self._proved, found))
            job.give(self._analysis_ended)

        self._analysis_started = time.monotonic()
        self._run(work, "_analyst")

    def _proved(self, proof: Exact) -> None:
        self.proof = proof
        if proof.solution.result != "unknown":
            self._note(proof.position, proof.solution.as_score(), "perfect")
        self.stage.changed()

    # ---- The book ----

    def toggle_book(self) -> None:
        """Show or hide what the book has of the board that is shown."""
        if not has_books(self.position.rules):
            raise Refused("terminal.not_solvable")
        self.looking_up = not self.looking_up
        self.proving = self.analysing = False
        self._restart_analysis()
        self.stage.changed()

    def _look_up(self) -> None:
        self._drop("_reader")
        self.opening = None
        position = self.position
        if not self.looking_up:
            return

        def work(job: Job) -> None:
            found = opening(position)
            job.give(functools.partial(self._looked_up, found))

        self._run(work, "_reader")

    def _looked_up(self, found: Opening) -> None:
        self._reader, self.opening = None, found
        self.stage.changed()

    # ---- Puzzles ----

    @property
    def judging(self) -> bool:
        """Whether the solver looks at a move that was tried."""
        return self._judge is not None

    def _try(self, position: Position, move: str) -> None:
        """Let the solver judge a move in the puzzle."""
        task = self.task
        assert task is not None
        position.play(move)  # refused at once if it is not legal
        if self._judge is not None:
            return

        def work(job: Job) -> None:
            tried = attempt(position, task.left, move, stop=job.stop)
            job.give(functools.partial(self._tried, tried))

        self._run(work, "_judge")
        self.stage.changed()

    def _tried(self, tried: Attempt) -> None:
        raise NotImplementedError

    def show_solution(self) -> None:
        """The win from here."""
        task, position = self.task, self.position
        if task is None or task.solved:
            raise Refused("terminal.no_puzzle")
        if self._judge is not None:
            return

        def work(job: Job) -> None:
            line = solution(position, task.left, stop=job.stop)
            job.give(functools.partial(self._solution_found, line))

        self._run(work, "_judge")

    def _solution_found(self, line: tuple[str, ...]) -> None:
        self._judge = None
        if self.task is not None:
            self.task = dataclasses.replace(self.task, line=line, helped=True)
        self.stage.changed()
