"""Looks a few moves ahead by estimates, for the move ordering where much is still to be searched.

Far from the end the estimate of a single position errs by four seeds, so that a search would often
begin with the wrong move and waste the nodes below it. A search of limited depth costs little there
and picks better. Its answers affect nothing but the order.
"""

from __future__ import annotations

import numpy as np

from mnkala.families.kalah.rules import Kalah, seeds_in
from mnkala.families.kalah.solver.board import Board, key_of, sow
from mnkala.families.kalah.solver.estimate import chain, estimate, largest_capture, turn_at_hand
from mnkala.families.kalah.solver.weights import (
    CAPTURED,
    HOUSE,
    LANE,
    LANES,
    LEFT_OVER,
    LIFTED,
    LINEAR,
    MANY_SEEDS,
    MOST_CAPTURED,
    MOST_SEEDS,
    MOST_TURNS,
    NETWORK_HOUSES,
    NETWORK_SHARE,
    OF_OTHER,
    OUTPUT,
    SIGHTS,
    SURPLUS,
    TURNS,
    UNIT,
    WORDS,
    ZERO_LINE,
)
from mnkala.native import kernel, shared
from mnkala.solve.table import scattered, signed
from mnkala.solve.threads import FIELDS, MEMORY, NODES, RANK, ThreadData

# ---- A small network for the move ordering ----
#
# A sum over houses cannot see that an empty house lies opposite a full one. This network can: each
# house of both rows with its number of seeds, the chain of extra turns and the largest capture of
# both sides are sixteen *sights*, each a row of a table; the rows are added, a unit counts if its
# sum is positive (a rectifier), and the units are added by weights. One hidden layer is all there
# is, as in the unit counts if its sum is positive (a rectifier), and the units are added with
# weights. There is a single hidden layer, as in the
#
# Four units share a word, 16 bits each, so that one addition adds four. An entry has 12 bits, and
# sixteen of them never carry over. The last unit is no rectifier but a plain sum, the linear part.
# All are whole numbers: a search visits the same nodes on every machine.
#
# `python -m bench.fit_kalah_network` made the tables from exact margins of 150,000 positions per
# rule that searches met. On openings that were not fitted it errs by 3.7 seeds (R2 0.87), under the
# standard rule by 3.4 (0.84).


@shared
def seen_by_network(
    own: np.uint64, other: np.uint64, extra: int, capture: int, board: Board, rules: Kalah
) -> int:
    """Estimate the margin to come with the network, in hundredths of a seed, given the mover's
    extra turns and largest capture."""
    # 1. Find the beginnings of the sights' rows.
    row_of_other, extra_of_other = chain(other, board)
    capture_of_other = largest_capture(row_of_other, own, board, rules)
    own_1, own_2, own_3 = house_row(own, 0, 0), house_row(own, 1, 0), house_row(own, 2, 0)
    own_4, own_5, own_6 = house_row(own, 3, 0), house_row(own, 4, 0), house_row(own, 5, 0)
    other_1, other_2, other_3 = (
        house_row(other, 0, NETWORK_HOUSES),
        house_row(other, 1, NETWORK_HOUSES),
        house_row(other, 2, NETWORK_HOUSES),
    )
    other_4, other_5, other_6 = (
        house_row(other, 3, NETWORK_HOUSES),
        house_row(other, 4, NETWORK_HOUSES),
        house_row(other, 5, NETWORK_HOUSES),
    )
    turns, captured = (
        (TURNS + min(extra, MOST_TURNS)) * WORDS,
        (CAPTURED + min(capture, MOST_CAPTURED)) * WORDS,
    )
    other_turns = (TURNS + OF_OTHER + min(extra_of_other, MOST_TURNS)) * WORDS
    other_captured = (CAPTURED + OF_OTHER + min(capture_of_other, MOST_CAPTURED)) * WORDS
    # 2. Add their rows, four units at once.
    table, weights = board.network, board.network_weights
    value, linear = 0, 0
    for i in range(WORDS):
        word = (
            table[own_1 + i]
            + table[own_2 + i]
            + table[own_3 + i]
            + table[own_4 + i]
            + table[own_5 + i]
            + table[own_6 + i]
            + table[other_1 + i]
            + table[other_2 + i]
            + table[other_3 + i]
            + table[other_4 + i]
            + table[other_5 + i]
            + table[other_6 + i]
            + table[turns + i]
            + table[captured + i]
            + table[other_turns + i]
            + table[other_captured + i]
        )
        # 3. Rectify, and add with weights.
        for lane in range(LANES):
            linear = signed(word & np.uint64(0xFFFF)) - SIGHTS * ZERO_LINE
            value += weights[i * LANES + lane] * max(linear, 0)
            word >>= np.uint64(LANE)
    # 4. The last unit is the linear part, and its weight is zero.
    return value // (UNIT * OUTPUT // 100) + linear * 100 // LINEAR


