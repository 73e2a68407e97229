"""Explanations of moves in Kalah: what a turn does, and how many seeds it gives away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from mnkala.core import Position
from mnkala.core.score import Score
from mnkala.explain.contract import Explanations
from mnkala.explain.reason import Reason
from mnkala.families.kalah.reasons import kalah_reasons
from mnkala.families.kalah.verdicts import kalah_verdict, turn_verdict


class KalahExplanations(Explanations):
    """Explains games of Kalah in whole turns and in seeds."""

    verdicts = True
    margins = True
    margin_texts = "kalah.review"
    importance: ClassVar = {
        "hint.only_best": ("hint.ends_sweeping", "hint.ends_giving", "hint.ends", "hint.chain_captures", "hint.captures", "hint.chain",
                           "hint.extra_turn"),
        "hint.moves_again": ("hint.saves", "hint.eases", "hint.prepares_capture", "hint.prepares_again", "hint.extra_turns",
                             "hint.last_sweep"),
    }
    said_by: ClassVar = {
        "hint.extra_turn": {"hint.chain", "hint.chain_captures"},
        "hint.wins_by_force": {"hint.ends_sweeping", "hint.chain_captures", "hint.captures", "hint.chain", "hint.saves", "hint.eases",
                               "hint.prepares_capture", "hint.prepares_again", "hint.last_sweep"},
    }
    added_to_win = frozenset({"hint.ends_sweeping", "hint.ends_giving"})  # The keys of reasons that say who gets the last seeds.
    legend = ("kalah.legend.seeds",)

    def reasons(self, position: Position, move: int, line: tuple[int, ...], *, proved: bool) -> Iterator[Reason]:
        return kalah_reasons(position, move, line, proved=proved)

    def verdict(self, position: Position, move: int, scores: Mapping[int, Score], line: tuple[int, ...],
                best_line: tuple[int, ...], whole: Score | None) -> tuple[Reason, ...]:
        return kalah_verdict(position, move, scores, line, best_line, whole)

    def turn_verdict(self, position: Position, turn: tuple[int, ...], line: tuple[int, ...], best: tuple[int, ...], least: int | None,
                     margin: int | None, *, exact: bool) -> tuple[Reason, ...]:
        return turn_verdict(position, turn, line, best, least, margin, exact=exact)
