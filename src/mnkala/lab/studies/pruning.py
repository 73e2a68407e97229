"""What pruning saves: nodes of alpha-beta where minimax visits all, on the boards of report 002."""

from __future__ import annotations

from mnkala.core import Position
from mnkala.lab.positions import answer
from mnkala.lab.registry import Row, measure

EMPTY = "empty board"


@measure("pruning", version=1)
def pruning(board: str, start: str, depth: int, heuristic: str = "zero-sum-hv", win: int = 100) -> Row:
    """Nodes of Connect Four with and without pruning, counted as report 002 counts: every call, the root included.

    `start` is `empty board` or `after MOVES`.
    """
    position = Position(f"connect4:{board}")
    if start != EMPTY:
        position = position.play(start.removeprefix("after "))
    unpruned = answer(f"minimax:depth={depth},heuristic=nothing", position).nodes
    pruned = answer(f"alphabeta:depth={depth},heuristic={heuristic},win={win}", position).nodes
    return {"unpruned": unpruned, "pruned": pruned, "ratio": unpruned / pruned}
