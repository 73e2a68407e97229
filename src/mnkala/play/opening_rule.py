"""The contract of an opening rule: a stage before the game, in which it is settled who has which side.

The first moves of some games are worth too much, so that people begin by a rule: one player puts stones on the board, the other
chooses a side. A family brings its rules by `Family.opening_rules`; matches, interfaces and tournaments find them by name.

A rule is an immutable value that says how far an opening has come: who acts, and what may be done. Stones are moves of the
position like all others, and a choice is played like a move; when the opening is over, the `Match` has its players in the order
of their sides.

The texts of a rule have its name at the head of their keys: `NAME.title`, `NAME.offer` (on the list of new games), `NAME.STAGE`
(what is to be done by `{player}`, with `{left}` stones), `NAME.type_STAGE` (what may be typed), `NAME.CHOICE`, `NAME.did_put` and
`NAME.did_CHOICE` (what an engine did, with its `{stones}`). All texts of a plug-in have the name of its family in their keys, and so
has the name of its rule: `renju.taraguchi`.
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
"""The rule that was the only one for a while: games, tournaments and requests of that time do not name it."""


@dataclasses.dataclass(frozen=True)
class Decision(Analysis):
    """The decision of an engine in an opening: a choice if there is one, and then the moves of its
    line."""

    rule: str = ""
    choice: str | None = None

    @property
    def did(self) -> str:
        """The choice, or `put` if the engine only placed stones."""
        return self.choice or "put"

    def words(self, player: str, language: str) -> str:
        """The decision in a sentence."""
        return say(f"{self.rule}.did_{self.did}", language, player=player, stones=" ".join(self.line))


@dataclasses.dataclass(frozen=True)
class OpeningRule(abc.ABC):
    """An opening as far as it has come; without arguments one that begins."""

    name: ClassVar[str]
    """In records, in requests and at the head of the keys of its texts."""
    boards: ClassVar[str]
    """For people: which boards have it."""
    synonyms: ClassVar[Mapping[str, str]] = {}
    """Other words that may be typed for a choice."""

    stage: str = OVER
    """The current stage, or `over`."""
    stones: int = 0
    """How many it had, once it is over; those are not taken back."""

    @abc.abstractmethod
    def fits(self, rules: Rules) -> bool:
        """Whether the rule makes sense for a game."""

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
        """Stones that are still to be put on the board in this stage."""

    @abc.abstractmethod
    def placed(self, position: Position) -> Self:
        """The opening after a stone, which made the position."""

    @abc.abstractmethod
    def chosen(self, choice: str, position: Position) -> tuple[Self, bool]:
        """The opening after a choice, and whether the players change places."""

    @abc.abstractmethod
    def thinker(self, engine: Engine) -> Engine:
        """The engine to ask for what another would do in the opening; it answers with a `Decision`."""

    @abc.abstractmethod
    def state(self) -> str:
        """How far it has come, in one line."""

    @abc.abstractmethod
    def resumed(self, state: str) -> Self:
        """The opening in the state that was saved; raises BadRecord for any other text."""

    @property
    def goes_on(self) -> bool:
        """Whether the game has not begun yet."""
        return self.stage != OVER

    @property
    def title(self) -> str:
        """The name of the rule in error messages."""
        return say(f"{self.name}.title")

    def read(self, text: str) -> str:
        """The choice that somebody typed."""
        word = text.strip().lower()
        for choice in self.choices:
            if choice in (word, self.synonyms.get(word)):
                return choice
        raise IllegalMove(f"'{shortened(text)}' cannot be chosen; choose {', '.join(self.choices[:-1])} or {self.choices[-1]}")

    def words(self, position: Position, player: str, language: str) -> str:
        """The sentence that says what must be done, and by whom."""
        return say(f"{self.name}.{self.stage}", language, player=player, left=self.left(position))

    def __str__(self) -> str:
        """The state of the opening as it is saved with a game."""
        return f"{self.name}: {self.state()}"


def opening_rules(rules: Rules) -> dict[str, OpeningRule]:
    """The opening rules of a game by their names, each as it begins."""
    return {rule.name: rule for rule in family_of(rules).opening_rules() if rule.fits(rules)}


def new_opening(name: str | None, position: Position) -> OpeningRule | None:
    """An opening that begins, on an empty board; None without a name."""
    if name is None:
        return None
    known = opening_rules(position.rules)
    if name not in known:
        elsewhere = next((rule for family in families() for rule in family.opening_rules() if rule.name == name), None)
        if elsewhere is not None:
            raise BadGame(f"{elsewhere.title} is an opening rule of {elsewhere.boards}, not of {position.game}")
        raise BadGame(f"'{shortened(name)}' is no opening rule; {position.game} has {', '.join(known) or 'none'}")
    if position.history_codes or position.start_literal is not None:
        raise BadGame(f"{known[name].title} begins on an empty board; leave out the position and the moves")
    return known[name]


def name_and_state(saved: str) -> tuple[str, str]:
    """The name of a rule and how far an opening has come by it, of what was saved with a game."""
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
