"""Principal variation search with a transposition table, killer moves and history: the kernel of
`deepening`.

Principal variation search (Marsland and Campbell 1982) searches the first move with the full window
and asks of the others only whether they are better, with a window of width one; where one is, it is
searched again. The more often the first move is the best, the less it costs, so moves are tried in
order: the table's move, the killers of this ply (Akl and Newborn 1977), then by history (Schaeffer
1983) and the heuristic's rank, by default the game's own prior.

The search is full-width and not selective, so that its proved values can be trusted. Two things a
heuristic may know go beyond that. Where it names an *urgent* move, no other needs a look, and it
costs no depth. At the horizon, the *forcing* moves, to which the answers are urgent, are followed
for some plies (quiescence search; in games of lines, Allis' 1994 threat sequences): their value
counts if it beats that of standing still. A win found so is a win, but a quicker one may exist, so
it is not complete.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mnkala.core import GOING_ON, Rules
from mnkala.native import NativeClass, kernel, native, shared
from mnkala.native.objects import IntArray, IntGrid
from mnkala.search.buffers import (
    CUTOFFS,
    STOPPED,
    STORED,
    TABLE_HITS,
    Buffers,
    evaluate,
    extend_line,
    visit,
)
from mnkala.search.candidates import ALL, Candidates, list_moves
from mnkala.search.heuristic import LOSES, NO_MOVE
from mnkala.search.table import (
    COMPLETE,
    EMPTY,
    EXACT,
    LOWER,
    UPPER,
    Table,
    bound_of,
    depth_of,
    find,
    move_of,
    store,
    value_of,
)
from mnkala.search.values import INFINITY, EndValues, end_value

TABLE_MOVE, KILLER = 1 << 40, 1 << 39
"""Ordering scores: the table's move comes first, then the killers, then everything else by history."""
FORCING_PLIES = 8
"""The plies beyond the horizon up to which forcing moves are followed; their urgent answers do
not count."""
MOST_HISTORY = 1 << 24
PRIOR_SCALE = 1 << 10
"""History counts in steps of this size, so that the prior (0 to 1000) only breaks ties."""


@native
class Order(NativeClass):
    """The memory of one thread for move ordering, and whether values depend on the horizon."""

    killers: IntGrid
    """int64[ply, 2]: the last two moves that cut at this ply."""
    history: IntGrid
    """int64[player, move]: how often and how deep a move was best."""
    touched: IntArray
    """At [ply]: 1 if the last value at this ply depends on a heuristic somewhere, 0 if only on
    finished games."""


def make_order(rules: Rules, buffers: Buffers, jitter: int = 0) -> Order:
    """Make an empty memory of killer moves and history, by which a thread orders moves. `jitter`
    seeds small random entries, so that a second thread does not search in step with the first."""
    plies = len(buffers.line_end)
    history = np.zeros((2, rules.move_codes()), dtype=np.int64)
    if jitter:
        history[:] = np.random.default_rng(jitter).integers(0, 4 * PRIOR_SCALE, history.shape)
    return Order(
        killers=np.full((plies, 2), NO_MOVE, dtype=np.int64),
        history=history,
        touched=np.zeros(plies, dtype=np.int64),
    )


