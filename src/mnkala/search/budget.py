"""Report 001's player: alpha-beta over the q best moves, with a budget of nodes that is learnt and shared out unequally.

A calibration first learns how many nodes this machine visits in a second, on the very position. The nodes that fit the time are then
shared out over up to 3q root moves, most to the ones that the heuristic likes best; what a move leaves unused passes to the next. Where a
move's share is used up, its positions are valued by the heuristic as they stand.

The report chose q and the depth by hand and left learning them as future work. The study `ordering` of the lab learnt them from games: q is
well chosen, but the depth should be the one that the nodes can fill, which report 002's formula tells: log_q of the nodes of a root move,
divided by a factor F.

What the report measured against and dropped are options: `select=sort`, `quickselect` and `none` instead of the heap, and
`clock=node`, which searches until the time is up, so that few root moves get searched.
"""

from __future__ import annotations

import dataclasses
import math
import threading
import time
from typing import Any, ClassVar

from mnkala.errors import BadEngine
from mnkala.games import GOING_ON, Rules
from mnkala.native import kernel, shared
from mnkala.native.objects import IntArray
from mnkala.search.analysis import Analysis
from mnkala.search.buffers import CUTOFFS, NO_LIMIT, NODE_LIMIT, NODES, STOPPED, Buffers, evaluate, extend_line, make_buffers
from mnkala.search.candidates import ALL, BEST, EVERY_MOVE, Candidates, keep_best, list_moves
from mnkala.search.engine import HeuristicSearch, register_search
from mnkala.search.heuristic import Heuristic, fits, heuristic_for
from mnkala.search.limit import Limit, Stop
from mnkala.search.root import Root, RootNode, Task
from mnkala.search.values import BY_DISTANCE, INFINITY, EndValues, end_value

HEAP, SORT, QUICKSELECT, NONE = range(4)
SELECTIONS = {"heap": HEAP, "sort": SORT, "quickselect": QUICKSELECT, "none": NONE}
BRANCHING = ((25, 7), (64, 6), (169, 5), (400, 4))
"""q by the number of moves of the largest position: 7 on small boards, 3 beyond the last."""
FEWEST = 3
ROOT_MOVES = 3
"""So many times q moves are looked at at the root, and the nodes shared out over them."""
UNLIMITED = NO_LIMIT // 4
FILL, FILL_OF_ALL = 0.55, 0.45
"""F, learnt by the study `ordering`: where some moves are looked at, and where q is enough for all of them."""
FILL_RANGE = (0.1, 2.0)
SHALLOWEST, DEEPEST_FILLED = 2, 64
USUAL_DEPTH = 10
"""Where no number of nodes is known: while calibrating, and with a look at the clock in every node."""
CALIBRATION_SHARE, LONGEST_CALIBRATION = 0.05, 0.04
"""How much of the time is spent on learning the speed, and at most how many seconds: it does not hear a stop flag."""
SAFETY = 0.85
"""The part of the remaining time that is shared out: speeds vary from position to position."""


@kernel
def spend(rules: Any, heuristic: Any, state: Any, memory: Any, depth: int, alpha: int, beta: int, ply: int, ends: EndValues,
          branching: int, selection: int, candidates: Candidates, buffers: Buffers) -> int:
    """Alpha-beta over the `branching` best moves; at the depth or the end of the budget the heuristic speaks."""
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
            value = spend(rules, heuristic, child, child_memory, depth - 1, alpha, beta, ply + 1, ends, branching, selection,
                          candidates, buffers)
        else:
            value = -spend(rules, heuristic, child, child_memory, depth - 1, -beta, -alpha, ply + 1, ends, branching, selection,
                           candidates, buffers)
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


@shared
def select_best(moves: IntArray, scores: IntArray, count: int, wanted: int, selection: int) -> int:
    """Put the best moves in front, best first, in one of the three ways."""
    if selection == HEAP:
        return keep_best(moves, scores, count, wanted)
    if selection == QUICKSELECT:
        quickselect(moves, scores, count, wanted)
        count = min(count, wanted)
    insertion_or_heap_sort(moves, scores, count)
    return min(count, wanted)


