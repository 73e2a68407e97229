"""Minimax, in its negamax form (Knuth and Moore 1975): the value of a position is the best of its moves."""

from __future__ import annotations

from typing import Any

from mnkala.core import GOING_ON
from mnkala.native import kernel
from mnkala.search.buffers import Buffers, evaluate, extend_line, visit
from mnkala.search.candidates import Candidates, list_moves
from mnkala.search.values import INFINITY, EndValues, end_value


@kernel
def minimax(rules: Any, heuristic: Any, state: Any, memory: Any, depth: int, ply: int, ends: EndValues,
            candidates: Candidates, buffers: Buffers) -> int:
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
        value = minimax(rules, heuristic, child, child_memory, depth - 1, ply + 1, ends, candidates, buffers)
        if rules.mover(child) != mover:
            value = -value
        heuristic.undone(rules, child, move, child_memory)
        rules.undo(child, move)
        if value > best:
            best = value
            extend_line(buffers, ply, move)
    return best
