"""Victory by continuous fours (VCF): every move of the attacker is a four, so every answer is
forced and the proof is one line of play.

It is sound, because the defender never has a choice: a four leaves one cell to take. It is
complete up to the number of fours that it may try, because all fours are tried. Longer and
longer victories are looked for, so the one found is a shortest one; failures with so many fours
are kept in a table of their own.
"""

from __future__ import annotations

import numpy as np

from mnkala.families.lines.engine.board import (
    NO_CELL,
    ONE,
    ZERO,
    Board,
    cell_for,
    count_of,
    place,
    take_back,
    threat_at,
    typed,
)
from mnkala.families.lines.engine.patterns import COMPLETES, MAKES_FOUR, THREATS, WINS, first_of
from mnkala.native import NativeClass, kernel, lowest_bit, mix, native, shared
from mnkala.native.objects import IntArray, IntGrid, WordArray
from mnkala.search.pvs import pick_best

NODES, NODE_LIMIT, GAVE_UP = range(3)
"""Indices into `Fours.numbers`. GAVE_UP: the limit of nodes was reached, or not every four could be
tried, so that a failure proves nothing."""
MOST_FOURS = 60
"""The attacker's moves in the longest victory that is looked for."""
MOST_CHOICES = 64
"""The most fours that are tried in a position; where there are more, a failure proves nothing."""
TABLE_BITS = 16
ATTACKER = np.uint64(0x9E3779B97F4A7C15)
LEFT_BITS = np.uint64(63)


@native
class Fours(NativeClass):
    """The arrays that a search for fours writes to."""

    line: IntGrid
    """The victory from each depth on, at [moves, i]: attacker's move, defender's answer, and so on."""
    length: IntArray
    choices: IntGrid
    scores: IntGrid
    failed: WordArray
    """The keys of positions, with the last six bits replaced by the number of moves with which
    there is no victory."""
    numbers: IntArray
    stop: IntArray


def make_fours(stop: IntArray, rows: int = MOST_FOURS + 2) -> Fours:
    """Allocate the arrays of one thread."""
    return Fours(
        line=np.zeros((rows, 2 * MOST_FOURS + 4), np.int64),
        length=np.zeros(rows, np.int64),
        choices=np.zeros((rows, MOST_CHOICES), np.int64),
        scores=np.zeros((rows, MOST_CHOICES), np.int64),
        failed=np.zeros(1 << TABLE_BITS, np.uint64),
        numbers=np.zeros(8, np.int64),
        stop=stop,
    )


@kernel
def attack(board: Board, attacker: int, left: int, depth: int, fours: Fours) -> int:
    """The attacker's moves to a victory by at most `left` of them, or 0, with the attacker to move."""
    numbers = fours.numbers
    # 1. Complete a line, or with one more move make two ways to complete one.
    if count_of(board, attacker, COMPLETES) > 0:
        fours.line[depth, 0] = cell_for(board, attacker, COMPLETES)
        fours.length[depth] = 1
        return 1
    if left < 2:
        return 0
    defender = 1 - attacker
    forced = NO_CELL
    if count_of(board, defender, COMPLETES) > 0:
        if count_of(board, defender, COMPLETES) > 1:
            return 0
        forced = cell_for(board, defender, COMPLETES)
        if threat_at(board, attacker, forced) < MAKES_FOUR:
            return 0
    elif count_of(board, attacker, WINS) == 0 and (
        left == 2 or count_of(board, attacker, MAKES_FOUR) == 0
    ):
        return 0
    # 2. Stop, or find a known failure.
    numbers[NODES] += 1
    if numbers[NODES] >= numbers[NODE_LIMIT] or fours.stop[0] != 0:
        numbers[GAVE_UP] = 1
        return 0
    key = mix(board.hash[0] ^ (ATTACKER if attacker == 1 else ZERO)) & ~LEFT_BITS
    place_in_table = np.int64(key >> np.uint64(64 - TABLE_BITS))
    entry = fours.failed[place_in_table]
    if entry & ~LEFT_BITS == key and np.int64(entry & LEFT_BITS) >= left:
        return 0
    # 3. Try all fours, the most promising first.
    count = 0
    if forced != NO_CELL:
        fours.choices[depth, 0] = forced
        count = 1
    else:
        count = list_fours(board, attacker, WINS, depth, 0, fours)
        if count == 0:
            count = list_fours(board, attacker, MAKES_FOUR, depth, 0, fours)
        if count == MOST_CHOICES:
            numbers[GAVE_UP] = 1
    for i in range(count):
        cell = pick_best(fours.choices[depth], fours.scores[depth], i, count)
        place(board, cell, attacker)
        answer = cell_for(board, attacker, COMPLETES)
        if count_of(board, attacker, COMPLETES) > 1:
            take_back(board, cell)
            fours.line[depth, 0], fours.line[depth, 1] = cell, answer
            fours.length[depth] = 2
            return 2
        found = 0
        if left > 2:
            place(board, answer, defender)
            found = attack(board, attacker, left - 1, depth + 1, fours)
            take_back(board, answer)
        take_back(board, cell)
        if found > 0:
            fours.line[depth, 0], fours.line[depth, 1] = cell, answer
            for j in range(fours.length[depth + 1]):
                fours.line[depth, j + 2] = fours.line[depth + 1, j]
            fours.length[depth] = fours.length[depth + 1] + 2
            return found + 1
    if numbers[GAVE_UP] == 0:
        fours.failed[place_in_table] = key | np.uint64(left)
    return 0


@shared
def list_fours(
    board: Board, attacker: int, threat: int, depth: int, count: int, fours: Fours
) -> int:
    """Append a set of fours with their scores to the list."""
    size = len(board.cells)
    for word in range(board.words):
        bits = board.sets[(attacker * THREATS + threat) * board.words + word]
        while bits != ZERO and count < MOST_CHOICES:
            cell = 64 * word + lowest_bit(bits)
            bits &= bits - ONE
            fours.choices[depth, count] = cell
            fours.scores[depth, count] = first_of(
                board.order[board.combinations[attacker * size + cell]]
            )
            count += 1
    return count


@kernel
def shortest(board: Board, attacker: int, most: int, nodes: int, fours: Fours) -> int:
    """The attacker's moves in a shortest victory by fours of at most `most` moves, or 0; its line
    is then in `fours.line[0]`.

    With `GAVE_UP` set, 0 proves nothing, because the limit of nodes was reached.
    """
    fours.numbers[GAVE_UP] = 0
    fours.numbers[NODE_LIMIT] = fours.numbers[NODES] + nodes
    for left in range(1, min(most, MOST_FOURS) + 1):
        found = attack(board, attacker, left, typed(ZERO), fours)
        if found > 0 or fours.numbers[GAVE_UP] != 0:
            return found
    return 0


@kernel
def forced_win(board: Board, attacker: int, most: int, nodes: int, fours: Fours) -> int:
    """The attacker's moves in a victory by fours, not necessarily a shortest one, or 0. It is
    faster than `shortest`."""
    fours.numbers[GAVE_UP] = 0
    fours.numbers[NODE_LIMIT] = fours.numbers[NODES] + nodes
    return attack(board, attacker, most, typed(ZERO), fours)
