"""The transposition table of a game: it is kept from one move of a game to the next, so entries
have an age.

The entries are those of `search.table`, but for the depth, which gives six of its bits to the age;
a bucket has four of them. A new one takes the place of the same position, or of the entry that is
worth least: a shallow one, or one that was written many moves ago.

A table is kept for whoever asks next with the same engine, for the same player and a later position
of the same game. Any other question finds an empty one, so that the same question has the same
answer whenever it is asked.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import threading
from collections.abc import Iterator

import numpy as np

from mnkala.native import mix, prefetch, shared
from mnkala.search.root import Task
from mnkala.search.table import EMPTY, KEPT_BITS, OFFSET, Table, make_table
from mnkala.search.values import HIGHEST

BUCKET = 4
AGES = 64
YEARS = 4
"""This many plies of depth outweigh one move of age."""
DEEPEST_KEPT = 255
MOST_KEPT = 4
"""The number of games whose tables are kept. One of the usual size has 16 MB; a larger one is kept
only for a search that asks for it."""
MOST_FREE = 2


@dataclasses.dataclass(frozen=True)
class Kept:
    """A table, and the search that used it last."""

    table: Table
    age: int
    history: tuple[int, ...]


_kept: collections.OrderedDict[tuple[str, str, int], Kept] = collections.OrderedDict()
_free: list[Table] = []
_lock = threading.Lock()


@contextlib.contextmanager
def game_table(task: Task, bits: int, keep: bool) -> Iterator[tuple[Table, int]]:
    """Lend a table of 2^bits entries for a search, with the age of new entries.

    It contains what an earlier move of the game left there, or is empty.
    """
    position = task.position
    key, history = (task.engine, position.game, position.mover), tuple(position.history_codes)
    with _lock:
        last = _kept.pop(key, None)
        fits = last is not None and len(last.table.keys) == 1 << bits
        goes_on = (
            keep
            and last is not None
            and fits
            and len(last.history) < len(history)
            and history[: len(last.history)] == last.history
        )
        free = (
            None if fits else next((table for table in _free if len(table.keys) == 1 << bits), None)
        )
        if free is not None:
            _free[:] = [table for table in _free if table is not free]
    if last is not None and goes_on:
        table, age = last.table, (last.age + 1) % AGES
    else:
        table, age = (last.table if last is not None and fits else free or make_table(bits)), 0
        table.keys.fill(
            0
        )  # Also new memory, slow to touch for the first time; `prepare` does it off the clock.
        table.data.fill(0)
    try:
        yield table, age
    finally:
        with _lock:
            if keep or bits <= KEPT_BITS:
                _kept[key] = Kept(table, age, history)
            while len(_kept) > MOST_KEPT:
                _free.append(_kept.popitem(last=False)[1].table)
                del _free[:-MOST_FREE]


@shared
def find(table: Table, key: np.uint64) -> np.uint64:
    """The data stored for a key, or EMPTY."""
    slot = bucket(table, key)
    for i in range(slot, slot + BUCKET):
        data = table.data[i]
        if table.keys[i] ^ data == key and data != EMPTY:
            return data
    return EMPTY


@shared
def fetch(table: Table, key: np.uint64) -> None:
    """Let the processor fetch the bucket of a key, which will be needed soon."""
    slot = bucket(table, key)
    prefetch(table.keys, slot)
    prefetch(table.data, slot)


@shared
def store(
    table: Table, key: np.uint64, value: int, depth: int, bound: int, move: int, ply: int, age: int
) -> int:
    """Store an entry; return 1 if it took an empty place, else 0. Proved values are stored as a
    distance from this position, not from the root."""
    if value > HIGHEST:
        value += ply
    elif value < -HIGHEST:
        value -= ply
    slot = bucket(table, key)
    chosen, least = slot, 1 << 20
    for i in range(slot, slot + BUCKET):
        data = table.data[i]
        if data == EMPTY or table.keys[i] ^ data == key:
            chosen = i
            break
        worth = depth_of(data) - YEARS * ((age - age_of(data)) % AGES)
        if worth < least:
            chosen, least = i, worth
    fresh = 1 if table.data[chosen] == EMPTY else 0
    small = (age << 26) | (min(depth, DEEPEST_KEPT) << 18) | (bound << 16) | (move + 1)
    data = (np.uint64(value + OFFSET) << np.uint64(32)) | np.uint64(small)
    table.keys[chosen] = key ^ data
    table.data[chosen] = data
    return fresh


@shared
def bucket(table: Table, key: np.uint64) -> int:
    """The first of the places for a key."""
    return np.int64(mix(key) & np.uint64(len(table.keys) - BUCKET))  # type: ignore[return-value]


@shared
def depth_of(data: np.uint64) -> int:
    """The depth to which the value of an entry was searched."""
    return np.int64((data >> np.uint64(18)) & np.uint64(DEEPEST_KEPT))  # type: ignore[return-value]


@shared
def age_of(data: np.uint64) -> int:
    """The age of the game when an entry was written."""
    return np.int64((data >> np.uint64(26)) & np.uint64(AGES - 1))  # type: ignore[return-value]
