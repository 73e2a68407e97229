"""The HTTP part of the interface: one table of routes, from which both the application and its
OpenAPI description are made."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from mnkala.core import Position, Rules
from mnkala.core.plugins import blame
from mnkala.errors import MnkalaError
from mnkala.explain.words import LANGUAGES
from mnkala.listening import is_loopback
from mnkala.play.store import digest
from mnkala.play.view import View, make_view
from mnkala.search import Engine, Stop
from mnkala.trace.files import Tree
from mnkala.web import handlers, mistake_work
from mnkala.web import lesson_handlers as lessons
from mnkala.web import messages as m
from mnkala.web import puzzle_handlers as puzzles
from mnkala.web import requests as r
from mnkala.web import serialise as s
from mnkala.web import study_handlers as studies
from mnkala.web import tournament_handlers as tournaments
from mnkala.web.addresses import LOOPBACK
from mnkala.web.http_errors import (
    ClientLeft,
    ShuttingDown,
    TooLarge,
    Unauthorized,
    UnsupportedMedia,
    status_of,
)
from mnkala.web.limits import Limits
from mnkala.web.live_games import LiveGames
from mnkala.web.workers import Workers, WorkQueue

T = TypeVar("T")


async def cancel_on_disconnect(request: Request, answer: Awaitable[T]) -> T:
    """The response of a handler to a request that was read; the handler is cancelled if the
    client leaves or the server closes first."""
    asked = asyncio.ensure_future(answer)
    leaving = asyncio.create_task(_leaving(request))
    try:
        await asyncio.wait({asked, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            raise ClientLeft("the connection was closed before the answer was there")
        return asked.result()
    except asyncio.CancelledError:
        raise ShuttingDown("the server is closing") from None
    finally:
        asked.cancel()
        leaving.cancel()


async def _leaving(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


SECRET = re.compile(r"[A-Za-z0-9_-]{32,64}")
JSON = "application/json"


@dataclasses.dataclass(frozen=True)
class Call:
    """A request that was read and checked."""

    games: LiveGames
    person: str
    """The digest of the client's secret, or the client's address where no secret is needed."""
    body: Any
    path: dict[str, str]
    query: dict[str, str]
    port: int
    """The port on which the server listens."""
    here: bool
    """Whether it came from this computer, by one of its own names."""

    @property
    def workers(self) -> Workers:
        """The queues for everything that takes time."""
        return self.games.workers

    @property
    def limits(self) -> Limits:
        """The limits of the server."""
        return self.games.limits

    @property
    def position(self) -> Position:
        """The position that the body names; must be read outside the event loop's thread."""
        return r.read_position(self.body, self.limits)

    @property
    def rules(self) -> Rules:
        """The rules of the game that the body names; must be read outside the event loop's
        thread."""
        return r.read_rules(self.body.game, self.limits)

    async def read(self, work: Callable[[], T]) -> T:
        """Read a position or a game outside the event loop's thread."""
        return await self.workers.read(self.person, work)

    async def run(
        self, queue: WorkQueue, work: Callable[[], T], stop: Stop | None = None, *, alone: str = ""
    ) -> T:
        """Put work into a queue and wait for it."""
        return await self.workers.run(queue, self.person, work, stop, alone=alone)

    async def ask(
        self, queue: WorkQueue, rules: Rules, engine: Engine, work: Callable[[Stop], T]
    ) -> T:
        """Wait until an engine is compiled for a game, then run `work(stop)` in a queue."""
        stop = Stop()
        await self.workers.compiled(rules, engine)
        return await self.run(queue, lambda: work(stop), stop)


