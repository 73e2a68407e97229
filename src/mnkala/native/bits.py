"""Wide words, and bit tricks that a processor has an instruction for, each with a plain-Python body
of the same meaning.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

WORD = (1 << 64) - 1
MIX_1, MIX_2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
WORD_BITS = 64


_ANY_WORD: Any = object


class Wide(_ANY_WORD):  # type: ignore[misc]  # Type checkers accept it wherever a word is expected.
    """An unsigned word of 128 bits, which compiled code keeps in two registers.

    It mixes with `np.uint64`, which is extended by zeros: `~ZERO` has 64 ones even next to a wide
    word. It may be shifted by any number of bits.
    """

    __slots__ = ("number",)
    __array_ufunc__ = None  # NumPy's words then leave an operation with a wide one to this class.

    def __init__(self, number: Any) -> None:
        self.number = int(number) & (1 << 2 * WORD_BITS) - 1

    @property
    def low(self) -> int:
        """The lower 64 bits."""
        return self.number & WORD

    @property
    def high(self) -> int:
        """The upper 64 bits."""
        return self.number >> WORD_BITS

    def __int__(self) -> int:
        return self.number

    def __invert__(self) -> Wide:
        return Wide(~self.number)

    def __hash__(self) -> int:
        return hash(self.number)


WIDE_RESULTS = (
    operator.and_,
    operator.or_,
    operator.xor,
    operator.add,
    operator.sub,
    operator.mul,
    operator.lshift,
    operator.rshift,
)
"""The operators whose result is a wide word; the others compare."""
WIDE_TESTS = (operator.eq, operator.ne, operator.lt, operator.gt)


def _define(compute: Callable[[Any, Any], Any], made: type) -> None:
    """Define an operator of `Wide`, with the wide word on either side; `made` is the type of its
    result."""
    name = compute.__name__.strip("_")
    setattr(Wide, f"__{name}__", lambda self, other: made(compute(self.number, int(other))))
    if made is Wide:
        setattr(Wide, f"__r{name}__", lambda self, other: made(compute(int(other), self.number)))


for _compute in WIDE_RESULTS:
    _define(_compute, Wide)
for _compute in WIDE_TESTS:
    _define(_compute, bool)


def low(word: Any) -> np.uint64:
    """The lower 64 bits of a word."""
    return np.uint64(int(word) & WORD)


def width(word: Any) -> int:
    """The number of 64-bit words that a word takes: 1, or 2 if it is wide."""
    return 2 if isinstance(word, Wide) else 1


def load(words: np.ndarray, place: int, like: Any) -> Any:
    """Word number `place` of an array of words that are all as wide as `like`."""
    if not isinstance(like, Wide):
        return words[place]
    return Wide(int(words[2 * place]) | int(words[2 * place + 1]) << WORD_BITS)


def store(words: np.ndarray, place: int, word: Any) -> None:
    """Write word number `place` of an array of words that are all as wide as this one."""
    if isinstance(word, Wide):
        words[2 * place], words[2 * place + 1] = word.low, word.high
    else:
        words[place] = word


def popcount(bits: np.uint64) -> int:
    """The number of bits that are set in a word."""
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
