"""(m,n,k)-games in OpenSpiel: `tic_tac_toe`, `mnk` and `gomoku`.

OpenSpiel counts rows from the top and mnkala from the bottom, which mirrors the board and changes
no line. OpenSpiel's other variants (a torus, three dimensions, misère) do not exist in mnkala, and
`gomoku:15,exact` does not exist in OpenSpiel.
"""

from __future__ import annotations

from typing import Any

from mnkala.core.rules import Rules
from mnkala.families.lines.rules import Mnk, build
from mnkala.programs.spiel_games import SpielGames


class LinesInSpiel(SpielGames):
    """Translates (m,n,k)-games to OpenSpiel, where cells are numbered alike."""

    agreeing = "tic_tac_toe, mnk, gomoku"

    def name(self, rules: Rules) -> tuple[str, dict[str, Any]] | None:
        assert isinstance(rules, Mnk)
        if rules.exact:
            return None
        if (rules.rows, rules.cols, rules.line) == (3, 3, 3):
            return "tic_tac_toe", {}
        if rules.rows == rules.cols:  # It has the rules of `mnk` and is far faster.
            return "gomoku", {"size": rules.rows, "connect": rules.line}
        return "mnk", {"m": rules.cols, "n": rules.rows, "k": rules.line}

    def rules(self, name: str, told: dict[str, Any]) -> Rules | None:
        if name == "tic_tac_toe":
            return build(3, 3, 3)
        if name == "mnk":
            return build(told["n"], told["m"], told["k"])
        if name == "gomoku" and told["dims"] == 2 and not told["wrap"] and not told["anti"]:
            return build(told["size"], told["size"], told["connect"])
        return None
