"""The kernel of the engine `sowing`, Kalah's own search by estimates: principal variation search over the margin to come.

It knows what a search for any game cannot. The stores are no part of a position, so that lines which gain the same seeds in another order
meet in the table with those that gain more; the seeds left bound every value, and so does what the mover takes in this turn for sure; few
seeds are looked up in the endgame database. A move that moves again costs less depth than one that ends the turn, and one without an
alternative costs none, so that the horizon lies at the end of turns. Moves are tried in the order of how the board looks after them, and
late ones are searched less deep until one of them surprises (late move reductions).

Values are hundredths of a seed of the margin to come, as the mover sees it.
"""

from __future__ import annotations

import numpy as np

from mnkala.families.kalah.rules import Kalah, seeds_in
from mnkala.families.kalah.solver.board import number_of, sow
from mnkala.families.kalah.solver.estimate import turn_at_hand
from mnkala.families.kalah.solver.heuristic import SEED, Margin, looks_like
from mnkala.native import NativeClass, kernel, mix, native, shared
from mnkala.native.objects import IntArray, WordArray
from mnkala.search.table import COMPLETE, EMPTY, EXACT, LOWER, UPPER, Table, bound_of, depth_of, find, move_of, store, value_of
from mnkala.solve.table import ONE, ZERO, signed

NODES, EVALUATIONS, CUTOFFS, TABLE_HITS, STORED, NODE_LIMIT, STOPPED = range(7)
"""Indices into `Outlook.counters`."""
TURN = 4
"""The depth that a move costs if it ends the turn."""
AGAIN = 2
"""The depth that a move costs if the player moves again."""
REDUCED, FIRST_REDUCED, LEAST_REDUCED = 4, 2, 12
"""By how much late moves are searched less deep, from which move on, and from how much remaining
depth."""
DEEPEST = 400
"""The largest number of plies in a line."""
INFINITY = 1 << 30
OWN, OTHER, WORDS = 0, 1, 2
SIGN, GAIN, MOVE, ORDER, NUMBERS = 0, 1, 2, 3, 4
"""Words and numbers of a child on the stack. SIGN is 1 if the parent's mover moves again, else -1;
GAIN is the seeds that the move gains or, where it ends the game, the whole margin to come."""
EXTRA, TABLE_MOVE = 1 << 20, 1 << 30
NO_MOVE = -1
PICKED = -INFINITY
NEAR = TURN


@native
class Outlook(NativeClass):
    """All arrays that one search writes to, except the table."""

    words: WordArray
    """Words of the children on the stack, at [(ply * houses + child) * WORDS + word]."""
    numbers: IntArray
    """Numbers of the children on the stack, at [(ply * houses + child) * NUMBERS + number]."""
    touched: IntArray
    """By ply: 1 if the last value at this ply depends on an estimate, 0 if it is proved."""
    counters: IntArray
    stop: IntArray
    moves: IntArray
    """The moves of the root, the most promising first."""
    values: IntArray
    """The value of each root move."""
    kinds: IntArray
    """The kind of each root move's value, EXACT, LOWER or UPPER; 0 before the move was searched."""
    proved: IntArray
    """For each root move, 1 if its value depends only on finished games and the database."""


@shared
def key_without_stores(own: np.uint64, other: np.uint64) -> np.uint64:
    """A word that nearly always identifies a position."""
    return mix(mix(own) ^ other)


