"""The contract of an exact solver, and the register of solvers.

A solver finds the score of a position that best play by both sides leads to: a number that is
proved, not guessed. The oracle (`oracle`), the engine `perfect`, the page, the terminal and the
commands know a solver only through the clauses below.

Conventions -----------
- A score is the game's own (`Rules.exact_score`), and a `Score` says for whom: the mover of the
  position that was asked about. Between a position and the one after a move the sign changes if the
  mover changes, never by the ply (Kalah moves again).
- A question is answered in *steps*: each is a `Step` whose bounds are at least as narrow as those
  before. So whoever asks sees the progress and may leave at any step, and a flag that is raised
  ends the work with what is known by then.
- Whether a solver *fits* a game and whether a position is *within its reach* are two questions.
  `why_not` answers the first in words; `cost` answers the second, without searching.
- A solver keeps what it learns until `clear`, so that the next question of a game is quicker. It
  works for one caller at a time; `lent_solver` lends it out.

A solver of one's own: derive from `Solver`, say by `why_not` which games it fits, and register it
by `register_solver`. The first registered solver that fits a game is its solver, those of a family
before the one for any game. Plug-ins register theirs by the entry point `mnkala.solvers`.
"""

from __future__ import annotations

import abc
import contextlib
import dataclasses
import enum
import threading
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from mnkala.core import Position, Rules, plugins
from mnkala.core.plugins import new_register, note_plugin
from mnkala.core.registry import load
from mnkala.core.score import BY_BOOK, SOLVED, Score
from mnkala.errors import BadPlugin, BadPosition, MnkalaError, in_one_line
from mnkala.search.limit import Stop

if TYPE_CHECKING:
    from mnkala.solve.books import Book


@dataclasses.dataclass(frozen=True)
class Step:
    """The bounds that a solver has found so far, and the work that they took."""

    score: Score
    """The bounds, for the mover of the position that was asked about."""
    nodes: int = 0
    """The number of positions visited."""
    seconds: float = 0.0


TABLE_MB = 256


class Cost(enum.Enum):
    """The cost of a query to a solver."""

    AT_ONCE = "at once"
    """The answer takes milliseconds, so it is worth asking in passing."""
    WORTH_TRYING = "worth trying"
    """The answer takes seconds or minutes."""
    HOPELESS = "hopeless"
    """The answer takes too long for anybody to wait."""


