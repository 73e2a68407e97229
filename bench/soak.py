"""The web server over a long time: what people ask and what they should not, and whether its memory
comes to rest.

A real server is started on loopback. Several clients take turns with the kinds of requests in
`KINDS`: some play and look as people do, others ask for ever new boards and engines, send what is
malformed, or leave before the answer is there. Every half a minute or so a line says how much
memory the server and the processes that it started hold, and how long its answers took. The verdict
compares the last quarter of the run with the quarter before. Linux only, for it reads /proc.

`python -m bench.soak --minutes 60`; `--only export,solve` plays some kinds alone, which tells what
each of them leaves behind.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import contextlib
import dataclasses
import itertools
import json
import random
import secrets
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import websockets
from tests.web_server import Server, running

from bench.server_load import Client

CLIENTS = 6
"""So many ask at a time."""
RATE = 12.0
"""Requests a second, of all clients together, unless another is asked for."""
MOST_REQUESTS = 200_000
MOST_SAMPLES = 240
"""Lines of the curve."""
SHORTEST_SAMPLE = 30.0
LONGEST_ANSWER = 300.0
"""Seconds after which an answer counts as lost; the first ones wait for the compiler."""
PERSON_LASTS = 60
"""Things done after which a client is somebody else, as in a class whose pupils come and go."""
REMEMBERED = 30
"""Games that a person goes back to."""
GROWTH, GROWTH_MB = 0.03, 15.0
"""A flat curve holds so much more in its last quarter than in the one before, as a share or in
megabytes, whichever is more."""

GAMES = (
    "connect4",
    "connect4",
    "tictactoe",
    "kalah",
    "kalah:4x3,standard",
    "gomoku",
    "mnk:7x8x5",
    "connect:8x9x5",
)
SOLVED = ("connect4", "tictactoe", "kalah", "kalah:4x3", "mnk:5x5x4", "connect:5x5x4")
LARGE = ("mnk:90x90x5", "mnk:80x90x6", "gomoku:90", "mnk:64x64x5")
ENGINES = (
    "auto",
    "greedy",
    "random",
    "rules",
    "deepening:depth=3",
    "minimax:depth=2",
    "alphabeta:depth=3",
    "mcts:iterations=200,memory=2000",
    "budget:nodes=2000",
    "overlooking:nodes=500",
    "threats:nodes=2000",
)
ANALYSES = ({"type": "analyse", "seconds": 1.0}, {"type": "review", "seconds": 0.05})
TO_READ = ("/catalogue", "/words/en", "/openapi.json", "/addresses", "/tournaments", "/quick-study")
WITH_A_POSITION = ("/hint", "/threats", "/solve", "/puzzles", "/fair", "/book", "/look")
WITH_A_BODY = (
    *WITH_A_POSITION,
    "/games",
    "/export",
    "/record",
    "/records",
    "/edit",
    "/puzzles/try",
    "/think",
    "/nothing",
)


@dataclasses.dataclass
class Tally:
    """What was seen."""

    seconds: list[float] = dataclasses.field(default_factory=list)
    """Of requests that need no engine and make no file, since the last line: what others feel."""
    kinds: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    status: collections.Counter[int] = dataclasses.field(default_factory=collections.Counter)
    faults: list[str] = dataclasses.field(default_factory=list)
    """Answers that say the server is at fault, and lost ones."""

    @property
    def requests(self) -> int:
        """All that were answered."""
        return sum(self.status.values())


@dataclasses.dataclass(frozen=True)
class Sample:
    """A line of the curve."""

    minutes: float
    of_server: float
    """Megabytes."""
    of_all: float
    """Of the server and all processes that it started."""
    threads: int
    requests: int
    median: float
    slow: float
    """The 99th percentile; both in milliseconds."""

    def __str__(self) -> str:
        return (
            f"{self.minutes:7.1f}  {self.of_server:9.0f}  {self.of_all:18.0f}  {self.threads:7}  "
            f"{self.requests:8,}  {self.median:6.1f}  {self.slow:6.1f}"
        )


HEAD = "minutes  server MB  with its processes  threads  requests  p50 ms  p99 ms"


class Guest:
    """A client: one person after another, on one connection."""

    def __init__(self, port: int, number: int, tally: Tally) -> None:
        self.port, self.tally = port, tally
        self.chance = random.Random(number)
        self.asked = 0
        self.become_another()

    def become_another(self) -> None:
        """Go on under another secret."""
        self.secret = secrets.token_urlsafe(32)
        self.client = Client(self.port, self.secret)
        self.games: list[Any] = []

    def one_of(self, *choices: Any) -> Any:
        """One of some things."""
        return self.chance.choice(choices)

    # ---- Asking ----

    async def ask(
        self, method: str, path: str, body: object = None, *, cheap: bool = False
    ) -> tuple[int, Any]:
        """Status and JSON of an answer."""
        started = time.perf_counter()
        try:
            status, content = await self._request(method, path, body)
        except asyncio.IncompleteReadError:  # the server has closed a connection that was idle
            self.client.close()
            status, content = await self._request(method, path, body)
        if cheap:
            self.tally.seconds.append(time.perf_counter() - started)
        self.asked += 1
        self.tally.status[status] += 1
        if status >= 500 and status not in (503, 507):
            told = f"{json.dumps(body)[:200]}: {status} {content[:200]!r}"
            self.tally.faults.append(f"{method} {path} {told}")
        with contextlib.suppress(ValueError):
            return status, json.loads(content)
        return status, None

    async def _request(self, method: str, path: str, body: object) -> tuple[int, bytes]:
        return await asyncio.wait_for(self.client.request(method, path, body), LONGEST_ANSWER)

    async def new(self, game: str, *players: str, **more: object) -> Any:
        """A new game, or None where it was refused."""
        body = {"game": game, "players": players or ("human", "human"), **more}
        status, made = await self.ask("POST", "/games", body)
        if status != 201:
            return None
        self.games = [*self.games[-REMEMBERED:], made]
        return made

    async def moved(self, game: Any) -> Any:
        """A game once this person has tried to move in it."""
        if not game["over"] and (moves := game["view"]["moves"]):
            move = {"move": self.chance.choice(moves)["move"], "turn": game["turn"]}
            await self.ask("POST", f"/games/{game['id']}/moves", move, cheap=True)
        status, now = await self.ask("GET", f"/games/{game['id']}", cheap=True)
        return now if status == 200 else game

    async def position(self, game: str, plies: int) -> dict[str, Any]:
        """A position after up to so many random moves, as a request has it."""
        moves: list[str] = []
        for _ in range(self.chance.randint(0, plies)):
            where = {"game": game, "moves": " ".join(moves)}
            status, view = await self.ask("POST", "/look", where, cheap=True)
            if status != 200 or not view["moves"]:
                break
            moves.append(self.chance.choice(view["moves"])["move"])
        return {"game": game, "moves": " ".join(moves)}

    @contextlib.asynccontextmanager
    async def socket(self) -> AsyncIterator[Any]:
        """A socket that has said hello."""
        address = f"ws://localhost:{self.port}/api/v1/live"
        async with websockets.connect(address, compression=None, max_size=None) as socket:
            await socket.send(json.dumps({"type": "hello", "token": self.secret}))
            yield socket


# ---- What people do ----


async def play(guest: Guest) -> None:
    """Some moves against an easy level, followed over a socket."""
    async with guest.socket() as socket:
        game = await guest.new(guest.one_of(*GAMES), "human", guest.one_of("easy", "1", "human"))
        if game is None:
            return
        await socket.send(json.dumps({"type": "follow", "game": game["id"]}))
        for _ in range(guest.chance.randint(2, 8)):
            game = await guest.moved(game)
        action = {"action": guest.one_of("undo", "resign", "rematch", "redo")}
        await guest.ask("POST", f"/games/{game['id']}/actions", action)


async def come_back(guest: Guest) -> None:
    """Look at an old game, and move in it."""
    if guest.games:
        await guest.moved(guest.one_of(*guest.games))
    await guest.ask("GET", "/games", cheap=True)


async def look(guest: Guest) -> None:
    """Read: the catalogue, rules, offers, views, the book."""
    where = await guest.position(guest.one_of(*GAMES), 4)
    await guest.ask("GET", guest.one_of(*TO_READ))
    language = guest.one_of("en", "pt", "it")
    await guest.ask("POST", "/rules", {"game": where["game"], "language": language})
    await guest.ask("POST", "/offers", {"game": where["game"]})
    await guest.ask("POST", "/book", where)


async def hint(guest: Guest) -> None:
    """Hints and threats."""
    where = await guest.position(guest.one_of(*GAMES), 6)
    await guest.ask("POST", guest.one_of("/hint", "/threats"), where)


async def analyse(guest: Guest) -> None:
    """An analysis, a proof or a review that streams for a moment."""
    asked = {**guest.one_of(*ANALYSES), **await guest.position(guest.one_of(*GAMES), 6), "id": 1}
    if asked["type"] == "analyse":
        asked["engine"] = guest.one_of(*ENGINES)
    async with guest.socket() as socket:
        await socket.send(json.dumps(asked))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(3.0):
                async for message in socket:
                    heard = json.loads(message)
                    if heard.get("final") or heard["type"] == "error":
                        break


async def solve(guest: Guest) -> None:
    """Exact scores and puzzles."""
    where = await guest.position(guest.one_of(*SOLVED), 9)
    await guest.ask("POST", "/solve", {**where, "seconds": 0.5})
    if guest.chance.random() < 0.2:
        await guest.ask("POST", "/puzzles", {"game": "connect4"})


async def export(guest: Guest) -> None:
    """Pictures and records."""
    where = await guest.position(guest.one_of(*GAMES), 12)
    kind = guest.one_of("svg", "png", "png", "gif", "record")
    await guest.ask("POST", "/export", {**where, "format": kind})


async def records(guest: Guest) -> None:
    """All games as one text, or in a list."""
    which = guest.one_of("/records", "/records?everyone=true", "/games?everyone=true")
    await guest.ask("GET", which)


async def think(guest: Guest) -> None:
    """The tree of a small search."""
    where = await guest.position(guest.one_of(*GAMES), 4)
    algorithm = guest.one_of("minimax", "alphabeta", "mcts")
    await guest.ask("POST", "/think", {**where, "algorithm": algorithm, "depth": 2})


async def link(guest: Guest) -> None:
    """A linked game that somebody else joins."""
    game = await guest.new(guest.one_of(*GAMES), linked=True, watchable=True)
    if game is None or not game.get("invitation"):
        return
    other = Guest(guest.port, guest.chance.randrange(1 << 30), guest.tally)
    invitation = {"invitation": game["invitation"]}
    await other.ask("POST", f"/games/{game['id']}/join", invitation)
    await other.ask("GET", f"/games/{game['id']}", cheap=True)
    other.client.close()
    await guest.moved(game)


async def study(guest: Guest) -> None:
    """The report of the lab."""
    status, found = await guest.ask("GET", "/studies")
    if status == 200:
        await guest.ask("GET", f"/studies/{guest.one_of(*found['studies'])['name']}")


# ---- What people should not do ----


async def large(guest: Guest) -> None:
    """Games, views and pictures of the largest boards."""
    made = await guest.new(guest.one_of(*LARGE))
    if made is not None:
        await guest.moved(made)
    cells = [f"{column}{row}" for column in "abcdef" for row in range(1, 40)]
    moves = " ".join(guest.chance.sample(cells, 20))
    where = {"game": guest.one_of(*LARGE), "moves": moves}
    await guest.ask("POST", "/look", where)
    if guest.chance.random() < 0.2:
        await guest.ask("POST", "/export", {**where, "format": guest.one_of("png", "gif")})


async def odd(guest: Guest) -> None:
    """Boards and engines that nobody has asked for before."""
    rows, columns = guest.chance.randint(3, 24), guest.chance.randint(3, 24)
    line, number = guest.chance.randint(3, min(rows, 9)), guest.chance.randrange(10**6)
    game = guest.one_of(
        f"mnk:{rows}x{columns}x{line}",
        f"connect:{rows}x{columns}x{line}",
        f"connect4:{4 + rows % 6}x{4 + columns % 6}",
        f"kalah:{1 + rows % 8}x{1 + columns % 10}",
        f"gomoku:{5 + rows}",
        f"mnk:{60 + rows}x{60 + columns}x5",
    )
    engine = guest.one_of(
        f"mcts:iterations=50,seed={number}",
        f"deepening:depth=2,table_bits={4 + number % 18}",
        f"mcts:iterations=100,memory={1000 + number}",
        f"overlooking:nodes={1 + number % 3000}",
        f"{1 + number % 10}",
    )
    await guest.new(game, "human", engine)
    await guest.ask("POST", "/offers", {"game": game})
    await guest.ask("POST", "/rules", {"game": game})
    where = await guest.position(game, 2)
    if guest.chance.random() < 0.5:
        where["seconds"] = 0.3
    await guest.ask("POST", guest.one_of(*WITH_A_POSITION), where)


async def malformed(guest: Guest) -> None:
    """Nonsense of many kinds."""
    letters = 'connect4 kalah:0x{}[]",\\é\0'
    noise = "".join(guest.chance.choices(letters, k=guest.chance.randint(1, 400)))
    body = guest.one_of(
        {"game": noise},
        {"game": "connect4", "moves": noise},
        [noise],
        noise,
        {"text": noise},
        {"game": "mnk:9999x9999x5"},
        {noise: noise},
    )
    await guest.ask("POST", guest.one_of(*WITH_A_BODY), body)
    await guest.ask("GET", f"/games/{secrets.token_urlsafe(9)}")


async def leave(guest: Guest) -> None:
    """Requests and sockets that are dropped in the middle."""
    other = Client(guest.port, guest.secret)
    method, path, body = guest.one_of(
        ("POST", "/solve", {"game": "connect4", "seconds": 5.0}),
        ("POST", "/export", {"game": "mnk:60x60x5", "format": "png"}),
        ("POST", "/hint", {"game": "gomoku"}),
        ("GET", "/records", None),
    )
    with contextlib.suppress(TimeoutError, OSError, EOFError):
        patience = guest.chance.uniform(0.005, 0.2)
        await asyncio.wait_for(other.request(method, path, body), patience)
    other.close()
    async with guest.socket() as socket:
        for number in range(5):
            asked = {"type": "analyse", "id": number, "game": guest.one_of(*GAMES), "seconds": 60.0}
            await socket.send(json.dumps(asked))
            await asyncio.sleep(0.02)
        socket.transport.abort()


KINDS: dict[str, tuple[Callable[[Guest], Awaitable[None]], int]] = {
    "play": (play, 20),
    "come-back": (come_back, 15),
    "look": (look, 12),
    "hint": (hint, 6),
    "analyse": (analyse, 6),
    "solve": (solve, 5),
    "export": (export, 8),
    "records": (records, 4),
    "think": (think, 3),
    "link": (link, 3),
    "study": (study, 1),
    "large": (large, 5),
    "odd": (odd, 6),
    "malformed": (malformed, 6),
    "leave": (leave, 3),
}
"""What a client does next, and how often."""


# ---- The run ----


async def visit(guest: Guest, kinds: list[str], rate: float, go_on: Callable[[], bool]) -> None:
    """One thing after the other, at the pace of the run."""
    weights = [KINDS[kind][1] for kind in kinds]
    while go_on():
        kind = guest.chance.choices(kinds, weights)[0]
        guest.tally.kinds[kind] += 1
        began, asked = time.perf_counter(), guest.asked
        try:
            await KINDS[kind][0](guest)
        except Exception as error:
            guest.tally.faults.append(f"{kind}: {error!r}"[:300])
            guest.client.close()
        if guest.chance.random() < 1 / PERSON_LASTS:
            guest.client.close()
            guest.become_another()
        due = began + (guest.asked - asked + 1) * CLIENTS / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))


async def soak(
    server: Server,
    seconds: float,
    requests: int,
    kinds: list[str],
    rate: float,
    tell: Callable[[Sample], None],
) -> tuple[list[Sample], Tally]:
    """Let all clients ask until time or requests are spent."""
    tally, started = Tally(), time.monotonic()
    ends = started + seconds

    def go_on() -> bool:
        running_yet = server.process.poll() is None
        return running_yet and time.monotonic() < ends and tally.requests < requests

    guests = [Guest(server.port, number, tally) for number in range(CLIENTS)]
    visits = [asyncio.create_task(visit(guest, kinds, rate, go_on)) for guest in guests]
    samples: list[Sample] = []
    every = max(min(SHORTEST_SAMPLE, seconds / 20), seconds / MOST_SAMPLES)
    while go_on():
        await asyncio.sleep(min(every, max(0.1, ends - time.monotonic())))
        if server.process.poll() is None:
            minutes = (time.monotonic() - started) / 60
            samples.append(take_sample(server.process.pid, minutes, tally))
            tell(samples[-1])
    await asyncio.wait(visits, timeout=LONGEST_ANSWER)
    for each in visits:
        each.cancel()
    return samples, tally


def take_sample(pid: int, minutes: float, tally: Tally) -> Sample:
    """How the server stands now, and its answers since the last time."""
    times, tally.seconds = sorted(tally.seconds) or [0.0], []
    middle, late = (times[int(len(times) * share)] * 1000 for share in (0.5, 0.99))
    threads = len(list(Path(f"/proc/{pid}/task").iterdir()))
    of_all = sum(map(resident, (pid, *children(pid))))
    return Sample(minutes, resident(pid), of_all, threads, tally.requests, middle, late)


def resident(pid: int) -> float:
    """The memory of a process that no file can give back, in megabytes."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) / 1024
    return 0.0


