"""The one way to exact scores: the rules if the game is over, the book as far as it reaches, and
a solver beyond it.

`prove(position)` is a stream of `Exact`: what is proved about a position and each of its moves,
sent again whenever something is new. An analysis by a heuristic search gives a number for each
move at once and improves it; a proof has bounds, *between -2 and 3*, which close in, move after
move, and where they meet the score is proved. The stream ends when everything is known, when the
effort is spent, or when it is closed. The engine `perfect`, puzzles and `inspect`, which page,
terminal, commands, hints and reviews use, all read from it, or ask an `Oracle` single questions.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Generator, Iterator
from typing import Literal

from mnkala.core import Position, Rules
from mnkala.core.plugin_trial import require_sound
from mnkala.core.plugins import blaming
from mnkala.core.score import SOLVED, Score
from mnkala.errors import BadPosition
from mnkala.search.analysis import Analysis, RootMove
from mnkala.search.limit import Stop
from mnkala.solve.books import Book, open_book, quick_part
from mnkala.solve.effort import Effort
from mnkala.solve.solver import TABLE_MB, Cost, NoSolver, Solver, Step, lent_solver, solver_for

Moves = Literal["all", "best", "none"]
"""The moves whose scores a proof yields: all, only those that keep the position's score, or
none."""


@dataclasses.dataclass(frozen=True)
class Exact(Analysis):
    """Everything that is proved about a position so far: bounds of its score and of that of
    every legal move, in the order of the rules, with best play after each as far as it was
    followed."""

    score: Score
    done: bool = False
    """Whether the score of every move is exact."""


class Oracle:
    """Asks the rules, the book and then a solver about one game, within an effort."""

    def __init__(self, solver: Solver, book: Book | None, effort: Effort) -> None:
        self.solver, self.book, self.effort = solver, book, effort
        self.quick_book = quick_part(book)

    # ---- Single questions ----

    def ask(
        self, position: Position, within: tuple[int, int] | None = None, *, weak: bool = False
    ) -> Iterator[Step]:
        """Yield steps towards the score of a position, which may be finished, for its mover;
        with `weak` only who wins. Distinctions outside `within` are not needed."""
        if position.is_over:
            yield Step(Score.final(position))
            return
        known = Score(*self.solver.span(position), position.mover)
        low, high = known.within if within is None else within
        for book in self._books(position):
            if (found := self.solver.from_book(position, book)) is not None:
                known = known.narrowed(found)
                low, high = max(low, known.lower), min(high, known.upper)
                if known.answers((low, high)):
                    yield Step(known)
                    return
        for step in self.effort.steps(self.solver, position, (low, high), weak=weak):
            yield dataclasses.replace(
                step, score=self.completed(position, known.narrowed(step.score))
            )

    def completed(self, position: Position, known: Score) -> Score:
        """Complete a score that is exact: add how long the game lasts, where the score determines
        that."""
        if known.exact is None or known.plies is not None:
            return known
        plies = self.solver.plies(position, known.seen_by(position.mover).lower)
        return dataclasses.replace(known, plies=plies, source=known.source or SOLVED)

    def answer(
        self, position: Position, within: tuple[int, int] | None = None, *, weak: bool = False
    ) -> Score:
        """The score after the last step."""
        *_, last = self.ask(position, within, weak=weak)
        return last.score

    def is_above(self, position: Position, number: int, player: int) -> bool | None:
        """Whether a player's score is more than `number`; None if that could not be decided."""
        within = (number, number + 1) if player == position.mover else (-number - 1, -number)
        answer = self.answer(position, within).seen_by(player)
        return True if answer.lower > number else False if answer.upper <= number else None

    def is_quick(self, position: Position, score: int | None = None, *, warm: bool = False) -> bool:
        """Whether a position's score, or whether it is above a number, costs next to nothing."""
        if position.is_over or self.solver.cost(position, score=score, warm=warm) is Cost.AT_ONCE:
            return True
        known = self.solver.from_book(position, self.quick_book)
        return known is not None and known.answers(
            known.within if score is None else (score, score + 1)
        )

    def is_hopeless(self, position: Position, seconds: float | None = None) -> bool:
        """Whether the score of a position would take too long for anybody to wait."""
        return self.solver.cost(position, seconds=seconds) is Cost.HOPELESS and not self.is_quick(
            position
        )

    def _books(self, position: Position) -> Iterator[Book]:
        """The quick books first, and then the whole shelf if there is time for it."""
        if self.quick_book is not None:
            yield self.quick_book
        if (
            self.book is not None
            and self.book is not self.quick_book
            and self.effort.has(self.book.seconds(position))
        ):
            yield self.book

    # ---- Lines ----

    def line(
        self, position: Position, known: Score, *, patient: bool = True, turn_of: int | None = None
    ) -> tuple[int, ...]:
        """Best play by both sides from a position with a known score, as far as the effort
        allows; without `patient`, as far as it costs next to nothing, but to the end of the
        current turn of player `turn_of`. A quick win is taken, a loss is delayed."""
        line: list[int] = []
        warm = known.source == SOLVED
        while not position.is_over:
            if position.mover != turn_of:
                turn_of = None
            waits = patient or turn_of is not None
            if not waits and not self.is_quick(
                position, known.seen_by(position.mover).exact, warm=warm
            ):
                break
            found = self._best_move(position, known.seen_by(position.mover), waits, warm)
            if found is None:
                break
            line.append(found[0])
            position, known = position.play_codes(line[-1:]), found[1]
        return tuple(line)

    def _best_move(
        self, position: Position, known: Score, patient: bool, warm: bool
    ) -> tuple[int, Score] | None:
        """A move that keeps the score, and the score after it. If the score does not determine
        the length of the game, moves that keep it are compared by that."""
        score = known.exact
        if score is None:
            return None
        timed = self.solver.counts_plies and known.plies is not None
        for move in self.solver.order(position):
            after = position.play_codes((move,))
            reply = score if after.mover == position.mover else -score
            if not patient and not self.is_quick(after, reply, warm=warm):
                return None
            if timed:
                answer = self.answer(after)
                if (
                    answer.seen_by(position.mover).exact == score
                    and answer.before(position.mover).plies == known.plies
                ):
                    return move, answer
            elif self.is_above(after, score - 1, position.mover):
                return move, Score.exactly(reply, after.mover, source="")
        return None

    # ---- Whole proofs ----

    def prove(
        self,
        position: Position,
        *,
        moves: Moves = "all",
        lines: bool = True,
        weak: bool = False,
        line_seconds: float | None = None,
    ) -> Iterator[Exact]:
        """Prove everything about a position that is not over, step by step."""
        return _Proof(self, position).steps(moves, lines, weak, line_seconds)


