"""A chess clock: time for each side, an increment for each move. It is told the time, so that it can be tested without waiting."""

from __future__ import annotations

import dataclasses

SHARE_OF_LEFT, SHARE_OF_INCREMENT = 1 / 25, 0.8
"""What an engine spends on a move: a share of what is left, and most of what it will get back."""
SAFETY_SECONDS = 0.05


@dataclasses.dataclass
class Clock:
    """Seconds left for both sides; `running` is the side whose time passes since `since`."""

    seconds: float
    increment: float
    left: list[float]
    running: int | None = None
    since: float = 0.0

    @classmethod
    def of(cls, seconds: float, increment: float) -> Clock:
        """A new clock."""
        return cls(seconds, increment, [seconds, seconds])

    def remaining(self, player: int, now: float) -> float:
        """Seconds left for a side at a time."""
        passed = now - self.since if player == self.running else 0.0
        return max(0.0, self.left[player] - passed)

    def start(self, player: int, now: float) -> None:
        """Let a side's time pass."""
        self.stop(now)
        self.running, self.since = player, now

    def stop(self, now: float) -> None:
        """Nobody's time passes."""
        if self.running is not None:
            self.left[self.running] = self.remaining(self.running, now)
        self.running = None

    def moved(self, player: int, now: float) -> None:
        """A side has made its move in time and gets the increment."""
        self.stop(now)
        self.left[player] += self.increment

    def swap(self) -> None:
        """The players change sides and take their times along."""
        self.left.reverse()
        self.running = None if self.running is None else 1 - self.running

    def budget(self, player: int, now: float) -> float:
        """Seconds that an engine may spend on its next move."""
        left = self.remaining(player, now)
        return max(0.01, min(left - SAFETY_SECONDS, left * SHARE_OF_LEFT + self.increment * SHARE_OF_INCREMENT))