@shared
def house_row(row: np.uint64, house: int, first: int) -> int:
    """The index at which the table's row of a house begins."""
    return ((first + house) * (MOST_SEEDS + 1) + min(seeds_in(row, house), MOST_SEEDS)) * WORDS


# ---- Search ----


OWN, OTHER, SURE, EXTRAS, CAPTURE = 0, 1, 2, 4, 5
"""Words of a child on the stack besides its KEY. SURE is what `surely` says about it; EXTRAS and
CAPTURE are its mover's `turn_at_hand`."""
SEEDS, SIGN, MOVE, ORDER, GAIN = 0, 1, 2, 3, 5
"""Numbers of a child on the stack besides its RANK. SIGN is 1 if the parent's mover moves again,
else -1; GAIN is the certain part of the margin to come, for the parent's mover; the rest is SIGN
times the child's own."""
PLACE = SEEDS
"""The number of a child that is only looked up in the database."""
HUNDRED = 100
OVER = 1 << 30
"""The order of a move that ends the game in the mover's favour, above all others."""
EXTRA = 1 << 20
"""The order of an extra turn, above all other moves; the one nearest to the store comes first."""
NO_MOVE = 7
"""The code in the memory for no move. (With eight houses the last one is not stored.)"""
MEMORY_BITS, SMALL_MEMORY_BITS = 17, 10
"""The size of the memory for looking ahead, as a power of two of words in `ThreadData.history`, and
how much of it a position takes where only the guess looks ahead."""
VALUE_OFFSET = 1 << 13
"""Added to a value in the memory so that it is not negative: 62 seeds are 6,200."""


@shared
def order_of(
    house: int,
    lifted: int,
    seeds: int,
    gain: int,
    sign: int,
    own: np.uint64,
    other: np.uint64,
    extra: int,
    capture: int,
    above: int,
    many: bool,
    board: Board,
    rules: Kalah,
) -> int:
    """How promising a move without an extra turn is: by how much the estimated margin after it
    exceeds the question, and moves that leave few seeds first, because they are settled soon.

    `many` selects the weights by the number of seeds before the move.
    """
    weights = board.order if many else board.late_order
    looks = estimate(own, other, extra, capture, board, rules, weights)
    if many and len(board.network) > 0:
        looks += (
            NETWORK_SHARE * seen_by_network(own, other, extra, capture, board, rules) // HUNDRED
        )
    value = HUNDRED * (gain - above) + sign * looks
    if value > 0:
        value = value * weights[SURPLUS] // HUNDRED
    return value + weights[HOUSE] * house + weights[LIFTED] * lifted + weights[LEFT_OVER] * seeds


@shared
def remembered_move(key: np.uint64, thread: ThreadData, board: Board) -> int:
    """The move that looked best in this position, or NO_MOVE."""
    word = thread.history[memory_place(key, thread, board)]
    return (word >> 15) & 7 if word >> 23 == memory_tag(key, board) else NO_MOVE


@shared
def memory_place(key: np.uint64, thread: ThreadData, board: Board) -> int:
    """The index of a position in the memory."""
    return signed(scattered(key, board) >> (board.bits - np.uint64(thread.control[MEMORY])))


@shared
def memory_tag(key: np.uint64, board: Board) -> int:
    """A tag that nearly always distinguishes positions with the same index. Two threads have
    memories of their own."""
    return signed((key * board.spread) & np.uint64((1 << 39) - 1))


