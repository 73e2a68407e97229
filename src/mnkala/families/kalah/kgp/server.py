"""The KGP server, which lets clients in, pairs them with opponents and keeps the results.

Every two clients, or every client and an engine of mnkala, play the same number of games and
take turns to begin; those who have played least come first. Everything happens in one event
loop, except that engines think in threads of their own.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import itertools
import os
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from mnkala.core import Position, Rules
from mnkala.families.kalah.kgp.line import LONGEST_LINE, Line, Link
from mnkala.families.kalah.kgp.remote import (
    USUAL,
    ChosenMove,
    Faults,
    FinishedGame,
    Leave,
    Remote,
    Seat,
    ServerLimits,
    in_words,
    play,
)
from mnkala.numbers import counted
from mnkala.play.series import SeriesResult
from mnkala.search import Engine, Limit
from mnkala.search.limit import Stop

# ---- Results ----


HEADINGS = ("player", "games", "wins", "draws", "losses", "points", "faults")


@dataclasses.dataclass
class ClientScore:
    """The results of one player."""

    result: SeriesResult = SeriesResult()
    faults: Faults = dataclasses.field(default_factory=collections.Counter)


class Results:
    """The results of all players so far, by name."""

    def __init__(self) -> None:
        self.rows: dict[str, ClientScore] = {}
        self.games = 0

    def of(self, name: str) -> ClientScore:
        """The row of a player."""
        return self.rows.setdefault(name, ClientScore())

    def add(self, played: FinishedGame) -> None:
        """Add a game to the results of its players."""
        self.games += 1
        for side, name in enumerate(played.names):
            row = self.of(name)
            row.result = row.result.add(
                0.5 if played.winner is None else float(played.winner == side)
            )
            row.faults += played.faults[side]

    def ranked(self) -> list[tuple[str, ClientScore]]:
        """The players, best first: by most points, then fewest games, then name."""
        return sorted(
            self.rows.items(),
            key=lambda each: (-each[1].result.points, each[1].result.games, each[0]),
        )

    def table(self) -> str:
        """The table for people."""
        cells = [
            HEADINGS,
            *(
                (
                    name,
                    *map(
                        str,
                        (row.result.games, row.result.wins, row.result.draws, row.result.losses),
                    ),
                    f"{row.result.points:g}",
                    in_words(row.faults),
                )
                for name, row in self.ranked()
            ),
        ]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        return "\n".join(
            "  ".join(
                cell.ljust(width) if place in (0, len(widths) - 1) else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in cells
        )

    def as_json(self) -> dict[str, Any]:
        """The results as JSON values."""
        return {
            "games": self.games,
            "players": [
                {
                    "name": name,
                    "games": row.result.games,
                    "wins": row.result.wins,
                    "draws": row.result.draws,
                    "losses": row.result.losses,
                    "points": row.result.points,
                    "faults": {str(fault): number for fault, number in sorted(row.faults.items())},
                }
                for name, row in self.ranked()
            ],
        }


# ---- Server ----


class EngineSeat:
    """An engine of mnkala as everybody's opponent. It thinks no longer than its clients may."""

    def __init__(self, engine: Engine, name: str, seconds: float) -> None:
        self.name = name
        self.engine = engine
        self.limit: Limit = dataclasses.replace(
            engine.limit, time=min(seconds, engine.limit.time or seconds)
        )
        self.stop = Stop()
        self.threads = ThreadPoolExecutor(
            max_workers=os.cpu_count(), thread_name_prefix="kgp-engine"
        )

    async def choose(self, position: Position, game: int, opponent: str) -> ChosenMove:
        """Search in a thread. With more games than cores, searches wait for each other."""
        return ChosenMove(
            await asyncio.get_running_loop().run_in_executor(self.threads, self._think, position)
        )

    def _think(self, position: Position) -> int:
        *_, last = self.engine.stream(position, self.limit, stop=self.stop)
        assert last.best_code is not None
        return last.best_code

    def close(self) -> None:
        """Stop all searches."""
        self.stop.set()
        self.threads.shutdown(cancel_futures=True)


@dataclasses.dataclass(frozen=True)
class ServerPlan:
    """What a server lets its clients play."""

    rules: Rules
    seconds: float = 5.0
    """The seconds for a move."""
    games: int = 2
    """The number of games of each client with each other client, or with the engine."""
    at_once: int = 1
    """The number of games that a client plays at the same time."""
    players: int | None = None
    """The server ends once so many clients have come and played; None keeps it running until it is
    stopped."""
    engine: Engine | None = None
    """Everybody's opponent; if None, clients play each other."""
    engine_name: str = ""


