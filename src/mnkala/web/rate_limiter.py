"""A token bucket for each person: so many actions a second, and a few more in a burst."""

from __future__ import annotations

import time
from collections.abc import Callable

MOST_REMEMBERED = 10_000
"""People whose buckets are remembered; those that are full again are forgotten first."""


class RateLimiter:
    """Limits how often each person may act."""

    def __init__(self, per_second: float, at_once: int, now: Callable[[], float] = time.monotonic) -> None:
        self.per_second = per_second
        self.at_once = at_once
        self._now = now
        self._buckets: dict[str, tuple[float, float]] = {}

    def allows(self, person: str) -> bool:
        """Whether a person may do one thing more now; if so it is counted."""
        now = self._now()
        if len(self._buckets) >= MOST_REMEMBERED:
            self._buckets = {other: bucket for other, bucket in self._buckets.items() if self._tokens(bucket, now) < self.at_once}
        tokens = self._tokens(self._buckets.get(person, (self.at_once, now)), now)
        if tokens < 1:
            return False
        self._buckets[person] = tokens - 1, now
        return True

    def _tokens(self, bucket: tuple[float, float], now: float) -> float:
        tokens, since = bucket
        return min(self.at_once, tokens + (now - since) * self.per_second)
