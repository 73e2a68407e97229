"""The application: its routes, the files of the page, and the checks of hosts, origins and
content policy.

The address of the page's files changes with their content, so that a browser that has them need
not ask again: a page has some eighty modules, each of which would cost a request on every load.
Only index.html, which names the address, is requested every time. Everything is compressed for
browsers that accept gzip, which makes the page a third as large.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mnkala.play.compiler import Compiler
from mnkala.play.saved_games import take_in_files
from mnkala.play.store import Store
from mnkala.web.addresses import LOOPBACK, Hosts, Network
from mnkala.web.limits import USUAL, Limits
from mnkala.web.live_games import LiveGames
from mnkala.web.openapi import BASE, description
from mnkala.web.routes import BY_PATH, JSON, endpoint, refuse
from mnkala.web.sockets import Sockets
from mnkala.web.study_handlers import prepare_studies
from mnkala.web.workers import Workers

STATIC = Path(__file__).parent / "static"
PLACE = "as"
"""The files are at PLACE/STAMP/NAME; they are also found without the two prefixes, but may not
be cached there."""
FOR_GOOD = "public, max-age=31536000, immutable"
COMPRESSION = 6
"""The level of gzip; with 9 the page's files are only 0.1 % smaller."""
FILE_OF_THE_PAGE = re.compile(r'((?:href|src)=")(?=\w+\.(?:css|js|svg)")')


class PageFiles(StaticFiles):
    """Serves the page's files, with or without a stamp before their name, and index.html."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC)
        self._stamp = ""

    def index(self) -> Response:
        """The page itself. Files that were edited since the last request get a new address."""
        self._stamp = _stamp()
        text = (STATIC / "index.html").read_text(encoding="utf-8")
        return HTMLResponse(
            FILE_OF_THE_PAGE.sub(rf"\g<1>{PLACE}/{self._stamp}/", text),
            headers={"Cache-Control": "no-cache"},
        )

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        answer = super().file_response(full_path, stat_result, scope, status_code)
        answer.headers["ETag"] = (
            f"W/{answer.headers['ETag']}"  # weak, for it names the file and not the bytes, compressed or not
        )
        if (
            scope["path_params"].get("stamp") == self._stamp
        ):  # otherwise a page from before an update asks, and gets a file of another version
            answer.headers["Cache-Control"] = FOR_GOOD
        return answer


def _stamp() -> str:
    """A text that differs for different states of the files, by their names, sizes and times."""
    found = sorted(
        (entry.name, entry.stat().st_size, entry.stat().st_mtime_ns) for entry in os.scandir(STATIC)
    )
    return hashlib.sha256(repr(found).encode()).hexdigest()[:12]


HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def make_app(
    database: Path,
    *,
    loopback: bool = True,
    hosts: Hosts = LOOPBACK,
    limits: Limits = USUAL,
    compile_ahead: bool = True,
    studies_ahead: bool = False,
) -> Starlette:
    """The whole application on a file of games. `loopback` says that only this computer can
    reach it, `hosts` by which names; `compile_ahead` compiles every engine in the background,
    not only those that somebody asks for, and `studies_ahead` computes the list of studies."""
    workers = Workers(limits, Compiler(everything=compile_ahead))
    store = Store(database)
    take_in_files(store)
    games = LiveGames(store, workers, loopback)
    games.network.own = hosts
    sockets = Sockets(games)
    files = PageFiles()

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        assert workers.loop
        workers.compiler.start()
        begin = workers.read("the server", workers.tournaments.begin)
        going_on = asyncio.create_task(begin)
        preparing = prepare_studies() if studies_ahead else None
        yield
        going_on.cancel()
        if preparing is not None:
            preparing.end()
        games.close()

    async def openapi(_: Request) -> Response:
        return Response(description(), media_type=JSON)

    async def page(_: Request) -> Response:
        return files.index()

    async def unknown(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        detail = error.detail if isinstance(error, HTTPException) else "a fault"
        answer = refuse(status, f"{request.method} {request.url.path[:100]}: {detail}")
        for name, value in (getattr(error, "headers", None) or {}).items():
            answer.headers[name] = value
        return answer

    async def fault(request: Request, _: Exception) -> Response:
        return refuse(
            500,
            f"{request.method} {request.url.path[:100]} met a fault of the server; it is in the server's log",
        )

    app = Starlette(
        routes=[
            Mount(
                BASE,
                routes=[
                    *(
                        Route(path, endpoint(games, by_method), methods=list(by_method))
                        for path, by_method in BY_PATH.items()
                    ),
                    Route("/openapi.json", openapi),
                    WebSocketRoute("/live", sockets.endpoint),
                ],
            ),
            Route("/", page),
            Mount(f"/{PLACE}/{{stamp}}", files),
            Mount("/", files),
        ],
        lifespan=lifespan,
        exception_handlers={HTTPException: unknown, Exception: fault},
    )
    app.add_middleware(GZipMiddleware, compresslevel=COMPRESSION)
    app.add_middleware(Guard, network=games.network)
    app.state.games = games
    return app


class Guard:
    """Refuses foreign hosts and origins, and adds the security headers to every response.

    A page of another site may send requests here from a person's browser. It cannot read our
    responses, but it could start work or, by a name that it points at this computer, pass for
    our own page; so both Host and Origin are checked.
    """

    def __init__(self, app: ASGIApp, network: Network) -> None:
        self.app = app
        self.network = network

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, then pass it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = ", ".join(headers.getlist("host")).lower(), headers.get("origin")
        if host not in self.network.hosts:
            await self._refuse(
                scope,
                receive,
                send,
                f"this server answers to {self.network.hosts}, not to '{host[:60]}'; "
                "`mnkala web --allow-host NAME` adds a name",
            )
            return
        if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
            await self._refuse(
                scope, receive, send, f"a page of {origin[:60]} may not ask this server"
            )
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    added[name] = value
                if "cache-control" not in added:
                    added["Cache-Control"] = (
                        "no-store" if scope["path"].startswith(BASE) else "no-cache"
                    )
            await send(message)

        await self.app(scope, receive, guarded)

    @staticmethod
    async def _refuse(scope: Scope, receive: Receive, send: Send, text: str) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": text[:100]})
            return
        await refuse(403, text)(scope, receive, send)
