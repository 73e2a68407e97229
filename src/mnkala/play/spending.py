"""What a side spent on its moves: their number, the time they took, and the nodes that a search
visited."""

from __future__ import annotations

import dataclasses
from typing import Any

from mnkala.numbers import counted


@dataclasses.dataclass(frozen=True)
class Spent:
    """What one side spent in one game or more."""

    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    """The seconds of the longest move."""

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.moves + other.moves,
            self.nodes + other.nodes,
            self.seconds + other.seconds,
            max(self.longest, other.longest),
        )

    def after(self, nodes: int, seconds: float) -> Spent:
        """The same with one more move."""
        return self + Spent(1, nodes, seconds, seconds)

    @property
    def mean(self) -> float:
        """The mean number of seconds for a move."""
        return self.seconds / self.moves if self.moves else 0.0

    def as_json(self) -> dict[str, Any]:
        """The values for programs; seconds to the microsecond."""
        return {
            "moves": self.moves,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "mean_seconds": round(self.mean, 6),
            "longest_seconds": round(self.longest, 6),
        }

    def __str__(self) -> str:
        nodes = f", {self.nodes:,} nodes" if self.nodes else ""
        return f"{counted(self.moves, 'move')}, mean {in_seconds(self.mean)}, longest {in_seconds(self.longest)}{nodes}"


def in_seconds(seconds: float) -> str:
    """A short time in words: `0.4 ms`, `35 ms`, `2.1 s`."""
    return (
        f"{seconds:.1f} s"
        if seconds >= 1
        else f"{1000 * seconds:.0f} ms"
        if seconds >= 0.01
        else f"{1000 * seconds:.1f} ms"
    )
