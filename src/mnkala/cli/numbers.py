"""Numbers on the command line are plain decimal. Cyclopts alone would also take `1_0` and `0x10`, and `0.5` for a port."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cyclopts import Token, convert

from mnkala.numbers import read_decimal, read_whole


def read_value(kind: Any, tokens: Sequence[Token]) -> Any:
    """The value of a parameter: numbers in our own way, everything else as Cyclopts reads it."""
    if kind is int:
        return read_whole(tokens[0].value)
    if kind is float:
        return read_decimal(tokens[0].value)
    return convert(kind, tokens)
