"""Reasons beside the moves that an analysis of a game with threats estimates: what each makes, stops and builds, as hints say it.

They are read off the board alone (`explain_move` without a score), so they are true whatever the estimate is worth, and stay the same
while it deepens.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable

from mnkala.core import Position
from mnkala.explain.contract import explanations_of
from mnkala.explain.line_reasons import quiet_reasons
from mnkala.explain.reason import Reason
from mnkala.explain.reasons import explain_move
from mnkala.search import RootMove

ROWS = 9
"""Moves that have them, the best first: as many as are listed without being asked for. Some milliseconds each."""
A_ROW = 2


def row_reasons(position: Position, moves: Iterable[RootMove]) -> dict[int, tuple[Reason, ...]]:
    """The reasons for each of the best moves, by their codes; empty in games without listed
    threats."""
    if position.is_over or not explanations_of(position.rules).threats:
        return {}
    return {each.code: _reasons(position, each.code) for each in itertools.islice(moves, ROWS)}


@functools.lru_cache(maxsize=64)  # a position of the largest board has 300 kB
def _reasons(position: Position, move: int) -> tuple[Reason, ...]:
    return tuple((explain_move(position, move) or list(quiet_reasons(position, move)))[:A_ROW])
