"""The numbers that searches compare, and their meaning as a `Score`.

A heuristic value is any number within ±HIGHEST. Finished games lie beyond that, in steps that no
heuristic can cross: a win by a larger margin is better, and of equal wins the quicker one; for
losses it is the other way round. So a *proved* value contains margin and distance, and both can
be read back from it.
"""

from __future__ import annotations

from typing import Literal

from mnkala.core import Position
from mnkala.core.score import At, Score
from mnkala.native import NativeClass, native, shared

WIN = 1 << 28
"""The base of a won game's value. With margins and plies added it still fits 32 bits, as the
transposition table needs.
"""
HIGHEST = 1 << 27
"""No heuristic value is larger; everything beyond is proved."""
PER_MARGIN = 1 << 13
"""The weight of one point of margin: more than the plies of any game."""
INFINITY = 1 << 30

Kind = Literal["exact", "lower", "upper"]
"""Whether a value is exact, or a bound: at least, at most."""


@native
class EndValues(NativeClass):
    """The value of a finished game for the winner: win + per_margin * margin - per_ply * ply."""

    win: int
    per_margin: int
    per_ply: int


BY_DISTANCE = EndValues(WIN, PER_MARGIN, 1)
"""The usual values: quick wins and slow losses are preferred."""


def flat(win: int) -> EndValues:
    """Make values by which a win counts the same whenever it comes, as in report 002 (±100)."""
    return EndValues(win, 0, 0)


@shared
def end_value(margin: int, ply: int, ends: EndValues) -> int:
    """The value of a finished game for its mover, `ply` moves below the root."""
    if margin > 0:
        return ends.win + ends.per_margin * margin - ends.per_ply * ply
    if margin < 0:
        return -ends.win + ends.per_margin * margin + ends.per_ply * ply
    return 0


def is_proved(value: int) -> bool:
    """Whether a value is that of a finished game that was won or lost."""
    return abs(value) > HIGHEST


def margin_and_plies(value: int) -> tuple[int, int]:
    """Read a proved value: the margin for the mover, and how many plies from the root the game
    ends.
    """
    size = abs(value) - WIN
    margin = -(-size // PER_MARGIN)
    return (margin if value > 0 else -margin), margin * PER_MARGIN - size


def score_of(
    position: Position, value: int, kind: Kind, complete: bool, restricted: bool = False
) -> Score:
    """The score of `position` for its mover, from a value that a search found with the position
    at its root.

    `complete` says that the value depends only on finished games; `kind` is "exact" for a full
    window and a bound otherwise; `restricted` says that not every move was considered, so that
    nothing is proved.
    """
    mover = position.mover
    at: At | None = {"lower": "least", "upper": "most"}.get(kind)  # type: ignore[assignment]
    if not is_proved(value):
        return (
            Score.exactly(0, mover)
            if complete and value == 0 and at is None
            else Score.opinion(value, mover, at)
        )
    margin, plies = margin_and_plies(value)
    score, won = position.rules.exact_score(position.state(), margin, plies), value > 0
    if restricted:
        return Score.likely(score, mover, plies, at)
    if at is None and complete:
        return Score.exactly(score, mover, plies)
    # A bound proves the result only if it points away from zero: "at most -3" is lost, "at least
    # -3" is open.
    if at == ("most" if won else "least"):
        return Score(player=mover)
    return Score.at_least(score, mover, plies) if won else Score.at_most(score, mover, plies)
