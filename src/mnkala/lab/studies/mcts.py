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
from mnkala.lab.strength import result_of, told, verdict
from mnkala.lab.wording import count, grouped, having, in_paragraphs, listed, number, slope_interval


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


PLAIN_C = 1.0
"""C that comparisons by iterations are told for: chosen beforehand, not as the best of those tried."""
MOST_NAMED = 4
"""So many cases are named."""


@finding("mcts")
def in_words(rows: list[Row]) -> str:
    """What iterations and C do, and where MCTS beats alpha-beta."""
    strength, equal = having(rows, "iterations", "exploration"), having(rows, "milliseconds", "share")
    return in_paragraphs([_by_iterations(strength), _equal_time(equal)], [_by_c(strength), _open(equal)])


def _plain(rows: Sequence[Row]) -> float:
    return min({float(row["exploration"]) for row in rows}, key=lambda c: abs(c - PLAIN_C))


def _by_iterations(rows: Sequence[Row]) -> str:
    """From the fewest to the most iterations, and on which games the growth is clear."""
    if not rows:
        return ""
    c = _plain(rows)
    amounts = sorted({int(row["iterations"]) for row in rows})
    words, clear = [], []
    for (game,), some in grouped(rows, "game").items():
        first, last = (result_of(row for row in some if row["iterations"] == amount and row["exploration"] == c)
                       for amount in (amounts[0], amounts[-1]))
        words.append(f"{100 * first.share:.0f} to {100 * last.share:.0f} % on {game}")
        clear += [str(game)] if last.interval[0] > first.interval[1] else []
    sure = "all" if len(clear) == len(words) > 1 else listed(clear) or "none"
    return (f"From {number(amounts[0])} to {number(amounts[-1])} iterations, with C = {c:g}, its share of points against a fixed opponent "
            f"goes from {listed(words)}; the growth is clear on {sure}.")


def _by_c(rows: Sequence[Row]) -> str:
    """Where the best and the worst C have intervals that do not touch, with the same iterations, and where they are furthest apart."""
    cases = {case: sorted(some, key=lambda row: result_of([row]).share)
             for case, some in grouped(rows, "game", "iterations").items() if len(some) > 1}
    clear = {case: some for case, some in cases.items() if result_of([some[-1]]).interval[0] > result_of([some[0]]).interval[1]}
    if not cases:
        return ""
    told_of = f"The best and the worst C are clearly apart in {len(clear)} of {count(len(cases), 'case')} (a game and iterations)"
    if not clear:
        return f"{told_of}."
    widest = max(clear.values(), key=lambda some: result_of([some[-1]]).share - result_of([some[0]]).share)
    best, worst = widest[-1], widest[0]
    return (f"{told_of}, most on {best['game']} with {number(best['iterations'])}: {told(result_of([best]))} with {best['exploration']:g}, "
            f"{told(result_of([worst]))} with {worst['exploration']:g}.")


def _equal_time(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    sure = [verdict(result_of([row])) for row in rows]
    ahead = [f"{row['game']}, {row['milliseconds']:g} ms" for row, one in zip(rows, sure, strict=True) if one == "ahead"]
    named = f" ({'; '.join(ahead)})" if 0 < len(ahead) <= MOST_NAMED else ""
    return (f"In equal time with alpha-beta it is clearly ahead in {len(ahead)} of {count(len(rows), 'case')} (a game and a time){named}, "
            f"and clearly behind in {sure.count('behind')}.")


def _open(rows: Sequence[Row]) -> str:
    """The games in which it is never behind."""
    by_game = {str(game): [verdict(result_of([row])) for row in some] for (game,), some in grouped(rows, "game").items()}
    never = [game for game, sure in by_game.items() if "behind" not in sure]
    return f"At none of these times is it clearly behind on {listed(never)}." if never else ""


@claim("mcts", report="000", says="MCTS gains on alpha-beta where a position has many moves")
def gains_with_branching(rows: list[Row]) -> Judgement:
    """One point a game: its mean share over all times, against the logarithm of the most moves. Go, which the report names, is not here."""
    games = grouped(having(rows, "milliseconds", "share", "branching"), "game").values()
    points = [(math.log10(some[0]["branching"]), sum(result_of([row]).share for row in some) / len(some)) for some in games]
    if len(points) < 4:
        return NOT_TOLD
    found = slope_interval(points)
    words = [f"{'+' if 100 * value >= 0 else '−'}{abs(100 * value):.0f}" for value in found]
    return judged(found[1] > 0, found[2] < 0,
                  f"{words[0]} ({words[1]} to {words[2]}) percentage points for ten times the moves, over "
                  f"{count(len(points), 'kind')} of board")
