"""One reason for a move: a sentence with its values, and the cells that it speaks of."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from mnkala.core.picture import Cell
from mnkala.explain.words import say


@dataclasses.dataclass(frozen=True)
class Reason:
    """Why a move is good, in words that can be said in every language."""

    key: str
    """A text of `words/hint.json`, such as hint.wins."""
    values: Mapping[str, str | int] = dataclasses.field(default_factory=dict)
    """The values for the placeholders of the text."""
    cells: tuple[Cell, ...] = ()
    """The cells to point at on the board."""

    def text(self, language: str = "en") -> str:
        """The reason as a sentence in a language."""
        return say(self.key, language, **self.values)

    @property
    def english(self) -> str:
        """The reason as a sentence in English."""
        return self.text()

    def to_json(self) -> dict[str, Any]:
        """The reason as JSON values, as the server sends it."""
        return {"key": self.key, "values": dict(self.values), "text": self.english, "cells": [list(cell) for cell in self.cells]}
