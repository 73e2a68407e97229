"""Fits the network that helps Kalah's solver to order moves
(`mnkala.families.kalah.solver.shallow_search`) to exact margins.

    python -m bench.fit_kalah_network sample empty 150000 empty.npz       positions with their exact margins
    python -m bench.fit_kalah_network sample standard 150000 standard.npz
    python -m bench.fit_kalah_network fit empty.npz standard.npz          the tables, and how far off they are on openings not fitted to

What a network is asked about is what a search meets, which is not what games come by. So from
half-random openings a question near the truth is searched for a while, without a network; the
solver's table then holds what it met, some of those positions are drawn, the same number of each
number of seeds, and solved. An endgame database makes it quicker. The starting position itself is
none of the openings. Nine openings of ten are fitted to (Adam, Kingma and Ba 2015, with errors of
more than six seeds counted as six); the rest tell the error.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import lsqr

from mnkala.core import Position
from mnkala.families.kalah.rules import Kalah, KalahState, sum_of
from mnkala.families.kalah.solver.board import MOST_SEEDS, STEP, Board, board_for
from mnkala.families.kalah.solver.estimate import chain, largest_capture
from mnkala.families.kalah.solver.solver import KalahSolver
from mnkala.families.kalah.solver.weights import (
    CAPTURED,
    FILE,
    LANE,
    LANES,
    LINEAR,
    MOST_CAPTURED,
    MOST_TURNS,
    NETWORK_HOUSES,
    OF_OTHER,
    OUTPUT,
    ROWS,
    SIGHTS,
    TURNS,
    UNIT,
    UNITS,
    WORDS,
    ZERO_LINE,
    order_weights,
)
from mnkala.families.kalah.solver.weights import MOST_SEEDS as MOST_IN_HOUSE
from mnkala.native import kernel
from mnkala.native.objects import IntArray, WordArray
from mnkala.solve.table import ZERO

RULES = {"empty": False, "standard": True}
FEWEST, MOST, A_LEVEL = 18, 36, 4
"""Seeds of the positions drawn, and how many of each number from one opening."""
OPENING_SEEDS = range(34, 45)
SENSIBLE = 0.5
"""The chance of a move of an opening that looks best."""
QUESTION_NODES, LABEL_NODES = 400_000, 300_000
"""What is spent on the question, and on the margin of a position at most."""
DRAWN = 4000
"""Keys of the table that are looked at."""
HELD_OUT = 10
TOLD = 5000
EPOCHS, BATCH, FASTEST, DECAY, LARGEST_ERROR = 40, 1024, 0.004, 1e-7, 6.0
Matrix = np.ndarray[tuple[int, int], np.dtype[np.float32]]
Vector = np.ndarray[tuple[int], np.dtype[np.float32]]


# ---- Positions ----


def sample(standard: bool, wanted: int, seed: int) -> Iterator[tuple[int, Any, Any, int]]:
    """The opening's number, both rows and the exact margin to come of positions that searches meet."""
    chance = random.Random(seed)
    rules = Kalah(standard=standard)
    KalahSolver.prepare(rules)
    solver = KalahSolver(rules, table_mb=64)
    nothing = np.zeros(0, np.uint64)
    solver.houses = dataclasses.replace(
        solver.houses, network=nothing, order=order_weights(standard)
    )
    number = found = 0
    while found < wanted:
        position = opening(rules, chance)
        number += 1
        if position.is_over:
            continue
        solver.clear()
        low, high = solver.span(position)
        ask = max(
            low,
            min(
                high - 1,
                solver.gained(position) + solver.look(position) + 2 * chance.randrange(3) - 2,
            ),
        )
        for _ in solver.steps(position, within=(ask, ask + 1), nodes=QUESTION_NODES):
            break
        for own, other in met(solver, chance):
            drawn = Position(rules, literal=rules.literal(KalahState(own, other, ZERO)))
            solution = solver.solve(drawn, nodes=LABEL_NODES)
            if solution.score.lower == solution.score.upper and found < wanted:
                found += 1
                yield number, own, other, solution.score.lower - solver.gained(drawn)


def opening(rules: Kalah, chance: random.Random) -> Position:
    """A half-random game down to a random number of seeds."""
    position, seeds = Position(rules), chance.choice(OPENING_SEEDS)
    while not position.is_over and in_houses(position) > seeds:
        codes, state = position.legal_codes, position.state()
        best = max(codes, key=lambda move: rules.prior(state, move) + chance.random() * 4)
        position = position.play_codes(
            [best if chance.random() < SENSIBLE else chance.choice(codes)]
        )
    return position


def in_houses(position: Position) -> int:
    state = position.state()
    return int(sum_of(state.own) + sum_of(state.other))