@kernel
def look_ahead(
    own: np.uint64,
    other: np.uint64,
    seeds: int,
    depth: int,
    above: int,
    ply: int,
    rules: Kalah,
    board: Board,
    thread: ThreadData,
) -> int:
    """Estimate whether the margin to come is larger than `above`, in hundredths of a seed: return a
    value above it, or one that is not."""
    # 1. End the look-ahead.
    extra, capture, gain = turn_at_hand(own, other, board, rules)
    if depth <= 0:
        return estimate(own, other, extra, capture, board, rules, board.margin)
    sure = HUNDRED * (2 * gain - seeds)
    if sure > above:
        return sure
    if HUNDRED * seeds <= above:
        return HUNDRED * seeds
    # 2. Look in the memory: depth in 5 bits, the move, whether the value is a lower bound, the
    #    value.
    words, numbers, history = thread.words, thread.numbers, thread.history
    thread.control[NODES] += 1
    key = key_of(own, other, board)
    place, tag = memory_place(key, thread, board), memory_tag(key, board)
    word = history[place]
    best_move = NO_MOVE
    if word >> 23 == tag:
        value = (word & ((1 << 14) - 1)) - VALUE_OFFSET
        at_least = (word >> 14) & 1
        if (word >> 18) & 31 >= depth and (
            (at_least == 1 and value > above) or (at_least == 0 and value <= above)
        ):
            return value
    # 3. List the moves in order.
    many = seeds >= MANY_SEEDS
    stack = ply * board.houses * FIELDS
    count, best = 0, -OVER
    for i in range(board.houses):
        house = board.houses - 1 - i
        lifted = seeds_in(own, house)
        if lifted == 0:
            continue
        over, again, gain, child, child_other = sow(own, other, house, rules)
        if over:
            if HUNDRED * gain > above:
                return HUNDRED * gain
            best = max(best, HUNDRED * gain)
            continue
        sign = 1 if again else -1
        order = EXTRA + house
        if not again:
            extra, capture, _ = turn_at_hand(child, child_other, board, rules)
            order = order_of(
                house,
                lifted,
                seeds - gain,
                gain,
                sign,
                child,
                child_other,
                extra,
                capture,
                above // HUNDRED,
                many,
                board,
                rules,
            )
        at = stack + count * FIELDS
        words[at + OWN], words[at + OTHER] = child, child_other
        numbers[at + SEEDS], numbers[at + SIGN], numbers[at + MOVE], numbers[at + GAIN] = (
            seeds - gain,
            sign,
            house,
            gain,
        )
        insert(stack, count, order, thread)
        count += 1
    # 4. Search them.
    for rank in range(count):
        at = stack + numbers[stack + rank * FIELDS + RANK] * FIELDS
        gain = HUNDRED * numbers[at + GAIN]
        if numbers[at + SIGN] > 0:
            value = gain + look_ahead(
                words[at + OWN],
                words[at + OTHER],
                numbers[at + SEEDS],
                depth - 1,
                above - gain,
                ply + 1,
                rules,
                board,
                thread,
            )
        else:
            value = gain - look_ahead(
                words[at + OWN],
                words[at + OTHER],
                numbers[at + SEEDS],
                depth - 1,
                gain - above - 1,
                ply + 1,
                rules,
                board,
                thread,
            )
        if value > best:
            best, best_move = value, numbers[at + MOVE]
        if value > above:
            break
    # 5. Remember the result.
    kept = max(-VALUE_OFFSET, min(best, VALUE_OFFSET - 1)) + VALUE_OFFSET
    history[place] = (
        (tag << 23)
        | (min(depth, 31) << 18)
        | (min(best_move, NO_MOVE) << 15)
        | ((1 if best > above else 0) << 14)
        | kept
    )
    return best


@shared
def insert(stack: int, count: int, order: int, thread: ThreadData) -> None:
    """Insert the child `count` into RANK by its order, the most promising first."""
    numbers = thread.numbers
    numbers[stack + count * FIELDS + ORDER] = order
    j = count
    while (
        j > 0 and numbers[stack + numbers[stack + (j - 1) * FIELDS + RANK] * FIELDS + ORDER] < order
    ):
        numbers[stack + j * FIELDS + RANK] = numbers[stack + (j - 1) * FIELDS + RANK]
        j -= 1
    numbers[stack + j * FIELDS + RANK] = count
