"""Report 001's player: alpha-beta over the q best moves, with a budget of nodes that is learnt and
shared out unequally.

A calibration first learns how many nodes this machine visits in a second, on the position itself. The
nodes that fit the time are then shared out over up to 3q root moves, most to the ones that the
heuristic likes best; what a move leaves unused passes to the next. Where a move's share is used up,
its positions are valued by the heuristic as they stand. What all of them leave unused is spent on
passes that go deeper (`budget_plan.py`), and so is the time that the calibration did not foresee.

The report chose q and the depth by hand and left learning them as future work, as it did threads.
Games have since taught them: q is well chosen on most boards (`BRANCHING_OF_CELLS`), but the depth
should be the one that the nodes can fill, which report 002's formula gives: log_q of the nodes of a
root move, divided by a factor F. With `threads=2` two threads take root moves in turn.

What the report measured against and dropped are options: `select=sort`, `quickselect` and `none`
instead of the heap, and `clock=node`, which searches until the time is up, so that few root moves
get searched.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import threading
import time
from collections.abc import Callable
from typing import Any, ClassVar

from mnkala.core import GOING_ON, Rules
from mnkala.errors import BadEngine
from mnkala.native import kernel
from mnkala.search.analysis import Analysis
from mnkala.search.budget_plan import (
    NONE,
    SELECTIONS,
    UNLIMITED,
    BudgetPlan,
    RootMoveTask,
    select_best,
)
from mnkala.search.buffers import (
    CUTOFFS,
    NODE_LIMIT,
    NODES,
    STOPPED,
    Buffers,
    evaluate,
    extend_line,
    make_buffers,
)
from mnkala.search.candidates import ALL, BEST, EVERY_MOVE, Candidates, list_moves
from mnkala.search.engine import HeuristicSearch, register_search
from mnkala.search.heuristic import Heuristic, fits, heuristic_for
from mnkala.search.limit import Limit, Stop
from mnkala.search.root import Root, RootNode, Task
from mnkala.search.runner import Helpers
from mnkala.search.values import BY_DISTANCE, INFINITY, EndValues, end_value

BRANCHING = ((25, 7), (64, 6), (169, 5), (400, 4))
"""The hand-chosen q by the number of moves of the largest position: 7 on small boards, 3 beyond
the last."""
BRANCHING_OF_CELLS = ((16, 7), (25, 5), (64, 6), (400, 4))
"""The learnt q where every cell is a move: up to 25 cells and from 65 to 169 it was learnt by
`mnkala tune settings GAME --engine budget:q=HAND,nodes=3000 --vary q:2..14 --pairs 128 --rate
0.1 --openings random` and accepted by `mnkala sprt` (docs/engine-log.md)."""
FEWEST = 3
ROOT_MOVES = 3
"""At the root this many times q moves are considered, and the nodes are shared out over them."""
FILL, FILL_OF_ALL = 0.55, 0.45
"""The factor F, learnt by the study `ordering`: where only some moves are considered, and where
q is enough for all of them."""
FILL_RANGE = (0.1, 2.0)
SHALLOWEST, DEEPEST_FILLED = 2, 64
USUAL_DEPTH = 10
"""The depth where no number of nodes is known: while calibrating, and with a look at the clock
in every node."""
CALIBRATION_SHARE, LONGEST_CALIBRATION = 0.05, 0.04
"""The share of the time that is spent on measuring the speed, and its upper limit in seconds,
because the measurement cannot be stopped."""
SAFETY = 0.85
"""The share of the remaining time that is used, because speeds vary from position to position."""
SURE_SECONDS = 0.02
"""A search longer than this measures the speed better than a calibration does."""
HASTY = 0.5
"""A shorter search that used up its nodes in less than this share of its time shows that the
speed was underestimated."""


@kernel
def spend(
    rules: Any,
    heuristic: Any,
    state: Any,
    memory: Any,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    ends: EndValues,
    branching: int,
    selection: int,
    candidates: Candidates,
    buffers: Buffers,
) -> int:
    """Alpha-beta over the `branching` best moves; at the depth limit or at the end of the
    budget, the heuristic's value counts."""
    buffers.line_end[ply] = ply
    if buffers.stop[0] != 0:
        buffers.counters[STOPPED] = 1
        return 0
    buffers.counters[NODES] += 1
    result = rules.result(state)
    if result != GOING_ON:
        return end_value(result, ply, ends)
    if depth == 0 or buffers.counters[NODES] >= buffers.counters[NODE_LIMIT]:
        return evaluate(rules, heuristic, state, memory, buffers)

    best = -INFINITY
    mover = rules.mover(state)
    moves, scores = buffers.moves[ply], buffers.scores[ply]
    count = list_moves(rules, heuristic, state, memory, candidates, buffers, ply)
    if selection != NONE:
        for i in range(count):
            scores[i] = heuristic.score_move(rules, state, moves[i], memory)
        count = select_best(moves, scores, count, branching, selection)
    for i in range(count):
        move = moves[i]
        child = rules.play(state, move)
        child_memory = heuristic.played(rules, child, move, memory)
        if rules.mover(child) == mover:
            value = spend(
                rules,
                heuristic,
                child,
                child_memory,
                depth - 1,
                alpha,
                beta,
                ply + 1,
                ends,
                branching,
                selection,
                candidates,
                buffers,
            )
        else:
            value = -spend(
                rules,
                heuristic,
                child,
                child_memory,
                depth - 1,
                -beta,
                -alpha,
                ply + 1,
                ends,
                branching,
                selection,
                candidates,
                buffers,
            )
        heuristic.undone(rules, child, move, child_memory)
        rules.undo(child, move)
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                extend_line(buffers, ply, move)
        if alpha >= beta:
            buffers.counters[CUTOFFS] += 1
            break
    return best


