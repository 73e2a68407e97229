"""mnkala's own heuristic for Connect: windows, and the threats that decide the end of the game.

A *threat* is an empty cell that completes a line. When a board with an even number of rows fills
up, the first player gets to play in odd rows and the second in even ones, so a threat of the first
player in an odd row, or of the second in an even one, wins unless it is undone (Allis 1988). Other
threats are worth less. For other boards see `good_rows`.

The name stands for two implementations: on boards of bits everything is counted anew at each
evaluation; on boards of arrays `WideThreats` updates it move by move and knows more.

**Boards of arrays.** It counts open windows, weighs the threats of every column and asks who will
run out of moves (`zugzwang`, below). On such boards most games end long before the board is full,
by attacks: a disc that makes a threat in a cell that can be played at once must be answered there,
and one that makes two wins. So the heuristic also tells the search what is urgent, what is forcing
and which moves to try first.

All that is read from a word for each window, which a disc changes by one addition (`WideThreats`).

**Zugzwang.** Nobody wants to play right below an opponent's threat, so columns stay open below
threats until everything else is full and somebody has to: *zugzwang* (Allis 1988, "A
Knowledge-based Approach of Connect-Four").

Who that is follows from counting. If a single threat in row r (from 1) is left and the columns
beside it are full, (columns - 1) * rows + r - 1 discs lie when its cell can be played, so the first
player gets it where that number is even. With an even number of rows these are the odd rows,
whatever the number of columns: Allis' rule. With an odd number of rows and an even number of
columns the first player gets the even rows; with both odd again the odd ones. `good_rows` says so
for any board. With several threats on the board the rule is a rule of thumb; `zugzwang` plays the
filling of the board out instead.

Threats are given as bits by row, for either player SIDE columns, in an array from a place on.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from mnkala.core import Rules
from mnkala.core.grid import DIRECTIONS
from mnkala.core.rules import State
from mnkala.errors import BadEngine
from mnkala.native import lowest_bit, native, popcount, shared
from mnkala.native.objects import IntArray, IntGrid
from mnkala.search.heuristic import LOSES, NO_MOVE, Heuristic, Memory, register_heuristic

SIDE_BITS = 6
SIDE = 1 << SIDE_BITS
"""A number larger than the rows and the columns of any board."""
GOOD, OTHER = 60, 20
"""The value of a threat in a row that its owner will get to play in, and in any other row, where it
still keeps the opponent from the cell below."""
DOUBLE = 200
"""The value of two threats of one player, one above the other: the first is blocked, the second
wins."""
FULL_SCALE, KILLED, WEAKENED = 6, 3, 1
"""Numbers of halvings of a threat's value: what lies above a threat in a good row is hardly ever
played (KILLED), what lies above another threat often enough (WEAKENED). Values are multiplied by 2
to the power of FULL_SCALE."""
LAST_WORD, DISTANT = 20_000, 16
"""Winning the zugzwang is worth LAST_WORD / (DISTANT + the moves until then), which is more the
nearer it is."""


def good_rows(rows: int, cols: int) -> int:
    """The rows, as bits from the bottom, in which the first player gets to play if all other
    columns are full.
    """
    return sum(1 << row for row in range(rows) if ((cols - 1) * rows + row) % 2 == 0)


@shared
def column_worth(first: int, second: int, good: int) -> int:
    """The value of a column's threats for the first player; the lowest counts most. The threats are
    bits by row, from the lowest empty cell on."""
    worth = 0
    scale = FULL_SCALE
    while first | second != 0 and scale >= 0:
        lowest = (first | second) & -(first | second)
        firsts_row = good & lowest != 0
        cut = WEAKENED
        if first & lowest != 0:
            worth += (GOOD if firsts_row else OTHER) + (
                DOUBLE if first & (lowest << 1) != 0 else 0
            ) << scale
            if firsts_row:
                cut = KILLED
        if second & lowest != 0:
            worth -= (OTHER if firsts_row else GOOD) + (
                DOUBLE if second & (lowest << 1) != 0 else 0
            ) << scale
            if not firsts_row:
                cut = KILLED
        first &= ~lowest
        second &= ~lowest
        scale -= cut
    return worth >> FULL_SCALE


@shared
def zugzwang(
    memory: IntArray, threats: int, reached: int, heights: IntArray, rows: int, mover: int
) -> int:
    """The value for the first player of the board filling up without new threats: positive if
    the second player runs out of moves.

    Each column is filled up to the cell below its lowest threat. The player who must then move
    gives up a threat, if there is one: that player plays below it and the opponent takes the
    cell, which opens the column again. Otherwise the player loses. `reached` is the place in the
    memory where the columns' heights may be kept meanwhile.
    """
    for col in range(len(heights)):
        memory[reached + col] = heights[col]
    moves = 0
    player = mover
    while True:
        # 1. Play all cells that are harmless for both.
        safe = fill_safely(memory, threats, reached, len(heights), rows)
        if safe < 0:
            return 0
        moves += safe
        player ^= safe & 1
        # 2. The player to move gives up a threat of his own or loses.
        col = threat_to_give_up(
            memory,
            threats + SIDE * player,
            threats + SIDE * (1 - player),
            reached,
            len(heights),
            rows,
        )
        if col < 0:
            return signed(LAST_WORD // (DISTANT + moves), 1 - player)
        # 3. The opponent takes it, and threats right above are answered in turn.
        height = memory[reached + col] + 2
        moves += 2
        while height < rows:
            if (memory[threats + SIDE * player + col] >> height) & 1 != 0:
                return signed(LAST_WORD // (DISTANT + moves), player)
            if (memory[threats + SIDE * (1 - player) + col] >> height) & 1 == 0:
                break
            height += 1
            moves += 1
            player = 1 - player
        memory[reached + col] = height


@shared
def signed(worth: int, player: int) -> int:
    """Convert a player's value to the first player's view."""
    return worth if player == 0 else -worth


@shared
def fill_safely(memory: IntArray, threats: int, reached: int, cols: int, rows: int) -> int:
    """Fill every column up to the cell below its lowest threat; return the number of discs that
    takes, or -1 if no threat is left."""
    safe = 0
    stuck = False
    for col in range(cols):
        height = memory[reached + col]
        free = safe_cells(memory, threats, col, height, rows)
        if free + height < rows:
            stuck = True
        safe += free
        memory[reached + col] = height + free
    return safe if stuck else -1


@shared
def safe_cells(memory: IntArray, threats: int, col: int, height: int, rows: int) -> int:
    """How many cells of a column, from a height on, lie neither right below a threat nor above one."""
    both = (memory[threats + col] | memory[threats + SIDE + col]) >> height
    return rows - height if both == 0 else max(0, lowest_bit(np.uint64(both)) - 1)


@shared
def threat_to_give_up(
    memory: IntArray, own: int, other: int, reached: int, cols: int, rows: int
) -> int:
    """The column of a threat that a player can give up without losing, preferably one that leaves
    an odd number of moves above; or -1."""
    chosen = -1
    for col in range(cols):
        row = memory[reached + col] + 1
        if (memory[own + col] >> row) & 1 != 0 and (memory[other + col] >> row) & 1 == 0:
            chosen = col
            if safe_cells(memory, min(own, other), col, row + 1, rows) & 1 != 0:
                break
    return chosen


STEP = 2.75
"""How much more a window is worth for each further disc in it. This and the next values were chosen
by matches."""
GOOD_ROW, OTHER_ROW = 25, 5
"""The values of a threat in a row that its owner will get to play in, and in any other row."""
LARGEST = 1 << 12


@shared
def threat_worth(threats: np.uint64, good_rows: np.uint64, good: int, other: int) -> int:
    """The value of a side's threats for that side."""
    return good * popcount(threats & good_rows) + other * popcount(threats & ~good_rows)


