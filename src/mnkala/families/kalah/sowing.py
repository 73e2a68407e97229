"""The engine `sowing`: the strong player of Kalah, a principal variation search of its own that
searches depth after depth and reports each.

A depth is a number of turns, each of which may be several moves. The value is the margin to
come, by the heuristic `margin` alone.

The kernel uses what a search for any game cannot know. The stores are no part of a position, so
that lines which gain the same seeds in another order meet in the table with those that gain
more. The seeds left bound every value, and so does what the mover is certain to take in this
turn; positions of few seeds are looked up in the endgame database. A move that moves again costs
less depth than one that ends the turn, and one without an alternative costs none, so that the
horizon lies at the end of turns. Moves are tried in the order of how the board looks after them,
and late ones are searched less deeply until one of them surprises (late move reductions).

Values are hundredths of a seed of the margin to come, as the mover sees it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import threading
import time
from collections.abc import Iterator

import numpy as np

from mnkala.core import Position, Rules
from mnkala.core.score import Score
from mnkala.errors import BadEngine
from mnkala.families.kalah.rules import Kalah, KalahState, seeds_in, sum_of
from mnkala.families.kalah.solver.board import number_of, sow
from mnkala.families.kalah.solver.estimate import turn_at_hand
from mnkala.families.kalah.solver.heuristic import SEED, Margin, looks_like, margin_heuristic
from mnkala.native import NativeClass, kernel, mix, native, shared
from mnkala.native.objects import IntArray, WordArray
from mnkala.search.analysis import Analysis, RootMove
from mnkala.search.deepening import Deepening
from mnkala.search.engine import Search, register_search
from mnkala.search.limit import Limit, Stop
from mnkala.search.root import Task
from mnkala.search.runner import Helpers
from mnkala.search.table import (
    COMPLETE,
    EMPTY,
    EXACT,
    KEPT_BITS,
    LOWER,
    UPPER,
    Table,
    bound_of,
    depth_of,
    find,
    lent_table,
    make_table,
    move_of,
    store,
    table_bits,
    value_of,
)
from mnkala.solve.table import ONE, ZERO, signed
from mnkala.solve.threads import NO_LIMIT

MOST_SEEDS = 127
"""The most seeds on a board. With more, a house could hold more than the sets of houses can
represent."""
MARGIN = "margin"
"""The name of the only heuristic."""
DEEPEST_TURNS = 200
LONGEST_LINE = 40
MOST_REMEMBERED = 2
"""The number of tables that are kept for the next search."""
SAMPLE, FULL = 1 << 12, 0.6
"""A table is no longer reused when this share of its first SAMPLE entries is occupied."""

SMALLEST_TABLE, ENTRIES_A_SECOND = 16, 4_000_000
"""The size of a table, as a power of two, fits the number of positions that can be searched in the
time: a small table is faster."""

_remembered: dict[tuple[object, ...], Table] = {}
"""The tables that no search uses at the moment, by the kind of game."""
_lock = threading.Lock()


@dataclasses.dataclass(frozen=True)
class Sowing(Search):
    """Kalah's own search, turn by turn over the margin to come, with a table and endgame databases:
    the strong player of Kalah.
    """

    name = "sowing"
    plays_out_best = True
    threads: int = 1
    """The number of threads, 1 or 2, which share one table."""
    table_bits: int = KEPT_BITS
    """The size of the table: 2^table_bits positions of 16 bytes."""

    DEFAULT_NODES = 3_000_000

    @property
    def _crowded(self) -> Deepening:
        """The search for boards with more seeds than this one can handle, until enough are in the
        stores."""
        return Deepening(MARGIN, threads=self.threads, table_bits=self.table_bits)

    def check(self, rules: Rules) -> None:
        if not isinstance(rules, Kalah):
            raise BadEngine(
                f"sowing plays Kalah, and {rules.game_string()} is none; auto plays every game"
            )

    def parts(self, rules: Rules) -> tuple[object, ...]:
        return self, rules, margin_heuristic(rules)

    def kernel_key(self, rules: Rules) -> str:
        return " ".join((self.name, rules.native_identity(), Margin.native_identity()))

    def _compile(self, rules: Rules) -> None:
        self.check(rules)
        assert isinstance(rules, Kalah)
        self._crowded.prepare(rules)
        few = dataclasses.replace(
            rules, seeds=1
        )  # A crowded board would compile nothing of the search itself.
        at_once = Stop()
        at_once.set()
        self.run(Task(Position(few), Limit(time=1.0), at_once, lambda analysis: None, engine=""))

    def most_nodes(self, rules: Rules, limit: Limit) -> float:
        return limit.nodes or math.inf

    def run(self, task: Task) -> Analysis:
        limit = task.limit
        if limit == Limit():
            limit = Limit(nodes=self.DEFAULT_NODES)
            task = dataclasses.replace(task, limit=limit)
        if seeds_left(task.position.state()) > MOST_SEEDS:
            return self._crowded.run(task)
        heuristic, bits = margin_heuristic(task.rules), table_bits(self.table_bits, limit)
        # A limit of nodes or depth is for reproducible answers, so nothing learnt before may count.
        may_remember = limit.nodes is None and limit.depth is None
        if limit.time is not None:
            bits = min(bits, max(SMALLEST_TABLE, int(limit.time * ENTRIES_A_SECOND).bit_length()))
        with remembering_table(heuristic, bits) if may_remember else lent_table(bits) as table:
            return _deepen(task, heuristic, table, self.threads)


class _Thread:
    """The search of one thread: it has its own order of moves and shares the table."""

    def __init__(
        self, task: Task, heuristic: Margin, table: Table, stop: Stop, nodes: int | None
    ) -> None:
        assert isinstance(task.rules, Kalah)
        self.rules, self.heuristic, self.table = task.rules, heuristic, table
        self.state: KalahState = task.position.state()
        self.every_move = task.all_moves
        self.data = make_outlook(
            self.rules,
            task.position.legal_codes[::-1],
            stop.flag,
            NO_LIMIT if nodes is None else nodes,
        )
        stop.watch(self.data.counters[NODES:])

    def search(self, depth: int) -> int:
        """Search so many turns ahead; return for how many moves there is a new value."""
        return int(
            look_from_root(
                self.state.own,
                self.state.other,
                seeds_left(self.state),
                TURN * depth,
                self.every_move,
                self.rules,
                self.heuristic,
                self.table,
                self.data,
            )
        )

    @property
    def stopped(self) -> bool:
        return bool(self.data.counters[STOPPED])

    @property
    def proved(self) -> bool:
        """Whether all moves' values, or that they are no better than the best, are proved.

        A search that was stopped on its way through the moves may have found the best to be worth
        less than what was known about the others.
        """
        data = self.data
        return all(
            data.proved[move] and data.values[move] <= data.values[data.moves[0]]
            for move in data.moves
        )


@contextlib.contextmanager
def remembering_table(heuristic: Margin, bits: int) -> Iterator[Table]:
    """Lend a table that still holds what the last search of the same kind of game left in it,
    unless it is too full."""
    kind = (heuristic.houses, heuristic.known, bits, heuristic.weights.tobytes())
    with _lock:
        table = _remembered.pop(kind, None)
    if table is None or np.count_nonzero(table.data[:SAMPLE]) > FULL * SAMPLE:
        table = table or make_table(bits)
        table.keys.fill(0)
        table.data.fill(0)
    try:
        yield table
    finally:
        with _lock:
            while len(_remembered) >= MOST_REMEMBERED:
                del _remembered[next(iter(_remembered))]
            _remembered[kind] = table


def _deepen(task: Task, heuristic: Margin, table: Table, threads: int) -> Analysis:
    over = Stop()
    leader = _Thread(task, heuristic, table, task.stop, task.limit.nodes)
    others = [_Thread(task, heuristic, table, over, None) for _ in range(threads - 1)]
    helpers = Helpers(lambda other=other: _help(other) for other in others)  # type: ignore[misc]
    try:
        return _lead(task, leader, others)
    finally:
        over.set()
        helpers.join()


def _help(thread: _Thread) -> None:
    """Fill the table for the leading thread, searching a turn ahead of it."""
    for depth in range(2, DEEPEST_TURNS):
        thread.search(depth)
        if thread.stopped or thread.proved:
            break


def _lead(task: Task, leader: _Thread, others: list[_Thread]) -> Analysis:
    answer = _analysis(task, leader, others, 0)
    for depth in range(1, min(task.deepest(), DEEPEST_TURNS) + 1):
        if leader.search(depth):
            answer = _analysis(task, leader, others, depth)
            task.report(answer)
        if leader.stopped or leader.proved:
            break
    return dataclasses.replace(
        answer, nodes=sum(int(each.data.counters[NODES]) for each in (leader, *others))
    )


def _analysis(task: Task, leader: _Thread, others: list[_Thread], depth: int) -> Analysis:
    """Make an analysis of what the leading thread has found so far, with the effort of all
    threads."""
    data, position = leader.data, task.position
    counters = sum((each.data.counters for each in others), data.counters.copy())
    best = int(data.moves[0])
    moves = tuple(
        RootMove(move, _score(leader, position, move, bool(data.proved[move])), _line(leader, move))
        for move in position.legal_codes
        if data.kinds[move]
    )
    score = _score(leader, position, best, leader.proved) if data.kinds[best] else None
    return Analysis(
        position,
        task.engine,
        score,
        moves,
        _line(leader, best),
        depth=depth,
        nodes=int(counters[NODES]),
        evaluations=int(counters[EVALUATIONS]),
        cutoffs=int(counters[CUTOFFS]),
        held=depth + 1 + int(counters[STORED]),
        table_hits=int(counters[TABLE_HITS]),
        seconds=time.perf_counter() - task.started,
    )


def _score(thread: _Thread, position: Position, move: int, proved: bool) -> Score:
    """The score of a move: the final margin if it is proved, otherwise hundredths of a seed."""
    value, exact = (
        int(thread.data.values[move]) + SEED * stored(thread.state),
        thread.data.kinds[move] == EXACT,
    )
    if not proved:
        return Score.opinion(value, position.mover, None if exact else "most")
    return (Score.exactly if exact else Score.at_most)(value // SEED, position.mover)


def _line(thread: _Thread, move: int) -> tuple[int, ...]:
    """A move and its continuation from the table; where its value is proved, best play only."""
    line, proved = np.zeros(LONGEST_LINE, np.int64), bool(thread.data.proved[move])
    count = follow(
        thread.state.own, thread.state.other, move, thread.rules, thread.table, line, proved
    )
    return tuple(map(int, line[:count]))


def seeds_left(state: KalahState) -> int:
    """The number of seeds in the houses."""
    return int(sum_of(state.own)) + int(sum_of(state.other))


def stored(state: KalahState) -> int:
    """The difference of the stores, the mover's minus the opponent's."""
    return seeds_in(state.stores, 0) - seeds_in(state.stores, 1)


register_search(Sowing)


NODES, EVALUATIONS, CUTOFFS, TABLE_HITS, STORED, NODE_LIMIT, STOPPED = range(7)
"""Indices into `Outlook.counters`."""
TURN = 4
"""The depth that a move costs if it ends the turn."""
AGAIN = 2
"""The depth that a move costs if the player moves again."""
REDUCED, FIRST_REDUCED, LEAST_REDUCED = 4, 2, 12
"""By how much late moves are searched less deep, from which move on, and from how much remaining
depth."""
DEEPEST = 400
"""The largest number of plies in a line."""
INFINITY = 1 << 30
OWN, OTHER, WORDS = 0, 1, 2
SIGN, GAIN, MOVE, ORDER, NUMBERS = 0, 1, 2, 3, 4
"""Words and numbers of a child on the stack. SIGN is 1 if the parent's mover moves again, else -1;
GAIN is the seeds that the move gains or, where it ends the game, the whole margin to come."""
EXTRA, TABLE_MOVE = 1 << 20, 1 << 30
NO_MOVE = -1
PICKED = -INFINITY
NEAR = TURN


@native
class Outlook(NativeClass):
    """All arrays that one search writes to, except the table."""

    words: WordArray
    """Words of the children on the stack, at [(ply * houses + child) * WORDS + word]."""
    numbers: IntArray
    """Numbers of the children on the stack, at [(ply * houses + child) * NUMBERS + number]."""
    touched: IntArray
    """By ply: 1 if the last value at this ply depends on an estimate, 0 if it is proved."""
    counters: IntArray
    stop: IntArray
    moves: IntArray
    """The moves of the root, the most promising first."""
    values: IntArray
    """The value of each root move."""
    kinds: IntArray
    """The kind of each root move's value, EXACT, LOWER or UPPER; 0 before the move was searched."""
    proved: IntArray
    """For each root move, 1 if its value depends only on finished games and the database."""