@kernel
def look(own: np.uint64, other: np.uint64, seeds: int, depth: int, alpha: int, beta: int, ply: int, rules: Kalah, board: Margin,
         table: Table, data: Outlook) -> int:
    """Return the margin to come if it lies between alpha and beta, otherwise a bound on it."""
    counters = data.counters
    # 1. End the line at the limit, the database, the horizon, or bounds that are certain.
    if data.stop[0] != 0 or counters[NODES] >= counters[NODE_LIMIT]:
        counters[STOPPED] = 1
        return 0
    counters[NODES] += 1
    data.touched[ply] = 0
    if seeds <= board.known:
        return SEED * int(board.database[number_of(own, other, board)])
    if SEED * seeds <= alpha:
        return SEED * seeds
    if depth <= 0 or ply + 2 >= len(data.touched):
        counters[EVALUATIONS] += 1
        data.touched[ply] = 1
        return looks_like(own, other, seeds, board, rules)
    _, _, gain_at_hand = turn_at_hand(own, other, board, rules)
    sure = SEED * (2 * gain_at_hand - seeds)
    if sure >= beta:
        return sure
    # 2. Look the position up in the table.
    key = key_without_stores(own, other)
    table_move = NO_MOVE
    entry = find(table, key)
    if entry != EMPTY:
        table_move = move_of(entry)
        if depth_of(entry) >= depth:
            value, bound = value_of(entry, 0), bound_of(entry)
            if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
                counters[TABLE_HITS] += 1
                data.touched[ply] = 0 if depth_of(entry) == COMPLETE else 1
                return value
    # 3. List the moves, the most promising first.
    count = put_moves(own, other, seeds, depth, ply, table_move, rules, board, data)
    # 4. Search them: the first with the full window, the others with a null window, late ones less deep, and again if they surprise.
    words, numbers = data.words, data.numbers
    best, best_move, bound, touched = -INFINITY, NO_MOVE, UPPER, 0
    for i in range(count):
        child = pick(ply * board.houses, count, data)
        at, board_at = child * NUMBERS, child * WORDS
        sign, gain, move, order = numbers[at + SIGN], SEED * numbers[at + GAIN], numbers[at + MOVE], numbers[at + ORDER]
        numbers[at + ORDER] = PICKED
        value = gain
        data.touched[ply + 1] = 0
        if words[board_at + OWN] != ZERO:
            full = depth if count == 1 else depth - AGAIN if sign > 0 else depth - TURN
            late = i >= FIRST_REDUCED and depth >= LEAST_REDUCED and order < EXTRA
            below = full - REDUCED if late else full
            high = beta if i == 0 else alpha + 1
            while True:
                if sign > 0:
                    value = gain + look(words[board_at + OWN], words[board_at + OTHER], seeds - numbers[at + GAIN], below, alpha - gain,
                                        high - gain, ply + 1, rules, board, table, data)
                else:
                    value = gain - look(words[board_at + OWN], words[board_at + OTHER], seeds - numbers[at + GAIN], below, gain - high,
                                        gain - alpha, ply + 1, rules, board, table, data)
                if counters[STOPPED] != 0:
                    return 0
                if value <= alpha or (below == full and (high == beta or value >= beta)):
                    break
                if below < full:
                    below = full
                else:
                    high = beta
        touched |= data.touched[ply + 1]
        if value > best:
            best, best_move = value, move
            if value > alpha:
                alpha, bound = value, EXACT
        if alpha >= beta:
            bound = LOWER
            touched = data.touched[ply + 1]
            counters[CUTOFFS] += 1
            break
    # 5. Remember the result.
    data.touched[ply] = touched
    counters[STORED] += store(table, key, best, depth if touched != 0 else COMPLETE, bound, best_move, 0)
    return best


@shared
def put_moves(own: np.uint64, other: np.uint64, seeds: int, depth: int, ply: int, table_move: int, rules: Kalah, board: Margin,
              data: Outlook) -> int:
    """Put the children on the stack in the order in which to try them; return their number.

    The order is the table's move, moves that move again from the store backwards, then the others
    by how the board looks after them, or near the horizon by what they gain.
    """
    words, numbers = data.words, data.numbers
    child = ply * board.houses
    for i in range(board.houses):
        house = board.houses - 1 - i
        if seeds_in(own, house) == 0:
            continue
        _, again, gain, after, after_other = sow(own, other, house, rules)
        words[child * WORDS + OWN], words[child * WORDS + OTHER] = after, after_other
        at = child * NUMBERS
        numbers[at + SIGN], numbers[at + GAIN], numbers[at + MOVE] = 1 if again else -1, gain, house
        order = SEED * gain
        if house == table_move:
            order = TABLE_MOVE
        elif again:
            order = EXTRA + house
        elif depth > NEAR and after != ZERO:
            order -= looks_like(after, after_other, seeds - gain, board, rules)
        else:
            order += house
        numbers[at + ORDER] = order
        child += 1
    return child - ply * board.houses


