"""Ratings on the scale of Elo from the results of games, with intervals.

The model is that of Bradley and Terry (1952) with draws as Davidson (1970) adds them: with the
strengths a and b on a logarithmic scale, the chances of a win, a draw and a loss are in the
proportion

    exp((a - b) / 2)  :  ν  :  exp((b - a) / 2)        ν: how common draws are among equals, estimated together with the strengths.

The likeliest strengths are found by SciPy's trust-region Newton method, with a wide normal prior
that matters only where games say almost nothing: a player who won every game is rated high but not
infinitely high. Strengths are scaled so that a small difference in Elo promises its usual share of
points, 400 points being ten to one without draws; where most games are drawn, even strengths far
apart promise little.

Errors are those of *pairs*, two games from one opening with the sides changed. If one side wins an
opening whoever plays it, the two games together say nothing, and pairs vary less than two
independent games would; those of deterministic engines may vary more. The ratio, the *dispersion*,
is estimated from all pairs (Wedderburn's quasi-likelihood, 1974) and scales the information. A few
pairs may be alike by chance, so the estimate includes some more that vary as independent games do.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

from mnkala.arena.game_job import GameResult
from mnkala.errors import MnkalaError
from mnkala.play.clock import Spent
from mnkala.play.intervals import CONFIDENCE
from mnkala.play.series import SeriesResult

ELO = 400 / math.log(10)
"""Points of Elo for a unit of the natural logarithm of the odds."""
PRIOR_ELO = 600.0
"""The prior standard deviation of strengths, before any game is played."""
PRIOR_DRAWS = 3.0
"""The prior standard deviation of the logarithm of ν."""
CAUTIOUS_PAIRS = 4
"""The number of pairs, varying as independent games do, that are added to those played."""


@dataclasses.dataclass(frozen=True)
class Encounter:
    """One opening that two players played, once or with both colours."""

    one: int
    other: int
    """The numbers of the two players."""
    points: tuple[float, ...]
    """The first-named player's points in each game: 0, ½ or 1."""

    @property
    def result(self) -> SeriesResult:
        """The result of the games, which are a pair if there are two of them."""
        if len(self.points) == 2:
            return SeriesResult().add_pair(*self.points)
        return functools.reduce(SeriesResult.add, self.points, SeriesResult())


@dataclasses.dataclass(frozen=True)
class Ratings:
    """The ratings of some players."""

    elo: tuple[float, ...]
    covariance: np.ndarray
    """The covariance of the ratings, relative to their mean or to the player whose rating is fixed."""
    draw_share: float
    """The share of games between equals that are drawn."""
    dispersion: float
    """How much pairs vary, compared with pairs of independent games."""

    def interval(self, player: int) -> tuple[float, float]:
        """The 95 % interval of a rating."""
        half = _half(float(self.covariance[player, player]))
        return self.elo[player] - half, self.elo[player] + half

    def difference(self, one: int, other: int) -> tuple[float, float, float]:
        """By how much one player is stronger than another, with the 95 % interval. It is narrower
        than the intervals of the two ratings suggest."""
        covariance = self.covariance
        variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
        middle, half = self.elo[one] - self.elo[other], _half(float(variance))
        return middle, middle - half, middle + half


def _half(variance: float) -> float:
    """Half the width of the confidence interval of an estimate with this variance."""
    return NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * math.sqrt(max(0.0, variance))


def davidson(differences: np.ndarray, log_nu: float) -> np.ndarray:
    """The chances of a win, a draw and a loss for these differences of strength, one row for each."""
    from scipy.special import softmax

    half = differences / 2
    return np.asarray(softmax(np.stack([half, np.full_like(half, log_nu), -half], axis=1), axis=1))


