"""What a search found, as programs read it: the objects that `mnkala analyse --json` prints.

The chances of all moves are on one scale (`worth`), so that a script which takes the largest has the best move.
"""

from __future__ import annotations

from typing import Any

from mnkala.games import Rules
from mnkala.play.score_words import score_words
from mnkala.play.worth import Worth, appraise
from mnkala.search import Analysis


def worth_json(worth: Worth, rules: Rules) -> dict[str, Any]:
    """Numbers, what is proved of them, and the words that people read."""
    return {
        "chance": round(worth.chance, 6), "kind": worth.kind, "result": worth.result, "score": worth.score, "lower": worth.lower,
        "upper": worth.upper, "plies": worth.plies, "heuristic": worth.heuristic, "at": worth.at, "words": score_words(worth, rules),
    }


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """The position, what it is worth to the player to move, every move that was searched (the best first), and the effort."""
    position, found = analysis.position, appraise(analysis)
    rules = position.rules
    whole = found.whole or Worth(0.5, "estimate", position.mover)

    def texts(moves: tuple[int, ...]) -> list[str]:
        return [rules.move_text(move) for move in moves]

    return {
        "game": position.game, "position": position.literal, "played": position.moves, "mover": position.to_move,
        "best": texts(analysis.best_codes), **worth_json(whole, rules), "line": texts(analysis.line_codes),
        "moves": {rules.move_text(each.code): worth_json(each, rules) | {"line": texts(each.line_codes)}
                  for each in found.moves if each.code is not None},
        "engine": analysis.engine, "depth": analysis.depth, "nodes": analysis.nodes, "evaluations": analysis.evaluations,
        "cutoffs": analysis.cutoffs, "held": analysis.held, "table_hits": analysis.table_hits, "seconds": round(analysis.seconds, 6),
        "note": analysis.note,
    }
