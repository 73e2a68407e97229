"""What is known of a position or of a move: one value, ordered, negatable, with a point of view.

The idea is python-chess's `Score`. A solver proves a score, or bounds of it; a search that leaves
moves out sees a win that is only likely; a heuristic gives a number in a unit of its own. A `Score`
holds any of these, so all other code compares, shows and sends them alike.

>>> won, open_, likely, guess = Score.exactly(18, plies=3), Score(-2, 3), Score.likely(1, plies=5), Score.opinion(40)
>>> for score in (won, -won, open_, likely, guess):
...     print(score)
+18 (win in 3 plies)
-18 (loss in 3 plies)
-2 to +3
~+1 (likely win in 5 plies)
~+40
>>> won > likely > guess > Score.exactly(-18, plies=4)
True

A score belongs to one of the players, 0 or 1; `-score` is the same fact as the other one sees it,
and `seen_by` turns it to either.

>>> (-won).player, won.seen_by(1) == -won, won.seen_by(0) is won
(1, True, True)

`result` is what is proved, `prospect` what is proved or likely, and `chance` the result that the
player can expect, from 0 (a sure loss) to 1 (a sure win). A heuristic's number has no chance of its
own: `explain.chances` reads it by the curve of that heuristic.

>>> won.result, likely.result, likely.prospect, likely.chance
('win', 'unknown', 'win', 0.99)
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Literal

from mnkala.errors import MnkalaError

if TYPE_CHECKING:
    from mnkala.core.position import Position

Kind = Literal["exact", "bound", "likely", "estimate"]
Result = Literal["win", "draw", "loss", "unknown"]
At = Literal["least", "most"]
OPEN_END = 1 << 30
"""A bound that says nothing: no game has such scores."""
SURE_WITHOUT_PROOF = 0.99
"""The chance of a win that was found among candidate moves only: nearly certain, but not every
move was considered."""
CHANCES: dict[Result, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0, "unknown": 0.5}
OPPOSITE: dict[Any, Any] = {"win": "loss", "loss": "win", "least": "most", "most": "least"}
BY_RULES, BY_BOOK, SOLVED = "rules", "book", "solved"
"""The sources of a proved score: the game is over, a book has it, or a solver proved it."""


class Contradiction(MnkalaError):
    """Proofs that cannot all be true: a book or a solver is wrong."""


@dataclasses.dataclass(frozen=True)
class Score:
    """What is known about a position or a move, for one of the players."""

    lower: int = -OPEN_END
    upper: int = OPEN_END
    """What is proved of the game's own score (`Rules.exact_score`)."""
    player: int = 0
    """The player to whom the score belongs, 0 or 1."""
    plies: int | None = None
    """The number of moves of both sides to the end of the game, if it is known; for a bound, the
    most that it can be."""
    source: str = dataclasses.field(default="", compare=False)
    """The source of a proved score: rules, book or solved; or the kind of proof by moves that
    all force the answer."""
    book: str = dataclasses.field(default="", compare=False)
    """The name of the book that it comes from."""
    likely_score: int | None = None
    """A score that was found without considering every move, on the game's own scale."""
    heuristic: int | None = None
    """The heuristic's number, if it is an opinion."""
    at: At | None = None
    """Whether a likely score or an opinion is only a bound: the search saw that the move is no
    better, or no worse, and stopped there."""
    expected: float | None = dataclasses.field(default=None, compare=False)
    """The chance attached to it, if it does not follow from the rest."""

    # ---- Making one ----

    @classmethod
    def exactly(
        cls,
        score: int,
        player: int = 0,
        plies: int | None = None,
        source: str = SOLVED,
        book: str = "",
    ) -> Score:
        """Make a proved score."""
        return cls(score, score, player, plies, source, book)

    @classmethod
    def at_least(cls, score: int, player: int = 0, plies: int | None = None) -> Score:
        """Make a proved lower bound."""
        return cls(score, OPEN_END, player, plies)

    @classmethod
    def at_most(cls, score: int, player: int = 0, plies: int | None = None) -> Score:
        """Make a proved upper bound."""
        return cls(-OPEN_END, score, player, plies)

    @classmethod
    def likely(
        cls, score: int, player: int = 0, plies: int | None = None, at: At | None = None
    ) -> Score:
        """Make the score of a win or loss that was found without considering every move. A bound
        that points towards zero says nothing."""
        if at == ("most" if score > 0 else "least"):
            return cls(player=player)
        return cls(player=player, plies=plies, likely_score=score, at=at)

    @classmethod
    def opinion(cls, number: int, player: int = 0, at: At | None = None) -> Score:
        """Make the score that a heuristic's number stands for."""
        return cls(player=player, heuristic=number, at=at)

    @classmethod
    def final(cls, position: Position) -> Score:
        """The score of a finished game for its mover."""
        state = position.state()
        return cls.exactly(
            position.rules.exact_score(state, int(position.rules.result(state)), 0),
            position.mover,
            0,
            BY_RULES,
        )

    # ---- What it says ----

    @property
    def kind(self) -> Kind:
        """How certain the score is. exact: it is proved. bound: bounds of it are proved, which may
        prove the result. likely: a win or loss was found without considering every move. estimate:
        it is a heuristic's opinion."""
        if self.lower == self.upper:
            return "exact"
        return (
            "likely"
            if self.likely_score is not None
            else "estimate"
            if self.heuristic is not None
            else "bound"
        )

    @property
    def exact(self) -> int | None:
        """The game's own score, if it is proved."""
        return self.lower if self.lower == self.upper else None

    @property
    def is_proved(self) -> bool:
        """Whether no part of the score is an opinion."""
        return self.likely_score is None and self.heuristic is None

    @property
    def result(self) -> Result:
        """The proved result, or unknown."""
        if self.lower > 0:
            return "win"
        return "loss" if self.upper < 0 else "draw" if self.lower == self.upper else "unknown"

    @property
    def prospect(self) -> Result:
        """The result that is proved or, failing that, likely."""
        if self.likely_score is None:
            return self.result
        return "win" if self.likely_score > 0 else "loss"

    @property
    def value(self) -> int:
        """A single number: the score, the more informative bound, or the heuristic's number."""
        if self.heuristic is not None or self.likely_score is not None:
            return self.heuristic if self.heuristic is not None else self.likely_score or 0
        at_least = self.lower > 0 or (self.upper >= 0 and self.lower >= -self.upper)
        bound = self.lower if at_least else self.upper
        return 0 if abs(bound) == OPEN_END else bound

    @property
    def chance(self) -> float:
        """The result that the player can expect, 0 to 1."""
        if self.expected is not None:
            return self.expected
        if self.likely_score is not None:
            return SURE_WITHOUT_PROOF if self.likely_score > 0 else 1 - SURE_WITHOUT_PROOF
        if self.heuristic:
            raise ValueError(
                f"{self} is a heuristic's own number; explain.chances.read knows what chance it promises"
            )
        return CHANCES[self.result]

    @property
    def within(self) -> tuple[int, int]:
        """The two proved bounds."""
        return self.lower, self.upper

    def answers(self, within: tuple[int, int]) -> bool:
        """Whether the score leaves nothing open within these bounds."""
        return self.lower >= self.upper or self.upper <= within[0] or self.lower >= within[1]

    def facts(self) -> dict[str, Any]:
        """The facts of the score for programs, except to whom it belongs."""
        lower, upper = (None if abs(bound) == OPEN_END else bound for bound in self.within)
        return {
            "chance": round(self.chance, 6),
            "kind": self.kind,
            "result": self.prospect,
            "score": self.exact,
            "lower": lower,
            "upper": upper,
            "plies": self.plies,
            "heuristic": self.heuristic,
            "at": self.at,
        }

    # ---- The same, seen from elsewhere ----

    def __neg__(self) -> Score:
        """The same score from the other player's point of view."""
        likely, number = (
            None if each is None else -each for each in (self.likely_score, self.heuristic)
        )
        return dataclasses.replace(
            self,
            lower=-self.upper,
            upper=-self.lower,
            player=1 - self.player,
            likely_score=likely,
            heuristic=number,
            at=OPPOSITE.get(self.at),
            expected=None if self.expected is None else 1 - self.expected,
        )

    def seen_by(self, player: int) -> Score:
        """The score from a player's point of view."""
        return self if player == self.player else -self

    def before(self, player: int) -> Score:
        """What a position's score says about the move that led to it, for the player who made
        it."""
        return dataclasses.replace(
            self.seen_by(player), plies=None if self.plies is None else self.plies + 1
        )

    def after(self) -> Score:
        """The reverse: what a move's score says about the position that it leads to."""
        return dataclasses.replace(self, plies=None if self.plies is None else self.plies - 1)

    # ---- Two together ----

    def narrowed(self, other: Score) -> Score:
        """What both prove together, for the same player; where the other one has the exact score,
        it says the rest as well.

        >>> print(Score(-2, 5).narrowed(Score.at_most(1)))
        -2 to +1
        """
        lower, upper = max(self.lower, other.lower), min(self.upper, other.upper)
        if lower > upper:
            raise Contradiction(
                f"two proofs contradict each other: a score of at least {lower} and of at most {upper}"
            )
        told = (
            other
            if other.exact is not None and (self.exact is None or self.plies is None)
            else self
        )
        return dataclasses.replace(told, lower=lower, upper=upper)

    @property
    def order(self) -> tuple[float, float, float, float]:
        """The key by which scores of one player are compared: the chance, the margin, how soon a
        win or how late a loss comes, and certainty."""
        number = self.heuristic or 0
        chance = (
            0.5 + number / (2 * abs(number) + 1) / 1.1
            if number and self.expected is None
            else self.chance
        )
        proved = self.lower if self.prospect == "win" else self.upper
        margin = 0 if abs(proved) == OPEN_END else proved
        plies = self.plies or 0
        return (
            chance,
            margin,
            -plies if chance > 0.5 else plies,
            -(self.at == "most" or self.kind == "bound"),
        )

    def __lt__(self, other: Score) -> bool:
        return self.order < other.seen_by(self.player).order

    def __gt__(self, other: Score) -> bool:
        return self.order > other.seen_by(self.player).order

    def __le__(self, other: Score) -> bool:
        return not self > other

    def __ge__(self, other: Score) -> bool:
        return not self < other

    def __str__(self) -> str:
        end = "" if not self.plies else f" in {self.plies} {'ply' if self.plies == 1 else 'plies'}"
        if not self.is_proved:
            sign = {"least": ">~", "most": "<~", None: "~"}[self.at]
            return f"{sign}{_signed(self.value)}{f' (likely {self.prospect}{end})' if self.likely_score is not None else ''}"
        if self.result == "unknown" and OPEN_END not in (-self.lower, self.upper):
            return f"{_signed(self.lower)} to {_signed(self.upper)}"
        if -self.lower == self.upper == OPEN_END:
            return "open"
        sign = "" if self.exact is not None else ">=" if self.value == self.lower else "<="
        return f"{sign}{_signed(self.value)}{'' if self.result == 'unknown' else f' ({self.result}{end})'}"


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"
