"""Builds and checks a book. Building it means to solve, as jobs, what is not yet known; every
result is kept.

There are two rounds. The first finds the exact scores of all positions of `plies` - 2 plies, so
that an unfinished book soon has what takes longest to solve, and then of `plies` plies (the others
follow). The second finds the best moves of the last plies, and asks about each move only whether it
is as good as the position.
"""

from __future__ import annotations

import functools
import hashlib
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from mnkala.core import Position, Rules, parse_game
from mnkala.core.score import Score
from mnkala.errors import MnkalaError
from mnkala.families.connect.bits import Discs
from mnkala.families.connect.book.books import BoundsBook
from mnkala.families.connect.book.layers import (
    MOST_DEPTH,
    Bounds,
    Layer,
    boards_of_keys,
    children,
    close,
    extremes,
    merged,
    nothing_known,
    read_for,
    to_bytes,
)
from mnkala.families.connect.solver.board import Shape, shape_for
from mnkala.families.connect.solver.solver import ConnectSolver
from mnkala.jobs import Job
from mnkala.native.objects import IntArray, WordArray
from mnkala.numbers import counted
from mnkala.search.runner import run
from mnkala.solve.books import TABLE_MB, Checked, Unfinished

# ---- The work as jobs: a group of positions per call, in a worker that keeps its solver ----
#
# The positions of a group have much in common, and what the solver's table learned about one helps
# with the next; the answers do not depend on it. A position is sent as its key, and an answer names
# the key that it belongs to.

SCORES, BEST = "scores", "best moves"
"""The two kinds of work, in the order in which they are done."""
GROUP = 2
"""Positions with a common ancestor this many plies earlier are solved in the same job."""
MOST_POSITIONS = 8
"""The most positions in a job, so that an interruption loses little."""


@functools.lru_cache(maxsize=1)
def solver_for(game: str, table_mb: int) -> ConnectSolver:
    """The solver that a worker keeps."""
    return ConnectSolver(parse_game(game), table_mb=table_mb)


def positions_of(game: str, keys: Sequence[int]) -> list[Position]:
    """The positions of some keys, mirrored as the layers have them."""
    rules = parse_game(game)
    own, both = boards_of_keys(np.array(keys, np.uint64), shape_for(rules))
    return [
        Position(rules, literal=rules.literal(Discs(mine, all_)))
        for mine, all_ in zip(own, both, strict=True)
    ]


def score_positions(
    game: str, keys: list[int], bounds: list[list[int]], table_mb: int
) -> list[list[int]]:
    """Solve positions whose lower and upper bounds are known; return [key, score] for each. A job
    for `mnkala.jobs`."""
    solver = solver_for(game, table_mb)
    return [
        [key, max(low, solver.solve(position, within=(low, high)).score.lower)]
        for key, position, (low, high) in zip(keys, positions_of(game, keys), bounds, strict=True)
    ]


def find_best(
    game: str, keys: list[int], bounds: list[list[int]], table_mb: int
) -> list[list[int]]:
    """Find the best columns of positions whose scores are known; return [key, score, a bit for each
    best column]. A job for `mnkala.jobs`."""
    solver = solver_for(game, table_mb)
    return [
        [key, score, _best_columns(solver, position, score)]
        for key, position, (score, _) in zip(keys, positions_of(game, keys), bounds, strict=True)
    ]


def _best_columns(solver: ConnectSolver, position: Position, score: int) -> int:
    """Test for each move whether it is as good as the position; return the bits of those that are."""
    best = 0
    for column in position.legal_codes:
        after = position.play_codes((column,))
        own = (
            Score.final(after).lower
            if after.is_over
            else solver.solve(after, within=(-score, 1 - score)).score.upper
        )
        keeps = own <= -score
        best |= keeps << column
    return best


def groups(layers: Sequence[Layer], wanted: np.ndarray) -> list[IntArray]:
    """Group the wanted positions of the last layer (bool[n]); a group is an array of indices into
    the layer. Central groups come first, because most games lead there."""
    start = max(0, len(layers) - 1 - GROUP)
    rank = np.empty(len(layers[start]), np.int64)
    rank[np.lexsort((layers[start].keys, _distance(layers[start])))] = np.arange(len(rank))
    for layer, after in zip(layers[start:-1], layers[start + 1 :], strict=True):
        first = np.full(len(after), np.iinfo(np.int64).max)
        for place in children(layer, after)[0]:
            goes_on = place >= 0
            np.minimum.at(first, place[goes_on], rank[goes_on])
        rank = first
    places = np.flatnonzero(wanted)
    places = places[np.argsort(rank[places], kind="stable")]
    together = np.split(places, np.flatnonzero(np.diff(rank[places])) + 1)
    return [
        part[at : at + MOST_POSITIONS]
        for part in together
        for at in range(0, len(part), MOST_POSITIONS)
    ]


def _distance(layer: Layer) -> IntArray:
    """The summed distance of the discs from the central column."""
    shape, total = layer.shape, np.zeros(len(layer), np.int64)
    column = (1 << int(shape.step)) - 1
    for number in range(shape.cols):
        mask = np.uint64(column << number * int(shape.step))
        total += np.bitwise_count(layer.both & mask).astype(np.int64) * abs(
            2 * number - shape.cols + 1
        )
    return total


def job(
    kind: str, game: str, keys: WordArray, lower: IntArray, upper: IntArray, table_mb: int
) -> Job:
    """Make a job whose name identifies its game and positions, so that a store never mistakes one
    for another."""
    function = score_positions if kind == SCORES else find_best
    listed = [int(key) for key in keys]
    digest = hashlib.sha256(" ".join(map(str, listed)).encode()).hexdigest()[:16]
    return Job(
        f"{game} {kind} {digest}",
        f"{__name__}:{function.__name__}",
        {
            "game": game,
            "keys": listed,
            "bounds": np.column_stack((lower, upper)).tolist(),
            "table_mb": table_mb,
        },
    )


