"""A board that knows at every moment what each empty cell would make for either side.

A mark changes the codes of the cells within `reach` on its four lines, and nothing else. What cells
were before is written to a log, and sums, counts and sets are saved as a whole (a set has few
words), so that a move is taken back without looking anything up.

The cells of each threat are kept as sets of bits, 64 cells a word, and so are the candidates, the
empty cells near a mark.
"""

from __future__ import annotations

from typing import TypeGuard

import numpy as np

from mnkala.core import Rules
from mnkala.core.grid import ways
from mnkala.errors import BadEngine
from mnkala.families.lines.engine.patterns import (
    LONGEST_REACH,
    QUIET,
    THREATS,
    WALL,
    Tables,
    first_of,
    kind_table,
    kinds_for,
    make_tables,
    reach_of,
    second_of,
)
from mnkala.families.lines.engine.weights import Weights
from mnkala.families.lines.rules import Mnk
from mnkala.native import NativeClass, kernel, lowest_bit, mix, native, shared
from mnkala.native.objects import ByteArray, IntArray, WordArray

STONES, LOGGED, SUM, COUNT, ALIVE = 0, 1, 2, 4, 14
"""Indices into `Board.numbers`: the marks on the board; the length of the log; SUM + side: the
packed evaluation of a side's cells; COUNT + side * THREATS + threat: how many cells a side has for
a threat; ALIVE + side: its cells that are of any use."""
NUMBERS = 16
CANDIDATES = 2 * THREATS
"""The index of the set of candidates, after the sets at side * THREATS + threat."""
SPREAD = 2
"""Cells up to so many steps from a mark, along its lines, are candidates."""
BITS_OF_OLD = 16
MOST_SAVED = 512
"""The most marks that can be taken back, which is more than searches place, one within the other. A
power of two."""
ZERO, ONE = np.uint64(0), np.uint64(1)
NO_CELL = -1


@native
class Board(NativeClass):
    """A position that is changed in place. A cell is row * cols + column."""

    rows: int
    cols: int
    line: int
    exact: bool
    reach: int
    words: int
    """The number of words in a set of cells."""
    cells: IntArray
    """The owner of each cell: 0 if empty, else 1 + the side."""
    codes: IntArray
    """The neighbourhood of a cell on a line, at [direction * cells + cell]."""
    combinations: IntArray
    """What a mark would make, at [side * cells + cell]; 0 for an occupied cell."""
    log: IntArray
    """The combinations before they changed, as (place << BITS_OF_OLD) | old."""
    sets: WordArray
    """The sets of cells, at [set * words + cell // 64]."""
    numbers: IntArray
    saved_sets: WordArray
    """The sets before each of the last marks, at [mark % MOST_SAVED * len(sets)]."""
    saved_numbers: IntArray
    hash: WordArray
    """The hash, at [0]: the exclusive or of a random word for each mark (Zobrist 1970)."""
    table: ByteArray
    threats: ByteArray
    worth: IntArray
    order: IntArray


def fits(rules: Rules) -> TypeGuard[Mnk]:
    """Whether a game has such a board, which requires that a code can represent its lines."""
    return isinstance(rules, Mnk) and reach_of(rules.line, rules.exact) <= LONGEST_REACH


def check_fits(rules: Rules) -> None:
    """Raise an error that says which games have such a board, if this is not one of them."""
    if not fits(rules):
        raise BadEngine(
            f"threats cannot play {rules.game_string()}; it plays (m,n,k)-games and Gomoku with lines of up to "
            f"{LONGEST_REACH + 1}, or {LONGEST_REACH} where longer lines do not win"
        )


def make_board(rules: Mnk, cells: IntArray, weights: Weights) -> Board:
    """Make the board with these marks, given by cell as in a state of the rules: 0 for empty, else
    1 + the side."""
    check_fits(rules)
    size, reach = rules.rows * rules.cols, reach_of(rules.line, rules.exact)
    words = (size + 63) // 64
    tables: Tables = make_tables(weights)
    board = Board(
        rows=rules.rows,
        cols=rules.cols,
        line=rules.line,
        exact=rules.exact,
        reach=reach,
        words=words,
        cells=np.zeros(size, np.int64),
        codes=np.zeros(4 * size, np.int64),
        combinations=np.zeros(2 * size, np.int64),
        log=np.zeros(size * (16 * reach + 2) + 64, np.int64),
        sets=np.zeros((CANDIDATES + 1) * words, np.uint64),
        numbers=np.zeros(NUMBERS, np.int64),
        saved_sets=np.zeros(MOST_SAVED * (CANDIDATES + 1) * words, np.uint64),
        saved_numbers=np.zeros(MOST_SAVED * NUMBERS, np.int64),
        hash=np.zeros(1, np.uint64),
        table=kind_table(rules.line, rules.exact),
        threats=tables.threats,
        worth=tables.worth,
        order=tables.order,
    )
    set_up(board, cells)
    return board


