"""Reversi on boards of even sizes, up to 64 cells: the family `reversi`.

The module that the entry point `mnkala.games` names. It imports the rules alone; everything else is
imported when somebody asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from mnkala import Rules
from mnkala.core.family import Family
from mnkala.core.registry import register_family
from reversi.rules import Reversi

if TYPE_CHECKING:
    from mnkala.arena.models import Model
    from mnkala.explain.chances import Curve
    from mnkala.explain.contract import Explanations
    from mnkala.explain.rulebook import Section, Writer
    from mnkala.play.puzzle_contract import PuzzleFamily
    from mnkala.search import Heuristic


class ReversiFamily(Family):
    """Rows of discs are enclosed and turned over; most discs win."""

    rules = (Reversi,)
    reads_literals = True
    studies = "reversi.studies"

    # ---- Engines ----

    modules: ClassVar = {"heuristics": (".heuristic",), "solvers": (".solver",)}

    def weights(self, path: Path, rules: Rules) -> Heuristic:
        from reversi.heuristic import weighted_by

        return weighted_by(path, rules)

    def model(self, rules: Rules) -> Model:
        from reversi.model import ReversiModel

        assert isinstance(rules, Reversi)
        return ReversiModel(rules)

    def curve(self, heuristic: str, rules: Rules) -> Curve | None:
        """The weights are logits of the mover's chance, so the curve follows from their unit: all
        but straight, up to far-out values.
        """
        from mnkala.explain.chances import Curve
        from reversi.heuristic import SCALE

        return Curve(10 * SCALE, 10) if heuristic == "reversi" else None

    def like(self, rules: Rules) -> str:
        return "reversi"

    # ---- For people ----

    def explanations(self, rules: Rules) -> Explanations:
        from reversi.explain import ReversiExplanations

        return ReversiExplanations()

    def rulebook(self, rules: Rules, write: Writer) -> tuple[Section, ...]:
        from reversi.rulebook import sections

        assert isinstance(rules, Reversi)
        return sections(rules, write)

    def games_of_literal(self, literal: str) -> Iterator[str]:
        rows = literal.lower().partition(":")[0].split("/")
        if re.fullmatch(r"[.xo/]+:[xo]", literal.lower()) and len({len(row) for row in rows}) == 1:
            yield f"reversi:{len(rows)}x{len(rows[0])}"

    def puzzles(self) -> tuple[PuzzleFamily[Any], ...]:
        from reversi.puzzles import ReversiPuzzles

        return (ReversiPuzzles(),)

    spiel_games = "othello"

    def spiel_name(self, rules: Rules) -> tuple[str, dict[str, Any]] | None:
        return ("othello", {}) if rules.game_string() == "reversi" else None

    def spiel_rules(self, name: str, parameters: dict[str, Any]) -> Rules | None:
        return Reversi() if name == "othello" else None


register_family(ReversiFamily())