def children(pid: int) -> Iterator[int]:
    """The processes that a process has started, and theirs."""
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield int(child)
                yield from children(int(child))


def verdict(samples: list[Sample]) -> tuple[bool, str]:
    """Whether the curve of the server is flat at the end, by the medians of its last two quarters.
    The compiler comes and goes, so the processes beside the server are shown but not judged."""
    quarter = len(samples) // 4
    if quarter < 2:
        return False, "too short for a verdict"
    before, last = (
        statistics.median(sample.of_server for sample in part)
        for part in (samples[-2 * quarter : -quarter], samples[-quarter:])
    )
    flat = last - before <= max(GROWTH_MB, GROWTH * before)
    word = "flat" if flat else "GROWING"
    return flat, f"{word}: {before:.0f} MB in the third quarter, {last:.0f} MB in the last"


def main() -> int:
    """Run it, print the curve and the verdict; 0 if it is flat and nothing failed."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.soak",
        description="Load a real server for a long time and watch its memory.",
    )
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument(
        "--requests", type=int, default=MOST_REQUESTS, help="stop after so many, whatever the time"
    )
    parser.add_argument("--rate", type=float, default=RATE, help="requests a second")
    parser.add_argument("--only", default=",".join(KINDS), help="kinds of requests, by commas")
    arguments = parser.parse_args()
    kinds = [kind.strip() for kind in arguments.only.split(",")]
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        parser.error(f"unknown kind {unknown[0]!r}; kinds are {', '.join(KINDS)}")
    numbers = itertools.count()

    def tell(sample: Sample) -> None:
        if next(numbers) == 0:
            print(HEAD)
        print(sample, flush=True)

    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server:
        samples, tally = asyncio.run(
            soak(server, arguments.minutes * 60, arguments.requests, kinds, arguments.rate, tell)
        )
        died = server.process.poll()
    for name, counts in (
        ("statuses", sorted(tally.status.items())),
        ("kinds", tally.kinds.most_common()),
    ):
        print(f"{name}: " + ", ".join(f"{what} x {count:,}" for what, count in counts))
    for fault in tally.faults[:10]:
        print(f"fault: {fault}")
    print(f"{len(tally.faults)} faults")
    if died is not None:
        print(f"the server died with status {died}")
    flat, words = verdict(samples)
    print(words)
    return 0 if flat and not tally.faults and died is None else 1


if __name__ == "__main__":
    sys.exit(main())
