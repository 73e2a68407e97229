"""A search of one's own: MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996), which finds a value by
null-window searches alone.

MNKALA_PLUGINS=mtdf mnkala analyse connect4 44 --engine mtdf:depth=8      (in this folder)
"""

import dataclasses
from typing import Any

from mnkala.search.analysis import Analysis
from mnkala.search.buffers import make_buffers
from mnkala.search.engine import HeuristicSearch, register_search
from mnkala.search.pvs import make_order, search_window
from mnkala.search.root import Root, RootNode, Task
from mnkala.search.table import make_table
from mnkala.search.values import BY_DISTANCE, INFINITY


@register_search
@dataclasses.dataclass(frozen=True)
class Mtdf(HeuristicSearch):
    """MTD(f): the value is squeezed between two bounds by null-window searches on one table."""

    name = "mtdf"

    def run(self, task: Task) -> Analysis:
        deepest = min(task.limit.depth or 8, task.rules.longest_game())
        buffers = make_buffers(task.rules, deepest, task.stop, task.limit.nodes)
        root = Root(task, self.heuristic_for(task.rules), self.candidates_for(task.rules), buffers)
        table, order = make_table(18), make_order(task.rules, buffers)
        answer = root.analysis(root.nodes[0], 0, held=1)
        for depth in range(1, deepest + 1):

            def below(state: Any, memory: Any, alpha: int, beta: int, depth: int = depth) -> int:
                return search_window(
                    root.rules,
                    root.heuristic,
                    state,
                    memory,
                    depth - 1,
                    alpha,
                    beta,
                    1,
                    BY_DISTANCE,
                    root.candidates,
                    buffers,
                    table,
                    order,
                )

            trials = [RootNode(node.move) for node in root.nodes]
            for trial, last in zip(trials, root.nodes, strict=True):
                guess, low, high = last.value if last.line else 0, -INFINITY, INFINITY
                while low < high:  # the heart of MTD(f)
                    beta = guess + 1 if guess == low else guess
                    guess = root.search(trial, beta - 1, beta, below)
                    if root.stopped:
                        return answer
                    low, high = (low, guess) if guess < beta else (guess, high)
                trial.kind, trial.complete = "exact", not order.touched[1]
            root.nodes = trials
            answer = root.analysis(
                max(trials, key=lambda trial: trial.value), depth, held=depth + 1
            )
            task.report(answer)
        return answer
