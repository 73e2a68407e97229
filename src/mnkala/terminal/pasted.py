"""Going on with a game that was pasted or typed in any form, or that stands in a file."""

from __future__ import annotations

import dataclasses

from mnkala.core.paste import typed_text, written_games
from mnkala.explain.words import say
from mnkala.play import LEVELS, PERFECT
from mnkala.play.game_state import GameState
from mnkala.play.players import same_player


def pasted_game(text: str, game: GameState, language: str) -> tuple[GameState, list[str]]:
    """The game between the same players that goes on with it, and what to say of how it was read; bare moves are of the game of `game`
    where they can be."""
    found = written_games(typed_text(text))
    position = found[0].position(game.position.game, game.position.start_literal)
    first, second = (same_player(dataclasses.replace(player, name=LEVELS[-1]) if player.name == PERFECT else player, position.rules)
                     for player in game.players)
    said = [say("paste.several", language, games=len(found))] if len(found) > 1 else []
    if position.game != game.position.game:
        said.append(say("paste.read_as", language, game=position.game))
    return GameState(position, (first, second)), said
