"""The exact search: is the score of a position above a given number?

Negamax with a window of no width. What makes it quick, in the order in which a node does it:

1. Only moves that do not lose at once are looked at, and forced replies are followed without
   spending a node (Pons; Steininger's c4).
2. Every child that can be settled without search is settled first: decided by force, nobody can
   make a line any more, or bounded by a follow-up strategy (`follow_up`).
3. The other children are looked up in the table before any of them is searched (enhanced
   transposition cut-off, Schaeffer and Plaat 1996); their places in it are fetched from memory
   while the rest is settled.
4. What is left is ordered by the threats that a move makes, counting those on rows of good parity
   more, and by the lines that it opens, and by how often the same cell was the answer elsewhere.

Several threads share the table and keep out of each other's way (`common.threads`).

A *quiet* position is one where the mover cannot win at once, does not have to stop a win, and has
at least two moves that do not lose at once. Only quiet positions are nodes. The score is Pascal
Pons': the winner's discs left at the end plus one; a game that ends with r empty cells scores r //
2 + 1.
"""

from __future__ import annotations

import numpy as np

from mnkala.families.connect.solver.board import (
    NO_BOUND,
    Shape,
    ceiling,
    completing,
    has_line,
    mirrored,
    promising,
)
from mnkala.native import inlined, kernel, load, lowest_bit, popcount, shared, store
from mnkala.native.objects import IntArray
from mnkala.solve.table import ONE, ZERO, fetch, find, keep, lower_bound, upper_bound
from mnkala.solve.threads import (
    AGAIN,
    FIELDS,
    GOING,
    HALT,
    HELD,
    KEY,
    LARGEST,
    LEFT,
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

LOOK_UP_CHILDREN = 16
"""With more empty cells than this, children are looked up before any is searched; with fewer it
costs more than it saves."""
COUNT_LINES = 22
"""With more empty cells than this, somebody can always still make a line."""
OPEN_LINES, REMEMBER = 10, 6
"""With as few empty cells, the lines that a move opens are not counted, and positions not
remembered: both cost more than they save."""
THREAT, GOOD_THREAT, CENTRE, LINE = 160, 80, 16, 16
"""Weights of the move ordering besides `ThreadData.history`, found by counting nodes."""
MOST = 64
"""The largest value in a cell's history."""
SHARE = 18
"""With more empty cells than this, threads avoid each other's work."""
CELLS = 128
"""The number of cells in a history, more than any board has bits."""
OWN, ALL, THREATS, MADE, DISC = 0, 1, 2, 4, 5
"""Words of a child on the stack besides its KEY; MADE are the threats that the mover has after the
move, before any forced reply."""
EMPTIES, SIGN, COLUMN, ORDER = LEFT, 1, 2, 3
"""Numbers of a child on the stack besides its RANK; SIGN is 1 if the parent's mover moves again
after forced replies."""


@shared
def key_of(own: np.uint64, both: np.uint64, shape: Shape) -> np.uint64:
    """A word that identifies a position and its mirror image: the mover's discs with a mark on top
    of each column, for the smaller of the two."""
    key = own | (both + shape.bottom)
    image = mirrored(key, shape)
    return image if image < key else key


@inlined
def settle(
    own: np.uint64, both: np.uint64, empties: int, shape: Shape
) -> tuple[bool, int, np.uint64, np.uint64, int, int, np.uint64, np.uint64]:
    """Follow forced moves from a position where the mover cannot win at once, until it is decided
    or quiet.

    Return whether it is decided and the score for the first mover; then the quiet position: its
    mover's discs, all discs, the number of empty cells, 1 if the first mover moves there and -1
    otherwise, and the threats against its mover; and finally the threats against the first mover.
    """
    sign = 1
    at_first = own & ZERO
    first = True
    while True:
        other = own ^ both
        threats = completing(other, shape.step, shape.line) & shape.full & ~both
        if first:
            at_first = threats
            first = False
        playable = (both + shape.bottom) & shape.full
        if playable == ZERO:
            return True, 0, own, both, empties, sign, threats, at_first
        safe = playable & ~(threats >> ONE)
        urgent = threats & playable
        forced = safe
        if urgent != ZERO:
            forced = urgent & safe
            if urgent & (urgent - ONE) != ZERO or forced == ZERO:
                return True, -sign * (empties // 2), own, both, empties, sign, threats, at_first
        elif safe == ZERO:
            return True, -sign * (empties // 2), own, both, empties, sign, threats, at_first
        elif safe & (safe - ONE) != ZERO:
            return False, 0, own, both, empties, sign, threats, at_first
        own, both, empties, sign = other, both | forced, empties - 1, -sign


@shared
def order_of(
    own: np.uint64,
    both: np.uint64,
    disc: np.uint64,
    column: int,
    made: np.uint64,
    empties: int,
    history: IntArray,
    shape: Shape,
) -> int:
    """How promising a move is: the threats it makes, with those on good rows weighted more, the
    lines it opens, its distance from the centre, and how often it was the answer elsewhere."""
    good = ~shape.last if empties & 1 == 0 else shape.last
    lines = own & ZERO
    if empties > OPEN_LINES:
        lines = promising(own | disc, shape.full & ~(both | disc), shape.step, shape.line)
    centre = min(column, shape.cols - 1 - column)
    made_threats = THREAT * popcount(made) + GOOD_THREAT * popcount(made & good)
    return (
        made_threats
        + CENTRE * centre
        + LINE * popcount(lines)
        + history[(empties & 1) * CELLS + lowest_bit(disc)]
    )


@shared
def learn(stack: int, rank: int, empties: int, thread: ThreadData, shape: Shape) -> None:
    """Update the history (Schaeffer 1983) as Tromp's Fhourstones does: the move that answered
    rises, those tried before it sink."""
    history = thread.history
    for earlier in range(rank + 1):
        place = stack + thread.numbers[stack + earlier * FIELDS + RANK] * FIELDS
        disc = load(thread.words, place + DISC, shape.full)
        cell = (empties & 1) * CELLS + lowest_bit(disc)
        if earlier == rank:
            history[cell] += rank * (MOST - history[cell]) // MOST
        else:
            history[cell] -= (MOST + history[cell]) // MOST


@kernel
def search(
    own: np.uint64,
    both: np.uint64,
    empties: int,
    above: int,
    threats: np.uint64,
    key: np.uint64,
    ply: int,
    thread: ThreadData,
    shape: Shape,
) -> int:
    """Return a lower bound of the score that is more than `above`, or an upper bound that is not.

    The position is quiet. `threats` are those against the mover. A `key` of zero means that the
    position has not been looked up yet.
    """
    control, words, numbers, table = thread.control, thread.words, thread.numbers, thread.table
    if thread.stop[0] != 0 or thread.answered[0] != 0 or control[HALT] != GOING:
        control[HALT] = max(control[HALT], STOPPED)
        return 0
    # 1. The mover needs three plies to win, the opponent four.
    lower, upper = -((empties - 2) // 2), (empties - 1) // 2
    if upper <= above:
        return upper
    if lower > above:
        return lower
    # 2. Look the position up in the table.
    entry = own & ZERO
    if key == ZERO:
        control[NODES] += 1
    if empties > REMEMBER:
        if key == ZERO:
            key = key_of(own, both, shape)
        entry = find(key, table, control[SIZE], shape)
    if entry != ZERO:
        lower, upper = max(lower, lower_bound(entry)), min(upper, upper_bound(entry))
        if upper <= above:
            return upper
        if lower > above:
            return lower
    if control[NODES] >= control[NODE_LIMIT]:
        control[HALT] = STOPPED
        return 0
    nodes_before = control[NODES]
    # 3. Settle children without a search, from the centre outwards, where an answer is likeliest;
    #    put the others on the stack.
    best = -NO_BOUND
    count = 0
    none = own & ZERO
    stack = ply * shape.cols * FIELDS
    moves = (both + shape.bottom) & shape.full & ~(threats >> ONE)
    for i in range(shape.cols):
        column = (shape.cols >> 1) + (
            ((i + 1) >> 1) if i & 1 == shape.cols & 1 else -((i + 1) >> 1)
        )
        disc = moves & (shape.column << (np.uint64(column) * shape.step))
        if disc == ZERO:
            continue
        decided, value, child, child_both, left, sign, child_threats, made = settle(
            own ^ both, both | disc, empties - 1, shape
        )
        if decided:
            if -value > above:
                return -value
            best = max(best, -value)
            continue
        sign = -sign
        # The child's mover must be unable to exceed this bound for the node to be done.
        need = above if sign > 0 else -above - 1
        most = (left - 1) // 2
        least = -((left - 2) // 2)
        if left <= COUNT_LINES:
            empty = shape.full & ~child_both
            # Who cannot make a line any more scores at most 0; that settles one of these.
            if need >= 0:
                if most > 0 and not has_line(child | empty, shape.step, shape.line):
                    most = 0
            elif least < 0 and not has_line((child ^ child_both) | empty, shape.step, shape.line):
                least = 0
        if most > need >= least:
            most = min(most, ceiling(child, child ^ child_both, child_threats, left, need, shape))
        low, high = (least, most) if sign > 0 else (-most, -least)
        if low > above:
            return low
        if high <= above:
            best = max(best, high)
            continue
        at = stack + count * FIELDS
        store(words, at + OWN, child)
        store(words, at + ALL, child_both)
        store(words, at + THREATS, child_threats)
        store(words, at + MADE, made)
        store(words, at + DISC, disc)
        numbers[at + EMPTIES], numbers[at + SIGN] = left, sign
        numbers[at + COLUMN] = column
        child_key = none
        if empties > LOOK_UP_CHILDREN:
            child_key = key_of(child, child_both, shape)
            fetch(child_key, table, control[SIZE], shape)
        store(words, at + KEY, child_key)
        count += 1
    # 4. Look the remaining children up.
    if empties > LOOK_UP_CHILDREN:
        kept = 0
        for i in range(count):
            at = stack + i * FIELDS
            control[NODES] += 1
            entry = find(load(words, at + KEY, none), table, control[SIZE], shape)
            if entry != ZERO:
                least, most = lower_bound(entry), upper_bound(entry)
                low, high = (least, most) if numbers[at + SIGN] > 0 else (-most, -least)
                if low > above:
                    control[HELD] += keep(key, low, upper, 1, table, control[SIZE], shape)
                    return low
                if high <= above:
                    best = max(best, high)
                    continue
            to = stack + kept * FIELDS
            if to != at:
                for field in range(FIELDS):
                    store(words, to + field, load(words, at + field, none))
                    numbers[to + field] = numbers[at + field]
            kept += 1
        count = kept
    # 5. Sort the most promising first, by insertion into RANK.
    for i in range(count):
        at = stack + i * FIELDS
        order = 0
        if count > 1:
            order = order_of(
                own,
                both,
                load(words, at + DISC, none),
                numbers[at + COLUMN],
                load(words, at + MADE, none),
                empties,
                thread.history,
                shape,
            )
        numbers[at + ORDER] = order
        j = i
        while (
            j > 0
            and numbers[stack + numbers[stack + (j - 1) * FIELDS + RANK] * FIELDS + ORDER] < order
        ):
            numbers[stack + j * FIELDS + RANK] = numbers[stack + (j - 1) * FIELDS + RANK]
            j -= 1
        numbers[stack + j * FIELDS + RANK] = i
    # 6. Search until a score is above.
    sharing = control[THREADS] > 1 and empties > SHARE
    rank, put_off = 0, 0
    while rank < count:
        if sharing:
            put_off = choose_child(stack, rank, count, put_off, key, empties, SHARE, thread, shape)
        at = stack + numbers[stack + rank * FIELDS + RANK] * FIELDS
        child_key = load(words, at + KEY, none)
        if numbers[at + SIGN] > 0:
            value = search(
                load(words, at + OWN, none),
                load(words, at + ALL, none),
                numbers[at + EMPTIES],
                above,
                load(words, at + THREATS, none),
                child_key,
                ply + 1,
                thread,
                shape,
            )
        else:
            value = -search(
                load(words, at + OWN, none),
                load(words, at + ALL, none),
                numbers[at + EMPTIES],
                -above - 1,
                load(words, at + THREATS, none),
                child_key,
                ply + 1,
                thread,
                shape,
            )
        if control[HALT] != GOING:
            return 0
        if sharing:
            heard = leave_child(child_key, key, above, empties, thread, shape)
            if heard == AGAIN:
                continue
            if heard != NOTHING:
                return heard
        rank += 1
        best = max(best, value)
        if value > above:
            break
    # 7. Learn, remember, and release threads that still work on the node.
    if best > above:
        if rank > 1:
            learn(stack, rank - 1, empties, thread, shape)
        best = min(best, upper)
        lower = best
    else:
        best = max(best, lower)
        upper = best
    if empties > REMEMBER:
        control[HELD] += keep(
            key, lower, upper, control[NODES] - nodes_before, table, control[SIZE], shape
        )
    if control[HELD] * control[THREADS] > 3 << control[SIZE] and control[SIZE] < control[LARGEST]:
        control[HALT] = TABLE_FULL
    if sharing:
        call_back(key, empties, thread)
    return best
