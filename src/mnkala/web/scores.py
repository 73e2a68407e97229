"""Scores, hints and analyses as messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from mnkala.games import Position
from mnkala.play.chances import score_json, steady_chance
from mnkala.search import Analysis, Score
from mnkala.web.messages import Hint, ReasonView, ScoreView

if TYPE_CHECKING:
    from mnkala.play.exact import Exact
    from mnkala.play.reason import Reason
    from mnkala.play.reasons import Hint as FoundHint


def score_view(score: Score, position: Position, engine: str) -> ScoreView:
    """A score as people and programs read it."""
    return ScoreView(**score_json(score, position, engine))


def hint_view(hint: FoundHint, position: Position, engine: str) -> Hint:
    """A hint with its reasons."""
    score = None if hint.score is None else score_view(hint.score, position, engine)
    return Hint(hint.move, score, list(hint.line), reason_views(hint.reasons))


def reason_views(reasons: Iterable[Reason]) -> list[ReasonView]:
    """Reasons as messages."""
    return [ReasonView(reason.key, dict(reason.values), reason.text(), list(reason.cells)) for reason in reasons]


def solve_message(number: int, found: Exact, final: bool) -> dict[str, Any]:
    """What is proved of a position, for the socket."""
    position = found.position
    return {"type": "solve", "id": number, "final": final, "game": position.game, "moves": position.moves, **found.to_json()}


def analysis_message(number: int, analysis: Analysis, before: Analysis | None, final: bool) -> dict[str, Any]:
    """An analysis for the socket. `before` is that of the depth before, which steadies the chance."""
    position, rules = analysis.position, analysis.position.rules
    score = None
    if analysis.score is not None:
        chance = steady_chance(analysis.score, before.score if before else None, position, analysis.engine)
        score = msgspec.structs.replace(score_view(analysis.score, position, analysis.engine), chance=round(chance, 4))
    return {
        "type": "analysis", "id": number, "final": final, "game": position.game, "moves": position.moves, "engine": analysis.engine,
        "score": score,
        "best": [rules.move_text(move) for move in analysis.best_moves],
        "line": [rules.move_text(move) for move in analysis.line],
        "scores": {rules.move_text(move.move): {"score": score_view(move.score, position, analysis.engine),
                                                "line": [rules.move_text(code) for code in move.line]} for move in analysis.moves},
        "depth": analysis.depth, "nodes": analysis.nodes, "seconds": round(analysis.seconds, 3), "note": analysis.note,
    }
