"""Swap2, the opening rule that makes Gomoku fair: the player who places the first stones does not
know which side he will play.

The first player places three stones on the board, x, o and x. The second then takes x, or takes o
and moves, or places two more stones, o and x, and leaves the choice of sides to the first. Whoever
has o moves next. (Rule of the Gomoku World Championships since 2009.)
"""

from __future__ import annotations

import dataclasses
import enum
from typing import ClassVar

from mnkala.core import Position, Rules
from mnkala.errors import BadRecord
from mnkala.families.lines.rules import Mnk
from mnkala.numbers import shortened
from mnkala.play.opening_rule import OVER, SWAP2, OpeningRule
from mnkala.search import Engine

FIRST_STONES, ALL_STONES = 3, 5
SHORTEST_LINE = SMALLEST_SIDE = 5
"""The shortest line and the smallest side for which the rule makes sense."""


class Stage(enum.StrEnum):
    """The stages of the opening."""

    PLACE = "place"
    """The first player places three stones on the board."""
    CHOOSE = "choose"
    """The second player takes a side, or asks to place two more stones."""
    MORE = "more"
    """The second player places two more stones."""
    DECIDE = "decide"
    """The first player takes a side."""
    OVER = OVER


class Side(enum.StrEnum):
    """The choices, as they are typed."""

    FIRST = "x"
    SECOND = "o"
    TWO = "two"


CHOICES = {Stage.CHOOSE: (Side.FIRST, Side.SECOND, Side.TWO), Stage.DECIDE: (Side.FIRST, Side.SECOND)}


@dataclasses.dataclass(frozen=True)
class Swap2(OpeningRule):
    """The current state of an opening."""

    name = SWAP2
    boards = "Gomoku: five or more in line on 5 rows and columns or more"
    synonyms: ClassVar = {"black": Side.FIRST, "white": Side.SECOND, "2": Side.TWO}

    stage: Stage = Stage.PLACE

    def fits(self, rules: Rules) -> bool:
        return isinstance(rules, Mnk) and rules.line >= SHORTEST_LINE and min(rules.rows, rules.cols) >= SMALLEST_SIDE

    @property
    def actor(self) -> int:
        return int(self.stage in (Stage.CHOOSE, Stage.MORE))

    @property
    def choices(self) -> tuple[Side, ...]:
        return CHOICES.get(self.stage, ())

    def left(self, position: Position) -> int:
        wanted = {Stage.PLACE: FIRST_STONES, Stage.MORE: ALL_STONES}.get(self.stage, 0)
        return max(0, wanted - len(position.history_codes))

    def placed(self, position: Position) -> Swap2:
        if position.is_over or self.left(position):
            return self
        return dataclasses.replace(self, stage=Stage.CHOOSE if self.stage is Stage.PLACE else Stage.DECIDE)

    def chosen(self, choice: str, position: Position) -> tuple[Swap2, bool]:
        if choice == Side.TWO:
            return dataclasses.replace(self, stage=Stage.MORE), False
        swapped = (choice == Side.FIRST) == (self.actor == 1)
        return Swap2(Stage.OVER, len(position.history_codes)), swapped

    def thinker(self, engine: Engine) -> Engine:
        from mnkala.families.lines.swap2_engine import Swap2Engine, Swap2Search

        return Swap2Engine(Swap2Search(engine.search, self), engine.limit)

    def state(self) -> str:
        return f"{self.stage} {self.stones}"

    def resumed(self, state: str) -> Swap2:
        stage, _, stones = state.partition(" ")
        if stage not in [*Stage] or not stones.isdecimal():
            raise BadRecord(f"'{shortened(state)}' is no stage of Swap2")
        return Swap2(Stage(stage), int(stones))
