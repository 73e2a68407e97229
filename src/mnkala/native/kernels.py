"""`kernel`: compiles a function on its first call for each combination of types, and keeps the
machine code on disk; and the notes about what is there already."""

from __future__ import annotations

import contextlib
import gc
import os
import time
import types
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

from mnkala.native.disk_cache import DiskCache
from mnkala.native.objects import is_foreign

Function = TypeVar("Function", bound=Callable[..., Any])

PLAIN = os.environ.get("MNKALA_PLAIN", "") not in ("", "0")
"""Set MNKALA_PLAIN=1 to run everything uncompiled: slow, but a debugger and a coverage tool see
every line.
"""

_plain_versions: dict[int, Callable[..., Any]] = {}


def kernel(function: Function) -> Function:
    """Compile `function` when it is first called. It must not be mutually recursive, and should
    take int64 for every number.

    The interpreter's lock is released while it runs, so a kernel that may take long must poll a
    stop flag.
    """
    if PLAIN:
        return function
    import numba

    from mnkala.native import extension
    from mnkala.native.cache import kernel_cache

    extension.install()
    dispatcher = numba.njit(nogil=True, boundscheck=is_foreign(function.__module__))(function)
    dispatcher._cache = kernel_cache(function)
    return cast(Function, dispatcher)


def plain(compiled: Function) -> Function:
    """Return a kernel in plain Python, with every kernel that it calls in plain Python too: the
    reference for what the compiler made of it."""
    function = getattr(compiled, "py_func", compiled)
    if id(function) not in _plain_versions:
        names: dict[str, Any] = dict(function.__globals__)
        version = types.FunctionType(
            function.__code__, names, function.__name__, function.__defaults__, function.__closure__
        )
        _plain_versions[id(function)] = version
        for name in function.__code__.co_names:
            if hasattr(names.get(name), "py_func"):
                names[name] = plain(names[name])
    return cast(Function, _plain_versions[id(function)])


# ---- Loading kernels ----
#
# Numba leaves some 200,000 objects that live as long as the process. A full collection visits each
# of them, takes 40 to 150 ms, holds the interpreter's lock and comes when it likes: a move with 50
# ms on its clock was late by more than twice its time.


COMPILING_SECONDS = 0.5
"""Loading takes less CPU time than this and leaves no garbage. Compiling takes more and leaves
megabytes, worth a collection first.
"""


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """Run a block that loads kernels, and then hide everything that exists from the garbage
    collector. What nobody refers to is still freed at once."""
    started = time.process_time()
    yield
    if time.process_time() - started > COMPILING_SECONDS:
        gc.collect()
    gc.freeze()


# ---- Marks in the cache for what has been compiled ----
#
# A mark is never trusted for more than that. Where a kernel has vanished since, or another
# processor needs another one, it is compiled again when it is called.


NAME = "mark"


def mark_compiled(kernel_key: str) -> None:
    """Note that the kernels of a combination are on disk. If the disk refuses the note, only
    this knowledge is lost."""
    if not is_compiled(kernel_key):
        _files().save(NAME, _key(kernel_key), b"")


def is_compiled(kernel_key: str) -> bool:
    """Whether the kernels of a combination can be loaded from disk. A combination without kernels
    counts as compiled."""
    return PLAIN or not kernel_key or _files().load(NAME, _key(kernel_key)) is not None


def _files() -> DiskCache:
    from mnkala.native.cache import disk_cache

    return disk_cache()


def _key(kernel_key: str) -> str:
    from mnkala.native.cache import version_stamp

    return f"{version_stamp()} {kernel_key}"
