"""The web server under load: 200 live games at once, each with a person's move every two seconds
and an easy-level reply.

Run alone: `python -m bench.server_load [--seconds 60] [--games 200]`.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import random
import secrets
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import websockets
from tests.web_server import running

from bench.measure import Effort
from bench.report import Row, Target

GAMES, SECONDS, EVERY = 200, 60.0, 2.0
LONGEST_REPLY = 10.0
"""A reply that takes longer is counted as lost."""
PLAYED = ("connect4", "connect4", "tictactoe", "kalah", "gomoku")


@dataclasses.dataclass
class Tally:
    """What was seen."""

    plain: list[float] = dataclasses.field(default_factory=list)
    """Seconds of requests that need no engine: moves, looks at a game, new games."""
    replies: list[float] = dataclasses.field(default_factory=list)
    """Seconds from a person's move to the engine's."""
    lost: int = 0
    errors: list[str] = dataclasses.field(default_factory=list)
    finished: int = 0


class Client:
    """One connection that is kept open, in as little time as possible: what is measured is the
    server.
    """

    def __init__(self, port: int, secret: str) -> None:
        self.port = port
        self.head = f"Host: localhost:{port}\r\nAuthorization: Bearer {secret}\r\nContent-Type: application/json\r\n"
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(self, method: str, path: str, body: object) -> tuple[int, bytes]:
        """Status and content of an answer."""
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        reader, writer = self.streams
        content = b"" if body is None else json.dumps(body).encode()
        writer.write(
            f"{method} /api/v1{path} HTTP/1.1\r\n{self.head}Content-Length: {len(content)}\r\n\r\n".encode()
            + content
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        if "transfer-encoding: chunked" in head:
            return int(head.split(" ")[1]), await self._chunks(reader)
        length = int(head.split("content-length:")[1].split("\r\n")[0])
        return int(head.split(" ")[1]), await reader.readexactly(length)

    @staticmethod
    async def _chunks(reader: asyncio.StreamReader) -> bytes:
        """The content of an answer that comes in pieces."""
        content = b""
        while size := int(await reader.readuntil(b"\r\n"), 16):
            content += (await reader.readexactly(size + 2))[:-2]
        await reader.readexactly(2)
        return content

    def close(self) -> None:
        """Leave, whether or not an answer is due."""
        if self.streams is not None:
            self.streams[1].transport.abort()
            self.streams = None


class Person:
    """Somebody who plays game after game against the easy level, over a socket and plain requests."""

    def __init__(self, port: int, number: int, tally: Tally) -> None:
        self.port, self.tally = port, tally
        self.chance = random.Random(number)
        self.name = PLAYED[number % len(PLAYED)]
        self.secret = secrets.token_urlsafe(32)
        self.client = Client(port, self.secret)

    async def warm_up(self) -> None:
        """One move and its reply, so that every kernel is loaded before the clock runs."""
        game = await self.ask("POST", "/games", {"game": self.name, "players": ["easy", "human"]})
        while not game["view"]["played"]:
            await asyncio.sleep(0.1)
            game = await self.ask("GET", f"/games/{game['id']}")

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """A request that needs no engine, timed."""
        started = time.perf_counter()
        status, content = await self.client.request(method, path, body)
        self.tally.plain.append(time.perf_counter() - started)
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {content[:200]!r}")
        return json.loads(content)

    async def play(self, until: float) -> None:
        """Games until the time is over."""
        async with websockets.connect(
            f"ws://localhost:{self.port}/api/v1/live", compression=None, max_size=None
        ) as socket:
            await socket.send(json.dumps({"type": "hello", "token": self.secret}))
            await asyncio.sleep(self.chance.random() * EVERY)
            while time.perf_counter() < until:
                await self._one_game(socket, until)

    async def _one_game(self, socket: Any, until: float) -> None:
        game = await self.ask("POST", "/games", {"game": self.name, "players": ["human", "easy"]})
        await socket.send(json.dumps({"type": "follow", "game": game["id"]}))
        while not game["over"] and time.perf_counter() < until:
            started = time.perf_counter()
            try:
                move = self.chance.choice(game["view"]["moves"])["move"]
                game = await self.ask(
                    "POST", f"/games/{game['id']}/moves", {"move": move, "turn": game["turn"]}
                )
                game = await self._reply(socket, game, started)
                await self.ask("GET", f"/games/{game['id']}")
            except Exception as error:
                self.tally.errors.append(repr(error)[:200])
                return
            await asyncio.sleep(max(0.0, EVERY - (time.perf_counter() - started)))
        self.tally.finished += game["over"]
        await socket.send(json.dumps({"type": "unfollow", "game": game["id"]}))

    async def _reply(self, socket: Any, game: Any, started: float) -> Any:
        """The game once it is the person's turn again, or over."""
        waited_for = not game["over"] and game["view"]["mover"] == 1
        while not game["over"] and game["view"]["mover"] == 1:
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), LONGEST_REPLY))
            except TimeoutError:
                self.tally.lost += 1
                raise
            if message["type"] == "error":
                raise RuntimeError(message["error"])
            if (
                message["type"] == "game"
                and message["game"]["id"] == game["id"]
                and message["game"]["revision"] > game["revision"]
            ):
                game = message["game"]
        if waited_for:
            self.tally.replies.append(time.perf_counter() - started)
        return game


async def load(port: int, games: int, seconds: float) -> Tally:
    """Let so many people play at once."""
    tally = Tally()
    people = [Person(port, number, tally) for number in range(games)]
    await asyncio.gather(*(person.warm_up() for person in people[: len(PLAYED)]))
    tally.plain.clear()
    until = time.perf_counter() + seconds
    await asyncio.gather(*(person.play(until) for person in people))
    return tally


def rows(_: Effort) -> list[Row]:
    """The figures for `make bench`."""
    what = f"web server, {GAMES} live games, a move every {EVERY:g} s"
    target = Target("<=", 20)
    tally = measure(GAMES, SECONDS)
    plain, replies = (statistics.median(times) * 1000 for times in (tally.plain, tally.replies))
    note = f"ratio: milliseconds; {len(tally.plain):,} requests in {SECONDS:g} s, {len(tally.errors)} errors"
    return [
        Row(
            f"{what}, median of plain requests",
            "ms wall",
            plain,
            ratio=plain,
            target=target,
            note=note,
        ),
        Row(
            f"{what}, easy replies lost",
            "replies",
            tally.lost,
            ratio=tally.lost + len(tally.errors),
            target=Target("<=", 0),
            note=f"of {len(tally.replies):,}, median {replies:.0f} ms; ratio: lost and errors",
        ),
    ]


def measure(games: int, seconds: float) -> Tally:
    """Start a server, load it, and count."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server:
        return asyncio.run(load(server.port, games, seconds))


def main() -> None:
    """Print the figures of one run."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.server_load", description="Load a real server with live games."
    )
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    arguments = parser.parse_args()
    tally = measure(arguments.games, arguments.seconds)
    for name, times in (("plain requests", tally.plain), ("easy replies", tally.replies)):
        cuts = statistics.quantiles(times, n=100)
        print(
            f"{name}: {len(times):,}, median {statistics.median(times) * 1000:.1f} ms, 95 % {cuts[94] * 1000:.1f} ms, "
            f"99 % {cuts[98] * 1000:.1f} ms, longest {max(times) * 1000:.0f} ms"
        )
    print(
        f"games finished {tally.finished}, replies lost {tally.lost}, errors {len(tally.errors)} {tally.errors[:3]}"
    )


if __name__ == "__main__":
    main()
