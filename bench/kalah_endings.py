"""How often the engine of Kalah plays perfectly once at most 30 seeds are left.

    python -m bench.kalah_endings                        300 positions of 20 to 30 seeds, 0.1 s of processor time a move
    python -m bench.kalah_endings --one perfect --clock wall --game kalah:standard

Positions come from the openings of `bench.kalah_engine`, played on at few nodes with some random
moves; those where all moves are equally good are left out. A move is perfect if the solver finds no
better one. The database is the one on disk, if there is one.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

from bench.kalah_engine import choose, openings
from mnkala.core import Position
from mnkala.families.kalah.solver.solver import KalahSolver
from mnkala.search import parse_engine

PLAYING = parse_engine("sowing:nodes=2000")
RANDOM_MOVES = 0.2
FEWEST, MOST = 20, 30


def positions(
    game: str, solver: KalahSolver, seed: int
) -> Iterator[tuple[Position, dict[int, int]]]:
    """One position of each of many games, with the exact value of each of its moves for whoever
    makes it.
    """
    rng, starts = random.Random(f"{game} {seed}"), openings(game)
    while True:
        position, wanted = rng.choice(starts), rng.randint(FEWEST, MOST)
        while not position.is_over and solver.seeds(position) > wanted:
            at_random = rng.random() < RANDOM_MOVES
            position = position.play_codes(
                [
                    rng.choice(position.legal_codes)
                    if at_random
                    else PLAYING.analyse(position).line_codes[0]
                ]
            )
        if position.is_over or solver.seeds(position) < FEWEST:
            continue
        values = {
            move: value_of(position.play_codes([move]), position.mover, solver)
            for move in position.legal_codes
        }
        if len(set(values.values())) > 1:
            yield position, values


def value_of(position: Position, player: int, solver: KalahSolver) -> int:
    """The exact final margin for a player."""
    if position.outcome is not None:
        return position.outcome.margin if player == 0 else -position.outcome.margin
    score = solver.solve(position).score.exact
    assert score is not None
    return score if position.mover == player else -score


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.kalah_endings")
    parser.add_argument("--game", default="kalah")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--time", type=float, default=0.1)
    parser.add_argument("--clock", choices=("processor", "wall"), default="processor")
    parser.add_argument("--one", default="sowing")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rules = Position(asked.game).rules
    engine = parse_engine(asked.one)
    for search in (engine.search, PLAYING.search):
        search.prepare(rules)
    KalahSolver.prepare(rules)
    solver = KalahSolver(rules)
    perfect, lost = 0, 0
    for (position, values), _ in zip(
        positions(asked.game, solver, asked.seed), range(asked.count), strict=False
    ):
        given_away = (
            max(values.values())
            - values[choose(engine, position, asked.time, asked.clock == "processor")]
        )
        perfect, lost = perfect + (given_away == 0), lost + given_away
    print(
        f"{engine} on {asked.game}, {asked.time} s of {asked.clock} time, database of {solver.houses.known} seeds: {perfect} of "
        f"{asked.count} moves perfect, {lost} seeds given away in all"
    )


if __name__ == "__main__":
    main()
