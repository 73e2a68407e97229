"""The websocket: games that are followed, and analyses and reviews that stream their results.

Messages that have not been sent yet are kept by subject, and a newer one replaces an older one
of the same subject: a slow reader gets fewer messages, never a longer queue.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import time
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace
from starlette.websockets import WebSocket, WebSocketDisconnect

from mnkala.core.plugins import failure
from mnkala.errors import MnkalaError
from mnkala.explain.inspection import inspect
from mnkala.numbers import counted
from mnkala.play.reviews import review, reviewer
from mnkala.play.store import digest
from mnkala.search import Stop
from mnkala.solve import find_solver
from mnkala.web import requests as r
from mnkala.web.engines import read_engine
from mnkala.web.handlers import SOLVER
from mnkala.web.http_errors import Forbidden
from mnkala.web.live_games import LiveGames
from mnkala.web.messages import (
    AnalysisUpdate,
    Failed,
    Game,
    GameChanged,
    Pong,
    SocketAnswer,
    WorkUpdate,
)
from mnkala.web.requests import read_position
from mnkala.web.routes import SECRET, decode
from mnkala.web.serialise import analysis_update, problem, progress_message, review_update

POLICY, TRY_LATER = 1008, 1013
COUNT_SECONDS = 0.2
PACE_SECONDS = 0.04
"""Messages are bundled; at most one bundle is sent in this time."""

WORK = "work"
"""The subject of all updates of an analysis or a review."""

WorkRequest = r.Analyse | r.ReviewGame


@dataclasses.dataclass(eq=False)
class Work:
    """An analysis or a review in progress."""

    id: int
    stop: Stop = dataclasses.field(default_factory=Stop)
    since: float = dataclasses.field(default_factory=time.monotonic)
    task: asyncio.Task[None] | None = None
    latest: WorkUpdate | None = None
    """Its last update, sent again with the nodes visited since."""

    def end(self) -> None:
        """End the work, which nobody needs any more."""
        self.stop.set()
        if self.task is not None:
            self.task.cancel()


class Sockets:
    """All open sockets, counted."""

    def __init__(self, games: LiveGames) -> None:
        self.games, self.workers, self.limits = games, games.workers, games.limits
        self.open = 0
        self.by_person: collections.Counter[str] = collections.Counter()
        self.connections: set[Connection] = set()
        self.workers.compiler.changed = self._compiler_changed

    def _compiler_changed(self) -> None:
        with contextlib.suppress(RuntimeError):  # the server has just closed
            self.workers.loop.call_soon_threadsafe(self.tell_progress)

    def tell_progress(self) -> None:
        """Send everybody the progress of the compiler."""
        for connection in self.connections:
            connection.tell_progress()

    async def endpoint(self, socket: WebSocket) -> None:
        """Serve one socket from its first message to its last."""
        if self.open >= self.limits.sockets:
            await socket.close(TRY_LATER)
            return
        self.open += 1
        try:
            await socket.accept()
            await self._talk(socket)
        except WebSocketDisconnect:
            pass
        finally:
            self.open -= 1

    async def _talk(self, socket: WebSocket) -> None:
        try:
            hello = await asyncio.wait_for(self._receive(socket), self.limits.hello_seconds)
            if not isinstance(hello, r.Hello) or not SECRET.fullmatch(hello.token):
                raise Forbidden("the first message must be hello with your token")
        except (TimeoutError, MnkalaError) as error:
            problem = (
                error if isinstance(error, MnkalaError) else Forbidden("no hello came in time")
            )
            await self._refuse(socket, problem, POLICY)
            return
        person = digest(hello.token)
        if self.by_person[person] >= self.limits.sockets_per_person:
            count = self.by_person[person]
            text = f"you have {counted(count, 'socket')} open, which is the limit"
            await self._refuse(
                socket, MnkalaError(text, "error.too_many_sockets", sockets=count), TRY_LATER
            )
            return
        self.by_person[person] += 1
        connection = Connection(self.games, socket, person)
        self.connections.add(connection)
        connection.tell_progress()
        tasks = [
            asyncio.create_task(connection.send_all()),
            asyncio.create_task(connection.count_up()),
        ]
        try:
            while True:
                try:
                    await connection.handle(await self._receive(socket))
                except MnkalaError as error:
                    connection.push(("error", str(error)), _failed(error))
        finally:
            connection.close()
            self.connections.discard(connection)
            for task in tasks:
                task.cancel()
            self.by_person[person] -= 1
            if not self.by_person[person]:
                del self.by_person[person]

    async def _receive(self, socket: WebSocket) -> Any:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text = message.get("text")
        if text is None:
            raise MnkalaError("messages are JSON text, not bytes")
        return decode(text, r.SocketRequest)

    @staticmethod
    async def _refuse(socket: WebSocket, error: MnkalaError, code: int) -> None:
        await socket.send_text(msgspec.json.encode(_failed(error)).decode())
        await socket.close(code)


def _failed(error: MnkalaError, number: int | None = None) -> Failed:
    """An error as it is sent, with the number of the work that failed."""
    return Failed(**msgspec.structs.asdict(problem(error)), id=number)


class Connection:
    """One open socket, which can follow games and ask for analyses."""

    def __init__(self, games: LiveGames, socket: WebSocket, person: str) -> None:
        self.games, self.workers, self.limits = games, games.workers, games.limits
        self.socket = socket
        self.person = person
        self.outbox: dict[tuple[str, str], SocketAnswer] = {}
        self._unsent = asyncio.Event()
        self.followed: set[str] = set()
        self.works: dict[type[WorkRequest], Work] = {}
        """The current work of each kind."""
        self.told_of_compiling = False

    # ---- Out ----

    def push(self, subject: tuple[str, str], message: SocketAnswer) -> None:
        """Send a message soon; it replaces an older one of the same subject."""
        self.outbox.pop(subject, None)
        self.outbox[subject] = message
        self._unsent.set()

    def tell(self, game: Game) -> None:
        """Send a followed game that has changed."""
        self.push(("game", game.id), GameChanged(game))

    def tell_progress(self) -> None:
        """Send the progress of the compiler while it has something to do, and once more when it
        is done."""
        progress = self.workers.compiler.progress()
        if progress.busy or self.told_of_compiling:
            self.push(("compiling", ""), progress_message(progress))
        self.told_of_compiling = progress.busy

    async def count_up(self) -> None:
        """While an analysis takes long, show how its nodes grow."""
        while True:
            await asyncio.sleep(COUNT_SECONDS)
            for work in self.works.values():
                if isinstance(work.latest, AnalysisUpdate):
                    nodes, seconds = (
                        max(work.stop.nodes(), work.latest.nodes),
                        round(time.monotonic() - work.since, 3),
                    )
                    self.push(
                        (WORK, str(work.id)), replace(work.latest, nodes=nodes, seconds=seconds)
                    )

    async def send_all(self) -> None:
        """Send the messages as they come, in bundles."""
        while True:
            await self._unsent.wait()
            self._unsent.clear()
            news, self.outbox = self.outbox, {}
            for message in news.values():
                await self.socket.send_text(msgspec.json.encode(message).decode())
            await asyncio.sleep(PACE_SECONDS)

    # ---- In ----

    async def handle(self, message: Any) -> None:
        """Handle a message of the client."""
        match message:
            case r.Follow(game=game_id):
                if (
                    game_id not in self.followed
                    and len(self.followed) >= self.limits.followed_per_socket
                ):
                    raise MnkalaError(
                        f"you follow {counted(len(self.followed), 'game')} on this socket, which is the limit"
                    )
                self.games.follow(await self.games.find(game_id, self.person), self)
                self.followed.add(game_id)
            case r.Unfollow(game=game_id):
                self.followed.discard(game_id)
                self.games.unfollow(game_id, self)
            case r.Analyse() | r.ReviewGame():
                self._start(message)
            case r.StopWork(id=number):
                for work in self.works.values():
                    if work.id == number:
                        work.stop.set()
            case r.Ping():
                self.push(("pong", ""), Pong())
            case r.Hello():
                raise MnkalaError("you said hello already")

    def _start(self, request: WorkRequest) -> None:
        """Begin an analysis or a review, which replaces the previous one of its kind."""
        if (before := self.works.get(type(request))) is not None:
            before.end()
        self.works[type(request)] = work = Work(request.id)
        work.task = asyncio.create_task(self._do(request, work.stop))

    async def _do(self, request: WorkRequest, stop: Stop) -> None:
        """Read a request, refuse what cannot be done, then wait for a place and do it."""
        workers = self.workers
        try:
            position = await workers.read(self.person, lambda: read_position(request, self.limits))
            updates: Iterable[WorkUpdate]
            match request:
                case r.Analyse():
                    engine = read_engine(request.engine, self.limits)
                    engine.search.check(position.rules)
                    limit = dataclasses.replace(
                        engine.limit,
                        time=min(request.seconds, self.limits.seconds_of_analysis),
                        stop=stop,
                    )
                    updates = (
                        analysis_update(request.id, each)
                        for each in inspect(position, limit, engine=engine)
                    )
                case r.ReviewGame():
                    engine = reviewer(position.rules)
                    updates = (
                        review_update(request.id, each)
                        for each in review(position, seconds=request.seconds, stop=stop)
                    )
            await workers.compiled(position.rules, engine)
            if find_solver(position.rules) is not None:
                await workers.compiled(position.rules, SOLVER)
            await workers.run(
                workers.long, self.person, lambda: self._send_updates(updates, stop), stop
            )
        except Exception as error:
            self.push(("error", str(request.id)), _failed(failure(error), request.id))

    def _send_updates(self, updates: Iterable[WorkUpdate], stop: Stop) -> None:
        """Send updates as they come, and the last one once more as the final one."""
        last = None
        for last in updates:
            self._from_thread(last, stop)
        if last is not None:
            self._from_thread(replace(last, final=True), stop)

    def _from_thread(self, update: WorkUpdate, stop: Stop) -> None:
        """Send an update from a worker's thread. Work that was replaced sends nothing more; work
        that was stopped may send its last update."""

        def push() -> None:
            for work in self.works.values():
                if work.stop is stop:
                    work.latest = None if update.final else update
                    self.push((WORK, str(work.id)), update)

        self.workers.loop.call_soon_threadsafe(push)

    def close(self) -> None:
        """Stop the socket's work and follow no more games, because the socket is closed."""
        for work in self.works.values():
            work.end()
        self.works.clear()
        for game_id in self.followed:
            self.games.unfollow(game_id, self)
        self.followed.clear()
