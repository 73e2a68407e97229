"""The search of one thread of the engine `threats`: the root moves, searched depth after depth."""

from __future__ import annotations

import dataclasses

import numpy as np

from mnkala.families.lines.engine.board import (
    ONE,
    Board,
    cell_for,
    count_of,
    evaluate,
    make_board,
    mark_word,
    place,
    take_back,
    threat_at,
    typed,
)
from mnkala.families.lines.engine.candidates import list_candidates, list_defences
from mnkala.families.lines.engine.patterns import COMPLETES, QUIET, WINS
from mnkala.families.lines.engine.search import key_of, late_reduction, search
from mnkala.families.lines.engine.settings import LATE, PLY, Settings
from mnkala.families.lines.engine.shared_search import (
    LEAST_DEPTH,
    MOST_PLIES,
    NOBODY,
    STOPPED,
    SharedWork,
    Thread,
    come_to,
    extend_line,
    hear,
    is_busy,
    is_called,
    leave,
    make_thread,
)
from mnkala.families.lines.engine.small_board import is_small
from mnkala.families.lines.engine.vcf import Fours, make_fours
from mnkala.families.lines.engine.weights import Weights
from mnkala.families.lines.rules import Mnk
from mnkala.native import kernel, shared
from mnkala.native.objects import IntArray, IntGrid
from mnkala.search.limit import Stop
from mnkala.search.pvs import pick_best
from mnkala.search.root import Task
from mnkala.search.table import EXACT, LOWER, UPPER, Table
from mnkala.search.values import HIGHEST, INFINITY

# ---- Root ----


