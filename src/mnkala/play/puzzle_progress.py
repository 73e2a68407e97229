"""What a person has reached in puzzles: solved ones, a rating, a streak of days; and which puzzles
come next: the one of the day, or some near the person's rating.

Results are kept with the games, under the same owners (`store`). A puzzle counts for the rating
once, by the first try: one point if it is solved without a wrong move and without help, otherwise
none. The rating is that of games against levels (`own_rating`), with the puzzles as opponents.

The puzzle of a day is chosen by its date among those that come with the package, so it is the same
for everybody, and none comes again before all others had their day.
"""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from mnkala.core import Rules, parse_game
from mnkala.errors import MnkalaError
from mnkala.play.own_rating import KEPT_GAMES, OwnRating, estimate
from mnkala.play.puzzle_contract import (
    FEWEST_POINTS,
    MOST_STARS,
    POINTS_PER_STAR,
    Goal,
    Puzzle,
)
from mnkala.play.puzzles import known_puzzle, offered_puzzles, puzzle_set, puzzles_of, shipped_goals
from mnkala.play.saved_games import now_text
from mnkala.play.store import THIS_COMPUTER, PuzzleDay, PuzzleResult, Store

State = Literal["", "tried", "helped", "alone"]
STATES: tuple[State, ...] = ("tried", "helped", "alone")
TRIED, HELPED, ALONE = range(3)
MIDDLE = FEWEST_POINTS + POINTS_PER_STAR * (MOST_STARS - 1) / 2
"""The rating around which a person's rating is estimated: that of a puzzle with three stars."""
SPREAD = 150.0
"""How far from the person's rating puzzles are mixed, as a standard deviation."""
DAY_BEGINS = datetime.date(2026, 1, 1)
"""The first day that has a daily puzzle."""


@dataclasses.dataclass(frozen=True)
class Numbered:
    """A puzzle and its place among those with its goal."""

    puzzle: Puzzle
    number: int
    """The number in the set of its goal, from 0."""
    total: int


@dataclasses.dataclass(frozen=True)
class Solver:
    """A person who solves puzzles."""

    owners: tuple[str, ...] | None = None
    """The owners whose results are the person's; None for all people at this computer."""
    owner: str = THIS_COMPUTER
    """The owner of new results."""
    here: bool = True


@dataclasses.dataclass(frozen=True)
class Progress:
    """What a person has reached in the puzzles of a game, or of all games."""

    states: Mapping[tuple[str, str], State]
    """How each puzzle ended, by its game and moves."""
    rating: OwnRating | None
    """None before enough puzzles were tried."""
    tried: int
    """The number of puzzles that count for the rating."""
    streak: int
    """The number of days in a row, up to today or yesterday, whose daily puzzle was solved."""
    today: bool
    """Whether the puzzle of today is solved."""

    @property
    def level(self) -> float:
        """The rating, or the middle while there is none."""
        return MIDDLE if self.rating is None else self.rating.rating

    def state(self, puzzle: Puzzle) -> State:
        """How a puzzle ended; empty for one that was not tried."""
        return self.states.get((puzzle.game, puzzle.moves), "")

    @property
    def solved(self) -> int:
        """The number of solved puzzles."""
        return sum(state in ("helped", "alone") for state in self.states.values())


def progress(store: Store, who: Solver, today: datetime.date, game: str | None = None) -> Progress:
    """What a person has reached in the puzzles of a game, or of all."""
    found = [each for each in store.puzzle_results(who.owners) if game in (None, each.game)]
    states: dict[tuple[str, str], State] = {}
    results: dict[tuple[str, str], tuple[float, float]] = {}
    for each in found:
        name = each.game, each.moves
        states[name] = max(states.get(name, "tried"), STATES[each.state], key=STATES.index)
        if each.points is not None:
            results.setdefault(name, (each.rating, each.points))
    days = {each.day for each in store.puzzle_days(who.owners) if game in (None, each.game)}
    return Progress(
        states,
        estimate([*results.values()][-KEPT_GAMES:], MIDDLE),
        len(results),
        streak(days, today),
        today.isoformat() in days,
    )


