"""The opening explorer: what the book has of a position, and where it ends."""

from __future__ import annotations

import dataclasses

from mnkala.games import Position
from mnkala.solve import ConnectSolver, MoveProof, Solution
from mnkala.solve.book import open_book, shape_of_books
from mnkala.solve.solution import BY_RULES, final_solution


@dataclasses.dataclass(frozen=True)
class Opening:
    """What the book says of a position; scores are for its mover."""

    position: Position
    book: str | None
    """The book's name, or None where there is none for this board."""
    plies: int
    """The book has positions of at most so many discs."""
    discs: int
    solution: Solution | None
    """What the book knows of the score, whose bounds meet unless the book is still being made; None where it has ended."""
    moves: tuple[MoveProof, ...]
    """The moves that the book knows something of; none where it has ended."""

    @property
    def best_codes(self) -> tuple[int, ...]:
        """The moves that are known to be best."""
        score = None if self.solution is None else self.solution.score
        return tuple(known.code for known in self.moves if score is not None and known.solution.lower == score)

    @property
    def last(self) -> int:
        """How many of the game's moves lead to the last position whose moves the book still has."""
        return max(0, self.plies - 1 - (self.discs - len(self.position.history)))


def opening(position: Position) -> Opening:
    """Look a position up."""
    shape_of_books(position.rules)
    book, discs = open_book(position.rules), int(position.state().all).bit_count()
    if book is None or position.is_over:
        return Opening(position, None if book is None else book.name, 0 if book is None else book.plies, discs, None, ())
    solver, known = ConnectSolver(position.rules, table_mb=1), []
    for move in position.legal_codes:
        after = position.play_codes((move,))
        solution = final_solution(after) if after.is_over else solver.from_book(after, book)
        if solution is not None:
            known.append(MoveProof(move, solution.before(position.mover)))
    inside = any(move.solution.source != BY_RULES for move in known)
    return Opening(position, book.name, book.plies, discs, solver.from_book(position, book), tuple(known) if inside else ())
