"""Greedy best-first play (report 001): the move that the heuristic likes best, with no look beyond it."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from mnkala.core import Rules
from mnkala.native import kernel
from mnkala.native.objects import IntArray
from mnkala.search.analysis import Analysis
from mnkala.search.buffers import EVALUATIONS, NODES, make_buffers
from mnkala.search.engine import HeuristicSearch, register_search
from mnkala.search.limit import Limit
from mnkala.search.root import Root, RootNode, Task


@kernel
def score_moves(rules: Any, heuristic: Any, state: Any, memory: Any, moves: IntArray, scores: IntArray) -> int:
    """Write the heuristic's score of every move."""
    for i in range(len(moves)):
        scores[i] = heuristic.score_move(rules, state, moves[i], memory)
    return len(moves)


@dataclasses.dataclass(frozen=True)
class Greedy(HeuristicSearch):
    """The move with the best heuristic score (report 001's pure greedy player)."""

    name = "greedy"

    def most_nodes(self, rules: Rules, limit: Limit) -> float:
        return rules.most_moves()

    def run(self, task: Task) -> Analysis:
        buffers = make_buffers(task.rules, 1, task.stop)
        root = Root(task, self.heuristic_for(task.rules), self.candidates_for(task.rules), buffers)
        moves = np.array([node.move for node in root.nodes], dtype=np.int64)
        scores = np.zeros(len(moves), dtype=np.int64)
        score_moves(root.rules, root.heuristic, root.state, root.memory, moves, scores)
        buffers.counters[NODES] = buffers.counters[EVALUATIONS] = len(moves)
        root.nodes = [RootNode(int(move), int(score), "exact", False, (int(move),))
                      for move, score in zip(moves, scores, strict=True)]
        best = max(root.nodes, key=lambda node: node.value)
        return root.analysis(best, 1, held=1)


register_search(Greedy)
