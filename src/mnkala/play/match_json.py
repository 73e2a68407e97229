"""A game that was played, as programs read it: the object that `mnkala play --json` prints at its end."""

from __future__ import annotations

from typing import Any

from mnkala.play.match import Match


def match_json(match: Match) -> dict[str, Any]:
    """Who played what, how it ended, and what the engine on each side spent; None for a person, whose time nobody measures."""
    position, outcome = match.position, match.outcome
    return {
        "game": position.game, "start": position.start_literal,
        "players": [player.nickname or player.name for player in match.players],
        "result": match.result, "winner": None if outcome is None else outcome.winner, "ending": match.ending, "fault": match.fault,
        "moves": list(position.history),
        "spent": [None if player.is_human else spent.as_json() for player, spent in zip(match.players, match.spent, strict=True)],
    }
