"""The moves of one answer on one scale: the chance of the player to move, from 0 (a sure loss) to 1
(a sure win), the best first.

Whoever spoke of them, a solver, a search that leaves moves out or a heuristic, three promises hold
for the moves of an answer:

1. The best move's chance is the largest. Moves that are known to be as good share it, and every
   other move's is smaller.
2. Of two wins that of the larger margin, or the quicker one, has the larger chance, and of two
   losses the smaller or slower one: by a `STEP`, which no percentage shows.
3. An estimate never says more than a proof beside it, nor than a win that was found: it stays
   within `SURE_ESTIMATE`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from mnkala.core.score import Score
from mnkala.explain.chances import read, steady
from mnkala.explain.contract import sharpened
from mnkala.search import Analysis, RootMove

STEP = 1e-6
"""The difference between the chances of two wins, or of two losses."""
Answer = TypeVar("Answer", bound=Analysis)


def appraise(analysis: Answer) -> Answer:
    """Put the moves of an analysis on one scale, the best first. Opinions of a search become the
    means of this depth and the one before."""
    analysis = sharpened(analysis)
    position, engine, whole, first = (
        analysis.position,
        analysis.engine,
        analysis.score,
        analysis.best_code,
    )
    earlier = {each.code: each.score for each in analysis.earlier}
    moves = [
        dataclasses.replace(
            each, score=steady(each.score, earlier.get(each.code), position, engine)
        )
        for each in analysis.moves
    ]
    if whole is None:
        return dataclasses.replace(analysis, moves=in_order(moves), earlier=())
    whole = read(whole, position, engine)
    if (
        first is not None
        and (own := next((each for each in moves if each.code == first), None)) is None
    ):
        moves.append(RootMove(first, whole, analysis.line_codes))
    elif (
        first is not None and own is not None and own.score.exact is None
    ):  # the best move is worth what the position is
        whole = steady(whole, _before(first, earlier), position, engine)
        best = analysis.best_codes
        moves = [
            dataclasses.replace(each, score=whole) if each.code in best else each for each in moves
        ]
    ordered = in_order(moves, analysis.best_codes)
    if analysis.best_codes:
        whole = dataclasses.replace(whole, expected=ordered[0].score.chance)
    return dataclasses.replace(analysis, score=whole, moves=ordered, earlier=())


def _before(move: int, earlier: Mapping[int, Score]) -> Score | None:
    """The score of an answer's best move one depth before. If there was only a bound of it then,
    because it was not the best move, the score of the one that was."""
    known = earlier.get(move)
    return known if known is not None and known.at is None else max(earlier.values(), default=None)


def in_order(moves: Sequence[RootMove], best: Iterable[int] = ()) -> tuple[RootMove, ...]:
    """Sort the moves of one answer, the best first, and give them chances that keep the promises of
    this module. `best` are known to be the best."""
    leaders = set(best)
    moves = [
        each
        if not each.score.is_proved
        else dataclasses.replace(each, score=dataclasses.replace(each.score, expected=None))
        for each in moves
    ]
    # 1. Those of the same chance, told apart by a step: downwards from a win, upwards from a loss.
    levels: dict[float, list[tuple[float, ...]]] = {}
    for each in moves:
        levels.setdefault(each.score.chance, []).append(each.score.order[1:])
    ranks = {expected: sorted(set(orders)) for expected, orders in levels.items()}
    chances = {}
    for each in moves:
        expected, rank = each.score.chance, ranks[each.score.chance]
        steps = rank.index(each.score.order[1:]) - (len(rank) - 1 if expected >= 0.5 else 0)
        chances[each.code] = min(1.0, max(0.0, expected + STEP * steps))
    # 2. The best are first, and nothing else is as large.
    top = max((chances[each.code] for each in moves if each.code in leaders), default=2.0)
    below = max(0.0, top - STEP)
    chances = {
        code: top if code in leaders else min(expected, below) for code, expected in chances.items()
    }
    told = [
        dataclasses.replace(
            each, score=dataclasses.replace(each.score, expected=chances[each.code])
        )
        for each in moves
    ]
    return tuple(sorted(told, key=lambda each: (-each.score.chance, each.code not in leaders)))