class _Model:
    """The logarithm of the posterior probability, with its gradient and curvature.

    The unknowns are the strengths of the players and, last, the logarithm of ν.
    """

    def __init__(self, players: int, encounters: Sequence[Encounter]) -> None:
        self.players = players
        counts: dict[tuple[int, int], np.ndarray] = {}
        for met in encounters:
            one, other, points = (
                (met.one, met.other, met.points)
                if met.one < met.other
                else (met.other, met.one, tuple(1 - each for each in met.points))
            )
            counts.setdefault((one, other), np.zeros(3))
            for each in points:
                counts[one, other][round(2 * (1 - each))] += 1
        self.one = np.array([key[0] for key in counts], dtype=np.intp)
        self.other = np.array([key[1] for key in counts], dtype=np.intp)
        self.counts = np.array(list(counts.values())).reshape(-1, 3)
        self.precision = np.append(np.full(players, (ELO / PRIOR_ELO) ** 2), 1 / PRIOR_DRAWS**2)

    def shares(self, unknowns: np.ndarray) -> np.ndarray:
        """The chances of win, draw and loss in every encounter."""
        return davidson(unknowns[self.one] - unknowns[self.other], unknowns[-1])

    def value(self, unknowns: np.ndarray) -> float:
        """The quantity to be minimised: the negative logarithm of the posterior."""
        likelihood = float(np.sum(self.counts * np.log(np.maximum(self.shares(unknowns), 1e-300))))
        return 0.5 * float(self.precision @ unknowns**2) - likelihood

    def gradient(self, unknowns: np.ndarray) -> np.ndarray:
        """The gradient of `value`."""
        shares, games = self.shares(unknowns), self.counts.sum(axis=1)
        slope = (self.counts[:, 0] - self.counts[:, 2] - games * (shares[:, 0] - shares[:, 2])) / 2
        found = self.precision * unknowns
        np.subtract.at(found, self.one, slope)
        np.add.at(found, self.other, slope)
        found[-1] -= float(np.sum(self.counts[:, 1] - games * shares[:, 1]))
        return np.asarray(found)

    def information(self, unknowns: np.ndarray) -> np.ndarray:
        """The information in the games alone: the curvature without the prior."""
        shares, games = self.shares(unknowns), self.counts.sum(axis=1)
        lead = (shares[:, 0] - shares[:, 2]) / 2
        own = games * ((shares[:, 0] + shares[:, 2]) / 4 - lead**2)
        cross = -games * shares[:, 1] * lead
        found = np.zeros((self.players + 1, self.players + 1))
        for rows, columns, part in (
            (self.one, self.one, own),
            (self.other, self.other, own),
            (self.one, self.other, -own),
            (self.other, self.one, -own),
        ):
            np.add.at(found, (rows, columns), part)
        for rows, part in ((self.one, cross), (self.other, -cross)):
            np.add.at(found[-1], rows, part)
            np.add.at(found[:, -1], rows, part)
        found[-1, -1] = float(np.sum(games * shares[:, 1] * (1 - shares[:, 1])))
        return found

    def curvature(self, unknowns: np.ndarray) -> np.ndarray:
        """The curvature of `value`, which includes the prior."""
        return np.asarray(self.information(unknowns) + np.diag(self.precision))


def rate(
    players: int, encounters: Iterable[Encounter], anchor: tuple[int, float] | None = None
) -> Ratings:
    """Rate players, given as numbers, around a mean of 0; `anchor` fixes the rating of one player."""
    from scipy.optimize import minimize

    met = [each for each in encounters if each.points]
    if any(
        not (0 <= each.one < players and 0 <= each.other < players) or each.one == each.other
        for each in met
    ):
        raise MnkalaError(f"an encounter of players who are not two of the {players}")
    model = _Model(players, met)
    found = np.asarray(
        minimize(
            model.value,
            np.zeros(players + 1),
            jac=model.gradient,
            hess=model.curvature,
            method="trust-exact",
            options={"gtol": 1e-6},
        ).x
    )
    dispersion = _dispersion(found, met)
    covariance = np.linalg.inv(model.information(found) / dispersion + np.diag(model.precision))[
        :players, :players
    ]
    held = np.full((players, players), 1 / players)
    if anchor is not None:
        held = np.zeros((players, players))
        held[:, anchor[0]] = 1.0
    centred = np.eye(players) - held
    nu = math.exp(found[-1])
    scale = (
        ELO * 2 / (2 + nu)
    )  # Among equals the share of points grows with a unit by 1 / (2 (2 + ν)).
    elo = scale * (centred @ found[:players]) + (anchor[1] if anchor is not None else 0.0)
    return Ratings(
        tuple(map(float, elo)),
        scale**2 * centred @ covariance @ centred.T,
        nu / (2 + nu),
        dispersion,
    )


