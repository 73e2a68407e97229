"""Watches minimax and alpha-beta at work: the engine's own code runs, with recorders in place of
the functions that it calls.

A kernel is a plain Python function until Numba compiles it. Here that same function runs uncompiled
in a copy of its module's names, where its own name (the recursion), `list_moves`, `extend_line`,
`evaluate` and `end_value` lead through a recorder. The root is Python anyway; its `below` and its
creation of a `Root` are redirected in the same way.

So nothing of the search is written twice. What the recorder cannot see from the calls, for instance
that a value was not the best, it works out and checks against the values that the code returns.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from msgspec.structs import replace

from mnkala.core import Position, Rules
from mnkala.errors import MnkalaError
from mnkala.native import plain
from mnkala.search.analysis import Analysis
from mnkala.search.buffers import CUTOFFS, Buffers, evaluate, extend_line
from mnkala.search.candidates import list_moves
from mnkala.search.limit import Limit, Stop
from mnkala.search.minimax import AlphaBeta, FixedDepth, Minimax, alphabeta, minimax
from mnkala.search.root import Root, Task
from mnkala.search.values import INFINITY, end_value
from mnkala.trace.model import Diagram, Kind, Node, TraceStep, value_text

# ---- Watching a search without writing it twice ----


def rebound(function: Callable[..., Any], names: Mapping[str, Any]) -> Callable[..., Any]:
    """Copy a function or kernel, uncompiled, and replace some of its module's names in the copy.

    Every name must be one that the function uses: a recorder that nothing calls would be a mistake.
    """
    own = plain(function)
    unused = set(names) - set(own.__code__.co_names)
    if unused:
        raise LookupError(f"{own.__name__} does not use {', '.join(sorted(unused))}")
    made: Any = types.FunctionType(
        own.__code__, {**own.__globals__, **names}, own.__name__, own.__defaults__, own.__closure__
    )
    return made


# ---- The recorder ----


SEPARATE_CUTS = 6
"""The most untried moves of a cut node that are shown one by one; more are bundled into one node."""


class TooLarge(MnkalaError):
    """A tree has more nodes than can be shown."""


@dataclasses.dataclass
class Open:
    """The state of a node while the search is in or below it."""

    id: int
    parent: Open | None
    ply: int
    move: int | None
    state: Any
    mover: int
    alpha: int | None
    beta: int | None
    kind: Kind = "inner"
    moves: tuple[int, ...] = ()
    entered: int = 0
    best: int = -INFINITY
    raised: int | None = None
    """The current value of alpha."""
    cutoffs: int = 0
    """The number of cut-offs in the whole search when a child last returned."""
    value: int | None = None
    best_child: Open | None = None
    skipped: tuple[int, ...] = ()

    @property
    def bound(self) -> str | None:
        """Whether the value is exact or a bound, judged by the window."""
        if self.value is None or self.alpha is None or self.beta is None:
            return None
        return (
            "upper" if self.value <= self.alpha else "lower" if self.value >= self.beta else "exact"
        )


class Recorder:
    """Records one search of a fixed depth."""

    def __init__(self, rules: Rules, most: int, stop: Stop) -> None:
        self.rules, self.most, self.stop = rules, most, stop
        self.nodes: list[Open] = []
        self.cut: list[tuple[Open, tuple[int, ...]]] = []
        self.path: list[Open] = []
        self.steps: list[TraceStep] = []

    # ---- Functions that the search calls in place of its own ----

    def begin(self, task: Task, *rest: Any) -> Root:
        """Create the `Root` and record its position as the first node."""
        root = Root(task, *rest)
        node = self._open(root.state, None, None, 0)
        node.moves = tuple(node.move for node in root.nodes)
        return root

    def kernel(self, own: Callable[..., int]) -> Callable[..., int]:
        """Wrap the kernel, for its recursion and for the root."""
        names = plain(own).__code__.co_varnames
        replaced: dict[str, Any] = {
            "list_moves": self.list_moves,
            "extend_line": self.extend_line,
            "evaluate": self.evaluate,
            "end_value": self.end_value,
        }

        def enter(*arguments: Any) -> int:
            call = dict(zip(names, arguments, strict=False))
            buffers: Buffers = call["buffers"]
            self._enter(call["state"], call.get("alpha"), call.get("beta"), buffers)
            value = int(body(*arguments))
            self._leave(value, buffers)
            return value

        replaced[own.__name__] = enter
        body = rebound(own, replaced)
        return enter

    def list_moves(self, *arguments: Any) -> int:
        """List the moves of the current node and record them."""
        count = list_moves(*arguments)
        buffers, ply = arguments[-2:]
        self.path[-1].moves = tuple(int(move) for move in buffers.moves[ply, :count])
        return count

    def extend_line(self, buffers: Buffers, ply: int, move: int) -> None:
        """Record that the current node found a better move, which in alpha-beta raises alpha."""
        node = self.path[-1]
        step = self.steps[-1]
        assert (step.event, step.node, node.moves[node.entered - 1]) == ("update", node.id, move)
        self._raise(node)
        extend_line(buffers, ply, move)

    def evaluate(self, *arguments: Any) -> int:
        """Evaluate the current node and record that it is a leaf."""
        self.path[-1].kind = "leaf"
        with np.errstate(over="ignore"):  # Words lose their carry, as in compiled code.
            return evaluate(*arguments)

    def end_value(self, *arguments: Any) -> int:
        """Record that the game is over at the current node, and its value."""
        self.path[-1].kind = "end"
        return end_value(*arguments)

    # ---- Recording ----

    def _open(self, state: Any, alpha: int | None, beta: int | None, cutoffs: int) -> Open:
        parent = self.path[-1] if self.path else None
        move = None if parent is None else parent.moves[parent.entered]
        node = Open(
            len(self.nodes),
            parent,
            len(self.path),
            move,
            self.rules.copy(state),
            int(self.rules.mover(state)),
            alpha,
            beta,
            raised=alpha,
            cutoffs=cutoffs,
        )
        if parent is not None:
            parent.entered += 1
        self.nodes.append(node)
        self.stop.check()
        if len(self.nodes) > self.most:
            raise TooLarge
        self.path.append(node)
        self.steps.append(TraceStep("enter", node.id, alpha=alpha, beta=beta))
        return node

    def _enter(self, state: Any, alpha: Any, beta: Any, buffers: Buffers) -> None:
        if len(self.path) == 1 and alpha is not None and self.path[0].alpha is None:
            self._give_root_a_window()
        self._open(
            state,
            None if alpha is None else int(alpha),
            None if beta is None else int(beta),
            int(buffers.counters[CUTOFFS]),
        )

    def _give_root_a_window(self) -> None:
        root = self.path[0]
        root.alpha, root.beta, root.raised = -INFINITY, INFINITY, -INFINITY
        self.steps[0] = replace(self.steps[0], alpha=-INFINITY, beta=INFINITY)

    def _leave(self, value: int, buffers: Buffers) -> None:
        """Leave the current node and record its value."""
        cutoffs = int(buffers.counters[CUTOFFS])
        node = self.path[-1]
        if cutoffs > node.cutoffs:
            self._note_cut(node)
        assert node.kind != "inner" or value == node.best
        self.path.pop()
        node.value = value
        self.steps.append(TraceStep("value", node.id, value=value))
        parent = node.parent
        assert parent is not None
        parent.cutoffs = cutoffs
        heard = value if node.mover == parent.mover else -value
        if heard > parent.best:
            parent.best = heard
            self.steps.append(
                TraceStep(
                    "update",
                    parent.id,
                    child=node.id,
                    value=heard,
                    alpha=parent.raised,
                    beta=parent.beta,
                    raises=False,
                )
            )
            if (
                parent.parent is None
            ):  # The root is Python and keeps the first of its best moves; its value becomes alpha.
                self._raise(parent)

    def _raise(self, node: Open) -> None:
        """Mark the last step as an improvement that raised alpha."""
        step = self.steps[-1]
        assert step.child is not None
        node.best_child = self.nodes[step.child]
        if node.alpha is not None:
            node.raised = node.best
        self.steps[-1] = replace(step, alpha=node.raised, raises=True)

    def _note_cut(self, node: Open) -> None:
        """Record the moves that the current node will no longer try. Their nodes are numbered when
        the search is over."""
        left = node.moves[node.entered :]
        bundles = [(move,) for move in left] if len(left) <= SEPARATE_CUTS else [left]
        first = len(self.cut)
        self.cut += [(node, bundle) for bundle in bundles]
        node.skipped = tuple(range(first, len(self.cut)))
        self.steps.append(
            TraceStep(
                "cut",
                node.id,
                value=node.best,
                alpha=node.raised,
                beta=node.beta,
                skipped=node.skipped,
                moves=tuple(self.rules.move_text(move) for move in left),
            )
        )

    def finish(self) -> tuple[tuple[Node, ...], tuple[TraceStep, ...]]:
        """Return the tree and the steps once the search is over."""
        root = self.path.pop()
        assert not self.path
        root.value = root.best
        self.steps.append(TraceStep("value", root.id, value=root.best))
        line = set()
        node: Open | None = root
        while node is not None:
            line.add(node.id)
            node = node.best_child
        seen = len(self.nodes)
        nodes = [
            Node(
                node.id,
                None if node.parent is None else node.parent.id,
                node.ply,
                node.mover,
                node.kind,
                None if node.move is None else self.rules.move_text(node.move),
                Diagram.of(
                    self.rules,
                    node.state,
                    None if node.parent is None else node.parent.state,
                    node.move,
                ),
                node.value,
                value_text(self.rules, node.value, node.mover, self.nodes[0].mover),
                node.bound,  # type: ignore[arg-type]
                node.alpha,
                node.beta,
                node.id in line,
            )
            for node in self.nodes
        ]
        nodes += [
            Node(
                seen + number,
                parent.id,
                parent.ply + 1,
                1 - parent.mover,
                "cut",
                self._cut_text(moves),
                cut_moves=tuple(self.rules.move_text(move) for move in moves),
            )
            for number, (parent, moves) in enumerate(self.cut)
        ]
        steps = [
            step
            if not step.skipped
            else replace(step, skipped=tuple(seen + number for number in step.skipped))
            for step in self.steps
        ]
        return tuple(nodes), tuple(steps)

    def _cut_text(self, moves: tuple[int, ...]) -> str:
        return self.rules.move_text(moves[0]) if len(moves) == 1 else f"+{len(moves)}"


KERNELS: dict[str, tuple[type[FixedDepth], Callable[..., int]]] = {
    "minimax": (Minimax, minimax),
    "alphabeta": (AlphaBeta, alphabeta),
}


def record(
    position: Position, algorithm: str, depth: int, heuristic: str, most: int, stop: Stop
) -> tuple[Recorder, Analysis]:
    """Run the engine `algorithm:depth=…,heuristic=…` and record it until `stop` is raised."""
    cls, own = KERNELS[algorithm]
    recorder = Recorder(position.rules, most, stop)
    watched = type(
        cls.__name__,
        (cls,),
        {
            "below": rebound(cls.below, {own.__name__: recorder.kernel(own)}),
            "run": rebound(cls.run, {"Root": recorder.begin}),
        },
    )
    search = watched(heuristic=heuristic)
    limit = Limit(depth=depth)
    analysis = search.run(
        Task(
            position,
            limit,
            Stop(),
            lambda analysis: None,
            engine=f"{algorithm}:heuristic={heuristic},depth={depth}",
        )
    )
    return recorder, analysis
