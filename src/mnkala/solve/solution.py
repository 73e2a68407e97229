"""What is known of an exact score: a lower and an upper bound, and for whom."""

from __future__ import annotations

import dataclasses
from typing import Literal

from mnkala.core import Position
from mnkala.errors import MnkalaError
from mnkala.search.values import Score, final_score

Source = Literal["rules", "book", "solved", "open"]
BY_RULES: Source = "rules"
BY_BOOK: Source = "book"
SOLVED: Source = "solved"
OPEN: Source = "open"
"""Where a score comes from: the game is over, a book has it, a solver proved it; or its bounds do not meet yet."""


class Contradiction(MnkalaError):
    """Proofs that cannot all be true: a book or a solver errs."""


@dataclasses.dataclass(frozen=True)
class Solution:
    """Bounds on the score of a position or of a move, for one of the players."""

    lower: int
    upper: int
    player: int
    """Whose score it is, 0 or 1."""
    plies: int | None = None
    """Moves of both sides to the end with best play, where that is known."""
    source: Source = OPEN
    """BY_RULES, BY_BOOK, SOLVED or OPEN."""
    book: str = ""
    """The name of the book that it comes from."""
    nodes: int = 0
    """Positions that a solver visited for it."""
    seconds: float = 0.0

    @property
    def score(self) -> int | None:
        """The exact score, once the bounds meet."""
        return self.lower if self.lower == self.upper else None

    @property
    def result(self) -> str:
        """win, draw, loss or unknown, as far as the bounds tell."""
        if self.lower > 0:
            return "win"
        if self.upper < 0:
            return "loss"
        return "draw" if self.lower == self.upper == 0 else "unknown"

    @property
    def within(self) -> tuple[int, int]:
        """Both bounds."""
        return self.lower, self.upper

    def seen_by(self, player: int) -> Solution:
        """The same from a player's point of view."""
        if player == self.player:
            return self
        return dataclasses.replace(self, lower=-self.upper, upper=-self.lower, player=player)

    def before(self, player: int) -> Solution:
        """What is known of a position as knowledge of the move that led to it, for the player who made it."""
        return dataclasses.replace(self.seen_by(player), plies=None if self.plies is None else self.plies + 1)

    def narrowed(self, other: Solution) -> Solution:
        """What both say together, for the same player; where the other one has the exact score, it says the rest as well."""
        lower, upper = max(self.lower, other.lower), min(self.upper, other.upper)
        if lower > upper:
            raise Contradiction(f"two proofs contradict each other: a score of at least {lower} and of at most {upper}")
        told = other if other.score is not None and (self.score is None or self.plies is None) else self
        return dataclasses.replace(told, lower=lower, upper=upper)

    def answers(self, within: tuple[int, int]) -> bool:
        """Whether nothing within these bounds is open any more."""
        return self.lower >= self.upper or self.upper <= within[0] or self.lower >= within[1]

    def as_score(self) -> Score:
        """As the `Score` that every search gives. With open bounds it is the one that says more."""
        if self.score is not None:
            return Score(self.score, "exact", self.player, self.result, self.plies or None)  # type: ignore[arg-type]
        at_least = self.lower > 0 or (self.upper >= 0 and self.lower >= -self.upper)
        return Score(self.lower if at_least else self.upper, "lower" if at_least else "upper", self.player,
                     self.result)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return f"{self.score:+d}" if self.score else "0" if self.score == 0 else f"between {self.lower} and {self.upper}"


def final_solution(position: Position) -> Solution:
    """The score of a finished game."""
    score = final_score(position).value
    return Solution(score, score, position.mover, 0, BY_RULES)
