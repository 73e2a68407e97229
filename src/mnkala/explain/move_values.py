"""What moves are worth, on one scale: the chance of the player to move, from 0 (a sure loss) to 1 (a sure win).

Searches speak several languages. A solver proves a score or bounds; a search that leaves moves out sees a win that is only likely; a
heuristic gives a number in a unit of its own. `Worth` holds what is known in its own terms and, for all of them, a chance, so that the
moves of one answer compare, whoever spoke of them. Three promises hold for the moves of an answer, which are told best first:

1. The best move's chance is the largest. Moves that are known to be as good share it, and every other move's is smaller.
2. Of two wins that of the larger margin, or the quicker one, has the larger chance, and of two losses the smaller or slower one: by a
   `STEP`, which no percentage shows.
3. An estimate never says more than a proof beside it, nor than a win that was found: it stays within `SURE_ESTIMATE`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from mnkala.core import Position
from mnkala.explain.chances import PROVED, chance, steady_chance
from mnkala.explain.contract import BY_FOURS, explanations_of, sharpened
from mnkala.search import Analysis, Engine, Score
from mnkala.solve import Exact, MoveProof, Solution

Kind = Literal["exact", "bound", "likely", "estimate"]
Result = Literal["win", "draw", "loss", "unknown"]
STEP = 1e-6
"""What tells two wins apart, or two losses."""


@dataclasses.dataclass(frozen=True)
class Worth:
    """What a position or a move is worth to a player."""

    chance: float
    """The result that the player can expect, 0 to 1."""
    kind: Kind
    """exact: the score is proved. bound: bounds of it are, which may prove the result. likely: a win or loss was seen, but moves were left
    out. estimate: a heuristic's opinion, or a bound of it."""
    player: int
    result: Result = "unknown"
    """A likely one, too, where `kind` says so."""
    lower: int | None = None
    upper: int | None = None
    """What is proved of the game's own score; a heuristic's opinion has no bounds."""
    plies: int | None = None
    """Moves of both sides to the end, where that is known."""
    heuristic: int | None = None
    """The heuristic's number, if it is an opinion."""
    at: Literal["least", "most"] | None = None
    """Whether an opinion is only a bound: the search saw that the move is no better, or no worse, and looked no further."""
    code: int | None = None
    """The move, of a move."""
    line_codes: tuple[int, ...] = ()
    """The move and what follows it, as far as that is known."""
    source: str = ""
    """Where a proved score comes from: rules, book, solved, or open while its bounds do not meet; fours (of another line than five:
    threats) for a win every move of which forces the answer."""

    @property
    def score(self) -> int | None:
        """The game's own exact score, if it is proved."""
        return self.lower if self.lower is not None and self.lower == self.upper else None

    def facts(self) -> dict[str, Any]:
        """What programs are told of it, besides whose it is."""
        return {"chance": round(self.chance, 6), "kind": self.kind, "result": self.result, "score": self.score, "lower": self.lower,
                "upper": self.upper, "plies": self.plies, "heuristic": self.heuristic, "at": self.at}

    @property
    def is_proved(self) -> bool:
        """Whether nothing of it is an opinion."""
        return self.kind in ("exact", "bound")

    @property
    def _order(self) -> tuple[float, float, float]:
        """What two moves of the same chance are told apart by: the margin, how soon a win or how late a loss comes, and certainty."""
        score = (self.score if self.score is not None else self.lower if self.result == "win" else self.upper) or 0
        plies = self.plies or 0
        return (score, -plies if self.chance > 0.5 else plies, -(self.at == "most" or self.kind == "bound"))


@dataclasses.dataclass(frozen=True)
class Appraisal:
    """What a position and its moves are worth to the player to move."""

    whole: Worth | None
    """None if nobody has an opinion."""
    moves: tuple[Worth, ...]
    """The best first."""


# ---- What is known of one thing ----


def worth_of_score(score: Score, position: Position, engine: Engine | str | None = None) -> Worth:
    """What a search says."""
    expected = chance(score, position, engine)
    at: Literal["least", "most"] | None = {"lower": "least", "upper": "most"}.get(score.kind)  # type: ignore[assignment]
    if score.result != "unknown":
        bounds = (score.value if score.kind != "upper" else None, score.value if score.kind != "lower" else None)
        return Worth(expected, "exact" if score.kind == "exact" else "bound", score.player, score.result, *bounds, plies=score.plies)
    if score.plies is not None and score.value:
        won = score.value > 0
        if at == ("most" if won else "least"):  # no better than a win, no worse than a loss: nothing is known
            return Worth(expected, "bound", score.player)
        return Worth(expected, "likely", score.player, "win" if won else "loss", plies=score.plies, at=at)
    return Worth(expected, "estimate", score.player, heuristic=score.value, at=at)


