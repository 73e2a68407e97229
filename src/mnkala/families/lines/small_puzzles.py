"""Puzzles of tic-tac-toe and of other (m,n,k)-games that the solver knows: exactly one move wins, or exactly one does not lose.

Where a line can be completed at once, by either side, there is nothing to find, so such positions are left out: what remains are moves that
make two threats together, and moves that stop the opponent from making them.
"""

from __future__ import annotations

from mnkala.core import Position, Rules
from mnkala.explain.line_reasons import Lines
from mnkala.families.lines.rules import Mnk
from mnkala.families.lines.solver import MOST_CELLS as MOST_SOLVED
from mnkala.play.one_move_puzzles import OneMovePuzzles

FEWEST_CELLS, MOST_CELLS = 4, 14
"""Free cells: with fewer there is little to find, with more a person can hardly work it out."""


class SmallLinePuzzles(OneMovePuzzles):
    """The only move that keeps a result, on boards that are small enough to be solved."""

    game = "tictactoe"
    boards = "tic-tac-toe and other (m,n,k)-games on boards that are solved"

    def fits(self, rules: Rules) -> bool:
        return isinstance(rules, Mnk) and rules.rows * rules.cols <= MOST_SOLVED

    def is_rich(self, position: Position, free: int) -> bool:
        return FEWEST_CELLS <= free <= MOST_CELLS

    def is_obvious(self, position: Position) -> bool:
        board = Lines(position.rules, position.state())
        return bool(board.wins(0) or board.wins(1))
