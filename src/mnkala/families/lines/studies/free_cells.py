"""Report 001's free cells: its swap list against the structures that it dropped (a fresh array for
every node, a linked list, a hash set).

All four hold the free cells of a board and do what a search needs: mark a cell, unmark it again,
list the free cells. Each is written as well as possible, in the same compiled code, on plain
arrays. The work is that of a search: along a random line of play, at every position, some cells are
marked and unmarked, and the free cells are listed once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from mnkala.lab.judging import Sentences, grouped, growth, median_columns, where
from mnkala.lab.measuring import cpu_seconds, rivals_seconds
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, claim, finding, judged, measure
from mnkala.native import kernel
from mnkala.native.objects import IntArray

MARK, LIST, SEARCH = 0, 1, 2
OPERATIONS = {"mark and unmark": MARK, "list": LIST, "search": SEARCH}
"""The operations that are timed: to mark and unmark a cell; to list all free cells; one listing for
every cell marked and unmarked, as in a search.
"""

GOLDEN = 0x9E3779B1
"""Spreads cells over a hash table (Knuth's multiplicative hashing, 32 bits)."""


@kernel
def swap_list(line: IntArray, cells: int, rounds: int, operation: int, out: IntArray) -> int:
    """Do the work with a swap list: the free cells stand at the front of one array, and a marked
    cell changes places with the last free one (report 001; also `families/lines/rules.py`). Like
    the three functions below, it returns a sum that keeps the compiler from leaving work out."""
    free, places = np.arange(cells), np.arange(cells)
    total, count = 0, cells
    for turn in range(rounds):
        for cell in line:  # along the line of play
            if operation != LIST:
                place, other = places[cell], free[count - 1]
                free[place], free[count - 1] = other, cell
                places[other] = place
                count -= 1
            if operation != MARK:
                for i in range(count):
                    out[i] = free[i]
                total += out[turn % count] + count
        if operation != LIST:
            for i in range(len(line) - 1, -1, -1):  # and back
                cell = line[i]
                place = places[cell]
                other = free[place]
                free[count], free[place] = other, cell
                places[other] = count
                count += 1
    return total + count


@kernel
def fresh_array(line: IntArray, cells: int, rounds: int, operation: int, out: IntArray) -> int:
    """Do the work with a new array for every mark and every unmark."""
    free = np.arange(cells)
    total = 0
    for turn in range(rounds):
        for cell in line:
            if operation != LIST:
                fewer = np.empty(len(free) - 1, np.int64)
                kept = 0
                for other in free:
                    if other != cell:
                        fewer[kept] = other
                        kept += 1
                free = fewer
            if operation != MARK:
                for i in range(len(free)):
                    out[i] = free[i]
                total += out[turn % len(free)] + len(free)
        if operation != LIST:
            for i in range(len(line) - 1, -1, -1):
                more = np.empty(len(free) + 1, np.int64)
                more[: len(free)] = free
                more[len(free)] = line[i]
                free = more
    return total + len(free)


@kernel
def linked_list(line: IntArray, cells: int, rounds: int, operation: int, out: IntArray) -> int:
    """Do the work with a doubly linked list whose removed cells remember their neighbours, so that
    they can be put back (Knuth's dancing links, 2000)."""
    after, before = np.arange(1, cells + 2), np.arange(-1, cells)  # the head stands at `cells`
    head = cells
    after[cells - 1], after[head], before[head], before[0] = head, 0, cells - 1, head
    total, count = 0, cells
    for turn in range(rounds):
        for cell in line:
            if operation != LIST:
                after[before[cell]], before[after[cell]] = after[cell], before[cell]
                count -= 1
            if operation != MARK:
                node, listed = after[head], 0
                while node != head:
                    out[listed] = node
                    listed += 1
                    node = after[node]
                total += out[turn % count] + listed
        if operation != LIST:
            for i in range(len(line) - 1, -1, -1):
                cell = line[i]
                after[before[cell]], before[after[cell]] = cell, cell
                count += 1
    return total + count


@kernel
def hash_set(line: IntArray, cells: int, rounds: int, operation: int, out: IntArray) -> int:
    """Do the work with a hash set: open addressing with linear probing, at most half full; cells
    that follow a removed one move up (Knuth, volume 3, 6.4 R)."""
    size = 2
    while size < 2 * cells:
        size *= 2
    slots = np.full(size, -1, np.int64)
    for first in range(cells):
        place = (first * GOLDEN >> 7) & (size - 1)
        while slots[place] >= 0:
            place = (place + 1) & (size - 1)
        slots[place] = first
    total, count = 0, cells
    for turn in range(rounds):
        for cell in line:
            if operation != LIST:
                hole = (cell * GOLDEN >> 7) & (size - 1)
                while slots[hole] != cell:
                    hole = (hole + 1) & (size - 1)
                slot = hole
                while True:
                    slot = (slot + 1) & (size - 1)
                    if slots[slot] < 0:
                        break
                    home = (slots[slot] * GOLDEN >> 7) & (size - 1)
                    if ((slot - home) & (size - 1)) >= ((slot - hole) & (size - 1)):
                        slots[hole] = slots[slot]
                        hole = slot
                slots[hole] = -1
                count -= 1
            if operation != MARK:
                listed = 0
                for i in range(size):
                    if slots[i] >= 0:
                        out[listed] = slots[i]
                        listed += 1
                total += out[turn % count] + listed
        if operation != LIST:
            for i in range(len(line) - 1, -1, -1):
                slot = (line[i] * GOLDEN >> 7) & (size - 1)
                while slots[slot] >= 0:
                    slot = (slot + 1) & (size - 1)
                slots[slot] = line[i]
                count += 1
    return total + count


STRUCTURES: dict[str, Callable[..., Any]] = {
    "swap list": swap_list,
    "fresh array": fresh_array,
    "linked list": linked_list,
    "hash set": hash_set,
}
LONGEST_LINE = 24
"""The plies of the line of play, at most half of the cells: searches of these games go as deep."""


@measure("free-cells", version=1)
def free_cells(
    side: int, operation: str, repeats: int = 7, seconds: float = 0.01, seed: int = 1
) -> list[Row]:
    """The nanoseconds that each structure takes for one operation on a square board; they take
    turns.
    """
    cells = side * side
    line = (
        np.random.default_rng(seed)
        .permutation(cells)[: min(LONGEST_LINE, cells // 2)]
        .astype(np.int64)
    )
    out = np.zeros(cells, np.int64)
    chosen = OPERATIONS[operation]
    rounds = [
        _rounds(function, line, cells, chosen, out, seconds) for function in STRUCTURES.values()
    ]
    works = [
        functools.partial(function, line, cells, many, chosen, out)
        for function, many in zip(STRUCTURES.values(), rounds, strict=True)
    ]
    spent = rivals_seconds(works, repeats, seconds / 2)
    nanoseconds = [
        [1e9 * one / (many * len(line)) for one in some]
        for some, many in zip(spent, rounds, strict=True)
    ]
    ratios = [
        [mine / swap for mine, swap in zip(some, nanoseconds[0], strict=True)]
        for some in nanoseconds
    ]
    return [
        {
            "structure": name,
            "cells": cells,
            **median_columns("ns", some),
            **median_columns("slower", ratio),
        }
        for name, some, ratio in zip(STRUCTURES, nanoseconds, ratios, strict=True)
    ]


def _rounds(
    function: Callable[..., Any],
    line: IntArray,
    cells: int,
    operation: int,
    out: IntArray,
    seconds: float,
) -> int:
    """The number of rounds that last about so long; the first call compiles or loads the kernel."""
    function(line, cells, 1, operation, out)
    few = 20
    return max(
        1,
        int(
            few
            * seconds
            / cpu_seconds(lambda: function(line, cells, few, operation, out), seconds / 4)
        ),
    )


# ---- What the rows say ----


SAY = Sentences(__file__)
MARKING = "mark and unmark"
SWAP, LINKED, FRESH = "swap list", "linked list", "fresh array"
ALIKE = 1.1
"""Times within a tenth of each other count as equal."""
CONSTANT = 0.15
"""A time that grows with a power of the cells no larger than this counts as constant."""


@finding("free-cells")
def in_words(rows: list[Row]) -> str:
    """Say which structure is fastest at which operation, how times grow with the board, and whether
    the report was right to drop the others."""
    search, marks, lists = (
        where(rows, operation=operation) for operation in ("search", MARKING, "list")
    )
    (won, boards), largest = _won(search), _largest(search)
    powers = {
        name: growth(some, "cells", "ns")
        for name, some in grouped(marks, "structure").items()
        if len(some) > 2
    }
    return SAY.finding(
        won=won,
        boards=boards,
        marking=_quickest(marks),
        listing=_quickest(lists),
        largest=max((row["cells"] for row in largest.values()), default=0),
        rivals=_rivals(largest),
        constant=[name for name, found in powers.items() if found[0] < CONSTANT],
        growing=[(name, found) for name, found in powers.items() if found[0] >= CONSTANT],
    )


def _largest(rows: list[Row]) -> dict[str, Row]:
    """The rows of the largest board, by structure."""
    most = max((int(row["cells"]) for row in rows), default=0)
    return {row["structure"]: row for row in where(rows, cells=most)}


def _quickest(rows: list[Row]) -> list[str]:
    """The structures that are fastest on the largest board, or about as fast as the fastest."""
    at_largest = _largest(rows)
    least = min((row["ns"] for row in at_largest.values()), default=0)
    return [name for name, row in at_largest.items() if row["ns"] <= ALIKE * least]


def _rivals(at_largest: dict[str, Row]) -> list[tuple[str, float]]:
    """The time of a search with each of the others, as a multiple of the time with the swap list."""
    return [(name, row["slower"]) for name, row in at_largest.items() if name != SWAP]


def _won(search: list[Row]) -> tuple[int, int]:
    """The number of boards on which the swap list beats every rival, and the number of all
    boards."""
    sizes = grouped(search, "side").values()
    return sum(
        all(row["slower_low"] > 1 for row in some if row["structure"] != SWAP) for some in sizes
    ), len(sizes)


def _worse(search: list[Row]) -> list[bool]:
    """Whether the linked list is slower than the fresh array, from the smallest board to the
    largest.
    """
    found = []
    for _, some in sorted(grouped(search, "cells").items()):
        by_name = {row["structure"]: row["ns"] for row in some}
        if LINKED in by_name and FRESH in by_name:
            found.append(by_name[LINKED] > by_name[FRESH])
    return found


@claim(
    "free-cells",
    report="001",
    says="in a search the swap list is quicker than a fresh array, a linked list and a hash set",
)
def swap_list_is_quickest(rows: list[Row]) -> Judgement:
    """Judge by the intervals of the rivals' times, as multiples of the swap list's, on every
    board."""
    search = where(rows, operation="search")
    if not search:
        return NOT_TOLD
    won, boards = _won(search)
    beaten = any(row["slower_high"] < 1 for row in search if row["structure"] != SWAP)
    return judged(
        won == boards, beaten, SAY.fastest(won=won, boards=boards, rivals=_rivals(_largest(search)))
    )


@claim("free-cells", report="001", says="the swap list marks and unmarks a cell in constant time")
def marks_in_constant_time(rows: list[Row]) -> Judgement:
    """Judge by the power with which the time to mark a cell grows with the number of cells, and its
    interval."""
    marks = where(rows, operation=MARKING, structure=SWAP)
    if len(marks) < 3:
        return NOT_TOLD
    found = growth(marks, "cells", "ns")
    return judged(found[2] < CONSTANT, found[1] > CONSTANT, SAY.constant_time(growth=found))


@claim("free-cells", report="001", says="a linked list does worse than a fresh array")
def linked_list_is_worse(rows: list[Row]) -> Judgement:
    """Judge by all boards together: it is worse on all of them, or on none."""
    worse = _worse(where(rows, operation="search"))
    if not worse:
        return NOT_TOLD
    larger = 0 < sum(worse) < len(worse) and worse == sorted(worse)
    return judged(
        all(worse),
        not any(worse),
        SAY.linked_list(worse=sum(worse), boards=len(worse), larger=larger),
    )