@shared
def key_without_stores(own: np.uint64, other: np.uint64) -> np.uint64:
    """A word that nearly always identifies a position apart from the contents of its stores."""
    return mix(mix(own) ^ other)


@kernel
def look(
    own: np.uint64,
    other: np.uint64,
    seeds: int,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    rules: Kalah,
    board: Margin,
    table: Table,
    data: Outlook,
) -> int:
    """Return the margin to come if it lies between alpha and beta, otherwise a bound on it."""
    counters = data.counters
    # 1. End the line at the limit, the database, the horizon, or bounds that are certain.
    if data.stop[0] != 0 or counters[NODES] >= counters[NODE_LIMIT]:
        counters[STOPPED] = 1
        return 0
    counters[NODES] += 1
    data.touched[ply] = 0
    if seeds <= board.known:
        return SEED * int(board.database[number_of(own, other, board)])
    if SEED * seeds <= alpha:
        return SEED * seeds
    if depth <= 0 or ply + 2 >= len(data.touched):
        counters[EVALUATIONS] += 1
        data.touched[ply] = 1
        return looks_like(own, other, seeds, board, rules)
    _, _, gain_at_hand = turn_at_hand(own, other, board, rules)
    sure = SEED * (2 * gain_at_hand - seeds)
    if sure >= beta:
        return sure
    # 2. Look the position up in the table.
    key = key_without_stores(own, other)
    table_move = NO_MOVE
    entry = find(table, key)
    if entry != EMPTY:
        table_move = move_of(entry)
        if depth_of(entry) >= depth:
            value, bound = value_of(entry, 0), bound_of(entry)
            if (
                bound == EXACT
                or (bound == LOWER and value >= beta)
                or (bound == UPPER and value <= alpha)
            ):
                counters[TABLE_HITS] += 1
                data.touched[ply] = 0 if depth_of(entry) == COMPLETE else 1
                return value
    # 3. List the moves, the most promising first.
    count = put_moves(own, other, seeds, depth, ply, table_move, rules, board, data)
    # 4. Search them: the first with the full window, the others with a null window, late ones less
    #    deep, and again if they surprise.
    words, numbers = data.words, data.numbers
    best, best_move, bound, touched = -INFINITY, NO_MOVE, UPPER, 0
    for i in range(count):
        child = pick(ply * board.houses, count, data)
        at, board_at = child * NUMBERS, child * WORDS
        sign, gain, move, order = (
            numbers[at + SIGN],
            SEED * numbers[at + GAIN],
            numbers[at + MOVE],
            numbers[at + ORDER],
        )
        numbers[at + ORDER] = PICKED
        value = gain
        data.touched[ply + 1] = 0
        if words[board_at + OWN] != ZERO:
            full = depth if count == 1 else depth - AGAIN if sign > 0 else depth - TURN
            late = i >= FIRST_REDUCED and depth >= LEAST_REDUCED and order < EXTRA
            below = full - REDUCED if late else full
            high = beta if i == 0 else alpha + 1
            while True:
                if sign > 0:
                    value = gain + look(
                        words[board_at + OWN],
                        words[board_at + OTHER],
                        seeds - numbers[at + GAIN],
                        below,
                        alpha - gain,
                        high - gain,
                        ply + 1,
                        rules,
                        board,
                        table,
                        data,
                    )
                else:
                    value = gain - look(
                        words[board_at + OWN],
                        words[board_at + OTHER],
                        seeds - numbers[at + GAIN],
                        below,
                        gain - high,
                        gain - alpha,
                        ply + 1,
                        rules,
                        board,
                        table,
                        data,
                    )
                if counters[STOPPED] != 0:
                    return 0
                if value <= alpha or (below == full and (high == beta or value >= beta)):
                    break
                if below < full:
                    below = full
                else:
                    high = beta
        touched |= data.touched[ply + 1]
        if value > best:
            best, best_move = value, move
            if value > alpha:
                alpha, bound = value, EXACT
        if alpha >= beta:
            bound = LOWER
            touched = data.touched[ply + 1]
            counters[CUTOFFS] += 1
            break
    # 5. Remember the result.
    data.touched[ply] = touched
    counters[STORED] += store(
        table, key, best, depth if touched != 0 else COMPLETE, bound, best_move, 0
    )
    return best


