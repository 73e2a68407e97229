"""The work of a book as jobs: a group of positions in one call, in a worker that keeps its solver.

Positions of a group have much in common, and what the solver's table learned of one helps with the next; the answers do not depend
on it. A position travels as its key; an answer says of which key it is.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence

import numpy as np

from mnkala.core import Position, parse_game
from mnkala.families.connect.bits import Discs
from mnkala.families.connect.book.layers import Layer, boards_of_keys, children
from mnkala.families.connect.solver.shape import shape_for
from mnkala.families.connect.solver.solver import ConnectSolver
from mnkala.jobs import Job
from mnkala.native.objects import IntArray, WordArray
from mnkala.search.values import final_score

SCORES, BEST = "scores", "best moves"
"""The two kinds of work, in the order in which they are done."""
GROUP = 2
"""Positions with a common ancestor so many plies before are done together,"""
MOST_POSITIONS = 8
"""in jobs of at most so many: what an interruption loses is little."""


@functools.lru_cache(maxsize=1)
def solver_for(game: str, table_mb: int) -> ConnectSolver:
    """The worker's solver."""
    return ConnectSolver(parse_game(game), table_mb=table_mb)


def positions_of(game: str, keys: Sequence[int]) -> list[Position]:
    """The positions of some keys, turned the way that the layers have them."""
    rules = parse_game(game)
    own, both = boards_of_keys(np.array(keys, np.uint64), shape_for(rules))
    return [Position(rules, literal=rules.literal(Discs(mine, all_))) for mine, all_ in zip(own, both, strict=True)]


def score_positions(game: str, keys: list[int], bounds: list[list[int]], table_mb: int) -> list[list[int]]:
    """A job: [key, score] of every position, of which a lower and an upper bound are known."""
    solver = solver_for(game, table_mb)
    return [[key, max(low, solver.solve(position, within=(low, high)).lower)]
            for key, position, (low, high) in zip(keys, positions_of(game, keys), bounds, strict=True)]


def find_best(game: str, keys: list[int], bounds: list[list[int]], table_mb: int) -> list[list[int]]:
    """A job: [key, score, a bit for every column that is best] of every position, whose score is known."""
    solver = solver_for(game, table_mb)
    return [[key, score, _best_columns(solver, position, score)]
            for key, position, (score, _) in zip(keys, positions_of(game, keys), bounds, strict=True)]


def _best_columns(solver: ConnectSolver, position: Position, score: int) -> int:
    """One question for each move: is it as good as the position?"""
    best = 0
    for column in position.legal_codes:
        after = position.play_codes((column,))
        own = final_score(after).value if after.is_over else solver.solve(after, within=(-score, 1 - score)).upper
        keeps = own <= -score
        best |= keeps << column
    return best


def groups(layers: Sequence[Layer], wanted: np.ndarray) -> list[IntArray]:
    """The wanted positions of the last layer (bool[n]) in groups, as places in the layer: central groups first, because most games
    go there."""
    start = max(0, len(layers) - 1 - GROUP)
    rank = np.empty(len(layers[start]), np.int64)
    rank[np.lexsort((layers[start].keys, _distance(layers[start])))] = np.arange(len(rank))
    for layer, after in zip(layers[start:-1], layers[start + 1:], strict=True):
        first = np.full(len(after), np.iinfo(np.int64).max)
        for place in children(layer, after)[0]:
            goes_on = place >= 0
            np.minimum.at(first, place[goes_on], rank[goes_on])
        rank = first
    places = np.flatnonzero(wanted)
    places = places[np.argsort(rank[places], kind="stable")]
    together = np.split(places, np.flatnonzero(np.diff(rank[places])) + 1)
    return [part[at:at + MOST_POSITIONS] for part in together for at in range(0, len(part), MOST_POSITIONS)]


def _distance(layer: Layer) -> IntArray:
    """How far from the central column the discs are, in sum."""
    shape, total = layer.shape, np.zeros(len(layer), np.int64)
    column = (1 << int(shape.step)) - 1
    for number in range(shape.cols):
        mask = np.uint64(column << number * int(shape.step))
        total += np.bitwise_count(layer.both & mask).astype(np.int64) * abs(2 * number - shape.cols + 1)
    return total


def job(kind: str, game: str, keys: WordArray, lower: IntArray, upper: IntArray, table_mb: int) -> Job:
    """A job with a name of its own for its game and positions, so that a store never mistakes one for another."""
    function = score_positions if kind == SCORES else find_best
    listed = [int(key) for key in keys]
    digest = hashlib.sha256(" ".join(map(str, listed)).encode()).hexdigest()[:16]
    return Job(f"{game} {kind} {digest}", f"{__name__}:{function.__name__}", {
        "game": game, "keys": listed, "bounds": np.column_stack((lower, upper)).tolist(), "table_mb": table_mb})
