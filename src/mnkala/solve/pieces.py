"""A proof in pieces: the value of a start that is too much for one sitting, as many smaller
questions that are kept as they are answered.

The tree of the first moves is held in memory with two bounds a position. A *unit* is a question to
the solver about a position where the tree ends: is its score above a number? To learn whether the
start is above x, a player who seems to have a good enough move needs only that one answered, and a
player who seems to have none needs all: the units that follow are the frontier of the smallest
proof that there would be if all looks were right (a solution tree, after Stockman 1979). Answers
narrow bounds, bounds change looks, and the next frontier is found from there. Numbers of the start
are asked for as in MTD(f), from what it looks like on.

Units are jobs in a store, which holds the bounds that they found. So a run can be killed at any
time; the next one reads all bounds, of whatever question, and asks only for what is still open.
"""

from __future__ import annotations

import abc
import contextlib
import dataclasses
import functools
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from mnkala.core import Position, Rules, parse_game
from mnkala.core.score import Contradiction
from mnkala.errors import MnkalaError
from mnkala.folders import data_folder
from mnkala.jobs import Job, Outcome, Progress, Run, Store
from mnkala.jobs.run import in_words
from mnkala.numbers import counted

UNITS_A_WORKER = 8
"""The number of units for each worker that are given out before the proof is examined again, since
answers may make others unnecessary."""
CLUSTER_UNITS = 256
"""The number of units given out at a time on a cluster, whose size is not known here."""
MANY_CORES = 100
"""The number of cores for which the remaining time of a proof is told besides one core's."""
Bounds = tuple[int, int]
S = TypeVar("S")


@dataclasses.dataclass(frozen=True)
class TreeMove:
    """A move of a node. The mover's score after it is `gain` plus, if the game continues, `sign`
    times that of the node `child`."""

    gain: int
    sign: int
    child: int | None


@dataclasses.dataclass(frozen=True)
class TreeNode:
    """A position of the tree."""

    number: int
    turns: int
    """The smallest number of whole turns that lead to the position."""
    position: Position
    moves: tuple[TreeMove, ...]
    """The moves of the node; empty where the tree ends."""


@dataclasses.dataclass(frozen=True)
class Split:
    """What a proof has found about the start's score, for the first player."""

    lower: int
    upper: int
    units: int
    """The number of units in the store."""
    done: int
    """The number of units that were answered in this run."""
    failures: tuple[str, ...] = ()

    def is_above(self, number: int) -> bool | None:
        """Whether the score is above a number; None if that is open."""
        return True if self.lower > number else False if self.upper <= number else None


@functools.lru_cache(maxsize=1)
def kept_solver(kind: Callable[..., S], game: str, table_mb: int) -> S:
    """The solver that a worker keeps; what it learned about one unit helps with the next."""
    return kind(parse_game(game), table_mb=table_mb)


def proof_path(rules: Rules) -> Path:
    """The file that keeps the bounds of a game."""
    return (
        data_folder()
        / "proofs"
        / f"{rules.game_string().replace(':', '-').replace(',', '-')}.sqlite"
    )


def prove_pieces(
    proof: PieceProof,
    unit: str,
    path: Path | None,
    *,
    table_mb: int,
    above: int | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    retry: bool = False,
    progress: Callable[[str], Progress] | None = None,
) -> Split:
    """Prove the score of a start, or with `above` only whether it exceeds that number.

    `unit` names the function that answers a unit, as a job does: from the game, a position's number
    and literal, what it may exceed, and `table_mb`, it returns [number, lower, upper]. Answers are
    kept in the file `path` (None: that of the game, `proof_path`). The work runs on `jobs`
    processes (None: one for each core; 0: this process) or a Dask `cluster`. Ctrl-C raises
    KeyboardInterrupt; the same call continues.
    """
    path = path or proof_path(parse_game(proof.game))
    path.parent.mkdir(parents=True, exist_ok=True)
    workers = max(1, os.cpu_count() or 1 if jobs is None else jobs)
    most = CLUSTER_UNITS if cluster is not None else UNITS_A_WORKER * workers
    done, failures = 0, list[str]()
    with contextlib.ExitStack() as stack:
        stack.callback(kept_solver.cache_clear)
        store = stack.enter_context(Store(path))
        seconds, asked_before, first, before = list[float](), None, 0, 0
        for outcome in store.all():
            proof.add_answer(outcome)
            seconds.append(outcome.seconds)
        while (question := proof.next_question(above)) is not None:
            units = proof.frontier(proof.root, question)
            if question != asked_before:
                asked_before, first, before = question, len(units), done
            low, high = proof.bounds(proof.root)
            told = time_left(len(units), first, done - before, seconds)
            label = f"{proof.game} above {question}? (between {low} and {high}; {told})"
            with Run(
                [
                    unit_job(unit, proof.game, proof.tree[number], asked, table_mb)
                    for number, asked in units[:most]
                ],
                store,
                workers=jobs,
                cluster=cluster,
                progress=progress(label) if progress else None,
                retry=retry,
            ) as run:
                for outcome in run:
                    proof.add_answer(outcome)
                    seconds.append(outcome.seconds)
            done += run.summary.done
            if run.summary.any_failed:
                failures = store.errors()
                break
            if not run.summary.done:
                raise MnkalaError(
                    f"the answers in {path} do not say what they were asked for; delete it to begin anew"
                )
        kept = sum(not outcome.failed for outcome in store.all())
    return Split(*proof.bounds(proof.root), kept, done, tuple(failures))


