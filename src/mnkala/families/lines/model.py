"""What is learned of (m,n,k)-games: what the search `threats` adds up over the empty cells of a
board.

For each side and each empty cell there are the kinds of line that a mark would make in the four
directions, a bonus for kinds that stand beside each other, and what just these four kinds are worth
together (`families/lines/engine/patterns.py`); each of them has one weight for the side to move and
one for the side that waits. How moves are ordered is not learned here: those rows of the weights
stay as they are.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import msgspec
import numpy as np
from scipy import sparse

from mnkala.arena.models import Seen
from mnkala.core import Position
from mnkala.errors import BadEngine
from mnkala.families.lines.engine.board import Board, count_of, make_board
from mnkala.families.lines.engine.patterns import (
    BONUSES,
    COMPLETES,
    FOUR_KINDS,
    KINDS,
    NONE,
    WINS,
    bonus_of,
    kinds_of,
)
from mnkala.families.lines.engine.threat_search import Threats
from mnkala.families.lines.engine.weights import FIRST_GUESS, FOURSOMES, LOGIT, Weights
from mnkala.families.lines.rules import Mnk
from mnkala.search import Analysis, Engine

PENALTY = 1000.0
"""The penalty on half the squared distance of a weight from its start, in logits: what the games do
not determine stays as it was. Of 10, 1000, 10,000 and 100,000 it best predicts what was held out of
1500 games (0.907 bits; the others 0.921 to 0.931, within the noise of 299 games)."""
SIDE = KINDS + BONUSES + FOURSOMES
"""The number of features of one side."""
COMBINATIONS = 1 << 16


@functools.cache
def features_by_combination() -> sparse.csr_array:
    """How often a cell of each combination has each kind, its bonus, and its four kinds, at
    [combination, feature]. A cell of no use has no features."""
    rows, columns = [], []
    by_kinds: dict[tuple[int, ...], list[int]] = {
        kinds: [
            *(kind for kind in kinds if kind != NONE),
            KINDS + bonus_of(list(kinds)),
            KINDS + BONUSES + place,
        ]
        for place, kinds in enumerate(FOUR_KINDS)
    }
    for combination in range(1, COMBINATIONS):
        features = by_kinds.get(tuple(kinds_of(combination)), [])
        rows += [combination] * len(features)
        columns += features
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(COMBINATIONS, SIDE))


class GomokuModel:
    """The kinds and bonuses of both sides as features."""

    self_play = "threats:nodes=1000"
    surprises = 0.03
    with_tempo = False
    """The two rows of weights already express whose move it is."""
    lowest: float | None = 0.0
    """A line is good for the player who can make it. Without this bound, weights of common kinds
    compensated for each other with either sign. The bound did not make them play well: with it and
    without it they predict results better than the initial weights, and lose to them
    (docs/engine-log.md)."""

    def __init__(self, rules: Mnk) -> None:
        self.rules = rules

    def board(self, state: Any) -> Board:
        """The board of a position; its weights do not matter here."""
        return make_board(self.rules, state.cells, FIRST_GUESS)

    def is_quiet(self, position: Position, answer: Analysis) -> bool:
        """Whether nobody can complete a line, or threaten to in two ways, and the search sees no
        end."""
        if answer.score is not None and answer.score.plies is not None:
            return False
        board = self.board(position.state())
        return not any(
            count_of(board, side, threat) for side in (0, 1) for threat in (COMPLETES, WINS)
        )

    def features(self, seen: Seen) -> sparse.csr_array:
        """The features of the side to move, less those of the other."""
        boards = [self.board(state).combinations.reshape(2, -1) for state in seen.states]
        of_side = [
            sparse.vstack(
                [
                    _counts(board[mover if moves else 1 - mover])
                    for board, mover in zip(boards, seen.movers, strict=True)
                ]
            )
            for moves in (True, False)
        ]
        table = features_by_combination()
        return sparse.csr_array(sparse.hstack([of_side[0] @ table, -(of_side[1] @ table)]))

    def guess(self, engine: Engine) -> np.ndarray:
        """The weights with which the engine evaluates."""
        weights = self._weights(engine)
        return np.concatenate(
            [
                part
                for side in (0, 1)
                for part in (
                    weights.kinds[side],
                    weights.bonuses[side],
                    weights.together[side] or np.zeros(FOURSOMES),
                )
            ]
        ).astype(np.float64)

    def _weights(self, engine: Engine) -> Weights:
        if not isinstance(engine.search, Threats):
            raise BadEngine(
                f"{engine} has no weights of lines; games to learn from are played by threats"
            )
        return engine.search.weights_for(self.rules)

    def penalty(self) -> np.ndarray:
        return np.full(2 * SIDE, PENALTY)

    def start(self, guess: np.ndarray, scale: float) -> np.ndarray:
        return guess * scale

    def rounded(self, weights: np.ndarray, tempo: float) -> tuple[np.ndarray, float]:
        return np.rint(LOGIT * weights) / LOGIT, 0.0

    def written(
        self, weights: np.ndarray, tempo: float, engine: Engine, made: dict[str, Any]
    ) -> bytes:
        sides = [
            np.split(row, (KINDS, KINDS + BONUSES))
            for row in np.rint(LOGIT * weights).astype(int).reshape(2, SIDE)
        ]
        learned = dict(zip(("kinds", "bonuses", "together"), zip(*sides, strict=True), strict=True))
        plain = {
            name: [[int(number) for number in row] for row in pair]
            for name, pair in (dataclasses.asdict(self._weights(engine)) | learned).items()
        }
        return msgspec.json.encode({**plain, "made": made})

    def player(self, file: str) -> str:
        return f"threats:heuristic={file}"


def _counts(combinations: np.ndarray) -> sparse.csr_array:
    """The number of cells with each combination, at [0, combination]."""
    which, counts = np.unique(combinations, return_counts=True)
    return sparse.csr_array(
        (counts.astype(np.float64), (np.zeros(len(which), np.int64), which)),
        shape=(1, COMBINATIONS),
    )
