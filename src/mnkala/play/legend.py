"""How to read the numbers: what stands beside moves, sample by sample. The texts and their order are in `words/legend.json`, and what
the family of a game adds in its own words (`Explanations.legend`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnkala.core import Rules
from mnkala.explain.contract import explanations_of
from mnkala.explain.words import say, words
from mnkala.solve.books import has_books

if TYPE_CHECKING:
    from mnkala.play.view import View

OF_ANY_GAME = "legend.entry."


@dataclass(frozen=True)
class Entry:
    """Something that people see, and what it means."""

    name: str
    sample: str
    text: str


def legend_of(rules: Rules) -> tuple[str, ...]:
    """What can stand beside the moves of a game, as it is best read: the stems of the texts, STEM.sample and STEM.text."""
    has = {"wins_in": not rules.graded, "wins_by": rules.graded, "book": has_books(rules)}
    of_any = (key.removesuffix(".text") for key in words("en") if key.startswith(OF_ANY_GAME) and key.endswith(".text"))
    return (*(stem for stem in of_any if has.get(stem.removeprefix(OF_ANY_GAME), True)), *explanations_of(rules).legend)


def legend(view: View, language: str = "en") -> tuple[Entry, ...]:
    """The entries of a view's legend, in words."""
    return tuple(Entry(stem.rpartition(".")[2], say(f"{stem}.sample", language), say(f"{stem}.text", language)) for stem in view.legend)
