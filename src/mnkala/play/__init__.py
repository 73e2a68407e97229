"""Playing: a match between people and engines, its clock of moves, its undo, its record."""

from mnkala.play.match import HUMAN, Match, Player, parse_player

__all__ = ["HUMAN", "Match", "Player", "parse_player"]