# ---- Checking: solve some positions again, chosen at random ----


def check_entries(known: Bounds, rules: Rules, count: int, seed: int) -> Iterator[Checked]:
    """Solve `count` entries again, the deepest first, because they are solved fastest.

    They are chosen among the exact entries and among the bounds of the last plies, which show that
    moves are worse than the best.
    """
    last, lower = known.layers[-1], known.lower[-1]
    worth = [known.exact(plies) for plies in range(known.depth)] + [
        known.exact(known.depth) | (lower > extremes(last)[0])
    ]
    places = [
        (plies, int(place))
        for plies, chosen in enumerate(worth)
        for place in np.flatnonzero(chosen)
    ]
    chosen = random.Random(seed).sample(places, min(count, len(places)))
    solver = ConnectSolver(rules, table_mb=TABLE_MB)
    for plies, place in sorted(chosen, reverse=True):
        position = positions_of(rules.game_string(), [int(known.layers[plies].keys[place])])[0]
        answer = run(lambda stop, position=position: solver.solve(position, stop=stop))  # type: ignore[misc]
        yield Checked(
            position,
            plies,
            int(known.lower[plies][place]),
            int(known.upper[plies][place]),
            answer.score.lower,
        )


# ---- What is known while a book is built ----


PLIES_BEFORE = 2
"""The first positions that are solved have this many plies less than the last."""
Answers = list[list[int]]
"""The answers of jobs: for each position its key and its score, and in the second round the bits of
its best columns."""


class UnfinishedBook(Unfinished):
    """A book of Connect while it is built."""

    def __init__(self, rules: Rules, plies: int, table_mb: int) -> None:
        self.game, self.plies, self.table_mb = rules.game_string(), plies, table_mb
        self.shape = shape = shape_for(rules, "opening books")
        most = min(MOST_DEPTH, shape.rows * shape.cols) - 1
        if not 0 <= plies <= most:
            raise MnkalaError(
                f"a book of {counted(plies, 'ply')}; for {self.game} it is 0 to {most}"
            )
        self.known = nothing_known(shape, plies + 1)

    def read(self, path: Path, *, stays: bool) -> None:
        self.known = merged(self.known, read_for(path, self.shape))

    def learn(self, answers: Answers) -> None:
        self.known = with_answers(self.known, answers)

    def rounds(self) -> Iterator[tuple[str, list[Job]]]:
        for kind in (SCORES, BEST):
            before = [max(0, self.plies - PLIES_BEFORE)] if kind == SCORES else []
            work = [one for ply in (*before, self.plies) for one in self._work(kind, ply)]
            try:
                yield f"{kind} of {counted(self.plies, 'ply')}", work
            finally:
                solver_for.cache_clear()

    def _work(self, kind: str, plies: int) -> list[Job]:
        """The remaining jobs of one kind for positions of so many plies."""
        known = self.known
        wanted = ~known.exact(plies) if kind == SCORES else known.best_columns(plies) == 0
        return [
            job(
                kind,
                self.game,
                known.layers[plies].keys[places],
                known.lower[plies][places],
                known.upper[plies][places],
                self.table_mb,
            )
            for places in groups(known.layers[: plies + 1], wanted)
        ]

    def to_bytes(self) -> bytes:
        return to_bytes(self.known)

    @property
    def book(self) -> BoundsBook:
        return BoundsBook(self.known, self.game, "mnkala")

    @property
    def is_complete(self) -> bool:
        scored, positions = self.known.known(self.plies)
        return scored == positions == self._with_best

    @property
    def notes(self) -> tuple[str, ...]:
        positions = self.known.known(self.plies)[1]
        return (
            f"best moves are known of {self._with_best:,} of {positions:,} positions of {counted(self.plies, 'ply')}",
        )

    @property
    def _with_best(self) -> int:
        return int((self.known.best_columns(self.plies) != 0).sum())


def with_answers(known: Bounds, answers: Answers) -> Bounds:
    """Add the answers of some jobs to what is known, with all conclusions."""
    facts = Bounds(
        known.shape,
        tuple(part.copy() for part in known.lower),
        tuple(part.copy() for part in known.upper),
    )
    for size in (2, 3):
        table = np.array([answer for answer in answers if len(answer) == size], object)
        if len(table):
            _add(
                facts,
                table[:, 0].astype(np.uint64),
                *(table[:, column].astype(np.int64) for column in range(1, size)),
            )
    return close(facts)


def _add(facts: Bounds, keys: WordArray, scores: IntArray, best: IntArray | None = None) -> None:
    """Write scores into the bounds, and what they say about moves that are best and moves that are
    not."""
    layers, plies = facts.layers, discs_of(keys, facts.shape)
    for ply in np.unique(plies[plies <= facts.depth]):
        here = plies == ply
        places, score = layers[ply].find(keys[here]), scores[here]
        facts.lower[ply][places] = facts.upper[ply][places] = score
        if best is None or ply == facts.depth:
            continue
        for column, place in enumerate(children(layers[ply], layers[ply + 1])[0][:, places]):
            goes_on, keeps = place >= 0, best[here] >> column & 1 == 1
            np.minimum.at(facts.upper[ply + 1], place[goes_on & keeps], -score[goes_on & keeps])
            np.maximum.at(
                facts.lower[ply + 1], place[goes_on], np.where(keeps, -score, 1 - score)[goes_on]
            )


def discs_of(keys: WordArray, shape: Shape) -> IntArray:
    """The number of discs in the positions of some keys."""
    return np.bitwise_count(boards_of_keys(keys, shape)[1]).astype(np.int64)
