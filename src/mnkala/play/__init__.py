"""Playing: a match between people and engines, levels, series with their confidence."""

from mnkala.play.levels import LEVELS, PERFECT, engine_of_level, levels_of
from mnkala.play.match import HUMAN, Match, Player, parse_player
from mnkala.play.series import SeriesResult, play_series

__all__ = ["HUMAN", "LEVELS", "PERFECT", "Match", "Player", "SeriesResult", "engine_of_level", "levels_of", "parse_player", "play_series"]
