"""Minimax and alpha-beta, the two textbook searches, and both as engines: to a fixed depth or,
under a clock, to one depth after another."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

from mnkala.core import GOING_ON
from mnkala.errors import BadEngine
from mnkala.native import kernel
from mnkala.search.analysis import Analysis
from mnkala.search.buffers import (
    CUTOFFS,
    NODES,
    Buffers,
    evaluate,
    extend_line,
    make_buffers,
    visit,
)
from mnkala.search.candidates import Candidates, list_moves
from mnkala.search.engine import HeuristicSearch, register_search
from mnkala.search.limit import depth_for_nodes
from mnkala.search.root import Root, RootNode, Task
from mnkala.search.values import BY_DISTANCE, HIGHEST, INFINITY, EndValues, end_value, flat

# ---- Minimax, in its negamax form (Knuth and Moore 1975): the value of a position is the best of
# its moves ----


@kernel
def minimax(
    rules: Any,
    heuristic: Any,
    state: Any,
    memory: Any,
    depth: int,
    ply: int,
    ends: EndValues,
    candidates: Candidates,
    buffers: Buffers,
) -> int:
    """The value of `state` for its mover, `depth` plies deep."""
    if visit(buffers, ply):
        return 0
    result = rules.result(state)
    if result != GOING_ON:
        return end_value(result, ply, ends)
    if depth == 0:
        return evaluate(rules, heuristic, state, memory, buffers)

    best = -INFINITY
    mover = rules.mover(state)
    moves = buffers.moves[ply]
    for i in range(list_moves(rules, heuristic, state, memory, candidates, buffers, ply)):
        move = moves[i]
        child = rules.play(state, move)
        child_memory = heuristic.played(rules, child, move, memory)
        value = minimax(
            rules, heuristic, child, child_memory, depth - 1, ply + 1, ends, candidates, buffers
        )
        if rules.mover(child) != mover:
            value = -value
        heuristic.undone(rules, child, move, child_memory)
        rules.undo(child, move)
        if value > best:
            best = value
            extend_line(buffers, ply, move)
    return best


# ---- Alpha-beta: minimax with a window (Knuth and Moore 1975) ----
#
# Values at or below alpha or at or above beta do not matter to the root, so a position is left as
# soon as one of its moves reaches beta. The root's value and move are those of minimax.


@kernel
def alphabeta(
    rules: Any,
    heuristic: Any,
    state: Any,
    memory: Any,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    ends: EndValues,
    candidates: Candidates,
    buffers: Buffers,
) -> int:
    """The value of `state` for its mover if it lies between alpha and beta; otherwise a bound on it
    (fail-soft).
    """
    if visit(buffers, ply):
        return 0
    result = rules.result(state)
    if result != GOING_ON:
        return end_value(result, ply, ends)
    if depth == 0:
        return evaluate(rules, heuristic, state, memory, buffers)

    best = -INFINITY
    mover = rules.mover(state)
    moves = buffers.moves[ply]
    for i in range(list_moves(rules, heuristic, state, memory, candidates, buffers, ply)):
        move = moves[i]
        child = rules.play(state, move)
        child_memory = heuristic.played(rules, child, move, memory)
        if rules.mover(child) == mover:
            value = alphabeta(
                rules,
                heuristic,
                child,
                child_memory,
                depth - 1,
                alpha,
                beta,
                ply + 1,
                ends,
                candidates,
                buffers,
            )
        else:
            value = -alphabeta(
                rules,
                heuristic,
                child,
                child_memory,
                depth - 1,
                -beta,
                -alpha,
                ply + 1,
                ends,
                candidates,
                buffers,
            )
        heuristic.undone(rules, child, move, child_memory)
        rules.undo(child, move)
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                extend_line(buffers, ply, move)
        if alpha >= beta:
            buffers.counters[CUTOFFS] += 1
            break
    return best


# ---- The engines ----


@dataclasses.dataclass(frozen=True)
class FixedDepth(HeuristicSearch):
    """Minimax without memory. With only a depth it goes straight there; under any other limit it
    starts at depth 1 and works its way down, so that there is always an answer."""

    win: int = 0
    """The value of a won game; 0 prefers quick wins and slow losses (report 002 uses a flat 100)."""
    depth_from_nodes: int = 0
    """Choose the depth by report 002's formula for this many nodes; 0 to turn this off."""
    pruning_factor: float = 0.75
    """The factor F of that formula, from 0.5 (perfect ordering) to 1 (no pruning)."""

    plays_out_best: ClassVar[bool] = True
    prunes: ClassVar[bool] = True
    """Whether moves that cannot matter are cut."""
    DEFAULT_NODES: ClassVar[int] = 20_000_000
    """The nodes for which report 002's formula gives the depth if there is no limit."""

    def __post_init__(self) -> None:
        if not 0 <= self.win <= HIGHEST:
            raise BadEngine(
                f"win={self.win}; a won game is worth 1 to {HIGHEST:,}, or 0 for the sooner the better"
            )

    def default_depth(self, task: Task) -> int:
        """The depth of a search that is given no limit."""
        nodes = self.depth_from_nodes or self.DEFAULT_NODES
        return depth_for_nodes(task.rules, nodes, self.pruning_factor)

    def below(self, root: Root, depth: int, state: Any, memory: Any, alpha: int, beta: int) -> int:
        """The value of a position at ply 1."""
        raise NotImplementedError

    @property
    def ends(self) -> EndValues:
        """The values of finished games."""
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
        """The best root move at this depth; None if the search was stopped before it was known."""
        root.buffers.counters[NODES] += 1
        found: list[RootNode] = []
        best: RootNode | None = None
        for node in root.nodes:
            trial = RootNode(node.move)
            alpha = best.value if best and self.prunes and not root.task.all_moves else -INFINITY
            root.search(
                trial, alpha, INFINITY, lambda *position: self.below(root, depth - 1, *position)
            )
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
        return minimax(
            root.rules,
            root.heuristic,
            state,
            memory,
            depth,
            1,
            self.ends,
            root.candidates,
            root.buffers,
        )


@dataclasses.dataclass(frozen=True)
class AlphaBeta(FixedDepth):
    """Alpha-beta (reports 000 to 004): the same value and move as minimax, with cuts."""

    name = "alphabeta"

    def below(self, root: Root, depth: int, state: Any, memory: Any, alpha: int, beta: int) -> int:
        return alphabeta(
            root.rules,
            root.heuristic,
            state,
            memory,
            depth,
            alpha,
            beta,
            1,
            self.ends,
            root.candidates,
            root.buffers,
        )


register_search(Minimax)
register_search(AlphaBeta)
