"""What a score promises: the result that a player can expect, from 0 (a sure loss) over 0.5 (even)
to 1 (a sure win).

A proved score says it outright. A heuristic's number has a unit of its own, so each heuristic has a
curve of its own, in the manner of Elo's (1978) logistic curve for ratings and of the winning
chances that chess servers show:

    chance = 1 / (1 + exp(-slope * asinh(value / unit)))

asinh grows like the value itself for small values and like its logarithm for large ones: a
heuristic that counts in powers of ten is read as well as one that counts seeds. The curves were
fitted to games (engine against engine, from random openings, at few nodes): `python -m
bench.fit_chances` plays them again and prints the fits. The curves stand for other lengths of
lines, too, where no other was fitted.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import Any

from mnkala.core import Position, Rules
from mnkala.core.registry import family_of
from mnkala.core.score import Score
from mnkala.search import Engine, parse_engine
from mnkala.search.auto import strongest

SURE_ESTIMATE = 0.98
"""The largest chance that an estimate may claim; the smallest is 1 less it. Only a win that was
found may promise more."""


@dataclasses.dataclass(frozen=True)
class Curve:
    """The curve that turns a heuristic's numbers into chances."""

    unit: float
    """Values below this count almost in proportion; of values far above it, the logarithm counts.
    """
    slope: float

    def chance(self, value: float) -> float:
        """The expected result of the player for whom the value speaks."""
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
"""Curves of the heuristics that many games share, by name. The family of a game has curves of its
own for heuristics of its own, and where a heuristic tells more or less on its boards
(`Family.curve`).

Some heuristics tell little of the result, and their curves say so: `article` on Connect Four was
hardly better than a coin (1.00 bits; `lines` on Gomoku 0.85).
"""
BY_RULES = ("auto", "perfect", "overlooking")
"""Engines that let the rules of the game choose the search behind their estimates."""
UNKNOWN = Curve(10, 0.5)
"""The curve for heuristics of plug-ins, whose unit is unknown: a value of 10 is a chance of 0.61,
of 100 one of 0.82, of 1000 one of 0.93, so that small and large numbers stay distinguishable."""


def read(score: Score, position: Position, engine: Engine | str | None = None) -> Score:
    """Attach to a score the chance that it promises. `engine` names the engine that gave it; by
    default it is the game's own search."""
    if score.heuristic is None or score.expected is not None:
        return score
    return dataclasses.replace(score, expected=_by_curve(score.heuristic, position, engine))


def chance(score: Score, position: Position, engine: Engine | str | None = None) -> float:
    """The result that `score.player` can expect, from 0 to 1."""
    return read(score, position, engine).chance


def steady(
    now: Score, before: Score | None, position: Position, engine: Engine | str | None = None
) -> Score:
    """A score with the mean of its chance and that of the previous depth. Searches of odd and of
    even depth lean to opposite sides, because one of the players has the last word; the mean does
    not swing."""
    seen = read(now, position, engine)
    if before is None or now.heuristic is None or before.heuristic is None:
        return seen
    return dataclasses.replace(
        seen, expected=(seen.chance + chance(before.seen_by(now.player), position, engine)) / 2
    )


def _by_curve(value: int, position: Position, engine: Engine | str | None) -> float:
    """The chance that a heuristic's number promises, by the curve of the search or heuristic that
    gave it."""
    if value == 0:
        return 0.5
    search = _search(engine)
    asked = strongest(position.rules) if search is None or search.name in BY_RULES else search
    told = asked.chance(value)
    if told is not None:
        expected = told
    else:
        expected = curve_for(heuristic_name(search, position.rules), position.rules).chance(value)
    return min(SURE_ESTIMATE, max(1 - SURE_ESTIMATE, expected))


def curve_for(heuristic: str, rules: Rules) -> Curve:
    """The curve for a heuristic on a game's board."""
    return family_of(rules).curve(heuristic, rules) or CURVES.get(heuristic, UNKNOWN)


def heuristic_name(search: Any, rules: Rules) -> str:
    """The name of the heuristic that a search uses."""
    asked = getattr(search, "heuristic", "auto")
    return str(rules.heuristic if asked == "auto" else asked)


def _search(engine: Engine | str | None) -> Any:
    if engine is None:
        return None
    return (_parsed(engine) if isinstance(engine, str) else engine).search


_parsed = functools.lru_cache(maxsize=64)(parse_engine)
"""Every score of every answer is read by the name of who gave it."""
