"""The model by which Connect is learned: the tables of `learned.py`, one for all windows and one
for each group of mirror images.

Every table starts at zero, so nothing of the hand-made heuristics enters except their vocabulary.
The tables of single windows are kept small, so that a few games teach the value of three discs in a
window, and many games teach where it is higher.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from scipy import sparse

from mnkala.arena.models import Seen, look_ups
from mnkala.core import Position
from mnkala.families.connect.bits import Connect
from mnkala.families.connect.learned import SCALE, LearnedWindows, WindowWeights, groups_of_windows
from mnkala.search import Analysis, Engine, Heuristic
from mnkala.search.windows import zero_sum

SHARED_PENALTY, OWN_PENALTY = 1.0, 600.0
"""Penalties on half the squared weight, against the summed loss of all positions, for the table of
all windows and for those of single windows. They were chosen by the loss on games that were held
out."""


def whole(weights: Any) -> np.ndarray:
    """Round weights to the whole numbers that compiled code takes."""
    return np.rint(SCALE * np.asarray(weights)).astype(np.int64)


class ConnectModel:
    """The tables of a board as a model."""

    self_play = "deepening:nodes=500"
    surprises = 0.1
    with_tempo = True
    lowest: float | None = None

    def __init__(self, rules: Connect) -> None:
        self.rules, self.table = rules, (rules.line + 1) ** 2
        self.groups = groups_of_windows(rules)
        self.size = (2 + int(self.groups.max())) * self.table

    def design(self, states: Sequence[Any]) -> sparse.csr_array:
        """The look-ups of positions: a matrix with one row for each."""
        own, all_discs = (np.array([getattr(state, name) for state in states], dtype=np.uint64) for name in ("own", "all"))
        second_moves = np.bitwise_count(all_discs) % 2 == 1
        first = np.where(second_moves, own ^ all_discs, own)
        windows = self.rules.windows.astype(np.uint64)
        counts = [np.bitwise_count(discs[:, None] & windows).astype(np.int64) for discs in (first, first ^ all_discs)]
        cell = counts[0] * (self.rules.line + 1) + counts[1]
        index = np.hstack([cell, (1 + self.groups) * self.table + cell])
        return look_ups(index, np.where(second_moves, -1.0, 1.0), self.size)

    def heuristic(self, weights: np.ndarray, tempo: float) -> Heuristic:
        """The heuristic with these weights, for searches."""
        shared, *own = weights.reshape(-1, self.table)
        tables = whole(shared + np.array(own)[self.groups])
        return LearnedWindows(np.ascontiguousarray(tables.reshape(-1)), int(whole(tempo)))

    def penalty(self) -> np.ndarray:
        """The penalty on large weights; the first table is the one for all windows."""
        return np.where(np.arange(self.size) < self.table, SHARED_PENALTY, OWN_PENALTY)

    # ---- As a model ----

    def is_quiet(self, position: Position, answer: Analysis) -> bool:
        """Every position counts, because a search that ends at a depth evaluates positions with
        open threats too.

        A first attempt, which used only positions where the search saw no end and fewer surprises,
        was rejected against zero-sum; which of the two mattered was not tested.
        """
        return True

    def features(self, seen: Seen) -> sparse.csr_array:
        return self.design(seen.states)

    def guess(self, engine: Engine) -> np.ndarray:
        """The weights of report 002's heuristic zero-sum, the same for every window."""
        line = self.rules.line
        shared = [zero_sum(first, second, line) if first + second <= line else 0 for first in range(line + 1) for second in range(line + 1)]
        return np.concatenate([shared, np.zeros(self.size - self.table)])

    def start(self, guess: np.ndarray, scale: float) -> np.ndarray:
        return np.zeros(self.size)

    def rounded(self, weights: np.ndarray, tempo: float) -> tuple[np.ndarray, float]:
        return whole(weights) / SCALE, float(whole(tempo)) / SCALE

    def written(self, weights: np.ndarray, tempo: float, engine: Engine, made: dict[str, Any]) -> bytes:
        shared, *own = whole(weights).reshape(-1, self.table).tolist()
        found = WindowWeights(self.rules.game_string(), self.rules.line, tuple(shared), tuple(map(tuple, own)), int(whole(tempo)), made)
        return msgspec.json.encode(dataclasses.asdict(found))

    def player(self, file: str) -> str:
        return f"deepening:heuristic={file}"
