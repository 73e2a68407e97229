"""The engine `sowing`: the strong player of Kalah, which runs its own search (`search.py`) depth
after depth and reports each.

A depth is a number of turns, each of which may be several moves. The value is the margin to come,
by the heuristic `margin` alone.
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
from mnkala.families.kalah.engine.search import (
    CUTOFFS,
    EVALUATIONS,
    NODES,
    STOPPED,
    STORED,
    TABLE_HITS,
    TURN,
    follow,
    look_from_root,
    make_outlook,
)
from mnkala.families.kalah.rules import Kalah, KalahState, seeds_in, sum_of
from mnkala.families.kalah.solver.heuristic import SEED, Margin, margin_heuristic
from mnkala.search.analysis import Analysis, RootMove
from mnkala.search.deepening import Deepening
from mnkala.search.engine import Search, register_search
from mnkala.search.limit import Limit, Stop
from mnkala.search.root import Task
from mnkala.search.runner import Helpers
from mnkala.search.table import EXACT, KEPT_BITS, Table, check_bits, lent_table, make_table, table_bits
from mnkala.solve.threads import NO_LIMIT

MOST_SEEDS = 127
"""The most seeds on a board. With more, a house could hold more than the sets of houses can
represent."""
MARGIN = "margin"
"""The name of the only heuristic."""
MOST_THREADS = 2
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
    """Kalah's own search, turn by turn over the margin to come, with a table and endgame databases: the strong player of Kalah."""

    name = "sowing"
    plays_out_best = True
    threads: int = 1
    """The number of threads, 1 or 2, which share one table."""
    table_bits: int = KEPT_BITS
    """The size of the table: 2^table_bits positions of 16 bytes."""

    DEFAULT_NODES = 3_000_000

    def __post_init__(self) -> None:
        check_bits(self.table_bits)
        if not 1 <= self.threads <= MOST_THREADS:
            raise BadEngine(f"{self.threads} threads; sowing runs on 1 to {MOST_THREADS}")

    @property
    def _crowded(self) -> Deepening:
        """The search for boards with more seeds than this one can handle, until enough are in the
        stores."""
        return Deepening(MARGIN, threads=self.threads, table_bits=self.table_bits)

    def check(self, rules: Rules) -> None:
        if not isinstance(rules, Kalah):
            raise BadEngine(f"sowing plays Kalah, and {rules.game_string()} is none; auto plays every game")

    def parts(self, rules: Rules) -> tuple[object, ...]:
        return self, rules, margin_heuristic(rules)

    def kernel_key(self, rules: Rules) -> str:
        return " ".join((self.name, rules.native_identity(), Margin.native_identity()))

    def _compile(self, rules: Rules) -> None:
        self.check(rules)
        assert isinstance(rules, Kalah)
        self._crowded.prepare(rules)
        few = dataclasses.replace(rules, seeds=1)  # A crowded board would compile nothing of the search itself.
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

    def __init__(self, task: Task, heuristic: Margin, table: Table, stop: Stop, nodes: int | None) -> None:
        assert isinstance(task.rules, Kalah)
        self.rules, self.heuristic, self.table = task.rules, heuristic, table
        self.state: KalahState = task.position.state()
        self.every_move = task.all_moves
        self.data = make_outlook(self.rules, task.position.legal_codes[::-1], stop.flag, NO_LIMIT if nodes is None else nodes)
        stop.watch(self.data.counters[NODES:])

    def search(self, depth: int) -> int:
        """Search so many turns ahead; return for how many moves there is a new value."""
        return int(look_from_root(self.state.own, self.state.other, seeds_left(self.state), TURN * depth, self.every_move, self.rules,
                                  self.heuristic, self.table, self.data))

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
        return all(data.proved[move] and data.values[move] <= data.values[data.moves[0]] for move in data.moves)


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
    return dataclasses.replace(answer, nodes=sum(int(each.data.counters[NODES]) for each in (leader, *others)))


def _analysis(task: Task, leader: _Thread, others: list[_Thread], depth: int) -> Analysis:
    """Make an analysis of the results so far."""
    data, position = leader.data, task.position
    counters = sum((each.data.counters for each in others), data.counters.copy())
    best = int(data.moves[0])
    moves = tuple(RootMove(move, _score(leader, position, move, bool(data.proved[move])), _line(leader, move))
                  for move in position.legal_codes if data.kinds[move])
    score = _score(leader, position, best, leader.proved) if data.kinds[best] else None
    return Analysis(position, task.engine, score, moves, _line(leader, best), depth=depth, nodes=int(counters[NODES]),
                    evaluations=int(counters[EVALUATIONS]), cutoffs=int(counters[CUTOFFS]), held=depth + 1 + int(counters[STORED]),
                    table_hits=int(counters[TABLE_HITS]), seconds=time.perf_counter() - task.started)


def _score(thread: _Thread, position: Position, move: int, proved: bool) -> Score:
    """The score of a move: the final margin if it is proved, otherwise hundredths of a seed."""
    value, exact = int(thread.data.values[move]) + SEED * stored(thread.state), thread.data.kinds[move] == EXACT
    if not proved:
        return Score.opinion(value, position.mover, None if exact else "most")
    return (Score.exactly if exact else Score.at_most)(value // SEED, position.mover)


def _line(thread: _Thread, move: int) -> tuple[int, ...]:
    """A move and its continuation from the table; where its value is proved, best play only."""
    line, proved = np.zeros(LONGEST_LINE, np.int64), bool(thread.data.proved[move])
    count = follow(thread.state.own, thread.state.other, move, thread.rules, thread.table, line,
                   proved)
    return tuple(map(int, line[:count]))


def seeds_left(state: KalahState) -> int:
    """The number of seeds in the houses."""
    return int(sum_of(state.own)) + int(sum_of(state.other))


def stored(state: KalahState) -> int:
    """The difference of the stores, the mover's minus the opponent's."""
    return seeds_in(state.stores, 0) - seeds_in(state.stores, 1)


register_search(Sowing)
