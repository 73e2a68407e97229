"""A look a few moves ahead by estimates, for the order of moves where much is still to be searched.

Far from the end the estimate of a single position is off by four seeds, so that a question would often begin with the wrong move, and the
nodes below it are wasted. A search of limited depth costs little there and picks better. Its answers decide nothing but the order. """

from __future__ import annotations

import numpy as np

from mnkala.families.kalah.rules import Kalah, seeds_in
from mnkala.families.kalah.solver.board import Board, key_of, sow
from mnkala.families.kalah.solver.estimate import estimate, turn_at_hand
from mnkala.families.kalah.solver.network import seen_by_network
from mnkala.families.kalah.solver.weights import HOUSE, LEFT_OVER, LIFTED, MANY_SEEDS, NETWORK_SHARE, SURPLUS
from mnkala.native import kernel, shared
from mnkala.solve.common.threads import FIELDS, NODES, RANK, ThreadData
from mnkala.solve.common.words import signed

OWN, OTHER, SURE, EXTRAS, CAPTURE = 0, 1, 2, 4, 5
"""Words of a child on the stack beside its KEY. SURE: what is `sure` of it; EXTRAS, CAPTURE: the turn at hand of its mover."""
SEEDS, SIGN, MOVE, ORDER, GAIN = 0, 1, 2, 3, 5
"""Numbers of a child on the stack beside its RANK. SIGN: 1 if the mover of the parent moves again, else -1; GAIN: what is certain of the
margin to come, for the mover of the parent; the rest is SIGN times the child's own."""
HUNDRED = 100
OVER = 1 << 30
"""The order of a move that ends the game in the mover's favour; beyond all others."""
EXTRA = 1 << 20
"""The order of an extra turn: before all other moves, the nearest to the store first."""
NO_MOVE = 7
"""In the memory, where it holds no move. (With eight houses the last one is not kept.)"""
MEMORY_BITS = 17
"""Places of the memory of looks ahead, as a power of two; one word each, in `ThreadData.history`."""
VALUE_OFFSET = 1 << 13
"""Added to a value in the memory, so that it is not negative: 62 seeds are 6,200."""


@shared
def order_of(house: int, lifted: int, seeds: int, gain: int, sign: int, own: np.uint64, other: np.uint64, extra: int, capture: int,
             above: int, many: bool, board: Board, rules: Kalah) -> int:
    """How promising a move without an extra turn is: what the margin as it looks after it is beyond the question, and moves that leave few
    seeds first, for they are soon settled. `many` tells which weights, by the seeds before the move."""
    weights = board.order if many else board.late_order
    looks = estimate(own, other, extra, capture, board, rules, weights)
    if many and len(board.network) > 0:
        looks += NETWORK_SHARE * seen_by_network(own, other, extra, capture, board, rules) // HUNDRED
    value = HUNDRED * (gain - above) + sign * looks
    if value > 0:
        value = value * weights[SURPLUS] // HUNDRED
    return value + weights[HOUSE] * house + weights[LIFTED] * lifted + weights[LEFT_OVER] * seeds


@shared
def remembered_move(key: np.uint64, thread: ThreadData, board: Board) -> int:
    """The move that looked best here, or NO_MOVE."""
    word = thread.history[memory_place(key, board)]
    return (word >> 15) & 7 if word >> 23 == memory_tag(key, board) else NO_MOVE


@shared
def memory_place(key: np.uint64, board: Board) -> int:
    """Where the memory has a position."""
    return signed(((key * board.spread) & board.mask) >> (board.bits - np.uint64(MEMORY_BITS)))


@shared
def memory_tag(key: np.uint64, board: Board) -> int:
    """What tells positions at one place apart, nearly always. Two threads have memories of their own."""
    return signed((key * board.spread) & np.uint64((1 << 39) - 1))


@kernel
def look_ahead(own: np.uint64, other: np.uint64, seeds: int, depth: int, above: int, ply: int, rules: Kalah, board: Board,
               thread: ThreadData) -> int:
    """Whether the margin to come looks larger than `above`, in hundredths of a seed: a value above it, or one that is not."""
    # 1. The end of the look.
    extra, capture, gain = turn_at_hand(own, other, board, rules)
    if depth <= 0:
        return estimate(own, other, extra, capture, board, rules, board.margin)
    sure = HUNDRED * (2 * gain - seeds)
    if sure > above:
        return sure
    if HUNDRED * seeds <= above:
        return HUNDRED * seeds
    # 2. The memory: depth in 5 bits, the move, whether the value is a lower bound, the value.
    words, numbers, history = thread.words, thread.numbers, thread.history
    thread.control[NODES] += 1
    key = key_of(own, other, board)
    place, tag = memory_place(key, board), memory_tag(key, board)
    word = history[place]
    best_move = NO_MOVE
    if word >> 23 == tag:
        value = (word & ((1 << 14) - 1)) - VALUE_OFFSET
        at_least = (word >> 14) & 1
        if (word >> 18) & 31 >= depth and ((at_least == 1 and value > above) or (at_least == 0 and value <= above)):
            return value
    # 3. The moves, in order.
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
            order = order_of(house, lifted, seeds - gain, gain, sign, child, child_other, extra, capture, above // HUNDRED, many, board,
                             rules)
        at = stack + count * FIELDS
        words[at + OWN], words[at + OTHER] = child, child_other
        numbers[at + SEEDS], numbers[at + SIGN], numbers[at + MOVE], numbers[at + GAIN] = seeds - gain, sign, house, gain
        insert(stack, count, order, thread)
        count += 1
    # 4. Search them.
    for rank in range(count):
        at = stack + numbers[stack + rank * FIELDS + RANK] * FIELDS
        gain = HUNDRED * numbers[at + GAIN]
        if numbers[at + SIGN] > 0:
            value = gain + look_ahead(words[at + OWN], words[at + OTHER], numbers[at + SEEDS], depth - 1, above - gain, ply + 1, rules,
                                      board, thread)
        else:
            value = gain - look_ahead(words[at + OWN], words[at + OTHER], numbers[at + SEEDS], depth - 1, gain - above - 1, ply + 1, rules,
                                      board, thread)
        if value > best:
            best, best_move = value, numbers[at + MOVE]
        if value > above:
            break
    # 5. Remember.
    kept = max(-VALUE_OFFSET, min(best, VALUE_OFFSET - 1)) + VALUE_OFFSET
    history[place] = (tag << 23) | (min(depth, 31) << 18) | (min(best_move, NO_MOVE) << 15) | ((1 if best > above else 0) << 14) | kept
    return best


@shared
def insert(stack: int, count: int, order: int, thread: ThreadData) -> None:
    """Give the child `count` its place among the others, the most promising first: insertion into RANK."""
    numbers = thread.numbers
    numbers[stack + count * FIELDS + ORDER] = order
    j = count
    while j > 0 and numbers[stack + numbers[stack + (j - 1) * FIELDS + RANK] * FIELDS + ORDER] < order:
        numbers[stack + j * FIELDS + RANK] = numbers[stack + (j - 1) * FIELDS + RANK]
        j -= 1
    numbers[stack + j * FIELDS + RANK] = count
