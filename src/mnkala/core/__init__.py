"""Games: the contract (`rules`), the register of families, notation, and `Position`, the
interface in Python."""

from mnkala.core.position import Outcome, Position
from mnkala.core.record import Record
from mnkala.core.registry import game, game_names, parse_game
from mnkala.core.rules import GOING_ON, Rules

__all__ = ["GOING_ON", "Outcome", "Position", "Record", "Rules", "game", "game_names", "parse_game"]
