"""Victory by continuous threats (VCT): every move of the attacker is a four or an open three, so
the defender is never free.

A four has one answer. An open three has a few, and all of them are tried, including the
defender's own fours (`candidates` shows that there are no others), so what is found is a proof.
After a four by the defender the attacker has to answer it, and continues only if the threat
still stands. As in `fours`, longer and longer victories are looked for, and failures are kept in
a table.
"""

from __future__ import annotations

import numpy as np

from mnkala.families.lines.engine.board import (
    NO_CELL,
    ZERO,
    Board,
    cell_for,
    count_of,
    place,
    take_back,
    typed,
)
from mnkala.families.lines.engine.candidates import list_defences, list_set
from mnkala.families.lines.engine.patterns import (
    COMPLETES,
    MAKES_FOUR,
    MAKES_THREE,
    THREATS,
    WINS,
)
from mnkala.families.lines.engine.shared_search import MOST_PLIES, Thread
from mnkala.families.lines.engine.vcf import (
    ATTACKER,
    GAVE_UP,
    LEFT_BITS,
    NODE_LIMIT,
    NODES,
    Fours,
    forced_win,
    shortest,
)
from mnkala.native import kernel, mix
from mnkala.search.pvs import pick_best

MOST_THREATS = 20
"""The attacker's moves in the longest victory that is looked for."""
FOURS_AT_ONCE, NODES_AT_ONCE = 10, 60
"""The moves and nodes of the search for fours that comes before threes are tried."""
DEFENDS = np.uint64(0xA24BAED4963EE407)
"""Distinguishes a position with the defender to move from the same one with the attacker."""
TABLE_BITS = 16


@kernel
def attack_by_threats(
    board: Board,
    attacker: int,
    mover: int,
    left: int,
    ply: int,
    search: Fours,
    thread: Thread,
    fours: Fours,
) -> int:
    """The attacker's moves to a victory by at most `left` of them, whatever the defender does, or
    0."""
    numbers, defender = search.numbers, 1 - attacker
    search.length[ply] = 0
    # 1. Answer what can be read off.
    if mover == attacker:
        if count_of(board, attacker, COMPLETES) > 0:
            search.line[ply, 0] = cell_for(board, attacker, COMPLETES)
            search.length[ply] = 1
            return 1
        if left < 2:
            return 0
    elif count_of(board, defender, COMPLETES) > 0:
        return 0
    elif count_of(board, attacker, COMPLETES) > 1:
        search.line[ply, 0] = cell_for(board, attacker, COMPLETES)
        search.length[ply] = 1
        return 1
    elif count_of(board, attacker, COMPLETES) == 0 and count_of(board, defender, WINS) > 0:
        return 0  # The defender's fours on the way have given two ways to complete a line, which is faster.
    # 2. Stop, or find a known failure.
    numbers[NODES] += 1
    if (
        numbers[NODES] >= numbers[NODE_LIMIT]
        or search.stop[0] != 0
        or ply >= len(search.length) - 1
        or ply >= MOST_PLIES
    ):
        numbers[GAVE_UP] = 1
        return 0
    key = (
        mix(
            board.hash[0]
            ^ (ATTACKER if attacker == 1 else ZERO)
            ^ (DEFENDS if mover != attacker else ZERO)
        )
        & ~LEFT_BITS
    )
    slot = np.int64(key >> np.uint64(64 - TABLE_BITS))
    entry = search.failed[slot]
    if entry & ~LEFT_BITS == key and np.int64(entry & LEFT_BITS) >= left:
        return 0
    found = 0
    if mover != attacker:
        # 3. With the defender to move: a four has one answer; against an open three try the moves
        #    that meet it, and fours.
        if count_of(board, attacker, COMPLETES) == 1:
            thread.moves[ply, 0] = cell_for(board, attacker, COMPLETES)
            count = 1
        elif count_of(board, attacker, WINS) > 0:
            count = list_defences(board, defender, ply, thread)
            if count == 0 and left >= 2:
                found = 2
                search.line[ply, 0] = cell_for(board, attacker, WINS)
                search.length[ply] = 1
        else:
            count = 0
        for i in range(count):
            cell = (
                pick_best(thread.moves[ply], thread.scores[ply], i, count)
                if count > 1
                else thread.moves[ply, 0]
            )
            place(board, cell, defender)
            moves = attack_by_threats(
                board, attacker, attacker, left, ply + 1, search, thread, fours
            )
            take_back(board, cell)
            if moves == 0:
                found = 0
                break
            if moves > found:
                found = moves
                keep_line(search, ply, cell)
    else:
        forced = cell_for(board, defender, COMPLETES)
        if forced != NO_CELL:
            # 4. The attacker must answer a four, and goes on if an own threat still stands.
            if count_of(board, defender, COMPLETES) == 1:
                place(board, forced, attacker)
                if count_of(board, attacker, COMPLETES) + count_of(board, attacker, WINS) > 0:
                    found = attack_by_threats(
                        board, attacker, defender, left - 1, ply + 1, search, thread, fours
                    )
                take_back(board, forced)
                if found > 0:
                    found += 1
                    keep_line(search, ply, forced)
        elif count_of(board, attacker, WINS) > 0:
            found = 2
            search.line[ply, 0] = cell_for(board, attacker, WINS)
            search.length[ply] = 1
        else:
            # 5. Look for a victory by fours alone; then try fours and open threes, unless the
            #    defender would be faster.
            if count_of(board, attacker, MAKES_FOUR) > 0:
                found = forced_win(board, attacker, min(left, FOURS_AT_ONCE), NODES_AT_ONCE, fours)
                if found > 0:
                    search.length[ply] = fours.length[0]
                    for j in range(fours.length[0]):
                        search.line[ply, j] = fours.line[0, j]
            if found == 0 and left > 2:
                count = list_set(board, attacker * THREATS + MAKES_FOUR, attacker, ply, 0, thread)
                if count_of(board, defender, WINS) == 0:
                    count = list_set(
                        board, attacker * THREATS + MAKES_THREE, attacker, ply, count, thread
                    )
                for i in range(count):
                    cell = pick_best(thread.moves[ply], thread.scores[ply], i, count)
                    place(board, cell, attacker)
                    moves = attack_by_threats(
                        board, attacker, defender, left - 1, ply + 1, search, thread, fours
                    )
                    take_back(board, cell)
                    if moves > 0:
                        found = moves + 1
                        keep_line(search, ply, cell)
                        break
    if found == 0 and numbers[GAVE_UP] == 0:
        search.failed[slot] = key | np.uint64(left)
    return found