def usual_fill(branching: int, most_moves: int) -> float:
    """The learnt F, by the number of moves searched and the number of all moves."""
    return FILL_OF_ALL if branching >= most_moves else FILL


@dataclasses.dataclass(frozen=True)
class Budget(HeuristicSearch):
    """Report 001's player: the q best moves by a heap, and a node budget shared out unequally over
    the root moves.
    """

    name = "budget"
    q: int = 0
    """The number of moves considered in each position; 0 for the learnt number, from 7 on small
    boards to 3 on large ones."""
    select: str = "heap"
    """How the q moves are chosen: heap, sort, quickselect, or none for all moves in their order."""
    fill: float = 0.0
    """The factor F of the formula that computes the depth from the nodes, if no depth is given;
    the smaller, the deeper. 0 takes the learnt one, and spends what that depth leaves unused on
    deeper passes."""
    clock: str = "budget"
    """How time is kept. budget: nodes are learnt and shared out. node: every node looks at the
    clock, and root moves take turns."""
    threads: int = 1
    """1 or 2 threads, which take root moves in turn."""
    speeds: dict[Any, float] = dataclasses.field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    DEFAULT_NODES: ClassVar[int] = 200_000

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.select not in SELECTIONS:
            raise BadEngine(f"select={self.select}; moves are selected by {', '.join(SELECTIONS)}")
        if self.clock not in ("budget", "node"):
            raise BadEngine(f"clock={self.clock}; it is budget or node")
        if self.fill != 0 and not FILL_RANGE[0] <= self.fill <= FILL_RANGE[1]:
            raise BadEngine(
                f"fill={self.fill}; it is 0 (automatic) or lies between {FILL_RANGE[0]} and {FILL_RANGE[1]}"
            )
        if self.q < 0:
            raise BadEngine(f"q={self.q}; it is 0 (automatic) or the number of moves to look at")

    def heuristic_for(self, rules: Rules) -> Heuristic:
        if self.heuristic == "auto" and fits("criticality", rules):
            return heuristic_for("criticality", rules)
        return super().heuristic_for(rules)

    def branching(self, rules: Rules) -> int:
        """The number of moves considered in a game."""
        moves = rules.most_moves()
        of_cells = moves == getattr(rules, "rows", 0) * getattr(rules, "cols", 0)
        return min(self.q, moves) or next(
            (q for most, q in (BRANCHING_OF_CELLS if of_cells else BRANCHING) if moves <= most),
            FEWEST,
        )

    def depth_for(self, rules: Rules, nodes: int) -> int:
        """The depth that a number of nodes can fill when it is shared out over the root moves."""
        if nodes >= UNLIMITED:
            return USUAL_DEPTH
        most = rules.most_moves()
        branching = most if self.select == "none" else min(self.branching(rules), most)
        a_move = nodes / min(ROOT_MOVES * self.branching(rules), most)
        fill = self.fill or usual_fill(self.branching(rules), most)
        depth = round(math.log(max(1.0, a_move), max(2, branching)) / fill)
        return min(DEEPEST_FILLED, max(SHALLOWEST, depth))

    def at_root(self, rules: Rules) -> Candidates:
        """The candidates at the root: by default three times as many as inside, so that many
        moves get a share."""
        chosen = self.candidates_for(rules)
        if self.candidates == "auto":
            chosen = Candidates(BEST, ROOT_MOVES * self.branching(rules))
        elif chosen.kind == ALL:
            # All moves here, but below only the q best, or as many as the nodes allow: the same
            # moves under a name that proves nothing.
            chosen = Candidates(BEST, rules.most_moves())
        return chosen

    def inside(self, rules: Rules) -> Candidates:
        """The moves from which the q best are chosen."""
        return EVERY_MOVE if self.candidates == "auto" else self.candidates_for(rules)

    def run(self, task: Task) -> Analysis:
        first, nodes = self._budget(task)
        depth, deepest = self._depths(task, first)
        searchers = [BudgetSearcher(self, task, deepest) for _ in range(self.threads)]
        plan = BudgetPlan(
            [node.move for node in searchers[0].root.nodes],
            depth,
            deepest,
            first,
            nodes,
            threads=self.threads,
            shared_out=self.clock != "node",
        )
        helpers = Helpers(functools.partial(searcher.work, plan) for searcher in searchers[1:])
        try:
            searchers[0].work(plan, lambda: task.report(self._answer(plan, searchers)))
        finally:
            helpers.join()
        answer = self._answer(plan, searchers)
        task.report(answer)
        self._learn_speed(task, first, searchers)
        return answer

    def _learn_speed(self, task: Task, first: int, searchers: list[BudgetSearcher]) -> None:
        """Keep the speed of a search, or forget one that a stalled machine has taught, so that the
        next search calibrates anew.
        """
        key, seconds = self._speed_key(task), sum(searcher.seconds for searcher in searchers)
        nodes = sum(int(searcher.buffers.counters[NODES]) for searcher in searchers)
        if task.limit.time is None:
            return
        if seconds > SURE_SECONDS:
            self.speeds[key] = nodes / seconds
        elif nodes >= first and seconds < HASTY * task.limit.time * self.threads:
            self.speeds.pop(key, None)

    def _answer(self, plan: BudgetPlan, searchers: list[BudgetSearcher]) -> Analysis:
        """The best of what the threads know so far."""
        root, found, chosen = searchers[0].root, plan.nodes(), plan.best()
        root.nodes = [found.get(node.move, node) for node in root.nodes]
        others = tuple(searcher.buffers for searcher in searchers[1:])
        return root.analysis(
            chosen.best or root.nodes[0], chosen.depth, held=chosen.depth + 1, others=others
        )

    def _depths(self, task: Task, first: int) -> tuple[int, int]:
        """The depths of the first pass and of the last one."""
        longest = task.rules.longest_game()
        depth = min(task.limit.depth or self.depth_for(task.rules, first), longest)
        one_pass = task.limit.depth is not None or self.fill != 0 or first >= UNLIMITED
        return depth, depth if one_pass else max(depth, min(longest, DEEPEST_FILLED))

    def _speed_key(self, task: Task) -> tuple[str, str, str]:
        return task.rules.game_string(), self.heuristic, self.select

    def _budget(self, task: Task) -> tuple[int, int]:
        """The number of nodes for the first pass, and for all: as given, or what this machine
        can visit in the time. The clock itself ends what follows the first pass."""
        limit = task.limit
        asked = UNLIMITED if limit.nodes is None else limit.nodes
        if limit == Limit():
            asked = self.DEFAULT_NODES
        if limit.time is None or self.clock == "node":
            return asked, asked
        key = self._speed_key(task)
        if key not in self.speeds:
            depth = min(limit.depth or USUAL_DEPTH, task.rules.longest_game())
            self.speeds[key] = self._calibrate(
                task, depth, min(LONGEST_CALIBRATION, CALIBRATION_SHARE * limit.time)
            )
        remaining = limit.time - (time.perf_counter() - task.started)
        nodes = int(self.speeds[key] * self.threads * SAFETY * max(0.0, remaining))
        return max(1, min(nodes, asked)), asked

    def _calibrate(self, task: Task, depth: int, seconds: float) -> float:
        """Measure the nodes per second by simulating the decision for a moment."""
        stop = Stop()
        searcher = BudgetSearcher(self, dataclasses.replace(task, stop=stop), depth)
        timer = threading.Timer(seconds, stop.set)
        timer.start()
        searcher.work(
            BudgetPlan(
                [node.move for node in searcher.root.nodes], depth, depth, UNLIMITED, UNLIMITED
            )
        )
        timer.cancel()
        return float(searcher.buffers.counters[NODES]) / max(searcher.seconds, 1e-6)


