"""A proof in pieces: the value of a start that is too much for one sitting, as many smaller
questions that are kept as they are answered.

The tree of the first turns (`book.tree`) is held in memory with two bounds a position. A *unit* is
a question to the solver about a position where the tree ends: is its margin to come above a number?
To learn whether the start is above x, a player who seems to have a good enough move needs only that
one answered, and a player who seems to have none needs all: the units that follow are the frontier
of the smallest proof that there would be if all looks were right (a solution tree, after Stockman
1979). Answers narrow bounds, bounds change looks, and the next frontier is found from there.
Numbers of the start are asked for as in MTD(f), from what it looks like on.

Units are jobs in a store, which holds the bounds that they found. So a run can be killed at any
time; the next one reads all bounds, of whatever question, and asks only for what is still open.
"""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from mnkala.core import Position, Rules, parse_game
from mnkala.core.score import Contradiction
from mnkala.errors import BadGame, MnkalaError
from mnkala.families.kalah.opening_book import (
    MOST_TURNS,
    TreeMove,
    TreeNode,
    gained,
    number_at,
    opening_tree,
)
from mnkala.families.kalah.rules import Kalah, sum_of
from mnkala.families.kalah.solver.board import MOST_SEEDS
from mnkala.families.kalah.solver.solver import KalahSolver
from mnkala.folders import data_folder
from mnkala.jobs import Job, Outcome, Progress, Run, Store
from mnkala.numbers import counted

TURNS = 3
"""The usual depth of the tree, in turns."""
TABLE_MB = 1024
"""The size of the table of a worker's solver."""
UNITS_A_WORKER = 8
"""The number of units for each worker that are given out before the proof is examined again, since
answers may make others unnecessary."""
CLUSTER_UNITS = 64
"""The number of units given out at a time on a cluster, whose size is not known here."""
Bounds = tuple[int, int]


@functools.lru_cache(maxsize=1)
def solver_for(game: str, table_mb: int) -> KalahSolver:
    """The solver that a worker keeps; what it learnt about one unit helps with the next."""
    return KalahSolver(parse_game(game), table_mb=table_mb)


def answer_unit(game: str, number: int, literal: str, above: int, table_mb: int) -> list[int]:
    """Answer a unit: return [number, lower, upper] of a position's margin to come, narrow enough to
    say whether it is above a number. A job for `mnkala.jobs`."""
    solver, position = solver_for(game, table_mb), Position(game, literal=literal)
    known = gained(position, position.mover)
    found = solver.solve(position, within=(above + known, above + known + 1))
    return [number, found.score.lower - known, found.score.upper - known]


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


def proof_path(rules: Rules) -> Path:
    """The file that keeps the bounds of a game."""
    return (
        data_folder()
        / "proofs"
        / f"{rules.game_string().replace(':', '-').replace(',', '-')}.sqlite"
    )


def check_split(rules: Rules, turns: int, above: int | None = None) -> Kalah:
    """Check that the score of a start can be proved in pieces; raise an error that says what is
    allowed."""
    if not isinstance(rules, Kalah):
        raise BadGame(
            f"{rules.game_string()} is not Kalah; proofs in pieces are for Kalah, such as kalah:6x5"
        )
    seeds = 2 * rules.houses * rules.seeds
    if seeds > MOST_SEEDS:
        raise BadGame(
            f"{rules.game_string()} has {seeds} seeds; the solver of Kalah takes at most {MOST_SEEDS}"
        )
    if not 1 <= turns <= MOST_TURNS:
        raise MnkalaError(f"a tree of {counted(turns, 'turn')}; 1 to {MOST_TURNS} are possible")
    if above is not None and not -seeds <= above < seeds:
        raise MnkalaError(
            f"above {above}? The score of {rules.game_string()} lies between {-seeds} and {seeds}"
        )
    return rules


