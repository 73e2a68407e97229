"""Logistic regression of the results of games on features of their positions (Texel's method: Österlund 2014)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.optimize import minimize

MOST_STEPS = 100
"""Steps of the regression, unless more are asked for."""
SMALLEST_CHANCE = 1e-9


def expected(design: Any, weights: np.ndarray, tempo: float) -> np.ndarray:
    """The share of points that each position's mover may expect."""
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-(design @ weights + tempo))))


def log_loss(shares: np.ndarray, points: np.ndarray) -> float:
    """The mean surprise at the results, in nats: ln 2 = 0.693 for one who knows nothing."""
    shares = np.clip(shares, SMALLEST_CHANCE, 1 - SMALLEST_CHANCE)
    return float(-np.mean(points * np.log(shares) + (1 - points) * np.log(1 - shares)))


def bits(shares: np.ndarray, points: np.ndarray) -> float:
    """The same in bits: 1 for one who knows nothing."""
    return log_loss(shares, points) / math.log(2)


def fit(design: Any, points: np.ndarray, penalty: np.ndarray, centre: np.ndarray | None = None, *,
        lowest: float | None = None, with_tempo: bool = True, steps: int = MOST_STEPS) -> tuple[np.ndarray, float]:
    """The weights, none below `lowest`, and the tempo that make the results likeliest, less half the penalty times the squared distance
    from `centre` (from zero, if there is none). `design` is a matrix, sparse or not, a row a position."""
    transposed = design.T.tocsr() if hasattr(design, "tocsr") else np.ascontiguousarray(design.T)
    costs = np.append(penalty, 0.0)
    middle = np.append(np.zeros(len(penalty)) if centre is None else centre, 0.0)

    def loss(guess: np.ndarray) -> tuple[float, np.ndarray]:
        value = design @ guess[:-1] + guess[-1]
        wrong = 1 / (1 + np.exp(-value)) - points
        away = guess - middle
        total = np.sum(np.logaddexp(0, value) - points * value) + costs @ away**2 / 2
        return float(total), np.append(transposed @ wrong, wrong.sum() if with_tempo else 0.0) + costs * away

    with np.errstate(over="ignore"):  # far from the answer a chance may be as good as none
        bounds = None if lowest is None else [*[(lowest, None)] * len(penalty), (None, None)]
        found = minimize(loss, middle, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": steps}).x
    return found[:-1], float(found[-1])


def fit_scale(values: np.ndarray, points: np.ndarray, *, with_tempo: bool = True) -> tuple[float, float]:
    """The scale and the tempo that make an evaluation of other units foretell the results best."""
    spread = float(np.std(values)) or 1.0
    weights, tempo = fit((values / spread)[:, None], points, np.zeros(1), with_tempo=with_tempo)
    return float(weights[0]) / spread, tempo
