"""What can be learned of a game: which features of a position its evaluation adds up, and how the weights are written down.

A model's value of a position is `features @ weights` (plus a tempo, where the evaluation has one), in logits of the mover's chance.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from mnkala.core import Position, Rules, game_names, parse_game
from mnkala.core.registry import family_of
from mnkala.errors import BadGame
from mnkala.search import Analysis, Engine, Heuristic


@dataclasses.dataclass(frozen=True)
class Seen:
    """Positions, as a model looks at them."""

    states: Sequence[Any]
    movers: Sequence[int]


class Model(Protocol):
    """The contract."""

    self_play: str
    """The engine string that plays the games to learn from, unless another is given."""
    surprises: float
    """The share of moves that are drawn from the best few in those games."""
    with_tempo: bool
    lowest: float | None
    """What no weight may be less than."""

    def is_quiet(self, position: Position, answer: Analysis) -> bool:
        """Whether the evaluation should be right about a position: it is one where searches ask it."""

    def features(self, seen: Seen) -> Any:
        """A matrix, a row a position."""

    def guess(self, engine: Engine) -> np.ndarray:
        """Weights in any unit: what was played before anything was learned."""

    def penalty(self) -> np.ndarray:
        """What it costs a weight to be far from where it starts."""

    def start(self, guess: np.ndarray, scale: float) -> np.ndarray:
        """Where weights start, and stay if the games say nothing of them; `scale` turns the guess into logits."""

    def rounded(self, weights: np.ndarray, tempo: float) -> tuple[np.ndarray, float]:
        """The same as they are played: in whole numbers of the evaluation's unit, but told in logits."""

    def written(self, weights: np.ndarray, tempo: float, engine: Engine, made: dict[str, Any]) -> bytes:
        """The file of weights."""

    def player(self, file: str) -> str:
        """The engine string that plays by a file."""


class Tables(Protocol):
    """An evaluation that is a sum of look-ups in tables, as the study `learning` learns it: n-tuples (Samuel 1967; Thill, Koch and Konen
    2012 for Connect Four). Squashed by the logistic function it gives the share of points that the mover may expect."""

    size: int
    """So many weights."""

    def design(self, states: Sequence[Any]) -> Any:
        """The look-ups of positions: a matrix, a row a position."""

    def penalty(self) -> np.ndarray:
        """What a large weight costs."""

    def heuristic(self, weights: np.ndarray, tempo: float) -> Heuristic:
        """What searches use."""


def look_ups(index: np.ndarray, sign: np.ndarray, size: int) -> sparse.csr_array:
    """One row a position: its sign at each weight that it looks up, so that value = look_ups @ weights."""
    positions, each = index.shape
    return sparse.csr_array((np.repeat(sign, each), index.reshape(-1), np.arange(positions + 1) * each), shape=(positions, size))


def model_for(rules: Rules) -> Model:
    """The model of a game."""
    found = family_of(rules).model(rules)
    if found is None:
        games = [name.example for name in game_names() if family_of(example := parse_game(name.example)).model(example) is not None]
        raise BadGame(f"there are no weights to learn for {rules.game_string()}; there are for games such as {', '.join(games)}")
    return found
