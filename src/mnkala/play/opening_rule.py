"""The contract of an opening rule: a stage before the game that decides who has which side.

The first moves of some games are worth too much, so people begin by a rule: one player places
stones on the board, and the other chooses a side. A family offers its rules by
`Family.opening_rules`; matches, interfaces and tournaments find them by name.

A rule is an immutable value that holds the progress of an opening: who acts, and what may be
done. Stones are moves of the position like all others, and a choice is played like a move; when
the opening is over, the `Match` has its players in the order of their sides.

The keys of a rule's texts begin with its name: `NAME.title`, `NAME.offer` (for the list of new
games), `NAME.STAGE` (what `{player}` must do, with `{left}` stones), `NAME.type_STAGE` (what may
be typed), `NAME.CHOICE`, `NAME.did_put` and `NAME.did_CHOICE` (what an engine did, with its
`{stones}`). All texts of a plug-in have the name of its family in their keys, and therefore so
does the name of its rule: `renju.taraguchi`.
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Mapping
from typing import ClassVar, Self

from mnkala.core import Position, Rules
from mnkala.core.registry import families, family_of
from mnkala.errors import BadGame, BadRecord, IllegalMove
from mnkala.explain.words import say
from mnkala.numbers import shortened
from mnkala.search import Analysis, Engine

OVER = "over"
"""The stage after which the game continues by its own rules."""
SWAP2 = "swap2"
"""The rule that was the only one for a while: games, tournaments and requests of that time do not
name it.
"""


@dataclasses.dataclass(frozen=True)
class Decision(Analysis):
    """An engine's decision in an opening: a choice, if it made one, and then the moves of its
    line."""

    rule: str = ""
    choice: str | None = None

    @property
    def did(self) -> str:
        """The choice, or `put` if the engine only placed stones."""
        return self.choice or "put"

    def words(self, player: str, language: str) -> str:
        """The decision as a sentence."""
        return say(
            f"{self.rule}.did_{self.did}", language, player=player, stones=" ".join(self.line)
        )


@dataclasses.dataclass(frozen=True)
class OpeningRule(abc.ABC):
    """The progress of an opening; without arguments, one that begins."""

    name: ClassVar[str]
    """The name of the rule: used in records, in requests, and as the first part of the keys of its
    texts."""
    boards: ClassVar[str]
    """The boards that have it, for people."""
    synonyms: ClassVar[Mapping[str, str]] = {}
    """Other words that may be typed for a choice."""

    stage: str = OVER
    """The current stage, or `over`."""
    stones: int = 0
    """The number of stones that it placed, once it is over; these are never taken back."""

    @abc.abstractmethod
    def fits(self, rules: Rules) -> bool:
        """Whether the rule can be used for a game."""

    @property
    @abc.abstractmethod
    def actor(self) -> int:
        """The seat of the player who must act."""

    @property
    @abc.abstractmethod
    def choices(self) -> tuple[str, ...]:
        """The choices that are possible now, as they are typed; empty where stones are placed."""

    @abc.abstractmethod
    def left(self, position: Position) -> int:
        """The number of stones still to be placed in this stage."""

    @abc.abstractmethod
    def placed(self, position: Position) -> Self:
        """The opening after a stone was placed, which led to the position."""

    @abc.abstractmethod
    def chosen(self, choice: str, position: Position) -> tuple[Self, bool]:
        """The opening after a choice, and whether the players change sides."""

    @abc.abstractmethod
    def thinker(self, engine: Engine) -> Engine:
        """An engine that decides in the opening what another engine would do; it answers with a
        `Decision`."""

    @abc.abstractmethod
    def state(self) -> str:
        """The progress as one line of text."""

    @abc.abstractmethod
    def resumed(self, state: str) -> Self:
        """The opening in a saved state; raises BadRecord for any other text."""

    @property
    def goes_on(self) -> bool:
        """Whether the opening is still in progress."""
        return self.stage != OVER

    @property
    def title(self) -> str:
        """The name of the rule in error messages."""
        return say(f"{self.name}.title")

    def read(self, text: str) -> str:
        """Read a choice that somebody typed; raises IllegalMove for a choice that is not possible
        now."""
        word = text.strip().lower()
        for choice in self.choices:
            if choice in (word, self.synonyms.get(word)):
                return choice
        raise IllegalMove(
            f"'{shortened(text)}' cannot be chosen; choose {', '.join(self.choices[:-1])} or {self.choices[-1]}"
        )

    def words(self, position: Position, player: str, language: str) -> str:
        """A sentence that says what must be done, and by whom."""
        return say(f"{self.name}.{self.stage}", language, player=player, left=self.left(position))

    def __str__(self) -> str:
        """The state of the opening as it is saved with a game."""
        return f"{self.name}: {self.state()}"


def opening_rules(rules: Rules) -> dict[str, OpeningRule]:
    """The opening rules of a game by name, each at its beginning."""
    return {rule.name: rule for rule in family_of(rules).opening_rules() if rule.fits(rules)}


def new_opening(name: str | None, position: Position) -> OpeningRule | None:
    """A new opening on an empty board; None if no rule is named. Raises BadGame if the game does
    not have the rule, or if the board is not empty."""
    if name is None:
        return None
    known = opening_rules(position.rules)
    if name not in known:
        elsewhere = next(
            (rule for family in families() for rule in family.opening_rules() if rule.name == name),
            None,
        )
        if elsewhere is not None:
            raise BadGame(
                f"{elsewhere.title} is an opening rule of {elsewhere.boards}, not of {position.game}"
            )
        raise BadGame(
            f"'{shortened(name)}' is no opening rule; {position.game} has {', '.join(known) or 'none'}"
        )
    if position.history_codes or position.start_literal is not None:
        raise BadGame(
            f"{known[name].title} begins on an empty board; leave out the position and the moves"
        )
    return known[name]


def name_and_state(saved: str) -> tuple[str, str]:
    """The name of a rule and its progress, from the text that was saved with a game."""
    name, colon, state = saved.partition(": ")
    return (name, state) if colon else (SWAP2, saved)


def read_opening(saved: str | None, rules: Rules) -> OpeningRule | None:
    """The opening that was saved with a game."""
    if saved is None:
        return None
    name, state = name_and_state(saved)
    rule = opening_rules(rules).get(name)
    if rule is None:
        raise BadRecord(f"'{shortened(name)}' is no opening rule of {rules.game_string()}")
    return rule.resumed(state)