@kernel
def set_up(board: Board, cells: IntArray) -> int:
    """Fill an empty board: first the edges and the values of cells without marks nearby, then the
    marks."""
    size = board.rows * board.cols
    for cell in range(size):
        row, col = cell // board.cols, cell % board.cols
        for direction in range(4):
            _, ahead, behind = ways(direction, row, col, board.rows, board.cols)
            code = 0
            for far in range(1, board.reach + 1):
                if far > ahead:
                    code |= WALL << (2 * (board.reach + far - 1))
                if far > behind:
                    code |= WALL << (2 * (board.reach - far))
            board.codes[direction * size + cell] = code
            kinds = kinds_at(board, code)
            for side in range(2):
                where = side * size + cell
                change(
                    board,
                    where,
                    board.combinations[where] | (((kinds >> (4 * side)) & 15) << (4 * direction)),
                )
    board.numbers[LOGGED] = 0
    for cell in range(size):
        if cells[cell] != 0:
            place(board, cell, cells[cell] - 1)
    return 0


@shared
def kinds_at(board: Board, code: int) -> int:
    """What a mark of either side makes in a neighbourhood."""
    if len(board.table) > 0:
        return np.int64(board.table[unsigned(code)]) & 255  # type: ignore[return-value]
    return kinds_for(code, board.line, board.exact, board.reach)


@shared
def change(board: Board, where: int, new: int) -> None:
    """Change a cell's combination for a side (`where`: side * cells + cell), and update sums, sets
    and counts."""
    numbers = board.numbers
    size = len(board.cells)
    old = board.combinations[where]
    board.combinations[where] = new
    side = 1 if where >= size else 0
    numbers[SUM + side] += board.worth[new] - board.worth[old]
    if (old == 0) != (new == 0):
        numbers[ALIVE + side] += 1 if old == 0 else -1
    before, after = np.int64(board.threats[old]), np.int64(board.threats[new])
    if before != after:
        cell = where - side * size
        bit = ONE << np.uint64(cell & 63)
        if before != QUIET:
            numbers[COUNT + side * THREATS + before] -= 1
            board.sets[(side * THREATS + before) * board.words + (cell >> 6)] ^= bit
        if after != QUIET:
            numbers[COUNT + side * THREATS + after] += 1
            board.sets[(side * THREATS + after) * board.words + (cell >> 6)] ^= bit


@shared
def unsigned(index: int) -> np.uint64:
    """An index that is not negative, as the compiler cannot know: it then need not count from the
    end."""
    return np.uint64(index)


@shared
def mark_word(cell: int, side: int) -> np.uint64:
    """The random word of a mark."""
    return mix(np.uint64(2 * cell + side + 1))


