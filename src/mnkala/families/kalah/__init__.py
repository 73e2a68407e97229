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
    from mnkala.explain.rulebook import Figure, Section, Writer
    from mnkala.play.fair_starts import FairStart
    from mnkala.play.puzzle_contract import PuzzleFamily
    from mnkala.search import Stop
    from mnkala.solve.books import Books


IN_SPIEL = Kalah(6, 4, True)
"""OpenSpiel's `mancala`, which says who has won, not by how much."""
PITS_A_SIDE = IN_SPIEL.houses + 1
"""The houses of a row and its store. OpenSpiel numbers them all around, 1 to 6 and 8 to 13."""


class KalahFamily(Family):
    """Sowing games in which the fuller store wins."""

    rules = (Kalah,)
    place = 3
    reads_literals = True
    studies = "mnkala.families.kalah.studies"
    examples: ClassVar = {"tiny": Example("kalah:3x2", depth=4)}

    modules: ClassVar = {
        "heuristics": (".heuristics",),
        "searches": (".report_003", ".sowing"),
        "solvers": (".solver.solver",),
        "programs": (".kgp.player",),
    }

    def books(self) -> Books:
        from mnkala.families.kalah.opening_book import KalahBooks

        return KalahBooks()

    def curve(self, heuristic: str, rules: Rules) -> Curve | None:
        from mnkala.families.kalah.explain import CURVES

        return CURVES.get(heuristic)

    def like(self, rules: Rules) -> str:
        return "kalah"

    def explanations(self, rules: Rules) -> Explanations:
        from mnkala.families.kalah.explain import KalahExplanations

        return KalahExplanations()

    def tables(self, rules: Rules) -> Tables:
        from mnkala.families.kalah.heuristics import KalahTables

        assert isinstance(rules, Kalah)
        return KalahTables(rules)

    def rulebook(self, rules: Rules, write: Writer) -> tuple[Section, ...]:
        """Write the rules on the usual board with this board's rule of capture; the start is this
        board's own."""
        from mnkala.core.position import Position

        assert isinstance(rules, Kalah)
        variant, game = (
            ("standard", "kalah:6x4,standard") if rules.standard else ("report", "kalah")
        )

        def pair(literal: str | None, move: str, after: str = "after") -> tuple[Figure, Figure]:
            before = Position(game, literal=literal)
            return write.figure(before, "before", (1, int(move) - 1), move=move), write.figure(
                before.play(move), after, move=move
            )

        return (
            write.section(
                "kalah.aim",
                write.figure(Position(rules), "start"),
                houses=rules.houses,
                seeds=rules.seeds,
                all=2 * rules.houses * rules.seeds,
            ),
            write.section("kalah.move", *pair(None, "5")),
            write.section("kalah.again", *pair(None, "3", "after_again")),
            write.section(
                "kalah.capture", *pair("<6,10,8,0,2,0,0,3,1,4,2,5,5,1,7>", "2", "after_capture")
            ),
            write.section(
                f"kalah.nothing_{variant}",
                *pair("<6,10,8,0,2,0,0,3,1,4,2,0,5,1,12>", "2", f"after_nothing_{variant}"),
            ),
            write.section(
                "kalah.end", *pair("<6,20,18,0,0,0,0,0,1,2,0,3,0,4,0>", "6", "after_end")
            ),
            write.section("kalah.tip"),
            write.section("kalah.notation", houses=rules.houses),
        )

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

    spiel_games = "mancala"

    def spiel_name(self, rules: Rules) -> tuple[str, dict[str, Any]] | None:
        return ("mancala", {}) if rules.game_string() == IN_SPIEL.game_string() else None

    def spiel_rules(self, name: str, parameters: dict[str, Any]) -> Rules | None:
        return IN_SPIEL if name == "mancala" else None

    def spiel_action(self, code: int, mover: int) -> int:
        return code + 1 + PITS_A_SIDE * mover

    def spiel_code(self, action: int) -> int:
        return (action - 1) % PITS_A_SIDE


register_family(KalahFamily())
