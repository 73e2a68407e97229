"""How close alpha-beta comes to the smallest tree that proves a value, by the order in which it
tries the moves.

A whole tree of minimax is recorded, so that its values are known before alpha-beta walks it: the
moves can then be tried best first or worst first, which no player could do. The smallest tree is
that of Knuth and Moore (1975): one refutation for every move that is not best, and all answers to
every refutation.
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable, Sequence
from statistics import fmean

from mnkala.core import Position
from mnkala.lab.judging import Sentences, grouped, mean_interval
from mnkala.lab.measuring import nodes_by_depth, position_of
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, brief, claim, finding, judged, measure
from mnkala.search import Limit, Stop
from mnkala.trace.recorder import record

WORST, LISTED, RANDOM, BEST = "worst first", "as listed", "at random", "best first"
DEEPENING = "learned by deepening"
"""The real search with its transposition table, which may visit fewer nodes than the smallest tree,
because positions that are met again are not searched again."""
ORDERINGS = (WORST, RANDOM, LISTED, DEEPENING, BEST)
MOST_NODES = 200_000


@dataclasses.dataclass(frozen=True)
class Tree:
    """A tree of minimax; node 0 is its root."""

    children: Sequence[Sequence[int]]
    values: Sequence[int]
    """The value of each node for the player to move at the root."""
    maximises: Sequence[bool]
    """Whether that player is to move at the node."""

    def visited(self, order: Callable[[int], Sequence[int]]) -> int:
        """The nodes that alpha-beta visits, the root included, if it tries the children of a node
        in this order."""

        def search(node: int, alpha: float, beta: float) -> tuple[float, int]:
            if not self.children[node]:
                return self.values[node], 1
            best, count = (-math.inf if self.maximises[node] else math.inf), 1
            for child in order(node):
                value, below = search(child, alpha, beta)
                count += below
                if self.maximises[node]:
                    best = max(best, value)
                    alpha = max(alpha, best)
                else:
                    best = min(best, value)
                    beta = min(beta, best)
                if alpha >= beta:
                    break
            return best, count

        return search(0, -math.inf, math.inf)[1]

    def by_value(self, node: int, best_first: bool) -> list[int]:
        """The children of a node from the best to the worst for the player to move there, or the
        other way round."""
        down = self.maximises[node] == best_first
        return sorted(self.children[node], key=lambda child: self.values[child], reverse=down)

    def smallest(self) -> int:
        """The fewest nodes, the root included, that prove the value of the root."""
        value = self.values[0]

        def bounded(node: int, from_below: bool) -> int:
            """The fewest nodes that prove a node to be worth at least the value of the root, or at
            most that."""
            if not self.children[node]:
                return 1
            if self.maximises[node] != from_below:
                return 1 + sum(bounded(child, from_below) for child in self.children[node])
            return 1 + min(
                bounded(child, from_below)
                for child in self.children[node]
                if (self.values[child] >= value if from_below else self.values[child] <= value)
            )

        def exact(node: int) -> int:
            """The fewest nodes that prove a node to be worth the value of the root."""
            if not self.children[node]:
                return 1
            costs = {
                child: bounded(child, not self.maximises[node]) for child in self.children[node]
            }
            return 1 + min(
                exact(child) + sum(costs.values()) - cost
                for child, cost in costs.items()
                if self.values[child] == value
            )

        return exact(0)


def tree_of(position: Position, depth: int, heuristic: str) -> Tree:
    """The whole tree that minimax searches."""
    recorder, _ = record(position, "minimax", depth, heuristic, MOST_NODES, Stop())
    nodes, _ = recorder.finish()
    children: list[list[int]] = [[] for _ in nodes]
    for node in nodes[1:]:
        children[node.parent or 0].append(node.id)
    root = nodes[0].mover
    values = [(node.value or 0) * (1 if node.mover == root else -1) for node in nodes]
    return Tree(children, values, [node.mover == root for node in nodes])


@measure("trees", version=1)
def trees(game: str, depth: int, plies: int, seed: int) -> list[Row]:
    """The nodes that alpha-beta visits in the tree of a random position with several orders of the
    moves, beside all nodes of the tree and the fewest that prove its value."""
    position = position_of(game, plies, seed)
    heuristic = position.rules.heuristic
    tree = tree_of(position, depth, heuristic)
    chance = random.Random(seed)
    counts = {
        WORST: tree.visited(lambda node: tree.by_value(node, best_first=False)),
        RANDOM: tree.visited(
            lambda node: chance.sample(tree.children[node], len(tree.children[node]))
        ),
        LISTED: tree.visited(lambda node: tree.children[node]),
        BEST: tree.visited(lambda node: tree.by_value(node, best_first=True)),
    }
    totals = [0, *nodes_by_depth(f"deepening:heuristic={heuristic}", position, Limit(depth=depth))]
    if len(totals) > depth:
        counts[DEEPENING] = totals[depth] - totals[depth - 1]
    whole, smallest = len(tree.values), tree.smallest()
    return [
        {
            "ordering": ordering,
            "whole": whole,
            "smallest": smallest,
            "visited": visited,
            "share": visited / whole,
            "times_smallest": visited / smallest,
        }
        for ordering, visited in counts.items()
    ]


# ---- What the rows say ----


SAY = Sentences(__file__)


@finding("trees")
def in_words(rows: list[Row]) -> str:
    """How many times the smallest tree each order visits, by game."""
    means = {
        ordering: [
            (game, mean_interval([row["times_smallest"] for row in some]))
            for game, some in grouped(
                [row for row in rows if row["ordering"] == ordering], "game"
            ).items()
        ]
        for ordering in ORDERINGS
    }
    worst = [row["share"] for row in rows if row["ordering"] == WORST]
    return SAY.finding(
        means={ordering: some for ordering, some in means.items() if some},
        best=BEST,
        listed=LISTED,
        learned=DEEPENING,
        worst=fmean(worst) if worst else None,
        below=sum(row["visited"] < row["smallest"] for row in rows if row["ordering"] == DEEPENING),
        searches=sum(row["ordering"] == DEEPENING for row in rows),
    )


@brief("trees")
def in_brief(rows: list[Row]) -> Row:
    """How many times the smallest tree alpha-beta visits in Connect Four, by order."""
    by_order = grouped([row for row in rows if row["game"] == "connect4"], "ordering")
    means = {name: fmean(row["times_smallest"] for row in some) for name, some in by_order.items()}
    return (
        {"best": means[BEST], "listed": means[LISTED], "worst": means[WORST]}
        if {BEST, LISTED, WORST} <= set(means)
        else {}
    )


@claim(
    "trees",
    report="000",
    says="with badly ordered moves, Alpha-Beta may have no advantage over Minimax",
    needs=("share", "ordering"),
)
def no_advantage(rows: list[Row]) -> Judgement:
    """Possible if alpha-beta visits every node of the tree of at least one position, the worst move
    first. Equal values cut even then, so most trees keep a little of the saving."""
    worst = {
        game: [row["share"] for row in some]
        for game, some in grouped([row for row in rows if row["ordering"] == WORST], "game").items()
    }
    if not worst:
        return NOT_TOLD
    every = [share for some in worst.values() for share in some]
    return judged(
        max(every) == 1,
        max(every) < 0.9,
        SAY.worst(
            whole=sum(share == 1 for share in every),
            positions=len(every),
            games=[(game, mean_interval(some)) for game, some in worst.items()],
        ),
    )
