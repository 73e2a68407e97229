"""Kalah, the Mancala of report 003, on boards of any size: the family `kalah`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from mnkala.core.family import Example, Family
from mnkala.core.registry import register_family
from mnkala.core.rules import Rules
from mnkala.families.kalah.rules import MOST_SEEDS, Kalah

if TYPE_CHECKING:
    from mnkala.arena.models import Tables
    from mnkala.explain.chances import Curve
    from mnkala.explain.contract import Explanations
    from mnkala.explain.rulebook import Section, Writer
    from mnkala.play.fair_starts import FairStart
    from mnkala.play.puzzle_contract import PuzzleFamily
    from mnkala.programs.spiel_games import SpielGames
    from mnkala.search import Stop
    from mnkala.solve.books import Books


class KalahFamily(Family):
    """Sowing games in which the fuller store wins."""

    rules = (Kalah,)
    place = 3
    reads_literals = True
    studies = "mnkala.families.kalah.studies"
    examples: ClassVar = {"tiny": Example("kalah:3x2", depth=4)}

    def register_heuristics(self) -> None:
        from mnkala.families.kalah import heuristics  # noqa: F401

    def register_searches(self) -> None:
        from mnkala.families.kalah import (
            report_003,  # noqa: F401
            sowing,  # noqa: F401
        )

    def register_solvers(self) -> None:
        from mnkala.families.kalah.solver import solver  # noqa: F401

    def books(self) -> Books:
        from mnkala.families.kalah.opening_book import KalahBooks

        return KalahBooks()

    def register_programs(self) -> None:
        from mnkala.families.kalah.kgp import player  # noqa: F401

    def curve(self, heuristic: str, rules: Rules) -> Curve | None:
        from mnkala.families.kalah.explain import CURVES

        return CURVES.get(heuristic)

    def like(self, rules: Rules) -> str:
        return "kalah"

    def explanations(self, rules: Rules) -> Explanations:
        from mnkala.families.kalah.explain import KalahExplanations

        return KalahExplanations()

    def tables(self, rules: Rules) -> Tables:
        from mnkala.families.kalah.tables import KalahTables

        assert isinstance(rules, Kalah)
        return KalahTables(rules)

    def rulebook(self, rules: Rules, write: Writer) -> tuple[Section, ...]:
        from mnkala.families.kalah.rulebook import sections

        assert isinstance(rules, Kalah)
        return sections(rules, write)

    def puzzles(self) -> tuple[PuzzleFamily[Any], ...]:
        from mnkala.families.kalah.puzzles import KalahPuzzles

        return (KalahPuzzles(),)

    def games_of_literal(self, literal: str) -> Iterator[str]:
        found = re.match(r"<([0-9]+),([0-9,]*)>", literal)
        if found:
            houses, seeds = (
                int(found[1][:4]),
                sum(int(each[:4]) for each in found[2].split(",") if each),
            )
            yield f"kalah:{houses}x{max(1, min(MOST_SEEDS, seeds // max(1, 2 * houses)))}"

    def fair_start(self, rules: Rules, stop: Stop) -> FairStart:
        from mnkala.families.kalah.fair_starts import quick_fair_start

        return quick_fair_start(rules, stop)

    def spiel(self) -> SpielGames:
        from mnkala.families.kalah.spiel import KalahInSpiel

        return KalahInSpiel()


register_family(KalahFamily())
