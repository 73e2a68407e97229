"""How two threads on one table keep out of each other's way.

Both search the same moves in the same order. A move below which the other thread is at work is put off until the others are done, and then
looked up, most often (Kerrigan's simplified form of Weill's ABDADA, 1996); only the first move of a position, which sets the window of all
others, is searched together. Who has answered for a position calls the other thread back that is still below it (as in
`solve.threads`).

Whatever the other thread does can only change what is found in the table: a place that is overwritten in a race costs some work twice.
"""

from __future__ import annotations

import numpy as np

from mnkala.families.lines.engine.settings import Settings
from mnkala.native import NativeClass, mix, native, shared
from mnkala.native.objects import IntArray, IntGrid, WordArray
from mnkala.search.limit import Stop

PLACES = 1024
"""Places for positions that a thread is at: far more than there are, so that two seldom meet."""
APART = 8
"""How many numbers of 64 bits apart two threads write: never into one cache line."""
LEAST_DEPTH = 3
"""Positions so many plies in front of the horizon, or more, are shared."""
NOBODY = np.uint64(0)


@native
class SharedWork(NativeClass):
    """What one thread knows of the other."""

    threads: int
    number: int
    """Which of them this is."""
    busy: WordArray
    """Keys of positions that a thread is searching. This and the next two belong to both."""
    paths: WordArray
    """[thread * plies + ply]: the positions on a thread's way from the root to where it is."""
    called: IntArray
    """[thread * APART]: 1 + the ply of a position on a thread's way that the other has answered for; 0 if there is none."""


def share(threads: int, plies: int) -> list[SharedWork]:
    """What so many threads need, each of them."""
    count = PLACES if threads > 1 else 0
    busy, paths, called = np.zeros(count, np.uint64), np.zeros(threads * plies, np.uint64), np.zeros(threads * APART, np.int64)
    return [SharedWork(threads, number, busy, paths, called) for number in range(threads)]


@shared
def is_called(sharing: SharedWork) -> bool:
    """Whether the other thread has answered for a position on our way."""
    return sharing.called[sharing.number * APART] != 0


@shared
def is_busy(sharing: SharedWork, key: np.uint64) -> bool:
    """Whether some thread is below this position."""
    return sharing.busy[place_of(key)] == key


@shared
def come_to(sharing: SharedWork, child: np.uint64, key: np.uint64, ply: int) -> None:
    """Say that we are below a child of the position with this key."""
    sharing.busy[place_of(child)] = child
    sharing.paths[sharing.number * (len(sharing.paths) // sharing.threads) + ply] = key


@shared
def leave(sharing: SharedWork, child: np.uint64, ply: int) -> None:
    """Say that we no longer are."""
    sharing.busy[place_of(child)] = NOBODY
    sharing.paths[sharing.number * (len(sharing.paths) // sharing.threads) + ply] = NOBODY


@shared
def place_of(key: np.uint64) -> int:
    """The place in `busy` for a position."""
    return np.int64(mix(key) & np.uint64(PLACES - 1))  # type: ignore[return-value]


@shared
def hear(sharing: SharedWork, ply: int) -> bool:
    """Whether a call was for the position at this ply or for one below it, and so is dealt with; one for a position further up is not."""
    here = sharing.number * APART
    if sharing.called[here] <= ply:
        return False
    sharing.called[here] = 0
    return True


@shared
def call_back(sharing: SharedWork, key: np.uint64, ply: int) -> None:
    """Tell the other threads that a position is answered."""
    plies = len(sharing.paths) // sharing.threads
    for other in range(sharing.threads):
        called = sharing.called[other * APART]
        if other != sharing.number and sharing.paths[other * plies + ply] == key and (called == 0 or called > ply + 1):
            sharing.called[other * APART] = 1 + ply


# ---- What one thread searches on ----


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