def _dispersion(unknowns: np.ndarray, met: Sequence[Encounter]) -> float:
    """The squared surprises of all encounters, divided by what independent games would give."""
    if not met:
        return 1.0
    games, points = np.array([(len(each.points), sum(each.points)) for each in met]).T
    shares = davidson(
        np.array([unknowns[each.one] - unknowns[each.other] for each in met]), unknowns[-1]
    )
    lead = (shares[:, 0] - shares[:, 2]) / 2
    observed = float(np.sum((points - games * (0.5 + lead)) ** 2))
    expected = float(np.sum(games * ((shares[:, 0] + shares[:, 2]) / 4 - lead**2)))
    cautious = CAUTIOUS_PAIRS * expected / len(met)
    return (observed + cautious) / (expected + cautious)


# ---- The table of a tournament ----


@dataclasses.dataclass(frozen=True)
class TableRow:
    """A player in the table."""

    player: int
    name: str
    result: SeriesResult
    elo: float
    low: float
    high: float
    faults: int
    """The number of games lost otherwise than by the rules."""
    spent: Spent

    def as_json(self) -> dict[str, Any]:
        """The row as JSON values."""
        result = self.result
        return {
            "name": self.name,
            "games": result.games,
            "points": result.points,
            "wins": result.wins,
            "draws": result.draws,
            "losses": result.losses,
            "elo": round(self.elo, 1),
            "low": round(self.low, 1),
            "high": round(self.high, 1),
            "faults": self.faults,
            "spent": self.spent.as_json(),
        }


@dataclasses.dataclass(frozen=True)
class Standings:
    """The table of all players, the strongest first."""

    rows: tuple[TableRow, ...]
    cross: tuple[tuple[SeriesResult, ...], ...]
    """How each player fared against each other player, by their numbers."""
    ratings: Ratings


def encounters_of(games: Iterable[GameResult]) -> list[Encounter]:
    """Group games by their openings: two with the sides changed, or one that has no counterpart
    yet."""
    together: dict[tuple[str, int, int, int], list[float]] = {}
    for game in games:
        fixture = game.fixture
        together.setdefault(
            (fixture.game, fixture.one, fixture.other, fixture.number // 2), []
        ).append(game.points_of(fixture.one))
    return [Encounter(one, other, tuple(points)) for (_, one, other, _), points in together.items()]


def standings_of(
    names: Sequence[str], games: Sequence[GameResult], anchor: tuple[int, float] | None = None
) -> Standings:
    """Make the table of these games."""
    count = len(names)
    cross = [[SeriesResult()] * count for _ in range(count)]
    spent, faults = [Spent()] * count, [0] * count
    met = encounters_of(games)
    for each in met:
        cross[each.one][each.other] += each.result
        cross[each.other][each.one] += each.result.turned()
    for game in games:
        for player in (game.fixture.one, game.fixture.other):
            spent[player] += game.spent_by(player)
        if game.faulty is not None:
            faults[game.faulty] += 1
    ratings = rate(count, met, anchor)
    rows = []
    for player, name in enumerate(names):
        whole = sum(cross[player], SeriesResult())
        rows.append(
            TableRow(
                player,
                name,
                whole,
                ratings.elo[player],
                *ratings.interval(player),
                faults[player],
                spent[player],
            )
        )
    rows.sort(key=lambda row: (-row.elo, row.player))
    return Standings(tuple(rows), tuple(map(tuple, cross)), ratings)
