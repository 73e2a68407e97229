"""Kalah in OpenSpiel: its `mancala` is `kalah:standard`.

It numbers the board all around, 1 to 6 and 8 to 13, and says who has won, not by how much.
"""

from __future__ import annotations

from typing import Any

from mnkala.core.rules import Rules
from mnkala.families.kalah.rules import Kalah
from mnkala.programs.spiel_games import SpielGames

HOUSES, SEEDS = 6, 4
PITS_A_SIDE = HOUSES + 1
"""The houses of a row and its store."""


class KalahInSpiel(SpielGames):
    """Translates Kalah to OpenSpiel, where houses are numbered around the board."""

    agreeing = "mancala"

    def name(self, rules: Rules) -> tuple[str, dict[str, Any]] | None:
        assert isinstance(rules, Kalah)
        return (
            ("mancala", {})
            if (rules.houses, rules.seeds, rules.standard) == (HOUSES, SEEDS, True)
            else None
        )

    def rules(self, name: str, told: dict[str, Any]) -> Rules | None:
        return Kalah(HOUSES, SEEDS, True) if name == "mancala" else None

    def action(self, code: int, mover: int) -> int:
        return code + 1 + PITS_A_SIDE * mover

    def code(self, action: int) -> int:
        return (action - 1) % PITS_A_SIDE
