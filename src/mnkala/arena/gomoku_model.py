"""What is learned of (m,n,k)-games: what the search `threats` adds up over the empty cells of a board.

For each side and each empty cell there are the kinds of line that a mark would make in the four directions, and a bonus for kinds that
stand together (`gomoku/combinations.py`); each kind and each bonus has one weight for the side to move and one for the side that waits. How
moves are ordered is not learned here: those rows of the weights stay as the engine has them.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import msgspec
import numpy as np

from mnkala.arena.models import Seen
from mnkala.errors import BadEngine
from mnkala.games import Position
from mnkala.games.mnk import Mnk
from mnkala.gomoku.board import Board, count_of, make_board
from mnkala.gomoku.combinations import BONUSES, COMPLETES, KINDS, WINS, bonus_of
from mnkala.gomoku.engine import Threats
from mnkala.gomoku.patterns import NONE
from mnkala.gomoku.weights import FIRST_GUESS, LOGIT, Weights
from mnkala.search import Analysis, Engine

PENALTY = 1000.0
"""Of half the squared distance of a weight from its start, in logits: what the games do not tell stays as it was. Of 10, 1000, 10,000
and 100,000 it foretells best what was held out of 1500 games (0.907 bits; the others 0.921 to 0.931, within the noise of 299 games)."""
SIDE = KINDS + BONUSES
"""Features of one side."""


@functools.cache
def features_by_combination() -> np.ndarray:
    """[combination, feature]: how often a cell of this combination has each kind, and its bonus. A cell that is good for nothing has
    no features."""
    shifts = np.array([0, 4, 8, 12])
    kinds = np.sort((np.arange(1 << 16)[:, None] >> shifts) & 15, axis=1)[:, ::-1]
    alike, which = np.unique(kinds, axis=0, return_inverse=True)
    rows = np.zeros((len(alike), SIDE), np.int16)
    for row, four in zip(rows, alike.tolist(), strict=True):
        if NONE < four[0] < KINDS:
            for kind in four:
                row[kind] += kind != NONE
            row[KINDS + bonus_of(four)] = 1
    return np.asarray(rows[which.reshape(-1)])


class GomokuModel:
    """The kinds and bonuses of both sides."""

    self_play = "threats:nodes=1000"
    surprises = 0.03
    with_tempo = False
    """Whose move it is is told by the two rows of weights."""
    lowest: float | None = 0.0
    """A line is good for whoever can make it; without this bound weights of common kinds made up for each other with either sign. It did
    not make them play well: with it and without it they foretell results better than the guess, and lose to it (docs/engine-log.md)."""

    def __init__(self, rules: Mnk) -> None:
        self.rules = rules

    def board(self, state: Any) -> Board:
        """The board of a position; its weights do not matter here."""
        return make_board(self.rules, state.cells, FIRST_GUESS)

    def is_quiet(self, position: Position, answer: Analysis) -> bool:
        """Whether nobody can complete a line, or make two threats to, and the search sees no end."""
        if answer.score is not None and answer.score.plies is not None:
            return False
        board = self.board(position.state())
        return not any(count_of(board, side, threat) for side in (0, 1) for threat in (COMPLETES, WINS))

    def features(self, seen: Seen) -> np.ndarray:
        """Of the side to move as they are, of the other with a minus."""
        table, cells = features_by_combination(), self.rules.rows * self.rules.cols
        rows = np.zeros((len(seen.states), 2 * SIDE), np.float64)
        for row, state, mover in zip(rows, seen.states, seen.movers, strict=True):
            combinations = self.board(state).combinations.reshape(2, cells)
            row[:SIDE] = table[combinations[mover]].sum(axis=0)
            row[SIDE:] = -table[combinations[1 - mover]].sum(axis=0)
        return rows

    def guess(self, engine: Engine) -> np.ndarray:
        """What the engine evaluates with."""
        weights = self._weights(engine)
        return np.concatenate([part for side in (0, 1) for part in (weights.kinds[side], weights.bonuses[side])]).astype(np.float64)

    def _weights(self, engine: Engine) -> Weights:
        if not isinstance(engine.search, Threats):
            raise BadEngine(f"{engine} has no weights of lines; games to learn from are played by threats")
        return engine.search.weights_for(self.rules)

    def penalty(self) -> np.ndarray:
        return np.full(2 * SIDE, PENALTY)

    def start(self, guess: np.ndarray, scale: float) -> np.ndarray:
        return guess * scale

    def rounded(self, weights: np.ndarray, tempo: float) -> tuple[np.ndarray, float]:
        return np.rint(LOGIT * weights) / LOGIT, 0.0

    def written(self, weights: np.ndarray, tempo: float, engine: Engine, made: dict[str, Any]) -> bytes:
        rows = [tuple(part) for part in np.split(np.rint(LOGIT * weights).astype(int), (KINDS, SIDE, SIDE + KINDS))]
        found = dataclasses.replace(self._weights(engine), kinds=(rows[0], rows[2]), bonuses=(rows[1], rows[3]))
        plain = {name: [[int(number) for number in row] for row in pair] for name, pair in dataclasses.asdict(found).items()}
        return msgspec.json.encode({**plain, "made": made})

    def player(self, file: str) -> str:
        return f"threats:heuristic={file}"
