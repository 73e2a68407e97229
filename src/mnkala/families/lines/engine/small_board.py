"""Small boards: can a side force a win at all, whatever the other side does? An exact answer for
boards of up to 64 cells.

A position is two words of bits, and the caller names the *attacker*. The question is asked with
a budget of attacker's moves, one more each time, so that short victories are found first; a move
without a threat costs QUIET more. The answer is yes, never, or *not with this budget*. Two facts
make *never* quick to show:

- Every line that is not blocked yet weighs 2^-(empty cells). If all lines together weigh less
than 1/2 and the attacker is to move, or less than 1 and the defender is, the attacker cannot
complete one (Erdős and Selfridge 1973): the defender need only take the heaviest cell each time.

- Against a cell from which two cells would complete a line, only that cell, those two and the
defender's own fours are left, as in `candidates`.

A cell in which no line is open for either side is never worth a move, because a mark never harms
its owner. Turned or mirrored positions count as one. All answers are truths about the board, so
the table is kept from move to move and from game to game.
"""

from __future__ import annotations

import functools
import threading

import numpy as np

from mnkala.families.lines.rules import Mnk
from mnkala.native import NativeClass, kernel, lowest_bit, mix, native, popcount, shared
from mnkala.native.objects import IntArray, IntGrid, WordArray

NEVER, YES, NOT_YET, UNKNOWN = range(4)
"""Answers: the attacker cannot win; wins; does not win with this budget; the search had to stop."""
QUIET = 1
MOST_CELLS, LONGEST = 64, 16
"""The most cells of a board and the longest line: they must fit the bits of a word, and a sum of
weights."""
NODES, NODE_LIMIT, CHOSEN, BUDGET = range(4)
"""Indices into `SmallBoard.numbers`. CHOSEN is the attacker's first move of a victory, BUDGET the
budget with which it was found."""
TABLE_BITS = 20
KEY_BITS, LEFT_SHIFT = ~np.uint64(0x3FF), np.uint64(2)
"""In a word of the table, the mask of the key and the shift of the budget; the answer is in the
last two bits."""
ATTACKS = np.uint64(0x9E3779B97F4A7C15)
WHOLE = 20
"""A line with n empty cells weighs 2^(WHOLE - n), so WHOLE stands for 1."""
ZERO, ONE, THREE = np.uint64(0), np.uint64(1), np.uint64(3)


@native
class SmallBoard(NativeClass):
    """The lines of a board, and the arrays that a search writes to."""

    cells: int
    symmetries: int
    lines: WordArray
    words: WordArray
    """Random words of marks, for positions turned and mirrored, at [(side * symmetries + symmetry)
    * cells + cell]."""
    keys: WordArray
    """The keys of positions, at [ply * symmetries + symmetry]."""
    table: WordArray
    history: IntArray
    """How often a move was the answer, at [side * MOST_CELLS + cell]."""
    moves: IntGrid
    scores: IntGrid
    numbers: IntArray


@functools.lru_cache(maxsize=4)
def small_board(rows: int, cols: int, line: int) -> tuple[SmallBoard, threading.Lock]:
    """The board of a size, with everything learnt about it, and the lock that a caller must hold."""
    cells = rows * cols
    steps = ((0, 1), (1, 0), (1, 1), (1, -1)) if line > 1 else ((0, 1),)
    lines = {
        sum(1 << ((row + down * i) * cols + col + right * i) for i in range(line))
        for row in range(rows)
        for col in range(cols)
        for down, right in steps
        if row + down * (line - 1) < rows and 0 <= col + right * (line - 1) < cols
    }
    turns = _symmetries(rows, cols)
    words = [
        int(mix(np.uint64(side * MOST_CELLS + turn[cell] + 1)))
        for side in range(2)
        for turn in turns
        for cell in range(cells)
    ]
    board = SmallBoard(
        cells=cells,
        symmetries=len(turns),
        lines=np.array(sorted(lines), np.uint64),
        words=np.array(words, np.uint64),
        keys=np.zeros((cells + 2) * len(turns), np.uint64),
        table=np.zeros(1 << TABLE_BITS, np.uint64),
        history=np.zeros(2 * MOST_CELLS, np.int64),
        moves=np.zeros((cells + 2, cells), np.int64),
        scores=np.zeros((cells + 2, cells), np.int64),
        numbers=np.zeros(8, np.int64),
    )
    return board, threading.Lock()


def is_small(rules: Mnk) -> bool:
    """Whether a board is small enough for these proofs."""
    return rules.rows * rules.cols <= MOST_CELLS and not rules.exact and 1 < rules.line <= LONGEST


