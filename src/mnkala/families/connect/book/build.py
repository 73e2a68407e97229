"""Builds and checks a book. Building it means to solve, as jobs, what is not yet known; every
result is kept.

There are two rounds. The first finds the exact scores of all positions of `plies` - 2 plies, so
that an unfinished book soon has what takes longest to solve, and then of `plies` plies (the others
follow). The second finds the best moves of the last plies, and asks about each move only whether it
is as good as the position.

A run starts from what exists: the file itself, the book that comes with mnkala, and the results of
an interrupted run. A finished book depends only on its board and its plies.
"""

from __future__ import annotations

import functools
import hashlib
import random
import time
import warnings
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
    write_book,
)
from mnkala.families.connect.solver.board import Shape, shape_for
from mnkala.families.connect.solver.solver import ConnectSolver
from mnkala.jobs import Job, Outcome, Run, Store
from mnkala.jobs.store import remove_store
from mnkala.native.objects import IntArray, WordArray
from mnkala.numbers import counted
from mnkala.search.runner import run
from mnkala.solve.books import TABLE_MB, BadBook, Built, Checked, Watch, shipped_path

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


PLIES_BEFORE = 2
"""The first positions that are solved have this many plies less than the last."""
WRITE_EVERY = 60.0
"""Seconds after which the unfinished book is written again."""
Answers = list[list[int]]
"""The answers of jobs: for each position its key and its score, and in the second round the bits of
its best columns."""


def build_book(
    rules: Rules,
    plies: int,
    path: Path,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    table_mb: int = TABLE_MB,
    retry: bool = False,
    progress: Watch | None = None,
) -> Built:
    """Build a book, as `Books.build` describes; `progress` shows a round."""
    shape, game = shape_for(rules, "opening books"), rules.game_string()
    if not 0 <= plies < min(MOST_DEPTH, shape.rows * shape.cols):
        raise MnkalaError(
            f"a book of {counted(plies, 'ply')}; for {game} it is 0 to {min(MOST_DEPTH, shape.rows * shape.cols) - 1}"
        )
    known = nothing_known(shape, plies + 1)
    for seed in (path, shipped_path(rules)):
        if seed.is_file():
            try:
                known = merged(known, read_for(seed, shape))
            except BadBook as error:
                warnings.warn(f"{error}; it is not used", stacklevel=2)
    results = path.with_name(f"{path.name}.sqlite")
    failures: list[str] = []
    with Store(results) as store:
        known = with_answers(
            known, [answer for outcome in store.all() for answer in _answers(outcome, game)]
        )
        for kind in (SCORES, BEST):
            before = [max(0, plies - PLIES_BEFORE)] if kind == SCORES else []
            work = [
                one for ply in (*before, plies) for one in _work(kind, known, ply, game, table_mb)
            ]
            label = f"{game}, {kind} of {counted(plies, 'ply')}"
            keeper = _Keeper(known, path, game)
            shown = progress(label) if progress and work else None
            try:
                with Run(
                    work, store, workers=jobs, cluster=cluster, progress=shown, retry=retry
                ) as run:
                    for outcome in run:
                        keeper.add(outcome)
            finally:
                known = keeper.write()
                solver_for.cache_clear()
            if run.summary.any_failed:
                failures = store.errors()
                break
    (scored, positions), with_best = known.known(plies), int((known.best_columns(plies) != 0).sum())
    note = f"best moves are known of {with_best:,} of {positions:,} positions of {counted(plies, 'ply')}"
    built = Built(
        path,
        BoundsBook(known, game, "mnkala"),
        scored == positions == with_best,
        tuple(failures),
        (note,),
    )
    if built.complete:
        remove_store(results)
    return built


def _work(kind: str, known: Bounds, plies: int, game: str, table_mb: int) -> list[Job]:
    """The remaining jobs of one kind for positions of so many plies."""
    wanted = ~known.exact(plies) if kind == SCORES else known.best_columns(plies) == 0
    return [
        job(
            kind,
            game,
            known.layers[plies].keys[places],
            known.lower[plies][places],
            known.upper[plies][places],
            table_mb,
        )
        for places in groups(known.layers[: plies + 1], wanted)
    ]


class _Keeper:
    """What is known while answers arrive, and the unfinished book, which is written now and then."""

    def __init__(self, known: Bounds, path: Path, game: str) -> None:
        self.known, self.path, self.game = known, path, game
        self.answers: Answers = []
        self.written = time.monotonic()

    def add(self, outcome: Outcome) -> None:
        """Add what a job found."""
        self.answers += _answers(outcome, self.game)
        if time.monotonic() - self.written >= WRITE_EVERY:
            self.write()

    def write(self) -> Bounds:
        """Write the book with everything known so far."""
        self.known = with_answers(self.known, self.answers)
        self.answers = []
        write_book(self.known, self.path)
        self.written = time.monotonic()
        return self.known


def _answers(outcome: Outcome, game: str) -> Answers:
    """The answers of a job, if it succeeded and belongs to this game."""
    return outcome.value if not outcome.failed and outcome.key.startswith(f"{game} ") else []


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