@shared
def put_moves(
    own: np.uint64,
    other: np.uint64,
    seeds: int,
    depth: int,
    ply: int,
    table_move: int,
    rules: Kalah,
    board: Margin,
    data: Outlook,
) -> int:
    """Put the children on the stack in the order in which to try them; return their number.

    The order is the table's move, moves that move again from the store backwards, then the others
    by how the board looks after them, or near the horizon by what they gain.
    """
    words, numbers = data.words, data.numbers
    child = ply * board.houses
    for i in range(board.houses):
        house = board.houses - 1 - i
        if seeds_in(own, house) == 0:
            continue
        _, again, gain, after, after_other = sow(own, other, house, rules)
        words[child * WORDS + OWN], words[child * WORDS + OTHER] = after, after_other
        at = child * NUMBERS
        numbers[at + SIGN], numbers[at + GAIN], numbers[at + MOVE] = 1 if again else -1, gain, house
        order = SEED * gain
        if house == table_move:
            order = TABLE_MOVE
        elif again:
            order = EXTRA + house
        elif depth > NEAR and after != ZERO:
            order -= looks_like(after, after_other, seeds - gain, board, rules)
        else:
            order += house
        numbers[at + ORDER] = order
        child += 1
    return child - ply * board.houses


@shared
def pick(first: int, count: int, data: Outlook) -> int:
    """Select the most promising child that has not been selected yet."""
    best = first
    for child in range(first + 1, first + count):
        if data.numbers[child * NUMBERS + ORDER] > data.numbers[best * NUMBERS + ORDER]:
            best = child
    return best


