"""The transposition table: what is known of positions that were reached before (Greenblatt,
Eastlake and Crocker 1967).

An entry is two words, the data and the key exclusive-or the data (Hyatt and Mann 2002): two threads
may share a table, because an entry torn between their writes no longer matches its key. Data: value
32 bits, depth 14, bound 2, move 16. A bucket holds two entries: the deeper one stays, the other is
always replaced.
"""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Iterator

import numpy as np

from mnkala.errors import BadEngine
from mnkala.native import NativeClass, mix, native, shared
from mnkala.native.objects import WordArray
from mnkala.search.limit import Limit
from mnkala.search.values import HIGHEST

EXACT, LOWER, UPPER = 1, 2, 3
"""The kinds of an entry's value; 0 marks an empty entry."""
COMPLETE = (1 << 14) - 1
"""The depth of a value that rests on finished games alone: deep enough for any question."""

EMPTY = np.uint64(0)
OFFSET = 1 << 31
"""Added to values, so that they are stored without a sign."""
SMALLEST_BITS, LARGEST_BITS = 4, 30
ROOM_BITS = 3
"""A table for n nodes has room for at least 2^ROOM_BITS times half as many, so that collisions are
rare.
"""
KEPT_BITS, MOST_KEPT = 20, 2
"""The size of the tables that are kept for the next search, which is the usual 16 MB, and their
number."""


@native
class Table(NativeClass):
    """A transposition table: two arrays of 2^n words."""

    keys: WordArray
    data: WordArray


_free: list[Table] = []
"""The tables that no search is using."""
_lock = threading.Lock()


def check_bits(bits: int) -> None:
    """Refuse a table that is too small or too large."""
    if not SMALLEST_BITS <= bits <= LARGEST_BITS:
        raise BadEngine(
            f"a table of 2^{bits} entries; the exponent is {SMALLEST_BITS} to {LARGEST_BITS}"
        )


def make_table(bits: int) -> Table:
    """An empty table of 2^bits entries, 16 bytes each."""
    check_bits(bits)
    return Table(np.zeros(1 << bits, dtype=np.uint64), np.zeros(1 << bits, dtype=np.uint64))


def table_bits(bits: int, limit: Limit, most_nodes: float = math.inf) -> int:
    """The size of a table: as requested, or less if a limit of nodes, or the nodes that a depth
    allows, cannot fill it (clearing a large one takes longer than a short search)."""
    most = min(most_nodes, math.inf if limit.nodes is None else limit.nodes)
    return (
        bits
        if most >= 1 << LARGEST_BITS
        else min(bits, max(SMALLEST_BITS, int(most).bit_length() + ROOM_BITS))
    )


@contextlib.contextmanager
def lent_table(bits: int) -> Iterator[Table]:
    """An empty table for the duration of a search; one of the usual size is kept for the next
    search.

    Memory that a process has used is cleared in half a millisecond. New memory costs at least
    ten times as much, and on a virtual machine whose host has to find it 40 ms have been
    measured, most of a short move. So it is touched here, which `Search.prepare` does off the
    clock.
    """
    with _lock:
        table = _free.pop() if bits == KEPT_BITS and _free else None
    table = table or make_table(bits)
    if bits == KEPT_BITS:
        table.keys.fill(0)
        table.data.fill(0)
    try:
        yield table
    finally:
        if bits == KEPT_BITS:
            with _lock:
                _free.append(table)
                del _free[:-MOST_KEPT]


@shared
def find(table: Table, key: np.uint64) -> np.uint64:
    """The data stored for a key, or EMPTY."""
    slot = bucket(table, key)
    for i in range(slot, slot + 2):
        data = table.data[i]
        if table.keys[i] ^ data == key and data != EMPTY:
            return data
    return EMPTY


@shared
def store(
    table: Table, key: np.uint64, value: int, depth: int, bound: int, move: int, ply: int
) -> int:
    """Store an entry; return 1 if it took an empty place, otherwise 0. Proved values are stored
    as a distance from this position, not from the root."""
    if value > HIGHEST:
        value += ply
    elif value < -HIGHEST:
        value -= ply
    data = (np.uint64(value + OFFSET) << np.uint64(32)) | np.uint64(
        (depth << 18) | (bound << 16) | (move + 1)
    )
    slot = bucket(table, key)
    old = table.data[slot]
    if old != EMPTY and table.keys[slot] ^ old != key and depth_of(old) > depth:
        slot += 1
    fresh = 1 if table.data[slot] == EMPTY else 0
    table.keys[slot] = key ^ data
    table.data[slot] = data
    return fresh


@shared
def bucket(table: Table, key: np.uint64) -> int:
    """The first of the two places for a key."""
    return np.int64(mix(key) & np.uint64(len(table.keys) - 2))  # type: ignore[return-value]


@shared
def value_of(data: np.uint64, ply: int) -> int:
    """The value of an entry. A proved value, which is stored as a distance from this position,
    becomes a distance from the root again."""
    value = np.int64(data >> np.uint64(32)) - OFFSET
    if value > HIGHEST:
        value -= ply
    elif value < -HIGHEST:
        value += ply
    return value  # type: ignore[return-value]


@shared
def depth_of(data: np.uint64) -> int:
    """The depth to which the value of an entry was searched."""
    return np.int64((data >> np.uint64(18)) & np.uint64(COMPLETE))  # type: ignore[return-value]


@shared
def bound_of(data: np.uint64) -> int:
    """The kind of the value in an entry: EXACT, LOWER or UPPER."""
    return np.int64((data >> np.uint64(16)) & np.uint64(3))  # type: ignore[return-value]


@shared
def move_of(data: np.uint64) -> int:
    """The best move of an entry, or NO_MOVE."""
    return np.int64(data & np.uint64(0xFFFF)) - 1  # type: ignore[return-value]
