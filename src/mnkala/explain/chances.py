"""What a score promises: the result that a player can expect, from 0 (a sure loss) over 0.5 (even) to 1 (a sure win).

A proved score says it outright. A heuristic's number has a unit of its own, so each heuristic has a curve of its own, in the manner of
Elo's (1978) logistic curve for ratings and of the winning chances that chess servers show:

    chance = 1 / (1 + exp(-slope * asinh(value / unit)))

asinh grows like the value itself for small values and like its logarithm for large ones: a heuristic that counts in powers of ten is
read as well as one that counts seeds. The curves were fitted to games (engine against engine, from random openings, at few nodes):
`python -m bench.fit_chances` plays them again and prints the fits. The curves stand for other lengths of lines, too, where no other
was fitted.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from mnkala.core import Position, Rules
from mnkala.core.registry import family_of
from mnkala.search import Engine, Score, parse_engine
from mnkala.search.auto import strongest

SURE_WITHOUT_PROOF = 0.99
"""What a forced win is worth that was found among candidate moves only: nearly sure, but moves were left out."""
SURE_ESTIMATE = 0.98
"""No heuristic's opinion promises more, nor less than its opposite: it would say more than a win that was found."""
PROVED = {"win": 1.0, "draw": 0.5, "loss": 0.0}


@dataclasses.dataclass(frozen=True)
class Curve:
    """From a heuristic's numbers to chances."""

    unit: float
    """Values below this count in proportion, values far above it by their logarithm."""
    slope: float

    def chance(self, value: float) -> float:
        """The expected result of whom the value speaks for."""
        x = self.slope * math.asinh(value / self.unit)
        return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


CURVES = {
    "utility": Curve(17.8, 0.498),
    "basic": Curve(316, 22.6),
    "article": Curve(178_000, 35),
    "zero-sum": Curve(100, 0.772),
    "zero-sum-hv": Curve(17.8, 0.332),
    "lines": Curve(1780, 0.45),
    "runs": Curve(562_000, 0.208),
    "criticality": Curve(3.16, 0.0512),
    "criticality-by-cell": Curve(3.16, 0.0512),
}
"""Curves of the heuristics that many games share, by name. The family of a game has curves of its own for heuristics of its own, and where
a heuristic tells more or less on its boards (`Family.curve`).

Some heuristics tell little of the result, and their curves say so: `article` on Connect Four was hardly better than a coin (1.00 bits;
`lines` on Gomoku 0.85).
"""
BY_RULES = ("auto", "perfect", "overlooking")
"""Engines that leave it to the rules of a game which search gives their estimates."""
UNKNOWN = Curve(10, 0.5)
"""For heuristics of plug-ins, whose unit nobody knows: a value of 10 is a chance of 0.61, of 100 one of 0.82, of 1000 one of 0.93, so
that neither small nor large numbers are all alike."""


def chance(score: Score, position: Position, engine: Engine | str | None = None) -> float:
    """The result that `score.player` can expect. `engine` is who gave the score; by default the game's own search."""
    if score.result != "unknown":
        return PROVED[score.result]
    if score.plies is not None:
        return _claimed(score)
    if score.value == 0:
        return 0.5
    search = _search(engine)
    asked = strongest(position.rules) if search is None or search.name in BY_RULES else search
    told = asked.chance(score.value)
    if told is not None:
        expected = told
    else:
        expected = curve_for(heuristic_name(search, position.rules), position.rules).chance(score.value)
    return min(SURE_ESTIMATE, max(1 - SURE_ESTIMATE, expected))


def first_chance(score: Score, position: Position, engine: Engine | str | None = None) -> float:
    """The result that the first player can expect."""
    expected = chance(score, position, engine)
    return expected if score.player == 0 else 1 - expected


def steady_chance(now: Score, before: Score | None, position: Position, engine: Engine | str | None = None) -> float:
    """The first player's chance by the scores of two depths in a row. Searches of odd and of even depth lean to either side, because one
    of the players has the last word; their mean does not swing."""
    expected = first_chance(now, position, engine)
    if before is None or now.result != "unknown" or before.result != "unknown" or now.plies is not None or before.plies is not None:
        return expected
    return (expected + first_chance(before, position, engine)) / 2


def curve_for(heuristic: str, rules: Rules) -> Curve:
    """The curve of a heuristic on a board."""
    return family_of(rules).curve(heuristic, rules) or CURVES.get(heuristic, UNKNOWN)


def heuristic_name(search: Any, rules: Rules) -> str:
    """The heuristic that a search asks."""
    asked = getattr(search, "heuristic", "auto")
    return str(rules.heuristic if asked == "auto" else asked)


def _search(engine: Engine | str | None) -> Any:
    if engine is None:
        return None
    return (parse_engine(engine) if isinstance(engine, str) else engine).search


def _claimed(score: Score) -> float:
    """A win or loss that was found among candidate moves. A bound that points towards zero says nothing."""
    won = score.value > 0
    if score.kind in ("heuristic", "lower" if won else "upper"):
        return SURE_WITHOUT_PROOF if won else 1 - SURE_WITHOUT_PROOF
    return 0.5
