"""A solver for any small game, by its rules alone: full-width search, deeper and deeper, until
nothing rests on a guess.

1. A position is searched with the kernel of `deepening` (principal variation search), every move of
   every node, one ply deeper each time. The game's heuristic orders the moves and stands in for
   what lies beyond the horizon. Those of mnkala may also name a move that must be played at once,
   which their tests prove; a plug-in's that claims such a thing is not asked.
2. The kernel says of each value whether it rests on finished games alone (`Order.touched`). Then it
   is proved, whatever the depth. Where only winning counts, a search of d plies sees every win
   within d plies, so a win or a loss that comes within the depth is proved too (see `Root.proves`);
   any other forced win is a bound: the position is worth at least that.
3. Deepening finds a short win without following the long lines, and leaves in the table the moves
   that make the next depth small. What is proved is kept in the table with a depth beyond all
   depths, so that no later question searches it again.

Values carry the margin and, among equal margins, the number of plies (`search.values`), so exact
answers say how long the game lasts.

Positions are told apart by a hash of 64 bits: of ten million positions, two share a hash with a
chance of about 3 in a million.

Whether a position is within reach is guessed before anything is searched, by Knuth's (1975)
estimate of the size of a tree: a random line of play with b1, b2, b3, ... moves to choose from
stands for b1 + b1 b2 + b1 b2 b3 + ... positions. With alpha-beta and a table a search visits about
the square root of that or less.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import random
import time
from collections.abc import Iterator

import numpy as np

from mnkala.core import GOING_ON, Position, Rules
from mnkala.core.score import Score
from mnkala.native.objects import is_foreign
from mnkala.search.buffers import NODES, STOPPED, STORED, make_buffers
from mnkala.search.candidates import ALL, Candidates
from mnkala.search.deepening import Deepening
from mnkala.search.heuristic import Heuristic
from mnkala.search.limit import DEEPEST, Stop
from mnkala.search.pvs import make_order, search_window
from mnkala.search.root import begin
from mnkala.search.table import LARGEST_BITS, SMALLEST_BITS, make_table
from mnkala.search.values import (
    BY_DISTANCE,
    INFINITY,
    PER_MARGIN,
    end_value,
    is_proved,
    margin_and_plies,
)
from mnkala.solve.solver import TABLE_MB, Cost, Solver, Step, register_solver

QUICK, MOST, HUGE = 9, 18, 50
"""Numbers of lines of play, as powers of ten: up to QUICK a question is answered at once, up to
MOST it is worth trying, and beyond HUGE only the very end of a game is within reach."""
NODES_PER_SECOND = 1e7
WALKS = 12
"""The number of random lines of play for an estimate."""
ENTRY_BYTES = 16


@register_solver
class FullSearch(Solver):
    """Solves any game that has few enough lines of play to be searched to the end."""

    name = "full-search"
    any_game = True
    counts_plies = True
    reach = "positions so close to the end of the game that every line of play can be searched"
    reach_key = "exact.reach"

    @classmethod
    def why_not(cls, rules: Rules) -> str | None:
        size = _size(rules)
        return (
            None
            if size <= HUGE
            else "no solver is made for it, and it has far too many lines of play to search them all"
        )

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        search_for(rules).prepare(rules)

    @classmethod
    def kernel_key(cls, rules: Rules) -> str:
        return search_for(rules).kernel_key(rules)

    def __init__(self, rules: Rules, *, threads: int = 1, table_mb: int = TABLE_MB) -> None:
        super().__init__(rules, threads=threads, table_mb=table_mb)
        self.heuristic = search_for(rules).heuristic_for(rules)
        # Entries are scattered over the table, so that a few thousand take nearly all of its pages:
        # a game has no larger one than its positions can fill.
        most = math.ceil(min(_size(rules), HUGE) * math.log2(10))
        bits = (max(1, table_mb) * 2**20 // ENTRY_BYTES).bit_length() - 1
        self._table = make_table(min(LARGEST_BITS, bits, max(SMALLEST_BITS, most)))
        self._held = 0

    # ---- Questions ----

    def steps(
        self,
        position: Position,
        *,
        within: tuple[int, int] | None = None,
        weak: bool = False,
        stop: Stop | None = None,
        nodes: int | None = None,
    ) -> Iterator[Step]:
        """Yield a step for every depth; the arguments are those of `Solver.steps`."""
        self.check(position)
        rules, state, started = self.rules, position.state(), time.perf_counter()
        deepest = min(rules.longest_game(), DEEPEST)
        buffers = make_buffers(rules, deepest, stop or Stop(), nodes)
        order = make_order(rules, buffers)
        memory = (
            begin(rules, self.heuristic, state)
            if self.heuristic.in_place
            else self.heuristic.begin(rules, state)
        )
        span = self.span(position)
        known = Score(*span, position.mover)
        asked = span if within is None else within
        alpha, beta = (-1, 1) if weak else self._window(position, asked)
        for depth in range(1, deepest + 1):
            # 1. Search one ply deeper. A value that was stopped on the way means nothing.
            value = int(
                search_window(
                    rules,
                    self.heuristic,
                    state,
                    memory,
                    depth,
                    alpha,
                    beta,
                    0,
                    BY_DISTANCE,
                    Candidates(ALL, 0),
                    buffers,
                    self._table,
                    order,
                )
            )
            stopped = bool(buffers.counters[STOPPED])
            # 2. Yield what the value proves.
            if not stopped:
                known = known.narrowed(
                    self._proved(position, value, depth, alpha, beta, complete=not order.touched[0])
                )
            # 3. Tell it; go on unless the question is answered.
            answered = (
                known.plies is not None
                or (known.answers(asked) and asked != span)
                or (weak and known.result != "unknown")
            )
            done = stopped or answered or not order.touched[0]
            spent, self._held = (
                int(buffers.counters[NODES]),
                self._held + int(buffers.counters[STORED]),
            )
            buffers.counters[STORED] = 0
            yield Step(known, spent, time.perf_counter() - started)
            if done:
                break

    def _proved(
        self, position: Position, value: int, depth: int, alpha: int, beta: int, *, complete: bool
    ) -> Score:
        """What a value within a window proves: bounds of the score and, if it is exact, the length
        of the game."""
        rules, state = position.rules, position.state()
        low, high = self.span(position)
        margin, plies = margin_and_plies(value) if is_proved(value) else (0, 0)
        seen = not rules.graded and margin != 0 and plies <= depth
        score = int(rules.exact_score(state, margin, plies)) if margin else 0
        if (complete or seen) and alpha < value < beta:
            return Score.exactly(score, position.mover, plies if margin else None)
        # A value at the lower end of the window or below says nothing of how little the position is
        # worth, one at the upper end or above nothing of how much. A forced win is a bound also
        # while other lines are open.
        at_least = score if value > alpha and (complete or margin > 0) else low
        at_most = score if value < beta and (complete or margin < 0) else high
        return Score(at_least, at_most, position.mover)

    def _window(self, position: Position, within: tuple[int, int]) -> tuple[int, int]:
        """The values between which the scores of interest lie: the largest value of the lower
        score, the smallest of the upper.

        Where the score depends on the plies, as in Connect, all values are of interest.
        """
        rules, state = position.rules, position.state()
        if rules.exact_score(state, 1, 1) != rules.exact_score(state, 1, DEEPEST):
            return -INFINITY, INFINITY
        low, high = self.span(position)
        alpha = (
            -INFINITY
            if within[0] <= low
            else _value(within[0], 0 if within[0] > 0 else PER_MARGIN - 1)
        )
        beta = (
            INFINITY
            if within[1] >= high
            else _value(within[1], PER_MARGIN - 1 if within[1] > 0 else 0)
        )
        return alpha, beta

    # ---- Reach ----

    def span(self, position: Position) -> tuple[int, int]:
        rules, state = self.rules, position.state()
        margin = rules.largest_margin(state)
        return int(rules.exact_score(state, -margin, 1)), int(rules.exact_score(state, margin, 1))

    def cost(
        self,
        position: Position,
        *,
        score: int | None = None,
        seconds: float | None = None,
        warm: bool = False,
    ) -> Cost:
        """The cost by Knuth's estimate; a search of n nodes settles about n squared lines of
        play."""
        size = _reach(position)
        if size <= QUICK:
            return Cost.AT_ONCE
        most = MOST if seconds is None else min(MOST, 2 * math.log10(NODES_PER_SECOND * seconds))
        return Cost.WORTH_TRYING if size <= most else Cost.HOPELESS

    def clear(self) -> None:
        self._table.keys.fill(0)
        self._table.data.fill(0)
        self._held = 0

    def held(self) -> int:
        return self._held


def search_for(rules: Rules) -> Deepening:
    """The search whose kernel solves a game."""
    usual = Deepening(candidates="all")
    cls = type(usual.heuristic_for(rules))
    claims = cls.urgent is not Heuristic.urgent or cls.rank is not Heuristic.rank
    return (
        dataclasses.replace(usual, heuristic="nothing")
        if is_foreign(cls.__module__) and claims
        else usual
    )


def _value(margin: int, plies: int) -> int:
    return int(end_value(margin, plies, BY_DISTANCE))


@functools.lru_cache(maxsize=1024)
def _reach(position: Position) -> float:
    return lines_of_play(position, MOST)


@functools.lru_cache(maxsize=256)
def _size(rules: Rules) -> float:
    """The number of lines of play of a whole game, as a power of ten."""
    return lines_of_play(Position(rules), HUGE)


def lines_of_play(position: Position, most: float) -> float:
    """Knuth's estimate of the number of positions below one, with repetitions, as a power of
    ten; not exact beyond `most`, and infinite if a game lasts longer than any search looks
    ahead."""
    rules, chance, total = position.rules, random.Random(0), 0.0
    buffer = np.zeros(rules.most_moves(), dtype=np.int64)
    for _ in range(WALKS):
        state, product, plies = rules.copy(position.state()), 1.0, 0
        while rules.result(state) == GOING_ON and total <= WALKS * 10.0**most:
            plies += 1
            if plies > DEEPEST:
                return math.inf
            count = int(rules.moves(state, buffer))
            product *= count
            total += product
            state = rules.play(state, int(buffer[chance.randrange(count)]))
    return math.log10(max(1.0, total / WALKS))
