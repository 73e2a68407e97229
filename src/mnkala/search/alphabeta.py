"""Alpha-beta: minimax with a window (Knuth and Moore 1975).

Values at or below alpha or at or above beta do not matter to the root, so a position is left as soon as one of its moves
reaches beta. The root's value and move are those of minimax.
"""

from __future__ import annotations

from typing import Any

from mnkala.core import GOING_ON
from mnkala.native import kernel
from mnkala.search.buffers import CUTOFFS, Buffers, evaluate, extend_line, visit
from mnkala.search.candidates import Candidates, list_moves
from mnkala.search.values import INFINITY, EndValues, end_value


@kernel
def alphabeta(rules: Any, heuristic: Any, state: Any, memory: Any, depth: int, alpha: int, beta: int, ply: int,
              ends: EndValues, candidates: Candidates, buffers: Buffers) -> int:
    """The value of `state` for its mover if it lies between alpha and beta; otherwise a bound on it (fail-soft)."""
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
            value = alphabeta(rules, heuristic, child, child_memory, depth - 1, alpha, beta, ply + 1,
                              ends, candidates, buffers)
        else:
            value = -alphabeta(rules, heuristic, child, child_memory, depth - 1, -beta, -alpha, ply + 1,
                              ends, candidates, buffers)
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