@shared
def place(board: Board, cell: int, side: int) -> None:
    """Put a mark of a side on an empty cell."""
    numbers, cells, codes, sets = board.numbers, board.cells, board.codes, board.sets
    combinations, log, worth, threats = board.combinations, board.log, board.worth, board.threats
    size, reach, words = len(cells), board.reach, board.words
    row = cell // board.cols
    col = cell - row * board.cols
    # 1. Save what is not logged.
    at = numbers[STONES] & (MOST_SAVED - 1)
    for i in range(NUMBERS):
        board.saved_numbers[at * NUMBERS + i] = numbers[i]
    for i in range(len(sets)):
        board.saved_sets[at * len(sets) + i] = sets[i]
    # 2. Occupy the cell.
    logged = numbers[LOGGED]
    cells[cell] = 1 + side
    board.hash[0] ^= mark_word(cell, side)
    for each in range(2):
        where = each * size + cell
        if combinations[where] != 0:
            log[logged] = (where << BITS_OF_OLD) | combinations[where]
            logged += 1
            change(board, where, 0)
    near = CANDIDATES * words
    sets[near + (cell >> 6)] &= ~(ONE << np.uint64(cell & 63))
    # 3. Update the cells on its lines, which now see a mark, and make the closest candidates.
    for direction in range(4):
        step, ahead, behind = ways(direction, row, col, board.rows, board.cols)
        shift = 4 * direction
        for way in range(2):
            count = min(max(reach, SPREAD), ahead if way == 0 else behind)
            stride = step if way == 0 else -step
            other = cell
            for far in range(1, count + 1):
                other += stride
                if cells[other] == 0 and far <= SPREAD:
                    sets[near + (other >> 6)] |= ONE << np.uint64(other & 63)
                if far > reach:
                    continue
                # From there, the mark lies `far` steps behind, or ahead.
                field = reach - far if way == 0 else reach + far - 1
                line_place = unsigned(direction * size + other)
                code = codes[line_place] ^ ((1 + side) << (2 * field))
                codes[line_place] = code
                if cells[other] != 0:
                    continue
                kinds = kinds_at(board, code)
                for each in range(2):
                    # `change`, written out, because the search spends most of its time here.
                    where = each * size + other
                    old = combinations[unsigned(where)]
                    new = (old & ~(15 << shift)) | (((kinds >> (4 * each)) & 15) << shift)
                    if new == old:
                        continue
                    log[unsigned(logged)] = (where << BITS_OF_OLD) | old
                    logged += 1
                    combinations[unsigned(where)] = new
                    numbers[SUM + each] += worth[unsigned(new)] - worth[unsigned(old)]
                    if (old == 0) != (new == 0):
                        numbers[ALIVE + each] += 1 if old == 0 else -1
                    before = np.int64(threats[unsigned(old)])
                    after = np.int64(threats[unsigned(new)])
                    if before != after:
                        bit = ONE << np.uint64(other & 63)
                        if before != QUIET:
                            numbers[COUNT + each * THREATS + before] -= 1
                            sets[(each * THREATS + before) * words + (other >> 6)] ^= bit
                        if after != QUIET:
                            numbers[COUNT + each * THREATS + after] += 1
                            sets[(each * THREATS + after) * words + (other >> 6)] ^= bit
    numbers[STONES] += 1
    numbers[LOGGED] = logged


@shared
def take_back(board: Board, cell: int) -> None:
    """Take back the last mark, which is on this cell."""
    numbers, cells, codes, sets = board.numbers, board.cells, board.codes, board.sets
    size, reach = len(cells), board.reach
    row = cell // board.cols
    col = cell - row * board.cols
    side = cells[cell] - 1
    for direction in range(4):
        step, ahead, behind = ways(direction, row, col, board.rows, board.cols)
        for way in range(2):
            count = min(reach, ahead if way == 0 else behind)
            stride = step if way == 0 else -step
            other = cell
            for far in range(1, count + 1):
                other += stride
                field = reach - far if way == 0 else reach + far - 1
                codes[unsigned(direction * size + other)] ^= (1 + side) << (2 * field)
    cells[cell] = 0
    board.hash[0] ^= mark_word(cell, side)
    logged, at = numbers[LOGGED], (numbers[STONES] - 1) & (MOST_SAVED - 1)
    for i in range(NUMBERS):
        numbers[i] = board.saved_numbers[at * NUMBERS + i]
    for i in range(len(sets)):
        sets[i] = board.saved_sets[at * len(sets) + i]
    for i in range(numbers[LOGGED], logged):
        entry = board.log[i]
        board.combinations[entry >> BITS_OF_OLD] = entry & ((1 << BITS_OF_OLD) - 1)


@shared
def typed(number: np.uint64) -> int:
    """Hide from the compiler that a number is a constant: a recursion that begins with one crashes
    when it is loaded from disk."""
    return np.int64(number)  # type: ignore[return-value]


@shared
def free_cells(board: Board) -> int:
    """The number of empty cells."""
    return len(board.cells) - board.numbers[STONES]


@shared
def count_of(board: Board, side: int, threat: int) -> int:
    """The number of cells that a side has for a threat."""
    return board.numbers[COUNT + side * THREATS + threat]


@shared
def first_cell(board: Board, which: int) -> int:
    """The first cell of a set, or NO_CELL."""
    for word in range(board.words):
        bits = board.sets[which * board.words + word]
        if bits != ZERO:
            return 64 * word + lowest_bit(bits)
    return NO_CELL


@shared
def cell_for(board: Board, side: int, threat: int) -> int:
    """The first cell that a side has for a threat, or NO_CELL."""
    return first_cell(board, side * THREATS + threat)


@shared
def threat_at(board: Board, side: int, cell: int) -> int:
    """The threat that a mark of a side would make on a cell."""
    return np.int64(board.threats[board.combinations[side * len(board.cells) + cell]])  # type: ignore[return-value]


@shared
def evaluate(board: Board, mover: int) -> int:
    """The value of the position for the side to move."""
    return first_of(board.numbers[SUM + mover]) - second_of(board.numbers[SUM + 1 - mover])
