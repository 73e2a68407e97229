"""Puzzles of Reversi: positions near the end in which exactly one move wins, or exactly one does
not lose.
"""

from __future__ import annotations

from mnkala import Position, Rules
from mnkala.play.one_move_puzzles import OneMovePuzzles
from mnkala.play.puzzle_contract import MOST_STARS, Grade
from reversi.rules import Reversi

FEWEST_CELLS, MOST_CELLS = 5, 13
"""Free cells: with fewer there is little to find, with more a person can hardly work it out."""
FEWEST_MOVES = 4
"""Moves among which the solution has to be found."""


class ReversiPuzzles(OneMovePuzzles):
    """The only move that keeps a result."""

    game = "reversi"
    boards = "Reversi on boards of any size"

    def fits(self, rules: Rules) -> bool:
        return isinstance(rules, Reversi)

    def is_rich(self, position: Position, free: int) -> bool:
        return FEWEST_CELLS <= free <= MOST_CELLS and len(position.legal_codes) >= FEWEST_MOVES

    def stars(self, grade: Grade, free: int) -> int:
        """Every two free cells beyond the fewest make it harder."""
        points = min(grade.rank - 1, 4) + min(grade.tempting, 3) + (free - FEWEST_CELLS) // 2
        return min(MOST_STARS, 1 + points // 2)
