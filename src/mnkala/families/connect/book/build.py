"""Build a book: what is not known yet as jobs, every result kept as it comes.

Two rounds. First the exact scores of all positions of two plies less, so that an unfinished book soon has what takes longest to solve,
and of `plies` plies (the others follow). Then the best moves of the last, which asks of every move only whether it is as good as the
position. The seed of a run is what there is: the file itself, the book that comes with mnkala, and the results of an interrupted run.
A finished book depends on nothing but its board and plies.
"""

from __future__ import annotations

import time
import warnings
from pathlib import Path

import numpy as np

from mnkala.core import Rules
from mnkala.errors import MnkalaError
from mnkala.families.connect.book.books import BoundsBook
from mnkala.families.connect.book.bounds import Bounds, close, merged, nothing_known
from mnkala.families.connect.book.file import MOST_DEPTH, read_for, write_book
from mnkala.families.connect.book.layers import boards_of_keys, children
from mnkala.families.connect.book.work import BEST, SCORES, groups, job, solver_for
from mnkala.families.connect.solver.shape import Shape, shape_for
from mnkala.jobs import Job, Outcome, Progress, Store, run_jobs
from mnkala.native.objects import IntArray, WordArray
from mnkala.numbers import counted
from mnkala.solve.book.catalogue import shipped_path
from mnkala.solve.book.family import TABLE_MB, Built, Watch
from mnkala.solve.book.file import BadBook

PLIES_BEFORE = 2
"""How many plies less the first positions have that are solved."""
WRITE_EVERY = 60.0
"""Seconds between two writings of the unfinished book."""
Answers = list[list[int]]
"""What jobs answered: of each position its key, its score, and in the second round the bits of its best columns."""


def build_book(rules: Rules, plies: int, path: Path, *, jobs: int | None = None, cluster: str | None = None, table_mb: int = TABLE_MB,
               retry: bool = False, progress: Watch | None = None) -> Built:
    """See `Books.build`; `progress` shows a round."""
    shape, game = shape_for(rules, "opening books"), rules.game_string()
    if not 0 <= plies < min(MOST_DEPTH, shape.rows * shape.cols):
        raise MnkalaError(f"a book of {counted(plies, 'ply')}; for {game} it is 0 to {min(MOST_DEPTH, shape.rows * shape.cols) - 1}")
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
        known = with_answers(known, [answer for outcome in store.all() for answer in _answers(outcome, game)])
        for kind in (SCORES, BEST):
            before = [max(0, plies - PLIES_BEFORE)] if kind == SCORES else []
            work = [one for ply in (*before, plies) for one in _work(kind, known, ply, game, table_mb)]
            label = f"{game}, {kind} of {counted(plies, 'ply')}"
            keeper = _Keeper(progress(label) if progress and work else Progress(), known, path, game)
            try:
                summary = run_jobs(work, store, workers=jobs, cluster=cluster, progress=keeper, retry=retry)
            finally:
                known = keeper.write()
                solver_for.cache_clear()
            if summary.failed or summary.old_failures:
                failures += sorted({outcome.error for outcome in store.all() if outcome.error})
                break
    (scored, positions), with_best = known.known(plies), int((known.best_columns(plies) != 0).sum())
    note = f"best moves are known of {with_best:,} of {positions:,} positions of {counted(plies, 'ply')}"
    built = Built(path, BoundsBook(known, game, "mnkala"), scored == positions == with_best, tuple(failures), (note,))
    if built.complete:
        for file in (results, *(results.with_name(results.name + end) for end in ("-wal", "-shm"))):
            file.unlink(missing_ok=True)
    return built


def _work(kind: str, known: Bounds, plies: int, game: str, table_mb: int) -> list[Job]:
    """All that is left of a kind for positions of so many plies."""
    wanted = ~known.exact(plies) if kind == SCORES else known.best_columns(plies) == 0
    return [job(kind, game, known.layers[plies].keys[places], known.lower[plies][places], known.upper[plies][places], table_mb)
            for places in groups(known.layers[:plies + 1], wanted)]


class _Keeper(Progress):
    """Hands on what a run tells, and writes the unfinished book now and then."""

    def __init__(self, shown: Progress, known: Bounds, path: Path, game: str) -> None:
        self.shown, self.known, self.path, self.game = shown, known, path, game
        self.answers: Answers = []
        self.written = time.monotonic()

    def begin(self, total: int, kept: int) -> None:
        self.shown.begin(total, kept)

    def done(self, outcome: Outcome) -> None:
        self.answers += _answers(outcome, self.game)
        self.shown.done(outcome)
        if time.monotonic() - self.written >= WRITE_EVERY:
            self.write()

    def end(self) -> None:
        self.shown.end()

    def write(self) -> Bounds:
        """The book as far as it is."""
        self.known = with_answers(self.known, self.answers)
        self.answers = []
        write_book(self.known, self.path)
        self.written = time.monotonic()
        return self.known


def _answers(outcome: Outcome, game: str) -> Answers:
    """A job's answers, if it has some and is of this game."""
    return outcome.value if not outcome.failed and outcome.key.startswith(f"{game} ") else []


def with_answers(known: Bounds, answers: Answers) -> Bounds:
    """What is known with the answers of some jobs, and all that follows."""
    facts = Bounds(known.shape, tuple(part.copy() for part in known.lower), tuple(part.copy() for part in known.upper))
    for size in (2, 3):
        table = np.array([answer for answer in answers if len(answer) == size], object)
        if len(table):
            _add(facts, table[:, 0].astype(np.uint64), *(table[:, column].astype(np.int64) for column in range(1, size)))
    return close(facts)


def _add(facts: Bounds, keys: WordArray, scores: IntArray, best: IntArray | None = None) -> None:
    """Write scores, and what they say of the moves that are best and those that are not, into the bounds."""
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
            np.maximum.at(facts.lower[ply + 1], place[goes_on], np.where(keeps, -score, 1 - score)[goes_on])


def discs_of(keys: WordArray, shape: Shape) -> IntArray:
    """How many discs the positions of some keys have."""
    return np.bitwise_count(boards_of_keys(keys, shape)[1]).astype(np.int64)