def can_win(
    rules: Mnk, cells: IntArray, mover: int, attacker: int, nodes: int, stop: IntArray
) -> tuple[int, SmallBoard]:
    """Whether the attacker can force a win from a position, given as in a state of the rules: YES,
    NEVER or UNKNOWN.

    Also return the board, whose `numbers` have more details until the next call.
    """
    board, lock = small_board(rules.rows, rules.cols, rules.line)
    sides = [
        sum(1 << int(cell) for cell in np.flatnonzero(cells == 1 + side))
        for side in (attacker, 1 - attacker)
    ]
    with lock:
        answer = int(
            ask(
                board, np.uint64(sides[0]), np.uint64(sides[1]), int(mover == attacker), nodes, stop
            )
        )
    return answer, board


def _symmetries(rows: int, cols: int) -> list[list[int]]:
    """For each symmetry of the board, where each cell goes."""
    found = []
    for turned in (False, True) if rows == cols else (False,):
        for flip_row in (False, True):
            for flip_col in (False, True):
                places = []
                for row in range(rows):
                    for col in range(cols):
                        down, right = (col, row) if turned else (row, col)
                        places.append(
                            (rows - 1 - down if flip_row else down) * cols
                            + (cols - 1 - right if flip_col else right)
                        )
                found.append(places)
    return found


@kernel
def ask(
    board: SmallBoard,
    attack: np.uint64,
    defence: np.uint64,
    attacking: int,
    nodes: int,
    stop: IntArray,
) -> int:
    """Search with larger and larger budgets."""
    numbers = board.numbers
    numbers[NODES], numbers[NODE_LIMIT], numbers[CHOSEN] = 0, nodes, -1
    for i in range(board.symmetries):
        board.keys[i] = ZERO
    for i in range(len(board.history)):
        board.history[i] >>= 1  # What earlier searches taught counts less.
    for cell in range(board.cells):
        bit = ONE << np.uint64(cell)
        for side in range(2):
            if (defence if side == 1 else attack) & bit != ZERO:
                for i in range(board.symmetries):
                    board.keys[i] ^= board.words[(side * board.symmetries + i) * board.cells + cell]
    ply, answer = numbers[NODES], NOT_YET
    for budget in range(1, (1 + QUIET) * board.cells + 1):
        numbers[BUDGET] = budget
        answer = attack_within(board, attack, defence, attacking, budget, ply, stop)
        if answer != NOT_YET:
            return answer
    return NEVER


@kernel
def attack_within(
    board: SmallBoard,
    attack: np.uint64,
    defence: np.uint64,
    attacking: int,
    left: int,
    ply: int,
    stop: IntArray,
) -> int:
    """Whether the attacker wins within a budget of moves."""
    numbers, lines, waiting = board.numbers, board.lines, 1 - attacking
    # 1. Examine all lines: which cells complete one, which give two ways to, which are of any use,
    #    and what all of them weigh.
    completing, twos, crossing, useful, weight, fewest = ZERO, ZERO, ZERO, ZERO, 0, board.cells + 1
    others_completing, others_twos, others_crossing = ZERO, ZERO, ZERO
    for i in range(len(lines)):
        line = lines[i]
        if line & defence == ZERO:
            empty = line & ~attack
            count = popcount(empty)
            fewest = min(fewest, count)
            useful |= empty
            weight += 1 << (WHOLE - count)
            if count == 1:
                completing |= empty
            elif count == 2:
                crossing |= twos & empty
                twos |= empty
        elif line & attack == ZERO:
            empty = line & ~defence
            count = popcount(empty)
            useful |= empty
            if count == 1:
                others_completing |= empty
            elif count == 2:
                others_crossing |= others_twos & empty
                others_twos |= empty
    # 2. Answer what can be read off.
    if attacking == 1:
        if completing != ZERO:
            note(board, ply, completing)
            return YES
        if several(others_completing) or weight < 1 << (WHOLE - 1):
            return NEVER
        if others_completing == ZERO and left >= 2:
            doubled = double(board, crossing, attack, defence)
            if doubled != ZERO:
                note(board, ply, doubled)
                return YES
    else:
        if others_completing != ZERO:
            return NEVER
        if several(completing):
            return YES
        if weight < 1 << WHOLE or (
            completing == ZERO and double(board, others_crossing, defence, attack) != ZERO
        ):
            return NEVER
        if completing == ZERO and crossing == ZERO:
            left -= QUIET
            if left <= 2:
                return NOT_YET
    if (
        fewest > left
        or (attacking == 1 and left == 2 and crossing == ZERO)
        or (attacking == 0 and left == 1 and completing == ZERO)
    ):
        return NOT_YET
    # 3. Stop, or look the position up.
    numbers[NODES] += 1
    if numbers[NODES] >= numbers[NODE_LIMIT] or stop[0] != 0:
        return UNKNOWN
    key = board.keys[ply * board.symmetries]
    for i in range(1, board.symmetries):
        key = min(key, board.keys[ply * board.symmetries + i])
    key = (key ^ ATTACKS if attacking == 1 else key) & KEY_BITS
    slot = np.int64(mix(key) >> np.uint64(64 - TABLE_BITS))
    entry = board.table[slot]
    if entry & KEY_BITS == key and entry != ZERO and ply > 0:
        known = np.int64(entry & THREE)
        if known != NOT_YET or np.int64((entry & ~KEY_BITS) >> LEFT_SHIFT) >= left:
            return known  # type: ignore[return-value]
    # 4. List the moves: the one answer to a four, those that meet a double threat, or all that are
    #    of use.
    forced = others_completing if attacking == 1 else completing
    answer = NEVER if attacking == 1 else YES
    if forced != ZERO:
        useful = forced
    elif attacking == 1:
        if others_crossing != ZERO:
            useful &= twos | meeting(board, others_crossing, defence, attack)
        if left == 2:
            useful &= crossing
            answer = NOT_YET
    elif crossing != ZERO:
        useful &= others_twos | meeting(board, crossing, attack, defence)
    moves, scores = board.moves[ply], board.scores[ply]
    count = list_moves(board, useful, attack, defence, attacking, ply)
    # 5. Try them, the most promising first.
    for i in range(count):
        best = i
        for j in range(i + 1, count):
            if scores[j] > scores[best]:
                best = j
        moves[i], moves[best] = moves[best], moves[i]
        scores[i], scores[best] = scores[best], scores[i]
        cell = moves[i]
        bit = ONE << np.uint64(cell)
        for j in range(board.symmetries):
            board.keys[(ply + 1) * board.symmetries + j] = (
                board.keys[ply * board.symmetries + j]
                ^ board.words[(waiting * board.symmetries + j) * board.cells + cell]
            )
        if attacking == 1:
            found = attack_within(board, attack | bit, defence, waiting, left - 1, ply + 1, stop)
        else:
            found = attack_within(board, attack, defence | bit, waiting, left, ply + 1, stop)
        if found == UNKNOWN:
            return UNKNOWN
        if attacking == 1 and found == YES:
            note(board, ply, bit)
        if (found == YES) == (attacking == 1):
            answer = found
            board.history[waiting * MOST_CELLS + cell] += count
            break
        if attacking == 1 and found == NOT_YET:
            answer = NOT_YET
    board.table[slot] = key | (np.uint64(min(left, 255)) << LEFT_SHIFT) | np.uint64(answer)
    return answer


