"""Books: exact scores that need no search.

A book answers for positions down to its `depth`, with None where it does not know. Scores are the solver's, for the mover.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Literal

from mnkala.core import Position
from mnkala.errors import BadPosition
from mnkala.search.values import final_score

Unit = Literal["ply", "turn"]
"""What a depth counts, as one of them is called."""


class Book(abc.ABC):
    """What all books can tell."""

    game: str
    """The game string of the board."""
    name: str
    """For people: where a score comes from."""
    unit: Unit
    depth: int
    """Positions of at most this depth are in it (a partial book has gaps)."""
    quick: bool = True
    """Whether it answers at once. Another one plays on to its own plies, which takes a while and cannot be stopped."""

    @abc.abstractmethod
    def bounds(self, position: Position) -> tuple[int, int] | None:
        """A lower and an upper bound of a position's score, or None if the book does not reach it."""

    @abc.abstractmethod
    def depth_of(self, position: Position) -> int | None:
        """How deep a position lies, or None if nobody knows."""

    def counts(self) -> list[tuple[int, int]]:
        """For each depth from 0 on, how many positions have an exact score, and how many there are."""
        return []

    def seconds(self, position: Position) -> float:
        """What an answer may take."""
        return 0.0

    def score(self, position: Position) -> int | None:
        """The exact score, if the book knows it."""
        bounds = self.bounds(position)
        return bounds[0] if bounds is not None and bounds[0] == bounds[1] else None

    def moves(self, position: Position) -> dict[int, int] | None:
        """The exact score of every move for the player who makes it, or None if the book does not know all of them."""
        found = {move: bounds[0] for move, bounds in self.move_bounds(position).items() if bounds is not None and bounds[0] == bounds[1]}
        return found if found and len(found) == len(position.legal_codes) else None

    def move_bounds(self, position: Position) -> dict[int, tuple[int, int] | None]:
        """What is known of every move, for the player who makes it."""
        found: dict[int, tuple[int, int] | None] = {}
        for move in position.legal_codes:
            after = position.play_codes((move,))
            bounds = self.bounds(after)
            if after.is_over:
                bounds = (final_score(after).value,) * 2
            found[move] = bounds if bounds is None or after.mover == position.mover else (-bounds[1], -bounds[0])
        return found

    def best_codes(self, position: Position) -> tuple[int, ...] | None:
        """All best moves, or None if the book does not know them. Moves may be proved worse without an exact score of their own."""
        score = self.score(position)
        moves = self.move_bounds(position)
        if score is None or any(bounds is None or bounds[0] < score <= bounds[1] for bounds in moves.values()):
            return None
        return tuple(move for move, bounds in moves.items() if bounds is not None and bounds[0] == score)

    def _check(self, position: Position) -> None:
        if position.game != self.game:
            raise BadPosition(f"a position of {position.game}, but this book is for {self.game}")


class Shelf(Book):
    """Several books of one board; what any of them knows."""

    def __init__(self, books: Sequence[Book]) -> None:
        self.books = tuple(books)
        self.game, self.name = books[0].game, " and ".join(book.name for book in books)
        self.unit, self.depth = books[0].unit, max(book.depth for book in books)

    def depth_of(self, position: Position) -> int | None:
        return self.books[0].depth_of(position)

    def seconds(self, position: Position) -> float:
        return sum(book.seconds(position) for book in self.books)

    def bounds(self, position: Position) -> tuple[int, int] | None:
        """The narrowest; a later book is asked only if the earlier ones leave the score open."""
        low, high = -1000, 1000
        for book in self.books:
            bounds = book.bounds(position)
            if bounds is not None:
                low, high = max(low, bounds[0]), min(high, bounds[1])
            if low >= high:
                break
        return None if low == -1000 else (low, high)


def quick_part(book: Book | None) -> Book | None:
    """The books that answer at once."""
    books = book.books if isinstance(book, Shelf) else () if book is None else (book,)
    quick = [each for each in books if each.quick]
    return book if len(quick) == len(books) else Shelf(quick) if quick else None
