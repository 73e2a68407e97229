"""Around whatever loads or compiles kernels: afterwards Python's garbage collector need not look at it again.

Numba leaves some 200,000 objects that live as long as the process. A full collection visits each of them, takes 40 to 150 ms, holds the
interpreter's lock and comes when it likes: a move with 50 ms on its clock was late by more than twice its time.
"""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Iterator

COMPILING_SECONDS = 0.5
"""Loading takes less CPU time than this and leaves no garbage. Compiling takes more and leaves megabytes, worth a collection first."""


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """Take everything that is there at the end out of the garbage collector's sight. What nobody refers to is still freed at once."""
    started = time.process_time()
    yield
    if time.process_time() - started > COMPILING_SECONDS:
        gc.collect()
    gc.freeze()
