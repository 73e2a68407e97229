"""Playing: a match between people and engines, levels, series with their confidence."""

from mnkala.play.levels import LEVELS, PERFECT, Level, engine_of_level, ladder_of, levels_of
from mnkala.play.match import Match
from mnkala.play.players import HUMAN, Player, parse_player
from mnkala.play.series import SeriesResult, play_series

__all__ = ["HUMAN", "LEVELS", "PERFECT", "Level", "Match", "Player", "SeriesResult", "engine_of_level", "ladder_of", "levels_of",
           "parse_player", "play_series"]
