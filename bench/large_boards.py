"""Plays our heuristic for large Connect boards against the reports' at equal time, and prints a table for the guide.

    python -m bench.large_boards                       20 ms a move, 100 games each: about half an hour on one core
    python -m bench.large_boards --time 0.05 --against basic zero-sum --boards 10x11 --games 200

Both sides are `deepening` on one thread, each opening is played twice with the sides changed. Openings are random, but those
that a short search finds won for somebody are passed over: they would tell nothing of the players.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator

from mnkala.games import Rules, parse_game
from mnkala.play.series import SeriesResult, opening, series_games
from mnkala.search import Limit, parse_engine

BOARDS = ("10x11", "15x16")
REPORT_002 = ("basic", "article", "zero-sum", "zero-sum-hv")
AGAINST = (*REPORT_002, "utility", "lines")
"""Report 002's heuristics, report 000's, and what large boards used before."""
OPENING = 4
JUDGE = parse_engine("deepening:heuristic=threats")
JUDGEMENT = Limit(nodes=20_000)


def balanced_seeds(rules: Rules) -> Iterator[int]:
    """Seeds of openings that the judge finds no forced win in."""
    for seed in itertools.count(1):
        score = JUDGE.analyse(opening(rules, OPENING, seed), JUDGEMENT).score
        if score is not None and score.result == "unknown" and score.plies is None:
            yield seed


def play(rules: Rules, other: str, seconds: float, games: int) -> tuple[SeriesResult, float]:
    """The result of `threats`, and the mean length of a game."""
    one, two = (f"deepening:heuristic={name},time={seconds:g}" for name in ("threats", other))
    result, plies = SeriesResult(), 0
    for seed in itertools.islice(balanced_seeds(rules), games // 2):
        for game in series_games(rules, one, two, 2, plies=OPENING, seed=seed):
            result = result.add(game.points)
            plies += len(game.position.history)
    return result, plies / max(1, result.games)


def main() -> None:
    """Play and print, a row as soon as it is known."""
    parser = argparse.ArgumentParser(prog="python -m bench.large_boards", description="`threats` against the reports' heuristics.")
    parser.add_argument("--time", type=float, nargs="+", default=[0.02], help="seconds a move")
    parser.add_argument("--boards", nargs="+", default=BOARDS)
    parser.add_argument("--against", nargs="+", default=AGAINST)
    parser.add_argument("--games", type=int, default=100)
    arguments = parser.parse_args()
    print("| board | ms a move | against | won, drawn, lost | share of points (95 % interval) | plies a game |\n|---|---|---|---|---|---|")
    for seconds, board, other in itertools.product(arguments.time, arguments.boards, arguments.against):
        result, plies = play(parse_game(f"connect4:{board}"), other, seconds, arguments.games)
        low, high = result.interval
        print(f"| {board} | {1000 * seconds:g} | `{other}` | {result.wins}, {result.draws}, {result.losses} | "
              f"{100 * result.share:.1f} % ({100 * low:.1f} to {100 * high:.1f}) | {plies:.0f} |", flush=True)


if __name__ == "__main__":
    main()
