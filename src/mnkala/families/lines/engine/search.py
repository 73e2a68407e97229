"""The search: principal variation search in which threats decide what is examined.

A node never needs to play a game to its end, because the board knows who completes a line, and
where. So fives, fours and open fours are read off the board, the single answer to a four costs
no depth, and against an open three only the moves that can meet it are tried (`candidates`). At
the horizon a victory by fours is looked for (`fours`) before the evaluation is used.

Depths are counted in quarters of a ply, so that what makes a move less interesting adds up. Which
moves are left out, reduced and extended follows ideas of Stockfish and of Rapfi
(https://github.com/dhbloo/rapfi); the numbers are our own (`settings.py`).
"""

from __future__ import annotations

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
    history_place,
    list_candidates,
    list_defences,
    prefer,
)
from mnkala.families.lines.engine.patterns import COMPLETES, MAKES_FOUR, WINS
from mnkala.families.lines.engine.settings import (
    BONUS,
    CUT,
    DANGER_PLIES,
    INNER_NODES,
    LATE,
    LEAF_FOURS,
    LEAF_NODES,
    MARGIN,
    MOST_BONUS,
    MOST_HISTORY,
    MOST_OLD,
    NO_ENTRY,
    NOT_IMPROVING,
    NOT_IMPROVING_WIDTH,
    NOT_SINGULAR,
    OLD_ENTRY,
    PLY,
    RAZOR,
    REDUCTION,
    SHALLOW,
    SINGULAR,
    SINGULAR_MARGIN,
    SINGULAR_SHARE,
    WIDE,
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
from mnkala.families.lines.engine.transposition_table import depth_of, fetch, find, store
from mnkala.families.lines.engine.vcf import NODES as FOURS_NODES
from mnkala.families.lines.engine.vcf import Fours, forced_win
from mnkala.native import kernel, mix, shared
from mnkala.search.heuristic import NO_MOVE
from mnkala.search.pvs import pick_best
from mnkala.search.table import EMPTY, EXACT, LOWER, UPPER, Table, bound_of, move_of, value_of
from mnkala.search.values import HIGHEST, INFINITY, PER_MARGIN, WIN

WON = WIN + PER_MARGIN
"""The value of a win at the root, which falls by one for each ply until then."""
SECOND_MOVES = np.uint64(0xD1B54A32D192ED03)
"""Distinguishes a position with the second player to move from the same one with the first."""


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
    """The value for the mover if it lies between alpha and beta; otherwise a bound on it.

    `depth` is in quarters of a ply, and `last` the move that led here. `thread.cut` says whether a
    move is expected to exceed beta here, and `thread.without` which move is not tried.
    """
    counters, settings = thread.counters, thread.settings
    cut, without = thread.cut[ply] != 0, thread.without[ply]
    thread.without[ply] = NO_MOVE
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
        thread.standing[ply] = -thread.standing[ply - 1]
        thread.cut[ply + 1] = 0 if cut else 1
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
    wide = beta - alpha > 1
    # 5. Look the position up in the table.
    key = key_of(board.hash[0], mover)
    if without != NO_MOVE:
        key ^= mix(np.uint64(without) ^ SECOND_MOVES)
    entry = find(table, key)
    table_move = move_of(entry) if entry != EMPTY else NO_MOVE
    if answers(entry, depth, alpha, beta, ply, thread):
        return value_of(entry, ply)
    # 6. At the horizon, evaluate, unless fours win or an open three must be answered. Before it,
    #    evaluate too if a null window is used and the evaluation lies outside it by a margin that
    #    grows with depth: reverse futility pruning, and razoring where the position is too bad
    #    (Heinz, Scalable Search in Computer Chess, 2000).
    in_danger = count_of(board, other, WINS) > 0
    beyond = depth <= 0
    counters[EVALUATIONS] += 1
    standing = -thread.standing[ply - 1] if in_danger and not beyond else evaluate(board, mover)
    thread.standing[ply] = standing
    improving = not in_danger and ply >= 2 and standing > thread.standing[ply - 2]
    guess = standing
    if entry != EMPTY and abs(value_of(entry, ply)) < HIGHEST:
        known = value_of(entry, ply)
        if bound_of(entry) == EXACT or (bound_of(entry) == LOWER) == (known > standing):
            guess = known
    if beyond and not in_danger and standing >= beta:
        return standing
    plain = not (wide or in_danger or beyond) and without == NO_MOVE
    counted = max(0, depth - PLY) if improving else depth
    if plain and beta > -HIGHEST and guess - settings[MARGIN] * counted // PLY >= beta:
        return guess
    nodes = settings[LEAF_NODES] if beyond else settings[INNER_NODES]
    if count_of(board, mover, MAKES_FOUR) > 0 and nodes > 0 and without == NO_MOVE:
        before = fours.numbers[FOURS_NODES]
        moves = forced_win(board, mover, settings[LEAF_FOURS], nodes, fours)
        counters[NODES] += fours.numbers[FOURS_NODES] - before
        if moves > 0:
            thread.line_end[ply] = ply + 1
            thread.line[ply, ply] = fours.line[0, 0]
            return WON - ply - 2 * moves + 1
    if beyond and (not in_danger or depth <= -PLY * settings[DANGER_PLIES]):
        return standing
    if (
        plain
        and alpha < HIGHEST
        and depth <= PLY * settings[SHALLOW]
        and guess + settings[RAZOR] * depth // PLY <= alpha
    ):
        return guess
    # 7. With an open window, search less deep where the table has no move, or an entry that is much
    #    shallower: the next depth will know better where to look (internal iterative reduction).
    if wide and not beyond and not in_danger:
        if table_move == NO_MOVE:
            depth -= settings[NO_ENTRY]
        else:
            depth -= min(
                settings[MOST_OLD], max(0, (depth - depth_of(entry)) * settings[OLD_ENTRY] // 100)
            )
        depth = max(depth, 1)
    # 8. Extend the table's move if all others fall short of it in a shallower search: a singular
    #    extension (Anantharaman, Campbell and Hsu 1988).
    longer = 0
    if (
        depth >= settings[SINGULAR]
        and table_move != NO_MOVE
        and without == NO_MOVE
        and not in_danger
        and bound_of(entry) != UPPER
        and depth_of(entry) >= depth - 2 * PLY
        and abs(value_of(entry, ply)) < HIGHEST
    ):
        limit = value_of(entry, ply) - settings[SINGULAR_MARGIN] * depth // PLY
        less = depth * settings[SINGULAR_SHARE] // 100
        thread.without[ply] = table_move
        value = search(
            board, mover, less, limit - 1, limit, ply, last, thread, fours, sharing, table
        )
        thread.line_end[ply] = ply
        if counters[STOPPED] != 0 or (sharing.threads > 1 and is_called(sharing)):
            return 0
        if value < limit:
            longer = PLY
        elif limit >= beta:
            return limit
        elif value_of(entry, ply) >= beta:
            longer = -settings[NOT_SINGULAR]
    # 9. List the moves in their order.
    count = (
        list_defences(board, mover, ply, thread)
        if in_danger
        else list_candidates(board, mover, ply, thread)
    )
    if in_danger and count == 0:
        return -(WON - ply - 4)
    if count == 0:
        return standing
    size = len(board.cells)
    moves_here, scores = thread.moves[ply], thread.scores[ply]
    prefer(moves_here, scores, count, table_move, TABLE_MOVE)
    prefer(moves_here, scores, count, thread.killers[ply, 0], KILLER)
    prefer(moves_here, scores, count, thread.killers[ply, 1], KILLER)
    if last != NO_MOVE:
        prefer(moves_here, scores, count, thread.answers[mover * size + last], ANSWER)
    plies = max(1, depth // PLY)
    width = min(
        count, thread.widths[plies] * (100 if improving else settings[NOT_IMPROVING_WIDTH]) // 100
    )
    if in_danger or beyond:
        width = count
    # 10. Try them: the first with the full window, late ones less deep and with a null window, and
    #    again where they surprise. A move that another thread is searching comes last. Late moves
    #    are left out, unless all before them lose.
    best, best_move, bound = -INFINITY, NO_MOVE, UPPER
    lowest = alpha
    together, same = (
        sharing.threads > 1 and depth >= LEAST_DEPTH and without == NO_MOVE,
        key ^ np.uint64(max(0, depth)),
    )
    turn, put_off = 0, 0
    while True:
        if turn >= width + put_off:
            if best > -HIGHEST or width == count:
                break
            turn, width, put_off = width, count, 0
        i = turn
        if turn >= width:
            i = thread.put_off[ply, turn - width]
            cell = moves_here[i]
        else:
            cell = pick_best(moves_here, scores, i, count)
        if cell == without:
            turn += 1
            continue
        child = key_of(board.hash[0] ^ mark_word(cell, mover), other)
        fetch(table, child)
        if together:
            if 0 < turn < width and is_busy(sharing, child):
                thread.put_off[ply, put_off] = i
                put_off += 1
                turn += 1
                continue
            come_to(sharing, child, same, ply)
        below = depth - PLY + (longer if cell == table_move else 0)
        less = 0
        if i >= settings[LATE] and depth >= 2 * PLY:
            less = late_reduction(i, plies, thread)
            if wide:
                less -= settings[WIDE]
            elif not improving and less > PLY:
                less += settings[NOT_IMPROVING]
            if cut and cell != thread.killers[ply, 0] and cell != thread.killers[ply, 1]:
                less += settings[CUT]
            less = max(0, min(below - PLY, less))
        place(board, cell, mover)
        if best_move == NO_MOVE and best == -INFINITY:
            thread.cut[ply + 1] = 0 if wide or cut else 1
            value = -search(
                board, other, below, -beta, -alpha, ply + 1, cell, thread, fours, sharing, table
            )
        else:
            thread.cut[ply + 1] = 1 if less > 0 or not cut else 0
            low, shallower = -alpha - 1, below - less
            value = -search(
                board, other, shallower, low, -alpha, ply + 1, cell, thread, fours, sharing, table
            )
            if value > alpha and less > 0:
                thread.cut[ply + 1] = 0 if cut else 1
                value = -search(
                    board, other, below, low, -alpha, ply + 1, cell, thread, fours, sharing, table
                )
            if alpha < value < beta:
                thread.cut[ply + 1] = 0
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
                    board,
                    mover,
                    cell,
                    i,
                    mover * size + last if last != NO_MOVE else NO_MOVE,
                    plies,
                    ply,
                    thread,
                )
            break
    if best == -INFINITY:
        return lowest
    # 11. Remember the result.
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
def late_reduction(number: int, plies: int, thread: Thread) -> int:
    """By how many quarters of a ply less a late move is searched."""
    return (thread.logs[number + 1] * thread.logs[plies] * thread.settings[REDUCTION]) // (25 << 20)


@shared
def remember_cutoff(
    board: Board,
    mover: int,
    cell: int,
    tried: int,
    answered: int,
    plies: int,
    ply: int,
    thread: Thread,
) -> None:
    """Note that a move ended its node, so that it is tried earlier next time, and that those
    before it did not."""
    bonus = min(MOST_BONUS, thread.settings[BONUS] * plies * plies)
    for i in range(tried + 1):
        move = thread.moves[ply, i]
        sign = 1 if move == cell else -1
        size = len(board.cells)
        where = history_place(threat_at(board, mover, move), mover, move, size)
        old = thread.history[where]
        thread.history[where] = old + sign * bonus - old * bonus // MOST_HISTORY
    if thread.killers[ply, 0] != cell:
        thread.killers[ply, 1] = thread.killers[ply, 0]
        thread.killers[ply, 0] = cell
    if answered != NO_MOVE:
        thread.answers[answered] = cell
