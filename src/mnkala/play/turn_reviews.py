"""A game of Kalah looked at again turn by turn, in seeds: what each turn gave away by exact margins, and how exactly either side played.

Moves are what a game is stored as, but one player's moves in a row are one thought. What a turn gave away is the exact margin before it
less the one after it, both for its player: the sum of what its moves gave away. Where one of the two is not proved there is no such
number, and the turn has the grade of its worst move, by chances; the two are never added up.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mnkala.play.grades import GRADES, Grade, grade_by_seeds
from mnkala.play.reason import Reason

if TYPE_CHECKING:
    from mnkala.play.review import MoveReview


@dataclasses.dataclass(frozen=True)
class TurnReview:
    """One turn of the game."""

    number: int
    """Counted from 1."""
    player: int
    first: int
    last: int
    """Its first and its last ply."""
    moves: tuple[str, ...]
    grade: Grade | None = None
    """None while it is not yet known."""
    before: int | None = None
    after: int | None = None
    """The exact margins before it and after it, for its player; None where they are not proved."""
    best: tuple[str, ...] = ()
    """The whole turn that should have been played; the turn itself if it was as good as any."""
    line: tuple[str, ...] = ()
    """That turn and best play after it."""
    refutation: tuple[str, ...] = ()
    """The turn itself and best play after it."""
    turned: tuple[str, str] | None = None
    """What was proved before the turn and after it, if the turn made it worse: (win, draw), (win, loss) or (draw, loss)."""
    reasons: tuple[Reason, ...] = ()
    """Why it is good or bad: what is said of the first of its moves that gave something away, else of its first move."""

    @property
    def seeds(self) -> int | None:
        """What it gave away; None where that is not proved."""
        return None if self.before is None or self.after is None else self.before - self.after


@dataclasses.dataclass(frozen=True)
class Accuracy:
    """How exactly a player played, in seeds, over the turns of which that is proved."""

    turns: int
    """Of the player, in all."""
    proved: int
    best: int
    """Turns that gave nothing away."""
    seeds: int
    """Given away in all."""

    @property
    def per_turn(self) -> float | None:
        """Seeds given away by a turn, on average."""
        return self.seeds / self.proved if self.proved else None


def review_turns(moves: Sequence[MoveReview]) -> tuple[TurnReview, ...]:
    """The turns of a game; a turn is graded once all its moves are."""
    chains: list[list[MoveReview]] = []
    for move in moves:
        if chains and chains[-1][-1].player == move.player:
            chains[-1].append(move)
        else:
            chains.append([move])
    return tuple(_turn(number, chain) for number, chain in enumerate(chains, start=1))


def _turn(number: int, chain: Sequence[MoveReview]) -> TurnReview:
    first, last = chain[0], chain[-1]
    turn = TurnReview(number, first.player, first.ply, last.ply, tuple(move.move for move in chain))
    if any(move.grade is None for move in chain):
        return turn
    at = next((place for place, move in enumerate(chain) if move.grade != "best"), 0)
    fault, played = chain[at], turn.moves[:at]
    refutation = (*turn.moves[:-1], *last.refutation)
    best, line = ((*played, *fault.best_turn), (*played, *fault.line)) if fault.grade != "best" else (turn.moves, refutation)
    turn = dataclasses.replace(turn, best=best, line=line, refutation=refutation, reasons=tuple(_of_turn(fault.reasons, best, at)))
    before, after = (None if score is None or score.kind != "exact" else score.value for score in (first.best_score, last.score))
    if before is None or after is None:
        worst = max((move.grade for move in chain if move.grade is not None), key=GRADES.index)
        return dataclasses.replace(turn, grade=worst, turned=next((move.turned for move in chain if move.turned), None))
    turned = _worse(before, after)
    grade = grade_by_seeds(before - after, turned=turned is not None)
    return dataclasses.replace(turn, grade=grade, before=before, after=after, turned=turned)


def _of_turn(reasons: Sequence[Reason], best: tuple[str, ...], at: int) -> Iterator[Reason]:
    """What is said of a turn's move number `at`, counted from 0, as it is said of the whole turn: the better one is told from its start,
    and what tempts on the way is left out."""
    for reason in reasons:
        if at == 0 or reason.key != "why.tempting":
            yield dataclasses.replace(reason, values={**reason.values, "best": ", ".join(best)}) if "best" in reason.values else reason


def _worse(before: int, after: int) -> tuple[str, str] | None:
    """The results of two margins, if the second is worse."""
    results = [(margin > 0) - (margin < 0) for margin in (before, after)]
    names = {1: "win", 0: "draw", -1: "loss"}
    return (names[results[0]], names[results[1]]) if results[1] < results[0] else None


def accuracy_in_seeds(turns: Sequence[TurnReview], player: int) -> Accuracy | None:
    """How exactly a player played; None for one who did not move."""
    own = [turn for turn in turns if turn.player == player]
    lost = [turn.seeds for turn in own if turn.seeds is not None]
    return Accuracy(len(own), len(lost), sum(not seeds for seeds in lost), sum(lost)) if own else None
