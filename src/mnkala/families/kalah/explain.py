"""The words for moves of Kalah: what a turn does, and what it gives away in seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mnkala.core import Position
from mnkala.explain.contract import Explanations
from mnkala.explain.reason import Reason
from mnkala.families.kalah.reasons import kalah_reasons
from mnkala.families.kalah.verdicts import kalah_verdict
from mnkala.search import Score


class KalahExplanations(Explanations):
    """In whole turns and in seeds."""

    verdicts = True
    margins = True

    def reasons(self, position: Position, move: int, line: tuple[int, ...], *, proved: bool) -> Iterator[Reason]:
        return kalah_reasons(position, move, line, proved=proved)

    def verdict(self, position: Position, move: int, scores: Mapping[int, Score], line: tuple[int, ...],
                best_line: tuple[int, ...], whole: Score | None) -> tuple[Reason, ...]:
        return kalah_verdict(position, move, scores, line, best_line, whole)
