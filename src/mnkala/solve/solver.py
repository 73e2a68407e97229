"""The contract of an exact solver, and the register of solvers.

A solver finds the score of a position that best play by both sides leads to: a number that is proved, not guessed. The oracle (`oracle`),
the engine `perfect`, the page, the terminal and the commands know a solver only through the clauses below.

Conventions
-----------
- A score is the game's own (`Rules.exact_score`), and a `Solution` says for whom: the mover of the position that was asked about. Between
  a position and the one after a move the sign changes if the mover changes, never by the ply (Kalah moves again).
- A question is answered in *steps*: each is a `Solution` with bounds at least as narrow as those before. So whoever asks sees the progress
  and may leave at any step, and a flag that is raised ends the work with what is known by then.
- Whether a solver *fits* a game and whether a position is *within its reach* are two questions. `why_not` answers the first in words;
  `cost` answers the second, without searching.
- A solver keeps what it learns until `clear`, so that the next question of a game is quicker. It works for one caller at a time;
  `solver_pool` lends it out.

A solver of one's own: derive from `Solver`, say by `why_not` which games it fits, and register it by `register_solver`. The first
registered solver that fits a game is its solver, those of a family before the one for any game. Plug-ins register theirs by the entry
point `mnkala.solvers`.
"""

from __future__ import annotations

import abc
import enum
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from mnkala.core import Position, Rules, plugins
from mnkala.core.plugin_errors import note_plugin
from mnkala.core.plugins import new_register
from mnkala.core.registry import load
from mnkala.errors import BadPlugin, BadPosition, MnkalaError
from mnkala.search.limit import Stop
from mnkala.unexpected_errors import in_one_line

if TYPE_CHECKING:
    from mnkala.solve.book import Book
import dataclasses
from typing import Literal

from mnkala.search.values import Score, final_score

# ---- Solutions ----


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


# ---- Solvers ----


TABLE_MB = 256


class Cost(enum.Enum):
    """What it costs to ask a solver about a position."""

    AT_ONCE = "at once"
    """Milliseconds: worth asking on the way to something else."""
    WORTH_TRYING = "worth trying"
    """Seconds or minutes."""
    HOPELESS = "hopeless"
    """Nobody would wait for it."""