class _Proof:
    """The proof of one position in progress; every new result is yielded."""

    def __init__(self, oracle: Oracle, position: Position) -> None:
        self.oracle, self.position, self.mover = oracle, position, position.mover
        self.started = time.perf_counter()
        unknown = Score(*oracle.solver.span(position), self.mover)
        moves = tuple(RootMove(move, unknown, ()) for move in position.legal_codes)
        self.found = Exact(position, oracle.solver.name, unknown, moves, ())

    def steps(
        self, moves: Moves, lines: bool, weak: bool, line_seconds: float | None
    ) -> Iterator[Exact]:
        """The stream of answers that `prove` returns."""
        yield self._look_up()
        yield from self._whole(weak)
        if moves != "none":
            yield from self._moves(moves, weak)
        if lines and not weak:
            if (
                self.oracle.effort.spent == 0
            ):  # the book had it all, and so it has the beginnings of lines
                yield from self._lines(moves, patient=False)
                if line_seconds is not None:
                    self.oracle.effort.end_within(line_seconds)
            yield from self._lines(moves, patient=True)
        yield self._note()

    def _look_up(self) -> Exact:
        """Collect what costs nothing: moves that end the game, and what the quick book has for
        this position and those after it."""
        solver, book = self.oracle.solver, self.oracle.quick_book
        self._note(solver.from_book(self.position, book))
        for known in self.found.moves:
            after = self.position.play_codes((known.code,))
            if after.is_over:
                self._learn(known.code, Score.final(after), line=(known.code,))
            else:
                self._learn(known.code, solver.from_book(after, book))
        return self._note()

    def _whole(self, weak: bool) -> Iterator[Exact]:
        """Prove the position's own score, which bounds that of every move, and its length if the
        solver counts it."""
        known = self.found.score
        timed = self.oracle.solver.counts_plies and known.plies is None
        if known.exact is None or timed:
            for now in self.oracle.ask(self.position, None if timed else known.within, weak=weak):
                yield self._note(now.score, open_nodes=now.nodes)

    def _moves(self, which: Moves, weak: bool) -> Iterator[Exact]:
        """Prove every move whose score is still open, or of which it is open whether it keeps
        the position's score."""
        solver, whole = self.oracle.solver, self.found.score
        if which == "best" and whole.exact is None:
            return
        for move in solver.order(self.position):
            known = self._known(move).score
            timed = solver.counts_plies and known.plies is None
            within = known.within if which == "all" else (whole.lower - 1, whole.lower)
            if (known.answers(within) and not timed) or self.oracle.effort.is_over():
                continue
            after = self.position.play_codes((move,))
            asked = within if after.mover == self.mover else (-within[1], -within[0])
            for now in self.oracle.ask(after, None if timed else asked, weak=weak):
                yield self._learn(move, now.score, open_nodes=now.nodes)

    def _lines(self, which: Moves, *, patient: bool) -> Iterator[Exact]:
        """Follow best play after every move whose score is known, the best moves first."""
        if which == "none":
            self.found = dataclasses.replace(
                self.found,
                line_codes=self.oracle.line(self.position, self.found.score, patient=patient),
            )
            yield self._note()
            return
        best = self.found.best_codes
        for known in sorted(
            self.found.moves, key=lambda known: (known.code not in best, -known.score.lower)
        ):
            if known.score.exact is None or self.oracle.effort.is_over():
                continue
            line = known.line_codes
            if not self.position.play_codes(line or (known.code,)).is_over:
                after = self.position.play_codes((known.code,))
                line = max(
                    line,
                    (known.code, *self.oracle.line(after, known.score.after(), patient=patient)),
                    key=len,
                )
            if known.code in best and self.found.line_codes[:1] in ((), (known.code,)):
                self.found = dataclasses.replace(self.found, line_codes=line)
            yield self._learn(known.code, line=line)

    # ---- State of the proof ----

    def _known(self, move: int) -> RootMove:
        return next(known for known in self.found.moves if known.code == move)

    def _learn(
        self,
        move: int,
        after: Score | None = None,
        *,
        line: tuple[int, ...] | None = None,
        open_nodes: int = 0,
    ) -> Exact:
        """Note something new about one move: what is known about the position after it, or its
        line."""
        known = self._known(move)
        if after is not None:
            known = dataclasses.replace(known, score=known.score.narrowed(after.before(self.mover)))
        if line is not None:
            known = dataclasses.replace(known, line_codes=line)
        self.found = dataclasses.replace(
            self.found,
            moves=tuple(known if each.code == move else each for each in self.found.moves),
        )
        return self._note(open_nodes=open_nodes)

    def _note(self, whole: Score | None = None, *, open_nodes: int = 0) -> Exact:
        """Narrow all bounds by what follows from the others. `open_nodes` are those of the
        question in progress."""
        score = self.found.score if whole is None else self.found.score.narrowed(whole)
        lower = max(score.lower, *(known.score.lower for known in self.found.moves))
        upper = min(score.upper, max(known.score.upper for known in self.found.moves))
        if lower == upper and not score.source:  # it follows from the moves
            best = next(known.score for known in self.found.moves if known.score.upper == upper)
            score = dataclasses.replace(score, source=best.source, book=best.book)
        score = self.oracle.completed(
            self.position, dataclasses.replace(score, lower=lower, upper=upper)
        )
        moves = tuple(self._capped(known, upper) for known in self.found.moves)
        if score.exact is not None and score.plies is None:
            score = dataclasses.replace(score, plies=_plies(score, moves))
        self.found = dataclasses.replace(
            self.found,
            score=score,
            moves=moves,
            nodes=self.oracle.effort.spent + open_nodes,
            seconds=time.perf_counter() - self.started,
            done=all(known.score.exact is not None for known in moves),
        )
        return self.found

    def _capped(self, known: RootMove, upper: int) -> RootMove:
        """Limit the value of every move by that of the position."""
        score = known.score
        if score.upper <= upper and (score.exact is None or score.plies is not None):
            return known
        score = dataclasses.replace(score, upper=max(score.lower, min(score.upper, upper)))
        if score.exact is not None:
            after = self.position.play_codes((known.code,))
            score = self.oracle.completed(after, score.after()).before(self.mover)
        return dataclasses.replace(known, score=score)


