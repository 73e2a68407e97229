"""Figures beside ourselves: report 001's heuristic in O(k) beside its O(k²) form, the example
plug-in's speed, and the solver of Connect on a board of two words.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np

from bench.measure import Effort, cpu_seconds, in_turn
from bench.report import Row, Target, alone, compared
from mnkala.native import kernel
from mnkala.native.objects import IntArray

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
BOARD, LINE = 30, 10


@kernel
def update(
    rules: Any, heuristic: Any, state: Any, memory: Any, cells: IntArray, rounds: int
) -> int:
    """Mark all cells of a list and take them back, keeping the heuristic in step; a checksum of its
    values.
    """
    checksum = 0
    for _ in range(rounds):
        for i in range(len(cells)):
            state = rules.play(state, cells[i])
            memory = heuristic.played(rules, state, cells[i], memory)
            checksum += heuristic.value(rules, state, memory)
        for i in range(len(cells) - 1, -1, -1):
            heuristic.undone(rules, state, cells[i], memory)
            rules.undo(state, cells[i])
    return checksum


def rows(effort: Effort) -> list[Row]:
    """All figures."""
    return [criticality(effort), plug_in(effort), large_board(effort)]


def large_board(effort: Effort) -> Row:
    """Time for a middle game of Connect on a board of two words, with an empty table."""
    from mnkala.core import Position
    from mnkala.families.connect.solver.solver import ConnectSolver
    from mnkala.solve import Step

    position = Position("connect4:8x8").play("8884383285331763121144")
    ConnectSolver.prepare(position.rules)
    solver = ConnectSolver(position.rules)

    def solve() -> Step:
        solver.clear()
        return solver.solve(position)

    found = solve()
    if found.score.exact != 6:
        raise AssertionError("the score of the middle game on 8x8 is wrong")
    times = [1000 * cpu_seconds(solve) for _ in range(effort.choose(3, full=7))]
    name = f"connect4:8x8, 42 free cells, solved by {found.nodes:,} nodes (target: 1500 ms)"
    return alone(name, "ms", times)


def criticality(effort: Effort) -> Row:
    """Updates a second of either form, on the same moves."""
    from mnkala.core import parse_game
    from mnkala.search import heuristic_for

    rules = parse_game(f"mnk:{BOARD}x{BOARD}x{LINE}")
    cells = np.random.default_rng(1).permutation(BOARD * BOARD)[:100]
    forms = [heuristic_for(name, rules) for name in ("criticality", "criticality-by-cell")]
    memories = [form.begin(rules, rules.start()) for form in forms]
    sums = [
        update(rules, form, rules.start(), memory, cells, 1)
        for form, memory in zip(forms, memories, strict=True)
    ]
    if sums[0] != sums[1]:
        raise AssertionError("the two forms of criticality do not agree")

    def speed(number: int) -> float:
        return 200 / cpu_seconds(
            lambda: update(rules, forms[number], rules.start(), memories[number], cells, 1)
        )

    pairs = in_turn(lambda: speed(0), lambda: speed(1), effort.choose(5, full=11))
    return compared(
        f"criticality, {BOARD}x{BOARD}, k = {LINE}, O(k) beside O(k²)",
        "updates/s",
        pairs,
        "ours/peer",
        Target(">=", 3),
    )


def plug_in(effort: Effort) -> Row:
    """Nodes a second of alpha-beta on the example game."""
    from mnkala.core import Position
    from mnkala.search import parse_engine

    sys.path.insert(0, str(EXAMPLES))
    importlib.import_module("domineering")

    position = Position("domineering:8x8")
    engine = parse_engine(f"alphabeta:heuristic=nothing,depth={effort.choose(7, full=8)}")
    engine.search.prepare(position.rules)
    nodes = engine.analyse(position).nodes
    rates = [
        nodes / cpu_seconds(lambda: engine.analyse(position))
        for _ in range(effort.choose(3, full=7))
    ]
    return alone("alpha-beta on the example plug-in (target: 10 million)", "nodes/s", rates)
