"""The search: principal variation search in which threats decide what is examined.

A node never needs to play a game to its end, because the board knows who completes a line, and
where. So fives, fours and open fours are read off the board, the single answer to a four costs
no depth, and against an open three only the moves that can meet it are tried (`candidates`). At
the horizon a victory by fours is looked for (`fours`) before the evaluation is used.
"""

from __future__ import annotations

import math

import numpy as np

from mnkala.families.lines.engine.board import (
    ALIVE,
    Board,
    cell_for,
    count_of,
    evaluate,
    mark_word,
    place,
    take_back,
    threat_at,
)
from mnkala.families.lines.engine.candidates import (
    ANSWER,
    KILLER,
    TABLE_MOVE,
    list_candidates,
    list_defences,
    prefer,
)
from mnkala.families.lines.engine.patterns import COMPLETES, MAKES_FOUR, QUIET, WINS
from mnkala.families.lines.engine.settings import (
    DANGER_PLIES,
    INNER_NODES,
    LATE,
    LEAF_FOURS,
    LEAF_NODES,
    MARGIN,
    REDUCTION,
    SHALLOW,
    WIDTH,
    WIDTH_A_PLY,
)
from mnkala.families.lines.engine.shared_search import (
    AGE,
    CUTOFFS,
    EVALUATIONS,
    LEAST_DEPTH,
    MOST_PLIES,
    NODE_LIMIT,
    NODES,
    STOPPED,
    STORED,
    TABLE_HITS,
    SharedWork,
    Thread,
    call_back,
    come_to,
    extend_line,
    hear,
    is_busy,
    is_called,
    leave,
)
from mnkala.families.lines.engine.transposition_table import depth_of, find, store
from mnkala.families.lines.engine.vcf import NODES as FOURS_NODES
from mnkala.families.lines.engine.vcf import Fours, forced_win
from mnkala.native import kernel, shared
from mnkala.native.objects import IntArray
from mnkala.search.heuristic import NO_MOVE
from mnkala.search.pvs import pick_best
from mnkala.search.table import EMPTY, EXACT, LOWER, UPPER, Table, bound_of, move_of, value_of
from mnkala.search.values import HIGHEST, INFINITY, PER_MARGIN, WIN

WON = WIN + PER_MARGIN
"""The value of a win at the root, which falls by one for each ply until then."""
SECOND_MOVES = np.uint64(0xD1B54A32D192ED03)
"""Distinguishes a position with the second player to move from the same one with the first."""
MOST_HISTORY = 1 << 20


