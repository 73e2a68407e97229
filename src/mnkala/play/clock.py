"""The time of a game: the clocks of the players, and what each side spent on its moves."""

from __future__ import annotations

import dataclasses
from typing import Any

from mnkala.numbers import counted

SHARE_OF_LEFT, SHARE_OF_INCREMENT = 1 / 25, 0.8
"""The share of the remaining time that an engine spends on a move, and the share of the increment."""
SAFETY_SECONDS = 0.05


@dataclasses.dataclass(frozen=True)
class Clock:
    """The seconds that both sides have left; `running` is the side whose time has been passing
    since `since`."""

    seconds: float
    increment: float
    left: tuple[float, float]
    running: int | None = None
    since: float = 0.0

    @classmethod
    def of(cls, seconds: float, increment: float) -> Clock:
        """A full clock that is not running."""
        return cls(seconds, increment, (seconds, seconds))

    def remaining(self, player: int, now: float) -> float:
        """The seconds that a side has left at the given time."""
        passed = now - self.since if player == self.running else 0.0
        return max(0.0, self.left[player] - passed)

    def started(self, player: int | None, now: float) -> Clock:
        """The clock when a side's time, or nobody's, begins to pass."""
        return dataclasses.replace(
            self,
            left=(self.remaining(0, now), self.remaining(1, now)),
            running=player,
            since=0.0 if player is None else now,
        )

    def moved(self, player: int, now: float) -> Clock:
        """The clock after a side has moved in time: it is stopped, and the side gets its
        increment."""
        first, second = (
            self.remaining(side, now) + self.increment * (side == player) for side in (0, 1)
        )
        return dataclasses.replace(self, left=(first, second), running=None, since=0.0)

    def swapped(self) -> Clock:
        """The clock after the players have changed sides, keeping their times."""
        return dataclasses.replace(
            self, left=self.left[::-1], running=None if self.running is None else 1 - self.running
        )

    def budget(self, player: int, now: float) -> float:
        """The seconds that an engine may spend on its next move."""
        left = self.remaining(player, now)
        return max(
            0.01,
            min(left - SAFETY_SECONDS, left * SHARE_OF_LEFT + self.increment * SHARE_OF_INCREMENT),
        )


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
        """What was spent after one more move."""
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
