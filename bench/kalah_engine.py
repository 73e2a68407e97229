"""How strong the engine of Kalah is: matches at equal time against deepening search with the other heuristics.

    python -m bench.kalah_engine                      400 games against each of kalah, stores and own-side, 0.03 s a move
    python -m bench.kalah_engine --games 100 --time 0.1 --one deepening --others kalah --game kalah:standard

Openings are 4 to 8 random moves, each played with both colours. From most of them one side wins whoever plays it, so that the better engine
scores one of two; `--fair 3` takes only those that a short search (with the heuristic kalah) finds even up to 3 seeds. The engine is
`perfect`: exact where the solver is in time, else deepening search with the heuristic `margin`. Told are its share of the points, with the
interval, and by how many seeds it won on average.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence

from mnkala.games import Position
from mnkala.play.series import SeriesResult, series_games
from mnkala.search import parse_engine
from mnkala.search.kalah_heuristics import SEED

OPENINGS = (4, 5, 6, 7, 8)
JUDGE = parse_engine("deepening:nodes=30000,heuristic=kalah")
OLD = ("kalah", "stores", "own-side")


def play(game: str, one: str, other: str, games: int, seed: int, fair: float | None) -> tuple[SeriesResult, float]:
    """So many games from openings of all lengths, and the mean margin."""
    def is_fair(position: Position) -> bool:
        score = JUDGE.analyse(position).score
        return score is not None and score.result == "unknown" and abs(score.value) <= (fair or 0) * SEED

    result, margins = SeriesResult(), []
    for plies in OPENINGS:
        taken = None if fair is None else is_fair
        for played in series_games(game, one, other, games // len(OPENINGS), plies=plies, seed=seed, fair=taken):
            outcome = played.position.outcome
            assert outcome is not None
            result = result.add(played.points)
            margins.append(outcome.margin if played.first_moved_first else -outcome.margin)
    return result, statistics.fmean(margins)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.kalah_engine")
    parser.add_argument("--game", default="kalah")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--time", type=float, default=0.03)
    parser.add_argument("--one", default="perfect")
    parser.add_argument("--others", nargs="+", default=OLD)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fair", type=float)
    asked = parser.parse_args(arguments)
    for heuristic in asked.others:
        one, other = f"{asked.one}{',' if ':' in asked.one else ':'}time={asked.time}", f"deepening:time={asked.time},heuristic={heuristic}"
        result, margin = play(asked.game, one, other, asked.games, asked.seed, asked.fair)
        print(f"{one} against {other} on {asked.game}: {result}, by {margin:+.1f} seeds a game", flush=True)


if __name__ == "__main__":
    main()
