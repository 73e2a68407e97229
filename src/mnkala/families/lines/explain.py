"""The words for moves of (m,n,k)-games: lines as in any such game, and the threats that Gomoku's players speak of."""

from __future__ import annotations

from collections.abc import Iterator

from mnkala.core import Position, Rules
from mnkala.explain.line_reasons import LineExplanations
from mnkala.explain.reason import Reason
from mnkala.families.lines.board_threats import LineThreat, knows_threats, line_threats
from mnkala.families.lines.threat_reasons import threat_reasons
from mnkala.families.lines.vcf_proof import with_fours
from mnkala.search import Analysis


class ThreatExplanations(LineExplanations):
    """With threats, where the line that wins is long enough for them."""

    def __init__(self, rules: Rules) -> None:
        self.threats = knows_threats(rules)

    def reasons(self, position: Position, move: int, line: tuple[int, ...], *, proved: bool) -> Iterator[Reason]:
        yield from super().reasons(position, move, line, proved=proved)
        if self.threats:
            yield from threat_reasons(position, move)

    def sharpened(self, analysis: Analysis) -> Analysis:
        return with_fours(analysis)

    def line_threats(self, position: Position) -> tuple[LineThreat, ...]:
        return line_threats(position)
