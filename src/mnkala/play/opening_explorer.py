"""The opening explorer: what the book knows about a position, and where it ends."""

from __future__ import annotations

import dataclasses

from mnkala.core import Position
from mnkala.core.score import BY_RULES, Score
from mnkala.explain.move_values import in_order
from mnkala.search import RootMove
from mnkala.solve.books import Book, Unit, books_for, open_book
from mnkala.solve.solver import lent_solver


@dataclasses.dataclass(frozen=True)
class ExploredPosition:
    """What the book knows about a position; scores are for the player to move."""

    position: Position
    book: str | None
    """The book's name, or None where there is none for this board."""
    unit: Unit
    depth: int
    """The depth up to which the book has positions."""
    here: int | None
    """The depth of this position; None if it is unknown because the position was set up by hand."""
    last: int
    """How many moves of the game lead to the last position whose moves the book still has."""
    score: Score | None
    """The score in the book, whose bounds meet unless the book is unfinished; None where the
    book has ended."""
    moves: tuple[RootMove, ...]
    """The moves that the book knows something of, the best first; none where it has ended."""

    @property
    def best_codes(self) -> tuple[int, ...]:
        """The moves that are known to be best."""
        score = None if self.score is None else self.score.exact
        return tuple(
            known.code for known in self.moves if score is not None and known.score.lower == score
        )


def explore_opening(position: Position) -> ExploredPosition:
    """Look a position up in the opening book."""
    unit = books_for(position.rules).unit
    book = open_book(position.rules)
    if book is None:
        return ExploredPosition(position, None, unit, 0, None, 0, None, ())
    here, last = book.depth_of(position), _last(position, book)
    if position.is_over:
        return ExploredPosition(position, book.name, unit, book.depth, here, last, None, ())
    known = []
    with lent_solver(position.rules) as solver:
        for move in position.legal_codes:
            after = position.play_codes((move,))
            score = Score.final(after) if after.is_over else solver.from_book(after, book)
            if score is not None:
                known.append(RootMove(move, score.before(position.mover), (move,)))
        whole = solver.from_book(position, book)
    inside = any(move.score.source != BY_RULES for move in known)
    found = ExploredPosition(
        position, book.name, unit, book.depth, here, last, whole, tuple(known) if inside else ()
    )
    return dataclasses.replace(found, moves=in_order(found.moves, found.best_codes))


def _last(position: Position, book: Book) -> int:
    """How many moves of a game lead to the last position that is within the depth of the book."""
    for moves in range(len(position.history), 0, -1):
        depth = book.depth_of(position)
        if depth is not None and depth < book.depth:
            return moves
        position = position.back()
    return 0
