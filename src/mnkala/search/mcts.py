"""Monte-Carlo tree search as an engine: the modern default, and report 000's form by its options.

Report 000's: `mcts:expand=all,solve=off,keep=off,iterations=1000`, which holds at most 7 * 1000 + 1 nodes on Connect Four.
"""

from __future__ import annotations

import dataclasses
import functools
import random
import time
from typing import Any, ClassVar

import numpy as np

from mnkala.errors import BadEngine
from mnkala.games import Position
from mnkala.games.position import endless
from mnkala.search.analysis import Analysis, RootMove
from mnkala.search.desk import make_desk
from mnkala.search.engine import HeuristicSearch, register_search
from mnkala.search.helpers import Helpers
from mnkala.search.root import Task
from mnkala.search.tree import (
    DISTANCE,
    DONE,
    ENDLESS,
    FIRST_CHILD,
    FULL,
    MOVE,
    NEXT_SIBLING,
    NO_NODE,
    PLAYER,
    PROOF,
    REWARD,
    STOPPED,
    UNPROVED,
    VISITS,
    Tree,
    grow,
    make_tree,
)
from mnkala.search.values import Score

FIRST_CAPACITY = 1 << 14
FIRST_REPORT, LONGEST_CHUNK = 500, 50_000
"""Iterations before the first answer, and between two answers at most."""
SCALE = 1000
"""A won share of 0 to 1 is shown as a score of -SCALE to SCALE."""


@dataclasses.dataclass(frozen=True)
class Mcts(HeuristicSearch):
    """Monte-Carlo tree search (UCT): random games guide where to look, proved results are backed up exactly."""

    name = "mcts"
    heuristic: str = "nothing"
    """Only candidates=best:Q asks it."""
    iterations: int = 0
    """Random games to play; 0 for as many as the limit allows, or 20,000 without a limit."""
    exploration: float = 1.0
    """C of UCB1: larger looks wider, smaller deeper."""
    expand: str = "one"
    """one: a leaf gets one child at a time. all: it gets all of them, and one is played from (report 000)."""
    solve: bool = True
    """Back up proved results and never visit them again."""
    keep: bool = True
    """Keep the part of the tree that the next move reaches."""
    threads: int = 1
    """1 or 2 threads, each with a tree of its own; their visits are added up."""
    seed: int = 1
    """Fixes the random games; -1 for different ones each time."""
    memory: int = 4_000_000
    """Nodes to hold at most; then the tree stops growing and the search ends."""
    kept: dict[Any, Any] = dataclasses.field(default_factory=dict, init=False, compare=False, repr=False)

    DEFAULT_ITERATIONS: ClassVar[int] = 20_000
    MOST_THREADS: ClassVar[int] = 2

    def __post_init__(self) -> None:
        if not 1 <= self.threads <= self.MOST_THREADS:
            raise BadEngine(f"{self.threads} threads; mcts runs on 1 to {self.MOST_THREADS}")
        if self.expand not in ("one", "all"):
            raise BadEngine(f"expand={self.expand}; a leaf expands one child or all")
        if self.iterations < 0 or self.memory < 1 or not self.exploration >= 0:
            raise BadEngine("iterations, memory and exploration cannot be negative, and memory must hold a node")

    def trial(self) -> Mcts:
        return dataclasses.replace(self, iterations=1, keep=False, threads=1)

    def run(self, task: Task) -> Analysis:
        limit = task.limit
        wanted = self.iterations
        if not wanted and limit.time is None and limit.nodes is None and limit.stop is None:
            wanted = self.DEFAULT_ITERATIONS
        growers = [Grower(self, task, number) for number in range(self.threads)]
        helpers = Helpers(functools.partial(grower.grow_on, wanted) for grower in growers[1:])
        try:
            for _ in growers[0].chunks(wanted):
                task.report(summarise(task, growers))
        finally:
            for grower in growers[1:]:
                grower.finished = True
            helpers.join()
        if self.keep:
            self.kept.clear()
            self.kept[_key(task.position)] = (task.position, [grower.tree for grower in growers])
        return summarise(task, growers)


