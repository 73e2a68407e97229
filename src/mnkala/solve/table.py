"""A solver's memory: both bounds of a position in one word, in buckets that keep what was most work.

A key is multiplied by an odd number, which loses nothing: the top bits of the product choose the
bucket, and the others are kept in the word, so that an entry is never taken for another position's.
Word: the rest of the key, 4 bits of work, 7 bits each for the lower and the upper bound.

Entries are as wide as the keys. One of 64 bits is read and written whole, so that two threads can
share the table without a lock. A wide one is not, so its table is for one thread.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from mnkala.native import kernel, load, low, prefetch, shared, store, width
from mnkala.native.bits import WORD_BITS
from mnkala.native.objects import WordArray

# ---- Words and numbers ----
#
# Compiled code must not mix the two kinds: the sum of an int64 and a uint64 is a float there.


ZERO, ONE = np.uint64(0), np.uint64(1)
SPREAD = 0x9E3779B97F4A7C15
WIDE_SPREAD = 0x9E3779B97F4A7C15F39CC0605CEDC835
"""Odd words without pattern: the golden ratio's, after Knuth's multiplicative hashing."""


@shared
def signed(word: np.uint64) -> int:
    """Read a word, of either width, that holds a small number."""
    return np.int64(low(word))  # type: ignore[return-value]


# ---- The table ----


WAYS = 4
"""The number of entries in a bucket: half a cache line, or a whole one of wide entries."""
PAYLOAD = np.uint64(18)
WORK_SHIFT, LOWER_SHIFT, BOUND_MASK, WORK_MASK = (
    np.uint64(14),
    np.uint64(7),
    np.uint64(127),
    np.uint64(15),
)
OFFSET = 64
"""Added to a bound, so that it is never negative and no entry is zero."""
SMALLEST = 8
"""The number of buckets of the smallest table, as a power of two."""


class Keys(Protocol):
    """Describes the keys of a table. Any native class with these fields will do, such as the shape
    of a board."""

    @property
    def bits(self) -> np.uint64:
        """The number of bits in a key."""

    @property
    def mask(self) -> np.uint64:
        """A mask of all bits of a key."""

    @property
    def spread(self) -> np.uint64:
        """The odd factor that scatters keys over the table."""


def smallest_size(keys: Keys) -> int:
    """The smallest number of buckets, as a power of two, with which the rest of a key fits a
    word."""
    return max(SMALLEST, int(keys.bits) - (WORD_BITS * width(keys.mask) - int(PAYLOAD)))


@shared
def scattered(key: np.uint64, keys: Keys) -> np.uint64:
    """A word of as many bits as a key, different for every key."""
    return (key * keys.spread) & keys.mask


@shared
def fetch(key: np.uint64, words: WordArray, size: int, keys: Keys) -> None:
    """Let the processor fetch a key's bucket in advance."""
    bucket = signed(scattered(key, keys) >> (keys.bits - np.uint64(size))) * WAYS
    prefetch(words, bucket * width(key))


@shared
def find(key: np.uint64, words: WordArray, size: int, keys: Keys) -> np.uint64:
    """The entry of a key, or zero."""
    word = scattered(key, keys)
    shift = keys.bits - np.uint64(size)
    bucket = signed(word >> shift) * WAYS
    rest = word & (keys.mask >> np.uint64(size))
    for i in range(WAYS):
        entry = load(words, bucket + i, word)
        if entry >> PAYLOAD == rest and entry != ZERO:
            return entry
    return word & ZERO


@shared
def lower_bound(entry: np.uint64) -> int:
    """The lower bound of the score of an entry's position."""
    return signed((low(entry) >> LOWER_SHIFT) & BOUND_MASK) - OFFSET


@shared
def upper_bound(entry: np.uint64) -> int:
    """The upper bound of the score of an entry's position."""
    return signed(low(entry) & BOUND_MASK) - OFFSET


@shared
def keep(
    key: np.uint64, lower: int, upper: int, nodes: int, words: WordArray, size: int, keys: Keys
) -> int:
    """Write an entry over the one with the same key, an empty one, or the one that took the
    least work; return 1 if it was empty."""
    word = scattered(key, keys)
    shift = keys.bits - np.uint64(size)
    work = 0
    while nodes > 1 and work < 15:
        nodes >>= 1
        work += 1
    payload = (
        (np.uint64(work) << WORK_SHIFT)
        | (np.uint64(lower + OFFSET) << LOWER_SHIFT)
        | np.uint64(upper + OFFSET)
    )
    rest = word & (keys.mask >> np.uint64(size))
    return _put(rest, payload, signed(word >> shift) * WAYS, words)


@shared
def _put(rest: np.uint64, payload: np.uint64, bucket: int, words: WordArray) -> int:
    place, least = bucket, np.uint64(99)
    was_empty = 0
    for i in range(WAYS):
        entry = load(words, bucket + i, rest)
        if entry == ZERO or entry >> PAYLOAD == rest:
            place = bucket + i
            was_empty = 1 if entry == ZERO else 0
            break
        work = (low(entry) >> WORK_SHIFT) & WORK_MASK
        if work < least:
            place, least = bucket + i, work
    store(words, place, (rest << PAYLOAD) | payload)
    return was_empty


@kernel
def grow(words: WordArray, size: int, larger: int, keys: Keys) -> int:
    """Make the first 2^larger buckets of `words` the table, with everything that the first
    2^size hold. This works from the top down, because what a bucket holds goes to buckets of the
    same or a higher number."""
    none = keys.mask & ZERO
    entry_words = width(none)
    words[(WAYS << size) * entry_words : (WAYS << larger) * entry_words] = ZERO
    shift, new_shift = keys.bits - np.uint64(size), keys.bits - np.uint64(larger)
    held = np.zeros(WAYS * entry_words, np.uint64)
    count = 0
    for bucket in range((1 << size) - 1, -1, -1):
        for i in range(WAYS):
            store(held, i, load(words, bucket * WAYS + i, none))
            store(words, bucket * WAYS + i, none)
        for i in range(WAYS):
            entry = load(held, i, none)
            if entry != ZERO:
                word = ((none | np.uint64(bucket)) << shift) | (entry >> PAYLOAD)
                payload = low(entry) & ((ONE << PAYLOAD) - ONE)
                count += _put(
                    word & (keys.mask >> np.uint64(larger)),
                    payload,
                    signed(word >> new_shift) * WAYS,
                    words,
                )
    return count


def keys_in(words: WordArray, size: int, keys: Keys) -> WordArray:
    """The keys of all positions in the first 2^size buckets, which can be read back because
    nothing of a key is lost."""
    words = words[: WAYS << size]
    places = np.flatnonzero(words)
    shift = keys.bits - np.uint64(size)
    whole = (places.astype(np.uint64) // np.uint64(WAYS) << shift) | (words[places] >> PAYLOAD)
    inverse = np.uint64(pow(int(keys.spread), -1, 1 << int(keys.bits)))
    with np.errstate(over="ignore"):
        found: WordArray = (whole * inverse) & keys.mask
    return found
