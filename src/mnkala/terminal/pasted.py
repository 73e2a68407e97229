"""Going on with a game that was pasted or typed in any form, or that stands in a file."""

from __future__ import annotations

import dataclasses

from mnkala.core.paste import typed_text, written_games
from mnkala.play import LEVELS, PERFECT, Match
from mnkala.play.match import same_player


def pasted_match(text: str, match: Match) -> tuple[Match, int]:
    """The match between the same players that goes on with it, and how many games there were; bare moves are of the game of `match`."""
    found = written_games(typed_text(text))
    position = found[0].position(match.position.game, match.position.start_literal)
    first, second = (same_player(dataclasses.replace(player, name=LEVELS[-1]) if player.name == PERFECT else player, position.rules)
                     for player in match.players)
    return Match(position, (first, second)), len(found)
