"""Games: the contract (`rules`), the families, their notation, and `Position`, their face in Python."""

from mnkala.games import connect, kalah, mnk
from mnkala.games.position import Outcome, Position
from mnkala.games.record import Record
from mnkala.games.registry import families, game, parse_game
from mnkala.games.rules import GOING_ON, Rules

__all__ = ["GOING_ON", "Outcome", "Position", "Record", "Rules", "connect", "families", "game", "kalah", "mnk", "parse_game"]