def _plies(score: Score, moves: tuple[RootMove, ...]) -> int | None:
    """How long the game lasts, by the moves that keep the score: a win is as quick, a loss as slow
    as it can be.
    """
    kept = [known.score.plies for known in moves if known.score.exact == score.exact]
    if not kept or None in kept or any(known.score.exact is None for known in moves):
        return None
    plies = [each for each in kept if each is not None]
    return min(plies) if score.lower > 0 else max(plies)


# ---- Opening an oracle ----


@contextlib.contextmanager
def open_oracle(
    rules: Rules,
    stop: Stop | None = None,
    *,
    until: float | None = None,
    nodes: int | None = None,
    book: bool = True,
    threads: int = 1,
    table_mb: int = TABLE_MB,
    fresh: bool = False,
) -> Iterator[Oracle]:
    """An oracle for some questions about a game. `fresh` takes a solver that knows nothing yet,
    for answers that depend on nothing else. The solver must have been compiled
    (`Solver.prepare`)."""
    shelf = open_book(rules) if book else None
    with (
        blaming(lambda: (rules,)),
        lent_solver(rules, threads=threads, table_mb=table_mb, fresh=fresh) as solver,
        Effort(stop, until=until, nodes=nodes) as effort,
    ):
        yield Oracle(solver, shelf, effort)


