"""The follow-up strategy as a bound: what the player who does *not* move can hold by answering always in the same column.

Let A be to move and B the other. B answers each of A's moves in the cell directly above it. Where the number of empty cells of every
column is even, that works to the end: B gets the top row and every second row below (`Shape.last`), A the rows between. If A's discs and
cells hold no line, A cannot win. This is Victor Allis' *claimeven* (1988) applied to the whole board at once. Three things make it
apply nearly everywhere:

* Two columns with an odd number of empty cells are a pair: when A takes the lowest cell of one, B takes that of the other (Allis'
  *baseinverse*); above them all is even again. A gets one cell of each such pair, and B chooses the pairs.
* Below a threat of B (an empty cell that completes a line of B's) A cannot move at all: the column ends there, and so does what A can
  reach. If A has no line, A runs out of moves at last and has to play below the threat: B wins.
* Such a threat on the *other* rows turns the column's parity round, so that B can follow up although the number of empty cells is
  odd. For the first player on a board of even height this is the odd threat of every textbook.

All bounds are sound for any size and length of line: the tests hold them against brute force.
"""

from __future__ import annotations

import numpy as np

from mnkala.families.connect.solver.board import Shape, has_line
from mnkala.native import popcount, shared
from mnkala.solve.common.words import ONE, ZERO

NO_BOUND = 1000
"""The strategy proves nothing."""


@shared
def ceiling(mover: np.uint64, other: np.uint64, threats: np.uint64, empties: int, need: int, shape: Shape) -> int:
    """The most that the mover can score against a follow-up strategy, if that is at most `need`, else NO_BOUND.

    `threats` are the other's; none of them can be played at once.
    """
    empty = shape.full & ~(mover | other)
    open_cells = ((mover | other) + shape.bottom) & shape.full
    # Columns that end at a threat of the other on its own rows: the lowest one of each, and all from there to the top.
    lowest = _lowest_of_columns(threats & shape.last, shape)
    ends = lowest & shape.full
    beyond = shape.heads - lowest
    mover_rows = empty & ~shape.last & ~beyond

    if empties & 1 == 0:
        score = -((popcount(beyond) + popcount(ends)) // 2) if ends != ZERO else 0
        odd_columns = open_cells & shape.last
        if ends == ZERO and need < 0:
            # Only a line among the cells that the other is sure to get wins for it.
            if need < -1 or not has_line(other | (empty & shape.last & ~odd_columns), shape.step, shape.line):
                return NO_BOUND
            score = -1
        return score if score <= need and holds(mover | mover_rows, odd_columns, shape) else NO_BOUND

    # An odd number of cells: some column has to end at a threat on the mover's rows.
    turning = _lowest_of_columns(threats & ~shape.last, shape) & shape.full
    best = NO_BOUND
    while turning != ZERO:
        threat = turning & (~turning + ONE)
        turning ^= threat
        above = shape.heads & ~(threat - ONE)
        head = above & (~above + ONE)
        column = head - (head >> (shape.step - ONE))
        poisoned = threat >> ONE
        below = column & (poisoned - ONE) & empty
        unplayed = popcount(beyond & ~column) + popcount(ends & ~column) + popcount(column & empty & ~below)
        score = -(unplayed // 2)
        if score <= need and score < best:
            odd_columns = (open_cells & shape.last & ~column) | (open_cells & below & ~shape.last)
            if holds(mover | (mover_rows & ~column) | (below & shape.last) | poisoned, odd_columns, shape):
                best = score
    return best


@shared
def _lowest_of_columns(cells: np.uint64, shape: Shape) -> np.uint64:
    """The lowest of these cells in each column, or the column's head where there is none."""
    marked = cells | shape.heads
    return marked & ~(marked - shape.bottom)


@shared
def holds(cells: np.uint64, odd_columns: np.uint64, shape: Shape) -> bool:
    """Whether these cells hold no line, whichever one of each pair of `odd_columns` is added, for some choice of the pairs."""
    step, line = shape.step, shape.line
    if not has_line(cells | odd_columns, step, line):
        return True
    count = popcount(odd_columns)
    if count == 0 or count > 4 or has_line(cells, step, line):
        return False
    first = odd_columns & (~odd_columns + ONE)
    rest = odd_columns ^ first
    if count == 2:
        return not has_line(cells | first, step, line) and not has_line(cells | rest, step, line)
    partners = rest
    while partners != ZERO:
        partner = partners & (~partners + ONE)
        partners ^= partner
        third = rest ^ partner
        fourth = third & (~third + ONE)
        third ^= fourth
        if not (has_line(cells | first | third, step, line) or has_line(cells | first | fourth, step, line)
                or has_line(cells | partner | third, step, line) or has_line(cells | partner | fourth, step, line)):
            return True
    return False
