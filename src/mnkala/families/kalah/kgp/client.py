"""The KGP client, which plays any engine of mnkala on a server, in as many games at once as the
server asks for.

Each state is answered at once, with the move that the rules' own ordering puts first. Better moves
follow while the engine thinks, and a yield when it has finished or shortly before the time that the
server announced is up. Nothing more is sent for a state that the server has stopped.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from mnkala.core import Position
from mnkala.errors import MnkalaError, printable
from mnkala.families.kalah.kgp.line import LONGEST_LINE, BadLine, Line, Link, Word
from mnkala.families.kalah.rules import MOST_SEEDS
from mnkala.numbers import counted, read_digits, shortened
from mnkala.search import Engine
from mnkala.search.limit import Stop

MOST_AT_ONCE = 64
"""The most states that are searched at the same time; further ones are answered without a search."""
GREETING_SECONDS = 30.0
"""Seconds that a server may take for its first line."""
SHARE_OF_CLOCK = 20
"""A move may take this fraction (one in so many) of the time for the rest of all games."""
MOST_COMPLAINTS, MOST_GAMES = 20, 100_000
"""The most complaints and games that are kept for the report."""


@dataclasses.dataclass
class Report:
    """The result of a session on a server."""

    connected: bool = False
    """Whether the client was connected to a server."""
    server: str = ""
    """The name of the server."""
    states: int = 0
    moves: int = 0
    """The number of moves sent, including refinements."""
    stopped: int = 0
    """The number of states that the server stopped before the engine had finished."""
    games: set[str] = dataclasses.field(default_factory=set)
    """The games, as the server numbers them; not every server does."""
    complaints: list[str] = dataclasses.field(default_factory=list)
    """Errors that the server reported, and errors in the server's lines."""
    goodbye: bool = False
    """Whether the server ended the conversation properly."""

    def complain(self, text: str) -> None:
        """Note an error; only the first ones are kept."""
        if len(self.complaints) < MOST_COMPLAINTS:
            self.complaints.append(printable(shortened(text, 200)))

    def __str__(self) -> str:
        games = f" in {counted(len(self.games), 'game')}" if self.games else ""
        stopped = f", {self.stopped} of them until the server stopped it" if self.stopped else ""
        ended = "" if self.goodbye else "; the connection ended without a goodbye"
        return f"thought about {counted(self.states, 'position')}{games}{stopped}{ended}"

    def as_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {**dataclasses.asdict(self), "games": sorted(self.games)}


class Thought:
    """The search of one state. Everything except the search itself happens in the event loop's
    thread."""

    def __init__(
        self, client: Client, number: int | None, position: Position, seconds: float | None
    ) -> None:
        self.client, self.number, self.position = client, number, position
        self.loop = asyncio.get_running_loop()
        self.until = None if seconds is None else self.loop.time() + seconds
        self.alarm = None if self.until is None else self.loop.call_at(self.until, self.finish)
        self.stop = Stop()
        self.over = False
        self.sent: int | None = None

    def refine(self, code: int) -> None:
        """Send a move, unless it was the last one sent."""
        if not self.over and code != self.sent:
            self.sent = code
            self.client.report.moves += 1
            self.client.link.send("move", code + 1, ref=self.number)

    def finish(self) -> None:
        """Announce that no better move will follow."""
        if not self.over:
            self.client.link.send("yield", ref=self.number)
            self.end()

    def end(self) -> None:
        """Stop the search; nothing more may be sent."""
        self.over = True
        self.stop.set()
        self.client.thoughts.pop(self.number, None)
        if self.alarm:
            self.alarm.cancel()

    def think(self) -> None:
        """Run the engine in a thread of its own."""
        engine, limit = self.client.engine, self.client.engine.limit
        if self.until is not None:
            left = max(0.001, self.until - self.loop.time())
            limit = dataclasses.replace(limit, time=min(left, limit.time or left))
        for analysis in engine.stream(self.position, limit, stop=self.stop):
            if analysis.best_code is not None:
                self._tell(self.refine, analysis.best_code)
        self._tell(self.finish)

    def _tell(self, what: Callable[..., None], *values: int) -> None:
        with contextlib.suppress(
            RuntimeError
        ):  # The loop has ended, and nobody waits for the answer.
            self.loop.call_soon_threadsafe(what, *values)


