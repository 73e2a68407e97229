"""Which root move is searched next, how deep and with how many nodes: the plan of report 001's
player.

The first pass over the root moves is the report's: its nodes are shared out, most to the moves that
the heuristic likes best, and what a move leaves unused passes to the next. What the pass itself
leaves unused passes on to another, a ply deeper and led by the best move so far, and so on until
nothing is left. By then every move has been looked at, so a move may use all there is; one for
which that is too little says nothing, and the pass before counts.

Threads take root moves one by one. One that finds a pass given out begins the next, so that nobody
waits while a long search goes on.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Sequence

from mnkala.native import shared
from mnkala.native.objects import IntArray
from mnkala.search.buffers import NO_LIMIT
from mnkala.search.candidates import keep_best
from mnkala.search.root import RootNode
from mnkala.search.values import HIGHEST, INFINITY

# ---- The q best moves: three ways to select them ----
#
# A heap that never grows beyond q costs O(n log q), a full sort O(n log n), and quickselect O(n) in
# the mean and a sort of the q at last.


HEAP, SORT, QUICKSELECT, NONE = range(4)
SELECTIONS = {"heap": HEAP, "sort": SORT, "quickselect": QUICKSELECT, "none": NONE}


@shared
def select_best(moves: IntArray, scores: IntArray, count: int, wanted: int, selection: int) -> int:
    """Put the best moves in front, best first, in one of the three ways."""
    if selection == HEAP:
        return keep_best(moves, scores, count, wanted)
    if selection == QUICKSELECT:
        quickselect(moves, scores, count, wanted)
        count = min(count, wanted)
    insertion_or_heap_sort(moves, scores, count)
    return min(count, wanted)


@shared
def insertion_or_heap_sort(moves: IntArray, scores: IntArray, count: int) -> None:
    """Sort all moves, best first: by insertion while they are few, else by a heap of all of them,
    O(n log n).
    """
    if count > 16:
        keep_best(moves, scores, count, count)
        return
    for i in range(1, count):
        move, score = moves[i], scores[i]
        j = i
        while j > 0 and scores[j - 1] < score:
            moves[j], scores[j] = moves[j - 1], scores[j - 1]
            j -= 1
        moves[j], scores[j] = move, score


@shared
def quickselect(moves: IntArray, scores: IntArray, count: int, wanted: int) -> None:
    """Move the `wanted` best in front, unsorted (Hoare 1961)."""
    low, high = 0, count - 1
    while low < high:
        pivot = scores[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while scores[i] > pivot:
                i += 1
            while scores[j] < pivot:
                j -= 1
            if i <= j:
                moves[i], moves[j] = moves[j], moves[i]
                scores[i], scores[j] = scores[j], scores[i]
                i += 1
                j -= 1
        if wanted - 1 <= j:
            high = j
        elif wanted - 1 >= i:
            low = i
        else:
            return


# ---- The plan ----


UNLIMITED = NO_LIMIT // 4


@dataclasses.dataclass
class Pass:
    """One pass over all root moves."""

    depth: int
    order: list[int]
    """The moves, the leading one first."""
    given: int = 0
    """How many of them have been given out."""
    found: dict[int, RootNode] = dataclasses.field(default_factory=dict)
    best: RootNode | None = None

    def note(self, node: RootNode) -> None:
        """Record the result of searching a root move."""
        self.found[node.move] = node
        if self.best is None or node.value > self.best.value:
            self.best = node


@dataclasses.dataclass(frozen=True)
class RootMoveTask:
    """A root move to be searched for a value above alpha, with a depth and a limit of nodes."""

    part_of: Pass
    move: int
    nodes: int
    alpha: int

    @property
    def depth(self) -> int:
        """The depth of the search from the root, in plies."""
        return self.part_of.depth


class BudgetPlan:
    """Gives out root moves to threads, and accounts for the nodes."""

    def __init__(
        self,
        moves: Sequence[int],
        depth: int,
        deepest: int,
        first: int,
        nodes: int,
        *,
        threads: int = 1,
        shared_out: bool = True,
    ) -> None:
        """Make a plan whose first pass searches to `depth` with `first` nodes; others follow
        down to `deepest` while fewer than `nodes` are spent."""
        self._passes = [Pass(depth, list(moves))]
        self._deepest, self._first, self._nodes = deepest, first, nodes
        self._threads, self._shared_out = threads, shared_out
        self._spent, self._promised, self._busy = 0, 0, 0
        self._over = False
        self._changed = threading.Condition()

    def next(self) -> RootMoveTask | None:
        """The next root move to search; None when there is nothing left to do, which may become
        known only when others have finished."""
        with self._changed:
            while not self._over:
                errand = self._take()
                if errand is not None:
                    self._busy += 1
                    self._promised += errand.nodes % UNLIMITED
                    return errand
                if self._busy == 0:
                    self._end()
                else:
                    self._changed.wait()
            return None

    def done(self, errand: RootMoveTask, used: int, node: RootNode | None) -> None:
        """Record the end of a task after a number of nodes; `node` is None if the search was
        stopped, which ends everything."""
        with self._changed:
            self._busy -= 1
            self._promised -= errand.nodes % UNLIMITED
            self._spent += used
            first = errand.part_of is self._passes[0]
            if node is None:
                self._end()
            elif first or used < errand.nodes:
                errand.part_of.note(node)
            self._changed.notify_all()

    def best(self) -> Pass:
        """The deepest pass that has searched the best move of the pass before."""
        with self._changed:
            chosen = self._passes[0]
            for later in self._passes[1:]:
                if chosen.best is not None and chosen.best.move in later.found:
                    chosen = later
            return dataclasses.replace(chosen, found=dict(chosen.found))

    def nodes(self) -> dict[int, RootNode]:
        """The latest result of each move."""
        with self._changed:
            return {move: node for one in self._passes for move, node in one.found.items()}

    def _take(self) -> RootMoveTask | None:
        current = self._passes[-1]
        if current.given == len(current.order):
            if not self._deepen(current):
                return None
            current = self._passes[-1]
        first = len(self._passes) == 1
        allowed = self._first if first else self._nodes
        free = allowed - self._spent - self._promised
        if allowed >= UNLIMITED:
            share = UNLIMITED
        elif free <= 0:
            return None
        elif first and self._shared_out:
            # The first of n moves gets 2/(n+1) of what is left, the second 2/n of the rest, …:
            # falling shares, and nothing is lost.
            share = max(1, 2 * free // (len(current.order) - current.given + 1))
        else:
            share = max(1, free // (self._threads - self._busy))
        move = current.order[current.given]
        current.given += 1
        return RootMoveTask(current, move, share, current.best.value if current.best else -INFINITY)

    def _deepen(self, last: Pass) -> bool:
        """Begin another pass, led by the best move so far or, if that is not known yet, by the
        one that leads the current pass."""
        leader = last.order[0]
        best = last.best if leader in last.found else None
        if (
            last.depth >= self._deepest
            or (best is None and self._busy == 0)
            or (best is not None and abs(best.value) > HIGHEST)
        ):
            return False
        leader = best.move if best is not None else leader
        self._passes.append(
            Pass(
                last.depth + 1,
                [leader, *(move for move in self._passes[0].order if move != leader)],
            )
        )
        return True

    def _end(self) -> None:
        self._over = True
        self._changed.notify_all()