@dataclasses.dataclass(frozen=True)
class Route:
    """A request of the HTTP interface: method, path, handler and types."""

    method: str
    path: str
    summary: str
    handler: Callable[[Call], Awaitable[Any]]
    """It runs in the event loop's thread and decides itself where its work is done; `reading`
    makes a handler of a plain function that may take a moment."""
    body: type | None = None
    answer: Any = None
    """The type of the answer, or None for a file or an empty response."""
    media: tuple[str, ...] = (JSON,)
    status: int = 200
    needs_token: bool = True
    query: tuple[tuple[str, dict[str, Any]], ...] = ()


def reading(work: Callable[[Call], Any]) -> Callable[[Call], Awaitable[Any]]:
    """A handler whose work is done by a thread that reads."""
    return lambda call: call.read(lambda: work(call))


WHICH_GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("everyone", {"type": "boolean"}),
    ("game", {"type": "string", "maxLength": 60}),
    ("state", {"enum": handlers.STATES}),
    ("outcome", {"enum": handlers.OUTCOMES}),
    ("opponent", {"enum": handlers.OPPONENTS}),
    ("text", {"type": "string", "maxLength": 60}),
    ("before", {"type": "string", "maxLength": 40}),
)
WHICH_TOURNAMENT_GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("player", {"type": "integer", "minimum": 0, "maximum": 999}),
    ("faults", {"type": "boolean"}),
    ("skip", {"type": "integer", "minimum": 0, "maximum": 1_000_000}),
)
WHICH_DATA: tuple[tuple[str, dict[str, Any]], ...] = (("data", {"enum": list(studies.DATA)}),)
ROUTES = (
    Route(
        "GET",
        "/catalogue",
        "Games, engines, heuristics, levels, limits",
        reading(
            lambda call: s.catalogue_message(call.limits, call.games.network.is_here(call.person))
        ),
        answer=m.Catalogue,
        needs_token=False,
    ),
    Route(
        "POST",
        "/offers",
        "The engines and heuristics for a game",
        reading(lambda call: s.offers_message(call.rules)),
        r.GameRequest,
        m.Offers,
        needs_token=False,
    ),
    Route(
        "POST",
        "/own-rating",
        "What results against levels say of a person",
        reading(
            lambda call: s.own_rating_message(
                call.rules, [(each.level, each.points) for each in call.body.results]
            )
        ),
        r.ResultsRequest,
        m.OwnRating,
        needs_token=False,
    ),
    Route(
        "GET",
        "/words/{language}",
        "Every text of the page",
        handlers.words_of,
        answer=dict[str, str],
        needs_token=False,
    ),
    Route(
        "POST",
        "/look",
        "A view of any position",
        reading(lambda call: make_view(call.position)),
        r.PositionRequest,
        View,
        needs_token=False,
    ),
    Route(
        "POST",
        "/steps",
        "A move of any position, step by step",
        reading(lambda call: s.steps_message(call.position, call.body.move)),
        r.StepsRequest,
        m.Steps,
        needs_token=False,
    ),
    Route(
        "POST",
        "/rules",
        "How a game is played, with positions that show it",
        reading(lambda call: s.rules_message(call.rules, call.body.language)),
        r.RulesRequest,
        m.RulesOfGame,
        needs_token=False,
    ),
    Route(
        "POST",
        "/games",
        "A new game",
        lambda call: call.games.open(call.body, call.person),
        r.NewGame,
        m.Game,
        status=201,
    ),
    Route(
        "GET",
        "/addresses",
        "Where others reach this server",
        reading(handlers.addresses),
        answer=m.Addresses,
    ),
    Route(
        "POST",
        "/network",
        "Open the page to the home network, or close it again; from this computer alone",
        handlers.open_network,
        r.OpenNetwork,
        m.Addresses,
    ),
    Route(
        "POST", "/qr", "A link as a QR code", reading(handlers.qr), r.Link, media=("image/svg+xml",)
    ),
    Route(
        "GET",
        "/games",
        "Saved games, newest first",
        lambda call: call.games.listed(call.person, *handlers.which_games(call)),
        answer=m.Games,
        query=WHICH_GAMES,
    ),
    Route(
        "GET",
        "/records",
        "The records of saved games in one file",
        handlers.export_games,
        media=("text/plain",),
        query=WHICH_GAMES,
    ),
    Route(
        "POST",
        "/records",
        "Take in the games of such a file",
        lambda call: call.games.take_in(call.person, call.body.text),
        r.Records,
        m.TakenIn,
    ),
    Route("GET", "/games/{id}", "A game", handlers.get_game, answer=m.Game),
    Route(
        "DELETE",
        "/games/{id}",
        "Forget a game",
        lambda call: call.games.delete(call.path["id"], call.person),
        status=204,
        media=(),
    ),
    *(
        Route(
            "POST",
            f"/games/{{id}}/{path}",
            summary,
            lambda call: call.games.change(call.path["id"], call.person, call.body),
            body,
            m.Game,
        )
        for path, summary, body in (
            ("moves", "Play a move", r.Move),
            ("actions", "Undo, redo, resign, pause, resume, step, pace, rematch, rename", r.Action),
            ("join", "Take the open seat of a linked game", r.Join),
        )
    ),
    Route(
        "GET",
        "/tournaments",
        "Tournaments of engines, the latest first",
        reading(tournaments.list_tournaments),
        answer=tournaments.Tournaments,
        needs_token=False,
    ),
    Route(
        "POST",
        "/tournaments",
        "A new tournament of levels and engines; it waits for its turn",
        tournaments.start,
        r.NewTournament,
        tournaments.TournamentView,
        status=201,
    ),
    Route(
        "POST",
        "/tournaments/forecast",
        "About how long such a tournament would take",
        tournaments.forecast,
        r.NewTournament,
        tournaments.TournamentForecast,
    ),
    Route(
        "POST",
        "/tournaments/{name}/actions",
        "Stop a tournament, or continue it",
        reading(tournaments.change),
        r.TournamentAction,
        tournaments.TournamentView,
    ),
    Route(
        "DELETE",
        "/tournaments/{name}",
        "Delete a tournament that was started on the page",
        reading(tournaments.delete),
        status=204,
        media=(),
    ),
    Route(
        "GET",
        "/tournaments/{name}",
        "The table of a tournament as it stands",
        reading(tournaments.get_tournament),
        answer=tournaments.TournamentView,
        needs_token=False,
    ),
    Route(
        "GET",
        "/tournaments/{name}/games",
        "Games of a tournament, the latest first",
        reading(tournaments.list_games),
        answer=tournaments.TournamentGames,
        needs_token=False,
        query=WHICH_TOURNAMENT_GAMES,
    ),
    Route(
        "GET",
        "/tournaments/{name}/games/{place}",
        "A game of a tournament with its moves",
        reading(tournaments.get_game),
        answer=tournaments.TournamentRecord,
        needs_token=False,
    ),
    Route(
        "GET",
        "/studies",
        "The studies of the lab, what they found, and what that says of the reports",
        studies.list_studies,
        answer=studies.Studies,
        needs_token=False,
    ),
    Route(
        "GET",
        "/studies/{name}",
        "A study: its finding, plots and tables",
        studies.get_study,
        answer=studies.StudyView,
        needs_token=False,
        query=WHICH_DATA,
    ),
    Route(
        "GET",
        "/quick-study",
        "The quick study that runs here, or the last that did",
        reading(lambda call: studies.run_message(call.workers.quick_study, call.person)),
        answer=studies.QuickRunView,
        needs_token=False,
    ),
    Route(
        "POST",
        "/quick-study",
        "Run a study quickly; one at a time",
        reading(studies.start_run),
        r.QuickStudyRequest,
        studies.QuickRunView,
    ),
    Route(
        "DELETE",
        "/quick-study",
        "Cancel the quick study that you started",
        reading(lambda call: call.workers.quick_study.cancel(call.person)),
        status=204,
        media=(),
    ),
    Route(
        "POST", "/games/{id}/hint", "What to play, and why", handlers.hint_in_game, answer=m.Hint
    ),
    Route(
        "POST",
        "/hint",
        "A hint for any position",
        handlers.hint_anywhere,
        r.PositionRequest,
        m.Hint,
    ),
    Route(
        "POST",
        "/threats",
        "What both sides threaten",
        handlers.threats,
        r.PositionRequest,
        m.LineThreats,
    ),
    Route(
        "POST", "/solve", "The exact score of every move", handlers.solve, r.SolveRequest, m.Solved
    ),
    Route(
        "POST",
        "/book",
        "What the opening book has of a position",
        reading(handlers.look_up),
        r.PositionRequest,
        m.Opening,
        needs_token=False,
    ),
    Route(
        "POST",
        "/fair",
        "Starts that neither side wins by best play",
        reading(handlers.fair),
        r.GameRequest,
        m.FairStarts,
        needs_token=False,
    ),
    Route(
        "GET",
        "/mistakes",
        "Your mistakes in saved games, by kind",
        mistake_work.tell,
        answer=mistake_work.MistakesView,
    ),
    Route(
        "POST",
        "/mistakes",
        "Review your games that are not reviewed yet",
        mistake_work.start,
        answer=mistake_work.MistakesView,
    ),
    Route("DELETE", "/mistakes", "Stop that", mistake_work.stop, status=204, media=()),
    Route(
        "POST",
        "/puzzles",
        "Puzzles with a goal",
        puzzles.list_puzzles,
        r.PuzzlesRequest,
        m.Puzzles,
    ),
    Route(
        "POST",
        "/puzzles/pick",
        "The puzzle of a day, or puzzles near the person's rating",
        reading(puzzles.pick),
        r.PickRequest,
        m.Puzzles,
    ),
    Route(
        "POST",
        "/puzzles/solved",
        "Keep the puzzles that a browser remembers as solved",
        puzzles.take_in_solved,
        r.SolvedPuzzles,
        m.TakenIn,
    ),
    Route(
        "POST",
        "/puzzles/try",
        "Try a move: the solver judges it, the best defence answers",
        puzzles.try_move,
        r.PuzzleMove,
        m.Tried,
    ),
    Route(
        "POST",
        "/puzzles/help",
        "Help with a puzzle from here, in steps",
        puzzles.help_out,
        r.PuzzleRequest,
        m.PuzzleHelp,
    ),
    Route(
        "GET",
        "/lessons",
        "Lessons in playing, and which of them you have gone through",
        reading(lessons.list_lessons),
        answer=lessons.Courses,
        query=(("language", {"enum": list(LANGUAGES)}),),
    ),
    Route(
        "POST",
        "/lessons/try",
        "Try a move in a lesson: it is judged live, the best defence answers",
        lessons.try_move,
        r.LessonMove,
        m.Tried,
    ),
    Route(
        "POST",
        "/lessons/help",
        "A right move in a lesson, with reasons",
        lessons.help_out,
        r.LessonRequest,
        m.PuzzleHelp,
    ),
    Route(
        "POST",
        "/record",
        "Read a pasted game, in any form",
        reading(handlers.read_record),
        r.RecordText,
        m.RecordView,
        needs_token=False,
    ),
    Route(
        "POST",
        "/edit",
        "Whether a board that is set up can arise, or why not",
        reading(handlers.edit),
        r.EditRequest,
        m.Edited,
        needs_token=False,
    ),
    Route(
        "POST",
        "/export",
        "A picture, an animation or a record of a game",
        handlers.export_game,
        r.Export,
        needs_token=False,
        media=("image/svg+xml", "image/png", "image/gif", "text/plain"),
    ),
    Route(
        "POST",
        "/think",
        "The tree of a small search, step by step",
        handlers.think,
        r.TraceRequest,
        Tree,
    ),
    Route(
        "POST",
        "/think/export",
        "The same as a file",
        handlers.think_export,
        r.TraceExport,
        media=("image/svg+xml", "text/vnd.graphviz", JSON),
    ),
)