class Server:
    """A server while it runs and afterwards."""

    def __init__(
        self,
        plan: ServerPlan,
        *,
        limits: ServerLimits = USUAL,
        say: Callable[[str], None] = lambda text: None,
        keep: Callable[[FinishedGame], None] = lambda played: None,
    ) -> None:
        self.plan, self.limits = plan, limits
        self.say, self.keep = say, keep
        """Functions called with a text about each event, and with every game that is over."""
        self.results = Results()
        self.connections: dict[asyncio.Task[None], Remote] = {}
        self.players: list[Remote] = []
        """The connected clients that want to play."""
        self.come = 0
        """The number of clients that have asked to play."""
        self.client_numbers, self.game_numbers = itertools.count(1), itertools.count(1)
        self.games: dict[asyncio.Task[None], tuple[Seat, Seat]] = {}
        """The games in progress."""
        self.met: collections.Counter[frozenset[Seat]] = collections.Counter()
        """How many games each pair has been given."""
        self.over = asyncio.Event()
        self.unfinished = 0
        """The number of games that were in progress when the server ended."""
        self.failure: BaseException | None = None
        self.engine = (
            EngineSeat(plan.engine, plan.engine_name, plan.seconds) if plan.engine else None
        )

    async def run(self, listening: socket.socket) -> None:
        """Serve until everything is played, or until cancelled."""
        server = await asyncio.start_server(self._connected, sock=listening, limit=LONGEST_LINE)
        try:
            await self.over.wait()
        finally:
            self.over.set()
            self.unfinished = len(self.games)
            server.close()
            if self.engine:
                self.engine.stop.set()
            for task in (tasks := [*self.games, *self.connections]):
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self.engine:
                self.engine.close()
        if self.failure:
            raise self.failure

    # ---- Clients coming and going ----

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a client until it leaves.

        A client that is just leaving when the server ends is handled too: for a cancelled handler,
        asyncio of Python 3.11 prints a traceback.
        """
        with contextlib.suppress(asyncio.CancelledError):
            await self._serve(Link(reader, writer, first_id=2))

    async def _serve(self, link: Link) -> None:
        if len(self.connections) >= self.limits.connections:
            link.send_bare(
                Line(
                    "error",
                    (
                        f"{counted(len(self.connections), 'client')} are here, which is as many as can be",
                    ),
                )
            )
            link.send_bare(Line("goodbye"))
            await link.close()
            return
        task = asyncio.current_task()
        assert task is not None
        remote = self.connections[task] = Remote(
            link, f"client {next(self.client_numbers)}", self.plan.seconds, self.limits, self._join
        )
        try:
            await remote.talk()
        except asyncio.CancelledError:  # By `_give_opponents` or `run`.
            link.send("goodbye")
        finally:
            del self.connections[task]
            if remote in self.players:
                self._leave(remote)
            await link.close()

    def _join(self, remote: Remote) -> None:
        """Add a client that wants to play."""
        if self.plan.players is not None and self.come >= self.plan.players:
            raise Leave(f"all {counted(self.plan.players, 'player')} have come")
        here = {player.name for player in self.players} | (
            {self.engine.name} if self.engine else set()
        )
        remote.name = next(name for name in _numbered(remote.name) if name not in here)
        if len(self.results.rows) >= self.limits.names and remote.name not in self.results.rows:
            raise Leave(
                f"{counted(self.limits.names, 'player')} have been here, which is as many as results are kept of"
            )
        self.results.of(remote.name)
        self.come += 1
        self.players.append(remote)
        self.say(f"{remote.name} has come")
        asyncio.get_running_loop().call_soon(
            self._give_opponents
        )  # Later, once it has been told that it may play.

    def _leave(self, remote: Remote) -> None:
        self.players.remove(remote)
        self.results.of(remote.name).faults += remote.bad_lines
        for pair in [pair for pair in self.met if remote in pair]:
            del self.met[pair]
        if not self.over.is_set():
            self.say(
                f"{remote.name} has left"
                + (f" ({in_words(remote.bad_lines)})" if remote.bad_lines else "")
            )
            self._give_opponents()

    # ---- Pairing ----

    def _give_opponents(self) -> None:
        """Start every game that can start, pairs with the fewest games first; then dismiss clients
        with nothing left to play."""
        if self.over.is_set():
            return
        waiting = [*self._waiting()]
        busy = collections.Counter(seat for seats in self.games.values() for seat in seats)
        for _, pair in sorted(waiting, key=lambda each: each[0]):
            if all(seat is self.engine or busy[seat] < self.plan.at_once for seat in pair):
                busy.update(pair)
                self._start(pair)
        if self.plan.players is not None and self.come >= self.plan.players and not self.games:
            self.over.set()
        if self.engine:  # Nobody will come whom they could still play.
            done = [player for player in self.players if not busy[player]]
            for task in [task for task, remote in self.connections.items() if remote in done]:
                task.cancel()

    def _waiting(self) -> Iterator[tuple[int, tuple[Seat, Seat]]]:
        """All games that are still to be started, with the number of the game in its pair."""
        pairs: Iterator[tuple[Seat, Seat]] = (
            ((player, self.engine) for player in self.players)
            if self.engine
            else itertools.combinations(self.players, 2)
        )
        for pair in pairs:
            for number in range(self.met[frozenset(pair)], self.plan.games):
                yield number, pair

    def _start(self, pair: tuple[Seat, Seat]) -> None:
        """Start a game of a pair; the player who begins changes from game to game."""
        both = frozenset(pair)
        seats = pair if self.met[both] % 2 == 0 else pair[::-1]
        self.met[both] += 1
        task = asyncio.create_task(self._play(seats))
        self.games[task] = seats
        task.add_done_callback(self._ended)

    async def _play(self, seats: tuple[Seat, Seat]) -> None:
        played = await play(self.plan.rules, next(self.game_numbers), seats)
        self.results.add(played)
        self.say(str(played))
        self.keep(played)

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self.games[task]
        if (
            not task.cancelled() and (error := task.exception()) is not None
        ):  # An engine or a file failed.
            self.failure = error
            self.over.set()
        self._give_opponents()


def _numbered(name: str) -> Iterator[str]:
    yield name
    for number in itertools.count(2):
        yield f"{name} ({number})"
