"""`kernel`: compile a function on its first call for each combination of types, and keep the machine code on disk."""

from __future__ import annotations

import os
import types
from collections.abc import Callable
from typing import Any, TypeVar, cast

from mnkala.native.objects import is_foreign

Function = TypeVar("Function", bound=Callable[..., Any])

PLAIN = os.environ.get("MNKALA_PLAIN", "") not in ("", "0")
"""Set MNKALA_PLAIN=1 to run everything uncompiled: slow, but a debugger and a coverage tool see every line."""

_plain_versions: dict[int, Callable[..., Any]] = {}


def kernel(function: Function) -> Function:
    """Compile `function` when it is first called. It must not be mutually recursive, and should take int64 for every number.

    The interpreter's lock is released while it runs, so a kernel that may take long must poll a stop flag.
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
    """The same kernel in plain Python, with every kernel that it calls: the reference for what the compiler made of it."""
    function = getattr(compiled, "py_func", compiled)
    if id(function) not in _plain_versions:
        names: dict[str, Any] = dict(function.__globals__)
        version = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
        _plain_versions[id(function)] = version
        for name in function.__code__.co_names:
            if hasattr(names.get(name), "py_func"):
                names[name] = plain(names[name])
    return cast(Function, _plain_versions[id(function)])
