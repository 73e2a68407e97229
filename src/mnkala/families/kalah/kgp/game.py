"""One game of a KGP server between two seats: who loses by the rules and who by a fault, and how
the game is recorded."""

from __future__ import annotations

import collections
import dataclasses
import datetime
from typing import Protocol

from mnkala.core import Position, Record, Rules
from mnkala.numbers import counted
from mnkala.programs.process import Fault

Faults = collections.Counter[Fault]


def in_words(faults: Faults) -> str:
    """Describe faults in words, such as `2 flag falls, 1 illegal move`."""
    return ", ".join(counted(number, str(fault)) for fault, number in sorted(faults.items()))


@dataclasses.dataclass(frozen=True)
class ChosenMove:
    """The answer of a seat to a position."""

    code: int | None
    """The move; None if there is none and the game is lost."""
    fault: Fault | None = None


class Seat(Protocol):
    """A player in a game: a client, or an engine of mnkala."""

    name: str

    async def choose(self, position: Position, game: int, opponent: str) -> ChosenMove:
        """Choose a move in a position that is not finished."""


@dataclasses.dataclass(frozen=True)
class FinishedGame:
    """A game that is over, with its result and faults."""

    number: int
    names: tuple[str, str]
    """The names of the player who began and of the other."""
    record: Record
    faults: tuple[Faults, Faults]

    @property
    def winner(self) -> int | None:
        """The winner, 0 or 1, or None for a draw."""
        return {"1-0": 0, "0-1": 1}.get(self.record.result)

    def __str__(self) -> str:
        faults = "; ".join(
            f"{name}: {in_words(made)}"
            for name, made in zip(self.names, self.faults, strict=True)
            if made
        )
        return f"game {self.number}: {self.names[0]} - {self.names[1]} {self.record.result}" + (
            f" ({faults})" if faults else ""
        )


async def play(rules: Rules, number: int, seats: tuple[Seat, Seat]) -> FinishedGame:
    """Play a game to its end; the first seat begins."""
    position, lost = Position(rules), None
    first, second = seats
    faults: tuple[Faults, Faults] = (collections.Counter(), collections.Counter())
    ending: Fault | None = None
    while not position.is_over:
        mover = position.mover
        choice = await seats[mover].choose(position, number, seats[1 - mover].name)
        if choice.fault is not None:
            faults[mover][choice.fault] += 1
        if choice.code is None:
            lost, ending = mover, choice.fault
            break
        position = position.play_codes((choice.code,))
    tags = {"first": first.name, "second": second.name, "date": datetime.date.today().isoformat()}
    tags |= {
        f"faults of {side}": in_words(made)
        for side, made in zip(("first", "second"), faults, strict=True)
        if made
    }
    tags |= {"ending": str(ending)} if ending else {}
    return FinishedGame(
        number, (first.name, second.name), Record.of(position, resigned=lost, **tags), faults
    )