@kernel
def look_from_root(
    own: np.uint64,
    other: np.uint64,
    seeds: int,
    depth: int,
    every_move: bool,
    rules: Kalah,
    board: Margin,
    table: Table,
    data: Outlook,
) -> int:
    """Search the moves of the root in the order of `data.moves` and put the best first; return for
    how many there is a new value.

    With `every_move` each gets a value of its own; otherwise moves that are not better get a bound.
    """
    counters = data.counters
    alpha, ply = (
        -INFINITY,
        signed(ONE),
    )  # Literals would have types of their own; code cached with such a difference crashed.
    for i in range(len(data.moves)):
        house = data.moves[i]
        _, again, gained, after, after_other = sow(own, other, house, rules)
        gain = SEED * gained
        value, kind = gain, EXACT
        data.touched[1] = 0
        if after != ZERO:
            low = -INFINITY if every_move else alpha
            high = INFINITY if i == 0 or every_move else alpha + 1
            below = depth - AGAIN if again else depth - TURN
            while True:
                if again:
                    value = gain + look(
                        after,
                        after_other,
                        seeds - gained,
                        below,
                        low - gain,
                        high - gain,
                        ply,
                        rules,
                        board,
                        table,
                        data,
                    )
                else:
                    value = gain - look(
                        after,
                        after_other,
                        seeds - gained,
                        below,
                        gain - high,
                        gain - low,
                        ply,
                        rules,
                        board,
                        table,
                        data,
                    )
                if counters[STOPPED] != 0:
                    return i
                if value <= low or high == INFINITY:
                    break
                high = INFINITY
            kind = UPPER if value <= low else EXACT
        data.values[house], data.kinds[house], data.proved[house] = value, kind, 1 - data.touched[1]
        if value > alpha:
            alpha = value
            for j in range(i, 0, -1):
                data.moves[j] = data.moves[j - 1]
            data.moves[0] = house
    return len(data.moves)


