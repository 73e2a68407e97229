"""Exact end games: the difference of discs that best play by both sides leads to.

Negamax with a window of no width, asked again and again until the bounds meet (MTD(f): Plaat 1996).
Moves are tried *fastest first*, those that leave the opponent the fewest replies before all others,
which does more than anything else to keep the tree of an end game small (Rose's end-game solver).
Positions go into a table with both bounds and both bitboards, so that none is ever taken for
another.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator

import numpy as np

from mnkala import Position, Rules, lowest_bit, popcount, shared
from mnkala.native import kernel
from mnkala.native.kernels import loading
from mnkala.native.objects import IntArray, WordArray, source_digest
from mnkala.search import Stop
from mnkala.solve import Cost, Solver, Step, register_solver
from mnkala.solve.solver import TABLE_MB
from mnkala.solve.table import signed
from reversi.discs import ONE, ZERO, moves_for, turned_by
from reversi.rules import MOST_CELLS, Reversi

QUICK_CELLS, MOST_FREE = 13, 24
"""Free cells up to which a question takes a tenth of a second, and beyond which nobody would wait."""
CELLS_A_SECOND = 17
"""So many free cells take about a second, and each further one about twice as long."""
REMEMBERED = 5
"""With fewer free cells a position is quicker searched than looked up."""
CORNER = -16
"""Taking a corner counts like so many replies fewer."""

NODES, NODE_LIMIT, HALTED, HELD = range(4)
"""Places of a solver's counters."""
NO_LIMIT = 1 << 62
OWN, OTHER, BOUNDS, WIDTH = range(4)
"""An entry of the table: two bitboards and the bounds of the score, in a byte each. `WIDTH` words
in all.
"""
OFFSET = MOST_CELLS
"""Added to a bound so that it is never negative."""
TURNED, OPEN, CELL, CHILD = range(4)
"""A move on the stack: the discs that it turns over and the replies that it leaves; its own cell.
`CHILD` words in all.
"""


@shared
def place_of(own: np.uint64, other: np.uint64, size: int) -> int:
    """Where the entry of a position lies in a table of `size` entries, a power of two."""
    scattered = (own * np.uint64(0x9E3779B97F4A7C15)) ^ (other * np.uint64(0xC2B2AE3D27D4EB4F))
    return signed((scattered >> np.uint64(32)) & np.uint64(size - 1)) * WIDTH


