"""How the q best of many moves are chosen: report 001's heap of q moves, and what it measured that against and dropped.

A heap that never grows beyond q costs O(n log q), a full sort O(n log n), and quickselect O(n) in the mean and a sort of the q at last.
"""

from __future__ import annotations

from mnkala.native import shared
from mnkala.native.objects import IntArray
from mnkala.search.candidates import keep_best

HEAP, SORT, QUICKSELECT, NONE = range(4)
SELECTIONS = {"heap": HEAP, "sort": SORT, "quickselect": QUICKSELECT, "none": NONE}


@shared
def select_best(moves: IntArray, scores: IntArray, count: int, wanted: int, selection: int) -> int:
    """Put the best moves in front, best first, in one of the three ways."""
    if selection == HEAP:
        return keep_best(moves, scores, count, wanted)
    if selection == QUICKSELECT:
        quickselect(moves, scores, count, wanted)
        count = min(count, wanted)
    insertion_or_heap_sort(moves, scores, count)
    return min(count, wanted)


@shared
def insertion_or_heap_sort(moves: IntArray, scores: IntArray, count: int) -> None:
    """Sort all moves, best first: by insertion while they are few, else by a heap of all of them, O(n log n)."""
    if count > 16:
        keep_best(moves, scores, count, count)
        return
    for i in range(1, count):
        move, score = moves[i], scores[i]
        j = i
        while j > 0 and scores[j - 1] < score:
            moves[j], scores[j] = moves[j - 1], scores[j - 1]
            j -= 1
        moves[j], scores[j] = move, score


@shared
def quickselect(moves: IntArray, scores: IntArray, count: int, wanted: int) -> None:
    """Move the `wanted` best in front, unsorted (Hoare 1961)."""
    low, high = 0, count - 1
    while low < high:
        pivot = scores[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while scores[i] > pivot:
                i += 1
            while scores[j] < pivot:
                j -= 1
            if i <= j:
                moves[i], moves[j] = moves[j], moves[i]
                scores[i], scores[j] = scores[j], scores[i]
                i += 1
                j -= 1
        if wanted - 1 <= j:
            high = j
        elif wanted - 1 >= i:
            low = i
        else:
            return
