"""The root of the search: which moves there are to choose from, and what each is worth."""

from __future__ import annotations

from mnkala.families.lines.engine.board import (
    ONE,
    Board,
    cell_for,
    count_of,
    mark_word,
    place,
    take_back,
    threat_at,
    typed,
)
from mnkala.families.lines.engine.candidates import list_candidates, list_defences
from mnkala.families.lines.engine.combinations import COMPLETES, QUIET, WINS
from mnkala.families.lines.engine.search import key_of, late_reduction, search
from mnkala.families.lines.engine.settings import LATE
from mnkala.families.lines.engine.shared_search import (
    LEAST_DEPTH,
    NOBODY,
    Sharing,
    come_to,
    hear,
    is_busy,
    is_called,
    leave,
)
from mnkala.families.lines.engine.thread_state import STOPPED, Thread, extend_line
from mnkala.families.lines.engine.vcf import Fours
from mnkala.native import kernel, shared
from mnkala.native.objects import IntArray, IntGrid
from mnkala.search.pvs import pick_best
from mnkala.search.table import EXACT, LOWER, UPPER, Table


@kernel
def list_root(board: Board, mover: int, thread: Thread, root: IntArray) -> int:
    """The moves that the root has to choose from, the most promising first: written to `root`, and how many."""
    other = 1 - mover
    if count_of(board, mover, COMPLETES) > 0:
        root[0] = cell_for(board, mover, COMPLETES)
        return 1
    if count_of(board, other, COMPLETES) > 0:
        root[0] = cell_for(board, other, COMPLETES)
        return 1
    count = 0
    if count_of(board, other, WINS) > 0 and count_of(board, mover, WINS) == 0:
        count = list_defences(board, mover, 0, thread)
    if count == 0:
        count = list_candidates(board, mover, 0, thread)
    for i in range(count):
        root[i] = pick_best(thread.moves[0], thread.scores[0], i, count)
    return count


@kernel
def search_root(board: Board, mover: int, depth: int, alpha: int, beta: int, root: IntArray, values: IntArray, kinds: IntArray,
                lines: IntGrid, tops: IntArray, thread: Thread, fours: Fours, sharing: Sharing, table: Table) -> int:
    """Search the root moves in their order; the number of the best one, or -1 if none was finished.

    Written are their values, bounds (`EXACT`, `LOWER`, `UPPER`; 0 for a move that was not searched) and lines (the length first). As many
    of the best moves as `tops` has places get a value of their own: a move only has to beat the last of these. """
    best, other, ply, wanted = -1, 1 - mover, typed(ONE), len(tops)
    together = sharing.threads > 1 and depth >= LEAST_DEPTH
    for i in range(len(root)):
        kinds[i] = 0
    for i in range(wanted):
        tops[i] = alpha
    turn, put_off = 0, 0
    while turn < len(root) + put_off:
        i = turn if turn < len(root) else thread.put_off[0, turn - len(root)]
        cell, low = root[i], tops[wanted - 1]
        child = key_of(board.hash[0] ^ mark_word(cell, mover), other)
        if together:
            if wanted <= turn < len(root) and is_busy(sharing, child):
                thread.put_off[0, put_off] = i
                put_off += 1
                turn += 1
                continue
            come_to(sharing, child, NOBODY, 0)
        less = 0
        if i >= 2 * thread.settings[LATE] and depth >= 3 and threat_at(board, mover, cell) == QUIET:
            less = min(depth - 2, late_reduction(i, depth, thread.settings))
        place(board, cell, mover)
        if i < wanted:
            value = -search(board, other, depth - 1, -beta, -low, ply, cell, thread, fours, sharing, table)
        else:
            value = -search(board, other, depth - 1 - less, -low - 1, -low, ply, cell, thread, fours, sharing, table)
            if value > low and less > 0:
                value = -search(board, other, depth - 1, -low - 1, -low, ply, cell, thread, fours, sharing, table)
            if low < value < beta:
                value = -search(board, other, depth - 1, -beta, -low, ply, cell, thread, fours, sharing, table)
        take_back(board, cell)
        if together:
            leave(sharing, child, 0)
        if thread.counters[STOPPED] != 0:
            break
        if sharing.threads > 1 and is_called(sharing):
            hear(sharing, 0)
            continue
        turn += 1
        values[i] = value
        kinds[i] = UPPER if value <= low else LOWER if value >= beta else EXACT
        extend_line(thread, 0, cell)
        lines[i, 0] = min(thread.line_end[0], lines.shape[1] - 1)
        for j in range(lines[i, 0]):
            lines[i, j + 1] = thread.line[0, j]
        if best < 0 or value > values[best]:
            best = i
        note_top(tops, value)
        if tops[wanted - 1] >= beta:
            break
    return best


@shared
def note_top(tops: IntArray, value: int) -> None:
    """Insert a value among the best ones, which fall."""
    i = len(tops)
    while i > 0 and tops[i - 1] < value:
        if i < len(tops):
            tops[i] = tops[i - 1]
        i -= 1
    if i < len(tops):
        tops[i] = value