class Grower:
    """One thread and its tree."""

    def __init__(self, search: Mcts, task: Task, number: int) -> None:
        self.search, self.task = search, task
        seed = search.seed if search.seed >= 0 else random.getrandbits(32)
        self.capacity = min(search.memory, task.limit.nodes or search.memory)
        self.tree = self._kept_tree(number) or make_tree(
            min(self.capacity, max(search.iterations, FIRST_CAPACITY) + task.rules.most_moves() + 1), task.rules.longest_game(),
            2 * seed + number, 1 - task.position.mover)
        self.heuristic = search.heuristic_for(task.rules)
        self.candidates = search.candidates_for(task.rules)
        self.desk = make_desk(task.rules, 1, task.stop)
        self.state = task.position.state()
        self.finished = False
        self.visits_before = int(self.tree.node[0, VISITS])

    def _kept_tree(self, number: int) -> Tree | None:
        """The part of the last tree below the moves played since, if they follow on it."""
        for position, trees in self.search.kept.values():
            played = self.task.position.history
            known = position.history
            if number < len(trees) and position.game == self.task.position.game and played[: len(known)] == known \
                    and position.start_literal == self.task.position.start_literal:
                return subtree(trees[number], played[len(known):], 1 - self.task.position.mover)
        return None

    def chunks(self, wanted: int) -> Any:
        """Grow the tree, coming back now and then for a report."""
        made, chunk = 0, FIRST_REPORT
        while not self.finished:
            now = min(chunk, wanted - made) if wanted else chunk
            if not self._grow(now):
                return
            made += now
            if wanted and made >= wanted:
                return
            yield made
            chunk = min(4 * chunk, LONGEST_CHUNK)

    def grow_on(self, wanted: int) -> None:
        """Grow without reports, for a helping thread."""
        for _ in self.chunks(wanted):
            pass

    def _grow(self, iterations: int) -> bool:
        """Make this many iterations; False when there is no more to do."""
        search, tree = self.search, self.tree
        target = int(tree.node[0, VISITS]) + iterations
        while True:
            reason = grow(self.task.rules, self.heuristic, self.state, self.candidates, search.exploration,
                          search.expand == "all", search.solve, self.task.rules.graded, target - int(tree.node[0, VISITS]), tree,
                          self.desk)
            if reason == FULL:
                if len(tree.node) >= self.capacity:
                    return False
                self.tree = tree = enlarged(tree, min(self.capacity, 2 * len(tree.node) + self.task.rules.most_moves()))
            elif reason == STOPPED:
                return False
            elif reason == ENDLESS:
                raise endless(self.task.rules)
            else:
                assert reason == DONE
                return bool(tree.node[0, PROOF] == UNPROVED)


def enlarged(tree: Tree, capacity: int) -> Tree:
    """The same tree with more room."""
    node = np.empty((capacity, tree.node.shape[1]), dtype=np.int64)
    node[: len(tree.node)] = tree.node
    return Tree(node, tree.path, tree.size, tree.random)


def subtree(tree: Tree, moves: tuple[int, ...], player: int) -> Tree | None:
    """The tree below some moves, with its root in front; None if the tree does not reach that far."""
    root = 0
    for move in moves:
        root = next((child for child in children(tree, root) if tree.node[child, MOVE] == move), NO_NODE)
        if root == NO_NODE:
            return None
    if tree.node[root, PLAYER] != player or tree.node[root, VISITS] == 0:
        return None
    order = [root]
    for node in order:
        order.extend(children(tree, node))
    places = np.full(len(tree.node) + 1, NO_NODE, dtype=np.int64)  # the last place is that of NO_NODE itself
    places[np.array(order)] = np.arange(len(order))
    picked = tree.node[np.array(order)]
    for column in (FIRST_CHILD, NEXT_SIBLING):
        picked[:, column] = places[picked[:, column]]
    picked[0, NEXT_SIBLING] = NO_NODE
    smaller = Tree(picked, tree.path, np.array([len(order)], dtype=np.int64), tree.random)
    return enlarged(smaller, len(order) + FIRST_CAPACITY)


