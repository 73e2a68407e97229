"""The exact search: is the margin to come above a given number?

Negamax with a window of no width, where the sign follows the mover. What makes it small, in the
order in which a node does it:

1. The seeds left bound the margin; what the mover has for sure in this turn bounds it from below
   (`estimate.turn_at_hand`), and what the other has for sure in the next from above
   (`estimate.sure_answer`).
2. Both bounds of a position are kept in one word of the table.
3. A move that leaves the other a single house to sow is followed by that, and so on, without
   spending a node. A child whose bounds answer already is never visited, nor is one with so few
   seeds that the database knows its margin.
4. Extra turns come first, the nearest to the store first (Irving, Donkers and Uiterwijk 2000), then
   the other moves by how the board looks after them, those that leave fewer seeds first; where many
   seeds are left a network has a share in that (`shallow_search`), and where very many are, a look
   ahead picks the first one (`shallow_search` too).

Enhanced transposition cut-offs, that is, looking up all children before any is searched, were tried
and left out: they saved a twentieth of the searched positions and doubled those that were looked
up.
"""

from __future__ import annotations

import numpy as np

from mnkala.families.kalah.rules import BYTE, EIGHT, Kalah, seeds_in
from mnkala.families.kalah.solver.board import Board, filled_houses, key_of, number_of, sow
from mnkala.families.kalah.solver.estimate import sure_answer, turn_at_hand
from mnkala.families.kalah.solver.shallow_search import (
    CAPTURE,
    EXTRA,
    EXTRAS,
    GAIN,
    HUNDRED,
    MOVE,
    NO_MOVE,
    ORDER,
    OTHER,
    OVER,
    OWN,
    PLACE,
    SEEDS,
    SIGN,
    SURE,
    insert,
    look_ahead,
    order_of,
    remembered_move,
)
from mnkala.families.kalah.solver.weights import MANY_SEEDS
from mnkala.native import inlined, kernel, lowest_bit, prefetch, shared
from mnkala.solve.table import ONE, ZERO, fetch, find, keep, lower_bound, signed, upper_bound
from mnkala.solve.threads import (
    AGAIN,
    FIELDS,
    GOING,
    HALT,
    HELD,
    KEY,
    LARGEST,
    LEVELS,
    NODE_LIMIT,
    NODES,
    NOTHING,
    RANK,
    SIZE,
    STOPPED,
    TABLE_FULL,
    THREADS,
    ThreadData,
    call_back,
    choose_child,
    leave_child,
)

LOOK, LOOK_DEPTH, SEEDS_A_PLY = 34, 7, 2
"""With at least LOOK seeds left, moves are picked by looking LOOK_DEPTH moves ahead, and one more
for every SEEDS_A_PLY seeds beyond."""
SHARE = 24
"""With more seeds than this, threads avoid each other's work."""
FAR = 13
"""From so many buckets on, as a power of two, the table is too large for the nearest caches, and
entries are fetched in advance. In smaller ones only children that are searched get a key."""
DEEPEST = 320
"""The most plies of a line, forced moves not counted. Beyond it the search gives up, which has
never happened: every move brings seeds nearer to a store."""
ROOM = 40
"""Further plies of the stack, for looking ahead."""


@inlined
def settle(
    own: np.uint64, other: np.uint64, seeds: int, rules: Kalah
) -> tuple[bool, int, int, np.uint64, np.uint64, int]:
    """Follow forced moves, as long as the mover has a single house to sow.

    Return whether the game is then over, what is certain of the margin to come for the first mover,
    1 or -1 if the first mover or the other is to move, the board as the mover sees it, and its
    seeds.
    """
    sign, certain = 1, 0
    while True:
        filled = filled_houses(own)
        if filled & (filled - ONE) != ZERO:
            return False, certain, sign, own, other, seeds
        over, again, gain, own, other = sow(own, other, lowest_bit(filled) >> 3, rules)
        certain += sign * gain
        if over:
            return True, certain, sign, own, other, 0
        seeds -= gain
        if not again:
            sign = -sign


