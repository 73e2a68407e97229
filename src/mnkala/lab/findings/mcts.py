"""What the data say of Monte-Carlo tree search."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mnkala.lab.claims import NOT_TOLD, Judgement, claim, judged
from mnkala.lab.registry import Row, finding
from mnkala.lab.strength import result_of, told, verdict
from mnkala.lab.wording import count, grouped, having, in_paragraphs, listed, number, slope_interval

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
    if not rows:
        return ""
    c = _plain(rows)
    amounts = sorted({int(row["iterations"]) for row in rows})
    words = []
    for (game,), some in grouped(rows, "game").items():
        first, last = (result_of(row for row in some if row["iterations"] == amount and row["exploration"] == c)
                       for amount in (amounts[0], amounts[-1]))
        words.append(f"{told(first)} to {told(last)} on {game}")
    return (f"From {number(amounts[0])} to {number(amounts[-1])} iterations, with C = {c:g}, its share of points against a fixed opponent "
            f"goes from {listed(words)}.")


def _by_c(rows: Sequence[Row]) -> str:
    """Whether any C is clearly better than the plain one, with the same iterations."""
    if not rows:
        return ""
    c = _plain(rows)
    better = worse = cases = 0
    for _, some in grouped(rows, "game", "iterations").items():
        plain = result_of(row for row in some if row["exploration"] == c)
        for row in some:
            if row["exploration"] != c and plain.games:
                cases += 1
                better += result_of([row]).interval[0] > plain.interval[1]
                worse += result_of([row]).interval[1] < plain.interval[0]
    told = f"clearly better in {better} and clearly worse in {worse} of {count(cases, 'case')}"
    return f"Another C is {told}." if cases else ""


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
                  f"{words[0]} ({words[1]} to {words[2]}) points of share for ten times the moves, over {count(len(points), 'game')}")