def children(tree: Tree, node: int) -> list[int]:
    """The children of a node."""
    found = []
    child = int(tree.node[node, FIRST_CHILD])
    while child != NO_NODE:
        found.append(child)
        child = int(tree.node[child, NEXT_SIBLING])
    return found


def summarise(task: Task, growers: list[Grower]) -> Analysis:
    """The answer so far: most visits, unless a result is proved."""
    totals: dict[int, Total] = {}
    for grower in growers:
        tree = grower.tree
        for child in children(tree, 0):
            total = totals.setdefault(int(tree.node[child, MOVE]), Total(int(tree.node[child, MOVE])))
            total.visits += int(tree.node[child, VISITS])
            total.reward += int(tree.node[child, REWARD])
            if tree.node[child, PROOF] != UNPROVED:
                total.proof, total.distance = int(tree.node[child, PROOF]), int(tree.node[child, DISTANCE]) + 1
    leader = growers[0].tree
    if not totals:
        best = Total(task.position.legal_codes[0])
    else:
        best = max(totals.values(), key=Total.worth)
    moves = tuple(RootMove(move, total.score(task), (move,)) for move, total in sorted(totals.items()) if total.visits)
    score = best.score(task) if best.visits else None
    if score is not None and score.kind == "exact" and leader.node[0, PROOF] == UNPROVED:
        score = dataclasses.replace(score, kind="lower", result="win" if best.proof > 0 else "unknown")
    return Analysis(
        position=task.position, engine=task.engine, score=score, moves=moves, line=_line(leader, best.move),
        depth=len(_line(leader, best.move)), nodes=sum(int(grower.tree.size[0]) for grower in growers),
        evaluations=sum(int(grower.tree.node[0, VISITS]) - grower.visits_before for grower in growers), cutoffs=0,
        held=sum(int(grower.tree.size[0]) for grower in growers), table_hits=0,
        seconds=time.perf_counter() - task.started,
    )


@dataclasses.dataclass
class Total:
    """What all threads together know of a root move."""

    move: int
    visits: int = 0
    reward: int = 0
    proof: int = UNPROVED
    distance: int = 0

    def worth(self) -> tuple[int, float]:
        """For choosing: proved wins, then most visits (also of a proved draw), proved losses last."""
        if self.proof in (UNPROVED, 0):
            return (1, self.visits)
        return (2, self.proof - self.distance / 10_000) if self.proof > 0 else (0, self.proof + self.distance / 10_000)

    def score(self, task: Task) -> Score:
        """For the mover at the root."""
        mover = task.position.mover
        if self.proof == UNPROVED:
            return Score(round(SCALE * (self.reward / max(1, self.visits) - 1)), "heuristic", mover)
        value = task.rules.exact_score(task.position.state(), self.proof, self.distance)
        if self.proof == 0:
            return Score(0, "exact", mover, "draw")
        won = self.proof > 0
        kind = "exact" if task.rules.graded else "lower" if won else "upper"
        return Score(value, kind, mover, "win" if won else "loss", self.distance)  # type: ignore[arg-type]


def _line(tree: Tree, move: int) -> tuple[int, ...]:
    """The most visited way down, from a root move on."""
    line = [move]
    node = next((child for child in children(tree, 0) if tree.node[child, MOVE] == move), NO_NODE)
    while node != NO_NODE and children(tree, node):
        node = max(children(tree, node), key=lambda child: int(tree.node[child, VISITS]))
        if tree.node[node, VISITS] == 0:
            break
        line.append(int(tree.node[node, MOVE]))
    return tuple(line)


def _key(position: Position) -> tuple[object, ...]:
    return (position.game, position.start_literal, position.history)


register_search(Mcts)
