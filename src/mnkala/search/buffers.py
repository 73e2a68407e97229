"""What one thread of a search writes to: its buffers, counters and stop flag, handed down the
recursion as one object.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mnkala.core import Rules
from mnkala.native import NativeClass, native, shared
from mnkala.native.objects import IntArray, IntGrid
from mnkala.search.limit import DEEPEST, Stop
from mnkala.search.values import HIGHEST

NODES, EVALUATIONS, CUTOFFS, TABLE_HITS, STORED, NODE_LIMIT, STOPPED = range(7)
"""Places in `Buffers.counters`."""
NO_LIMIT = 1 << 62


@native
class Buffers(NativeClass):
    """Everything that one thread of a search writes to."""

    moves: IntGrid
    """int64[ply, i]: the moves of the node at each ply."""
    scores: IntGrid
    """At [ply, i]: the value of each of those moves for ordering or choosing."""
    line: IntGrid
    """int64[ply, i]: the best line from each ply on. Row `ply` is valid from column `ply` to
    `line_end[ply]`.
    """
    line_end: IntArray
    counters: IntArray
    stop: IntArray
    """int64[1], shared with the thread that watches the clock."""


def make_buffers(rules: Rules, depth: int, stop: Stop, nodes: int | None = None) -> Buffers:
    """Make buffers for searches of up to `depth` plies."""
    plies = min(depth, rules.longest_game(), DEEPEST) + 2
    counters = np.zeros(8, dtype=np.int64)
    counters[NODE_LIMIT] = NO_LIMIT if nodes is None else nodes
    stop.watch(counters[NODES:])
    # Rows are written before they are read. A search reaches few of them, and memory that is never
    # touched is never taken.
    return Buffers(
        moves=np.empty((plies, rules.most_moves()), dtype=np.int64),
        scores=np.empty((plies, rules.most_moves()), dtype=np.int64),
        line=np.empty((plies, plies), dtype=np.int64),
        line_end=np.zeros(plies + 1, dtype=np.int64),
        counters=counters,
        stop=stop.flag,
    )


@shared
def visit(buffers: Buffers, ply: int) -> bool:
    """Count a node and empty its best line. Return True if the search has to stop; then the values
    that it returns on the way up are meaningless."""
    buffers.line_end[ply] = ply
    if buffers.stop[0] != 0 or buffers.counters[NODES] >= buffers.counters[NODE_LIMIT]:
        buffers.counters[STOPPED] = 1
        return True
    buffers.counters[NODES] += 1
    return False


@shared
def evaluate(rules: Any, heuristic: Any, state: Any, memory: Any, buffers: Buffers) -> int:
    """Call the heuristic, and keep its value clear of the values of finished games."""
    buffers.counters[EVALUATIONS] += 1
    return max(-HIGHEST, min(HIGHEST, int(heuristic.value(rules, state, memory))))


@shared
def extend_line(buffers: Buffers, ply: int, move: int) -> None:
    """Make `move` followed by the best line below it the best line at `ply`."""
    buffers.line[ply, ply] = move
    end = max(buffers.line_end[ply + 1], ply + 1)
    for i in range(ply + 1, end):
        buffers.line[ply, i] = buffers.line[ply + 1, i]
    buffers.line_end[ply] = end
