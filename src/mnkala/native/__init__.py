"""Where plain Python becomes native code: the bridge to Numba, and the only package that knows how
it works.

A *native class* is an ordinary class with ordinary methods (a game's rules, a heuristic); a *shared
function* is an ordinary function; a *kernel* is a function that is compiled on its first call and
kept on disk. All three run unchanged in plain Python, which is how `Position` plays moves without
ever waiting for a compiler and how a kernel is debugged.
"""

from mnkala.native.bits import (
    Wide,
    highest_bit,
    load,
    low,
    lowest_bit,
    mix,
    popcount,
    prefetch,
    store,
    width,
)
from mnkala.native.kernels import kernel, plain
from mnkala.native.objects import NativeClass, inlined, native, shared

__all__ = [
    "NativeClass",
    "Wide",
    "highest_bit",
    "inlined",
    "kernel",
    "load",
    "low",
    "lowest_bit",
    "mix",
    "native",
    "plain",
    "popcount",
    "prefetch",
    "shared",
    "store",
    "width",
]