@native
class Threats(Heuristic):
    """Windows and threats on boards of bits."""

    weights: IntArray
    """The value of a window by the number of one side's discs in it, where the other side has none."""
    firsts_rows: np.uint64
    """The cells of the rows in which the first player wants threats."""
    good_row: int = GOOD_ROW
    other_row: int = OTHER_ROW

    def evaluate(self, rules: Any, state: State) -> int:
        own, other = state.own, state.own ^ state.all
        total = 0
        mine = theirs = np.uint64(0)
        for i in range(len(rules.windows)):
            window = np.uint64(rules.windows[i])
            ours, others = popcount(own & window), popcount(other & window)
            if others == 0:
                total += self.weights[ours]
                if ours == rules.line - 1:
                    mine |= window & ~state.all
            elif ours == 0:
                total -= self.weights[others]
                if others == rules.line - 1:
                    theirs |= window & ~state.all
        if rules.mover(state) == 0:
            good_for_me, good_for_them = self.firsts_rows, ~self.firsts_rows
        else:
            good_for_me, good_for_them = ~self.firsts_rows, self.firsts_rows
        return (
            total
            + threat_worth(mine, good_for_me, self.good_row, self.other_row)
            - threat_worth(theirs, good_for_them, self.good_row, self.other_row)
        )


