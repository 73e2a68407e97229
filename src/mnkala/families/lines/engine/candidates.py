"""Selects the moves that the search tries, and their order.

If the other side threatens to win with its next move but one (usually by an open three), only two
kinds of moves are left: fours of one's own, and moves that meet the threat. A threat on a cell is
met only on that cell or on one that would then complete a line, because no other move takes
anything from it. So with several such cells a move must be common to what meets each of them; if
there is none, and no four, the game is lost.
"""

from __future__ import annotations

import numpy as np

from mnkala.families.lines.engine.board import (
    CANDIDATES,
    ONE,
    ZERO,
    Board,
    place,
    take_back,
    threat_at,
)
from mnkala.families.lines.engine.patterns import (
    COMPLETES,
    MAKES_FOUR,
    MAKES_THREE,
    THREATS,
    WINS,
    first_of,
    second_of,
)
from mnkala.families.lines.engine.settings import HISTORY_WEIGHT, MOST_HISTORY
from mnkala.families.lines.engine.shared_search import Thread
from mnkala.native import lowest_bit, shared
from mnkala.native.objects import IntArray

TABLE_MOVE, KILLER, ANSWER = 1 << 40, 60, 40
"""Ordering scores: the table's move comes first; the others follow by what they make and prevent,
and by their success elsewhere."""


@shared
def list_candidates(board: Board, mover: int, ply: int, thread: Thread) -> int:
    """List all empty cells near a mark."""
    return list_set(board, CANDIDATES, mover, ply, 0, thread)


@shared
def list_defences(board: Board, mover: int, ply: int, thread: Thread) -> int:
    """List the moves that are left where the other side threatens to win; there are none if the
    game is lost."""
    other, words, scratch = 1 - mover, board.words, thread.scratch
    for word in range(words):
        scratch[word] = ~ZERO
    for word in range(words):
        bits = board.sets[(other * THREATS + WINS) * words + word]
        while bits != ZERO:
            cell = 64 * word + lowest_bit(bits)
            bits &= bits - ONE
            place(board, cell, other)
            for i in range(words):
                meets = board.sets[(other * THREATS + COMPLETES) * words + i]
                if i == cell >> 6:
                    meets |= ONE << np.uint64(cell & 63)
                scratch[i] &= meets
            take_back(board, cell)
    count = list_set(board, mover * THREATS + MAKES_FOUR, mover, ply, 0, thread)
    for word in range(words):
        bits = scratch[word] & ~board.sets[(mover * THREATS + MAKES_FOUR) * words + word]
        while bits != ZERO:
            count = add(board, 64 * word + lowest_bit(bits), mover, ply, count, thread)
            bits &= bits - ONE
    return count


@shared
def list_set(board: Board, which: int, mover: int, ply: int, count: int, thread: Thread) -> int:
    """Write the cells of a set, with their scores, behind those that are there already."""
    for word in range(board.words):
        bits = board.sets[which * board.words + word]
        while bits != ZERO:
            count = add(board, 64 * word + lowest_bit(bits), mover, ply, count, thread)
            bits &= bits - ONE
    return count


@shared
def history_place(threat: int, mover: int, cell: int, size: int) -> int:
    """Where the history of a move is kept: threats and quiet moves apart."""
    return ((2 if threat >= MAKES_THREE else 0) + mover) * size + cell


@shared
def add(board: Board, cell: int, mover: int, ply: int, count: int, thread: Thread) -> int:
    """Write a move and its score; returns how many there are."""
    size = len(board.cells)
    threat = threat_at(board, mover, cell)
    thread.moves[ply, count] = cell
    thread.scores[ply, count] = (
        first_of(board.order[board.combinations[mover * size + cell]])
        + second_of(board.order[board.combinations[(1 - mover) * size + cell]])
        + thread.history[history_place(threat, mover, cell, size)]
        * thread.settings[HISTORY_WEIGHT]
        // MOST_HISTORY
    )
    return count + 1


@shared
def prefer(moves: IntArray, scores: IntArray, count: int, move: int, bonus: int) -> None:
    """Raise the score of a move, if it is in the list."""
    for i in range(count):
        if moves[i] == move:
            scores[i] += bonus
