"""Finds the weights by which Kalah's solver orders moves (`mnkala.families.kalah.solver.weights`),
by counting nodes.

    python -m bench.kalah_order --rule standard --seeds 19..23 --rounds 300
    python -m bench.kalah_order --rule empty --seeds 28..32 --positions 60 --rounds 100

Positions come from half-random games of Kalah(6,4), so that they look like those which the solver
meets. Each is solved with an empty table, and what counts is the mean logarithm of the nodes, in
which a large position weighs no more than a small one. A round changes one or two weights at
random, one way and then the other, and keeps what takes fewer nodes. Every tenth gain is held
against other positions, which were not used: where these do not follow, more positions are needed.
Below `MANY_SEEDS` seeds the weights for few seeds are changed, from it on those for many; so tune
the former first. Node counts do not depend on the machine: a seed gives the same weights
everywhere.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence

import numpy as np

from mnkala.core import Position
from mnkala.families.kalah.rules import Kalah, sum_of
from mnkala.families.kalah.solver.solver import KalahSolver
from mnkala.families.kalah.solver.weights import COUNT, HOUSES, MANY_SEEDS
from mnkala.native.objects import IntArray
from mnkala.search.limit import Stop

LARGEST_STEP, SMALLEST_STEP = 150, 8
"""Of one change to a weight: it grows by half where changes pay, and shrinks by a tenth where they
do not.
"""
SMALL = 100
"""Nodes that are added before the logarithm is taken: what is settled almost at once should not
count.
"""
CHANCE = 0.25
"""Of a random move in a game; else the move that looks best is played."""


def sample(rules: Kalah, seeds: range, count: int, chance: random.Random) -> list[Position]:
    """Positions with so many seeds in the houses."""
    found: list[Position] = []
    while len(found) < count:
        position, wanted = Position(rules), chance.choice(seeds)
        while not position.is_over and in_houses(position) > wanted:
            codes, state = position.legal_codes, position.state()
            best = max(codes, key=lambda move: rules.prior(state, move) + chance.random() * 4)
            position = position.play_codes(
                [chance.choice(codes) if chance.random() < CHANCE else best]
            )
        if not position.is_over and in_houses(position) in seeds:
            found.append(position)
    return found


def in_houses(position: Position) -> int:
    state = position.state()
    return int(sum_of(state.own) + sum_of(state.other))


def nodes_of(solver: KalahSolver, positions: Sequence[Position]) -> IntArray:
    """The nodes that each position takes with the weights as they stand."""
    return solver.batch(np.array([position.state() for position in positions], np.uint64), Stop())[
        1
    ]


def cost(nodes: IntArray) -> float:
    """The mean logarithm."""
    return float(np.log(nodes + SMALL).mean())


def tune(
    solver: KalahSolver,
    weights: IntArray,
    positions: Sequence[Position],
    held_back: Sequence[Position],
    rounds: int,
    chance: random.Random,
) -> None:
    """Change `weights`, which are the solver's own, for the better, and tell about it."""
    best = cost(nodes_of(solver, positions))
    print(f"start {best:.4f}, held back {cost(nodes_of(solver, held_back)):.4f}", flush=True)
    steps, gains = [40] * COUNT, 0
    places = [i for i in range(COUNT) if i >= 2 * HOUSES or i % HOUSES < solver.houses.houses]
    for number in range(rounds):
        before = weights.copy()
        change = np.zeros(COUNT, np.int64)
        chosen = chance.sample(places, 2 if chance.random() < 1 / 3 else 1)
        for i in chosen:
            change[i] = chance.choice((-1, 1)) * chance.randint(1, steps[i])
        for way in (1, -1):
            weights[:] = before + way * change
            found = cost(nodes_of(solver, positions))
            if found < best:
                break
        gained = found < best
        for i in chosen:
            steps[i] = (
                min(LARGEST_STEP, steps[i] * 3 // 2)
                if gained
                else max(SMALLEST_STEP, steps[i] * 9 // 10)
            )
        if not gained:
            weights[:] = before
            continue
        best, gains = found, gains + 1
        also = f", held back {cost(nodes_of(solver, held_back)):.4f}" if gains % 10 == 0 else ""
        print(f"round {number}: {best:.4f}{also}", flush=True)
    print(f"end {best:.4f}, held back {cost(nodes_of(solver, held_back)):.4f}")
    print(*weights.tolist(), sep=", ")


def seeds_range(text: str) -> range:
    low, high = map(int, text.split(".."))
    if not 2 <= low <= high <= 48:
        raise argparse.ArgumentTypeError(
            f"{text} is no range of seeds; write LOW..HIGH between 2..48"
        )
    return range(low, high + 1)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Find the weights by which Kalah's solver orders moves."
    )
    parser.add_argument("--rule", choices=("empty", "standard"), default="empty")
    parser.add_argument(
        "--seeds",
        type=seeds_range,
        default=range(19, MANY_SEEDS),
        help="LOW..HIGH seeds in the houses",
    )
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.seeds[0] < MANY_SEEDS <= options.seeds[-1]:
        parser.error(f"weights change at {MANY_SEEDS} seeds; choose a range below it or from it on")
    chance = random.Random(options.seed)
    rules = Kalah(standard=options.rule == "standard")
    KalahSolver.prepare(rules)
    solver = KalahSolver(rules, database=False)
    board = solver.houses
    positions = sample(rules, options.seeds, 2 * options.positions, chance)
    weights = board.order if options.seeds[0] >= MANY_SEEDS else board.late_order
    tune(solver, weights, positions[::2], positions[1::2], options.rounds, chance)


if __name__ == "__main__":
    main()
