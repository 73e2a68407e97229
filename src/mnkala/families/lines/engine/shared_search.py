"""How two threads on one table avoid each other's work.

Both search the same moves in the same order. A move below which the other thread is working is put
off until the others are done; by then it can usually be looked up (Kerrigan's simplified form of
Weill's ABDADA, 1996). Only the first move of a position, which sets the window of all others, is
searched by both. A thread that has the answer for a position calls back the other thread if it is
still below it (as in `solve/threads.py`). The other thread can only affect what is found in the
table: a place that is overwritten in a race costs some work twice.
"""

from __future__ import annotations

import numpy as np

from mnkala.families.lines.engine.settings import PLY, WIDTH, WIDTH_POWER, Settings
from mnkala.native import NativeClass, mix, native, shared
from mnkala.native.objects import IntArray, IntGrid, WordArray
from mnkala.search.limit import Stop

PLACES = 1024
"""Places for positions that threads are searching, far more than needed, so that two rarely
collide."""
APART = 8
"""How many 64-bit numbers apart two threads write, so that they never share a cache line."""
LEAST_DEPTH = 3 * PLY
"""Positions at least so many quarters of a ply before the horizon are shared."""
NOBODY = np.uint64(0)


@native
class SharedWork(NativeClass):
    """What one thread knows about the other."""

    threads: int
    number: int
    """The number of this thread."""
    busy: WordArray
    """The keys of positions that a thread is searching. This array and the next two are common to
    both threads."""
    paths: WordArray
    """The positions on a thread's path from the root, at [thread * plies + ply]."""
    called: IntArray
    """At [thread * APART]: 1 + the ply of a position on a thread's path that the other has
    answered; 0 if there is none."""


def share(threads: int, plies: int) -> list[SharedWork]:
    """The shared data for each of so many threads."""
    count = PLACES if threads > 1 else 0
    busy, paths, called = (
        np.zeros(count, np.uint64),
        np.zeros(threads * plies, np.uint64),
        np.zeros(threads * APART, np.int64),
    )
    return [SharedWork(threads, number, busy, paths, called) for number in range(threads)]


@shared
def is_called(sharing: SharedWork) -> bool:
    """Whether the other thread has answered a position on this thread's path."""
    return sharing.called[sharing.number * APART] != 0


@shared
def is_busy(sharing: SharedWork, key: np.uint64) -> bool:
    """Whether a thread is searching below this position."""
    return sharing.busy[place_of(key)] == key


@shared
def come_to(sharing: SharedWork, child: np.uint64, key: np.uint64, ply: int) -> None:
    """Announce that this thread is below a child of the position with this key."""
    sharing.busy[place_of(child)] = child
    sharing.paths[sharing.number * (len(sharing.paths) // sharing.threads) + ply] = key


@shared
def leave(sharing: SharedWork, child: np.uint64, ply: int) -> None:
    """Announce that this thread has left the child."""
    sharing.busy[place_of(child)] = NOBODY
    sharing.paths[sharing.number * (len(sharing.paths) // sharing.threads) + ply] = NOBODY


@shared
def place_of(key: np.uint64) -> int:
    """The index of a position in `busy`."""
    return np.int64(mix(key) & np.uint64(PLACES - 1))  # type: ignore[return-value]


@shared
def hear(sharing: SharedWork, ply: int) -> bool:
    """Whether a call was for the position at this ply or for one below it, and so is settled; a
    call for a position further up is not."""
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
        if (
            other != sharing.number
            and sharing.paths[other * plies + ply] == key
            and (called == 0 or called > ply + 1)
        ):
            sharing.called[other * APART] = 1 + ply


# ---- The buffers of one thread ----


NODES, EVALUATIONS, CUTOFFS, TABLE_HITS, STORED, NODE_LIMIT, STOPPED, AGE = range(8)
"""Indices into `Thread.counters`. AGE is the age of entries that are written to the table."""
MOST_PLIES = 120
"""The most plies from the root to the deepest position."""
NO_LIMIT = 1 << 62


@native
class Thread(NativeClass):
    """Buffers, counters and the memory for move ordering."""

    moves: IntGrid
    """Moves, at [ply, i]."""
    scores: IntGrid
    line: IntGrid
    """The best line from each ply on, at [ply, i], from column `ply` to `line_end[ply]`."""
    line_end: IntArray
    killers: IntGrid
    """The last two moves that caused a cut-off at a ply, at [ply, 2]."""
    history: IntArray
    """How often and how deep a move caused a cut-off, and did not, at `history_place`."""
    answers: IntArray
    """The move that caused a cut-off after the other side's move, at [side * cells + cell] (a
    counter move: Uiterwijk 1992)."""
    standing: IntArray
    """The evaluation at each ply of the path."""
    cut: IntArray
    """Whether a move is expected to exceed the window, at each ply: 0 or 1."""
    without: IntArray
    """The move that is not tried at a ply, or -1."""
    widths: IntArray
    """The number of moves tried, by depth in plies."""
    logs: IntArray
    """Natural logarithms, times 1024."""
    put_off: IntGrid
    """Moves that come last because another thread is searching them, at [ply, i]."""
    scratch: WordArray
    """A set of cells for temporary use."""
    counters: IntArray
    settings: IntArray
    stop: IntArray


def make_thread(
    cells: int, stop: Stop, settings: Settings, nodes: int | None = None, age: int = 0
) -> Thread:
    """Make a thread with empty memory."""
    plies, array = MOST_PLIES + 2, settings.array()
    counters = np.zeros(
        64, dtype=np.int64
    )  # Larger than needed, because counters of two threads in one cache line would slow both down.
    counters[NODE_LIMIT], counters[AGE] = NO_LIMIT if nodes is None else nodes, age
    stop.watch(counters[NODES:])
    return Thread(
        moves=np.empty((plies, cells), np.int64),
        scores=np.empty((plies, cells), np.int64),
        put_off=np.empty((plies, cells), np.int64),
        line=np.zeros((plies, plies), np.int64),
        line_end=np.zeros(plies + 1, np.int64),
        killers=np.full((plies, 2), -1, np.int64),
        history=np.zeros(4 * cells, np.int64),
        standing=np.zeros(plies + 1, np.int64),
        cut=np.zeros(plies + 1, np.int64),
        without=np.full(plies + 1, -1, np.int64),
        widths=array[WIDTH]
        + np.floor(np.arange(256.0) ** (array[WIDTH_POWER] / 100)).astype(np.int64),
        logs=np.round(1024 * np.log(np.maximum(1, np.arange(max(cells, 256) + 2)))).astype(
            np.int64
        ),
        answers=np.full(2 * cells, -1, np.int64),
        scratch=np.zeros((cells + 63) // 64, np.uint64),
        counters=counters,
        settings=array,
        stop=stop.flag,
    )


@shared
def extend_line(thread: Thread, ply: int, move: int) -> None:
    """Make `move` followed by the best line below it the best line at `ply`."""
    thread.line[ply, ply] = move
    end = max(thread.line_end[ply + 1], ply + 1)
    for i in range(ply + 1, end):
        thread.line[ply, i] = thread.line[ply + 1, i]
    thread.line_end[ply] = end