def _make(rules: Rules) -> Heuristic:
    from mnkala.families.connect.bits import Connect
    from mnkala.families.connect.rules import WideConnect

    if not isinstance(rules, Connect | WideConnect):
        raise BadEngine(
            f"{rules.game_string()} is not a Connect board, so it has no odd and even threats"
        )
    return _made(rules.rows, rules.cols, rules.line, isinstance(rules, WideConnect))


@functools.lru_cache(maxsize=32)
def _made(rows: int, cols: int, line: int, wide: bool) -> Heuristic:
    """Make the heuristic of a board. It is cached, because a small search takes less time than
    making it."""
    weights = tuple(
        min(LARGEST, round(STEP ** (discs - 1))) if discs else 0 for discs in range(line + 1)
    )
    if wide:
        return make_wide(rows, cols, line, weights)
    firsts = good_rows(rows, cols)
    return Threats(
        np.array(weights, dtype=np.int64),
        np.uint64(sum(firsts << (col * (rows + 1)) for col in range(cols))),
    )


register_heuristic(
    "threats",
    "ours for Connect: windows, threats by the parity of their row, on large boards zugzwang",
    _make,
)


MARKS_BITS = 2 * SIDE_BITS
MARKS = (1 << MARKS_BITS) - 1
"""The part of a window's word that counts its discs."""
WON = 1 << 20
"""The value of a line that can be completed at once and not be prevented. Searches that follow
urgent moves never meet it."""
TEMPO = 5
RANK_STEP = 8
"""In move ordering, the weight of a window that only one side occupies is multiplied by this for
each further disc."""
MOST_RANK = 1 << 12
FORCING, BEST_RANK = 1 << 20, 1 << 26
"""The rank of a move that makes a threat which must be answered at once, and of one that makes two;
both exceed all sums of windows."""
RANK_SCALE = 1 << 20
"""Ranks count more than the search's own history, which knows columns but not cells, and forcing
moves more than its killers."""
OTHERS = 3 * SIDE + 1
"""The number of entries in the memory after the windows and the counts."""


