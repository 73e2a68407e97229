"""The contract of what can be learned about a game: the features that its evaluation adds up, how
weights are written down, and the regression that fits them.

A model's value of a position is `features @ weights` (plus a tempo, where the evaluation has one),
in logits of the mover's chance.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from mnkala.core import Position, Rules, game_names, parse_game
from mnkala.core.registry import family_of
from mnkala.errors import BadGame
from mnkala.search import Analysis, Engine, Heuristic

if TYPE_CHECKING:
    from scipy import sparse


@dataclasses.dataclass(frozen=True)
class Seen:
    """Positions as a model sees them."""

    states: Sequence[Any]
    movers: Sequence[int]


class Model(Protocol):
    """Base class of models: what can be learned about a game."""

    self_play: str
    """The engine string that plays the games to learn from, unless another is given."""
    surprises: float
    """The share of moves in those games that are drawn from the best few."""
    with_tempo: bool
    lowest: float | None
    """The smallest value that a weight may have."""

    def is_quiet(self, position: Position, answer: Analysis) -> bool:
        """Whether the evaluation should be right about a position, which is one where searches call
        it."""

    def features(self, seen: Seen) -> Any:
        """The features of positions: a matrix with one row for each."""

    def guess(self, engine: Engine) -> np.ndarray:
        """The weights that the engine uses before learning, in any unit."""

    def penalty(self) -> np.ndarray:
        """The penalty on each weight for being far from where it starts."""

    def start(self, guess: np.ndarray, scale: float) -> np.ndarray:
        """The weights from which learning starts, and at which they stay if the games say nothing
        about them; `scale` converts the guess to logits."""

    def rounded(self, weights: np.ndarray, tempo: float) -> tuple[np.ndarray, float]:
        """Round weights and tempo to whole numbers of the evaluation's unit, as they are used in
        play; both are given in logits."""

    def written(
        self, weights: np.ndarray, tempo: float, engine: Engine, made: dict[str, Any]
    ) -> bytes:
        """The content of a file of weights; `made` says how they came about."""

    def player(self, file: str) -> str:
        """The engine string of an engine that uses a file of weights."""


class Tables(Protocol):
    """An evaluation that is a sum of look-ups in tables, as the study `learning` learns it:
    n-tuples (Samuel 1967; Thill, Koch and Konen 2012 for Connect Four). Squashed by the logistic
    function it gives the share of points that the mover may expect.
    """

    size: int
    """The number of weights."""

    def design(self, states: Sequence[Any]) -> Any:
        """The look-ups of positions: a matrix with one row for each."""

    def penalty(self) -> np.ndarray:
        """The penalty on large weights."""

    def heuristic(self, weights: np.ndarray, tempo: float) -> Heuristic:
        """The heuristic with these weights, for searches."""


def look_ups(index: np.ndarray, sign: np.ndarray, size: int) -> sparse.csr_array:
    """A matrix with one row for each position: its sign at each weight that it looks up, so that
    value = look_ups @ weights."""
    from scipy import (
        sparse,
    )  # here and below: the heuristics of Connect import this module, and SciPy takes 0.2 s

    positions, each = index.shape
    return sparse.csr_array(
        (np.repeat(sign, each), index.reshape(-1), np.arange(positions + 1) * each),
        shape=(positions, size),
    )


def model_for(rules: Rules) -> Model:
    """The model of a game, or an error if it has none."""
    found = family_of(rules).model(rules)
    if found is None:
        games = [
            name.example
            for name in game_names()
            if family_of(example := parse_game(name.example)).model(example) is not None
        ]
        raise BadGame(
            f"there are no weights to learn for {rules.game_string()}; there are for games such as {', '.join(games)}"
        )
    return found


# ---- Logistic regression of the results of games on features of their positions (Texel's method:
# Österlund 2014) ----


MOST_STEPS = 100
"""The most steps of the regression, unless more are asked for."""
SMALLEST_CHANCE = 1e-9


def expected(design: Any, weights: np.ndarray, tempo: float) -> np.ndarray:
    """The share of points that each position's mover may expect."""
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-(design @ weights + tempo))))


def log_loss(shares: np.ndarray, points: np.ndarray) -> float:
    """The mean surprise at the results in nats; without any knowledge it is ln 2 = 0.693."""
    shares = np.clip(shares, SMALLEST_CHANCE, 1 - SMALLEST_CHANCE)
    return float(-np.mean(points * np.log(shares) + (1 - points) * np.log(1 - shares)))


def bits(shares: np.ndarray, points: np.ndarray) -> float:
    """The mean surprise at the results in bits; without any knowledge it is 1."""
    return log_loss(shares, points) / math.log(2)


def fit(
    design: Any,
    points: np.ndarray,
    penalty: np.ndarray,
    centre: np.ndarray | None = None,
    *,
    lowest: float | None = None,
    with_tempo: bool = True,
    steps: int = MOST_STEPS,
) -> tuple[np.ndarray, float]:
    """Fit the weights, none below `lowest`, and the tempo that make the results likeliest.

    Half the penalty times the squared distance from `centre` (or from zero) counts against them.
    `design` is a matrix, sparse or not, with one row for each position.
    """
    from scipy.optimize import minimize

    transposed = design.T.tocsr() if hasattr(design, "tocsr") else np.ascontiguousarray(design.T)
    costs = np.append(penalty, 0.0)
    middle = np.append(np.zeros(len(penalty)) if centre is None else centre, 0.0)

    def loss(guess: np.ndarray) -> tuple[float, np.ndarray]:
        value = design @ guess[:-1] + guess[-1]
        wrong = 1 / (1 + np.exp(-value)) - points
        away = guess - middle
        total = np.sum(np.logaddexp(0, value) - points * value) + costs @ away**2 / 2
        return float(total), np.append(
            transposed @ wrong, wrong.sum() if with_tempo else 0.0
        ) + costs * away

    with np.errstate(over="ignore"):  # Far from the solution a chance may be almost zero.
        bounds = None if lowest is None else [*[(lowest, None)] * len(penalty), (None, None)]
        found = minimize(
            loss, middle, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": steps}
        ).x
    return found[:-1], float(found[-1])


def fit_scale(
    values: np.ndarray, points: np.ndarray, *, with_tempo: bool = True
) -> tuple[float, float]:
    """Fit the scale and the tempo with which an evaluation in other units predicts the results
    best."""
    spread = float(np.std(values)) or 1.0
    weights, tempo = fit((values / spread)[:, None], points, np.zeros(1), with_tempo=with_tempo)
    return float(weights[0]) / spread, tempo
