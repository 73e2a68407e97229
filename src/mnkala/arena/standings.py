"""The table of a tournament: points, ratings with their intervals, faults and what each player spent, from the games so far."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

from mnkala.arena.game_job import GameResult
from mnkala.arena.ratings import Encounter, Ratings, rate
from mnkala.play.spending import Spent


@dataclasses.dataclass(frozen=True)
class Tally:
    """Won, drawn and lost games."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def add(self, points: float) -> Tally:
        """With one more game."""
        return Tally(self.wins + (points == 1), self.draws + (points == 0.5), self.losses + (points == 0))

    @property
    def games(self) -> int:
        """How many."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """1 for a win, half for a draw."""
        return self.wins + self.draws / 2

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}"


@dataclasses.dataclass(frozen=True)
class Row:
    """A player in the table."""

    player: int
    name: str
    tally: Tally
    elo: float
    low: float
    high: float
    faults: int
    """Games lost otherwise than by the rules."""
    spent: Spent

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        tally = self.tally
        return {"name": self.name, "games": tally.games, "points": tally.points, "wins": tally.wins, "draws": tally.draws,
                "losses": tally.losses, "elo": round(self.elo, 1), "low": round(self.low, 1), "high": round(self.high, 1),
                "faults": self.faults, "spent": self.spent.as_json()}


@dataclasses.dataclass(frozen=True)
class Standings:
    """All players, the strongest first."""

    rows: tuple[Row, ...]
    cross: tuple[tuple[Tally, ...], ...]
    """By the numbers of two players: how the first fared against the second."""
    ratings: Ratings


def encounters_of(games: Iterable[GameResult]) -> list[Encounter]:
    """Games put together by their openings: two with the sides changed, or one that has no counterpart yet."""
    together: dict[tuple[str, int, int, int], list[float]] = {}
    for game in games:
        fixture = game.fixture
        together.setdefault((fixture.game, fixture.one, fixture.other, fixture.number // 2), []).append(game.points_of(fixture.one))
    return [Encounter(one, other, tuple(points)) for (_, one, other, _), points in together.items()]


def standings_of(names: Sequence[str], games: Sequence[GameResult], anchor: tuple[int, float] | None = None) -> Standings:
    """The table of these games."""
    count = len(names)
    cross = [[Tally()] * count for _ in range(count)]
    spent, faults = [Spent()] * count, [0] * count
    for game in games:
        for player, other in ((game.fixture.first, game.fixture.second), (game.fixture.second, game.fixture.first)):
            cross[player][other] = cross[player][other].add(game.points_of(player))
            spent[player] += game.spent_by(player)
        if game.faulty is not None:
            faults[game.faulty] += 1
    ratings = rate(count, encounters_of(games), anchor)
    rows = []
    for player, name in enumerate(names):
        tallies = cross[player]
        whole = Tally(sum(each.wins for each in tallies), sum(each.draws for each in tallies), sum(each.losses for each in tallies))
        rows.append(Row(player, name, whole, ratings.elo[player], *ratings.interval(player), faults[player], spent[player]))
    rows.sort(key=lambda row: (-row.elo, row.player))
    return Standings(tuple(rows), tuple(map(tuple, cross)), ratings)