def met(solver: KalahSolver, chance: random.Random) -> list[tuple[np.uint64, np.uint64]]:
    """Some positions of each number of seeds that the solver's table holds."""
    keys = solver.keys_held()
    drawn = [int(key) for key in chance.sample(keys.tolist(), min(DRAWN, len(keys)))]
    levels: dict[int, list[tuple[np.uint64, np.uint64]]] = {
        seeds: [] for seeds in range(FEWEST, MOST + 1)
    }
    for key in drawn:
        seeds, own, other = position_of(key - 1, solver.houses)
        if seeds in levels and len(levels[seeds]) < A_LEVEL:
            levels[seeds].append((own, other))
    return [rows for level in levels.values() for rows in level]


def position_of(number: int, board: Board) -> tuple[int, np.uint64, np.uint64]:
    """The seeds and the rows of a position, by its number: `board.number_of` backwards."""
    seeds = next(
        seeds for seeds in range(MOST_SEEDS, 1, -1) if board.blocks[STEP + seeds - 1] <= number
    )
    mine = next(
        mine
        for mine in range(seeds - 1, 0, -1)
        if board.blocks[mine * STEP + seeds - mine] <= number
    )
    first, second = divmod(
        number - int(board.blocks[mine * STEP + seeds - mine]), int(board.rows[seeds - mine])
    )
    return seeds, row_of(first, mine, board), row_of(second, seeds - mine, board)


def row_of(number: int, seeds: int, board: Board) -> np.uint64:
    """The row of so many seeds with a number: the largest partial sums that still fit, from the
    last house on.
    """
    row, after = 0, seeds
    for house in range(board.houses - 2, -1, -1):
        partial = next(
            total for total in range(after, -1, -1) if board.sums[house * STEP + total] <= number
        )
        number -= int(board.sums[house * STEP + partial])
        row |= after - partial << 8 * (house + 1)
        after = partial
    return np.uint64(row | after)


# ---- The fit ----


@kernel
def fill(own: WordArray, other: WordArray, rules: Kalah, board: Board, out: IntArray) -> None:
    """Extra turns and the largest capture of both sides, four numbers a position."""
    for i in range(len(own)):
        row, extra = chain(own[i], board)
        row_of_other, extra_of_other = chain(other[i], board)
        out[4 * i], out[4 * i + 1] = extra, largest_capture(row, other[i], board, rules)
        out[4 * i + 2], out[4 * i + 3] = (
            extra_of_other,
            largest_capture(row_of_other, own[i], board, rules),
        )


def sights(own: WordArray, other: WordArray, standard: bool) -> IntArray:
    """[position * SIGHTS + i]: the rows of the table that a position is the sum of."""
    rules = Kalah(standard=standard)
    out = np.zeros(4 * len(own), np.int64)
    fill(own, other, rules, board_for(rules), out)
    turns = out.reshape(-1, 4)
    seeds = (
        np.stack([own, other], axis=1)
        .view(np.uint8)
        .reshape(-1, 2, 8)[:, :, :NETWORK_HOUSES]
        .reshape(-1, 2 * NETWORK_HOUSES)
    )
    houses = np.minimum(seeds, MOST_IN_HOUSE) + np.arange(2 * NETWORK_HOUSES) * (MOST_IN_HOUSE + 1)
    most = np.array([MOST_TURNS, MOST_CAPTURED] * 2)
    found: IntArray = np.hstack(
        [
            houses,
            np.minimum(turns, most)
            + np.array([TURNS, CAPTURED, TURNS + OF_OTHER, CAPTURED + OF_OTHER]),
        ]
    )
    return found


def fit(rows: IntArray, margin: Vector, held_out: np.ndarray) -> tuple[Matrix, Vector]:
    """The table, the linear part in its last column, and the weights of the units."""
    chance = np.random.default_rng(1)
    learnt = np.flatnonzero(~held_out)
    linear = lsqr(as_matrix(rows[learnt]), margin[learnt], damp=1.0)[0]
    table = chance.normal(0, 0.15, (ROWS, UNITS)).astype(np.float32)
    table[:, :-1] += 0.1 / SIGHTS
    table[:, -1] = linear
    weights = np.append(chance.normal(0, 0.3, UNITS - 1), 1).astype(np.float32)
    parts = [table, weights]
    means, squares = (
        [np.zeros_like(part) for part in parts],
        [np.zeros_like(part) for part in parts],
    )
    step = 0
    for epoch in range(EPOCHS):
        speed = FASTEST / 2 * (1 + np.cos(np.pi * epoch / EPOCHS)) + 1e-5
        order = chance.permutation(learnt)
        for start in range(0, len(order) - BATCH + 1, BATCH):
            batch = order[start : start + BATCH]
            ones = as_matrix(rows[batch])
            sums = ones @ table
            units = active(sums)
            error = np.clip(units @ weights - margin[batch], -LARGEST_ERROR, LARGEST_ERROR) / BATCH
            back = np.outer(error, weights).astype(np.float32)
            back[:, :-1] *= sums[:, :-1] > 0
            slopes = [ones.T @ back + DECAY * table, units.T @ error]
            slopes[1][-1] = 0
            step += 1
            for part, slope, mean, square in zip(parts, slopes, means, squares, strict=True):
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope**2 - square)
                part -= (
                    speed * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
                ).astype(np.float32)
    return table, weights