@native
class WideThreats(Heuristic):
    """The evaluation, updated move by move in a memory.

    The memory holds a word for each window; for each player and place the number of windows that
    lack only this place; for each player and column the rows of such places, as bits; room for
    `zugzwang`; and the sum of the windows' weights for the first player. A *place* is row * SIDE +
    column.

    The word of a window is the sum of the first player's discs, SIDE times the second player's
    discs, and SIDE * SIDE times the places of its empty cells. If one cell is empty, that part is
    its place. The counts of a place are no longer updated once a disc lies there; bits below the
    height of a column have no meaning.
    """

    in_place = True

    through: IntGrid
    """For each cell: the number of windows through it, followed by their indices."""
    empty: IntArray
    """The words of the windows on an empty board."""
    weights: IntArray
    """The value of a window for the first player, by its discs."""
    ranks: IntArray
    """How promising it is to play into a window, by its discs."""
    good: int
    """The rows in which the first player wants threats, as bits."""

    def begin(self, rules: Any, state: State) -> Memory:
        windows = len(self.empty)
        memory = np.zeros(windows + 2 * SIDE * rules.rows + OTHERS, dtype=np.int64)
        memory[:windows] = self.empty
        for cell in range(rules.rows * rules.cols):
            if state.cells[cell] != 0:
                change_windows(
                    memory,
                    self.through,
                    self.weights,
                    windows,
                    rules.line,
                    cell,
                    disc(cell // rules.cols, cell % rules.cols, state.cells[cell] - 1),
                    1,
                )
        return memory

    def played(self, rules: Any, state: State, move: int, memory: Memory) -> Memory:
        row = state.heights[move] - 1
        cell = row * rules.cols + move
        change_windows(
            memory,
            self.through,
            self.weights,
            len(self.empty),
            rules.line,
            cell,
            disc(row, move, state.cells[cell] - 1),
            1,
        )
        return memory

    def undone(self, rules: Any, state: State, move: int, memory: Memory) -> None:
        row = state.heights[move] - 1
        cell = row * rules.cols + move
        change_windows(
            memory,
            self.through,
            self.weights,
            len(self.empty),
            rules.line,
            cell,
            disc(row, move, state.cells[cell] - 1),
            -1,
        )

    def urgent(self, rules: Any, state: State, memory: Memory) -> int:
        mover = rules.mover(state)
        threats = len(memory) - OTHERS
        return urgent_column(
            memory, state.heights, threats + SIDE * mover, threats + SIDE * (1 - mover)
        )

    def forcing(
        self, rules: Any, state: State, memory: Memory, moves: IntArray, scores: IntArray
    ) -> int:
        mover = rules.mover(state)
        found = 0
        for col in range(rules.cols):
            if state.heights[col] < rules.rows:
                rank = rank_column(
                    memory,
                    self.through,
                    self.ranks,
                    state.heights,
                    rules.line,
                    rules.cols,
                    col,
                    mover,
                )
                if rank == BEST_RANK:
                    moves[0] = col
                    return 1
                if rank >= FORCING:
                    moves[found], scores[found] = col, rank
                    found += 1
        return found

    def rank(
        self,
        rules: Any,
        state: State,
        memory: Memory,
        moves: IntArray,
        scores: IntArray,
        count: int,
    ) -> None:
        mover = rules.mover(state)
        for i in range(count):
            rank = rank_column(
                memory,
                self.through,
                self.ranks,
                state.heights,
                rules.line,
                rules.cols,
                moves[i],
                mover,
            )
            scores[i] = RANK_SCALE * rank if rank != -BEST_RANK else LOSES

    def value(self, rules: Any, state: State, memory: Memory) -> int:
        mover = rules.mover(state)
        threats = len(memory) - OTHERS
        total = memory[len(memory) - 1]
        mine = theirs = 0
        for col in range(rules.cols):
            height = state.heights[col]
            first, second = memory[threats + col] >> height, memory[threats + SIDE + col] >> height
            if first | second != 0:
                total += column_worth(first, second, self.good >> height)
                mine += (second if mover else first) & 1
                theirs += (first if mover else second) & 1
        if mine > 0:
            return WON
        if theirs > 1:
            return -WON
        total += zugzwang(memory, threats, threats + 2 * SIDE, state.heights, rules.rows, mover)
        return (total if mover == 0 else -total) + TEMPO

    def evaluate(self, rules: Any, state: State) -> int:
        return self.value(rules, state, self.begin(rules, state))


@shared
def disc(row: int, col: int, player: int) -> int:
    """The number that a disc adds to the word of a window."""
    return (SIDE if player else 1) - ((row * SIDE + col) << MARKS_BITS)


@shared
def change_windows(
    memory: IntArray,
    through: IntGrid,
    weights: IntArray,
    windows: int,
    line: int,
    cell: int,
    change: int,
    sign: int,
) -> None:
    """Add a disc to all windows through its cell (`sign` = 1) or remove it (-1), and update counts,
    bits and sum."""
    total = 0
    rows_of_threats = len(memory) - OTHERS
    for i in range(1, through[cell, 0] + 1):
        window = through[cell, i]
        before = memory[window]
        after = before + sign * change
        memory[window] = after
        total += weights[after & MARKS] - weights[before & MARKS]
        # With the disc, the window may lack one more cell; without it, it no longer does.
        word = after if sign > 0 else before
        marks = word & MARKS
        if marks == line - 1 or marks == (line - 1) * SIDE:
            player = 0 if marks == line - 1 else 1
            place = word >> MARKS_BITS
            count = windows + player * (rows_of_threats - windows) // 2 + place
            memory[count] += sign
            if memory[count] == (1 if sign > 0 else 0):
                memory[rows_of_threats + player * SIDE + (place & (SIDE - 1))] ^= 1 << (
                    place >> SIDE_BITS
                )
    memory[len(memory) - 1] += total


@shared
def urgent_column(memory: IntArray, heights: IntArray, own: int, other: int) -> int:
    """The column that wins, else one that must be blocked, else NO_MOVE."""
    found = NO_MOVE
    for col in range(len(heights)):
        if (memory[own + col] >> heights[col]) & 1 != 0:
            return col
        if (memory[other + col] >> heights[col]) & 1 != 0:
            found = col
    return found


@shared
def rank_column(
    memory: IntArray,
    through: IntGrid,
    ranks: IntArray,
    heights: IntArray,
    line: int,
    cols: int,
    col: int,
    mover: int,
) -> int:
    """How promising a disc in a column looks where nothing is urgent.

    BEST_RANK if it wins by two threats, side by side or one above the other; -BEST_RANK if it loses
    to the cell above; at least FORCING if it makes a threat; at least -FORCING if it only gives up
    the player's own threat above it.
    """
    row = heights[col]
    above = len(memory) - OTHERS + col
    if (memory[above + SIDE * (1 - mover)] >> (row + 1)) & 1 != 0:
        return -BEST_RANK
    place = row * SIDE + col
    lacks_two = (line - 2) * (SIDE if mover else 1)
    gives_up = (memory[above + SIDE * mover] >> (row + 1)) & 1 != 0
    if gives_up and (memory[above + SIDE * mover] >> (row + 2)) & 1 != 0:
        return BEST_RANK
    answer = place + SIDE if gives_up else NO_MOVE
    total = 0
    cell = row * cols + col
    for i in range(1, through[cell, 0] + 1):
        word = memory[through[cell, i]]
        total += ranks[word & MARKS]
        if word & MARKS == lacks_two:
            # The cell that the window would then lack, if it can be played at once.
            other = (word >> MARKS_BITS) - place
            column = other & (SIDE - 1)
            if (
                other >> SIDE_BITS == heights[column] + (1 if column == col else 0)
                and other != answer
            ):
                if answer != NO_MOVE:
                    return BEST_RANK
                answer = other
    if answer == NO_MOVE:
        return total
    return total - FORCING if gives_up else total + FORCING


@functools.lru_cache(maxsize=16)
def make_wide(rows: int, cols: int, line: int, worths: tuple[int, ...]) -> WideThreats:
    """Make the heuristic of a board with these values of open windows. It is cached, because the
    milliseconds that it takes would be noticed in every short search."""
    windows = [
        [(row + i * step_row, col + i * step_col) for i in range(line)]
        for step_row, step_col in DIRECTIONS
        for row in range(rows)
        for col in range(cols)
        if row + (line - 1) * step_row < rows and 0 <= col + (line - 1) * step_col < cols
    ]
    through = np.zeros((rows * cols, 4 * line + 1), dtype=np.int64)
    for number, window in enumerate(windows):
        for row, col in window:
            cell = row * cols + col
            through[cell, 0] += 1
            through[cell, through[cell, 0]] = number
    empty = [sum(row * SIDE + col for row, col in window) << MARKS_BITS for window in windows]
    weights, ranks = np.zeros((2, MARKS + 1), dtype=np.int64)
    for discs in range(line):
        weights[discs], weights[discs * SIDE] = worths[discs], -worths[discs]
        ranks[discs] = ranks[discs * SIDE] = min(MOST_RANK, RANK_STEP**discs)
    return WideThreats(
        through, np.array(empty, dtype=np.int64), weights, ranks, good_rows(rows, cols)
    )
