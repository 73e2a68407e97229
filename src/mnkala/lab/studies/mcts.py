"""How strong Monte-Carlo tree search (report 000) is by iterations and C, and in equal time with alpha-beta.

Report 000 plays 1,000 iterations and does not say its C. Here each game has a random seed of its own: with one seed for all, a series would
measure one sequence of random games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from mnkala.core import Position
from mnkala.lab.matches import MeasuredPlayer, games_between, player, seed_of_pair, summary
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, claim, finding, judged, measure
from mnkala.lab.rows import grouped, having, slope_interval
from mnkala.lab.strength import result_of, verdict
from mnkala.lab.wording import Sentences


@measure("mcts-strength", version=1)
def mcts_strength(*, game: str, iterations: int, exploration: float, opponent: str, games: int, seed: int = 1) -> Row:
    """MCTS of so many iterations and this C against a fixed opponent."""
    engine = f"mcts:iterations={iterations},exploration={exploration}"

    def players(number: int) -> tuple[MeasuredPlayer, MeasuredPlayer]:
        return player(game, f"{engine},seed={1000 * seed + number}"), player(game, opponent)

    return summary(games_between(Position(game).rules, players, games, 1000 * seed))


@measure("mcts-equal-time", version=1)
def mcts_equal_time(*, game: str, opponent: str, milliseconds: float, games: int, seed: int = 1) -> Row:
    """MCTS against another engine with the same processor time a move."""
    rules, limit = Position(game).rules, f"time {milliseconds} ms"

    def players(number: int) -> tuple[MeasuredPlayer, MeasuredPlayer]:
        return player(game, f"mcts:exploration=1.0,seed={1000 * seed + number}", limit), player(game, opponent, limit)

    row = summary(games_between(rules, players, games, seed_of_pair(seed, "mcts", opponent)))
    return {"family": rules.name, "branching": rules.most_moves(), **row}


# ---- What the rows say ----


SAY = Sentences(__file__)
PLAIN_C = 1.0
"""C that comparisons by iterations are told for: chosen beforehand, not as the best of those tried."""


@finding("mcts")
def in_words(rows: list[Row]) -> str:
    """What iterations and C do, and where MCTS beats alpha-beta."""
    strength, equal = having(rows, "iterations", "exploration"), having(rows, "milliseconds", "share")
    return SAY.finding(growth=_by_iterations(strength), equal=_equal_time(equal), constants=_by_c(strength), never=_never_behind(equal))


def _by_iterations(rows: Sequence[Row]) -> Row | None:
    """From the fewest to the most iterations, and on which games the growth is clear."""
    if not rows:
        return None
    c = min({float(row["exploration"]) for row in rows}, key=lambda c: abs(c - PLAIN_C))
    amounts = sorted({int(row["iterations"]) for row in rows})
    games = []
    for (game,), some in grouped(rows, "game").items():
        first, last = (result_of(row for row in some if row["iterations"] == amount and row["exploration"] == c)
                       for amount in (amounts[0], amounts[-1]))
        games.append({"game": game, "first": first.share, "last": last.share, "sure": last.interval[0] > first.interval[1]})
    return {"fewest": amounts[0], "most": amounts[-1], "c": c, "games": games}


def _by_c(rows: Sequence[Row]) -> Row | None:
    """Where the best and the worst C have intervals that do not touch, with the same iterations, and where they are furthest apart."""
    cases = {case: sorted((result_of([row]) for row in some), key=lambda result: result.share)
             for case, some in grouped(rows, "game", "iterations").items() if len(some) > 1}
    if not cases:
        return None
    clear = {case: some for case, some in cases.items() if some[-1].interval[0] > some[0].interval[1]}
    found: Row = {"cases": len(cases), "sure": len(clear)}
    if clear:
        game, iterations = max(clear, key=lambda case: clear[case][-1].share - clear[case][0].share)
        tried = [row for row in rows if (row["game"], row["iterations"]) == (game, iterations)]
        by_c = sorted(tried, key=lambda row: result_of([row]).share)
        found |= {"game": game, "iterations": iterations}
        for name, row in (("best", by_c[-1]), ("worst", by_c[0])):
            found |= {name: result_of([row]), f"{name}_c": row["exploration"]}
    return found


def _equal_time(rows: Sequence[Row]) -> Row | None:
    """The cases in which it is clearly ahead, and how many others there are."""
    if not rows:
        return None
    sure = [(verdict(result_of([row])), row) for row in rows]
    return {"cases": len(rows), "behind": sum(one == "behind" for one, _ in sure),
            "ahead": [(row["game"], row["milliseconds"]) for one, row in sure if one == "ahead"]}


def _never_behind(rows: Sequence[Row]) -> list[object]:
    """The games in which it is never behind."""
    return [game for (game,), some in grouped(rows, "game").items() if all(verdict(result_of([row])) != "behind" for row in some)]


@claim("mcts", report="000", says="MCTS gains on alpha-beta where a position has many moves")
def gains_with_branching(rows: list[Row]) -> Judgement:
    """One point a game: its mean share over all times, against the logarithm of the most moves. Go, which the report names, is not here."""
    games = grouped(having(rows, "milliseconds", "share", "branching"), "game").values()
    points = [(math.log10(some[0]["branching"]), sum(result_of([row]).share for row in some) / len(some)) for some in games]
    if len(points) < 4:
        return NOT_TOLD
    found = slope_interval(points)
    return judged(found[1] > 0, found[2] < 0, SAY.by_branching(slope=[100 * value for value in found], boards=len(points)))
