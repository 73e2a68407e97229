"""What a search found, as programs read it: the objects that `mnkala analyse --json` prints.

The chances of all moves are on one scale (`worth`), so that a script which takes the largest has the best move.
"""

from __future__ import annotations

from typing import Any

from mnkala.core.score import Score
from mnkala.explain.move_values import appraise
from mnkala.explain.score_words import score_words
from mnkala.search import Analysis


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """The position, what it is worth to the player to move, every move that was searched (the best first), and the effort."""
    analysis = appraise(analysis)
    position, rules = analysis.position, analysis.position.rules

    def told(score: Score) -> dict[str, Any]:
        return score.facts() | {"words": score_words(score, rules)}

    return {
        "game": position.game, "position": position.literal, "played": position.moves, "mover": position.to_move,
        "best": list(analysis.best_moves), **told(analysis.score or Score.opinion(0, position.mover)), "line": list(analysis.line),
        "moves": {rules.move_text(each.code): told(each.score) | {"line": [rules.move_text(code) for code in each.line_codes]}
                  for each in analysis.moves},
        "engine": analysis.engine, "depth": analysis.depth, "nodes": analysis.nodes,
        "evaluations": analysis.evaluations, "cutoffs": analysis.cutoffs, "held": analysis.held, "table_hits": analysis.table_hits,
        "seconds": round(analysis.seconds, 6), "note": analysis.note,
    }
