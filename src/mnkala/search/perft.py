"""Perft: how many games of a given length there are. The number tells at once whether rules are right, and how fast."""

from __future__ import annotations

from typing import Any

import numpy as np

from mnkala.core import GOING_ON, Position
from mnkala.core.plugin_errors import blaming
from mnkala.core.plugin_trial import require_sound
from mnkala.native import kernel
from mnkala.native.objects import IntArray


@kernel
def count_games(rules: Any, state: Any, depth: int, moves: np.ndarray, stop: IntArray) -> int:
    """Sequences of exactly `depth` moves from `state`; finished games have none. Meaningless once `stop` is raised."""
    if depth == 0:
        return 1
    if rules.result(state) != GOING_ON or stop[0] != 0:
        return 0
    buffer = moves[depth]
    count = rules.moves(state, buffer)
    if depth == 1:
        return count
    total = 0
    for i in range(count):
        move = buffer[i]
        child = rules.play(state, move)
        total += count_games(rules, child, depth - 1, moves, stop)
        rules.undo(child, move)
    return total


def perft(position: Position, depth: int, stop: IntArray | None = None) -> int:
    """The number of ways to play `depth` moves from a position."""
    rules = position.rules
    require_sound(rules)
    with blaming(lambda: (rules,)):
        buffers = np.zeros((depth + 1, rules.most_moves()), dtype=np.int64)
        flag = np.zeros(1, dtype=np.int64) if stop is None else stop
        return int(count_games(rules, position.state(), depth, buffers, flag))