def streak(days: Iterable[str], today: datetime.date) -> int:
    """The number of days in a row that end today, or yesterday while today's puzzle is open."""
    solved, one = set(days), datetime.timedelta(days=1)
    day = today if today.isoformat() in solved else today - one
    count = 0
    while day.isoformat() in solved:
        count, day = count + 1, day - one
    return count


def entries(
    puzzle: Puzzle, who: Solver, *, solved: bool, helped: bool, today: datetime.date | None = None
) -> list[PuzzleResult | PuzzleDay]:
    """What is written when a person tried a wrong move, asked for help or solved a puzzle. With
    `today`, a solved puzzle also counts for the streak if it is the one of that day."""
    state = TRIED if not solved else HELPED if helped else ALONE
    result = PuzzleResult(
        who.owner,
        who.here,
        puzzle.game,
        puzzle.moves,
        state,
        float(state == ALONE),
        puzzle.rating,
        now_text(),
    )
    if not solved or today is None or not is_of_day(puzzle, today):
        return [result]
    return [result, PuzzleDay(who.owner, who.here, puzzle.game, today.isoformat())]


# ---- Which puzzles ----


def shipped(game: str, goals: Sequence[Goal] | None = None) -> list[Numbered]:
    """The puzzles of a game that come with the package, of some goals or of all."""
    rules = puzzles_of_game(game)
    ready = shipped_goals(rules.game_string())
    return [
        Numbered(puzzle, number, len(ready[goal]))
        for goal in ready
        if not goals or goal in goals
        for number, puzzle in enumerate(puzzle_set(rules, goal))
    ]


def puzzles_of_game(game: str) -> Rules:
    """The rules of a game, which must have puzzles."""
    rules = parse_game(game)
    puzzles_of(rules)
    return rules


def games_with_daily() -> list[str]:
    """The games that have a daily puzzle, in the order of the families."""
    return [each.game for each in offered_puzzles() if shipped_goals(each.game)]


def daily(game: str, day: datetime.date) -> Numbered:
    """The puzzle of a day; raises MnkalaError for a day before the first one, or a game without
    daily puzzles."""
    if day < DAY_BEGINS:
        raise MnkalaError(f"daily puzzles begin on {DAY_BEGINS.isoformat()}")
    pool = shipped(game)
    if not pool:
        names = ", ".join(games_with_daily())
        raise MnkalaError(f"{game} has no daily puzzle; {names} have one")
    pool.sort(key=lambda each: hashlib.sha256(each.puzzle.moves.encode()).digest())
    return pool[(day - DAY_BEGINS).days % len(pool)]


def is_known(puzzle: Puzzle) -> bool:
    """Whether a puzzle is one of those that people share, so that its result counts."""
    return known_puzzle(puzzle.position.rules, puzzle.goal, puzzle.moves) is not None


def is_of_day(puzzle: Puzzle, day: datetime.date) -> bool:
    """Whether a puzzle is the daily one of its game."""
    if puzzle.game not in games_with_daily():
        return False
    chosen = daily(puzzle.game, day).puzzle
    return (chosen.game, chosen.moves) == (puzzle.game, puzzle.moves)


def mixed(
    pool: Sequence[Numbered], reached: Progress, count: int, rng: random.Random
) -> list[Numbered]:
    """Some puzzles near a person's rating, new ones first, then those that were not solved alone."""
    ranks = {"": 0, "tried": 1, "helped": 1, "alone": 2}
    return sorted(
        pool,
        key=lambda each: (
            ranks[reached.state(each.puzzle)],
            abs(each.puzzle.rating - reached.level + rng.gauss(0, SPREAD)),
        ),
    )[:count]


def similar(
    game: str, mistake: str, reached: Progress, count: int, rng: random.Random
) -> list[Numbered]:
    """Choose puzzles that train a person who made a kind of mistake in a game: of the same board if
    some come with it, otherwise of the board that its family offers."""
    board = game if shipped(game) else puzzles_of(puzzles_of_game(game)).game
    trained = shipped(board, puzzles_of(puzzles_of_game(board)).trains.get(mistake))
    return mixed(trained or shipped(board), reached, count, rng)