@kernel
def keep_line(search: Fours, ply: int, cell: int) -> int:
    """Make this move followed by the line from the next ply the line from here."""
    search.line[ply, 0] = cell
    length = min(search.length[ply + 1], search.line.shape[1] - 1)
    for j in range(length):
        search.line[ply, j + 1] = search.line[ply + 1, j]
    search.length[ply] = length + 1
    return 0


@kernel
def shortest_by_threats(
    board: Board,
    attacker: int,
    mover: int,
    most: int,
    nodes: int,
    search: Fours,
    thread: Thread,
    fours: Fours,
) -> int:
    """The attacker's moves in a victory by at most `most` threats, or 0; its line is then in
    `search.line[0]`.

    No victory by threats alone has fewer moves, except victories by fours that were found on the
    way.
    """
    search.numbers[GAVE_UP] = 0
    search.numbers[NODE_LIMIT] = search.numbers[NODES] + nodes
    for left in range(2, min(most, MOST_THREATS) + 1):
        found = attack_by_threats(board, attacker, mover, left, typed(ZERO), search, thread, fours)
        if found > 0 or search.numbers[GAVE_UP] != 0:
            return found
    return 0


@kernel
def refutation(
    board: Board,
    mover: int,
    cell: int,
    most: int,
    nodes: int,
    search: Fours,
    thread: Thread,
    fours: Fours,
) -> int:
    """The number of moves in which the other side wins by fours or threats after the mover's move
    on this cell; 0 if no such win was found."""
    other = 1 - mover
    place(board, cell, mover)
    found = 0
    if count_of(board, mover, COMPLETES) == 0:
        found = shortest(board, other, most, nodes, fours)
        if found == 0:
            found = shortest_by_threats(board, other, other, most, nodes, search, thread, fours)
    take_back(board, cell)
    return found