def prove(
    position: Position,
    *,
    seconds: float | None = None,
    stop: Stop | None = None,
    moves: Moves = "all",
    lines: bool = True,
    weak: bool = False,
    line_seconds: float | None = None,
    book: bool = True,
    threads: int = 1,
    table_mb: int = TABLE_MB,
    nodes: int | None = None,
) -> Generator[Exact, None, None]:
    """Yield what is proved about a position and its moves, as soon as anything new is; closing the
    stream ends the work.

    `seconds` (counted from when everything is compiled), `nodes` and `stop` limit it. `moves` says
    of which moves scores are wanted, and `lines` whether best play after them is followed too;
    `weak` asks only who wins. If the book had all the scores, following lines may take
    `line_seconds`. Raises NoSolver for a game that no solver fits.
    """
    rules = position.rules
    cls = solver_for(rules)
    check_open(position)
    require_sound(rules)
    with open_oracle(rules, stop, book=book, threads=threads, table_mb=table_mb) as oracle:
        cls.prepare(rules)
        oracle.effort.extend(
            until=None if seconds is None else time.perf_counter() + seconds, nodes=nodes
        )
        yield from oracle.prove(
            position, moves=moves, lines=lines, weak=weak, line_seconds=line_seconds
        )


def check_open(position: Position) -> None:
    """Raise an error with the reason if a position cannot be solved."""
    if position.is_over:
        text = f"the game is over ({position.outcome}): there is nothing to solve"
        raise BadPosition(text, "error.nothing_to_solve", result=str(position.outcome))


def out_of_reach(position: Position, seconds: float | None = None) -> NoSolver | None:
    """The reason why no exact score of a position can be expected; None if a proof is worth
    trying."""
    rules = position.rules
    try:
        cls = solver_for(rules)
    except NoSolver as error:
        return error
    with lent_solver(rules) as solver:
        if solver.cost(position, seconds=seconds) is not Cost.HOPELESS:
            return None
    book = open_book(rules)
    if book is not None and book.bounds(position) is not None:
        return None
    return NoSolver(
        f"this position of {position.game} is out of reach: the solver {cls.name} can prove {cls.reach}",
        "error.out_of_reach",
        game=position.game,
        solver=cls.name,
        reach=f"@{cls.reach_key}" if cls.reach_key else cls.reach,
    )