class Solver(abc.ABC):
    """Base class of all solvers. An instance solves positions of one game."""

    name: ClassVar[str]
    """The name of the solver, for people."""
    any_game: ClassVar[bool] = False
    """Whether it is used for games that no solver of their family fits."""
    counts_plies: ClassVar[bool] = False
    """Whether exact answers include the length of the game although scores do not, so that of
    equal moves the quicker win is known."""
    reach: ClassVar[str]
    """The positions within reach, for people."""
    reach_key: ClassVar[str] = ""
    """The key of the words that say this in every language, if there are some."""

    @classmethod
    @abc.abstractmethod
    def why_not(cls, rules: Rules) -> str | None:
        """Why this solver cannot take a game, in words; None if it can."""

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        """Whether the game is of the kind that this solver is for, even if its board is not: then
        people are told this solver's reason and no other's."""
        return False

    @classmethod
    @abc.abstractmethod
    def prepare(cls, rules: Rules) -> None:
        """Compile (or load) everything, before any clock runs."""

    @classmethod
    @abc.abstractmethod
    def kernel_key(cls, rules: Rules) -> str:
        """A text that identifies what `prepare` compiles; the same for all games that share it."""

    def __init__(self, rules: Rules, *, threads: int = 1, table_mb: int = TABLE_MB) -> None:
        if (reason := self.why_not(rules)) is not None:
            raise BadPosition(reason)
        self.rules, self.threads, self.table_mb = rules, threads, table_mb

    @abc.abstractmethod
    def steps(
        self,
        position: Position,
        *,
        within: tuple[int, int] | None = None,
        weak: bool = False,
        stop: Stop | None = None,
        nodes: int | None = None,
    ) -> Iterator[Step]:
        """Yield steps towards the score of a position that is not over, for its mover; at least
        one step.

        `within` gives bounds outside of which the score is not needed exactly. The bounds of a
        step are true nevertheless, that is, open on the side where nothing was found. `weak`
        asks only who wins, which leaves bounds open as well. `stop` and `nodes` end the work
        early.
        """

    @abc.abstractmethod
    def span(self, position: Position) -> tuple[int, int]:
        """The lowest and the highest score that a position can have, judged without search."""

    @abc.abstractmethod
    def cost(
        self,
        position: Position,
        *,
        score: int | None = None,
        seconds: float | None = None,
        warm: bool = False,
    ) -> Cost:
        """Estimate the cost of a question about a position: its score or, with `score`, whether
        it is above that. With `seconds` it is hopeless if it will hardly be answered in that
        time; `warm` says that a position just before it was solved a moment ago."""

    def is_sure(self, position: Position, seconds: float) -> bool:
        """Whether the score of a position is almost always found within the given seconds."""
        return self.cost(position) is Cost.AT_ONCE

    def is_always_sure(self, seconds: float, book: Book | None) -> bool:
        """Whether the score of every position that can arise in the game is certain to be found
        within the given seconds; by default if that of the start is found at once."""
        return self.cost(Position(self.rules)) is Cost.AT_ONCE

    def sure_from(self, seconds: float) -> tuple[str, int]:
        """The point from which on scores are certain to be found within the given seconds: a
        unit, and how much of it is then left. Its text is `game.level_exact_from.UNIT`; by
        default it says only that the end is near."""
        return "end", 0

    def plies(self, position: Position, score: int) -> int | None:
        """The number of plies until the end if the mover has this score, where the score determines
        it."""
        return None

    def order(self, position: Position) -> list[int]:
        """The legal moves, those most worth asking about first."""
        return list(position.legal_codes)

    @abc.abstractmethod
    def clear(self) -> None:
        """Forget everything that was learnt."""

    @abc.abstractmethod
    def held(self) -> int:
        """The approximate number of positions in memory."""

    # ---- What all solvers share ----

    def solve(
        self,
        position: Position,
        *,
        within: tuple[int, int] | None = None,
        weak: bool = False,
        stop: Stop | None = None,
        nodes: int | None = None,
    ) -> Step:
        """The last step: the bounds or the score after all work."""
        *_, last = self.steps(position, within=within, weak=weak, stop=stop, nodes=nodes)
        return last

    def step(
        self, position: Position, lower: int, upper: int, *, nodes: int = 0, seconds: float = 0.0
    ) -> Step:
        """A step with bounds of a position's score."""
        return Step(self.score(position, lower, upper), nodes, seconds)

    def score(
        self, position: Position, lower: int, upper: int, source: str = SOLVED, book: str = ""
    ) -> Score:
        """The bounds of a position's score, with everything that follows if they meet."""
        if lower < upper:
            return Score(lower, upper, position.mover)
        return Score.exactly(lower, position.mover, self.plies(position, lower), source, book)

    def from_book(self, position: Position, book: Book | None) -> Score | None:
        """The score or bounds of an unfinished position in a book, if there is a book and it has
        the position."""
        bounds = None if book is None else book.bounds(position)
        return (
            None
            if book is None or bounds is None
            else self.score(position, *bounds, BY_BOOK, book.name)
        )

    def check(self, position: Position) -> None:
        """Raise an error with the reason if there is nothing to solve here."""
        if position.game != self.rules.game_string():
            raise BadPosition(
                f"a position of {position.game}, but this solver is for {self.rules.game_string()}"
            )
        if position.is_over:
            text = f"the game is over ({position.outcome}): there is nothing to solve"
            raise BadPosition(text, "error.nothing_to_solve", result=str(position.outcome))


_solvers: dict[str, type[Solver]] = new_register()


class NoSolver(MnkalaError):
    """No solver fits a game, or a position is out of reach."""


def register_solver(cls: type[Solver]) -> type[Solver]:
    """Register a solver; also a decorator for plug-ins. A new one replaces an older one of the
    same name."""
    if missing := sorted(cls.__abstractmethods__):
        raise BadPlugin(
            f"the solver {cls.__name__} lacks {', '.join(missing)}; `Solver` says what each must do"
        )
    note_plugin(cls)
    _solvers.pop(cls.name, None)  # a newer version comes last
    _solvers[cls.name] = cls
    return cls


