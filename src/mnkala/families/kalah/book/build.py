"""Build a book of Kalah: what is not known yet as jobs, every result kept as it comes.

Two rounds. First all positions within the last turn but one and right after it, so that an unfinished book soon knows most games' first
moves; then those right after the last turn. All others follow (`tree.concluded`). The seed of a run is what there is: the file itself, the
book that comes with mnkala, and the results of an interrupted run. A finished book depends on nothing but its game and turns.

Positions of a job are neighbours, and what the solver's table learnt of one helps with the next; the margins do not depend on it. An
endgame database helps more than all: `mnkala kalah database` beforehand.
"""

from __future__ import annotations

import functools
import hashlib
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

from mnkala.core import Position, parse_game
from mnkala.errors import MnkalaError
from mnkala.families.kalah.book.books import MOST_TURNS, KalahBook, Margins, from_bytes, margins_of, to_bytes
from mnkala.families.kalah.book.tree import Node, concluded, gained, opening_tree
from mnkala.families.kalah.rules import Kalah
from mnkala.families.kalah.solver.solver import KalahSolver
from mnkala.jobs import Job, Outcome, Progress, Store, run_jobs
from mnkala.numbers import counted
from mnkala.solve.book.catalogue import shipped_path
from mnkala.solve.book.family import TABLE_MB, Built, Watch
from mnkala.solve.book.file import BadBook, read_bytes, write_whole

MOST_POSITIONS = 4
"""Positions of a job: what an interruption loses is little."""
WRITE_EVERY = 60.0
"""Seconds between two writings of the unfinished book."""


@functools.lru_cache(maxsize=1)
def solver_for(game: str, table_mb: int) -> KalahSolver:
    """The worker's solver."""
    return KalahSolver(parse_game(game), table_mb=table_mb)


def find_margins(game: str, positions: list[list[object]], table_mb: int) -> list[list[int]]:
    """A job: [number, margin to come] of every position, given as [number, literal]."""
    solver, found = solver_for(game, table_mb), []
    for number, literal in positions:
        position = Position(game, literal=str(literal))
        found.append([int(str(number)), solver.solve(position).lower - gained(position, position.mover)])
    return found


def build_book(rules: Kalah, turns: int, path: Path, *, jobs: int | None = None, cluster: str | None = None, table_mb: int = TABLE_MB,
               retry: bool = False, progress: Watch | None = None) -> Built:
    """See `Books.build`; `progress` shows a round."""
    game = rules.game_string()
    if not 0 <= turns <= MOST_TURNS:
        raise MnkalaError(f"a book of {counted(turns, 'turn')}; for {game} it is 0 to {MOST_TURNS}")
    known, deepest = dict[int, int](), turns
    for seed in (path, shipped_path(rules)):
        if seed.is_file():
            try:
                read = from_bytes(read_bytes(seed), str(seed), rules)
                known |= read.by_number()
                deepest = max(deepest, read.turns) if seed == path else deepest  # what is in the file stays there
            except BadBook as error:
                warnings.warn(f"{error}; it is not used", stacklevel=2)
    tree, results = opening_tree(game, deepest), path.with_name(f"{path.name}.sqlite")
    failures: list[str] = []
    with Store(results) as store:
        keeper = _Keeper(tree, concluded(tree, known | dict(pair for outcome in store.all() for pair in _answers(outcome, game))),
                         path, rules, deepest)
        for depth in (turns - 1, turns):
            work = [_job(game, group, table_mb) for group in _groups(tree, depth, keeper.known)]
            keeper.shown = progress(f"{game}, positions after {counted(depth, 'turn')}") if progress and work else Progress()
            try:
                summary = run_jobs(work, store, workers=jobs, cluster=cluster, progress=keeper, retry=retry)
            finally:
                keeper.write()
            if summary.failed or summary.old_failures:
                failures += sorted({outcome.error for outcome in store.all() if outcome.error})
                break
    solver_for.cache_clear()
    complete = all(node.number in keeper.known for node in tree.values() if node.turns <= turns)
    if complete:
        for file in (results, *(results.with_name(results.name + end) for end in ("-wal", "-shm"))):
            file.unlink(missing_ok=True)
    return Built(path, KalahBook(keeper.book), complete, tuple(failures))


def _groups(tree: Mapping[int, Node], depth: int, known: Mapping[int, int]) -> list[list[Node]]:
    """The positions of a depth that are not known, in groups of neighbours."""
    nodes = [node for node in tree.values() if node.turns == depth and node.number not in known]
    return [nodes[at:at + MOST_POSITIONS] for at in range(0, len(nodes), MOST_POSITIONS)]


def _job(game: str, nodes: Sequence[Node], table_mb: int) -> Job:
    """A job with a name of its own for its game and positions, so that a store never mistakes one for another."""
    digest = hashlib.sha256(" ".join(str(node.number) for node in nodes).encode()).hexdigest()[:16]
    return Job(f"{game} margins {digest}", f"{__name__}:{find_margins.__name__}", {
        "game": game, "positions": [[node.number, node.position.literal] for node in nodes], "table_mb": table_mb})


def _answers(outcome: Outcome, game: str) -> list[tuple[int, int]]:
    """A job's answers, if it has some and is of this game."""
    return [(number, margin) for number, margin in outcome.value] if not outcome.failed and outcome.key.startswith(f"{game} ") else []


class _Keeper(Progress):
    """Hands on what a run tells, and writes the unfinished book now and then."""

    def __init__(self, tree: Mapping[int, Node], known: dict[int, int], path: Path, rules: Kalah, turns: int) -> None:
        self.shown, self.tree, self.known, self.path, self.rules, self.turns = Progress(), tree, known, path, rules, turns
        self.written = time.monotonic()

    @property
    def book(self) -> Margins:
        """What is known."""
        return margins_of(self.known, self.rules, self.turns)

    def begin(self, total: int, kept: int) -> None:
        self.shown.begin(total, kept)

    def done(self, outcome: Outcome) -> None:
        self.known |= dict(_answers(outcome, self.rules.game_string()))
        self.shown.done(outcome)
        if time.monotonic() - self.written >= WRITE_EVERY:
            self.write()

    def end(self) -> None:
        self.shown.end()

    def write(self) -> None:
        """The book as far as it is."""
        self.known = concluded(self.tree, self.known)
        write_whole(to_bytes(self.book), self.path)
        self.written = time.monotonic()
