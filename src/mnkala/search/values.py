"""The numbers that searches compare, and the `Score` that people see.

A heuristic value is any number within ±HIGHEST. A finished game lies beyond that, in steps that no heuristic can cross: a
win by a larger margin is better, and of equal wins the quicker one; a loss the other way round. So a *proved* value tells
margin and distance, and both can be read back from it.
"""

from __future__ import annotations

import dataclasses
from typing import Literal

from mnkala.core import Position
from mnkala.native import NativeClass, native, shared

WIN = 1 << 28
"""The base of a won game's value. With margins and plies added it still fits 32 bits, as the transposition table needs."""
HIGHEST = 1 << 27
"""No heuristic value is larger; everything beyond is proved."""
PER_MARGIN = 1 << 13
"""The weight of one point of margin: more than the plies of any game."""
INFINITY = 1 << 30

Kind = Literal["exact", "lower", "upper", "heuristic"]


@native
class EndValues(NativeClass):
    """What a finished game is worth to the winner: win + per_margin * margin - per_ply * ply."""

    win: int
    per_margin: int
    per_ply: int


BY_DISTANCE = EndValues(WIN, PER_MARGIN, 1)
"""The product's own: quick wins and slow losses are preferred."""


def flat(win: int) -> EndValues:
    """A win is worth the same whenever it comes, as in report 002 (±100)."""
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
    """Whether a value means a finished game that was won or lost."""
    return abs(value) > HIGHEST


def margin_and_plies(value: int) -> tuple[int, int]:
    """Read a proved value: the margin for the mover, and how many plies from the root the game ends."""
    size = abs(value) - WIN
    margin = -(-size // PER_MARGIN)
    return (margin if value > 0 else -margin), margin * PER_MARGIN - size


@dataclasses.dataclass(frozen=True)
class Score:
    """What a position or a move is worth, and to whom."""

    value: int
    """The game's own exact score if it is proved, else the heuristic's number."""
    kind: Kind
    """exact; lower or upper (the true score is at least or at most this); heuristic."""
    player: int
    """The point of view: 0 or 1."""
    result: Literal["win", "draw", "loss", "unknown"] = "unknown"
    plies: int | None = None
    """Moves to the end of the game that the value speaks of; None for a heuristic's number."""

    def seen_by(self, player: int) -> Score:
        """The same score from a player's point of view."""
        if player == self.player:
            return self
        swapped = {"lower": "upper", "upper": "lower", "win": "loss", "loss": "win"}
        return dataclasses.replace(
            self, value=-self.value, player=player,
            kind=swapped.get(self.kind, self.kind), result=swapped.get(self.result, self.result),  # type: ignore[arg-type]
        )

    def __str__(self) -> str:
        sign = {"lower": ">=", "upper": "<=", "exact": "=", "heuristic": "~"}[self.kind]
        known = "" if self.result == "unknown" else f" ({self.result}{f' in {self.plies}' if self.plies else ''})"
        if self.result == "unknown" and self.plies is not None and self.value and self.kind != ("upper" if self.value > 0 else "lower"):
            # Found among candidate moves only: likely, not proved. It is on the game's own scale, unlike a heuristic's number.
            known = f" (likely {'win' if self.value > 0 else 'loss'} in {self.plies})"
        return f"{sign}{self.value:+d}{known}" if self.value else f"{sign}0{known}"


def final_score(position: Position) -> Score:
    """The score of a finished game for its mover."""
    margin = int(position.rules.result(position.state()))
    result: Literal["win", "draw", "loss"] = "win" if margin > 0 else "loss" if margin < 0 else "draw"
    return Score(position.rules.exact_score(position.state(), margin, 0), "exact", position.mover, result, 0)


def score_of(position: Position, value: int, kind: Kind, complete: bool, restricted: bool = False) -> Score:
    """The score of `position` for its mover, from a value that a search found with the position at its root.

    `complete` says that the value rests on finished games alone; `kind` is "exact" for a full window and a bound otherwise;
    `restricted` says that moves were left out, so that nothing is proved.
    """
    if is_proved(value):
        margin, plies = margin_and_plies(value)
        won = value > 0
        if restricted:
            score = position.rules.exact_score(position.state(), margin, plies)
            return Score(score, "heuristic" if kind == "exact" else kind, position.mover, plies=plies)
        if kind == "exact" and not complete:
            kind = "lower" if won else "upper"
        # A bound proves the result only if it points away from zero: "at most -3" is lost, "at least -3" is open.
        known = kind == "exact" or (kind == "lower") == won
        score = position.rules.exact_score(position.state(), margin, plies)
        return Score(score, kind, position.mover, ("win" if won else "loss") if known else "unknown", plies)
    if complete and value == 0:
        return Score(0, kind, position.mover, "draw" if kind == "exact" else "unknown")
    return Score(value, "heuristic" if kind == "exact" else kind, position.mover)
