"""Random play: every legal move with equal chance. The weakest opponent, and the baseline of every measurement."""

from __future__ import annotations

import dataclasses
import random
import time

from mnkala.core import Rules
from mnkala.search.analysis import Analysis
from mnkala.search.engine import Search, register_search
from mnkala.search.limit import Limit
from mnkala.search.root import Task


@dataclasses.dataclass(frozen=True)
class Random(Search):
    """A legal move at random."""

    name = "random"
    seed: int = -1
    """Fixes the moves: the same position gets the same move. -1 for a different one each time."""

    def prepare(self, rules: Rules) -> None:
        """Nothing to compile."""

    def most_nodes(self, rules: Rules, limit: Limit) -> float:
        return 1

    def run(self, task: Task) -> Analysis:
        moves = task.position.legal_codes
        fixed = None if self.seed < 0 else f"{self.seed}:{task.position.game}:{task.position.history_codes}"
        choice = random.Random(fixed).choice(moves)
        return Analysis(task.position, task.engine, score=None, moves=(), line_codes=(choice,), nodes=1, held=1,
                        seconds=time.perf_counter() - task.started)


register_search(Random)