@shared
def several(bits: np.uint64) -> bool:
    """Whether there are two or more cells."""
    return bits != ZERO and bits & (bits - ONE) != ZERO


@shared
def note(board: SmallBoard, ply: int, bits: np.uint64) -> None:
    """Keep the attacker's first move."""
    if ply == 0:
        board.numbers[CHOSEN] = lowest_bit(bits)


@shared
def ways_from(
    board: SmallBoard, bit: np.uint64, attack: np.uint64, defence: np.uint64
) -> np.uint64:
    """The cells that complete a line once the attacker has this one."""
    ways = ZERO
    for i in range(len(board.lines)):
        line = board.lines[i]
        if line & bit != ZERO and line & defence == ZERO:
            empty = line & ~attack
            if popcount(empty) == 2:
                ways |= empty & ~bit
    return ways


@shared
def double(
    board: SmallBoard, crossing: np.uint64, attack: np.uint64, defence: np.uint64
) -> np.uint64:
    """The first of the cells on two lines that give two ways to complete one; ZERO if there is
    none."""
    while crossing != ZERO:
        bit = ONE << np.uint64(lowest_bit(crossing))
        crossing ^= bit
        if several(ways_from(board, bit, attack, defence)):
            return bit
    return ZERO


@shared
def meeting(
    board: SmallBoard, crossing: np.uint64, attack: np.uint64, defence: np.uint64
) -> np.uint64:
    """The cells that meet all double threats from these cells: the cell itself or, of two ways,
    either."""
    meets = ~ZERO
    while crossing != ZERO:
        bit = ONE << np.uint64(lowest_bit(crossing))
        crossing ^= bit
        ways = ways_from(board, bit, attack, defence)
        if several(ways):
            meets &= bit | ways if popcount(ways) == 2 else bit
    return meets


@shared
def list_moves(
    board: SmallBoard,
    cells: np.uint64,
    attack: np.uint64,
    defence: np.uint64,
    attacking: int,
    ply: int,
) -> int:
    """Write moves and their scores, by the lines of either side through each cell and by their
    success elsewhere; return their number."""
    count = 0
    while cells != ZERO:
        cell = lowest_bit(cells)
        bit = ONE << np.uint64(cell)
        cells ^= bit
        score = board.history[(1 - attacking) * MOST_CELLS + cell] >> 4
        for i in range(len(board.lines)):
            line = board.lines[i]
            if line & bit != ZERO:
                if line & defence == ZERO:
                    score += 48 << (2 * popcount(line & attack))
                elif line & attack == ZERO:
                    score += 32 << (2 * popcount(line & defence))
        board.moves[ply, count], board.scores[ply, count] = cell, score
        count += 1
    return count
