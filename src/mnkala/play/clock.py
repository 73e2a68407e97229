"""A chess clock: time for each side, and an increment for each move. The caller passes the
current time, so that it can be tested without waiting."""

from __future__ import annotations

import dataclasses

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
