"""How to read the numbers: what stands beside moves, sample by sample. The texts and their order are in `words/legend.json`."""

from __future__ import annotations

from dataclasses import dataclass

from mnkala.core import parse_game
from mnkala.explain.grades import counts_seeds
from mnkala.explain.words import say, words
from mnkala.play.view import View


@dataclass(frozen=True)
class Entry:
    """Something that people see, and what it means."""

    name: str
    sample: str
    text: str


def legend(view: View, language: str = "en") -> tuple[Entry, ...]:
    """What can stand beside the moves of this game, in the order in which it is best read."""
    has = {"wins_in": not view.graded, "wins_by": view.graded, "book": view.book, "by_fours": view.threats,
           "seeds": counts_seeds(parse_game(view.game))}
    names = [key.split(".")[2] for key in words(language) if key.startswith("legend.entry.") and key.endswith(".text")]
    return tuple(Entry(name, say(f"legend.entry.{name}.sample", language), say(f"legend.entry.{name}.text", language))
                 for name in names if has.get(name, True))
