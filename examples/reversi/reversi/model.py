"""What is learned of Reversi: the weights of `heuristic`, by `mnkala tune weights reversi`."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec
import numpy as np

from mnkala.arena.models import Seen
from mnkala.core import Position
from mnkala.search import Analysis, Engine, Heuristic
from reversi.heuristic import FEATURES, PHASES, SCALE, WeightsFile, features, phase
from reversi.rules import Reversi

FIRST_GUESS = (0.0, 0.1, 0.05, 0.8, -0.3, -0.1, 0.05, 0.0)
"""Logits by feature: what games were played with before anything was learned."""
PENALTY = 1.0
"""Of half the squared distance of a weight from its guess: little, for thousands of positions speak
for every weight.
"""


class ReversiModel:
    """A weight for every feature in every phase."""

    self_play = "deepening:nodes=1000"
    surprises = 0.1
    with_tempo = False
    lowest: float | None = None

    def __init__(self, rules: Reversi) -> None:
        self.rules = rules

    def is_quiet(self, position: Position, answer: Analysis) -> bool:
        """Wherever there is a choice, and the search did not see the end."""
        return len(position.legal_codes) > 1 and (
            answer.score is None or answer.score.plies is None
        )

    def features(self, seen: Seen) -> np.ndarray:
        found = np.zeros((len(seen.states), PHASES, len(FEATURES)))
        for row, state in enumerate(seen.states):
            found[row, phase(state, self.rules)] = features(state, self.rules)
        return found.reshape(len(found), -1)

    def guess(self, engine: Engine) -> np.ndarray:
        return np.tile(FIRST_GUESS, PHASES)

    def penalty(self) -> np.ndarray:
        return np.full(PHASES * len(FEATURES), PENALTY)

    def start(self, guess: np.ndarray, scale: float) -> np.ndarray:
        return guess * scale

    def rounded(self, weights: np.ndarray, tempo: float) -> tuple[np.ndarray, float]:
        return np.rint(SCALE * weights) / SCALE, 0.0

    def heuristic(self, weights: np.ndarray, tempo: float) -> Heuristic:
        from reversi.heuristic import PhasedWeights

        return PhasedWeights(np.rint(SCALE * weights).astype(np.int64))

    def written(
        self, weights: np.ndarray, tempo: float, engine: Engine, made: dict[str, Any]
    ) -> bytes:
        rows = np.rint(SCALE * weights).astype(int).reshape(PHASES, len(FEATURES)).tolist()
        return msgspec.json.encode(dataclasses.asdict(WeightsFile(tuple(map(tuple, rows)), made)))

    def player(self, file: str) -> str:
        return f"deepening:heuristic={file}"
