"""The opening explorer: what the book has of a position, and where it ends."""

from __future__ import annotations

import dataclasses
from typing import Any

from mnkala.errors import BadPosition
from mnkala.games import Position
from mnkala.play.exact import BY_BOOK, BY_RULES, Known, bounds_json
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
    score: int | None
    """None where the book has ended."""
    moves: tuple[Known, ...]
    """Every move, or none where the positions after them are not in the book."""

    @property
    def last(self) -> int:
        """How many of the game's moves lead to the last position whose moves the book still has."""
        return max(0, self.plies - 1 - (self.discs - len(self.position.history)))

    def to_json(self) -> dict[str, Any]:
        """As the server tells it."""
        rules = self.position.rules
        best = max((known.lower for known in self.moves), default=None)
        return {
            "book": self.book, "plies": self.plies, "discs": self.discs, "last": self.last,
            "whole": None if self.score is None else bounds_json(self.score, self.score, empty_cells(self.position)),
            "columns": [known.to_json(rules) for known in self.moves],
            "best": [rules.move_text(known.move) for known in self.moves if known.lower == best],
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
        return Opening(position, book and book.name, book.plies if book else 0, discs, None, ())
    moves = book.moves(position) or {}
    known = tuple(Known(move, score, score, empties, BY_RULES if position.play_codes((move,)).is_over else BY_BOOK)
                  for move, score in sorted(moves.items()))
    return Opening(position, book.name, book.plies, discs, book.score(position), known)
