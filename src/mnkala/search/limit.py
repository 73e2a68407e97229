"""When a search must stop: a depth, a number of nodes, a time, or a flag that another thread
sets."""

from __future__ import annotations

import dataclasses
import math
import weakref

import numpy as np

from mnkala.core import Rules
from mnkala.errors import BadEngine, MnkalaError
from mnkala.numbers import LARGEST

DEEPEST = 1000
"""No search looks further ahead than this many plies; buffers are sized by it."""
LONGEST = 10**8
"""The longest time in seconds, three years: clocks of threads cannot count much further."""
MOST_BITS = 64
"""The depth beyond which no bound on the nodes of a search says anything."""


class Stopped(MnkalaError):
    """Nobody needs the answer any longer."""


class Stop:
    """A flag that compiled code can see; once set it stays set. It also shows its holder how far
    the search has come."""

    def __init__(self, parent: Stop | None = None) -> None:
        """Make a flag of its own, or one that is also set whenever its parent is."""
        self.flag = np.zeros(1, dtype=np.int64)
        self._counters: list[np.ndarray] = []
        self._children: weakref.WeakSet[Stop] = weakref.WeakSet()
        if parent is not None:
            parent._children.add(self)
            if parent.is_set():  # after it was added, so that it cannot be missed
                self.set()

    def set(self) -> None:
        """Ask every search that holds this flag to finish."""
        self.flag[0] = 1
        for child in list(self._children):
            child.set()

    def watch(self, counter: np.ndarray) -> None:
        """Give a search an array in whose first place it counts its nodes."""
        if not any(each is counter for each in self._counters):
            self._counters.append(counter)

    def share_counters(self, other: Stop) -> None:
        """Show the counters of another flag."""
        self._counters = other._counters

    def nodes(self) -> int:
        """The nodes that the searches under this flag, and under those that depend on it, have
        visited so far."""
        below = (child for child in list(self._children) if child._counters is not self._counters)
        return sum(int(counter[0]) for counter in self._counters) + sum(
            child.nodes() for child in below
        )

    def is_set(self) -> bool:
        """Whether somebody asked to stop."""
        return bool(self.flag[0])

    def check(self) -> None:
        """Raise Stopped if somebody asked to stop; for work in Python that is useless when
        unfinished."""
        if self.is_set():
            raise Stopped("this was stopped before it was done")


@dataclasses.dataclass(frozen=True)
class Limit:
    """Limits of a search; the first one reached ends it. Without any, a search uses its own
    default depth."""

    depth: int | None = None
    """The number of plies to search ahead."""
    nodes: int | None = None
    """The number of nodes to visit."""
    time: float | None = None
    """The seconds, counted from the moment when everything is compiled."""
    stop: Stop | None = None
    """A flag that the caller may set to stop the search."""

    def __post_init__(self) -> None:
        if self.depth is not None and not 1 <= self.depth <= DEEPEST:
            text = f"a depth of {self.depth}; depths are 1 to {DEEPEST}"
            raise BadEngine(text, "error.depth", depth=self.depth, most=DEEPEST)
        if self.nodes is not None and not 1 <= self.nodes <= LARGEST:
            text = f"a limit of {self.nodes} nodes; 1 to {LARGEST} are possible"
            raise BadEngine(text, "error.nodes", nodes=self.nodes, most=LARGEST)
        if self.time is not None and not 0 < self.time <= LONGEST:
            raise BadEngine(
                f"a time of {self.time} seconds; it must be more than 0 and at most {LONGEST:,}",
                "error.time",
                seconds=str(self.time),
                most=f"{LONGEST:,}",
            )

    @property
    def depth_only(self) -> bool:
        """Whether nothing but the depth can end the search early."""
        return self.nodes is None and self.time is None and self.stop is None


def nodes_to_depth(rules: Rules, limit: Limit) -> float:
    """An estimate of the most positions that a search within the depth of a limit can visit;
    infinite without a depth."""
    if limit.depth is None or limit.depth > MOST_BITS:
        return math.inf
    return float(max(2, rules.most_moves()) ** limit.depth)


def depth_for_nodes(rules: Rules, nodes: int, pruning_factor: float = 0.75) -> int:
    """Report 002's depth for a node limit L: D <= log_C(L / (C R)) / F, for C moves in a
    position and a cost of C R for each node.

    The pruning factor F lies between 0.5 (perfect move ordering) and 1 (no pruning).
    """
    if not 0.5 <= pruning_factor <= 1:
        raise BadEngine(f"a pruning factor of {pruning_factor}; it lies between 0.5 and 1")
    branching = max(2, rules.most_moves())
    cells = branching * getattr(rules, "rows", 1)
    return min(DEEPEST, max(1, int(math.log(max(1.0, nodes / cells), branching) / pruning_factor)))
