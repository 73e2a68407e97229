"""Exact questions about Connect positions within an allowance: the book first, the solver where the book ends.

The solver hears one flag. Here a thread raises it when the time that the solver may take is over or when whoever asked has had enough,
and counts the nodes of all questions together.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

import numpy as np

from mnkala.games import Position
from mnkala.search.limit import Stop
from mnkala.solve.book import Book
from mnkala.solve.book.databases import PLIES, REACH, DatabaseBook
from mnkala.solve.book.model import Shelf
from mnkala.solve.connect.solver import ConnectSolver, Solution, plies_to_end

POLL_SECONDS = 0.003
CHEAP_CELLS = 30
"""With at most so many empty cells a question costs milliseconds; with more it may cost seconds, and is asked only if it must be."""
SLOW_BOOK_SECONDS = 1.0
"""What a book may take that has to play on to its own plies, from the fewest that it takes; half of that with a disc more."""
SOON = 9
"""So near to a forced end, questions are cheap on every board: no line of play has to be followed further."""


def empty_cells(position: Position) -> int:
    """Empty cells of a Connect board."""
    rules: Any = position.rules
    return int(rules.rows * rules.cols) - int(position.state().all).bit_count()


def quick_part(book: Book | None) -> Book | None:
    """The books that answer at once; the other ones play on to their own plies, which takes a while and cannot be stopped."""
    books = book.books if isinstance(book, Shelf) else () if book is None else (book,)
    quick = [each for each in books if not isinstance(each, DatabaseBook)]
    return book if len(quick) == len(books) else Shelf(quick) if quick else None


class Allowance:
    """What the solver may spend: until a moment, so many nodes, until somebody raises `outer`. Used as a context."""

    def __init__(self, outer: Stop, *, until: float | None = None, nodes: int | None = None) -> None:
        self.outer, self.until, self.nodes = outer, until, nodes
        self.spent = 0
        """Nodes of the questions that are answered."""
        self._stop = Stop()
        self._question = Stop()
        self._shown = np.zeros(1, dtype=np.int64)
        self._done = threading.Event()
        outer.watch(self._shown)

    def __enter__(self) -> Allowance:
        threading.Thread(target=self._watch, name="allowance", daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._done.set()

    def _watch(self) -> None:
        while not self._done.wait(POLL_SECONDS):
            self._shown[0] = self.spent + self._question.nodes()
            if self.is_over():
                self._stop.set()

    def is_over(self) -> bool:
        """Whether nothing may be asked any more."""
        late = self.until is not None and time.perf_counter() >= self.until
        return late or self.outer.is_set() or (self.nodes is not None and self.spent >= self.nodes)

    def has(self, seconds: float) -> bool:
        """Whether there is so much time, for an answer that cannot be interrupted."""
        return not self.is_over() and (self.until is None or self.until - time.perf_counter() >= seconds)

    def extend(self, *, until: float | None, nodes: int | None) -> None:
        """Allow more, before the last allowance is over."""
        self.until, self.nodes = until, nodes

    def ask(self, solver: ConnectSolver, position: Position, report: Callable[[Solution], None] | None,
            within: tuple[int, int], *, weak: bool = False) -> Solution:
        """One question to the solver."""
        if self.is_over():
            cells = empty_cells(position)
            return Solution(max(within[0], -(cells // 2)), min(within[1], (cells + 1) // 2), cells)
        question = self._question = Stop()
        question.flag = self._stop.flag
        left = None if self.nodes is None else self.nodes - self.spent
        answer = solver.solve(position, stop=question, report=report, nodes=left, within=within, weak=weak)
        self._question = Stop()
        self.spent += answer.nodes
        self._shown[0] = self.spent
        return answer


class Questions:
    """Asks the book and then a solver, and says `None` where neither knows in time."""

    def __init__(self, solver: ConnectSolver, book: Book | None, allowance: Allowance) -> None:
        self.solver, self.book, self.allowance = solver, book, allowance
        self.quick_book = quick_part(book)
        self.cheap_cells = CHEAP_CELLS

    def ask(self, position: Position, *, report: Callable[[Solution], None] | None = None,
            within: tuple[int, int] | None = None, weak: bool = False) -> Solution:
        """The bounds of a position's score for its mover, of a finished game too, or with `weak` only who wins. What lies outside
        `within` is of no interest."""
        rules, cells = self.solver.rules, empty_cells(position)
        if position.is_over:
            state = position.state()
            score = int(rules.exact_score(state, int(rules.result(state)), 0))
            return Solution(score, score, cells)
        low, high = within or (-cells, cells)
        for book in self._books(position):
            known = book.bounds(position)
            if known is not None:
                if known[0] == known[1] or known[1] <= low or known[0] >= high:
                    return Solution(known[0], known[1], cells, source=book.name)
                low, high = max(low, known[0]), min(high, known[1])
        return self.allowance.ask(self.solver, position, report, (low, high), weak=weak)

    def _books(self, position: Position) -> Iterator[Book]:
        """The quick book, and then the whole one if there is time for it."""
        if self.quick_book is not None:
            yield self.quick_book
        if self.book is not None and self.book is not self.quick_book:
            discs = int(position.state().all).bit_count()
            if self.allowance.has(SLOW_BOOK_SECONDS / 2 ** max(0, discs - (PLIES - REACH))):
                yield self.book

    def is_above(self, position: Position, number: int) -> bool | None:
        """Whether the mover's score is more than `number`; None if it was not found out."""
        answer = self.ask(position, within=(number, number + 1))
        return True if answer.lower > number else False if answer.upper <= number else None

    def is_cheap(self, position: Position, score: int = 0) -> bool:
        """Whether it costs next to nothing to ask if a position has a score."""
        cells = empty_cells(position)
        if position.is_over or cells <= self.cheap_cells or plies_to_end(score, cells) <= SOON:
            return True
        if self.quick_book is None:
            return False
        known = self.quick_book.bounds(position)
        return known is not None and (known[0] == known[1] or known[1] <= score or known[0] > score)

    def by_centre(self, position: Position) -> list[int]:
        """The legal moves, the nearest to the centre first, the left one of two."""
        centre = (self.solver.shape.cols - 1) / 2
        return sorted(position.legal_codes, key=lambda move: (abs(move - centre), move))

    def moves(self, position: Position, most: int, *, weak: bool = False) -> dict[int, Solution]:
        """The score of every move (with `weak` only who wins), for the player who makes it. None exceeds `most`, the most that the
        position can be worth."""
        found = {}
        for move in position.legal_codes:
            after = position.play_codes((move,))
            answer = self.ask(after, within=(-most, empty_cells(after)), weak=weak)
            found[move] = dataclasses.replace(answer, lower=-answer.upper, upper=-answer.lower, empties=answer.empties + 1)
        return found

    def line(self, position: Position, score: int, *, cheap: bool = True) -> tuple[int, ...]:
        """Best play by both sides from a position of a known score, with `cheap` as far as it costs little to know, else as far as is
        allowed; a quick win is taken, a loss put off."""
        line: list[int] = []
        while not position.is_over and (not cheap or self.is_cheap(position, score)):
            move = self._move_that_keeps(position, score, cheap)
            if move is None:
                break
            line.append(move)
            position, score = position.play_codes((move,)), -score
        return tuple(line)

    def _move_that_keeps(self, position: Position, score: int, cheap: bool) -> int | None:
        for move in self.by_centre(position):
            after = position.play_codes((move,))
            if cheap and not self.is_cheap(after, -score):
                return None
            if self.is_above(after, -score) is False:
                return move
        return None

    def traps(self, position: Position, score: int) -> tuple[int, int] | None:
        """How hard a position of a known score is for its mover: (replies that spoil something, replies that do not).

        A reply spoils a win or a draw if it gives that result away, and a lost game if it loses sooner than it must.
        """
        needed = 1 if score > 0 else score
        spoiled = kept = 0
        for reply in position.legal_codes:
            after = position.play_codes((reply,))
            answer = self.is_above(after, -needed) if self.is_cheap(after, -needed) else None
            if answer is None:
                return None
            spoiled, kept = spoiled + answer, kept + (not answer)
        return spoiled, kept
