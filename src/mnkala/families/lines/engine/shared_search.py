"""How two threads on one table keep out of each other's way.

Both search the same moves in the same order. A move below which the other thread is at work is put off until the others are done, and then
looked up, most often (Kerrigan's simplified form of Weill's ABDADA, 1996); only the first move of a position, which sets the window of all
others, is searched together. Who has answered for a position calls the other thread back that is still below it (as in
`solve.common.threads`).

Whatever the other thread does can only change what is found in the table: a place that is overwritten in a race costs some work twice.
"""

from __future__ import annotations

import numpy as np

from mnkala.native import NativeClass, mix, native, shared
from mnkala.native.objects import IntArray, WordArray

PLACES = 1024
"""Places for positions that a thread is at: far more than there are, so that two seldom meet."""
APART = 8
"""How many numbers of 64 bits apart two threads write: never into one cache line."""
LEAST_DEPTH = 3
"""Positions so many plies in front of the horizon, or more, are shared."""
NOBODY = np.uint64(0)


@native
class Sharing(NativeClass):
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


def share(threads: int, plies: int) -> list[Sharing]:
    """What so many threads need, each of them."""
    count = PLACES if threads > 1 else 0
    busy, paths, called = np.zeros(count, np.uint64), np.zeros(threads * plies, np.uint64), np.zeros(threads * APART, np.int64)
    return [Sharing(threads, number, busy, paths, called) for number in range(threads)]


@shared
def is_called(sharing: Sharing) -> bool:
    """Whether the other thread has answered for a position on our way."""
    return sharing.called[sharing.number * APART] != 0


@shared
def is_busy(sharing: Sharing, key: np.uint64) -> bool:
    """Whether some thread is below this position."""
    return sharing.busy[place_of(key)] == key


@shared
def come_to(sharing: Sharing, child: np.uint64, key: np.uint64, ply: int) -> None:
    """Say that we are below a child of the position with this key."""
    sharing.busy[place_of(child)] = child
    sharing.paths[sharing.number * (len(sharing.paths) // sharing.threads) + ply] = key


@shared
def leave(sharing: Sharing, child: np.uint64, ply: int) -> None:
    """Say that we no longer are."""
    sharing.busy[place_of(child)] = NOBODY
    sharing.paths[sharing.number * (len(sharing.paths) // sharing.threads) + ply] = NOBODY


@shared
def place_of(key: np.uint64) -> int:
    """The place in `busy` for a position."""
    return np.int64(mix(key) & np.uint64(PLACES - 1))  # type: ignore[return-value]


@shared
def hear(sharing: Sharing, ply: int) -> bool:
    """Whether a call was for the position at this ply or for one below it, and so is dealt with; one for a position further up is not."""
    here = sharing.number * APART
    if sharing.called[here] <= ply:
        return False
    sharing.called[here] = 0
    return True


@shared
def call_back(sharing: Sharing, key: np.uint64, ply: int) -> None:
    """Tell the other threads that a position is answered."""
    plies = len(sharing.paths) // sharing.threads
    for other in range(sharing.threads):
        called = sharing.called[other * APART]
        if other != sharing.number and sharing.paths[other * plies + ply] == key and (called == 0 or called > ply + 1):
            sharing.called[other * APART] = 1 + ply
