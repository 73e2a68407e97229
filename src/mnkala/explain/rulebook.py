"""The rules of each game for people who do not know it: short sections, each illustrated by real
positions.

The texts are in `words/rules.json`; a game's family decides which sections it has and which
positions illustrate them (`Family.rulebook`). Page, terminal, command line and guide draw the
positions with their own boards, so that no picture can differ from the game.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from mnkala.core import Position, Rules
from mnkala.core.picture import Cell
from mnkala.core.registry import family_of
from mnkala.explain.words import say, words

LONGEST_DRAWN = 8
"""The longest line that is drawn; for longer ones the board would be too large to take in at a
glance."""


@dataclass(frozen=True)
class Figure:
    """A position to draw, with its caption and the cells to point at."""

    position: Position
    caption: str
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class Section:
    """A heading, a text and the figures that illustrate it."""

    heading: str
    text: str
    figures: tuple[Figure, ...] = ()


class Writer:
    """Makes sections and figures in one language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def section(self, name: str, *figures: Figure, **values: object) -> Section:
        """A section whose text is `rules.NAME`. Its heading is `rules.heading.NAME` or, for
        headings that all games share, `rules.heading.` and the last part of NAME."""
        own = f"rules.heading.{name}"
        key = own if own in words(self.language) else f"rules.heading.{name.rpartition('.')[2]}"
        return Section(
            say(key, self.language), say(f"rules.{name}", self.language, **values), figures
        )

    def figure(self, position: Position, caption: str, *cells: Cell, **values: object) -> Figure:
        """A position to draw, whose caption is `rules.figure.CAPTION`."""
        return Figure(position, say(f"rules.figure.{caption}", self.language, **values), cells)


class Rulebook:
    """The sections of one game in one language."""

    def __init__(self, rules: Rules, language: str = "en") -> None:
        self.rules, self.language = rules, language
        writer = Writer(language)
        self.sections = family_of(rules).rulebook(rules, writer) or sections_of_any_game(
            rules, writer
        )

    @property
    def title(self) -> str:
        """The name of the game: "Connect Four", "Connect N 8x9x5"."""
        name, _, sizes = self.rules.game_string().partition(":")
        known = words(self.language).get(f"game.{name}.name", name.capitalize())
        return f"{known} {sizes}".strip()


def sections_of_any_game(rules: Rules, write: Writer) -> tuple[Section, ...]:
    """The author's description of the game. In a longer text every paragraph with a heading, `#
    Heading`, becomes a section."""
    sections = [
        Section(
            say("rules.heading.about", write.language),
            rules.summary,
            (write.figure(Position(rules), "start"),),
        )
    ]
    for part in re.split(r"\n\s*\n(?=#)|^(?=#)", rules.rules_text.strip()):
        if part.strip():
            heading, text = re.fullmatch(
                r"(?:#+ *([^\n]*)\n?)?(.*)", part.strip(), re.DOTALL
            ).groups()  # type: ignore[union-attr]
            sections.append(Section(heading or "", text.strip()))
    return tuple(sections)


def in_turn(first: Sequence[str], second: Sequence[str]) -> str:
    """Combine the moves of two players, who take turns; the first player also makes the last move."""
    return " ".join(
        move for both in itertools.zip_longest(first, second, fillvalue="") for move in both
    )
