"""Words and numbers: compiled code must not mix the two kinds (the sum of an int64 and a uint64 is a float there)."""

from __future__ import annotations

import numpy as np

from mnkala.native import shared

ZERO, ONE = np.uint64(0), np.uint64(1)
SPREAD = 0x9E3779B97F4A7C15
"""An odd word without pattern: the golden ratio's, after Knuth's multiplicative hashing."""


@shared
def signed(word: np.uint64) -> int:
    """A word that holds a small number, as a number."""
    return np.int64(word)  # type: ignore[return-value]