def unit_job(unit: str, game: str, node: TreeNode, above: int, table_mb: int) -> Job:
    """The job that asks whether a position's score is above a number."""
    return Job(
        f"{game} {node.number} above {above}",
        unit,
        {
            "game": game,
            "number": node.number,
            "literal": node.position.literal,
            "above": above,
            "table_mb": table_mb,
        },
    )


def time_left(left: int, first: int, answered: int, seconds: list[float]) -> str:
    """How many pieces a question still needs, and how long they take by the mean of those answered.

    `left` would do if all looks were right. Of the `first` that seemed to do at the beginning, only
    so many are gone after the pieces `answered` since: the others go as slowly.
    """
    told = f"{counted(left, 'piece')} left if all looks are right"
    if answered > 0 and first > left:
        left = max(left, round(left * answered / (first - left)))
        told += f", {left:,} as it went so far"
    if not seconds:
        return told
    work = left * sum(seconds) / len(seconds)
    return f"{told}: {in_words(work)} of work, {in_words(work / MANY_CORES)} on {MANY_CORES} cores"


class PieceProof(abc.ABC):
    """The tree with everything known about it. Each score is for its position's mover; where a part
    of it was decided before the position, it is only what is still to come."""

    def __init__(self, game: str, tree: Mapping[int, TreeNode], root: int) -> None:
        self.game, self.tree, self.root = game, tree, root
        self._heard: dict[int, Bounds] = {}
        self._known: dict[int, Bounds] = {}
        """Conclusions from the answers, discarded whenever a new answer arrives."""
        self._guessed: dict[int, int] = {}

    @abc.abstractmethod
    def span(self, position: Position) -> Bounds:
        """The lowest and the highest score that the rules allow."""

    @abc.abstractmethod
    def look(self, number: int) -> int:
        """A guess at the score of a position where the tree ends."""

    def add_answer(self, outcome: Outcome) -> None:
        """Take in the answer of a unit, if it belongs to this game."""
        if outcome.failed or not outcome.key.startswith(f"{self.game} "):
            return
        number, low, high = outcome.value
        before = self._heard.get(number, (low, high))
        self._heard[number] = max(low, before[0]), min(high, before[1])
        self._known.clear()
        self._guessed.clear()

    def bounds(self, number: int) -> Bounds:
        """The bounds of a position, from the answers and from its moves."""
        if number not in self._known:
            node = self.tree[number]
            low, high = self._heard.get(number, self.span(node.position))
            if node.moves:
                moves = [self._of_move(move) for move in node.moves]
                low, high = (
                    max(low, *(least for least, _ in moves)),
                    min(high, max(most for _, most in moves)),
                )
            if low > high:
                raise Contradiction(
                    f"two proofs contradict each other: a score of at least {low} and of at most {high} "
                    f"for {node.position.literal}"
                )
            self._known[number] = low, high
        return self._known[number]

    def _of_move(self, move: TreeMove) -> Bounds:
        low, high = (0, 0) if move.child is None else self.bounds(move.child)
        return (
            (move.gain + low, move.gain + high)
            if move.sign > 0
            else (move.gain - high, move.gain - low)
        )

    def looks_like(self, number: int) -> int:
        """A guess at the score within its bounds: by a look where the tree ends, elsewhere by the
        best move."""
        if number not in self._guessed:
            node, (low, high) = self.tree[number], self.bounds(number)
            guess = max(map(self._look_of_move, node.moves)) if node.moves else self.look(number)
            self._guessed[number] = max(low, min(high, guess))
        return self._guessed[number]

    def _look_of_move(self, move: TreeMove) -> int:
        return move.gain + (0 if move.child is None else move.sign * self.looks_like(move.child))

    def next_question(self, above: int | None) -> int | None:
        """The next number to ask about the start: is it above this? None if nothing is left to ask."""
        low, high = self.bounds(self.root)
        if above is not None:
            return None if low > above or high <= above else above
        return None if low == high else max(low, min(self.looks_like(self.root) - 1, high - 1))

    def frontier(self, number: int, above: int) -> list[tuple[int, int]]:
        """The units, as (position, number to exceed), that would decide whether a position is above
        a number if all guesses were right; none if that is decided."""
        low, high = self.bounds(number)
        if low > above or high <= above:
            return []
        node = self.tree[number]
        if not node.moves:
            return [(number, above)]
        moves = [
            move for move in node.moves if move.child is not None and self._of_move(move)[1] > above
        ]
        moves.sort(key=lambda move: -self._look_of_move(move))
        if self._look_of_move(moves[0]) > above:
            moves = moves[:1]
        found: dict[tuple[int, int], None] = {}
        for move in moves:
            assert move.child is not None
            asked = above - move.gain if move.sign > 0 else move.gain - above - 1
            found |= dict.fromkeys(self.frontier(move.child, asked))
        return list(found)