BY_PATH: dict[str, dict[str, Route]] = {}
"""The routes of each path by method, so that a wrong method is told all that are right."""
for _route in ROUTES:
    BY_PATH.setdefault(_route.path, {})[_route.method] = _route


def respond(answer: Any, status: int = 200) -> Response:
    """Make a JSON response of an answer, unless it is a response already."""
    if isinstance(answer, Response):
        return answer
    if answer is None:
        return Response(status_code=status)
    return Response(msgspec.json.encode(answer), status, media_type=JSON)


def refuse(status: int, error: str | MnkalaError) -> Response:
    """An error response, with the words for it if there are some."""
    problem = s.problem(error) if isinstance(error, MnkalaError) else m.Problem(error)
    headers = (
        {"WWW-Authenticate": "Bearer"}
        if status == 401
        else {"Retry-After": "2"}
        if status in (429, 503)
        else None
    )
    return Response(msgspec.json.encode(problem), status, headers, media_type=JSON)


def endpoint(
    games: LiveGames, by_method: dict[str, Route]
) -> Callable[[Request], Awaitable[Response]]:
    """The function that Starlette calls for a path: it reads, checks and answers."""

    async def answer(request: Request) -> Response:
        route = by_method["GET" if request.method == "HEAD" else request.method]
        try:
            call = Call(
                games,
                person_of(request, route.needs_token),
                await _body(games, route, request),
                {name: str(value) for name, value in request.path_params.items()},
                _query(route, request),
                (request.scope.get("server") or ("", 80))[1],
                _is_here(request),
            )
            return respond(await cancel_on_disconnect(request, route.handler(call)), route.status)
        except MnkalaError as error:
            return refuse(status_of(error), error)
        except ClientDisconnect:
            return refuse(
                400, "the client left before its request was whole"
            )  # nobody reads this response, but that is no error
        except Exception as error:
            found = blame(error)
            if found is None:
                raise
            return refuse(status_of(found), found)

    return answer


