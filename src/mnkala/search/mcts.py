"""Monte-Carlo tree search as an engine: the modern default, and report 000's form by its options.

Report 000's: `mcts:expand=all,solve=off,keep=off,iterations=1000`, which holds at most 7 * 1000 + 1
nodes on Connect Four.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import random
import time
from typing import Any, ClassVar

import numpy as np

from mnkala.core import Position, Rules
from mnkala.core.position import endless
from mnkala.core.score import Score
from mnkala.errors import BadEngine
from mnkala.native.kernels import loading
from mnkala.search.analysis import Analysis, RootMove
from mnkala.search.buffers import make_buffers
from mnkala.search.candidates import BEST
from mnkala.search.engine import HeuristicSearch, register_search
from mnkala.search.heuristic import Heuristic, Nothing
from mnkala.search.limit import Limit, Stop
from mnkala.search.root import Task
from mnkala.search.runner import Helpers
from mnkala.search.tree import (
    DISTANCE,
    DONE,
    ENDLESS,
    FIRST_CHILD,
    MOVE,
    NEXT_SIBLING,
    NO_NODE,
    PLAYER,
    PROOF,
    REWARD,
    UNPROVED,
    VISITS,
    Tree,
    grow,
    make_room,
    make_tree,
    transplant,
)

FIRST_REPORT, LONGEST_CHUNK = 500, 50_000
"""The iterations before the first answer, and the most between two answers."""
SCALE = 1000
"""A share of won games from 0 to 1 is shown as a score from -SCALE to SCALE."""


@dataclasses.dataclass(frozen=True)
class Mcts(HeuristicSearch):
    """Monte-Carlo tree search (UCT): random games guide where to look, proved results are backed up
    exactly.
    """

    name = "mcts"
    heuristic: str = "nothing"
    """The heuristic, used only for candidates=best:Q."""
    iterations: int = 0
    """The number of random games; 0 for as many as the limit allows, or 20,000 without a limit."""
    exploration: float = 1.0
    """The constant C of UCB1: larger values look wider, smaller ones deeper."""
    expand: str = "one"
    """one: a leaf gets one child at a time. all: it gets all of them, and a game is played from
    one (report 000)."""
    solve: bool = True
    """Whether proved results are backed up and never visited again."""
    keep: bool = True
    """Whether to keep the part of the tree that the next move reaches."""
    threads: int = 1
    """The number of threads, 1 or 2, each with its own tree; their visits are added up."""
    seed: int = 1
    """Fixes the random games; -1 for different ones each time."""
    memory: int = 4_000_000
    """The most nodes in memory; then the tree stops growing and the search ends."""
    kept: dict[Any, Any] = dataclasses.field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    DEFAULT_ITERATIONS: ClassVar[int] = 20_000

    @classmethod
    def chance(cls, value: int) -> float:
        return (value / SCALE + 1) / 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.expand not in ("one", "all"):
            raise BadEngine(f"expand={self.expand}; a leaf expands one child or all")
        if self.iterations < 0 or self.memory < 1 or not self.exploration >= 0:
            raise BadEngine(
                "iterations, memory and exploration cannot be negative, and memory must hold a node"
            )

    def heuristic_for(self, rules: Rules) -> Heuristic:
        """The heuristic; if none is used, the one that says nothing, so that all share its
        kernels."""
        chosen = super().heuristic_for(rules)
        return chosen if self.candidates_for(rules).kind == BEST else Nothing()

    def trial(self) -> Mcts:
        return dataclasses.replace(self, iterations=1, keep=False, threads=1)

    def _compile(self, rules: Rules) -> None:
        _load_transplant()
        super()._compile(rules)

    def most_nodes(self, rules: Rules, limit: Limit) -> float:
        return math.inf  # a node is a playout, and how long those are is the game's affair

    def run(self, task: Task) -> Analysis:
        limit = task.limit
        wanted = self.iterations
        if not wanted and limit.time is None and limit.nodes is None and limit.stop is None:
            wanted = self.DEFAULT_ITERATIONS
        growers = self._growers(task)
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

    def _growers(self, task: Task) -> list[Grower]:
        """Make a grower for each thread, with its tree of the last search if that can be used
        again. The other memory of the last search is released here, early on the clock, and not
        when the answer is due."""
        kept = dict(self.kept)
        self.kept.clear()
        trees: list[Tree] = []
        moves: tuple[int, ...] = ()
        for position, grown in kept.values():
            if _follows(task.position, position):
                trees, moves = grown, task.position.history_codes[len(position.history_codes) :]
        return [
            Grower(self, task, number, trees[number] if number < len(trees) else None, moves)
            for number in range(self.threads)
        ]


class Grower:
    """One thread and its tree: a new one, or the part of an earlier one below the moves played
    since."""

    def __init__(
        self,
        search: Mcts,
        task: Task,
        number: int,
        earlier: Tree | None = None,
        moves: tuple[int, ...] = (),
    ) -> None:
        self.search, self.task = search, task
        player = 1 - task.position.mover
        root = NO_NODE if earlier is None else find_node(earlier, moves, player)
        if earlier is None or root == NO_NODE:
            seed = search.seed if search.seed >= 0 else random.getrandbits(32)
            self.tree = make_tree(
                self._capacity(1), task.rules.longest_game(), 2 * seed + number, player
            )
        else:
            node = make_room(self._capacity(int(earlier.size[0])))
            size = transplant(earlier.node, root, node, task.stop.flag)
            self.tree = Tree(node, earlier.path, np.array([size], dtype=np.int64), earlier.random)
        self.heuristic = search.heuristic_for(task.rules)
        self.candidates = search.candidates_for(task.rules)
        self.buffers = make_buffers(task.rules, 1, task.stop)
        self.state = task.position.state()
        self.finished = False
        self.visits_before = int(self.tree.node[0, VISITS])

    def _capacity(self, size: int) -> int:
        """The room for a tree that has `size` nodes already: the allowed number, or less if the
        iterations cannot fill it."""
        most = min(self.search.memory, self.task.limit.nodes or self.search.memory)
        if not self.search.iterations:
            return most
        children = self.task.rules.most_moves() if self.search.expand == "all" else 1
        return min(most, size + self.search.iterations * children)

    def chunks(self, wanted: int) -> Any:
        """Grow the tree, pausing now and then for a report."""
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
        """Make this many iterations; return False if there is nothing left to do."""
        search, tree = self.search, self.tree
        reason = grow(
            self.task.rules,
            self.heuristic,
            self.state,
            self.candidates,
            search.exploration,
            search.expand == "all",
            search.solve,
            self.task.rules.graded,
            iterations,
            tree,
            self.buffers,
        )
        if reason == ENDLESS:
            raise endless(self.task.rules)
        return bool(reason == DONE and tree.node[0, PROOF] == UNPROVED)


def find_node(tree: Tree, moves: tuple[int, ...], player: int) -> int:
    """The node that these moves lead to and `player` moved into, if it was visited; otherwise
    NO_NODE."""
    node = 0
    for move in moves:
        node = next(
            (child for child in children(tree, node) if tree.node[child, MOVE] == move), NO_NODE
        )
        if node == NO_NODE:
            return NO_NODE
    return node if tree.node[node, PLAYER] == player and tree.node[node, VISITS] > 0 else NO_NODE


def children(tree: Tree, node: int) -> list[int]:
    """The children of a node in the tree."""
    found = []
    child = int(tree.node[node, FIRST_CHILD])
    while child != NO_NODE:
        found.append(child)
        child = int(tree.node[child, NEXT_SIBLING])
    return found


def summarise(task: Task, growers: list[Grower]) -> Analysis:
    """The answer so far: the most visited move, unless a result is proved."""
    totals: dict[int, Total] = {}
    for grower in growers:
        tree = grower.tree
        for child in children(tree, 0):
            total = totals.setdefault(
                int(tree.node[child, MOVE]), Total(int(tree.node[child, MOVE]))
            )
            total.visits += int(tree.node[child, VISITS])
            total.reward += int(tree.node[child, REWARD])
            if tree.node[child, PROOF] != UNPROVED:
                total.proof, total.distance = (
                    int(tree.node[child, PROOF]),
                    int(tree.node[child, DISTANCE]) + 1,
                )
    leader = growers[0].tree
    if not totals:
        best = Total(task.position.legal_codes[0])
    else:
        best = max(totals.values(), key=Total.worth)
    moves = tuple(
        RootMove(move, total.score(task), (move,))
        for move, total in sorted(totals.items())
        if total.visits
    )
    score = best.score(task) if best.visits else None
    if (
        score is not None and score.is_proved and leader.node[0, PROOF] == UNPROVED
    ):  # there are moves that may be better
        score = Score.at_least(
            score.lower, score.player, score.plies if score.result == "win" else None
        )
    return Analysis(
        position=task.position,
        engine=task.engine,
        score=score,
        moves=moves,
        line_codes=_line(leader, best.move),
        depth=len(_line(leader, best.move)),
        nodes=sum(int(grower.tree.size[0]) for grower in growers),
        evaluations=sum(
            int(grower.tree.node[0, VISITS]) - grower.visits_before for grower in growers
        ),
        held=sum(int(grower.tree.size[0]) for grower in growers),
        seconds=time.perf_counter() - task.started,
    )


@dataclasses.dataclass
class Total:
    """The statistics of a root move over all threads."""

    move: int
    visits: int = 0
    reward: int = 0
    proof: int = UNPROVED
    distance: int = 0

    def worth(self) -> tuple[int, int, int]:
        """The order for choosing: proved wins, then most visits (also of a proved draw), proved
        losses last."""
        if self.proof in (UNPROVED, 0):
            return (1, self.visits, 0)
        return (2, self.proof, -self.distance) if self.proof > 0 else (0, self.proof, self.distance)

    def score(self, task: Task) -> Score:
        """The score for the mover at the root."""
        mover = task.position.mover
        if self.proof == UNPROVED:
            return Score.opinion(round(SCALE * (self.reward / max(1, self.visits) - 1)), mover)
        if self.proof == 0:
            return Score.exactly(0, mover)
        value = task.rules.exact_score(task.position.state(), self.proof, self.distance)
        told = (
            Score.exactly
            if task.rules.graded
            else Score.at_least
            if self.proof > 0
            else Score.at_most
        )
        return told(value, mover, self.distance)


def _line(tree: Tree, move: int) -> tuple[int, ...]:
    """The most visited path, from a root move on."""
    line = [move]
    node = next((child for child in children(tree, 0) if tree.node[child, MOVE] == move), NO_NODE)
    while node != NO_NODE and children(tree, node):
        node = max(children(tree, node), key=lambda child: int(tree.node[child, VISITS]))
        if tree.node[node, VISITS] == 0:
            break
        line.append(int(tree.node[node, MOVE]))
    return tuple(line)


def _follows(position: Position, earlier: Position) -> bool:
    """Whether a position equals another or follows it in the same game."""
    return (
        position.game == earlier.game
        and position.start_literal == earlier.start_literal
        and position.history_codes[: len(earlier.history_codes)] == earlier.history_codes
    )


@functools.cache
@loading()
def _load_transplant() -> None:
    """Compile (or load) the copying of trees, which no first search of a game needs."""
    node = make_tree(2, 1, 0, 0).node
    transplant(node, 0, node.copy(), Stop().flag)


def _key(position: Position) -> tuple[object, ...]:
    return (position.game, position.start_literal, position.history_codes)


register_search(Mcts)