@kernel
def search(
    board: Board,
    mover: int,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    last: int,
    thread: Thread,
    fours: Fours,
    sharing: SharedWork,
    table: Table,
) -> int:
    """The value for the mover if it lies between alpha and beta; otherwise a bound on it. `last` is
    the move that led here."""
    counters, settings = thread.counters, thread.settings
    other = 1 - mover
    # 1. Count the node, and stop if asked to.
    thread.line_end[ply] = ply
    if thread.stop[0] != 0 or counters[NODES] >= counters[NODE_LIMIT]:
        counters[STOPPED] = 1
        return 0
    if sharing.threads > 1 and is_called(sharing):
        return 0
    counters[NODES] += 1
    # 2. Read off what the board shows: a line is completed at once, in two plies or in three; or
    #    nobody can complete one any more.
    if count_of(board, mover, COMPLETES) > 0:
        return ends_with(board, mover, COMPLETES, ply, 1, thread)
    must = count_of(board, other, COMPLETES)
    if must > 1:
        return -(WON - ply - 2)
    if must == 0 and count_of(board, mover, WINS) > 0:
        return ends_with(board, mover, WINS, ply, 3, thread)
    if board.numbers[ALIVE] + board.numbers[ALIVE + 1] == 0:
        return 0
    if ply >= MOST_PLIES:
        return evaluate(board, mover)
    # 3. Answer a four, which costs no depth because there is one answer.
    if must == 1:
        cell = cell_for(board, other, COMPLETES)
        place(board, cell, mover)
        value = -search(
            board, other, depth, -beta, -alpha, ply + 1, cell, thread, fours, sharing, table
        )
        take_back(board, cell)
        extend_line(thread, ply, cell)
        return value
    # 4. Narrow the window: no win is faster than five plies from here, and no loss than four.
    alpha, beta = max(alpha, -(WON - ply - 4)), min(beta, WON - ply - 5)
    if alpha >= beta:
        return alpha
    # 5. Look the position up in the table.
    key = key_of(board.hash[0], mover)
    entry = find(table, key)
    table_move = move_of(entry) if entry != EMPTY else NO_MOVE
    if answers(entry, depth, alpha, beta, ply, thread):
        return value_of(entry, ply)
    # 6. At the horizon, evaluate, unless fours win or an open three must be answered. Near it,
    #    evaluate too if a null window is used and the evaluation lies outside it by a margin for
    #    each remaining ply: reverse futility pruning, and razoring where the position is too bad
    #    (Heinz, Scalable Search in Computer Chess, 2000).
    in_danger = count_of(board, other, WINS) > 0
    beyond = depth <= 0
    near = (
        depth <= settings[SHALLOW]
        and settings[MARGIN] > 0
        and alpha + 1 == beta
        and abs(beta) < HIGHEST
    )
    standing, margin = 0, 0
    if beyond or near:
        counters[EVALUATIONS] += 1
        standing, margin = evaluate(board, mover), settings[MARGIN] * max(0, depth)
        if standing - margin >= beta and not in_danger:
            return standing
    nodes = settings[LEAF_NODES] if beyond else settings[INNER_NODES]
    if count_of(board, mover, MAKES_FOUR) > 0 and nodes > 0:
        before = fours.numbers[FOURS_NODES]
        moves = forced_win(board, mover, settings[LEAF_FOURS], nodes, fours)
        counters[NODES] += fours.numbers[FOURS_NODES] - before
        if moves > 0:
            thread.line_end[ply] = ply + 1
            thread.line[ply, ply] = fours.line[0, 0]
            return WON - ply - 2 * moves + 1
    if beyond and (not in_danger or depth <= -settings[DANGER_PLIES]):
        return standing
    if near and not in_danger and standing + margin <= alpha:
        return standing
    # 7. List the moves in their order.
    count = (
        list_defences(board, mover, ply, thread)
        if in_danger
        else list_candidates(board, mover, ply, thread)
    )
    if in_danger and count == 0:
        return -(WON - ply - 4)
    if count == 0:
        return evaluate(board, mover)
    size = len(board.cells)
    moves_here, scores = thread.moves[ply], thread.scores[ply]
    prefer(moves_here, scores, count, table_move, TABLE_MOVE)
    prefer(moves_here, scores, count, thread.killers[ply, 0], KILLER)
    prefer(moves_here, scores, count, thread.killers[ply, 1], KILLER)
    if last != NO_MOVE:
        prefer(moves_here, scores, count, thread.answers[mover * size + last], ANSWER)
    width = (
        count if in_danger else min(count, settings[WIDTH] + settings[WIDTH_A_PLY] * (depth - 1))
    )
    # 8. Try them: the first with the full window, late ones less deep and with a null window, and
    #    again where they surprise. A move that another thread is searching comes last.
    best, best_move, bound = -INFINITY, NO_MOVE, UPPER
    lowest = alpha
    together, same = sharing.threads > 1 and depth >= LEAST_DEPTH, key ^ np.uint64(max(0, depth))
    turn, put_off = 0, 0
    while turn < width + put_off:
        i = turn
        if turn >= width:
            i = thread.put_off[ply, turn - width]
            cell = moves_here[i]
        else:
            cell = pick_best(moves_here, scores, i, count)
        child = key_of(board.hash[0] ^ mark_word(cell, mover), other)
        if together:
            if 0 < turn < width and is_busy(sharing, child):
                thread.put_off[ply, put_off] = i
                put_off += 1
                turn += 1
                continue
            come_to(sharing, child, same, ply)
        threat = threat_at(board, mover, cell)
        below = depth - 1
        less = 0
        if i >= settings[LATE] and depth >= 3 and threat == QUIET and not in_danger:
            less = min(below - 1, late_reduction(i, depth, settings))
        place(board, cell, mover)
        if i == 0:
            value = -search(
                board, other, below, -beta, -alpha, ply + 1, cell, thread, fours, sharing, table
            )
        else:
            value = -search(
                board,
                other,
                below - less,
                -alpha - 1,
                -alpha,
                ply + 1,
                cell,
                thread,
                fours,
                sharing,
                table,
            )
            if value > alpha and less > 0:
                value = -search(
                    board,
                    other,
                    below,
                    -alpha - 1,
                    -alpha,
                    ply + 1,
                    cell,
                    thread,
                    fours,
                    sharing,
                    table,
                )
            if alpha < value < beta:
                value = -search(
                    board, other, below, -beta, -alpha, ply + 1, cell, thread, fours, sharing, table
                )
        take_back(board, cell)
        if together:
            leave(sharing, child, ply)
        if counters[STOPPED] != 0:
            return 0
        if sharing.threads > 1 and is_called(sharing):
            if not together or not hear(sharing, ply):
                return 0
            entry = find(table, key)
            if answers(entry, depth, lowest, beta, ply, thread):
                return value_of(entry, ply)
            continue
        turn += 1
        if value > best:
            best, best_move = value, cell
            if value > alpha:
                alpha, bound = value, EXACT
                extend_line(thread, ply, cell)
        if alpha >= beta:
            bound = LOWER
            counters[CUTOFFS] += 1
            if not in_danger:
                remember_cutoff(
                    mover * size + cell,
                    cell,
                    mover * size + last if last != NO_MOVE else NO_MOVE,
                    max(1, depth),
                    ply,
                    thread,
                )
            break
    # 9. Remember the result.
    counters[STORED] += store(table, key, best, max(0, depth), bound, best_move, ply, counters[AGE])
    if together:
        call_back(sharing, same, ply)
    return best