def person_of(request: Request, needed: bool) -> str:
    """The digest of the client's secret or, for requests that need none, the client's address.
    Raises Unauthorized if a secret is needed and missing."""
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and SECRET.fullmatch(secret):
        return digest(secret)
    if needed:
        raise Unauthorized(
            "send 'Authorization: Bearer SECRET' with a secret of your own, 32 to 64 letters, digits, '-' and '_'"
        )
    return f"address {request.client.host}" if request.client else "address unknown"


def _is_here(request: Request) -> bool:
    client = request.client is not None and is_loopback(request.client.host)
    return client and request.headers.get("host", "") in LOOPBACK


def _query(route: Route, request: Request) -> dict[str, str]:
    """The query parameters: only those that the route knows, each once and not too long."""
    known = dict(route.query)
    given = request.query_params.multi_items()
    for name, value in given:
        if name not in known or len(value) > known[name].get("maxLength", 20):
            raise MnkalaError(
                f"'{name[:40]}={value[:40]}' is not a parameter here; parameters are {', '.join(known) or 'none'}"
            )
    if len(given) > len(dict(given)):
        raise MnkalaError("a parameter is given twice")
    return dict(given)


async def _body(games: LiveGames, route: Route, request: Request) -> Any:
    """The body, read as the route's type."""
    raw = b""
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > games.limits.body_bytes:
            raise TooLarge(
                f"a body of more than {games.limits.body_bytes} bytes; that is the limit"
            )
    if route.body is None:
        return None
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise UnsupportedMedia(f"a body of type '{kind[:60]}'; send {JSON}")
    return decode(raw, route.body)


def decode(raw: bytes | str, kind: Any) -> Any:
    """Read JSON as a type; an error says what is wrong with it."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MnkalaError(f"the message cannot be read: {error}") from None