@kernel
def search_window(
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
    table: Table,
    order: Order,
) -> int:
    """The value of `state` for its mover if it lies between alpha and beta; otherwise a bound on
    it.
    """
    # 1. Count the node; a finished game ends the line.
    if visit(buffers, ply):
        return 0
    order.touched[ply] = 0
    result = rules.result(state)
    if result != GOING_ON:
        return end_value(result, ply, ends)

    # 2. An urgent move costs no depth if there is room; else the horizon ends the line, or only
    #    forcing moves are followed.
    urgent = heuristic.urgent(rules, state, memory)
    best = -INFINITY
    below = depth - 1
    beyond = False
    if urgent != NO_MOVE and ply + max(0, depth) + 1 < len(buffers.moves):
        below = depth
    elif depth <= 0:
        order.touched[ply] = 1
        best = evaluate(rules, heuristic, state, memory, buffers)
        if best >= beta or depth <= -FORCING_PLIES or ply + 1 >= len(buffers.moves):
            return best
        beyond = True

    # 3. Look the position up: a value of at least this depth may answer at once, a move is worth
    #    trying first anyway.
    key = rules.key(state)
    table_move = NO_MOVE
    if depth > 0:
        entry = find(table, key)
        if entry != EMPTY:
            table_move = move_of(entry)
            if depth_of(entry) >= depth:
                value = value_of(entry, ply)
                bound = bound_of(entry)
                if (
                    bound == EXACT
                    or (bound == LOWER and value >= beta)
                    or (bound == UPPER and value <= alpha)
                ):
                    buffers.counters[TABLE_HITS] += 1
                    order.touched[ply] = 0 if depth_of(entry) == COMPLETE else 1
                    if table_move != NO_MOVE:
                        buffers.line[ply, ply] = table_move
                        buffers.line_end[ply] = ply + 1
                    return value

    # 4. Generate the moves and score them for ordering.
    mover = rules.mover(state)
    moves = buffers.moves[ply]
    scores = buffers.scores[ply]
    count = 1
    if beyond:
        count = heuristic.forcing(rules, state, memory, moves, scores)
        if count == 0:
            return best
        alpha = max(alpha, best)
    elif urgent != NO_MOVE:
        moves[0] = urgent
    else:
        count = list_moves(rules, heuristic, state, memory, candidates, buffers, ply)
        score_moves(
            rules, heuristic, state, memory, mover, moves, scores, count, ply, table_move, order
        )

    # 5. Try them, best first: the first with the full window, the others with a null window and
    #    again if they surprise.
    best_move = NO_MOVE
    bound = UPPER
    touched = 0 if candidates.kind == ALL and not beyond else 1
    for i in range(count):
        move = pick_best(moves, scores, i, count)
        if i > 0 and scores[i] == LOSES:
            # So do all that follow, and nothing is worse.
            break
        child = rules.play(state, move)
        child_memory = heuristic.played(rules, child, move, memory)
        same_mover = rules.mover(child) == mover
        high = beta if i == 0 else alpha + 1
        while True:
            if same_mover:
                value = search_window(
                    rules,
                    heuristic,
                    child,
                    child_memory,
                    below,
                    alpha,
                    high,
                    ply + 1,
                    ends,
                    candidates,
                    buffers,
                    table,
                    order,
                )
            else:
                value = -search_window(
                    rules,
                    heuristic,
                    child,
                    child_memory,
                    below,
                    -high,
                    -alpha,
                    ply + 1,
                    ends,
                    candidates,
                    buffers,
                    table,
                    order,
                )
            if value <= alpha or value >= beta or high == beta or buffers.counters[STOPPED] != 0:
                break
            high = beta
        heuristic.undone(rules, child, move, child_memory)
        rules.undo(child, move)
        touched |= order.touched[ply + 1]

        # 6. Keep the best; a value of beta or more ends the node, and only the move that reached it
        #    counts as proof.
        if value > best:
            best = value
            best_move = move
            if value > alpha:
                alpha = value
                bound = EXACT
                extend_line(buffers, ply, move)
        if alpha >= beta:
            bound = LOWER
            touched = order.touched[ply + 1] if candidates.kind == ALL and not beyond else 1
            buffers.counters[CUTOFFS] += 1
            if depth > 0:
                remember_cutoff(order, mover, move, depth, ply)
            break

    # 7. Remember what was found, unless the search was stopped on the way and the value means
    #    nothing.
    order.touched[ply] = touched
    if depth > 0 and buffers.counters[STOPPED] == 0:
        draft = depth if touched else COMPLETE
        buffers.counters[STORED] += store(table, key, best, draft, bound, best_move, ply)
    return best


@shared
def score_moves(
    rules: Any,
    heuristic: Any,
    state: Any,
    memory: Any,
    mover: int,
    moves: IntArray,
    scores: IntArray,
    count: int,
    ply: int,
    table_move: int,
    order: Order,
) -> None:
    """Write the ordering score of every move."""
    heuristic.rank(rules, state, memory, moves, scores, count)
    for i in range(count):
        move = moves[i]
        if scores[i] == LOSES:
            continue
        if move == table_move:
            scores[i] += TABLE_MOVE
        elif move == order.killers[ply, 0] or move == order.killers[ply, 1]:
            scores[i] += KILLER
        elif 0 <= move < order.history.shape[1]:
            scores[i] += order.history[mover, move] * PRIOR_SCALE


@shared
def pick_best(moves: IntArray, scores: IntArray, i: int, count: int) -> int:
    """Swap the best of the moves from `i` on to place `i`."""
    best = i
    for j in range(i + 1, count):
        if scores[j] > scores[best]:
            best = j
    moves[i], moves[best] = moves[best], moves[i]
    scores[i], scores[best] = scores[best], scores[i]
    return moves[i]


@shared
def remember_cutoff(order: Order, mover: int, move: int, depth: int, ply: int) -> None:
    """Note that a move cut here, because it is likely to cut in neighbouring nodes (killer) and
    elsewhere (history)."""
    if order.killers[ply, 0] != move:
        order.killers[ply, 1] = order.killers[ply, 0]
        order.killers[ply, 0] = move
    if 0 <= move < order.history.shape[1]:  # a plug-in may have promised smaller moves
        order.history[mover, move] = min(MOST_HISTORY, order.history[mover, move] + depth * depth)
