"""What one thread of the search writes to."""

from __future__ import annotations

import numpy as np

from mnkala.families.lines.engine.settings import Settings
from mnkala.native import NativeClass, native, shared
from mnkala.native.objects import IntArray, IntGrid, WordArray
from mnkala.search.limit import Stop

NODES, EVALUATIONS, CUTOFFS, TABLE_HITS, STORED, NODE_LIMIT, STOPPED, AGE = range(8)
"""Places in `Thread.counters`. AGE is that of the entries which are written into the table."""
MOST_PLIES = 120
"""Plies from the root to the farthest position that is looked at."""
NO_LIMIT = 1 << 62


@native
class Thread(NativeClass):
    """Buffers, counters and what is remembered for ordering moves."""

    moves: IntGrid
    """[ply, i]."""
    scores: IntGrid
    line: IntGrid
    """[ply, i]: the best line from each ply on, from column `ply` to `line_end[ply]`."""
    line_end: IntArray
    killers: IntGrid
    """[ply, 2]: the last two moves that cut at this ply."""
    history: IntArray
    """[side * cells + cell]: how often and how deep a move cut."""
    answers: IntArray
    """[side * cells + cell]: the move that cut after the other side's move there (a counter move: Uiterwijk 1992)."""
    put_off: IntGrid
    """[ply, i]: moves that come last because another thread is at them."""
    scratch: WordArray
    """A set of cells."""
    counters: IntArray
    settings: IntArray
    stop: IntArray


def make_thread(cells: int, stop: Stop, settings: Settings, nodes: int | None = None, age: int = 0) -> Thread:
    """An empty memory."""
    plies = MOST_PLIES + 2
    counters = np.zeros(64, dtype=np.int64)  # larger than needed: counters of two threads in one cache line would slow both down
    counters[NODE_LIMIT], counters[AGE] = NO_LIMIT if nodes is None else nodes, age
    stop.watch(counters[NODES:])
    return Thread(
        moves=np.empty((plies, cells), np.int64), scores=np.empty((plies, cells), np.int64), put_off=np.empty((plies, cells), np.int64),
        line=np.zeros((plies, plies), np.int64), line_end=np.zeros(plies + 1, np.int64), killers=np.full((plies, 2), -1, np.int64),
        history=np.zeros(2 * cells, np.int64), answers=np.full(2 * cells, -1, np.int64), scratch=np.zeros((cells + 63) // 64, np.uint64),
        counters=counters, settings=settings.array(), stop=stop.flag,
    )


@shared
def extend_line(thread: Thread, ply: int, move: int) -> None:
    """`move` is the best at `ply`: the best line from here is that move and the best line below it."""
    thread.line[ply, ply] = move
    end = max(thread.line_end[ply + 1], ply + 1)
    for i in range(ply + 1, end):
        thread.line[ply, i] = thread.line[ply + 1, i]
    thread.line_end[ply] = end