def as_matrix(rows: IntArray) -> Any:
    """[position, row of the table]: 1 where it is one of the position's."""
    return sparse.csr_matrix(
        (np.ones(rows.size, np.float32), rows.ravel(), np.arange(0, rows.size + 1, SIGHTS)),
        (len(rows), ROWS),
    )


def active(sums: Matrix) -> Matrix:
    """Rectified, but for the last unit."""
    units = np.maximum(sums, 0)
    units[:, -1] = sums[:, -1]
    return units


def in_whole_numbers(table: Matrix, weights: Vector) -> tuple[Matrix, IntArray]:
    """The entries as they are kept, from 0 to 4095, and the weights."""
    scale = np.array([UNIT] * (UNITS - 1) + [LINEAR])
    entries = np.clip(np.rint(table * scale) + ZERO_LINE, 0, 2 * ZERO_LINE - 1)
    whole = np.rint(weights * OUTPUT).astype(np.int64)
    whole[-1] = 0
    return entries, whole


def packed(entries: Matrix) -> WordArray:
    """Four units a word."""
    lanes = entries.astype(np.uint64).reshape(ROWS, WORDS, LANES) << (
        np.arange(LANES, dtype=np.uint64) * np.uint64(LANE)
    )
    words: WordArray = np.bitwise_or.reduce(lanes, axis=2).ravel()
    return words


def seen(rows: IntArray, entries: Matrix, whole: IntArray) -> Vector:
    """What the network of whole numbers says, in seeds."""
    sums = (as_matrix(rows).astype(np.float64) @ entries) - SIGHTS * ZERO_LINE
    found: Vector = np.maximum(sums, 0) @ whole / (UNIT * OUTPUT) + sums[:, -1] / LINEAR
    return found


def error_of(found: Vector, margin: Vector) -> str:
    """The root of the mean square, and the share of the variance that is told."""
    square = float(np.mean((found - margin) ** 2))
    return f"{square**0.5:.2f} seeds (R2 {1 - square / float(np.var(margin)):.2f})"


# ---- Commands ----


def run_sample(rule: str, wanted: int, seed: int, out: Path) -> None:
    """Draw positions and keep them, those found so far again and again: who has waited enough can
    stop it.
    """
    kept: list[tuple[int, Any, Any, int]] = []
    for row in sample(RULES[rule], wanted, seed):
        kept.append(row)
        if len(kept) % TOLD == 0 or len(kept) == wanted:
            number, own, other, margin = map(np.array, zip(*kept, strict=True))
            np.savez(
                out,
                rule=rule,
                opening=number,
                own=own.astype(np.uint64),
                other=other.astype(np.uint64),
                margin=margin,
            )
            print(f"{len(kept):,} positions", file=sys.stderr, flush=True)


def run_fit(files: list[Path], out: Path) -> None:
    """Fit a network for each rule of capture, tell its error, and write them to one file."""
    arrays: dict[str, Any] = {}
    for path in files:
        with np.load(path) as data:
            rule, number, own, other = (
                str(data["rule"]),
                data["opening"],
                data["own"],
                data["other"],
            )
            margin = data["margin"].astype(np.float32)
        held_out = number % HELD_OUT == 0
        rows = sights(own, other, RULES[rule])
        table, weights = fit(rows, margin, held_out)
        entries, whole = in_whole_numbers(table, weights)
        arrays |= {f"{rule}-table": packed(entries), f"{rule}-weights": whole.astype(np.int16)}
        digest = hashlib.sha256(own.tobytes() + other.tobytes() + margin.tobytes()).hexdigest()
        print(
            f"{rule}: {len(own):,} positions of {number[-1]:,} openings, digest {digest[:16]}; held out {held_out.sum():,}: "
            f"{error_of(seen(rows, entries, whole)[held_out], margin[held_out])}; fitted "
            f"{error_of(seen(rows, entries, whole)[~held_out], margin[~held_out])}"
        )
    np.savez_compressed(out, **arrays)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Fit the network that helps Kalah's solver to order moves."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("sample", help="draw positions and solve them")
    drawing.add_argument("rule", choices=RULES)
    drawing.add_argument("count", type=int)
    drawing.add_argument("out", type=Path)
    drawing.add_argument("--seed", type=int, default=1)
    fitting = commands.add_parser("fit", help="fit the networks")
    fitting.add_argument("files", type=Path, nargs="+")
    fitting.add_argument("--out", type=Path, default=FILE)
    options = parser.parse_args()
    if options.command == "sample":
        run_sample(options.rule, options.count, options.seed, options.out)
    else:
        run_fit(options.files, options.out)


if __name__ == "__main__":
    main()