@kernel
def list_root(board: Board, mover: int, thread: Thread, root: IntArray) -> int:
    """Write the moves of the root to `root`, the most promising first; return their number."""
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
def search_root(
    board: Board,
    mover: int,
    depth: int,
    alpha: int,
    beta: int,
    root: IntArray,
    values: IntArray,
    kinds: IntArray,
    lines: IntGrid,
    tops: IntArray,
    thread: Thread,
    fours: Fours,
    sharing: SharedWork,
    table: Table,
) -> int:
    """Search the root moves in their order; return the index of the best one, or -1 if none was
    finished.

    It writes their values, bounds (`EXACT`, `LOWER`, `UPPER`; 0 for a move that was not searched)
    and lines (the length first). As many of the best moves as `tops` has places get a value of
    their own: a move only has to beat the last of these.
    """
    best, other, ply, wanted = -1, 1 - mover, typed(ONE), len(tops)
    together = sharing.threads > 1 and depth >= LEAST_DEPTH
    for i in range(len(root)):
        kinds[i] = 0
    for i in range(wanted):
        tops[i] = alpha
    thread.standing[0] = evaluate(board, mover)
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
        if (
            i >= 2 * thread.settings[LATE]
            and depth >= 3 * PLY
            and threat_at(board, mover, cell) == QUIET
        ):
            less = max(0, min(depth - 2 * PLY, late_reduction(i, depth // PLY, thread) - PLY))
        thread.cut[1] = 0 if i < wanted else 1
        place(board, cell, mover)
        if i < wanted:
            value = -search(
                board,
                other,
                depth - PLY,
                -beta,
                -low,
                ply,
                cell,
                thread,
                fours,
                sharing,
                table,
            )
        else:
            value = -search(
                board,
                other,
                depth - PLY - less,
                -low - 1,
                -low,
                ply,
                cell,
                thread,
                fours,
                sharing,
                table,
            )
            thread.cut[1] = 0
            if value > low and less > 0:
                value = -search(
                    board,
                    other,
                    depth - PLY,
                    -low - 1,
                    -low,
                    ply,
                    cell,
                    thread,
                    fours,
                    sharing,
                    table,
                )
            if low < value < beta:
                value = -search(
                    board,
                    other,
                    depth - PLY,
                    -beta,
                    -low,
                    ply,
                    cell,
                    thread,
                    fours,
                    sharing,
                    table,
                )
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
    """Insert a value among the best ones, which move down."""
    i = len(tops)
    while i > 0 and tops[i - 1] < value:
        if i < len(tops):
            tops[i] = tops[i - 1]
        i -= 1
    if i < len(tops):
        tops[i] = value


# ---- Depth after depth ----


FIRST_WINDOW = 60
"""Half the width of the first aspiration window; it is quadrupled each time the value falls
outside."""
HANDFUL = 6
"""The number of best moves that get a value of their own where all moves are asked for."""
LONGEST_LINE = 64
"""The most moves of a line that are kept."""
DEEPEST = 60


@dataclasses.dataclass(frozen=True)
class Found:
    """What a depth has found about the root moves; see `search_root`."""

    root: IntArray
    values: IntArray
    kinds: IntArray
    lines: IntGrid

    def line(self, place: int) -> tuple[int, ...]:
        """The line that begins with a root move."""
        return tuple(self.lines[place, 1 : self.lines[place, 0] + 1].tolist())


class Searcher:
    """The search of one thread: it has a board and a memory of its own and shares the table."""

    def __init__(
        self,
        task: Task,
        settings: Settings,
        weights: Weights,
        table: Table,
        age: int,
        sharing: SharedWork,
    ) -> None:
        self.task = task
        self.stop = task.stop if sharing.number == 0 else Stop()
        assert isinstance(task.rules, Mnk)
        self.board: Board = make_board(task.rules, task.position.state().cells, weights)
        self.mover = task.position.mover
        self.thread = make_thread(len(self.board.cells), self.stop, settings, task.limit.nodes, age)
        self.fours, self.sequences = (
            make_fours(self.stop.flag),
            make_fours(self.stop.flag, MOST_PLIES + 2),
        )
        self.sharing, self.table = sharing, table
        root = np.zeros(len(self.board.cells), np.int64)
        self.root = root[: list_root(self.board, self.mover, self.thread, root)].copy()
        self.far = self._far_cells() if is_small(task.rules) else np.zeros(0, np.int64)
        """Moves that are not candidates, for the case that all candidates lose; on small boards
        that is sometimes proved."""
        self._make_room()
        self.every = task.all_moves
        self.tops = np.zeros(min(len(self.root), HANDFUL) if self.every else 1, np.int64)

    def depth(self, depth: int, alpha: int, beta: int) -> int:
        """Search the root moves; return the index of the best one, or -1."""
        return int(
            search_root(
                self.board,
                self.mover,
                depth * PLY,
                alpha,
                beta,
                self.root,
                self.values,
                self.kinds,
                self.lines,
                self.tops,
                self.thread,
                self.fours,
                self.sharing,
                self.table,
            )
        )

    def found(self) -> Found:
        """A copy of what the last depth has found."""
        return Found(self.root.copy(), self.values.copy(), self.kinds.copy(), self.lines.copy())

    @property
    def stopped(self) -> bool:
        """Whether the search had to stop."""
        return bool(self.thread.counters[STOPPED])

    def reorder(self, best: int) -> None:
        """Put the best move, or all moves whose values are known, in front for the next depth; the
        others keep their order."""
        order = [best, *(i for i in range(len(self.root)) if i != best)]
        if self.every:
            order.sort(key=lambda i: -self.values[i] if self.kinds[i] == EXACT else np.inf)
        for array in (self.root, self.values, self.kinds):
            array[:] = array[order]
        self.lines[:] = self.lines[order]

    def _make_room(self) -> None:
        """Allocate the arrays for the results of the root moves."""
        self.values, self.kinds = np.zeros_like(self.root), np.zeros_like(self.root)
        self.lines = np.zeros((len(self.root), LONGEST_LINE), np.int64)

    def _far_cells(self) -> IntArray:
        """The empty cells that are no root moves; none if only some moves are left because the
        other side threatens to win."""
        board, other = self.board, 1 - self.mover
        forced = [count_of(board, side, COMPLETES) for side in (0, 1)] + [
            count_of(board, other, WINS)
        ]
        return (
            np.zeros(0, np.int64)
            if any(forced)
            else np.setdiff1d(np.flatnonzero(board.cells == 0), self.root)
        )

    def can_drop(self) -> bool:
        """Whether another move remains if one is dropped."""
        return len(self.root) > 1 or len(self.far) > 0

    def drop(self, place: int) -> None:
        """Drop a root move; after the last candidate, the moves far from all marks take its place."""
        keep = [i for i in range(len(self.root)) if i != place]
        self.root, self.values, self.kinds, self.lines = (
            self.root[keep],
            self.values[keep],
            self.kinds[keep],
            self.lines[keep],
        )
        if not keep:
            self.root, self.far = self.far, self.far[:0]
            self._make_room()
        self.tops = self.tops[: len(self.root)].copy()

    def widening(self, depth: int, centre: int | None) -> int:
        """Search a depth with an aspiration window (Slate and Atkin 1977) around the last value."""
        if centre is None or self.every or abs(centre) > HIGHEST:
            return self.depth(depth, -INFINITY, INFINITY)
        width = FIRST_WINDOW
        alpha, beta = centre - width, centre + width
        while True:
            best = self.depth(depth, alpha, beta)
            if best < 0 or self.stopped:
                return best
            value = self.values[best]
            if alpha < value < beta:
                return best
            width *= 4
            if value <= alpha:
                alpha = centre - width if width < 4096 else -INFINITY
            else:
                beta = centre + width if width < 4096 else INFINITY
                self.reorder(best)

    def help(self) -> None:
        """Fill the table for the leading thread until it stops the search."""
        centre = None
        for depth in range(1, DEEPEST + 1):
            best = self.widening(depth, centre)
            if self.stopped or best < 0:
                return
            centre = int(self.values[best])
            self.reorder(best)