@kernel
def follow(
    own: np.uint64,
    other: np.uint64,
    first: int,
    rules: Kalah,
    table: Table,
    line: IntArray,
    only_proved: bool,
) -> int:
    """Write a move and its continuation from the table; return the length of the line. With
    `only_proved` the line goes only as far as it is proved to be best play."""
    count, move = 0, first
    while (
        count < len(line) and own != ZERO and 0 <= move < rules.houses and seeds_in(own, move) != 0
    ):
        line[count] = move
        count += 1
        _, _, _, own, other = sow(own, other, move, rules)
        entry = find(table, key_without_stores(own, other))
        move = move_of(entry) if entry != EMPTY else NO_MOVE
        # The move of a bound, or of a search to a limited depth, need not be the best.
        if only_proved and (depth_of(entry) != COMPLETE or bound_of(entry) != EXACT):
            move = NO_MOVE
    return count


def make_outlook(rules: Kalah, state_moves: tuple[int, ...], stop: IntArray, nodes: int) -> Outlook:
    """Allocate the arrays of a search."""
    counters = np.zeros(8, np.int64)
    counters[NODE_LIMIT] = nodes
    children = (DEEPEST + 2) * rules.houses
    return Outlook(
        np.zeros(children * WORDS, np.uint64),
        np.zeros(children * NUMBERS, np.int64),
        np.zeros(DEEPEST + 2, np.int64),
        counters,
        stop,
        np.array(state_moves, np.int64),
        np.zeros(rules.houses, np.int64),
        np.zeros(rules.houses, np.int64),
        np.zeros(rules.houses, np.int64),
    )
