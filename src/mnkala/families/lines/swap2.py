"""Swap2, the opening rule that makes Gomoku fair: who puts the first stones does not know which side he will play.

The first player puts three stones on the board, x, o and x. The second then takes x, or takes o and moves, or puts two more stones there, o
and x, and leaves the choice of sides to the first. Whoever has o moves next. (Rule of the Gomoku World Championships since 2009.)

A `Swap2` is a stage before the game: an immutable value that says who acts, and what may be done. The stones are moves of the position like
all others; when the opening is over, the `Match` has its players in the order of their sides.
"""

from __future__ import annotations

import dataclasses
import enum

from mnkala.core import Position, Rules
from mnkala.core.registry import family_of
from mnkala.errors import BadGame, BadRecord, IllegalMove
from mnkala.explain.words import say
from mnkala.numbers import shortened

FIRST_STONES, ALL_STONES = 3, 5


class Stage(enum.StrEnum):
    """What is being done."""

    PLACE = "place"
    """The first player puts three stones on the board."""
    CHOOSE = "choose"
    """The second takes a side, or wants to put two more stones there."""
    MORE = "more"
    """The second puts them there."""
    DECIDE = "decide"
    """The first takes a side."""
    OVER = "over"


class Side(enum.StrEnum):
    """What may be chosen, as it is typed."""

    FIRST = "x"
    SECOND = "o"
    TWO = "two"


CHOICES = {Stage.CHOOSE: (Side.FIRST, Side.SECOND, Side.TWO), Stage.DECIDE: (Side.FIRST, Side.SECOND)}
SYNONYMS = {"black": Side.FIRST, "white": Side.SECOND, "2": Side.TWO}


@dataclasses.dataclass(frozen=True)
class Swap2:
    """An opening as far as it has come."""

    stage: Stage = Stage.PLACE
    stones: int = 0
    """How many it had, once it is over; those are not taken back."""

    @property
    def goes_on(self) -> bool:
        """Whether the game has not begun yet."""
        return self.stage is not Stage.OVER

    @property
    def actor(self) -> int:
        """The seat that is to act."""
        return int(self.stage in (Stage.CHOOSE, Stage.MORE))

    @property
    def choices(self) -> tuple[Side, ...]:
        """What may be chosen now; nothing where stones are put."""
        return CHOICES.get(self.stage, ())

    def left(self, position: Position) -> int:
        """Stones that are still to be put on the board in this stage."""
        wanted = {Stage.PLACE: FIRST_STONES, Stage.MORE: ALL_STONES}.get(self.stage, 0)
        return max(0, wanted - len(position.history_codes))

    def read(self, text: str) -> Side:
        """The choice that somebody typed."""
        word = text.strip().lower()
        for choice in self.choices:
            if choice in (word, SYNONYMS.get(word)):
                return choice
        raise IllegalMove(f"'{shortened(text)}' cannot be chosen; choose {', '.join(self.choices[:-1])} or {self.choices[-1]}")

    def placed(self, position: Position) -> Swap2:
        """The opening after a stone, which made the position."""
        if position.is_over or self.left(position):
            return self
        return dataclasses.replace(self, stage=Stage.CHOOSE if self.stage is Stage.PLACE else Stage.DECIDE)

    def chosen(self, side: Side, position: Position) -> tuple[Swap2, bool]:
        """The opening after a choice, and whether the players change places."""
        if side is Side.TWO:
            return dataclasses.replace(self, stage=Stage.MORE), False
        swapped = (side is Side.FIRST) == (self.actor == 1)
        return Swap2(Stage.OVER, len(position.history_codes)), swapped

    def words(self, position: Position, player: str, language: str) -> str:
        """What is to be done, and by whom."""
        return say(f"swap2.{self.stage}", language, player=player, left=self.left(position))

    def __str__(self) -> str:
        return f"{self.stage} {self.stones}"


def read_swap2(text: str | None) -> Swap2 | None:
    """What `str` wrote."""
    if text is None:
        return None
    stage, _, stones = text.partition(" ")
    if stage not in [*Stage] or not stones.isdecimal():
        raise BadRecord(f"'{shortened(text)}' is no stage of Swap2")
    return Swap2(Stage(stage), int(stones))


def has_swap2(rules: Rules) -> bool:
    """Whether the rule makes sense for a game: five or more in line, on a board with room for it."""
    return family_of(rules).has_swap2(rules)


def new_swap2(position: Position) -> Swap2:
    """An opening that begins, on an empty board."""
    if not has_swap2(position.rules):
        raise BadGame(f"Swap2 is an opening rule of Gomoku: five or more in line on 5 rows and columns or more, not of {position.game}")
    if position.history_codes or position.start_literal is not None:
        raise BadGame("Swap2 begins on an empty board; leave out the position and the moves")
    return Swap2()
