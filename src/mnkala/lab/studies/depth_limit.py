"""What report 002's formula for the depth is worth: the largest D with C^(F D) nodes within a limit."""

from __future__ import annotations

import math

from mnkala.core import Position
from mnkala.lab.positions import answer, nodes_by_depth, position_of
from mnkala.lab.registry import Row, measure
from mnkala.search import Limit


@measure("depth-limit", version=1)
def depth_limit(game: str, engine: str, deepest: int, seed: int, plies: int = 4) -> list[Row]:
    """Real nodes at every depth, beside C^(F D), which report 002's formula rests on."""
    position = position_of(game, plies, seed)
    rules = position.rules
    branching = max(2, rules.most_moves())
    rows: list[Row] = []
    for depth, nodes in enumerate(_costs(engine, position, deepest), 1):
        rows.append({"depth": depth, "nodes": nodes, "factor": math.log(nodes) / (depth * math.log(branching)),
                     "predicted_best": branching ** (0.5 * depth), "predicted_usual": branching ** (0.75 * depth),
                     "predicted_worst": float(branching ** depth)})
    return rows


def _costs(engine: str, position: Position, deepest: int) -> list[int]:
    """Nodes to reach depth 1, 2, …; one that goes from depth to depth stops where the result is proved."""
    if engine.startswith("deepening"):
        return nodes_by_depth(engine, position, Limit(depth=deepest))
    separator = "," if ":" in engine else ":"
    return [answer(f"{engine}{separator}depth={depth}", position).nodes for depth in range(1, deepest + 1)]
