"""The review of a game turn by turn, in margins: what each turn gave away by exact margins, and
how exactly either side played.

A game is stored as moves, but consecutive moves of one player are one thought. What a turn gave
away is the exact margin before it less the one after it, both for its player: the sum of what
its moves gave away. Where one of the two is not proved there is no such number, and the turn
gets the grade of its worst move, by chances; the two scales are never added up.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mnkala.core import Position
from mnkala.core.score import Score
from mnkala.explain.contract import Reason
from mnkala.explain.verdicts import turn_verdict
from mnkala.play.review_judge import GRADES, Grade, grade_by_margin

if TYPE_CHECKING:
    from mnkala.play.reviews import MoveReview


@dataclasses.dataclass(frozen=True)
class TurnReview:
    """The grade of one turn, and everything it rests on."""

    number: int
    """The number of the turn, counted from 1."""
    player: int
    first: int
    last: int
    """The plies of its first and its last move."""
    moves: tuple[str, ...]
    grade: Grade | None = None
    """None until it is known."""
    before: int | None = None
    after: int | None = None
    """The exact margins before and after the turn, for its player; None where they are not
    proved."""
    best: tuple[str, ...] = ()
    """The whole turn that should have been played; the turn itself if none is better."""
    line: tuple[str, ...] = ()
    """The best turn and best play after it."""
    refutation: tuple[str, ...] = ()
    """The turn itself and best play after it."""
    turned: tuple[str, str] | None = None
    """What was proved before the turn and after it, if the turn made it worse: (win, draw), (win,
    loss) or (draw, loss).
    """
    reasons: tuple[Reason, ...] = ()
    """Why it is good or bad, as a whole."""

    @property
    def given_away(self) -> int | None:
        """The margin that the turn gave away; None where that is not proved."""
        return None if self.before is None or self.after is None else self.before - self.after


@dataclasses.dataclass(frozen=True)
class Accuracy:
    """How exactly a player played, in margins, over the turns for which that is proved."""

    turns: int
    """The number of turns that the player made."""
    proved: int
    best: int
    """The number of turns that gave nothing away."""
    given_away: int
    """The total margin that the player gave away."""

    @property
    def per_turn(self) -> float | None:
        """The average margin given away by a turn."""
        return self.given_away / self.proved if self.proved else None


def review_turns(
    moves: Sequence[MoveReview], reasons: Mapping[int, tuple[Reason, ...]]
) -> tuple[TurnReview, ...]:
    """Review the turns of a game; a turn is graded once all its moves are. `reasons` holds those
    of turns, by their first plies."""
    chains: list[list[MoveReview]] = []
    for move in moves:
        if chains and chains[-1][-1].player == move.player:
            chains[-1].append(move)
        else:
            chains.append([move])
    turns = (_turn(number, chain) for number, chain in enumerate(chains, start=1))
    return tuple(dataclasses.replace(turn, reasons=reasons.get(turn.first, ())) for turn in turns)


def turn_reasons(
    position: Position, chain: Sequence[MoveReview], line: tuple[int, ...]
) -> tuple[Reason, ...]:
    """Why a turn whose moves are graded is good or bad. `line` is the turn and best play after
    it, as far as that is proved."""
    turn, rules = _turn(1, chain), position.rules
    at, least = _parting(chain, turn), turn.before
    if least is None and at is not None:
        least = margin_of(chain[at].best_score)
    best = tuple(rules.parse_moves(" ".join(turn.best)))
    return turn_verdict(
        position, line[: len(chain)], line, best, least, turn.after, exact=turn.before is not None
    )


def _turn(number: int, chain: Sequence[MoveReview]) -> TurnReview:
    """Review a turn from the reviews of its moves; without a grade while one of these has none."""
    first, last = chain[0], chain[-1]
    turn = TurnReview(number, first.player, first.ply, last.ply, tuple(move.move for move in chain))
    if any(move.grade is None for move in chain):
        return turn
    before, after = (margin_of(score) for score in (first.best_score, last.score))
    refutation = (*turn.moves[:-1], *last.refutation)
    turn = dataclasses.replace(turn, before=before, after=after, refutation=refutation)
    at = _parting(chain, turn)
    if at is None:
        turn = dataclasses.replace(turn, best=turn.moves, line=refutation)
    else:
        best, line = ((*turn.moves[:at], *rest) for rest in (chain[at].best_turn, chain[at].line))
        turn = dataclasses.replace(turn, best=best, line=line)
    if before is None or after is None:
        worst = max((move.grade for move in chain if move.grade is not None), key=GRADES.index)
        return dataclasses.replace(turn, grade=worst, turned=_turned(chain))
    turned = _worse(before, after)
    grade = grade_by_margin(before - after, turned=turned is not None)
    return dataclasses.replace(turn, grade=grade, turned=turned)


def _parting(chain: Sequence[MoveReview], turn: TurnReview) -> int | None:
    """The ply at which a turn departs from the better one: its last move before which the whole
    margin could still be had, by exact margins; without these, the first one graded below the
    best. None for a turn that is as good as any."""
    if turn.given_away is None:
        return next((at for at, move in enumerate(chain) if move.grade != "best"), None)
    kept = [at for at, move in enumerate(chain) if margin_of(move.best_score) == turn.before]
    return kept[-1] if turn.given_away else None


def margin_of(score: Score | None) -> int | None:
    """An exact margin, for the score's player; None where it is not proved."""
    return None if score is None else score.exact


def _turned(chain: Sequence[MoveReview]) -> tuple[str, str] | None:
    """The results proved before and after a turn that made the result worse, where exact margins
    are unknown; None if it did not."""
    before, after = chain[0].best_score, chain[-1].score
    won = any(move.best_score is not None and move.best_score.result == "win" for move in chain)
    results = (
        "win" if won else "unknown" if before is None else before.result,
        "unknown" if after is None else after.result,
    )
    worse = {("win", "draw"), ("win", "loss"), ("draw", "loss")}
    return results if results in worse else None


def _worse(before: int, after: int) -> tuple[str, str] | None:
    """The results of two margins if the second is worse, otherwise None."""
    results = [(margin > 0) - (margin < 0) for margin in (before, after)]
    names = {1: "win", 0: "draw", -1: "loss"}
    return (names[results[0]], names[results[1]]) if results[1] < results[0] else None


def accuracy_in_margins(turns: Sequence[TurnReview], player: int) -> Accuracy | None:
    """How exactly a player played; None for a player who did not move."""
    own = [turn for turn in turns if turn.player == player]
    lost = [turn.given_away for turn in own if turn.given_away is not None]
    return (
        Accuracy(len(own), len(lost), sum(not seeds for seeds in lost), sum(lost)) if own else None
    )
