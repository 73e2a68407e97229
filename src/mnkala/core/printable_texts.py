"""The border at which the texts of a plug-in's game enter the package: control characters are written out, so none reaches a terminal."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

from mnkala.core.picture import Picture
from mnkala.core.rules import Rules
from mnkala.errors import printable
from mnkala.native.objects import is_foreign

TEXTS = ("game_string", "move_text", "moves_text", "literal", "board_style", "picture")
"""The methods of a game whose texts people read."""


def make_printable(cls: type[Rules]) -> None:
    """Wrap these methods of a plug-in's game so that their texts contain no control characters."""
    cls.summary, cls.rules_text = _clean(cls.summary), _clean(cls.rules_text)
    cls.players = _clean(cls.players)
    for name in TEXTS:
        method = getattr(cls, name)
        if is_foreign(method.__module__):
            setattr(cls, name, _cleaned(method))


def _cleaned(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def spoken(*arguments: Any, **keywords: Any) -> Any:
        return _clean(method(*arguments, **keywords))

    return spoken


def _clean(said: Any) -> Any:
    """Write out the control characters in a text, a sequence of texts or a picture. Anything else
    is left for the clauses of the contract to refuse."""
    if isinstance(said, str):
        return printable(said)
    if isinstance(said, tuple):
        return tuple(_clean(part) for part in said)
    if isinstance(said, Picture):
        labels = {"column_labels": _clean(said.column_labels), "row_labels": _clean(said.row_labels)}
        if is_foreign(type(said).__module__):  # A plug-in's own class of pictures is drawn as all others are.
            return Picture(said.cells, marked=said.marked, seeds=said.seeds, **labels)
        return dataclasses.replace(said, **labels)
    return said