def solvers() -> list[type[Solver]]:
    """All solvers, including those of plug-ins; those for any game come last."""
    load("solvers")
    return sorted(_solvers.values(), key=lambda cls: cls.any_game)


def why_not(cls: type[Solver], rules: Rules) -> str | None:
    """Why a solver cannot solve a game. A plug-in's solver that fails to answer is ignored with
    a warning."""
    try:
        return cls.why_not(rules)
    except Exception as error:
        warnings.warn(
            f"the solver {cls.name} was left out: {in_one_line(error)}",
            plugins.PluginWarning,
            stacklevel=2,
        )
        return f"the solver {cls.name} does not work"


def find_solver(rules: Rules) -> type[Solver] | None:
    """The solver that fits a game, or None."""
    return next((cls for cls in solvers() if why_not(cls, rules) is None), None)


def solver_for(rules: Rules) -> type[Solver]:
    """The solver that fits a game; an error with the reason if none does."""
    found = find_solver(rules)
    if found is None:
        kind = [cls for cls in solvers() if cls.plays(rules)]
        reasons = [str(why_not(cls, rules)) for cls in kind or solvers() if kind or cls.any_game]
        raise NoSolver(
            f"{rules.game_string()} cannot be solved exactly: {'; '.join(reasons)}. "
            f"`mnkala analyse {rules.game_string()}` estimates every move"
        )
    return found


# ---- Solvers that are kept between questions ----


# What a solver learnt about a game makes the game's next question quicker. A solver works for one
# caller at a time, so it is lent out: anyone who asks in the meantime gets another. A full table is
# large, so few are kept; when many ask at once, the later ones get a small table, which gives the
# same answers, only more slowly.

MOST_KEPT = 2
MOST_MB = 3 * TABLE_MB
"""The size of all tables together, those that are lent and those that are kept; any beyond that
are small."""
SMALL_MB = TABLE_MB // 8
_free: list[tuple[tuple[str, int, int], Solver]] = []
"""The solvers that are not lent out, by game, threads and memory; the most recently used is
last."""
_lent: list[Solver] = []
_lock = threading.Lock()


@contextlib.contextmanager
def lent_solver(
    rules: Rules, *, threads: int = 1, table_mb: int = TABLE_MB, fresh: bool = False
) -> Iterator[Solver]:
    """Lend a solver for a game, if possible one that already knows something; with `fresh`, one
    that knows nothing and is not kept, for answers that must depend on nothing but the question."""
    solver = None if fresh else _kept(rules.game_string(), threads, table_mb)
    if solver is None:
        room = table_mb if fresh else _room_for(table_mb)
        solver = solver_for(rules)(rules, threads=threads, table_mb=room)
        with _lock:
            _lent.append(solver)
    try:
        yield solver
    finally:
        with _lock:
            _lent[:] = [each for each in _lent if each is not solver]
            if not fresh:
                _free.append(((rules.game_string(), threads, solver.table_mb), solver))
                del _free[:-MOST_KEPT]


def _kept(game: str, threads: int, table_mb: int) -> Solver | None:
    """The most recently used solver of a game, now lent out."""
    with _lock:
        fitting = [each for each in _free if each[0] == (game, threads, table_mb)]
        if not fitting:
            return None
        _free.remove(fitting[-1])
        _lent.append(fitting[-1][1])
        return fitting[-1][1]


def _room_for(table_mb: int) -> int:
    """The memory of a new solver: as much as requested, if necessary by dropping solvers that
    are kept; little if many are at work."""
    with _lock:
        while _free and _megabytes() + table_mb > MOST_MB:
            del _free[0]
        fits = not _lent or _megabytes() + table_mb <= MOST_MB
        return table_mb if fits else min(table_mb, SMALL_MB)


def _megabytes() -> int:
    return sum(each.table_mb for each in (*_lent, *(solver for _, solver in _free)))


def forget_solvers() -> None:
    """Forget all solvers that are kept."""
    with _lock:
        _free.clear()
