"""Iterative deepening: the strong default. Depth 1, 2, 3, … each guided by what the one before left
in the table.

Each depth starts with an aspiration window around the last value (Slate and Atkin 1977) and widens
it where the value falls outside. A second thread searches the same position with a disturbed move
order and a depth ahead, and the two share the table ("lazy SMP"): what one finds, the other looks
up.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from mnkala.search.analysis import Analysis
from mnkala.search.buffers import NODES, Buffers, make_buffers
from mnkala.search.engine import HeuristicSearch, register_search
from mnkala.search.limit import Limit, Stop, nodes_to_depth
from mnkala.search.pvs import Order, make_order, search_window
from mnkala.search.root import Root, RootNode, Task
from mnkala.search.runner import Helpers
from mnkala.search.table import KEPT_BITS, Table, lent_table, table_bits
from mnkala.search.values import BY_DISTANCE, HIGHEST, INFINITY, margin_and_plies

FIRST_WINDOW = 32
"""Half the width of the first aspiration window; it is quadrupled each time the value falls
outside."""
ROOM_PLIES = 64
"""The plies of the buffers beyond the depth, for urgent and forcing moves."""


@dataclasses.dataclass(frozen=True)
class Deepening(HeuristicSearch):
    """Iterative deepening with principal variation search, a transposition table, killers and
    history: the strong default.
    """

    name = "deepening"
    plays_out_best = True
    threads: int = 1
    """The number of threads, 1 or 2, on one shared table."""
    table_bits: int = KEPT_BITS
    """The size of the table: 2^table_bits positions of 16 bytes."""

    DEFAULT_NODES = 3_000_000

    def run(self, task: Task) -> Analysis:
        if task.limit == Limit():
            task = dataclasses.replace(task, limit=Limit(nodes=self.DEFAULT_NODES))
        with lent_table(
            table_bits(self.table_bits, task.limit, nodes_to_depth(task.rules, task.limit))
        ) as table:
            return self._search(task, table)

    def _search(self, task: Task, table: Table) -> Analysis:
        searchers = [Searcher(self, task, table, jitter) for jitter in range(self.threads)]
        helpers = Helpers(searcher.help for searcher in searchers[1:])
        try:
            return searchers[0].lead(tuple(searcher.buffers for searcher in searchers[1:]))
        finally:
            for searcher in searchers[1:]:
                searcher.stop.set()
            helpers.join()


class Searcher:
    """The search of one thread: it has its own buffers and move order, and shares the table."""

    def __init__(self, search: Deepening, task: Task, table: Table, jitter: int) -> None:
        self.task = task
        self.stop = task.stop if jitter == 0 else Stop()
        self.deepest = task.deepest()
        self.buffers: Buffers = make_buffers(
            task.rules, self.deepest + ROOM_PLIES, self.stop, task.limit.nodes
        )
        self.order: Order = make_order(task.rules, self.buffers, jitter)
        self.table = table
        self.root = Root(
            task, search.heuristic_for(task.rules), search.candidates_for(task.rules), self.buffers
        )

    def lead(self, others: tuple[Buffers, ...]) -> Analysis:
        """Search depth after depth and report each; return the last answer that can be trusted."""
        root = self.root
        answer = root.analysis(root.nodes[0], 0, held=1)
        best: RootNode | None = None
        for depth in range(1, self.deepest + 1):
            found = self.search_depth(depth, best)
            if found is not None:
                best = found
                answer = root.analysis(best, depth, held=depth + 1, others=others)
                self.task.report(answer)
            if root.stopped or (best is not None and self._nothing_to_add(best, depth)):
                break
        nodes = sum(int(buffers.counters[NODES]) for buffers in (self.buffers, *others))
        return dataclasses.replace(answer, nodes=nodes)

    def help(self) -> None:
        """Fill the table for the leading thread, one depth ahead of it, until it stops the search."""
        best: RootNode | None = None
        for depth in range(2, self.deepest + 1):
            found = self.search_depth(depth, best)
            if self.root.stopped:
                break
            best = found or best

    def _nothing_to_add(self, best: RootNode, depth: int) -> bool:
        if self.root.restricted:
            return abs(best.value) > HIGHEST and margin_and_plies(best.value)[1] <= depth
        if self.task.all_moves:
            return all(
                node.kind == "exact" and self.root.proves(node, depth) for node in self.root.nodes
            )
        return self.root.proves_best(best, depth)

    def search_depth(self, depth: int, best: RootNode | None) -> RootNode | None:
        """The best move at this depth, or None if the search was stopped before one could be
        trusted.
        """
        if best is None or self.task.all_moves or abs(best.value) > HIGHEST:
            return self._search_root(depth, -INFINITY, INFINITY, best)
        centre, width = best.value, FIRST_WINDOW
        alpha, beta = centre - width, centre + width
        while True:
            found = self._search_root(depth, alpha, beta, best)
            if found is None or alpha < found.value < beta:
                return found
            width *= 4
            if found.value <= alpha:
                alpha = max(-INFINITY, centre - width) if width < HIGHEST else -INFINITY
            else:
                beta = min(INFINITY, centre + width) if width < HIGHEST else INFINITY

    def _search_root(
        self, depth: int, alpha: int, beta: int, last_best: RootNode | None
    ) -> RootNode | None:
        """Principal variation search over the root moves, the best of the last depth first."""
        root = self.root
        self.buffers.counters[NODES] += 1
        ordered = sorted(
            root.nodes, key=lambda node: last_best is None or node.move != last_best.move
        )
        trials: dict[int, RootNode] = {}
        best: RootNode | None = None
        for node in ordered:
            trial = RootNode(node.move)
            high = beta if best is None or self.task.all_moves else alpha + 1
            while True:
                value = root.search(
                    trial, alpha, high, lambda *position: self._below(depth - 1, *position)
                )
                if root.stopped or value <= alpha or value >= beta or high == beta:
                    break
                high = beta
            if root.stopped:
                break
            trial.complete = not self.order.touched[1]
            trials[node.move] = trial
            if best is None or trial.value > best.value:
                best = trial
            if not self.task.all_moves:
                alpha = max(alpha, value)
            if alpha >= beta:
                break
        if root.stopped and (best is None or best.kind != "exact"):
            return None
        root.nodes = [trials.get(node.move, node) for node in root.nodes]
        return best

    def _below(self, depth: int, state: Any, memory: Any, alpha: int, beta: int) -> int:
        return search_window(
            self.root.rules,
            self.root.heuristic,
            state,
            memory,
            depth,
            alpha,
            beta,
            1,
            BY_DISTANCE,
            self.root.candidates,
            self.buffers,
            self.table,
            self.order,
        )


register_search(Deepening)
