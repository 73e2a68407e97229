"""Games: the contract (`rules`), the register of families, notation, and `Position`, their face in Python."""

from mnkala.games.position import Outcome, Position
from mnkala.games.record import Record
from mnkala.games.registry import game, game_names, parse_game
from mnkala.games.rules import GOING_ON, Rules

__all__ = ["GOING_ON", "Outcome", "Position", "Record", "Rules", "game", "game_names", "parse_game"]
