"""Waiting for something that another process or thread does."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 120.0


def wait_until(holds: Callable[[], object], what: str) -> None:
    """Wait until something holds; a hang becomes a failure that says what was waited for."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"not so within {PATIENCE:g} s: {what}")
        time.sleep(0.02)
