"""Playing: matches between people and engines, levels, series with confidence intervals, reviews
and pictures of games."""

from typing import TYPE_CHECKING

from mnkala.play.game_state import GameState
from mnkala.play.levels import (
    LEVELS,
    PERFECT,
    STRONGEST,
    Level,
    engine_of_level,
    ladder_of,
    levels_of,
)
from mnkala.play.match import Match
from mnkala.play.players import HUMAN, Player, parse_player
from mnkala.play.series import SeriesResult, play_series

if TYPE_CHECKING:
    from mnkala.play.export import picture_bytes
    from mnkala.play.reviews import MoveReview, Review, review
    from mnkala.play.turn_reviews import Accuracy, TurnReview
else:
    from mnkala.lazily import names_of

    __getattr__ = names_of(
        "mnkala.play",
        {
            "mnkala.play.export": ("picture_bytes",),
            "mnkala.play.reviews": ("MoveReview", "Review", "review"),
            "mnkala.play.turn_reviews": ("Accuracy", "TurnReview"),
        },
    )

__all__ = [
    "HUMAN",
    "LEVELS",
    "PERFECT",
    "STRONGEST",
    "Accuracy",
    "GameState",
    "Level",
    "Match",
    "MoveReview",
    "Player",
    "Review",
    "SeriesResult",
    "TurnReview",
    "engine_of_level",
    "ladder_of",
    "levels_of",
    "parse_player",
    "picture_bytes",
    "play_series",
    "review",
]
