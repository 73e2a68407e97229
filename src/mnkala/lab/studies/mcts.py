"""How strong Monte-Carlo tree search (report 000) is by iterations and C, and in equal time with
alpha-beta.

Report 000 plays 1,000 iterations and does not say its C. Here each game has a random seed of its
own: with one seed for all, a series would measure one sequence of random games.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from statistics import fmean

from mnkala.core import Position
from mnkala.lab.judging import (
    Sentences,
    grouped,
    having,
    result_of,
    results,
    slope_interval,
    verdict,
    where,
)
from mnkala.lab.measuring import MeasuredPlayer, position_of, seed_of_pair, series, summary
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, brief, claim, finding, judged, measure
from mnkala.play.intervals import wilson
from mnkala.solve.oracle import open_oracle

VARIANTS = {
    "report 000's": "mcts:iterations={iterations},expand=all,solve=off,keep=off,seed={seed}",
    "with proofs": "mcts:iterations={iterations},keep=off,seed={seed}",
}
"""Monte-Carlo search as the report has it, and ours, which proves results in its tree."""


@measure("mcts-strength", version=1)
def mcts_strength(
    *, game: str, iterations: int, exploration: float, opponent: str, games: int, seed: int = 1
) -> Row:
    """MCTS with so many iterations and this C against a fixed opponent."""
    engine = f"mcts:iterations={iterations},exploration={exploration},seed={{seed}}"
    return summary(series(game, (engine, ""), (opponent, ""), games, 1000 * seed, 1000 * seed))


@measure("mcts-equal-time", version=1)
def mcts_equal_time(
    *, game: str, opponent: str, milliseconds: float, games: int, seed: int = 1
) -> Row:
    """MCTS against another engine with the same processor time for a move."""
    rules, limit = Position(game).rules, f"time {milliseconds} ms"
    engine = "mcts:exploration=1.0,seed={seed}"
    row = summary(
        series(
            game,
            (engine, limit),
            (opponent, limit),
            games,
            seed_of_pair(seed, "mcts", opponent),
            1000 * seed,
        )
    )
    return {"family": rules.name, "branching": rules.most_moves(), **row}


@measure("decisive", version=1)
def decisive(
    *, game: str, plies: int, iterations: int, variant: str, positions: int, seed: int = 1
) -> Row:
    """How often MCTS misses the only move that wins, in positions after so many random moves; the
    exact solver knows that move."""
    rules, missed = Position(game).rules, 0
    for number, (position, only) in enumerate(only_moves(game, plies, positions, seed)):
        player = MeasuredPlayer(VARIANTS[variant].format(iterations=iterations, seed=number + 1))
        player.engine.search.prepare(rules)
        missed += player.ask(position)[0].line_codes[0] != only
    low, high = wilson(missed / positions, positions)
    return {
        "missed": missed,
        "miss_share": round(missed / positions, 4),
        "miss_low": round(low, 4),
        "miss_high": round(high, 4),
    }


@functools.lru_cache(maxsize=16)
def only_moves(
    game: str, plies: int, positions: int, seed: int
) -> tuple[tuple[Position, int], ...]:
    """Positions in which exactly one move wins, with that move; none of them wins at once."""
    found: list[tuple[Position, int]] = []
    with open_oracle(Position(game).rules) as oracle:
        for number in itertools.count(1_000_000 * seed):
            position = position_of(game, plies, number)
            wins = [
                code
                for code in position.legal_codes
                if oracle.answer(position.play_codes([code]), weak=True)
                .seen_by(position.mover)
                .result
                == "win"
            ]
            if len(wins) == 1 and len(position.legal_codes) > 1:
                found.append((position, wins[0]))
                if len(found) == positions:
                    return tuple(found)
    raise AssertionError("the loop has no end")


# ---- What the rows say ----


SAY = Sentences(__file__)
REPORTED = next(iter(VARIANTS))
PLAIN_C = 1.0
"""The C for which comparisons by iterations are reported; it was chosen beforehand, not as the best
of those tried.
"""


@finding("mcts")
def in_words(rows: list[Row]) -> str:
    """Describe the effect of iterations and of C, and say where MCTS beats alpha-beta."""
    strength, equal = (
        having(rows, "iterations", "exploration"),
        having(rows, "milliseconds", "share"),
    )
    sure = {
        case: verdict(result) for case, result in results(equal, "game", "milliseconds").items()
    }
    return SAY.finding(
        growth=_by_iterations(strength),
        constants=_by_c(strength),
        missed=_missed(having(rows, "miss_share")),
        equal={
            "cases": len(sure),
            "behind": list(sure.values()).count("behind"),
            "ahead": [
                (game, milliseconds)
                for (game, milliseconds), side in sure.items()
                if side == "ahead"
            ],
        }
        if sure
        else None,
    )


def _by_iterations(rows: Sequence[Row]) -> Row | None:
    """For each game, the shares of points with the fewest and with the most iterations, and whether
    their intervals are apart."""
    if not rows:
        return None
    c = min({float(row["exploration"]) for row in rows}, key=lambda c: abs(c - PLAIN_C))
    amounts = sorted({int(row["iterations"]) for row in rows})
    games = []
    for game, some in grouped(rows, "game").items():
        first, last = (
            result_of(where(some, iterations=amount, exploration=c))
            for amount in (amounts[0], amounts[-1])
        )
        games.append(
            {
                "game": game,
                "first": first.share,
                "last": last.share,
                "sure": last.interval[0] > first.interval[1],
            }
        )
    return {"fewest": amounts[0], "most": amounts[-1], "c": c, "games": games}


def _by_c(rows: Sequence[Row]) -> Row | None:
    """Compare the best and the worst C at equal iterations: in how many cases their intervals do
    not touch, and the case in which they are furthest apart."""
    tried = {
        case: sorted(results(some, "exploration").items(), key=lambda one: one[1].share)
        for case, some in grouped(rows, "game", "iterations").items()
        if len(some) > 1
    }
    if not tried:
        return None
    clear = {
        case: some
        for case, some in tried.items()
        if some[-1][1].interval[0] > some[0][1].interval[1]
    }
    found: Row = {"cases": len(tried), "sure": len(clear)}
    if clear:
        (game, iterations), some = max(
            clear.items(), key=lambda case: case[1][-1][1].share - case[1][0][1].share
        )
        (worst_c, worst), (best_c, best) = some[0], some[-1]
        found |= {
            "game": game,
            "iterations": iterations,
            "best": best,
            "best_c": best_c,
            "worst": worst,
            "worst_c": worst_c,
        }
    return found


def _missed(rows: Sequence[Row]) -> Row | None:
    """The share of only moves that the report's search misses, with the fewest and with the most
    iterations, over all games."""
    if not rows:
        return None
    ours = where(rows, variant=REPORTED)
    amounts = sorted({int(row["iterations"]) for row in ours})
    first, last = (
        fmean(row["miss_share"] for row in where(ours, iterations=amount))
        for amount in (amounts[0], amounts[-1])
    )
    return {"fewest": amounts[0], "most": amounts[-1], "first": first, "last": last}


@brief("mcts")
def in_brief(rows: list[Row]) -> Row:
    """How often the report's search misses the only winning move, with the fewest and with the most
    iterations."""
    missed = _missed(having(rows, "miss_share"))
    if missed is None:
        return {}
    return missed | {name: round(100 * missed[name]) for name in ("first", "last")}


REPORTED_ITERATIONS = 1000


@claim(
    "mcts",
    report="000",
    says="MCTS may miss a move that decides the game",
    needs=("missed", "variant"),
)
def misses_decisive_moves(rows: list[Row]) -> Judgement:
    """By the report's own search and iterations, in Connect Four."""
    some = [
        row
        for row in where(rows, variant=REPORTED, iterations=REPORTED_ITERATIONS)
        if row["game"] == "connect4"
    ]
    if not some:
        return NOT_TOLD
    missed, positions = (sum(row[name] for row in some) for name in ("missed", "positions"))
    share = missed / positions
    return judged(
        missed > 0,
        False,
        SAY.missed_by_report(found=(share, *wilson(share, positions)), positions=positions),
    )


@claim(
    "mcts",
    report="000",
    says="MCTS gains on alpha-beta where a position has many moves",
    needs=("milliseconds", "share", "branching"),
)
def gains_with_branching(rows: list[Row]) -> Judgement:
    """Judge by the slope through one point for each game: its mean share over all times against the
    logarithm of its largest number of moves. Go, which the report names, is not measured."""
    points = [
        (
            math.log10(some[0]["branching"]),
            fmean(result.share for result in results(some, "milliseconds").values()),
        )
        for some in grouped(rows, "game").values()
    ]
    if len(points) < 4:
        return NOT_TOLD
    found = slope_interval(points)
    return judged(
        found[1] > 0,
        found[2] < 0,
        SAY.by_branching(slope=[100 * value for value in found], boards=len(points)),
    )
