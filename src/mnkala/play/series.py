"""A series of games between two engines, with the confidence of its result.

Games start from random openings, so that deterministic engines do not repeat the same game; each
opening is played twice with the sides changed, so that neither the first move nor a lucky
opening favours anyone. The confidence interval counts openings, not games (`intervals.py`).
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator

from mnkala.core import Position, Rules
from mnkala.errors import BadGame, MnkalaError
from mnkala.numbers import counted
from mnkala.play.clock import Spent
from mnkala.play.engine_game import Conditions, engine_for, play_game
from mnkala.play.intervals import paired, wilson
from mnkala.search import Engine

USUAL_OPENING = 4
"""The number of random moves before the engines take over."""
MOST_TRIES = 200


@dataclasses.dataclass(frozen=True)
class SeriesResult:
    """The result from the first engine's point of view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, ...] = (0, 0, 0, 0, 0)
    """The number of openings that, played from both sides, brought 0, ½, … 2 points."""

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The points of the first engine: 1 for a win, ½ for a draw."""
        return self.wins + self.draws / 2

    @property
    def counts(self) -> str:
        """The numbers of wins, draws and losses as a short text."""
        return f"+{self.wins} ={self.draws} -{self.losses}"

    @property
    def share(self) -> float:
        """The points for each game."""
        return self.points / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share: by openings where both games of each are known, else
        Wilson's for single games.
        """
        return (
            paired(self.pairs)
            if self.games and 2 * sum(self.pairs) == self.games
            else wilson(self.share, self.games)
        )

    def add(self, points: float, first: float | None = None) -> SeriesResult:
        """The result after one more game. If it is the second from its opening, `first` holds
        the points of the first one."""
        pairs = (
            self.pairs
            if first is None
            else tuple(count + (2 * (points + first) == i) for i, count in enumerate(self.pairs))
        )
        return SeriesResult(
            self.wins + (points == 1),
            self.draws + (points == 0.5),
            self.losses + (points == 0),
            pairs,
        )

    def add_pair(self, first: float, second: float) -> SeriesResult:
        """The result after two more games from one opening."""
        return self.add(first).add(second, first)

    def __add__(self, other: SeriesResult) -> SeriesResult:
        return SeriesResult(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            tuple(one + two for one, two in zip(self.pairs, other.pairs, strict=True)),
        )

    def turned(self) -> SeriesResult:
        """The result from the other engine's point of view."""
        return SeriesResult(self.losses, self.draws, self.wins, self.pairs[::-1])

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.counts}  {100 * self.share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


@dataclasses.dataclass(frozen=True)
class SeriesGame:
    """One game of a series."""

    number: int
    position: Position
    """The last position, with its history."""
    points: float
    """The points of the first engine."""
    first_moved_first: bool
    """Whether the first engine placed the first stones, in an opening by a rule that decides the
    sides only then."""
    fault: str | None = None
    """What the loser did wrong, if it did not lose by the rules."""
    spent: tuple[Spent, Spent] = (Spent(), Spent())
    """What the first engine spent, and what the other spent."""


def opening(rules: Rules, plies: int, seed: int) -> Position:
    """A position after `plies` random moves in which the game is not over and cannot be won at
    once; raises BadGame if none is found."""
    rng = random.Random(f"{rules.game_string()} {plies} {seed}")
    for _ in range(MOST_TRIES):
        position = Position(rules)
        while len(position.history) < plies and not position.is_over:
            position = position.play_codes([rng.choice(_sensible(position))])
        if not position.is_over and not any(
            position.play_codes([move]).is_over for move in position.legal_codes
        ):
            return position
    raise BadGame(
        f"no opening of {counted(plies, 'move')} leaves {rules.game_string()} open; take fewer"
    )


def _sensible(position: Position) -> tuple[int, ...]:
    """The moves to choose from: on large boards those near existing marks, or near the middle,
    so that openings are not scattered."""
    rules, state = position.rules, position.state()
    moves = position.legal_codes
    if rules.candidates() == "all":
        return moves
    near = tuple(move for move in moves if rules.near(state, move, 2))
    return near or (max(moves, key=lambda move: rules.prior(state, move)),)


def _engine(player: str | Engine, rules: Rules) -> Engine:
    """An engine for one game; engine strings get a new one each time."""
    return engine_for(player, rules) if isinstance(player, str) else player


def play_series(
    game: str | Rules,
    one: str | Engine,
    other: str | Engine,
    games: int,
    *,
    plies: int = USUAL_OPENING,
    seed: int = 1,
    watch: Callable[[SeriesGame], None] | None = None,
) -> SeriesResult:
    """Play a number of games between two engines, given as engine strings or levels ("easy",
    "perfect"), and count.

    Interrupted by Ctrl-C it raises KeyboardInterrupt; by then `watch` has seen every finished
    game.
    """
    result, first = SeriesResult(), None
    for played in series_games(game, one, other, games, plies=plies, seed=seed):
        result = result.add(played.points, first)
        first = played.points if played.number % 2 == 0 else None
        if watch:
            watch(played)
    return result


def series_games(
    game: str | Rules,
    one: str | Engine,
    other: str | Engine,
    games: int,
    *,
    plies: int = USUAL_OPENING,
    seed: int = 1,
    opening_rule: str | None = None,
) -> Iterator[SeriesGame]:
    """Yield the games of a series. With an `opening_rule` the engines make their own openings."""
    if games < 1:
        raise MnkalaError(f"{games} games; a series has at least 1")
    rules = Position(game).rules
    conditions = Conditions(opening_rule=opening_rule, lenient=False)
    for player in (one, other):
        _engine(player, rules).search.check(rules)
    start = Position(rules)
    for number in range(games):
        first = number % 2 == 0
        if first and opening_rule is None:
            start = opening(rules, plies, seed + number // 2)
        pair = _engine(one, rules), _engine(other, rules)
        played = play_game(start, pair if first else (pair[1], pair[0]), conditions)
        spent = played.spent if first else (played.spent[1], played.spent[0])
        yield SeriesGame(
            number, played.end, played.points[0 if first else 1], first, played.fault or None, spent
        )
