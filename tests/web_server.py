"""A real server in a process of its own, and people who talk to it: for tests of the web page and
its interface, and for the bench.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import uvicorn
from websockets.sync.client import ClientConnection, connect

from mnkala.web.app import make_app
from mnkala.web.limits import USUAL, Limits
from mnkala.web.live_games import LiveGames
from mnkala.web.messages import Game, SocketAnswer

PATIENCE_OF_TESTS = 60.0
ROOT = Path(__file__).resolve().parent.parent


class Server:
    """A running `mnkala web`."""

    def __init__(self, folder: Path, *arguments: str, **variables: str) -> None:
        self.folder = folder
        self.arguments = arguments
        self.variables = variables
        self.start()

    def start(self, port: int = 0) -> None:
        """Start it, on the same data as before; on any free port unless one is given."""
        environment = {**os.environ, "MNKALA_DATA_DIR": str(self.folder), **self.variables}
        self.log = (self.folder / "server.log").open("a+")
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "mnkala",
                "web",
                "--no-browser",
                "--no-compile-ahead",
                "--port",
                str(port),
                *self.arguments,
            ],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env=environment,
            cwd=ROOT / "examples",
        )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        assert "http://" in first, first + (self.folder / "server.log").read_text()
        self.port = int(first.split("http://")[1].split("/")[0].rsplit(":", 1)[1])
        self.address = f"http://localhost:{self.port}"

    def kill(self) -> None:
        """End it without a warning, as a crash would."""
        self.process.kill()
        self.process.wait(120)

    def stop(self, patience: float = 120) -> int:
        """End it by Ctrl-C; its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(patience)
        finally:
            if self.process.poll() is None:
                self.process.kill()
            self.log.close()
            assert self.process.stdout is not None
            self.process.stdout.close()

    @property
    def errors(self) -> str:
        """What it wrote to standard error."""
        return (self.folder / "server.log").read_text()


@contextlib.contextmanager
def running(folder: Path, *arguments: str, **variables: str) -> Iterator[Server]:
    """A server for the time of a `with`."""
    server = Server(folder, *arguments, **variables)
    try:
        yield server
    finally:
        server.stop()


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """For the time of a `with` another process holds the write lock of a database."""
    code = (
        "import sqlite3, sys; held = sqlite3.connect(sys.argv[1], isolation_level=None); held.execute('BEGIN IMMEDIATE'); "
        "print('held', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        try:
            yield
        finally:
            other.stdin.write("\n")
            other.stdin.close()
            other.wait(60)


class Person:
    """Somebody with a secret."""

    def __init__(self, server: Server | Inside) -> None:
        self.server = server
        self.secret = secrets.token_urlsafe(32)
        self.http = httpx.Client(
            base_url=f"{server.address}/api/v1",
            headers={"Authorization": f"Bearer {self.secret}"},
            timeout=180,
            verify=False,
        )  # reading certificates takes a while, and there are none here

    def post(self, path: str, body: object = None, expect: int | None = 200, **more: Any) -> Any:
        """The JSON of an answer whose status is as expected."""
        answer = self.http.post(path, json={} if body is None else body, **more)
        assert expect is None or answer.status_code == expect, (
            f"{path}: {answer.status_code} {answer.text[:300]}"
        )
        return answer.json()

    def get(self, path: str, expect: int = 200) -> Any:
        """The JSON of an answer whose status is as expected."""
        answer = self.http.get(path)
        assert answer.status_code == expect, f"{path}: {answer.status_code} {answer.text[:300]}"
        return answer.json()

    def new(self, game: str, *players: str, **more: Any) -> Any:
        """A new game."""
        return self.post(
            "/games", {"game": game, "players": players or ("human", "human"), **more}, expect=201
        )

    def move(self, game: Any, move: str, expect: int = 200) -> Any:
        """Play a move of a game as it was last seen."""
        return self.post(f"/games/{game['id']}/moves", {"move": move, "turn": game["turn"]}, expect)

    def act(self, game: Any, action: str, expect: int = 200, **more: Any) -> Any:
        """Undo, redo and the others."""
        return self.post(f"/games/{game['id']}/actions", {"action": action, **more}, expect)

    def until(self, game: Any, holds: Callable[[Any], bool], seconds: float = 180) -> Any:
        """The game once something holds of it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            seen = self.get(f"/games/{game['id']}")
            if holds(seen):
                return seen
            time.sleep(0.02)
        raise AssertionError(
            f"it did not come to that within {seconds} s: {json.dumps(seen)[:500]}"
        )

    def at(self, server: Server | Inside) -> Person:
        """The same person at another server."""
        again = Person(server)
        again.secret = self.secret
        again.http.headers["Authorization"] = f"Bearer {self.secret}"
        return again

    @contextlib.contextmanager
    def live(self) -> Iterator[Live]:
        """A websocket that has said hello."""
        with connect(f"ws://localhost:{self.server.port}/api/v1/live", max_size=None) as socket:
            connection = Live(socket)
            connection.send(type="hello", token=self.secret)
            yield connection


class Live:
    """A websocket with JSON on it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def send(self, **message: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps(message))

    def until(self, holds: Callable[[Any], bool], seconds: float = 180) -> Any:
        """The first message of which something holds."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                received = self.socket.recv(timeout=left)
            except TimeoutError:
                break
            msgspec.json.decode(received, type=SocketAnswer)  # every message is as described
            message = json.loads(received)
            if holds(message):
                return message
        raise AssertionError(f"no such message within {seconds} s")


class Listener:
    """Somebody who follows a game."""

    def __init__(self, person: str) -> None:
        self.person = person
        self.heard: list[Game] = []

    def tell(self, game: Game) -> None:
        self.heard.append(game)


def wait_for(holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_OF_TESTS
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.01)


# ---- A server within this process, into which a test can look ----


class Inside:
    """A server whose games is at hand."""

    def __init__(self, games: LiveGames, port: int) -> None:
        self.games, self.port = games, port
        self.address = f"http://localhost:{port}"

    def counts(self) -> tuple[int, int]:
        """Jobs that run and that wait, in all queues."""
        counts = [queue.counts() for queue in self.games.workers.queues]
        return sum(running for running, _ in counts), sum(waiting for _, waiting in counts)


@contextlib.contextmanager
def inside(folder: Path, limits: Limits = USUAL, *, loopback: bool = True) -> Iterator[Inside]:
    """Such a server, which compiles only what somebody asks for."""
    app = make_app(folder / "games.sqlite", loopback=loopback, limits=limits, compile_ahead=False)
    server = uvicorn.Server(
        uvicorn.Config(
            app, port=0, log_level="error", ws="websockets-sansio", timeout_graceful_shutdown=5
        )
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    wait_for(lambda: server.started, "the server starts")
    try:
        yield Inside(app.state.games, server.servers[0].sockets[0].getsockname()[1])
    finally:
        app.state.games.workers.loop.call_soon_threadsafe(app.state.games.stop_work)
        server.should_exit = True
        thread.join(PATIENCE_OF_TESTS)
