"""Where plain Python becomes native code: the bridge to Numba, and the only package that knows how
it works.

A *native class* is an ordinary class with ordinary methods (a game's rules, a heuristic); a *shared
function* is an ordinary function; a *kernel* is a function that is compiled on its first call and
kept on disk. All three run unchanged in plain Python, which is how `Position` plays moves without
ever waiting for a compiler and how a kernel is debugged. Tricks with bits for which a processor has
an instruction are shared functions too.
"""

from __future__ import annotations

import numpy as np

from mnkala.native.kernels import kernel, plain
from mnkala.native.objects import NativeClass, native, shared

__all__ = [
    "NativeClass",
    "highest_bit",
    "kernel",
    "lowest_bit",
    "mix",
    "native",
    "plain",
    "popcount",
    "prefetch",
    "shared",
]

WORD = (1 << 64) - 1
MIX_1, MIX_2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def popcount(bits: np.uint64) -> int:
    """The number of bits that are set in a 64-bit word."""
    return int(bits).bit_count()


def lowest_bit(bits: np.uint64) -> int:
    """The index of the lowest set bit; `bits` must not be zero."""
    number = int(bits)
    return (number & -number).bit_length() - 1


def highest_bit(bits: np.uint64) -> int:
    """The index of the highest set bit; `bits` must not be zero."""
    return int(bits).bit_length() - 1


def mix(word: np.uint64) -> np.uint64:
    """Scatter a word over all 64 bits, invertibly: the finaliser of SplitMix64 (Steele, Lea and
    Flood 2014).
    """
    number = int(word)
    number = ((number ^ (number >> 30)) * MIX_1) & WORD
    number = ((number ^ (number >> 27)) * MIX_2) & WORD
    return np.uint64(number ^ (number >> 31))


def prefetch(words: np.ndarray, place: int) -> None:
    """Tell the processor that `words[place]` will be needed soon, so that it is fetched from
    memory while other work continues."""
