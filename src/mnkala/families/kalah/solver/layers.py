"""The endgame database of Kalah, layer by layer: the margin to come of every position with so many seeds left.

A move either brings a seed into a store, and then what follows has fewer seeds, or it stays within the mover's row and passes the turn. So
a layer of n seeds needs those below it, and within it a position needs only the same two rows with one of them sown: its number is smaller
(`board`). With the rows X and Y of a pair, taken in the order of their numbers, "X to move" needs "Y to move" with a smaller X, and the
other way round; so the two positions of each pair are found one after the other, for every X and for every Y up to where all is known. No
position is visited twice.

Blocks of a layer, by the seeds in either row, need nothing of each other: threads share them out.
"""

from __future__ import annotations

import functools
import itertools

import numpy as np

from mnkala.families.kalah.rules import Kalah, seeds_in
from mnkala.families.kalah.solver.board import STEP, Board, board_for, number_of, positions_up_to, sow
from mnkala.native import kernel, shared
from mnkala.native.objects import ByteArray, IntArray, WordArray

NONE = -128
"""Below every margin."""


@functools.lru_cache(maxsize=64)
def rows_of(houses: int, seeds: int) -> WordArray:
    """All rows of so many houses and seeds, in the order of their numbers: by the last partial sum, then by the one before it, and so
    on."""
    sums = itertools.combinations_with_replacement(range(seeds + 1), houses - 1)
    rows = []
    for partial in sorted(sums, key=lambda partial: partial[::-1]):
        counts = np.diff([0, *partial, seeds])
        rows.append(sum(int(count) << 8 * house for house, count in enumerate(counts)))
    return np.array(rows, np.uint64)


@shared
def best_margin(own: np.uint64, other: np.uint64, database: ByteArray, rules: Kalah, board: Board) -> int:
    """The margin to come of a position, from those after each of its moves."""
    best = NONE
    for house in range(board.houses):
        if seeds_in(own, house) != 0:
            over, again, gain, child, child_other = sow(own, other, house, rules)
            margin = gain
            if not over:
                left = int(database[number_of(child, child_other, board)])
                margin = gain + left if again else gain - left
            best = max(best, margin)
    return best


@kernel
def fill_block(firsts: WordArray, seconds: WordArray, start: int, mine: int, theirs: int, database: ByteArray, rules: Kalah, board: Board,
               stop: IntArray) -> int:
    """Write the margins of all positions with one of the first rows, of `mine` seeds, against one of the second, of `theirs`, whoever is to
    move; from the first row `start` on. Answers how many first rows are done."""
    here, there = board.blocks[mine * STEP + theirs], board.blocks[theirs * STEP + mine]
    for i in range(start, len(firsts)):
        if stop[0] != 0:
            return i
        # With as many seeds in either row both are of one kind: pairs are taken once.
        for j in range(len(seconds) if mine != theirs else i + 1):
            database[here + i * len(seconds) + j] = best_margin(firsts[i], seconds[j], database, rules, board)
            database[there + j * len(firsts) + i] = best_margin(seconds[j], firsts[i], database, rules, board)
    return len(firsts)


def prepare(rules: Kalah) -> None:
    """Compile (or load) the builder, by a layer of two seeds that is kept nowhere."""
    board, rows = board_for(rules), rows_of(rules.houses, 1)
    fill_block(rows, rows, 0, 1, 1, np.zeros(positions_up_to(2, board), np.int8), rules, board, np.zeros(1, np.int64))