@shared
def surely(gain: int, answer: int) -> np.uint64:
    """Pack what is certain about a position into a word: what its mover gains in this turn, and
    what the other gains in the next."""
    return np.uint64(gain | answer << 8)


@shared
def sure_bounds(sure: np.uint64, seeds: int) -> tuple[int, int]:
    """The lowest and the highest margin to come, by what is certain about a position with so many
    seeds."""
    return 2 * signed(sure & BYTE) - seeds, seeds - 2 * signed(sure >> EIGHT)


@kernel
def search(
    own: np.uint64,
    other: np.uint64,
    seeds: int,
    above: int,
    sure: np.uint64,
    key: np.uint64,
    ply: int,
    rules: Kalah,
    board: Board,
    thread: ThreadData,
) -> int:
    """Return a lower bound of the margin to come that is more than `above`, or an upper bound that
    is not.

    The mover has at least two moves, and the position is not in the database. `sure` is the answer
    of `surely` for the position, or zero. A `key` of zero means that it is not known yet, as at the
    root.
    """
    control, words, numbers, table = thread.control, thread.words, thread.numbers, thread.table
    if thread.stop[0] != 0 or thread.answered[0] != 0 or control[HALT] != GOING:
        control[HALT] = max(control[HALT], STOPPED)
        return 0
    # 1. Apply the bounds from the seeds, this turn and the next.
    lower, upper = sure_bounds(sure, seeds)
    if upper <= above:
        return upper
    if lower > above:
        return lower
    # 2. Look the position up in the table.
    control[NODES] += 1
    if key == ZERO:
        key = key_of(own, other, board)
    entry = find(key, table, control[SIZE], board)
    if entry != ZERO:
        lower, upper = max(lower, lower_bound(entry)), min(upper, upper_bound(entry))
        if upper <= above:
            return upper
        if lower > above:
            return lower
    if control[NODES] >= control[NODE_LIMIT] or ply >= DEEPEST:
        control[HALT] = STOPPED
        return 0
    nodes_before = control[NODES]
    # 3. Far from the end, pick the first move by looking ahead.
    favourite = NO_MOVE
    if seeds >= LOOK:
        depth = LOOK_DEPTH + (seeds - LOOK) // SEEDS_A_PLY
        if (
            look_ahead(own, other, seeds, depth, HUNDRED * above, ply, rules, board, thread)
            > HUNDRED * above
        ):
            favourite = remembered_move(key, thread, board)
    # 4. Settle children without a search; put the others on the stack, and let the processor fetch
    #    their entries of the table. Those in the database go to the stack's other end, and are
    #    looked up at last, when the processor has fetched their margins.
    sharing = control[THREADS] > 1 and seeds > SHARE and ply < LEVELS - 1
    far = control[SIZE] >= FAR
    best, count, extra = -OVER, 0, 0
    stack = ply * board.houses * FIELDS
    last = stack + board.houses * FIELDS
    known = last
    for i in range(board.houses):
        house = board.houses - 1 - i
        if seeds_in(own, house) == 0:
            continue
        over, again, gain, child, child_other = sow(own, other, house, rules)
        sign, left = 1 if again else -1, seeds - gain
        if not over:
            over, certain, turned, child, child_other, left = settle(
                child, child_other, left, rules
            )
            gain += sign * certain
            sign *= turned
        if not over and left <= board.known:
            known -= FIELDS
            numbers[known + PLACE] = number_of(child, child_other, board)
            numbers[known + SIGN], numbers[known + GAIN] = sign, gain
            prefetch(board.database, numbers[known + PLACE])
            continue
        low, high = gain, gain
        turns, capture, sure = 0, 0, ZERO
        if not over:
            turns, capture, gained = turn_at_hand(child, child_other, board, rules)
            sure = surely(gained, sure_answer(child, child_other, turns, capture, board))
            low, high = sure_bounds(sure, left)
            low, high = (gain + low, gain + high) if sign > 0 else (gain - high, gain - low)
        if low > above:
            return low
        if high <= above:
            best = max(best, high)
            continue
        at = stack + count * FIELDS
        words[at + OWN], words[at + OTHER], words[at + SURE] = child, child_other, sure
        words[at + EXTRAS], words[at + CAPTURE] = np.uint64(turns), np.uint64(capture)
        words[at + KEY] = ZERO
        if far or sharing:
            words[at + KEY] = key_of(child, child_other, board)
            fetch(words[at + KEY], table, control[SIZE], board)
        numbers[at + SEEDS], numbers[at + SIGN], numbers[at + MOVE], numbers[at + GAIN] = (
            left,
            sign,
            house,
            gain,
        )
        first = house == favourite or again
        insert(
            stack, count, OVER if house == favourite else EXTRA + house if again else -house, thread
        )
        extra += 1 if first else 0
        count += 1
    for at in range(known, last, FIELDS):
        value = numbers[at + GAIN] + numbers[at + SIGN] * int(board.database[numbers[at + PLACE]])
        if value > above:
            return value
        best = max(best, value)
    # 5. Search until a margin is above. Moves after the extra turns are sorted when those are done.
    rank, put_off = 0, 0
    while rank < count:
        if rank == extra and count - extra > 1:
            for i in range(extra, count):
                at = stack + numbers[stack + i * FIELDS + RANK] * FIELDS
                house = numbers[at + MOVE]
                numbers[at + ORDER] = order_of(
                    house,
                    seeds_in(own, house),
                    numbers[at + SEEDS],
                    numbers[at + GAIN],
                    numbers[at + SIGN],
                    words[at + OWN],
                    words[at + OTHER],
                    signed(words[at + EXTRAS]),
                    signed(words[at + CAPTURE]),
                    above,
                    seeds >= MANY_SEEDS,
                    board,
                    rules,
                )
            sort_from(stack, extra, count, thread)
        if sharing:
            put_off = choose_child(
                stack,
                rank,
                count if rank >= extra else extra,
                put_off,
                key,
                LEVELS - 1 - ply,
                SHARE,
                thread,
                board,
            )
        at = stack + numbers[stack + rank * FIELDS + RANK] * FIELDS
        gain = numbers[at + GAIN]
        if numbers[at + SIGN] > 0:
            value = gain + search(
                words[at + OWN],
                words[at + OTHER],
                numbers[at + SEEDS],
                above - gain,
                words[at + SURE],
                words[at + KEY],
                ply + 1,
                rules,
                board,
                thread,
            )
        else:
            value = gain - search(
                words[at + OWN],
                words[at + OTHER],
                numbers[at + SEEDS],
                gain - above - 1,
                words[at + SURE],
                words[at + KEY],
                ply + 1,
                rules,
                board,
                thread,
            )
        if control[HALT] != GOING:
            return 0
        if sharing:
            heard = leave_child(words[at + KEY], key, above, LEVELS - 1 - ply, thread, board)
            if heard == AGAIN:
                continue
            if heard != NOTHING:
                return heard
        rank += 1
        if rank == extra:
            put_off = 0
        best = max(best, value)
        if value > above:
            break
    # 6. Remember, and release threads that still work on the node.
    if best > above:
        best = min(best, upper)
        lower = best
    else:
        best = max(best, lower)
        upper = best
    control[HELD] += keep(
        key, lower, upper, control[NODES] - nodes_before, table, control[SIZE], board
    )
    if control[HELD] * control[THREADS] > 3 << control[SIZE] and control[SIZE] < control[LARGEST]:
        control[HALT] = TABLE_FULL
    if sharing:
        call_back(key, LEVELS - 1 - ply, thread)
    return best


@shared
def sort_from(stack: int, start: int, count: int, thread: ThreadData) -> None:
    """Sort the children from a rank on by their ORDER, the largest first."""
    numbers = thread.numbers
    for i in range(start + 1, count):
        child = numbers[stack + i * FIELDS + RANK]
        order = numbers[stack + child * FIELDS + ORDER]
        j = i
        while (
            j > start
            and numbers[stack + numbers[stack + (j - 1) * FIELDS + RANK] * FIELDS + ORDER] < order
        ):
            numbers[stack + j * FIELDS + RANK] = numbers[stack + (j - 1) * FIELDS + RANK]
            j -= 1
        numbers[stack + j * FIELDS + RANK] = child
