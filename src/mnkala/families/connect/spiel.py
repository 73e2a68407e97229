"""Connect in OpenSpiel: `connect_four` on any board."""

from __future__ import annotations

from typing import Any

from mnkala.core.rules import Rules
from mnkala.families.connect.rules import ConnectRules, build
from mnkala.programs.spiel_games import SpielGames


class ConnectInSpiel(SpielGames):
    """Translates Connect to OpenSpiel, where columns have the same numbers."""

    agreeing = "connect_four"

    def name(self, rules: Rules) -> tuple[str, dict[str, Any]]:
        assert isinstance(rules, ConnectRules)
        return "connect_four", {"rows": rules.rows, "columns": rules.cols, "x_in_row": rules.line}

    def rules(self, name: str, told: dict[str, Any]) -> Rules | None:
        return (
            build(told["rows"], told["columns"], told["x_in_row"])
            if name == "connect_four"
            else None
        )