@shared
def insertion_or_heap_sort(moves: IntArray, scores: IntArray, count: int) -> None:
    """Sort all moves, best first: by insertion while they are few, else by a heap of all of them, O(n log n)."""
    if count > 16:
        keep_best(moves, scores, count, count)
        return
    for i in range(1, count):
        move, score = moves[i], scores[i]
        j = i
        while j > 0 and scores[j - 1] < score:
            moves[j], scores[j] = moves[j - 1], scores[j - 1]
            j -= 1
        moves[j], scores[j] = move, score


@shared
def quickselect(moves: IntArray, scores: IntArray, count: int, wanted: int) -> None:
    """Move the `wanted` best in front, unsorted (Hoare 1961)."""
    low, high = 0, count - 1
    while low < high:
        pivot = scores[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while scores[i] > pivot:
                i += 1
            while scores[j] < pivot:
                j -= 1
            if i <= j:
                moves[i], moves[j] = moves[j], moves[i]
                scores[i], scores[j] = scores[j], scores[i]
                i += 1
                j -= 1
        if wanted - 1 <= j:
            high = j
        elif wanted - 1 >= i:
            low = i
        else:
            return


def usual_fill(branching: int, most_moves: int) -> float:
    """The learnt F, for so many moves looked at out of at most so many."""
    return FILL_OF_ALL if branching >= most_moves else FILL


@dataclasses.dataclass(frozen=True)
class Budget(HeuristicSearch):
    """Report 001's player: the q best moves by a heap, and a node budget shared out unequally over the root moves."""

    name = "budget"
    q: int = 0
    """Moves to look at in each position; 0 for 7 on small boards down to 3 on large ones."""
    select: str = "heap"
    """How they are chosen: heap, sort, quickselect, or none for all moves as they come."""
    fill: float = 0.0
    """F of the formula that computes the depth from the nodes, if no depth is given: the smaller, the deeper; 0 for the learnt one."""
    clock: str = "budget"
    """budget: nodes are learnt and shared out. node: every node looks at the clock, and root moves wait their turn."""
    speeds: dict[Any, float] = dataclasses.field(default_factory=dict, init=False, compare=False, repr=False)

    DEFAULT_NODES: ClassVar[int] = 200_000

    def __post_init__(self) -> None:
        if self.select not in SELECTIONS:
            raise BadEngine(f"select={self.select}; moves are selected by {', '.join(SELECTIONS)}")
        if self.clock not in ("budget", "node"):
            raise BadEngine(f"clock={self.clock}; it is budget or node")
        if self.fill != 0 and not FILL_RANGE[0] <= self.fill <= FILL_RANGE[1]:
            raise BadEngine(f"fill={self.fill}; it is 0 (automatic) or lies between {FILL_RANGE[0]} and {FILL_RANGE[1]}")
        if self.q < 0:
            raise BadEngine(f"q={self.q}; it is 0 (automatic) or the number of moves to look at")

    def heuristic_for(self, rules: Rules) -> Heuristic:
        if self.heuristic == "auto" and fits("criticality", rules):
            return heuristic_for("criticality", rules)
        return super().heuristic_for(rules)

    def branching(self, rules: Rules) -> int:
        """How many moves to look at, for a game."""
        return self.q or next((q for most, q in BRANCHING if rules.most_moves() <= most), FEWEST)

    def depth_for(self, rules: Rules, nodes: int) -> int:
        """The depth that so many nodes can fill, shared out over the root moves."""
        if nodes >= UNLIMITED:
            return USUAL_DEPTH
        most = rules.most_moves()
        branching = most if self.select == "none" else min(self.branching(rules), most)
        a_move = nodes / min(ROOT_MOVES * self.branching(rules), most)
        fill = self.fill or usual_fill(self.branching(rules), most)
        depth = round(math.log(max(1.0, a_move), max(2, branching)) / fill)
        return min(DEEPEST_FILLED, max(SHALLOWEST, depth))

    def _at_root(self, rules: Rules) -> Candidates:
        """Unless told otherwise, three times as many moves as inside, so that the shares go to many."""
        chosen = self.candidates_for(rules)
        if self.candidates == "auto":
            chosen = Candidates(BEST, ROOT_MOVES * self.branching(rules))
        elif chosen.kind == ALL and self.select != "none":
            # All moves here, but only the q best below: the same moves under a name that proves nothing.
            chosen = Candidates(BEST, rules.most_moves())
        return chosen

    def _inside(self, rules: Rules) -> Candidates:
        """The moves out of which the q best are chosen."""
        return EVERY_MOVE if self.candidates == "auto" else self.candidates_for(rules)

    def run(self, task: Task) -> Analysis:
        left = self._budget(task)
        depth = min(task.limit.depth or self.depth_for(task.rules, left), task.rules.longest_game())
        buffers = make_buffers(task.rules, depth, task.stop)
        branching = self.branching(task.rules)
        root = Root(task, self.heuristic_for(task.rules), self._at_root(task.rules), buffers)
        best: RootNode | None = None
        shares = len(root.nodes)
        for number, node in enumerate(root.nodes):
            # The first of n moves gets 2/(n+1) of what is left, the second 2/n of the rest, …: falling shares, and nothing is lost.
            share = left if self.clock == "node" else max(1, 2 * left // (shares - number + 1))
            before = int(buffers.counters[NODES])
            buffers.counters[NODE_LIMIT] = before + min(share, left)
            root.search(node, best.value if best else -INFINITY, INFINITY,
                        lambda *position: self._below(root, depth - 1, branching, *position))
            left = max(0, left - (int(buffers.counters[NODES]) - before)) if left < UNLIMITED else left
            if root.stopped:
                break
            if best is None or node.value > best.value:
                best = node
            if left == 0:
                break
        answer = root.analysis(best or root.nodes[0], depth, held=depth + 1)
        task.report(answer)
        return answer

    def _budget(self, task: Task) -> int:
        """How many nodes may be visited: what was asked for, or what this machine can do in the time."""
        limit = task.limit
        if limit.time is None:
            if limit.nodes is not None:
                return limit.nodes
            return self.DEFAULT_NODES if limit == Limit() else UNLIMITED
        if self.clock == "node":
            return UNLIMITED
        key = (task.rules.game_string(), self.heuristic, self.select)
        if key not in self.speeds:
            depth = min(limit.depth or USUAL_DEPTH, task.rules.longest_game())
            self.speeds[key] = self._calibrate(task, depth, min(LONGEST_CALIBRATION, CALIBRATION_SHARE * limit.time))
        remaining = limit.time - (time.perf_counter() - task.started)
        nodes = int(self.speeds[key] * SAFETY * max(0.0, remaining))
        return max(1, min(nodes, limit.nodes or nodes))

    def _calibrate(self, task: Task, depth: int, seconds: float) -> float:
        """Nodes a second, by simulating the decision for a moment."""
        stop = Stop()
        trial = dataclasses.replace(task, stop=stop)
        buffers = make_buffers(task.rules, depth, stop)
        branching = self.branching(task.rules)
        root = Root(trial, self.heuristic_for(task.rules), self._at_root(task.rules), buffers)
        buffers.counters[NODE_LIMIT] = NO_LIMIT
        timer = threading.Timer(seconds, stop.set)
        timer.start()
        started = time.perf_counter()
        for node in root.nodes:
            root.search(node, -INFINITY, INFINITY, lambda *position: self._below(root, depth - 1, branching, *position))
            if stop.is_set():
                break
        elapsed = time.perf_counter() - started
        timer.cancel()
        return float(buffers.counters[NODES]) / max(elapsed, 1e-6)

    def _below(self, root: Root, depth: int, branching: int, state: Any, memory: Any, alpha: int, beta: int) -> int:
        return spend(root.rules, root.heuristic, state, memory, depth, alpha, beta, 1, BY_DISTANCE, branching,
                     SELECTIONS[self.select], self._inside(root.rules), root.buffers)


register_search(Budget)