class BudgetSearcher:
    """One thread's search: its own buffers, board and heuristic memory."""

    def __init__(self, search: Budget, task: Task, deepest: int) -> None:
        self.search = search
        self.buffers: Buffers = make_buffers(task.rules, deepest, task.stop)
        self.root = Root(
            task, search.heuristic_for(task.rules), search.at_root(task.rules), self.buffers
        )
        self.branching, self.inside = search.branching(task.rules), search.inside(task.rules)
        self.seconds = 0.0
        """The duration of its searches so far, for its speed."""

    def work(self, plan: BudgetPlan, report: Callable[[], None] = lambda: None) -> None:
        """Search one root move after the other, and report when another pass begins."""
        depth = 0
        while (errand := plan.next()) is not None:
            if depth and errand.depth > depth:
                report()
            depth = errand.depth
            self._search(plan, errand)

    def _search(self, plan: BudgetPlan, errand: RootMoveTask) -> None:
        counters = self.buffers.counters
        before, started = int(counters[NODES]), time.perf_counter()
        counters[NODE_LIMIT] = before + errand.nodes
        node, sound = RootNode(errand.move), False
        try:
            self.root.search(
                node,
                errand.alpha,
                INFINITY,
                lambda *position: self._below(errand.depth - 1, *position),
            )
            sound = not self.root.stopped
        finally:  # whatever happened, the others must not wait for this one
            self.seconds += time.perf_counter() - started
            plan.done(errand, int(counters[NODES]) - before, node if sound else None)

    def _below(self, depth: int, state: Any, memory: Any, alpha: int, beta: int) -> int:
        return spend(
            self.root.rules,
            self.root.heuristic,
            state,
            memory,
            depth,
            alpha,
            beta,
            1,
            BY_DISTANCE,
            self.branching,
            SELECTIONS[self.search.select],
            self.inside,
            self.buffers,
        )


register_search(Budget)
