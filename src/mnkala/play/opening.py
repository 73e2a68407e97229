"""The opening explorer: what the book has of a position, and where it ends."""

from __future__ import annotations

import dataclasses
from typing import Any

from mnkala.errors import BadPosition
from mnkala.games import Position
from mnkala.play.exact import BY_BOOK, BY_RULES, OPEN, Known, bounds_json
from mnkala.solve import solvable
from mnkala.solve.book import open_book
from mnkala.solve.questions import empty_cells


@dataclasses.dataclass(frozen=True)
class Opening:
    """What the book says of a position; scores are for its mover."""

    position: Position
    book: str | None
    """The book's name, or None where there is none for this board."""
    plies: int
    """The book has positions of at most so many discs."""
    discs: int
    bounds: tuple[int, int] | None
    """Of the score, which meet unless the book is still being made; None where the book has ended."""
    moves: tuple[Known, ...]
    """The moves that the book knows something of; none where it has ended."""

    @property
    def empties(self) -> int:
        """Free cells."""
        return empty_cells(self.position)

    @property
    def best(self) -> tuple[int, ...]:
        """The moves that are known to be best."""
        score = self.bounds[0] if self.bounds is not None and self.bounds[0] == self.bounds[1] else None
        return tuple(known.move for known in self.moves if known.lower == score)

    @property
    def last(self) -> int:
        """How many of the game's moves lead to the last position whose moves the book still has."""
        return max(0, self.plies - 1 - (self.discs - len(self.position.history)))

    def to_json(self) -> dict[str, Any]:
        """As the server tells it."""
        rules = self.position.rules
        return {
            "book": self.book, "plies": self.plies, "discs": self.discs, "last": self.last,
            "whole": None if self.bounds is None else bounds_json(*self.bounds, self.empties),
            "scores": [known.to_json(rules) for known in self.moves],
            "best": [rules.move_text(move) for move in self.best],
        }


def opening(position: Position) -> Opening:
    """Look a position up."""
    if not solvable(position.rules):
        raise BadPosition(f"{position.game} has no opening book; Connect boards have one")
    rules: Any = position.rules
    empties = empty_cells(position)
    discs = rules.rows * rules.cols - empties
    book = open_book(position.rules)
    if book is None or position.is_over:
        return Opening(position, None if book is None else book.name, 0 if book is None else book.plies, discs, None, ())
    whole = book.bounds(position)
    known = tuple(Known(move, *bounds, empties, _source(position.play_codes((move,)), bounds))
                  for move, bounds in sorted(book.move_bounds(position).items()) if bounds is not None)
    inside = any(move.source != BY_RULES for move in known)
    return Opening(position, book.name, book.plies, discs, whole, known if inside else ())


def _source(after: Position, bounds: tuple[int, int]) -> str:
    return BY_RULES if after.is_over else BY_BOOK if bounds[0] == bounds[1] else OPEN
