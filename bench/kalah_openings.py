"""Finds openings of Kalah(6,4) that are even: some random turns, and an exact value of -2, 0 or 2
by the solver.

    python -m bench.kalah_openings kalah:standard 200 >> bench/data/kalah_openings.txt

It prints the game, the moves and the value for the mover. With an endgame database of 23 seeds one
of 32 to 40 seeds takes less than a second, one of 47 several. (The first hundred and some of each
game in the file have three to six turns, the others five to seven.)
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

from mnkala.core import Position
from mnkala.families.kalah.solver.solver import KalahSolver

TURNS = (5, 6, 7)
SEEDS = range(32, 41)
EVEN = 2
LOOKS_EVEN = 8
"""What a look ahead finds farther off than this is not asked about."""


def walk(start: Position, turns: int, rng: random.Random) -> Position:
    """So many random turns."""
    position = start
    while turns and not position.is_over:
        after = position.play_codes([rng.choice(position.legal_codes)])
        turns -= after.mover != position.mover
        position = after
    return position


def even_openings(game: str, seed: int) -> Iterator[tuple[Position, int]]:
    """Openings with their values, without end."""
    start, rng, seen = Position(game), random.Random(f"{game} {seed}"), set()
    KalahSolver.prepare(start.rules)
    solver = KalahSolver(start.rules)
    while True:
        position = walk(start, rng.choice(TURNS), rng)
        if position.is_over or position.history in seen or solver.seeds(position) not in SEEDS:
            continue
        seen.add(position.history)
        if abs(solver.look(position) + solver.gained(position)) > LOOKS_EVEN:
            continue
        found = solver.solve(position, within=(-EVEN - 1, EVEN + 1)).score.exact
        if found is not None and abs(found) <= EVEN:
            yield position, found


def main() -> None:
    """Find and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.kalah_openings")
    parser.add_argument("game")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rules = Position(asked.game).rules
    for (position, value), _ in zip(
        even_openings(asked.game, asked.seed), range(asked.count), strict=False
    ):
        print(rules.game_string(), "".join(position.history), f"{value:+d}", flush=True)


if __name__ == "__main__":
    main()
