"""The two textbook searches as engines: to a fixed depth, and under a clock to one depth after another."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

from mnkala.errors import BadEngine
from mnkala.search.alphabeta import alphabeta
from mnkala.search.analysis import Analysis
from mnkala.search.buffers import NODES, make_buffers
from mnkala.search.engine import HeuristicSearch, register_search
from mnkala.search.limit import depth_for_nodes
from mnkala.search.minimax import minimax
from mnkala.search.root import Root, RootNode, Task
from mnkala.search.values import BY_DISTANCE, HIGHEST, INFINITY, EndValues, flat


@dataclasses.dataclass(frozen=True)
class FixedDepth(HeuristicSearch):
    """Minimax without memory. With only a depth it goes straight there; under any other limit it starts at depth 1 and works
    its way down, so that there is always an answer."""

    win: int = 0
    """The value of a won game; 0 prefers quick wins and slow losses (report 002 uses a flat 100)."""
    depth_from_nodes: int = 0
    """Choose the depth by report 002's formula for this many nodes; 0 for not at all."""
    pruning_factor: float = 0.75
    """F of that formula, from 0.5 (perfect ordering) to 1 (no pruning)."""

    plays_out_best: ClassVar[bool] = True
    prunes: ClassVar[bool] = True
    """Whether moves that cannot matter are cut."""
    DEFAULT_NODES: ClassVar[int] = 20_000_000
    """Without any limit, the depth is the one that report 002's formula gives for this many nodes."""

    def __post_init__(self) -> None:
        if not 0 <= self.win <= HIGHEST:
            raise BadEngine(f"win={self.win}; a won game is worth 1 to {HIGHEST:,}, or 0 for the sooner the better")

    def default_depth(self, task: Task) -> int:
        """The depth where none was asked for."""
        nodes = self.depth_from_nodes or self.DEFAULT_NODES
        return depth_for_nodes(task.rules, nodes, self.pruning_factor)

    def below(self, root: Root, depth: int, state: Any, memory: Any, alpha: int, beta: int) -> int:
        """The value of a position at ply 1."""
        raise NotImplementedError

    @property
    def ends(self) -> EndValues:
        """What finished games are worth."""
        return flat(self.win) if self.win else BY_DISTANCE

    def run(self, task: Task) -> Analysis:
        limit = task.limit
        if limit.depth is None and (self.depth_from_nodes or limit.depth_only):
            deepest = min(task.deepest(), self.default_depth(task))
        else:
            deepest = task.deepest()
        buffers = make_buffers(task.rules, deepest, task.stop, limit.nodes)
        root = Root(task, self.heuristic_for(task.rules), self.candidates_for(task.rules), buffers)
        answer = root.analysis(root.nodes[0], 0, held=1)
        for depth in range(deepest if limit.depth_only else 1, deepest + 1):
            best = self._search_root(root, depth)
            if best is None:
                break
            answer = root.analysis(best, depth, held=depth + 1)
            task.report(answer)
            if root.stopped or root.proves_best(best, depth):
                break
        return dataclasses.replace(answer, nodes=int(buffers.counters[NODES]))

    def _search_root(self, root: Root, depth: int) -> RootNode | None:
        """The best root move at this depth; None if the search was stopped before it could be known."""
        root.buffers.counters[NODES] += 1
        found: list[RootNode] = []
        best: RootNode | None = None
        for node in root.nodes:
            trial = RootNode(node.move)
            alpha = best.value if best and self.prunes and not root.task.all_moves else -INFINITY
            root.search(trial, alpha, INFINITY, lambda *position: self.below(root, depth - 1, *position))
            if root.stopped:
                return None
            found.append(trial)
            if best is None or trial.value > best.value:
                best = trial
        root.nodes = found
        return best


@dataclasses.dataclass(frozen=True)
class Minimax(FixedDepth):
    """Minimax (report 000): every position down to the depth."""

    name = "minimax"
    prunes = False
    pruning_factor: float = 1.0

    def below(self, root: Root, depth: int, state: Any, memory: Any, alpha: int, beta: int) -> int:
        return minimax(root.rules, root.heuristic, state, memory, depth, 1, self.ends, root.candidates, root.buffers)


@dataclasses.dataclass(frozen=True)
class AlphaBeta(FixedDepth):
    """Alpha-beta (reports 000 to 004): the same value and move as minimax, with cuts."""

    name = "alphabeta"

    def below(self, root: Root, depth: int, state: Any, memory: Any, alpha: int, beta: int) -> int:
        return alphabeta(root.rules, root.heuristic, state, memory, depth, alpha, beta, 1, self.ends, root.candidates,
                         root.buffers)


register_search(Minimax)
register_search(AlphaBeta)
