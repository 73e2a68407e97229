"""Reversi as OpenSpiel has it: `othello`, on 8 x 8 only, where a draw, a win or a loss is all that
counts.
"""

from __future__ import annotations

from typing import Any

from mnkala import Rules
from mnkala.programs.spiel_games import SpielGames
from reversi.rules import Reversi


class ReversiInSpiel(SpielGames):
    """Cells are numbered alike, and the pass comes after them."""

    agreeing = "othello"

    def name(self, rules: Rules) -> tuple[str, dict[str, Any]] | None:
        return ("othello", {}) if rules.game_string() == "reversi" else None

    def rules(self, name: str, told: dict[str, Any]) -> Rules | None:
        return Reversi() if name == "othello" else None