def worth_of_solution(known: Solution) -> Worth:
    """What is proved."""
    expected = PROVED.get(known.result, 0.5)
    return Worth(expected, "bound" if known.score is None else "exact", known.player, known.result,  # type: ignore[arg-type]
                 known.lower, known.upper, known.plies, source=known.source)


# ---- What is known of a position and its moves ----


def appraise(analysis: Analysis, before: Analysis | None = None) -> Appraisal:
    """What a search thinks. `before` is its answer one depth earlier: searches of odd and of even depth lean to either side, so that the
    chances of their opinions are the means of both."""
    analysis = sharpened(analysis)
    position, engine = analysis.position, analysis.engine
    earlier = {} if before is None else {each.code: each.score for each in before.moves}
    moves = [dataclasses.replace(worth_of_score(each.score, position, engine), code=each.code, line_codes=each.line_codes,
                                 chance=_steady(each.score, earlier.get(each.code), position, engine)) for each in analysis.moves]
    if analysis.score is None or analysis.best_code is None:
        return Appraisal(None if analysis.score is None else worth_of_score(analysis.score, position, engine), in_order(moves))
    best = dataclasses.replace(worth_of_score(analysis.score, position, engine), code=analysis.best_code, line_codes=analysis.line_codes,
                               chance=_steady(analysis.score, earlier.get(analysis.best_code), position, engine),
                               source=explanations_of(position.rules).forced_by if analysis.note == BY_FOURS else "")
    equal = set(analysis.best_codes)
    listed = [dataclasses.replace(best, code=each.code, line_codes=each.line_codes or best.line_codes) if each.code in equal else each
              for each in moves]
    if all(each.code != best.code for each in listed):
        listed.append(best)
    ordered = in_order(listed, equal)
    return Appraisal(dataclasses.replace(best, code=None, chance=ordered[0].chance), ordered)


def appraise_proof(exact: Exact) -> Appraisal:
    """What is proved."""
    moves = appraise_moves(exact.moves, exact.best_codes)
    whole = dataclasses.replace(worth_of_solution(exact.solution), line_codes=exact.line_codes)
    return Appraisal(dataclasses.replace(whole, chance=moves[0].chance) if exact.best_codes else whole, moves)


def appraise_moves(moves: Iterable[MoveProof], best: Iterable[int] = ()) -> tuple[Worth, ...]:
    """What is proved of some moves."""
    known = [dataclasses.replace(worth_of_solution(move.solution), code=move.code, line_codes=move.line_codes) for move in moves]
    return in_order(known, best)


def _steady(score: Score, before: Score | None, position: Position, engine: str) -> float:
    """The mean over two depths, for the player of the score."""
    first = steady_chance(score, before, position, engine)
    return first if score.player == 0 else 1 - first


def in_order(moves: Sequence[Worth], best: Iterable[int] = ()) -> tuple[Worth, ...]:
    """The moves of one answer, the best first, with chances that keep the promises of this module. `best` are known to be the best."""
    leaders = set(best)
    # 1. Those of the same chance, told apart by a step: downwards from a win, upwards from a loss.
    levels: dict[float, list[tuple[float, float, float]]] = {}
    for each in moves:
        levels.setdefault(each.chance, []).append(each._order)
    ranks = {expected: sorted(set(orders)) for expected, orders in levels.items()}
    stepped = []
    for each in moves:
        rank = ranks[each.chance]
        steps = rank.index(each._order) - (len(rank) - 1 if each.chance >= 0.5 else 0)
        stepped.append(dataclasses.replace(each, chance=min(1.0, max(0.0, each.chance + STEP * steps))))
    # 2. The best are first, and nothing else is as large.
    top = max((each.chance for each in stepped if each.code in leaders), default=2.0)
    below = max(0.0, top - STEP)
    capped = [dataclasses.replace(each, chance=top if each.code in leaders else min(each.chance, below)) for each in stepped]
    return tuple(sorted(capped, key=lambda each: (-each.chance, each.code not in leaders)))
