"""The q and depth that the matches of the study *ordering* teach.

The share of points against the hand-chosen player is fitted, for each board, by logistic regression on a quadratic surface in the
logarithms of q and depth: matches of neighbouring settings tell about each other, so few games a setting are enough. How sure the best
setting is, results say that are drawn anew for every setting from what its openings leave possible (a Dirichlet distribution, Rubin's
Bayesian bootstrap of 1981 with Jeffreys' half a pair won and half a pair lost). Resampling alone could not vary a setting that won all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mnkala.lab.registry import Row
from mnkala.lab.strength import result_of
from mnkala.play.intervals import PAIR_SHARES
from mnkala.play.series import SeriesResult

RIDGE = 0.3
"""How strongly the surface is held flat: a setting that won all of its few games is not worth infinitely much."""
STEPS, RESAMPLES = 25, 200
UNSEEN = np.array([0.5, 1e-9, 1e-9, 1e-9, 0.5])
"""What is added to the counts of each result of an opening."""


@dataclass(frozen=True)
class Lesson:
    """What the matches of one board teach."""

    q: int
    depth: int
    sure_q: tuple[int, int]
    sure_depth: tuple[int, int]
    """Where 95 % of the fits to possible results have their best."""
    share: float
    low: float
    high: float
    """The share of points of the best setting against the hand-chosen one, less what choosing the best flatters it by; its interval."""
    games: int
    hand_q: int


def learn(rows: list[Row]) -> Lesson | None:
    """The best of the tried settings, by the fitted surface."""
    results: dict[tuple[int, int], SeriesResult] = {}
    for row in rows:
        setting = int(row["q"]), int(row["depth"])
        results[setting] = results.get(setting, SeriesResult()) + result_of([row])
    settings = sorted(results)
    if len(settings) < 2:
        return None
    features = _features(settings)
    played = [results[setting] for setting in settings]
    games = np.array([result.games for result in played])
    fitted = _fit(features, np.array([result.share for result in played]), games)
    best = int(np.argmax(fitted))
    generator = np.random.default_rng(1)
    bests, shares, optimism = [], [], []
    for _ in range(RESAMPLES):
        surface = _fit(features, np.array([_possible(result, generator) for result in played]), games)
        winner = int(np.argmax(surface))
        bests.append(settings[winner])
        shares.append(float(surface[best]))
        optimism.append(float(surface[winner] - fitted[winner]))
    sure = np.quantile(np.array(bests), [0.025, 0.975], axis=0, method="nearest").astype(int)
    # The best of many looks better than it is; by how much, the winners by possible results tell (Efron 1983).
    flattery = float(np.mean(optimism))
    ends = (np.quantile(shares, 0.025), fitted[best], np.quantile(shares, 0.975))
    low, share, high = (min(1.0, max(0.0, float(end) - flattery)) for end in ends)
    q, depth = settings[best]
    return Lesson(q, depth, (int(sure[0][0]), int(sure[1][0])), (int(sure[0][1]), int(sure[1][1])), share, low, high,
                  int(games.sum()), int(rows[0].get("hand_q") or 0))


def _possible(result: SeriesResult, generator: np.random.Generator) -> float:
    """A share of points that may be the true one, by the openings of a series, or by its games where the openings are not told."""
    by_openings = 2 * sum(result.pairs) == result.games
    counts = result.pairs if by_openings else (result.losses, 0, result.draws, 0, result.wins)
    return float(generator.dirichlet(np.array(counts) + UNSEEN) @ PAIR_SHARES)


def _features(settings: list[tuple[int, int]]) -> np.ndarray:
    """A quadratic surface in the logarithms of q and depth; a single value of either gives no slope."""
    logs = np.log(np.array(settings, dtype=float))
    logs = (logs - logs.mean(axis=0)) / np.maximum(logs.std(axis=0), 1e-9)
    x, y = logs[:, 0], logs[:, 1]
    return np.stack([np.ones(len(settings)), x, y, x * x, y * y, x * y], axis=1)


def _fit(features: np.ndarray, shares: np.ndarray, games: np.ndarray) -> np.ndarray:
    """The fitted share at every setting: logistic regression by Newton's method, held flat by RIDGE, a draw counting half."""
    points = shares * games
    weights = np.zeros(features.shape[1])
    penalty = RIDGE * np.diag([1e-3, *[1.0] * (features.shape[1] - 1)])
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (points - games * share) - penalty @ weights
        curvature = features.T @ (features * (games * share * (1 - share))[:, None]) + penalty
        weights = weights + np.clip(np.linalg.solve(curvature, gradient), -2, 2)
    return np.asarray(1 / (1 + np.exp(-features @ weights)))
