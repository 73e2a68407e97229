"""An analysis for people, in which a victory by fours is proved where there is one.

The search `threats` looks for such a victory first where only the best move is asked for. Where every move shall have a value it searches
them all instead, and what it finds is likely, not proved; here the proof is put into its place.
"""

from __future__ import annotations

import dataclasses

from mnkala.explain.contract import BY_FOURS
from mnkala.families.lines.board_threats import SHORT_VICTORY, victory
from mnkala.families.lines.engine.search import WON
from mnkala.families.lines.engine.threat_search import Threats
from mnkala.search import Analysis, RootMove
from mnkala.search.values import score_of


def with_fours(analysis: Analysis) -> Analysis:
    """The analysis with a victory by fours of the player to move, if `threats` was asked and has not proved a win already."""
    position, score = analysis.position, analysis.score
    asked = analysis.engine.partition(":")[0] == Threats.name and not position.is_over
    line = victory(position, position.mover) if asked and (score is None or score.result != "win") else ()
    if not line:
        return analysis
    proved = score_of(position, WON - len(line), "exact", len(line) <= SHORT_VICTORY)
    won = RootMove(line[0], proved, line)
    moves = (won, *(each for each in analysis.moves if each.code != line[0]))
    return dataclasses.replace(analysis, score=proved, moves=moves, line_codes=line, note=BY_FOURS if len(line) > SHORT_VICTORY else "")
