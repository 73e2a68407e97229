"""The heuristic `reversi`: what the discs, the moves and the corners of either side are worth,
which changes in the course of a game.

A position is described by a few numbers, each of them the mover's minus the opponent's
(`features`). What they are worth is not guessed: `mnkala tune weights reversi` plays games and
finds the weights that foretell their results best, one set for each phase of the game (Buro 1995
did the same for Logistello). They are shipped in `data/weights.json`; a file of one's own is named
in place of the heuristic: `deepening:heuristic=mine.json`.
"""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mnkala import Heuristic, Rules, popcount, shared
from mnkala.errors import BadEngine
from mnkala.folders import file_errors
from mnkala.native import native
from mnkala.native.objects import IntArray
from mnkala.search.heuristic import register_heuristic
from reversi.discs import above_and_below, beside, moves_for
from reversi.rules import Board, Reversi

FEATURES = ("discs", "moves", "frontier", "corners", "diagonal", "near", "edges", "parity")
PHASES = 6
"""Equal parts of a game, by how many cells are free: 0 is its end."""
SCALE = 1000
"""Weights are whole numbers: thousandths of a logit."""
SHIPPED = Path(__file__).with_name("data") / "weights.json"


@shared
def features(state: Board, rules: Reversi) -> tuple[int, int, int, int, int, int, int, int]:
    """FEATURES of a position, in their order."""
    own, other = state.own, state.other
    free = rules.full & ~(own | other)
    # 1. What is free beside the opponent's discs may become a move.
    rows_of_own, rows_of_other = own | beside(own, rules), other | beside(other, rules)
    open_to_other = free & (rows_of_own | above_and_below(rows_of_own, rules))
    open_to_own = free & (rows_of_other | above_and_below(rows_of_other, rules))
    # 2. The cells diagonally next to a free corner give it away more often than those next to it on
    #    the edge.
    corners = free & rules.corners
    near = beside(corners, rules)
    diagonal = above_and_below(near, rules)
    near |= above_and_below(corners, rules)
    edges = (rules.full & ~rules.inner) | (rules.full & ~above_and_below(rules.full, rules))
    # 3. Whoever plays the last of an odd number of free cells has the last word there.
    parity = 2 * (popcount(free) & 1) - 1
    return (
        popcount(own) - popcount(other),
        popcount(state.open) - popcount(moves_for(other, own, rules)),
        popcount(open_to_own) - popcount(open_to_other),
        popcount(own & rules.corners) - popcount(other & rules.corners),
        popcount(own & diagonal) - popcount(other & diagonal),
        popcount(own & near) - popcount(other & near),
        popcount(own & edges) - popcount(other & edges),
        parity,
    )


@shared
def phase(state: Board, rules: Reversi) -> int:
    """The phase of a position, from PHASES - 1 at the start to 0 at the end."""
    cells = rules.rows * rules.cols
    return (cells - popcount(state.own | state.other)) * PHASES // cells


@native
class Discs(Heuristic):
    """What beginners count: a rival for studies."""

    def evaluate(self, rules: Any, state: Board) -> int:
        return popcount(state.own) - popcount(state.other)


@native
class PhasedWeights(Heuristic):
    """A weight for every feature in every phase."""

    weights: IntArray
    """[phase * features + feature]."""

    def evaluate(self, rules: Any, state: Board) -> int:
        seen, first = features(state, rules), phase(state, rules) * len(FEATURES)
        value = 0
        for i in range(len(seen)):
            value += self.weights[first + i] * seen[i]
        return value


@dataclasses.dataclass(frozen=True)
class WeightsFile:
    """What `mnkala tune weights` writes; `made` tells how the numbers came about."""

    weights: tuple[tuple[int, ...], ...]
    """[phase][feature]."""
    made: dict[str, Any] = dataclasses.field(default_factory=dict)


@functools.lru_cache(maxsize=8)
def _read(path: Path, changed: int) -> WeightsFile:
    try:
        found = msgspec.json.decode(path.read_bytes(), type=WeightsFile)
    except msgspec.DecodeError as error:
        raise BadEngine(f"{path.name} has no weights of Reversi: {error}") from None
    if [len(row) for row in found.weights] != [len(FEATURES)] * PHASES:
        raise BadEngine(f"{path.name} does not have {PHASES} rows of {len(FEATURES)} weights")
    return found


def weighted_by(path: Path, rules: Rules) -> Heuristic:
    """The heuristic that a file describes."""
    if not isinstance(rules, Reversi):
        raise BadEngine(f"{rules.game_string()} is not Reversi, so there are no discs to turn over")
    with file_errors(path, "read", BadEngine):
        found = _read(path, path.stat().st_mtime_ns)
    return PhasedWeights(np.array(found.weights, dtype=np.int64).reshape(-1))


def _discs(rules: Rules) -> Heuristic:
    if not isinstance(rules, Reversi):
        raise BadEngine(f"{rules.game_string()} is not Reversi, so there are no discs to turn over")
    return Discs()


register_heuristic("discs", "the difference of discs, as beginners count", _discs)
register_heuristic(
    "reversi",
    "discs, moves, corners and the cells next to them, weighted by the phase of the game",
    lambda rules: weighted_by(SHIPPED, rules),
)
