"""The buffers that one thread of a solver writes to, and how several threads avoid each other's
work.

All threads work on the same question and share the table. A child that one thread is searching is
left to the end by the others, and a thread that has the answer for a position calls back those that
are still below it (Kerrigan's simplified form of Weill's ABDADA, 1996; the calling back is mnkala's
own).

Positions on the path from a question to where a thread is have *levels*, which fall by at least one
from each to the next: the empty cells of Connect, a number that is counted down in Kalah.
"""

from __future__ import annotations

import numpy as np

from mnkala.native import NativeClass, load, low, native, shared
from mnkala.native.objects import IntArray, WordArray
from mnkala.solve.table import ZERO, Keys, find, lower_bound, scattered, signed, upper_bound

NODES, NODE_LIMIT, HALT, SIZE, LARGEST, HELD, THREADS, NUMBER, MEMORY = range(9)
"""Places in `ThreadData.control`. SIZE: buckets of the table as a power of two, and LARGEST what it
may grow to; HELD: its entries; THREADS: how many share it; NUMBER: which of them this is; MEMORY:
how much of `ThreadData.history` is in use, as a power of two, where a solver uses more or less.
"""
GOING, STOPPED, TABLE_FULL = range(3)
"""The values of HALT."""
NO_LIMIT = 1 << 62
BUSY_MASK = np.uint64(1023)
"""The number of places in `ThreadData.busy`, less one: far more than there are threads, so that
two keys seldom collide."""
LEVELS = 64
"""The number of levels of positions on a path."""
APART = 8
"""How many 64-bit numbers apart two threads write, so that they never share a cache line."""
NOTHING, AGAIN = 1001, 1002
"""Messages from other threads besides an answer: nothing, or that the search must be repeated."""

KEY = 3
"""The index of the word KEY of a child on the stack, the same for all solvers."""
LEFT, RANK = 0, 4
"""Indices of numbers of a child on the stack: how much of the game is left, which decides whether
the child is worth sharing; and which child has rank i."""
FIELDS = 6
"""The number of words, and of numbers, of a child on the stack."""


@native
class ThreadData(NativeClass):
    """Everything that one thread of a solver writes to."""

    words: WordArray
    """The stack of children, at [(ply * most children + child) * FIELDS + field]."""
    numbers: IntArray
    control: IntArray
    stop: IntArray
    """The flag by which the caller stops the search."""
    answered: IntArray
    """Set by the thread that has the answer."""
    table: WordArray
    busy: WordArray
    """The keys of positions that some thread is searching. This array and the next two are
    shared by all threads of a question."""
    paths: WordArray
    """The positions on every thread's path from the question to its current one, at [thread *
    LEVELS + level]."""
    leave: IntArray
    """At [thread * APART]: the level of a position on a thread's path that another thread has
    answered; 0 if there is none."""
    history: IntArray
    """How often a move was the answer, in places that the solver defines."""


def make_threads(
    count: int, stack: int, history: int, table: WordArray, largest: int
) -> list[ThreadData]:
    """Allocate the buffers of `count` threads that share a table, with room for a number of fields
    on the stack."""
    answered = np.zeros(1, dtype=np.int64)
    busy = np.zeros(int(BUSY_MASK) + 1, dtype=np.uint64)
    paths = np.zeros(LEVELS * count, dtype=np.uint64)
    leave = np.zeros(APART * count, dtype=np.int64)
    threads = []
    for number in range(count):
        # Larger than needed: counters of two threads in one cache line would slow both down.
        control = np.zeros(64, dtype=np.int64)
        control[LARGEST], control[NODE_LIMIT], control[NUMBER], control[THREADS] = (
            largest,
            NO_LIMIT,
            number,
            count,
        )
        threads.append(
            ThreadData(
                np.zeros(stack, np.uint64),
                np.zeros(stack, np.int64),
                control,
                np.zeros(1, np.int64),
                answered,
                table,
                busy,
                paths,
                leave,
                np.zeros(history, np.int64),
            )
        )
    return threads


def begin_question(threads: list[ThreadData]) -> None:
    """Reset the shared state before a new question."""
    first = threads[0]
    first.answered[0] = 0
    first.busy[:] = ZERO
    first.paths[:] = ZERO
    first.leave[:] = 0
    for thread in threads:
        thread.control[HALT] = GOING


@shared
def choose_child(
    stack: int,
    rank: int,
    count: int,
    put_off: int,
    key: np.uint64,
    level: int,
    share: int,
    thread: ThreadData,
    keys: Keys,
) -> int:
    """Choose as the next child one that no other thread is searching, unless all have been put
    off once, and announce it. The first child is searched by all threads together as long as
    there is something to share below it (more than `share` is left), because it is the likely
    answer."""
    numbers, busy = thread.numbers, thread.busy
    while True:
        number = numbers[stack + rank * FIELDS + RANK]
        wide = load(thread.words, stack + number * FIELDS + KEY, key)
        place = signed(scattered(wide, keys) & BUSY_MASK)
        child = low(wide)
        together = rank == 0 and numbers[stack + number * FIELDS + LEFT] > share
        if together or rank + put_off >= count or busy[place] != child:
            break
        put_off += 1
        for i in range(rank, count - 1):
            numbers[stack + i * FIELDS + RANK] = numbers[stack + (i + 1) * FIELDS + RANK]
        numbers[stack + (count - 1) * FIELDS + RANK] = number
    busy[place] = child
    thread.paths[thread.control[NUMBER] * LEVELS + level] = low(key)
    return put_off


@shared
def leave_child(
    child: np.uint64, key: np.uint64, above: int, level: int, thread: ThreadData, keys: Keys
) -> int:
    """Decide what a child's answer means: NOTHING new, AGAIN if it was broken off, or the answer
    for its parent that came from another thread. If a position further up was answered, the
    returned number is not used."""
    control = thread.control
    thread.busy[signed(scattered(child, keys) & BUSY_MASK)] = ZERO
    mine = control[NUMBER] * APART
    answer = NOTHING
    if thread.leave[mine] > level:
        answer = 0
    else:
        entry = find(key, thread.table, control[SIZE], keys)
        if entry != ZERO and upper_bound(entry) <= above:
            answer = upper_bound(entry)
        elif entry != ZERO and lower_bound(entry) > above:
            answer = lower_bound(entry)
        elif thread.leave[mine] != 0:
            answer = AGAIN
        thread.leave[mine] = 0
    if answer != NOTHING:
        thread.paths[control[NUMBER] * LEVELS + level] = ZERO
    return answer


@shared
def call_back(key: np.uint64, level: int, thread: ThreadData) -> None:
    """Tell the other threads that this position is answered."""
    control = thread.control
    thread.paths[control[NUMBER] * LEVELS + level] = ZERO
    for other in range(control[THREADS]):
        if thread.paths[other * LEVELS + level] == low(key) and thread.leave[other * APART] < level:
            thread.leave[other * APART] = level
