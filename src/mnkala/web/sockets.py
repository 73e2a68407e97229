"""The websocket: games that are followed, analyses, proofs and reviews that stream out.

What has not been sent yet is kept by its subject, and newer news of the same subject takes its place: a slow reader gets fewer
messages, never a longer queue.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import time
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from mnkala.errors import MnkalaError
from mnkala.games import Position
from mnkala.play.review import review, review_json, reviewer
from mnkala.search import Analysis, Engine, Stop
from mnkala.web.exact_handlers import SOLVER
from mnkala.web.http_errors import Forbidden, message_of
from mnkala.web.live_games import LiveGames
from mnkala.web.messages import Analyse, Follow, Game, Hello, Ping, ReviewGame, SocketMessage, SolveAll, StopWork, Unfollow, Where
from mnkala.web.requests import read_engine, read_position
from mnkala.web.routes import SECRET, decode
from mnkala.web.scores import analysis_message, solve_message
from mnkala.web.store import digest

POLICY, TRY_LATER = 1008, 1013
COUNT_SECONDS = 0.2
PACE_SECONDS = 0.04
"""At most one bundle of news in this time."""

Wish = Analyse | SolveAll | ReviewGame


class Sockets:
    """All open sockets, counted."""

    def __init__(self, games: LiveGames) -> None:
        self.games = games
        self.open = 0
        self.by_person: collections.Counter[str] = collections.Counter()
        self.connections: set[Connection] = set()
        games.compiler.changed = self._compiler_changed

    def _compiler_changed(self) -> None:
        with contextlib.suppress(RuntimeError):  # the server has just closed
            self.games.loop.call_soon_threadsafe(self.tell_progress)

    def tell_progress(self) -> None:
        """Tell everybody how far the compiler has come."""
        for connection in self.connections:
            connection.tell_progress()

    async def endpoint(self, socket: WebSocket) -> None:
        """One socket from its first word to its last."""
        if self.open >= self.games.limits.sockets:
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
            hello = await asyncio.wait_for(self._receive(socket), self.games.limits.hello_seconds)
            if not isinstance(hello, Hello) or not SECRET.fullmatch(hello.token):
                raise Forbidden("the first message must be hello with your token")
        except (TimeoutError, MnkalaError) as error:
            await self._refuse(socket, str(error) or "no hello came in time", POLICY)
            return
        person = digest(hello.token)
        if self.by_person[person] >= self.games.limits.sockets_per_person:
            await self._refuse(socket, f"you have {self.by_person[person]} sockets open, which is the limit", TRY_LATER)
            return
        self.by_person[person] += 1
        connection = Connection(self.games, socket, person)
        self.connections.add(connection)
        connection.tell_progress()
        tasks = [asyncio.create_task(connection.send_all()), asyncio.create_task(connection.count_up())]
        try:
            while True:
                try:
                    await connection.handle(await self._receive(socket))
                except MnkalaError as error:
                    connection.push(("error", str(error)), {"type": "error", "error": str(error)})
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
        return decode(text, SocketMessage)

    @staticmethod
    async def _refuse(socket: WebSocket, text: str, code: int) -> None:
        await socket.send_text(msgspec.json.encode({"type": "error", "error": text}).decode())
        await socket.close(code)


class Connection:
    """One open socket: a follower of games, and the one who asked for an analysis."""

    def __init__(self, games: LiveGames, socket: WebSocket, person: str) -> None:
        self.games = games
        self.socket = socket
        self.person = person
        self.outbox: dict[tuple[str, str], Any] = {}
        self._unsent = asyncio.Event()
        self.followed: set[str] = set()
        self.work: tuple[int, Stop] | None = None
        self.task: asyncio.Task[None] | None = None
        self.since = 0.0
        self.told_of_compiling = False
        self.latest: dict[str, Any] | None = None
        """The last words of an analysis that goes on: repeated with the nodes that were visited since."""

    # ---- Out ----

    def push(self, subject: tuple[str, str], message: Any) -> None:
        """Send soon; newer news of a subject takes the place of older."""
        self.outbox.pop(subject, None)
        self.outbox[subject] = message
        self._unsent.set()

    def tell(self, game: Game) -> None:
        """A followed game has changed."""
        self.push(("game", game.id), {"type": "game", "game": game})

    def tell_progress(self) -> None:
        """How far the compiler has come, as long as it has something to do; and once more when it is done."""
        progress = self.games.compiler.progress()
        if progress.busy or self.told_of_compiling:
            self.push(("compiling", ""), {"type": "compiling", **dataclasses.asdict(progress), "busy": progress.busy})
        self.told_of_compiling = progress.busy

    async def count_up(self) -> None:
        """While an analysis is deep in thought, let its nodes be seen to grow."""
        while True:
            await asyncio.sleep(COUNT_SECONDS)
            if self.latest is not None and self.work is not None and self.latest["type"] in ("analysis", "solve"):
                nodes = max(self.work[1].nodes(), self.latest["nodes"])
                self.push((self.latest["type"], ""), self.latest | {"nodes": nodes, "seconds": round(time.monotonic() - self.since, 3)})

    async def send_all(self) -> None:
        """Send the news as they come, in bundles."""
        while True:
            await self._unsent.wait()
            self._unsent.clear()
            news, self.outbox = self.outbox, {}
            for message in news.values():
                await self.socket.send_text(msgspec.json.encode(message).decode())
            await asyncio.sleep(PACE_SECONDS)

    # ---- In ----

    async def handle(self, message: Any) -> None:
        """Do what a message asks."""
        match message:
            case Follow(game=game_id):
                if game_id not in self.followed and len(self.followed) >= self.games.limits.followed_per_socket:
                    raise MnkalaError(f"you follow {len(self.followed)} games on this socket, which is the limit")
                self.games.follow(await self.games.find(game_id, self.person), self)
                self.followed.add(game_id)
            case Unfollow(game=game_id):
                self.followed.discard(game_id)
                self.games.unfollow(game_id, self)
            case Analyse() | SolveAll() | ReviewGame():
                self._start(message)
            case StopWork(id=number):
                if self.work is not None and self.work[0] == number:
                    self.work[1].set()
            case Ping():
                self.push(("pong", ""), {"type": "pong"})
            case Hello():
                raise MnkalaError("you said hello already")

    def _start(self, wish: Wish) -> None:
        """Begin an analysis, a proof or a review in the place of the one before."""
        self._end_work()
        stop = Stop()
        self.since = time.monotonic()
        self.work = (wish.id, stop)
        self.task = asyncio.create_task(self._do(wish, stop))

    async def _do(self, wish: Wish, stop: Stop) -> None:
        """Read what is meant, refuse what cannot be done, then wait for a place and do it."""
        games = self.games
        try:
            where = Where(wish.game, wish.start, wish.moves)
            position = await games.run(games.reading, self.person, lambda: read_position(where, games.limits))
            match wish:
                case Analyse():
                    engine = read_engine(wish.engine, games.limits)
                    engine.search.check(position.rules)
                    work = self._analyse(wish, position, engine, stop)
                case SolveAll():
                    engine, work = SOLVER, self._solve(wish, position, stop)
                case ReviewGame():
                    engine, work = reviewer(position.rules), self._review(wish, position, stop)
            await games.compiled(position.rules, engine)
            await games.run(games.analyses, self.person, work, stop)
        except Exception as error:
            self.push(("error", str(wish.id)), {"type": "error", "id": wish.id, "error": message_of(error)})

    def _analyse(self, wish: Analyse, position: Position, engine: Engine, stop: Stop) -> Callable[[], None]:
        limit = dataclasses.replace(engine.limit, time=min(wish.seconds, self.games.limits.seconds_of_analysis), stop=stop)

        def work() -> None:
            last: dict[str, Any] = {}
            before: Analysis | None = None
            for analysis in engine.stream(position, limit, all_moves=True):
                if before is not None and before.depth == analysis.depth:
                    before = None
                last = analysis_message(wish.id, analysis, before, final=False)
                self._from_thread(("analysis", ""), last, stop)
                before = analysis
            self._from_thread(("analysis", ""), last | {"final": True}, stop)

        return work

    def _solve(self, wish: SolveAll, position: Position, stop: Stop) -> Callable[[], None]:
        from mnkala.play.exact import Exact, check_solvable, exact

        check_solvable(position)
        seconds = min(wish.seconds, self.games.limits.seconds_of_analysis)

        def tell(found: Exact, final: bool = False) -> None:
            self._from_thread(("solve", ""), solve_message(wish.id, found, final), stop)

        return lambda: tell(exact(position, tell, stop, seconds=seconds), final=True)

    def _review(self, wish: ReviewGame, position: Position, stop: Stop) -> Callable[[], None]:
        def work() -> None:
            last: dict[str, Any] = {}
            for found in review(position, seconds=wish.seconds, stop=stop):
                last = {"type": "review", "id": wish.id, "final": False, "done": found.done, "total": found.total,
                        "review": review_json(found)}
                self._from_thread(("review", ""), last, stop)
            self._from_thread(("review", ""), last | {"final": True}, stop)

        return work

    def _from_thread(self, subject: tuple[str, str], message: dict[str, Any], stop: Stop) -> None:
        """News from a worker's thread. What was replaced by a newer question is not sent any more; a stopped one may say its last."""

        def push() -> None:
            if self.work is not None and self.work[1] is stop:
                self.latest = None if message["final"] else message
                self.push(subject, message)

        self.games.loop.call_soon_threadsafe(push)

    def _end_work(self) -> None:
        if self.work is not None and self.task is not None:
            self.work[1].set()
            self.task.cancel()
            self.work, self.latest = None, None

    def close(self) -> None:
        """The socket is gone: stop its work, follow nothing."""
        self._end_work()
        for game_id in self.followed:
            self.games.unfollow(game_id, self)
        self.followed.clear()
