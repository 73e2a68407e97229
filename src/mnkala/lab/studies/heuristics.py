"""Every heuristic against every other (reports 002, 003 and 004)."""

from __future__ import annotations

from mnkala.lab.matches import seed_of_pair, series, summary
from mnkala.lab.registry import Row, measure

ALL = "all"
"""In the place of an opponent: all of them together."""


@measure("heuristics", version=1)
def heuristics(*, game: str, one: str, field: list[str], limit: str, games: int, search: str = "alphabeta", seed: int = 1) -> list[Row]:
    """A heuristic against each of a field (itself too: half the points, and who moves first shows), and against all others together.

    Limits are `depth 4`, `nodes 2000` or `time 2 ms` of processor time. With the last, games differ a little from run to run.
    """
    rows, everything = [], []
    for other in field:
        pair = [(f"{search}:heuristic={name}", limit) for name in (one, other)]
        played = list(series(game, pair[0], pair[1], games, seed_of_pair(seed, one, other)))
        everything += played if other != one else []
        rows.append({"other": other, **summary(played)})
    return [*rows, {"other": ALL, **summary(everything)}]
