"""Adjudication: a game ends as soon as it is proved how it ends with best play, which spares engines that have nothing more to show.

Only what is exact counts: the book, and a solver where that costs next to nothing. A judge guesses nothing, so a game that no solver
can prove is played to its end.
"""

from __future__ import annotations

from mnkala.core import Position, Rules
from mnkala.solve import solver_for
from mnkala.solve.oracle import open_oracle

MOST_NODES = 200_000
"""For one position: what is said to be quick may not be."""


class Judge:
    """Asks the exact solver of a game."""

    def __init__(self, rules: Rules) -> None:
        """A game that no solver fits has none: NoSolver says why."""
        self.rules, self._cls, self._ready = rules, solver_for(rules), False

    def points(self, position: Position) -> tuple[float, float] | None:
        """The points of the first and of the second player, if the result can be proved at once."""
        if not self._ready:
            self._cls.prepare(self.rules)
            self._ready = True
        with open_oracle(self.rules, nodes=MOST_NODES) as oracle:
            if not oracle.is_quick(position):
                return None
            found = oracle.answer(position, weak=True).seen_by(0)
        first = {"win": 1.0, "draw": 0.5, "loss": 0.0}.get(found.result)
        return None if first is None else (first, 1.0 - first)
