"""A client of a KGP server, from its first line to its last; in games it takes a seat.

A wrong line is answered with an error that says what is wrong, and the client plays on. Only too
many such lines, silence, a mode other than freeplay and leaving end the connection. Moves that
arrive after their `stop` are ignored, as the protocol demands.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import datetime
import random
from collections.abc import Callable
from typing import Protocol

from mnkala.core import Position, Record, Rules
from mnkala.errors import MnkalaError, printable
from mnkala.families.kalah.kgp.line import BadLine, BoardLiteral, Line, Link, Word
from mnkala.numbers import counted, shortened
from mnkala.programs.process import Fault

# ---- A game between two seats ----


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


# ---- Limits for clients ----


@dataclasses.dataclass(frozen=True)
class ServerLimits:
    """The limits of a server besides those of a line and of a connection (`line.py`)."""

    connections: int = 200
    """The most connections at a time."""
    names: int = 10_000
    """The most players whose results are kept; after that nobody else is let in."""
    bad_lines: int = 100
    """The most lines of one client that cannot be read or understood; the next one ends the
    connection."""
    mode_seconds: float = 30.0
    """Seconds that a client may take to choose its mode."""
    silence_seconds: float = 20.0
    """Seconds of silence after which a client is pinged; after as many more it is given up."""
    games_at_once: int = 64
    """The largest value of `--at-once`."""


USUAL = ServerLimits()


# ---- Client ----


LONGEST_NAME = 60
COMMANDS = ("set", "mode", "move", "yield", "ping", "pong", "ok", "error", "goodbye")
VERSION = (1, 0, 1)


class Leave(MnkalaError):
    """Ends the connection, with a reason for the client; the text is empty if there is nothing to
    say."""


@dataclasses.dataclass
class Asked:
    """A state that the client is thinking about."""

    position: Position
    done: asyncio.Event = dataclasses.field(default_factory=asyncio.Event)
    move: int | None = None
    """The last move that the client named, legal or not."""
    yielded: bool = False


class Remote:
    """A client that is connected to the server."""

    def __init__(
        self,
        link: Link,
        name: str,
        seconds: float,
        limits: ServerLimits,
        join: Callable[[Remote], None],
    ) -> None:
        self.link, self.name, self.seconds, self.limits = link, name, seconds, limits
        self.join = join
        """Called when the client wants to play; raises Leave if it cannot."""
        self.playing = False
        self.bad_lines: Faults = collections.Counter()
        self.asked: dict[int, Asked] = {}
        self.gone: Fault | None = None
        """The reason why the client makes no more moves, or None."""

    # ---- Conversation ----

    async def talk(self) -> None:
        """Read lines until the connection ends."""
        self.link.send_bare(Line("kgp", VERSION))
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.limits.mode_seconds):
                    while not self.playing:
                        await self._next()
            if not self.playing:
                raise Leave(
                    f"no mode within {self.limits.mode_seconds:g} seconds; `mode freeplay` is the one to choose"
                )
            while True:
                await self._next_unless_silent()
        except Leave as reason:
            if str(reason):
                self.link.send("error", str(reason))
            self.link.send("goodbye")
        finally:
            self.gone = self.gone or Fault.DISCONNECTED
            for asked in self.asked.values():
                asked.done.set()

    async def _next_unless_silent(self) -> None:
        """Return the next line of the client. A silent client is pinged once; if it stays silent,
        it counts as gone and `Leave` is raised."""
        for attempt in ("ping", "give up"):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.limits.silence_seconds):
                    return await self._next()
            if attempt == "ping":
                self.link.send("ping")
        self.gone = Fault.SILENCE
        raise Leave(f"no pong within {self.limits.silence_seconds:g} seconds")

    async def _next(self) -> None:
        line = None
        try:
            line = await self.link.read()
            if line is None:
                raise Leave
            self._obey(line)
        except BadLine as error:
            self.bad_lines[Fault.BAD_LINE] += 1
            self.link.send("error", str(error), ref=line.id if line else None)
            if self.bad_lines.total() > self.limits.bad_lines:
                raise Leave(f"more than {counted(self.limits.bad_lines, 'bad line')}") from None

    def _obey(self, line: Line) -> None:
        """Carry out a command of the client; raises BadLine for an unknown one, and Leave at its
        goodbye."""
        match line.name:
            case "set":
                if line.text(0) == "info:name" and not self.playing:
                    self.name = name_of(line.text(1)) or self.name
            case "mode":
                self._choose_mode(line)
            case "move":
                self._move(line)
            case "yield":
                if asked := self._meant(line):
                    asked.yielded = True
                    asked.done.set()
            case "ping":
                self.link.send("pong", *line.arguments, ref=line.id)
            case "goodbye":
                raise Leave
            case "pong" | "ok" | "error":
                pass
            case _:
                raise BadLine(
                    f"there is no command {shortened(line.name)}; commands are {', '.join(COMMANDS)}"
                )

    def _choose_mode(self, line: Line) -> None:
        if self.playing:
            raise Leave("the mode cannot be chosen twice")
        if line.text(0) != "freeplay":
            raise Leave(f"there is no mode {shortened(line.text(0))} here; the mode is freeplay")
        self.join(self)
        self.playing = True
        self.link.send("ok", "freeplay", ref=line.id)
        self.link.send("set", Word("info:name"), "mnkala")
        self.link.send("set", Word("time:mode"), Word("relative"))
        if self.seconds == int(
            self.seconds
        ):  # The protocol's clock has whole seconds; without one the client is stopped.
            self.link.send("set", Word("time:clock"), int(self.seconds))

    def _move(self, line: Line) -> None:
        code = line.whole(0) - 1
        if asked := self._meant(line):
            asked.move = code
            if code not in asked.position.legal_codes:
                legal = " ".join(asked.position.legal_moves)
                self.link.send(
                    "error",
                    f"move {code + 1} is illegal here; legal are {legal}. It loses unless another follows",
                    ref=line.id,
                )

    def _meant(self, line: Line) -> Asked | None:
        """The state that a move or yield answers; None if it has been stopped."""
        if line.ref is None:
            if len(self.asked) > 1:
                raise BadLine(
                    f"{counted(len(self.asked), 'state')} are open; say which one is meant: @ID {line.name}"
                )
            return next(iter(self.asked.values()), None)
        if line.ref >= self.link.next_id:
            raise BadLine(f"there is no state {line.ref}")
        return self.asked.get(line.ref)

    # ---- Playing a game ----

    async def choose(self, position: Position, game: int, opponent: str) -> ChosenMove:
        """Ask for a move and wait as long as the client's time lasts."""
        if self.gone:
            return ChosenMove(None, self.gone)
        self.link.send("set", Word("game:id"), str(game))
        self.link.send("set", Word("game:opponent"), opponent)
        number = self.link.send("state", south_to_move(position))
        asked = self.asked[number] = Asked(position)
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.seconds):
                    await asked.done.wait()
        finally:
            del self.asked[number]
        self.link.send("stop", ref=number)
        if self.gone:
            return ChosenMove(None, self.gone)
        if asked.move is None:
            return ChosenMove(
                random.choice(position.legal_codes),
                Fault.NO_MOVE if asked.yielded else Fault.FLAG_FALL,
            )
        return (
            ChosenMove(asked.move)
            if asked.move in position.legal_codes
            else ChosenMove(None, Fault.ILLEGAL_MOVE)
        )


def south_to_move(position: Position) -> BoardLiteral:
    """Write a board as KGP does: the player to move is always South."""
    assert position.literal is not None
    return BoardLiteral(position.literal.rstrip("o"))


def name_of(text: str) -> str:
    """Make a name that can appear in a table and in a record."""
    return shortened(" ".join(printable(text).split()), LONGEST_NAME)
