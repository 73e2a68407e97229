"""Fits the weights of the heuristic `margin` (`mnkala.families.kalah.solver.heuristic`) to exact
margins.

    python -m bench.fit_kalah            both rules of capture: prints the tables and how far off they are
    python -m bench.fit_kalah 0.1        with a tenth of the games, to try it

Games are played at few nodes from random openings, with some random moves; beside each of their
positions a short random walk leads to another, for the leaves of a search are no sensible positions
either. The solver labels those with 8 to 38 seeds left with the exact margin to come. Weights are
found by least squares, with a little shrinkage, on four games of five; the errors are those on the
fifth. The same command gives the same numbers, whether there is an endgame database (then it is
quicker) or not.
"""

from __future__ import annotations

import dataclasses
import hashlib
import random
import sys
import textwrap
from collections.abc import Iterator

import numpy as np

from mnkala.families.kalah.rules import Kalah, KalahState, sum_of
from mnkala.families.kalah.solver.board import Board, board_for
from mnkala.families.kalah.solver.heuristic import (
    BEYOND_BY_SEEDS,
    COUNT,
    EXACT,
    FINE,
    LOWEST_PHASE,
    MIDDLE_PHASE,
    OF_OTHER,
    looks,
)
from mnkala.families.kalah.solver.solver import KalahSolver
from mnkala.native import kernel
from mnkala.native.objects import IntArray, WordArray
from mnkala.play.series import opening
from mnkala.search import Stop, heuristic_for, parse_engine

BOARDS = {(6, 4): (1000, 38), (4, 4): (100, 32), (5, 4): (200, 34), (8, 3): (100, 26)}
"""Houses and seeds, how many games, and with how many seeds left their positions are labelled in
good time.
"""
PLAYING = parse_engine("deepening:nodes=400,table_bits=12,heuristic=kalah")
LONGEST_OPENING, LONGEST_WALK = 8, 5
RANDOM_MOVES = 0.15
MANY_SEEDS, SHARE_OF_MANY = 34, 0.2
"""Of the positions with more seeds than this, which take long to label, only a share is taken."""
HELD_OUT = 5
"""Every so many-th game is not fitted to."""
SHRINKAGE = 1.0
OLD = ("stores", "own-side", "kalah")
Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]
Vector = np.ndarray[tuple[int], np.dtype[np.float64]]
WITHOUT_SLOPE = np.array(
    [
        (feature - (OF_OTHER if feature >= EXACT + OF_OTHER else 0)) >= BEYOND_BY_SEEDS
        for feature in range(COUNT)
    ]
)
"""Products, whose weights are the same with any number of seeds left."""


@dataclasses.dataclass(frozen=True)
class Sample:
    """Positions of one board with their exact margins."""

    rules: Kalah
    game: IntArray
    own: WordArray
    other: WordArray
    margin: Vector

    @property
    def held_out(self) -> np.ndarray:
        """Which positions are not fitted to."""
        return self.game % HELD_OUT == 0

    @property
    def seeds(self) -> Vector:
        """Seeds left."""
        return np.array(
            [
                int(sum_of(own) + sum_of(other))
                for own, other in zip(self.own, self.other, strict=True)
            ],
            np.float64,
        )


def positions(rules: Kalah, games: int, most: int) -> Iterator[tuple[int, np.uint64, np.uint64]]:
    """The game's number and the rows of the positions to label."""
    rng = random.Random(rules.game_string())
    for number in range(games):
        position = opening(rules, rng.randrange(LONGEST_OPENING + 1), seed=number)
        while not position.is_over:
            beside = position
            for _ in range(rng.randrange(LONGEST_WALK + 1)):
                if not beside.is_over:
                    beside = beside.play_codes([rng.choice(beside.legal_codes)])
            state = beside.state()
            seeds = int(sum_of(state.own) + sum_of(state.other))
            if LOWEST_PHASE <= seeds <= most and (
                rng.random() < SHARE_OF_MANY or seeds <= MANY_SEEDS
            ):
                yield number, state.own, state.other
            at_random = rng.random() < RANDOM_MOVES
            move = (
                rng.choice(position.legal_codes)
                if at_random
                else PLAYING.analyse(position).line_codes[0]
            )
            position = position.play_codes([move])