class Solver(abc.ABC):
    """Base of every solver. An instance solves positions of one game."""

    name: ClassVar[str]
    """For people."""
    any_game: ClassVar[bool] = False
    """Whether it steps in where no solver of the family fits."""
    counts_plies: ClassVar[bool] = False
    """Whether exact answers say how long the game lasts though scores do not: of equal moves the quicker win is then known."""
    reach: ClassVar[str]
    """For people: which positions are within reach."""

    @classmethod
    @abc.abstractmethod
    def why_not(cls, rules: Rules) -> str | None:
        """Why this solver cannot take a game, in words; None if it can."""

    @classmethod
    @abc.abstractmethod
    def prepare(cls, rules: Rules) -> None:
        """Compile (or load) everything, before any clock runs."""

    @classmethod
    @abc.abstractmethod
    def kernel_key(cls, rules: Rules) -> str:
        """Names what `prepare` compiles, alike for all games that share it."""

    def __init__(self, rules: Rules, *, threads: int = 1, table_mb: int = TABLE_MB) -> None:
        if (reason := self.why_not(rules)) is not None:
            raise BadPosition(reason)
        self.rules, self.threads, self.table_mb = rules, threads, table_mb

    @abc.abstractmethod
    def steps(self, position: Position, *, within: tuple[int, int] | None = None, weak: bool = False, stop: Stop | None = None,
              nodes: int | None = None) -> Iterator[Solution]:
        """Close in on the score of a position that is not over, for its mover; at least one step.

        `within`: bounds outside of which the score is of no interest. The bounds of a step are true nevertheless, that is, open to the
        side on which nothing was found out. `weak`: only who wins, which leaves them open too. `stop` and `nodes` end it early.
        """

    @abc.abstractmethod
    def span(self, position: Position) -> tuple[int, int]:
        """The lowest and the highest score that a position can have by the look of it."""

    @abc.abstractmethod
    def cost(self, position: Position, *, score: int | None = None, seconds: float | None = None, warm: bool = False) -> Cost:
        """What a question about a position costs: its score, or with `score` only whether it is above that. With `seconds` it is hopeless
        if it will hardly be answered within them; `warm` says that a position just before it was solved a moment ago."""

    def is_sure(self, position: Position, seconds: float) -> bool:
        """Whether the score of a position is nearly always found within so many seconds."""
        return self.cost(position) is Cost.AT_ONCE

    def plies(self, position: Position, score: int) -> int | None:
        """How long the game lasts if the mover has this score, where the score tells."""
        return None

    def order(self, position: Position) -> list[int]:
        """The legal moves, those first that are most worth asking about."""
        return list(position.legal_codes)

    @abc.abstractmethod
    def clear(self) -> None:
        """Forget everything that was learnt."""

    @abc.abstractmethod
    def held(self) -> int:
        """Positions that are kept in memory, about."""

    # ---- What all solvers share ----

    def solve(self, position: Position, *, within: tuple[int, int] | None = None, weak: bool = False, stop: Stop | None = None,
              nodes: int | None = None) -> Solution:
        """The last step."""
        *_, last = self.steps(position, within=within, weak=weak, stop=stop, nodes=nodes)
        return last

    def solution(self, position: Position, lower: int, upper: int, source: Source = SOLVED, book: str = "", *, nodes: int = 0,
                 seconds: float = 0.0) -> Solution:
        """Bounds of a position's score as a `Solution`."""
        score = lower if lower == upper else None
        plies = None if score is None else self.plies(position, score)
        return Solution(lower, upper, position.mover, plies, OPEN if score is None else source, book, nodes, seconds)

    def from_book(self, position: Position, book: Book | None) -> Solution | None:
        """What a book knows of a position that is not over, if there is one and it reaches so far."""
        bounds = None if book is None else book.bounds(position)
        return None if book is None or bounds is None else self.solution(position, *bounds, BY_BOOK, book.name)

    def check(self, position: Position) -> None:
        """Raise an error that says why, if there is nothing to solve here."""
        if position.game != self.rules.game_string():
            raise BadPosition(f"a position of {position.game}, but this solver is for {self.rules.game_string()}")
        if position.is_over:
            raise BadPosition(f"the game is over ({position.outcome}): there is nothing to solve")


_solvers: dict[str, type[Solver]] = new_register()


class NoSolver(MnkalaError):
    """A game that no solver fits, or a position out of reach."""


def register_solver(cls: type[Solver]) -> type[Solver]:
    """Make a solver known; also a decorator for plug-ins. A newer version takes the place of an older one of its name."""
    if missing := sorted(cls.__abstractmethods__):
        raise BadPlugin(f"the solver {cls.__name__} lacks {', '.join(missing)}; `Solver` says what each must do")
    note_plugin(cls)
    _solvers.pop(cls.name, None)  # a newer version comes last
    _solvers[cls.name] = cls
    return cls


def solvers() -> list[type[Solver]]:
    """All solvers, those of plug-ins too; those for any game last."""
    load("solvers")
    return sorted(_solvers.values(), key=lambda cls: cls.any_game)


def why_not(cls: type[Solver], rules: Rules) -> str | None:
    """Why a solver cannot take a game. A plug-in's that fails to answer is left out, with a warning."""
    try:
        return cls.why_not(rules)
    except Exception as error:
        warnings.warn(f"the solver {cls.name} was left out: {in_one_line(error)}", plugins.PluginWarning, stacklevel=2)
        return f"the solver {cls.name} does not work"


def find_solver(rules: Rules) -> type[Solver] | None:
    """The solver that fits a game, or None."""
    return next((cls for cls in solvers() if why_not(cls, rules) is None), None)


def solver_for(rules: Rules) -> type[Solver]:
    """The solver that fits a game; an error that says why not, if none does."""
    found = find_solver(rules)
    if found is None:
        raise NoSolver(f"{rules.game_string()} cannot be solved exactly: "
                       + "; ".join(str(why_not(cls, rules)) for cls in solvers()))
    return found