@shared
def pick(first: int, count: int, data: Outlook) -> int:
    """Select the most promising child that has not been selected yet."""
    best = first
    for child in range(first + 1, first + count):
        if data.numbers[child * NUMBERS + ORDER] > data.numbers[best * NUMBERS + ORDER]:
            best = child
    return best


@kernel
def look_from_root(own: np.uint64, other: np.uint64, seeds: int, depth: int, every_move: bool, rules: Kalah, board: Margin, table: Table,
                   data: Outlook) -> int:
    """Search the moves of the root in the order of `data.moves` and put the best first; return for
    how many there is a new value.

    With `every_move` each gets a value of its own; otherwise moves that are not better get a bound.
    """
    counters = data.counters
    alpha, ply = -INFINITY, signed(ONE)  # Literals would have types of their own; code cached with such a difference crashed.
    for i in range(len(data.moves)):
        house = data.moves[i]
        _, again, gained, after, after_other = sow(own, other, house, rules)
        gain = SEED * gained
        value, kind = gain, EXACT
        data.touched[1] = 0
        if after != ZERO:
            low = -INFINITY if every_move else alpha
            high = INFINITY if i == 0 or every_move else alpha + 1
            below = depth - AGAIN if again else depth - TURN
            while True:
                if again:
                    value = gain + look(after, after_other, seeds - gained, below, low - gain, high - gain, ply, rules, board, table, data)
                else:
                    value = gain - look(after, after_other, seeds - gained, below, gain - high, gain - low, ply, rules, board, table, data)
                if counters[STOPPED] != 0:
                    return i
                if value <= low or high == INFINITY:
                    break
                high = INFINITY
            kind = UPPER if value <= low else EXACT
        data.values[house], data.kinds[house], data.proved[house] = value, kind, 1 - data.touched[1]
        if value > alpha:
            alpha = value
            for j in range(i, 0, -1):
                data.moves[j] = data.moves[j - 1]
            data.moves[0] = house
    return len(data.moves)


@kernel
def follow(own: np.uint64, other: np.uint64, first: int, rules: Kalah, table: Table, line: IntArray,
           only_proved: bool) -> int:
    """Write a move and its continuation from the table; return the length of the line. With
    `only_proved` the line goes only as far as it is proved to be best play."""
    count, move = 0, first
    while count < len(line) and own != ZERO and 0 <= move < rules.houses and seeds_in(own, move) != 0:
        line[count] = move
        count += 1
        _, _, _, own, other = sow(own, other, move, rules)
        entry = find(table, key_without_stores(own, other))
        move = move_of(entry) if entry != EMPTY else NO_MOVE
        # The move of a bound, or of a search to a limited depth, need not be the best.
        if only_proved and (depth_of(entry) != COMPLETE or bound_of(entry) != EXACT):
            move = NO_MOVE
    return count


def make_outlook(rules: Kalah, state_moves: tuple[int, ...], stop: IntArray, nodes: int) -> Outlook:
    """Allocate the arrays of a search."""
    counters = np.zeros(8, np.int64)
    counters[NODE_LIMIT] = nodes
    children = (DEEPEST + 2) * rules.houses
    return Outlook(np.zeros(children * WORDS, np.uint64), np.zeros(children * NUMBERS, np.int64), np.zeros(DEEPEST + 2, np.int64), counters,
                   stop, np.array(state_moves, np.int64), np.zeros(rules.houses, np.int64), np.zeros(rules.houses, np.int64),
                   np.zeros(rules.houses, np.int64))
