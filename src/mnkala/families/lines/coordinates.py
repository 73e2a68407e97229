"""Points of a board as other programs write them: column and row, counted from the top left.

Gomocup's protocol counts from zero, the files of Piskvork from one, SGF has letters. Here `x` is the column and `y` the row, from zero.
"""

from __future__ import annotations

import re

from mnkala.core.rules import Rules
from mnkala.errors import BadGame, IllegalMove
from mnkala.families.lines.rules import Mnk, build
from mnkala.numbers import shortened

FIVE = 5
"""The length of line that these programs play."""
_POINT = re.compile(r"\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*")


def gomoku_of(rules: Rules, what: str) -> Mnk:
    """The rules as those of five in line, the only game that `what` can describe."""
    if not isinstance(rules, Mnk) or rules.line != FIVE:
        raise BadGame(f"{what} knows five in line on a board of any size, such as gomoku or mnk:10x12x5, not {rules.game_string()}")
    return rules


def gomoku_board(columns: int, rows: int, exact: bool = False) -> Mnk:
    """The rules of five in line on a board of this size."""
    return build(rows, columns, FIVE, exact)


def point_of(rules: Mnk, code: int) -> tuple[int, int]:
    """The point of a move, as column and row."""
    return code % rules.cols, rules.rows - 1 - code // rules.cols


def code_at(rules: Mnk, x: int, y: int) -> int:
    """The code of the move at a point."""
    if not (0 <= x < rules.cols and 0 <= y < rules.rows):
        raise IllegalMove(f"{x},{y} is not on the board of {rules.cols} columns and {rules.rows} rows, which are counted from 0")
    return (rules.rows - 1 - y) * rules.cols + x


def point_text(rules: Mnk, code: int) -> str:
    """Write a move as Gomocup's protocol does: `7,7`."""
    return "{},{}".format(*point_of(rules, code))


def read_point(rules: Mnk, text: str) -> int:
    """Read a move that `point_text` wrote."""
    found = _POINT.fullmatch(text)
    if found is None:
        raise IllegalMove(f"'{shortened(text)}' is not a point; points are X,Y, such as 7,7")
    return code_at(rules, int(found[1]), int(found[2]))
