"""Plays our heuristic for large Connect boards against the reports' at equal time, and prints a
table for the guide.

    python -m bench.large_boards                       20 ms a move, 100 games each: about half an hour on one core
    python -m bench.large_boards --time 50 200 --against basic zero-sum --boards 10x11 --games 200
    python -m bench.large_boards --seed 10001          openings that nothing was tuned on

Both sides are `deepening` on one thread; time is processor time, so that other work on the machine
favours nobody. Openings are random and each is played twice with the sides changed; those that a
short search finds good for somebody are passed over, for they would tell little of the players.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator

from mnkala.core import Rules, parse_game
from mnkala.explain.chances import chance
from mnkala.lab.measuring import PacedPlayer, play_out
from mnkala.play.clock import Spent
from mnkala.play.engine_game import points_of
from mnkala.play.series import SeriesResult, opening
from mnkala.search import Limit, parse_engine

BOARDS = ("10x11", "15x16")
REPORT_002 = ("basic", "article", "zero-sum", "zero-sum-hv")
AGAINST = (*REPORT_002, "utility", "lines")
"""Report 002's heuristics, report 000's, and what large boards used before."""
OPENING = 4
JUDGE = parse_engine("deepening:heuristic=threats")
JUDGEMENT = Limit(nodes=20_000)
EVEN = (0.4, 0.6)
"""The chances of the player to move in an opening."""


def balanced_seeds(rules: Rules, first: int) -> Iterator[int]:
    """Seeds of openings that the judge finds even, from `first` on."""
    for seed in itertools.count(first):
        position = opening(rules, OPENING, seed)
        score = JUDGE.analyse(position, JUDGEMENT).score
        if (
            score is not None
            and score.result == "unknown"
            and EVEN[0] <= chance(score, position, JUDGE) <= EVEN[1]
        ):
            yield seed


def play(
    rules: Rules, other: str, milliseconds: float, games: int, first_seed: int
) -> tuple[SeriesResult, Spent, Spent]:
    """The result of `threats`, and what both spent."""
    board = rules.game_string()
    players = [
        PacedPlayer(board, f"deepening:heuristic={name}", milliseconds)
        for name in ("threats", other)
    ]
    for player in players:
        player.engine.search.prepare(rules)
    result, ours, theirs = SeriesResult(), Spent(), Spent()
    for seed, seat in itertools.product(
        itertools.islice(balanced_seeds(rules, first_seed), games // 2), (0, 1)
    ):
        seats = (players[0], players[1]) if seat == 0 else (players[1], players[0])
        end, spent = play_out(opening(rules, OPENING, seed), seats)
        result = result.add(points_of(end, seat))
        ours, theirs = ours + spent[seat], theirs + spent[1 - seat]
    return result, ours, theirs


def main() -> None:
    """Play and print, a row as soon as it is known."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.large_boards",
        description="`threats` against the reports' heuristics.",
    )
    parser.add_argument("--time", type=float, nargs="+", default=[20.0], help="milliseconds a move")
    parser.add_argument("--boards", nargs="+", default=BOARDS)
    parser.add_argument("--against", nargs="+", default=AGAINST)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        help="the first seed of the openings; the heuristic was tuned on small ones",
    )
    arguments = parser.parse_args()
    print(
        "| board | against | won, drawn, lost | share of points (95 % interval) | ms a move, ours and theirs | moves a game |"
    )
    print("|---|---|---|---|---|---|")
    for milliseconds, board, other in itertools.product(
        arguments.time, arguments.boards, arguments.against
    ):
        result, ours, theirs = play(
            parse_game(f"connect4:{board}"), other, milliseconds, arguments.games, arguments.seed
        )
        low, high = result.interval
        times = " and ".join(
            f"{1000 * spent.seconds / spent.moves:.1f}" for spent in (ours, theirs)
        )
        print(
            f"| {board} | `{other}` | {result.wins}, {result.draws}, {result.losses} | {100 * result.share:.1f} % ({100 * low:.1f} to "
            f"{100 * high:.1f}) | {times} | {OPENING + (ours.moves + theirs.moves) / result.games:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