def prove_split(
    rules: Rules,
    *,
    above: int | None = None,
    turns: int = TURNS,
    jobs: int | None = None,
    cluster: str | None = None,
    table_mb: int = TABLE_MB,
    retry: bool = False,
    path: Path | None = None,
    progress: Callable[[str], Progress] | None = None,
) -> Split:
    """Prove the score of a start, or with `above` only whether it exceeds that number.

    The work runs on `jobs` processes (None: one for each core; 0: this process) or a Dask
    `cluster`. Ctrl-C raises KeyboardInterrupt; the same call continues.
    """
    rules = check_split(rules, turns, above)
    game, path = rules.game_string(), path or proof_path(rules)
    path.parent.mkdir(parents=True, exist_ok=True)
    most = (
        CLUSTER_UNITS
        if cluster is not None
        else UNITS_A_WORKER * max(1, os.cpu_count() or 1 if jobs is None else jobs)
    )
    done, failures = 0, list[str]()
    with Store(path) as store:
        proof = Proof(game, turns)
        for outcome in store.all():
            proof.add_answer(outcome)
        while (number := proof.next_question(above)) is not None:
            units = proof.frontier(proof.root, number)[:most]
            work = [_job(game, proof.tree[unit], asked, table_mb) for unit, asked in units]
            label = f"{game} above {number}? (between {proof.bounds(proof.root)[0]} and {proof.bounds(proof.root)[1]})"
            with Run(
                work,
                store,
                workers=jobs,
                cluster=cluster,
                progress=progress(label) if progress else None,
                retry=retry,
            ) as run:
                for outcome in run:
                    proof.add_answer(outcome)
            done += run.summary.done
            if run.summary.any_failed:
                failures = store.errors()
                break
            if not run.summary.done:
                raise MnkalaError(
                    f"the answers in {path} do not say what they were asked for; delete it to begin anew"
                )
        kept = sum(not outcome.failed for outcome in store.all())
    solver_for.cache_clear()
    return Split(*proof.bounds(proof.root), kept, done, tuple(failures))


def _job(game: str, node: TreeNode, above: int, table_mb: int) -> Job:
    return Job(
        f"{game} {node.number} above {above}",
        f"{__name__}:{answer_unit.__name__}",
        {
            "game": game,
            "number": node.number,
            "literal": node.position.literal,
            "above": above,
            "table_mb": table_mb,
        },
    )


class Proof:
    """The tree with everything known about it. Each margin is the margin to come for its position's
    mover."""

    def __init__(self, game: str, turns: int) -> None:
        self.game = game
        self.tree: Mapping[int, TreeNode] = opening_tree(game, turns)
        self.root = number_at(Position(game))
        self._heard: dict[int, Bounds] = {}
        self._looks = _looks(game, turns)
        self._known: dict[int, Bounds] = {}
        """Conclusions from the answers, discarded whenever a new answer arrives."""
        self._guessed: dict[int, int] = {}

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
            state = node.position.state()
            seeds = int(sum_of(state.own)) + int(sum_of(state.other))
            low, high = self._heard.get(number, (-seeds, seeds))
            if node.moves:
                moves = [self._of_move(move) for move in node.moves]
                low, high = (
                    max(low, *(least for least, _ in moves)),
                    min(high, max(most for _, most in moves)),
                )
            if low > high:
                raise Contradiction(
                    f"two proofs contradict each other: a margin of at least {low} and of at most {high} "
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
        """A guess at the margin within its bounds: by looking ahead where the tree ends, elsewhere
        by the best move."""
        if number not in self._guessed:
            node, (low, high) = self.tree[number], self.bounds(number)
            guess = max(map(self._look_of_move, node.moves)) if node.moves else self._looks[number]
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


@functools.lru_cache(maxsize=2)
def _looks(game: str, turns: int) -> dict[int, int]:
    """The guessed margin at every end of the tree."""
    solver = KalahSolver(parse_game(game), table_mb=1)
    return {
        node.number: solver.look(node.position)
        for node in opening_tree(game, turns).values()
        if not node.moves
    }
