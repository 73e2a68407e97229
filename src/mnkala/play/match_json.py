"""A game that was played, as programs read it: the object that `mnkala play --json` prints at its end."""

from __future__ import annotations

from typing import Any

from mnkala.play.game_state import GameState


def match_json(game: GameState) -> dict[str, Any]:
    """Who played what, how it ended, and what the engine on each side spent; None for a person, whose time nobody measures."""
    position, outcome = game.position, game.outcome
    return {
        "game": position.game, "start": position.start_literal,
        "players": [player.nickname or player.name for player in game.players],
        "result": game.result, "winner": None if outcome is None else outcome.winner, "ending": game.ending, "fault": game.fault,
        "moves": list(position.history),
        "spent": [None if player.is_human else spent.as_json() for player, spent in zip(game.players, game.spent, strict=True)],
    }
