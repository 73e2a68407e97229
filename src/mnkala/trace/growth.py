"""Watches Monte-Carlo tree search grow its tree: the engine's own `grow` runs uncompiled, with
recorders in place of its steps.

As in `recorder.py`, the names `select_child`, `add_child`, `back_up` and `back_up_proof` lead
through here, and the rules are wrapped so that random moves can be recorded. Only the upper bounds
are computed a second time, to be shown; as a check, the child with the highest bound must be the
one that the engine selects.
"""

from __future__ import annotations

import math
from types import MethodType
from typing import Any

import numpy as np

from mnkala.core import GOING_ON, Position, Rules
from mnkala.search.analysis import Analysis
from mnkala.search.limit import Limit, Stop
from mnkala.search.mcts import Grower, Mcts, children, summarise
from mnkala.search.root import Task
from mnkala.search.tree import (
    DISTANCE,
    MOVE,
    PLAYER,
    PROOF,
    REWARD,
    UNPROVED,
    VISITS,
    Tree,
    add_child,
    back_up,
    back_up_proof,
    grow,
    select_child,
)
from mnkala.trace.model import Choice, Count, Diagram, Node, Proof, TraceStep
from mnkala.trace.recorder import rebound


class RecordingRules:
    """Rules that record the random moves of a playout and the state in which it ended."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.played: list[int] = []
        self.reached: Any = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rules, name)

    def random_move(self, *arguments: Any) -> int:
        move = self.rules.random_move(*arguments)
        self.played.append(int(move))
        return move

    def play_out(self, *arguments: Any) -> int:
        playing: Any = self
        return Rules.play_out(playing, *arguments)

    def play(self, state: Any, move: int) -> Any:
        self.reached = self.rules.play(state, move)
        return self.reached


class Growth:
    """Records one Monte-Carlo search."""

    def __init__(self, rules: Rules, root_state: Any, stop: Stop) -> None:
        self.rules, self.stop = rules, stop
        self.heard = RecordingRules(rules)
        self.parents: list[int | None] = [None]
        self.states: list[Any] = [rules.copy(root_state)]
        self.steps: list[TraceStep] = []
        self.iteration = 1

    def grow(self, rules: Rules, *arguments: Any) -> Any:
        """Play one iteration, called in place of the kernel."""
        replaced = {
            "select_child": self.select_child,
            "add_child": self.add_child,
            "back_up": self.back_up,
            "back_up_proof": self.back_up_proof,
        }
        with np.errstate(over="ignore"):  # The random numbers are meant to wrap around.
            return rebound(grow, replaced)(self.heard, *arguments)

    def select_child(self, tree: Tree, node: int, exploration: float) -> int:
        """Descend to the child with the highest upper bound."""
        chosen = int(select_child(tree, node, exploration))
        width = exploration * math.sqrt(math.log(int(tree.node[node, VISITS]) + 1.0))
        choices = tuple(
            self._choice(tree, child, width) for child in reversed(children(tree, node))
        )
        bounds = {choice.node: choice.bound for choice in choices if choice.bound is not None}
        assert not bounds or math.isclose(bounds[chosen], max(bounds.values()))
        self.steps.append(
            TraceStep("select", int(node), child=chosen, choices=choices, iteration=self.iteration)
        )
        return chosen

    def _choice(self, tree: Tree, child: int, width: float) -> Choice:
        """Describe a child as selection sees it; `width` is the factor of the bonus for few
        visits."""
        visits, reward = int(tree.node[child, VISITS]), int(tree.node[child, REWARD])
        share = 0.5 * reward / visits if visits else 0.0
        open_ = tree.node[child, PROOF] == UNPROVED and visits
        return Choice(
            child,
            visits,
            round(share, 4),
            round(share + width / math.sqrt(visits), 4) if open_ else None,
        )

    def add_child(self, tree: Tree, parent: int, move: int, player: int) -> int:
        """Add a child to a node of the tree."""
        node = int(add_child(tree, parent, move, player))
        parent = int(parent)
        assert node == len(self.parents)
        self.parents.append(parent)
        self.states.append(self.rules.play(self.rules.copy(self.states[parent]), int(move)))
        self.steps.append(TraceStep("expand", parent, child=node, iteration=self.iteration))
        return node

    def back_up(self, tree: Tree, length: int, margin: int) -> None:
        """Record the result of a playout, back it up as the engine does, and record the new counts
        of every node on the path."""
        self.stop.check()
        path = [int(node) for node in tree.path[:length]]
        moves = tuple(self.rules.move_text(move) for move in self.heard.played)
        result = 0.5 if margin == 0 else float(margin > 0)
        board = Diagram.of(self.rules, self.heard.reached) if moves else None
        self.steps.append(
            TraceStep(
                "playout",
                path[-1],
                moves=moves,
                result=result,
                board=board,
                iteration=self.iteration,
            )
        )
        self.heard.played.clear()
        back_up(tree, length, margin)
        counts = tuple(
            Count(node, int(tree.node[node, VISITS]), int(tree.node[node, REWARD]) / 2)
            for node in path
        )
        self.steps.append(
            TraceStep("backup", path[-1], counts=counts, result=result, iteration=self.iteration)
        )
        if tree.node[path[-1], PROOF] != UNPROVED:
            self.steps.append(
                TraceStep(
                    "proof", path[-1], proofs=(_proof(tree, path[-1]),), iteration=self.iteration
                )
            )
        self.iteration += 1

    def back_up_proof(self, tree: Tree, length: int, graded: bool) -> None:
        """Record what a finished game proves of its node and of those above it."""
        path = [int(node) for node in tree.path[:length]]
        before = {node for node in path if tree.node[node, PROOF] != UNPROVED}
        back_up_proof(tree, length, graded)
        new = tuple(
            _proof(tree, node)
            for node in reversed(path)
            if node not in before and tree.node[node, PROOF] != UNPROVED
        )
        if new:
            last = self.steps.pop()
            assert last.proofs
            self.steps.append(
                TraceStep("proof", path[-1], proofs=last.proofs + new, iteration=self.iteration - 1)
            )

    def finish(
        self, tree: Tree, line: tuple[int, ...]
    ) -> tuple[tuple[Node, ...], tuple[TraceStep, ...]]:
        """Return the tree and the steps once the search is over."""
        nodes: list[Node] = []
        with_children = set(self.parents)
        on_line = self._nodes_of(tree, line)
        for number, parent in enumerate(self.parents):
            row = [int(value) for value in tree.node[number]]
            state = self.states[number]
            over = self.rules.result(state) != GOING_ON
            proved = row[PROOF] != UNPROVED
            move = None if parent is None else row[MOVE]
            nodes.append(
                Node(
                    number,
                    parent,
                    0 if parent is None else nodes[parent].ply + 1,
                    int(self.rules.mover(state)),
                    "end" if over else "inner" if number in with_children else "leaf",
                    None if move is None else self.rules.move_text(move),
                    Diagram.of(
                        self.rules, state, None if parent is None else self.states[parent], move
                    ),
                    on_line=number in on_line,
                    player=row[PLAYER],
                    visits=row[VISITS],
                    reward=row[REWARD] / 2,
                    proof=row[PROOF] if proved else None,
                    distance=row[DISTANCE] if proved else None,
                )
            )
        return tuple(nodes), tuple(self.steps)

    @staticmethod
    def _nodes_of(tree: Tree, line: tuple[int, ...]) -> set[int]:
        found, node = {0}, 0
        for move in line:
            below = [child for child in children(tree, node) if tree.node[child, MOVE] == move]
            if not below:
                break
            node = below[0]
            found.add(node)
        return found


def _proof(tree: Tree, node: int) -> Proof:
    return Proof(node, int(tree.node[node, PROOF]), int(tree.node[node, DISTANCE]))


def record_growth(
    position: Position, iterations: int, exploration: float, seed: int, stop: Stop
) -> tuple[Growth, Tree, Analysis]:
    """Run the engine `mcts:iterations=…,exploration=…,seed=…` and record it until `stop` is set."""
    search = Mcts(iterations=iterations, exploration=exploration, seed=seed, keep=False)
    engine = f"mcts:iterations={iterations},exploration={exploration},seed={seed}"
    task = Task(position, Limit(), Stop(), lambda analysis: None, engine=engine)
    grower = Grower(search, task, 0)
    growth = Growth(position.rules, grower.state, stop)
    grower._grow = MethodType(rebound(Grower._grow, {"grow": growth.grow}), grower)  # type: ignore[method-assign]
    grower.grow_on(iterations)
    return growth, grower.tree, summarise(task, [grower])