@kernel
def search(
    own: np.uint64,
    other: np.uint64,
    opened: np.uint64,
    above: int,
    ply: int,
    rules: Reversi,
    table: WordArray,
    stack: WordArray,
    ranks: IntArray,
    counters: IntArray,
    stop: IntArray,
) -> int:
    """A bound of the mover's score: a lower one if it is more than `above`, else an upper one.
    `opened` are the cells to play in.
    """
    if stop[0] != 0 or counters[NODES] >= counters[NODE_LIMIT]:
        counters[HALTED] = 1
        return 0
    counters[NODES] += 1
    # 1. A pass, or the end of the game.
    if opened == ZERO:
        opened = moves_for(other, own, rules)
        if opened == ZERO:
            return popcount(own) - popcount(other)
        return -search(
            other, own, opened, -above - 1, ply, rules, table, stack, ranks, counters, stop
        )
    # 2. What the table knows.
    free = popcount(rules.full & ~(own | other))
    lower, upper, at = -OFFSET, OFFSET, 0
    if free >= REMEMBERED:
        at = place_of(own, other, len(table) // WIDTH)
        if table[at + OWN] == own and table[at + OTHER] == other:
            bounds = signed(table[at + BOUNDS])
            lower, upper = (bounds >> 8) - OFFSET, (bounds & 255) - OFFSET
            if lower > above:
                return lower
            if upper <= above:
                return upper
    # 3. Put the moves on the stack, those that leave the fewest replies first.
    first = ply * MOST_CELLS
    count = 0
    while opened != ZERO:
        cell = lowest_bit(opened)
        opened &= opened - ONE
        disc = ONE << np.uint64(cell)
        turned = turned_by(disc, own, other, rules)
        replies = moves_for(other & ~turned, own | disc | turned, rules)
        rank = popcount(replies) + (CORNER if disc & rules.corners != ZERO else 0)
        i = first + count
        while i > first and ranks[i - 1] > rank:
            ranks[i] = ranks[i - 1]
            for field in range(CHILD):
                stack[i * CHILD + field] = stack[(i - 1) * CHILD + field]
            i -= 1
        ranks[i] = rank
        stack[i * CHILD + TURNED], stack[i * CHILD + OPEN], stack[i * CHILD + CELL] = (
            turned,
            replies,
            disc,
        )
        count += 1
    # 4. Search until one is above.
    best = -OFFSET
    for i in range(first, first + count):
        turned = stack[i * CHILD + TURNED]
        value = -search(
            other & ~turned,
            own | turned | stack[i * CHILD + CELL],
            stack[i * CHILD + OPEN],
            -above - 1,
            ply + 1,
            rules,
            table,
            stack,
            ranks,
            counters,
            stop,
        )
        if counters[HALTED] != 0:
            return 0
        best = max(best, value)
        if best > above:
            break
    # 5. Remember it, in the place of whatever stood there.
    if free >= REMEMBERED:
        if best > above:
            lower = max(lower, best)
        else:
            upper = min(upper, best)
        counters[HELD] += 1 if table[at + OWN] | table[at + OTHER] == ZERO else 0
        table[at + OWN], table[at + OTHER] = own, other
        table[at + BOUNDS] = np.uint64(((lower + OFFSET) << 8) | (upper + OFFSET))
    return best


@functools.cache
@loading()
def prepare() -> None:
    """Compile (or load) the search, which serves boards of every size, by solving the smallest one."""
    rules = Reversi(4, 4)
    ReversiSolver(rules, table_mb=1).solve(Position(rules))


@register_solver
class ReversiSolver(Solver):
    """Reversi near its end."""

    name = "reversi"
    reach = f"positions with at most {MOST_FREE} free cells"

    @classmethod
    def why_not(cls, rules: Rules) -> str | None:
        return None if isinstance(rules, Reversi) else "the solver of Reversi solves Reversi only"

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        prepare()

    @classmethod
    def kernel_key(cls, rules: Rules) -> str:
        return f"reversi {source_digest(__name__)}"

    def __init__(self, rules: Rules, *, threads: int = 1, table_mb: int = TABLE_MB) -> None:
        super().__init__(rules, threads=threads, table_mb=table_mb)
        entries = 1 << (max(1, table_mb) * 2**20 // (8 * WIDTH)).bit_length() - 1
        self._table = np.zeros(entries * WIDTH, dtype=np.uint64)
        self._stack = np.zeros(MOST_CELLS * MOST_CELLS * CHILD, dtype=np.uint64)
        self._ranks = np.zeros(MOST_CELLS * MOST_CELLS, dtype=np.int64)
        self._counters = np.zeros(HELD + 1, dtype=np.int64)

    def steps(
        self,
        position: Position,
        *,
        within: tuple[int, int] | None = None,
        weak: bool = False,
        stop: Stop | None = None,
        nodes: int | None = None,
    ) -> Iterator[Step]:
        """A step for every question: first who wins, then what the last answer suggests."""
        self.check(position)
        started, rules, state, stop = (
            time.perf_counter(),
            self.rules,
            position.state(),
            stop or Stop(),
        )
        assert isinstance(rules, Reversi)
        self._counters[NODES], self._counters[NODE_LIMIT], self._counters[HALTED] = (
            0,
            nodes or NO_LIMIT,
            0,
        )
        stop.watch(self._counters)
        lower, upper = self.span(position)
        low, high = within or (-1, 1) if weak else within or (lower, upper)
        above = max(low, min(0, high - 1))
        while True:
            value = int(
                search(
                    state.own,
                    state.other,
                    state.open,
                    above,
                    0,
                    rules,
                    self._table,
                    self._stack,
                    self._ranks,
                    self._counters,
                    stop.flag,
                )
            )
            halted = bool(self._counters[HALTED])
            if not halted and value > above:
                lower = max(lower, value)
            elif not halted:
                upper = min(upper, value)
            spent = int(self._counters[NODES])
            yield self.step(
                position, lower, upper, nodes=spent, seconds=time.perf_counter() - started
            )
            if halted or lower >= min(upper, high) or upper <= max(lower, low):
                break
            above = min(
                max(lower, low, value if value > above else value - 1), min(upper, high) - 1
            )

    def span(self, position: Position) -> tuple[int, int]:
        cells = self.rules.rows * self.rules.cols  # type: ignore[attr-defined]
        return -cells, cells

    def cost(
        self,
        position: Position,
        *,
        score: int | None = None,
        seconds: float | None = None,
        warm: bool = False,
    ) -> Cost:
        """By the number of free cells."""
        cells = self.free_cells(position)
        if cells <= QUICK_CELLS:
            return Cost.AT_ONCE
        most = (
            MOST_FREE
            if seconds is None
            else min(MOST_FREE, int(CELLS_A_SECOND + np.log2(seconds + 0.001)))
        )
        return Cost.WORTH_TRYING if cells <= most else Cost.HOPELESS

    def free_cells(self, position: Position) -> int:
        """Cells without a disc."""
        state, rules = position.state(), position.rules
        return popcount(rules.full & ~(state.own | state.other))  # type: ignore[attr-defined]

    def order(self, position: Position) -> list[int]:
        """Those that leave the fewest replies first."""
        return sorted(
            position.legal_codes, key=lambda move: -position.rules.prior(position.state(), move)
        )

    def clear(self) -> None:
        self._table[:] = ZERO
        self._counters[HELD] = 0

    def held(self) -> int:
        return int(self._counters[HELD])