@shared
def key_of(hash: np.uint64, mover: int) -> np.uint64:
    """The key of a position by the hash of its marks."""
    return hash ^ SECOND_MOVES if mover == 1 else hash


@shared
def answers(entry: np.uint64, depth: int, alpha: int, beta: int, ply: int, thread: Thread) -> bool:
    """Whether an entry of the table settles a position; its move is then the line."""
    if entry == EMPTY or depth_of(entry) < depth:
        return False
    value, bound = value_of(entry, ply), bound_of(entry)
    if not (
        bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
    ):
        return False
    thread.counters[TABLE_HITS] += 1
    if move_of(entry) != NO_MOVE:
        thread.line[ply, ply] = move_of(entry)
        thread.line_end[ply] = ply + 1
    return True


@shared
def ends_with(board: Board, mover: int, threat: int, ply: int, plies: int, thread: Thread) -> int:
    """The value of a win that the mover reads off the board."""
    thread.line[ply, ply] = cell_for(board, mover, threat)
    thread.line_end[ply] = ply + 1
    return WON - ply - plies


@shared
def late_reduction(number: int, depth: int, settings: IntArray) -> int:
    """By how many plies less a late move is searched."""
    return int(math.log(number + 1.0) * math.log(float(depth)) * settings[REDUCTION] / 100.0)


@shared
def remember_cutoff(
    where: int, cell: int, answered: int, depth: int, ply: int, thread: Thread
) -> None:
    """Note that a move ended its node, so that it is tried earlier next time."""
    thread.history[where] += depth * depth * 16
    if thread.history[where] > MOST_HISTORY:
        for i in range(len(thread.history)):
            thread.history[i] //= 2
    if thread.killers[ply, 0] != cell:
        thread.killers[ply, 1] = thread.killers[ply, 0]
        thread.killers[ply, 0] = cell
    if answered != NO_MOVE:
        thread.answers[answered] = cell
