"""What the threats of a Connect board are worth: rows of good parity, and who runs out of moves.

A *threat* is an empty cell that completes a line for a player. Nobody wants to play right below an opponent's threat, so columns stay
open below threats until everything else is full and somebody has to: *zugzwang* (Allis 1988, "A Knowledge-based Approach of Connect-Four").

Who that is follows from counting. If a single threat in row r (from 1) is left and the columns beside it are full, (columns - 1) * rows +
r - 1 discs lie when its cell can be played, so the first player gets it where that number is even. With an even number of rows these are
the odd rows, whatever the number of columns: Allis' rule. With an odd number of rows and an even number of columns the first player
gets the even rows; with both odd again the odd ones. `good_rows` says so for any board. With several threats on the board the
rule is a rule of thumb; `zugzwang` plays the filling of the board out instead.

Threats are given as bits by row, for either player SIDE columns, in an array from a place on.
"""

from __future__ import annotations

import numpy as np

from mnkala.native import lowest_bit, shared
from mnkala.native.objects import IntArray

SIDE_BITS = 6
SIDE = 1 << SIDE_BITS
"""A number larger than the rows and the columns of any board."""
GOOD, OTHER = 60, 20
"""The value of a threat in a row that its owner will get to play in, and in any other row, where it
still keeps the opponent from the cell below."""
DOUBLE = 200
"""The value of two threats of one player, one above the other: the first is blocked, the second
wins."""
FULL_SCALE, KILLED, WEAKENED = 6, 3, 1
"""Numbers of halvings of a threat's value: what lies above a threat in a good row is hardly ever
played (KILLED), what lies above another threat often enough (WEAKENED). Values are multiplied by 2
to the power of FULL_SCALE."""
LAST_WORD, DISTANT = 20_000, 16
"""Winning the zugzwang is worth LAST_WORD / (DISTANT + the moves until then), which is more the
nearer it is."""


def good_rows(rows: int, cols: int) -> int:
    """The rows, as bits from the bottom, in which the first player gets to play if all other columns are full."""
    return sum(1 << row for row in range(rows) if ((cols - 1) * rows + row) % 2 == 0)


@shared
def column_worth(first: int, second: int, good: int) -> int:
    """The value of a column's threats for the first player; the lowest counts most. The threats are
    bits by row, from the lowest empty cell on."""
    worth = 0
    scale = FULL_SCALE
    while first | second != 0 and scale >= 0:
        lowest = (first | second) & -(first | second)
        firsts_row = good & lowest != 0
        cut = WEAKENED
        if first & lowest != 0:
            worth += (GOOD if firsts_row else OTHER) + (DOUBLE if first & (lowest << 1) != 0 else 0) << scale
            if firsts_row:
                cut = KILLED
        if second & lowest != 0:
            worth -= (OTHER if firsts_row else GOOD) + (DOUBLE if second & (lowest << 1) != 0 else 0) << scale
            if not firsts_row:
                cut = KILLED
        first &= ~lowest
        second &= ~lowest
        scale -= cut
    return worth >> FULL_SCALE


@shared
def zugzwang(memory: IntArray, threats: int, reached: int, heights: IntArray, rows: int, mover: int) -> int:
    """The value for the first player of the board filling up without new threats: positive if the
    second player runs out of moves.

    Each column is filled up to the cell below its lowest threat. The player who must then move
    gives up a threat of his own, if there is one: he plays below it and the opponent takes the
    cell, which opens the column again. Otherwise he loses. `reached` is the place in the memory
    where the columns' heights may be kept meanwhile.
    """
    for col in range(len(heights)):
        memory[reached + col] = heights[col]
    moves = 0
    player = mover
    while True:
        # 1. Play all cells that are harmless for both.
        safe = fill_safely(memory, threats, reached, len(heights), rows)
        if safe < 0:
            return 0
        moves += safe
        player ^= safe & 1
        # 2. The player to move gives up a threat of his own or loses.
        col = threat_to_give_up(memory, threats + SIDE * player, threats + SIDE * (1 - player), reached, len(heights), rows)
        if col < 0:
            return signed(LAST_WORD // (DISTANT + moves), 1 - player)
        # 3. The opponent takes it, and threats right above are answered in turn.
        height = memory[reached + col] + 2
        moves += 2
        while height < rows:
            if (memory[threats + SIDE * player + col] >> height) & 1 != 0:
                return signed(LAST_WORD // (DISTANT + moves), player)
            if (memory[threats + SIDE * (1 - player) + col] >> height) & 1 == 0:
                break
            height += 1
            moves += 1
            player = 1 - player
        memory[reached + col] = height


@shared
def signed(worth: int, player: int) -> int:
    """Convert a player's value to the first player's view."""
    return worth if player == 0 else -worth


@shared
def fill_safely(memory: IntArray, threats: int, reached: int, cols: int, rows: int) -> int:
    """Fill every column up to the cell below its lowest threat; return the number of discs that
    takes, or -1 if no threat is left."""
    safe = 0
    stuck = False
    for col in range(cols):
        height = memory[reached + col]
        free = safe_cells(memory, threats, col, height, rows)
        if free + height < rows:
            stuck = True
        safe += free
        memory[reached + col] = height + free
    return safe if stuck else -1


@shared
def safe_cells(memory: IntArray, threats: int, col: int, height: int, rows: int) -> int:
    """How many cells of a column, from a height on, lie neither right below a threat nor above one."""
    both = (memory[threats + col] | memory[threats + SIDE + col]) >> height
    return rows - height if both == 0 else max(0, lowest_bit(np.uint64(both)) - 1)


@shared
def threat_to_give_up(memory: IntArray, own: int, other: int, reached: int, cols: int, rows: int) -> int:
    """The column of a threat that a player can give up without losing, preferably one that leaves
    an odd number of moves above; or -1."""
    chosen = -1
    for col in range(cols):
        row = memory[reached + col] + 1
        if (memory[own + col] >> row) & 1 != 0 and (memory[other + col] >> row) & 1 == 0:
            chosen = col
            if safe_cells(memory, min(own, other), col, row + 1, rows) & 1 != 0:
                break
    return chosen