class Client:
    """One connection to a server. The engine must be prepared beforehand."""

    def __init__(self, engine: Engine, name: str) -> None:
        self.engine, self.name = engine, name
        self.report = Report()
        self.link: Link
        self.thoughts: dict[int | None, Thought] = {}
        self.threads = ThreadPoolExecutor(max_workers=MOST_AT_ONCE, thread_name_prefix="kgp-client")
        self.failed: asyncio.Future[None]
        """Completed when an engine fails."""
        self.time_mode = "relative"
        self.clock: float | None = None
        """Seconds for a move or for all moves, as the server last announced."""

    async def play(self, host: str, port: int) -> Report:
        """Play until the server ends the conversation; raise an error if there is no server that
        speaks KGP 1."""
        try:
            reader, writer = await asyncio.open_connection(host, port, limit=LONGEST_LINE)
        except (OSError, OverflowError, UnicodeError) as error:
            number = getattr(error, "errno", None)
            why = (
                os.strerror(number)
                if number and number > 0
                else getattr(error, "strerror", None) or error
            )
            raise MnkalaError(f"cannot connect to {host} port {port}: {why}") from None
        self.link = Link(reader, writer, first_id=1)
        self.failed = asyncio.get_running_loop().create_future()
        conversation = asyncio.create_task(self._talk(f"{host} port {port}"))
        try:
            await asyncio.wait((conversation, self.failed), return_when=asyncio.FIRST_COMPLETED)
            if self.failed.done():
                self.failed.result()
            await conversation
        finally:
            for thought in [*self.thoughts.values()]:
                thought.end()
            conversation.cancel()
            self.failed.cancel()
            self.link.send("goodbye")
            await asyncio.gather(conversation, return_exceptions=True)
            await self.link.close()
            self.threads.shutdown(cancel_futures=True)
        return self.report

    # ---- Conversation ----

    async def _talk(self, where: str) -> None:
        await self._greet(where)
        while True:
            line = None
            try:
                line = await self.link.read()
                if line is None:
                    return
                if line.name == "goodbye":
                    self.report.goodbye = True
                    return
                self._obey(line)
            except MnkalaError as error:  # The line or the board is invalid.
                self.report.complain(f"the server's line: {error}")
                self.link.send("error", str(error), ref=line.id if line else None)

    async def _greet(self, where: str) -> None:
        try:
            async with asyncio.timeout(GREETING_SECONDS):
                line = await self.link.read()
        except (TimeoutError, BadLine):
            line = None
        if line is None or line.name != "kgp":
            if line and line.name == "error":
                raise MnkalaError(f"{where} refuses: {' '.join(map(str, line.arguments))}")
            raise MnkalaError(
                f"{where} is no KGP server"
                + (f"; it began with '{shortened(str(line))}'" if line else "")
            )
        if line.arguments[:1] != (1,):
            self.link.send("error", "only KGP 1 is spoken here", ref=line.id)
            raise MnkalaError(f"{where} speaks '{shortened(str(line))}'; KGP 1 is spoken here")
        self.report.connected = True
        self.link.send("set", Word("info:name"), self.name)
        self.link.send("set", Word("info:description"), f"mnkala, {self.engine}")
        self.link.send("mode", Word("freeplay"))

    def _obey(self, line: Line) -> None:
        """Carry out a command of the server; raises BadLine for an unknown one."""
        match line.name:
            case "state":
                self._think(line)
            case "stop":
                self._stop(line)
            case "ping":
                self.link.send("pong", *line.arguments, ref=line.id)
            case "set":
                self._note(line)
            case "error":
                self.report.complain(f"the server says: {' '.join(map(str, line.arguments))}")
            case "ok" | "pong" | "init" | "kgp":
                pass
            case _:
                raise BadLine(f"there is no command {shortened(line.name)} for clients")

    def _note(self, line: Line) -> None:
        """Note an option that the server set; unknown options are ignored."""
        option = line.text(0)
        value = line.arguments[1] if len(line.arguments) > 1 else ""
        match option:
            case "time:mode":
                self.time_mode = str(value)
            case "time:clock":
                self.clock = float(value) if isinstance(value, int | float) and value >= 0 else None
            case "info:name":
                self.report.server = printable(shortened(str(value)))
            case "game:id" if value != "" and len(self.report.games) < MOST_GAMES:
                self.report.games.add(printable(shortened(str(value))))

    # ---- Searching ----

    def _think(self, line: Line) -> None:
        if line.id in self.thoughts:
            raise BadLine(f"state {line.id} is still open")
        position = position_of(line.board(0))
        if position.is_over:
            raise BadLine("the game is over in this state")
        thought = Thought(self, line.id, position, self._seconds())
        waiting = len(self.thoughts)
        self.thoughts[line.id] = thought
        self.report.states += 1
        state = position.state()
        thought.refine(
            max(position.legal_codes, key=lambda code: position.rules.prior(state, code))
        )
        if len(position.legal_codes) == 1 or waiting >= MOST_AT_ONCE:
            thought.finish()
            return
        work = asyncio.get_running_loop().run_in_executor(self.threads, thought.think)
        work.add_done_callback(self._worked)

    def _worked(self, work: asyncio.Future[None]) -> None:
        if (
            not work.cancelled()
            and (error := work.exception()) is not None
            and not self.failed.done()
        ):
            self.failed.set_exception(error)

    def _stop(self, line: Line) -> None:
        number = (
            line.ref
            if line.ref is not None or None in self.thoughts or len(self.thoughts) != 1
            else next(iter(self.thoughts))
        )
        if thought := self.thoughts.get(number):
            self.report.stopped += 1
            thought.end()

    def _seconds(self) -> float | None:
        """The seconds for a move, as far as the server has announced them, less a small reserve for
        the network; None if unknown."""
        if self.clock is None or self.time_mode == "none":
            return None
        clock = self.clock / SHARE_OF_CLOCK if self.time_mode == "absolute" else self.clock
        return max(0.001, clock - min(0.5, max(0.03, clock / 20)))


def position_of(board: str) -> Position:
    """The position that a board describes, with South to move, by the standard rule and with the
    number of houses that it has."""
    houses, *seeds = (read_digits(number) or 0 for number in board[1:-1].split(","))
    each = max(1, min(MOST_SEEDS, sum(seeds) // max(1, 2 * houses)))
    return Position(f"kalah:{houses}x{each},standard", literal=board)
