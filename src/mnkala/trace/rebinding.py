"""The same function with some of its global names leading elsewhere: how a search is watched without being written twice."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any

from mnkala.native import plain


def rebound(function: Callable[..., Any], names: Mapping[str, Any]) -> Callable[..., Any]:
    """A copy of a function or kernel, uncompiled, that finds `names` where it looked for its module's own.

    Every name must be one that the function uses: a recorder that nothing calls would be a mistake.
    """
    own = plain(function)
    unused = set(names) - set(own.__code__.co_names)
    if unused:
        raise LookupError(f"{own.__name__} does not use {', '.join(sorted(unused))}")
    made: Any = types.FunctionType(own.__code__, {**own.__globals__, **names}, own.__name__, own.__defaults__, own.__closure__)
    return made
