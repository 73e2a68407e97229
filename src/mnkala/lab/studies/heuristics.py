"""Every heuristic against every other (reports 002, 003 and 004)."""

from __future__ import annotations

from statistics import median

from mnkala.core import Position
from mnkala.lab.matches import player, seed_of_pair, series, summary
from mnkala.lab.registry import Row, measure
from mnkala.play.series import opening

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


@measure("fixed-cost", version=1)
def fixed_cost(*, game: str, heuristic: str, limit_ms: float, search: str = "alphabeta", positions: int = 12, repeats: int = 5) -> Row:
    """What a question costs beside its nodes, and how much that is of an equal time: an engine that may visit one node is asked."""
    rules = Position(game).rules
    asked = player(game, f"{search}:heuristic={heuristic}", "nodes 1")
    asked.engine.search.prepare(rules)
    starts = [opening(rules, 4 + number % 5, number) for number in range(positions)]
    fixed = 1000 * median(asked.ask(position)[1] for _ in range(repeats + 1) for position in starts)
    return {"fixed_ms": round(fixed, 4), "fixed_share": round(fixed / limit_ms, 4)}