def sample(rules: Kalah, games: int, most: int) -> Sample:
    """Positions and their exact margins to come."""
    number, own, other = map(np.array, zip(*positions(rules, games, most), strict=True))
    KalahSolver.prepare(rules)
    print(f"# {rules.game_string()}: {len(own):,} positions", file=sys.stderr, flush=True)
    margins, _ = KalahSolver(rules).batch(
        np.stack([own, other, np.zeros_like(own)], axis=1), Stop()
    )
    return Sample(rules, number, own, other, margins.astype(np.float64))


@kernel
def fill(
    own: WordArray, other: WordArray, rules: Kalah, board: Board, unit: IntArray, out: IntArray
) -> None:
    """The features of positions, one after the other: with the weight of one feature alone, the sum
    of all is that feature.
    """
    for i in range(len(own)):
        for feature in range(len(unit)):
            unit[feature] = 1
            out[i * len(unit) + feature] = looks(own[i], other[i], board, rules, unit, 0)
            unit[feature] = 0


def features(data: Sample) -> Matrix:
    """[position, feature], and the same again by the seeds left, for the change of weights with
    them.
    """
    out = np.zeros(len(data.own) * COUNT, np.int64)
    fill(data.own, data.other, data.rules, board_for(data.rules), np.zeros(COUNT, np.int64), out)
    plain = out.reshape(-1, COUNT).astype(np.float64)
    return np.hstack(
        [plain, np.where(WITHOUT_SLOPE, 0, plain) * ((data.seeds - MIDDLE_PHASE) / 10)[:, None]]
    )


def least_squares(table: Matrix, margin: Vector) -> Vector:
    """Weights, shrunk a little towards zero."""
    found: Vector = np.linalg.solve(
        table.T @ table + SHRINKAGE * np.eye(table.shape[1]), table.T @ margin
    ).astype(np.float64)
    return found


def error(found: Vector, margin: Vector) -> str:
    """The root of the mean square, and the share of the variance that is told."""
    square = float(np.mean((found - margin) ** 2))
    return f"{square**0.5:.2f} seeds (R2 {1 - square / float(np.var(margin)):.2f})"


def old_error(name: str, data: Sample) -> str:
    """How far off another heuristic is with the best scale and constant."""
    heuristic = heuristic_for(name, data.rules)
    states = (
        KalahState(own, other, np.uint64(0))
        for own, other in zip(data.own, data.other, strict=True)
    )
    values = [float(heuristic.evaluate(data.rules, state)) for state in states]
    table = np.column_stack([values, np.ones(len(values))])
    weights = least_squares(table[~data.held_out], data.margin[~data.held_out])
    return error((table @ weights)[data.held_out], data.margin[data.held_out])


def main(share: str = "1") -> None:
    """Sample, fit, print."""
    for standard in (False, True):
        samples = [
            sample(Kalah(*size, standard), max(HELD_OUT, int(games * float(share))), most)
            for size, (games, most) in BOARDS.items()
        ]
        tables = [features(data) for data in samples]
        learnt = [~data.held_out for data in samples]
        weights = least_squares(
            np.vstack([table[part] for table, part in zip(tables, learnt, strict=True)]),
            np.concatenate([data.margin[part] for data, part in zip(samples, learnt, strict=True)]),
        )
        digest = hashlib.sha256(
            b"".join(
                data.own.tobytes() + data.other.tobytes() + data.margin.tobytes()
                for data in samples
            )
        ).hexdigest()
        rows = [
            tuple(int(weight) for weight in np.rint(FINE * half)) for half in np.split(weights, 2)
        ]
        print(
            textwrap.fill(
                f"{standard}: ({rows[0]},", 136, initial_indent="    ", subsequent_indent=" " * 12
            )
        )
        print(
            textwrap.fill(f"{rows[1]}),", 136, initial_indent=" " * 11, subsequent_indent=" " * 12)
        )
        print(
            f"# {sum(map(len, (data.own for data in samples))):,} positions, digest {digest[:16]}"
        )
        for data, table in zip(samples, tables, strict=True):
            held = data.held_out
            print(
                f"# {data.rules.game_string()}, {held.sum():,} held out: "
                + error((table @ weights)[held], data.margin[held])
                + "; "
                + ", ".join(f"{name} {old_error(name, data)}" for name in OLD),
                flush=True,
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
