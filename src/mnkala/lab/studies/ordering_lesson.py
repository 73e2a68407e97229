"""The q and depth that the matches of the study *ordering* teach.

The share of points against the hand-chosen player is fitted, for each board, by logistic regression on a quadratic surface in the
logarithms of q and depth: matches of neighbouring settings tell about each other, so few games a setting are enough. Resampled games
(bootstrap) say how sure the best setting is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mnkala.lab.registry import Row

RIDGE = 0.3
"""How strongly the surface is held flat: a setting that won all of its few games is not worth infinitely much."""
STEPS, RESAMPLES = 25, 200


@dataclass(frozen=True)
class Lesson:
    """What the matches of one board teach."""

    q: int
    depth: int
    sure_q: tuple[int, int]
    sure_depth: tuple[int, int]
    """Where 95 % of the resampled fits have their best."""
    share: float
    low: float
    high: float
    """The share of points of the best setting against the hand-chosen one, less what choosing the best flatters it by; its interval."""
    games: int
    hand_q: int


def learn(rows: list[Row]) -> Lesson | None:
    """The best of the tried settings, by the fitted surface."""
    counts: dict[tuple[int, int], np.ndarray] = {}
    for row in rows:
        counts.setdefault((int(row["q"]), int(row["depth"])), np.zeros(3))
        counts[int(row["q"]), int(row["depth"])] += [row["wins"], row["draws"], row["losses"]]
    settings = sorted(counts)
    if len(settings) < 2:
        return None
    features = _features(settings)
    played = np.array([counts[setting] for setting in settings])
    fitted = _fit(features, played)
    best = int(np.argmax(fitted))
    generator = np.random.default_rng(1)
    bests, shares, optimism = [], [], []
    for _ in range(RESAMPLES):
        again = np.array([generator.multinomial(int(some.sum()), some / some.sum()) for some in played])
        surface = _fit(features, again)
        winner = int(np.argmax(surface))
        bests.append(settings[winner])
        shares.append(float(surface[best]))
        optimism.append(float(surface[winner] - fitted[winner]))
    sure = np.quantile(np.array(bests), [0.025, 0.975], axis=0, method="nearest").astype(int)
    # The best of many looks better than it is; by how much, the resampled winners tell (Efron 1983).
    flattery = float(np.mean(optimism))
    ends = (np.quantile(shares, 0.025), fitted[best], np.quantile(shares, 0.975))
    low, share, high = (min(1.0, max(0.0, float(end) - flattery)) for end in ends)
    q, depth = settings[best]
    return Lesson(q, depth, (int(sure[0][0]), int(sure[1][0])), (int(sure[0][1]), int(sure[1][1])), share, low, high,
                  int(played.sum()), int(rows[0].get("hand_q") or 0))


def _features(settings: list[tuple[int, int]]) -> np.ndarray:
    """A quadratic surface in the logarithms of q and depth; a single value of either gives no slope."""
    logs = np.log(np.array(settings, dtype=float))
    logs = (logs - logs.mean(axis=0)) / np.maximum(logs.std(axis=0), 1e-9)
    x, y = logs[:, 0], logs[:, 1]
    return np.stack([np.ones(len(settings)), x, y, x * x, y * y, x * y], axis=1)


def _fit(features: np.ndarray, played: np.ndarray) -> np.ndarray:
    """The fitted share at every setting: logistic regression by Newton's method, held flat by RIDGE, a draw counting half."""
    games = played.sum(axis=1)
    points = played[:, 0] + played[:, 1] / 2
    weights = np.zeros(features.shape[1])
    penalty = RIDGE * np.diag([1e-3, *[1.0] * (features.shape[1] - 1)])
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (points - games * share) - penalty @ weights
        curvature = features.T @ (features * (games * share * (1 - share))[:, None]) + penalty
        weights = weights + np.clip(np.linalg.solve(curvature, gradient), -2, 2)
    return np.asarray(1 / (1 + np.exp(-features @ weights)))
