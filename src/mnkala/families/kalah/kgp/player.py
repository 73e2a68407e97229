"""A client of KGP as an engine: `kgp:COMMAND` is a program that is told where to connect, and then
plays wherever an engine does.

For each program a server of its own listens on this computer at a free port, with a `Remote` in an
event loop in a thread of its own. In the command `{host}` and `{port}` stand for its address; if
neither is named, both are added at the end. A program that does not connect, leaves, moves
illegally or names no move in its time has lost the game, and its process is ended.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import dataclasses
import threading
from collections.abc import Coroutine
from typing import Any, ClassVar, TypeVar

from mnkala.core import Position, Rules
from mnkala.errors import BadEngine
from mnkala.families.kalah.kgp.line import CLOSING_SECONDS, LONGEST_LINE, Link
from mnkala.families.kalah.kgp.remote import USUAL, ChosenMove, Leave, Remote
from mnkala.families.kalah.rules import Kalah
from mnkala.jobs.child import SLICE, Wanted
from mnkala.listening import LOOPBACK, listen
from mnkala.programs.process import Fault, Forfeit, ProcessSearch, Program
from mnkala.search.engine import register_program

START_SECONDS = 60.0
"""Seconds in which a program must be ready to play; some compile first."""
UNTOLD_SECONDS = 0.5
"""A time that is not a whole number, so that no clock is announced: every query has a time of
its own and ends with `stop`."""
Some = TypeVar("Some")


class KgpTalk:
    """A conversation with one client, which is started when it is first needed."""

    def __init__(self, command: str, memory: int) -> None:
        self._command, self._memory = command, memory
        self._program: Program | None = None
        self._remote: Remote | None = None
        self._ready = threading.Event()
        self._games = 0

    def get_ready(self, rules: Rules) -> None:
        """Let the program connect and choose its mode, unless that was done before."""
        if self._program is not None:
            return
        self._remote, self._loop = None, asyncio.new_event_loop()
        self._ready.clear()
        threading.Thread(target=self._run, args=(self._loop,), daemon=True, name="kgp").start()
        listening = listen(LOOPBACK, [0])
        self._server = self._in_loop(
            asyncio.start_server(self._meet, sock=listening, limit=LONGEST_LINE)
        ).result()
        address = {"{host}": LOOPBACK, "{port}": str(listening.getsockname()[1])}
        command = (
            self._command
            if any(place in self._command for place in address)
            else " ".join((self._command, *address))
        )
        for place, value in address.items():
            command = command.replace(place, value)
        try:
            self._program = Program.typed(command, self._memory)
        except BadEngine:
            self._leave()
            raise
        self._wait_for(
            self._ready.is_set,
            START_SECONDS,
            f"{self._program.name} did not connect and choose a mode",
        )

    def close(self) -> None:
        """End the program and everything that it started."""
        program, self._program = self._program, None
        if program is not None:
            program.close()
            self._leave()

    @staticmethod
    def _run(loop: asyncio.AbstractEventLoop) -> None:
        """Run the event loop of the conversation, in its thread."""
        try:
            loop.run_forever()
        finally:
            loop.close()

    def _leave(self) -> None:
        """End the server and its thread."""
        concurrent.futures.wait([self._in_loop(self._finish())], timeout=2 * CLOSING_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)

    async def _finish(self) -> None:
        self._server.close()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def move(self, position: Position, seconds: float, wanted: Wanted) -> tuple[int, str] | None:
        """The program's move; None if it is no longer wanted. Raises Forfeit if the program has
        lost."""
        self.get_ready(position.rules)
        assert self._remote is not None
        self._games += not position.history
        self._remote.seconds = seconds
        answer = self._in_loop(self._remote.choose(position, self._games, "mnkala"))
        while not answer.done():
            if not wanted():
                answer.cancel()
                return None
            concurrent.futures.wait([answer], timeout=SLICE)
        choice: ChosenMove = answer.result()
        if choice.fault is not None or choice.code is None:
            raise self._lost(choice.fault or Fault.NO_MOVE)
        return choice.code, ""

    def _lost(self, fault: Fault) -> Forfeit:
        name = self._program.name if self._program is not None else self._command
        self.close()
        words = {
            Fault.FLAG_FALL: "named no move in its time",
            Fault.NO_MOVE: "yielded without a move",
            Fault.ILLEGAL_MOVE: "named a move that the rules do not allow",
            Fault.SILENCE: "did not answer a ping",
        }
        return Forfeit(fault, f"{name} {words.get(fault, 'has left')}")

    def _wait_for(self, happened: Wanted, seconds: float, otherwise: str) -> None:
        """Wait until something has happened. Meanwhile the program may write anything, but not end."""
        assert self._program is not None
        try:
            while not happened():
                if self._program.line(seconds, lambda: not happened()) is None:
                    return
        except Forfeit as fault:
            self.close()
            raise (
                Forfeit(fault.fault, otherwise) if fault.fault is Fault.FLAG_FALL else fault
            ) from None

    def _in_loop(self, work: Coroutine[Any, Any, Some]) -> concurrent.futures.Future[Some]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Accept a connection; only the first one may play."""
        link = Link(reader, writer, first_id=2)
        try:
            await Remote(link, "program", UNTOLD_SECONDS, USUAL, self._join).talk()
        finally:
            await link.close()

    def _join(self, remote: Remote) -> None:
        if self._remote is not None:
            raise Leave("somebody plays here already")
        self._remote = remote
        # Not before it is told that it may play.
        self._loop.call_soon(self._ready.set)


@register_program
@dataclasses.dataclass(frozen=True)
class Kgp(ProcessSearch[KgpTalk]):
    """A client of the Kalah Game Protocol, which is told where to connect: `kgp:client {host}
    {port}`. It plays kalah:standard.
    """

    name = "kgp"
    first_option: ClassVar[str] = "command"
    command: str = ""
    """The program and its arguments, with {host} and {port} in their places."""
    memory: int = 0
    """The megabytes at which the program is ended, where the system reports what it holds; 0 for no
    limit."""

    def __post_init__(self) -> None:
        if not self.command:
            raise BadEngine("which program? For example kgp:client {host} {port}")
        self.check_memory(self.memory)

    def check(self, rules: Rules) -> None:
        if not isinstance(rules, Kalah) or not rules.standard:
            raise BadEngine(
                f"KGP plays Kalah under the standard rule, such as kalah:standard, not {rules.game_string()}"
            )

    def converse(self) -> KgpTalk:
        return KgpTalk(self.command, self.memory)
