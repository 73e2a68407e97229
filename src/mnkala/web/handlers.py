"""The server's answer to each request. A handler takes a `Call` and returns the message to send
back. It is a coroutine in the event loop, or a plain function in a reading thread. Answers of a
single expression stand in the table of routes.

Invalid requests are refused before they wait. Pictures are imported when they are first asked for,
so that the server starts quickly.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, get_args

from starlette.responses import Response, StreamingResponse

from mnkala.core import Position, Record, Rules
from mnkala.core.paste import written_games
from mnkala.core.picture import Picture, Seeds
from mnkala.errors import MnkalaError
from mnkala.explain import inspection
from mnkala.explain.contract import explanations_of
from mnkala.explain.words import LANGUAGES, words
from mnkala.play.fair_starts import ready_fair_starts
from mnkala.play.game_filter import Opponent, Outcome, State, Wanted
from mnkala.play.opening_explorer import explore_opening
from mnkala.play.position_editor import set_up
from mnkala.search import Engine, Limit, Stop
from mnkala.search.auto import Auto
from mnkala.solve import find_solver, solver_for
from mnkala.solve.oracle import check_open
from mnkala.solve.perfect import Perfect
from mnkala.trace import Trace, check_trace, trace
from mnkala.trace import export as export_trace
from mnkala.web.addresses import COMMAND, qr_code
from mnkala.web.drawing import make_file
from mnkala.web.engines import read_heuristic
from mnkala.web.http_errors import Forbidden, NotFound
from mnkala.web.messages import (
    Addresses,
    Edited,
    FairStarts,
    Game,
    Hint,
    LineThreats,
    Opening,
    RecordView,
    Solved,
)
from mnkala.web.requests import (
    EditRequest,
    Export,
    PositionRequest,
    TraceRequest,
    read_position,
)
from mnkala.web.serialise import (
    filled,
    hint_message,
    opening_message,
    record_message,
    solved_message,
    threats_message,
    told,
)

if TYPE_CHECKING:
    from mnkala.web.routes import Call

HINT_SECONDS = 1.0
SOLVER = Engine(Perfect())
"""The engine that must be compiled before anything is solved."""
QUICK_SECONDS = 2.0
"""An exact score that may take longer waits with the analyses, so that it does not delay hints."""
PUZZLE_SECONDS = 6.0
"""The time limit for judging a move. Puzzles need far less; it bounds what made-up positions can
cost."""
READER = Engine(Auto())
"""The search that must be compiled before threats are read off a board: the strongest of the
game."""
STATES, OUTCOMES, OPPONENTS = (list(get_args(kind)) for kind in (State, Outcome, Opponent))


def judge_of(rules: Rules) -> Engine:
    """The engine that must be compiled before moves in puzzles and lessons are judged: the solver
    or, where there is none, the search whose threats prove them."""
    return READER if find_solver(rules) is None else SOLVER


# ---- What there is ----


async def words_of(call: Call) -> dict[str, str]:
    """Return the texts of a language."""
    language = call.path["language"]
    if language not in LANGUAGES:
        raise NotFound(
            f"no language is called '{language[:20]}'; languages are {', '.join(LANGUAGES)}"
        )
    return words(language)


# ---- Any position ----


def read_record(call: Call) -> RecordView:
    """Read a pasted game; of several, the first."""

    def make(game: str, start: str | None, moves: str) -> Position:
        return read_position(PositionRequest(game, start, moves), call.limits)

    found = written_games(call.body.text)
    return record_message(
        Record.of_written(found[0], call.body.game, call.body.start, make), len(found)
    )


def edit(call: Call) -> Edited:
    """Judge a board that is being set up."""
    asked: EditRequest = call.body
    seeds = (
        None
        if asked.seeds is None
        else Seeds(tuple(map(tuple, asked.seeds.houses)), asked.seeds.stores)
    )
    picture = Picture(tuple(map(tuple, asked.cells)), seeds=seeds)
    found = set_up(call.rules, picture, asked.mover)
    return filled(
        Edited,
        found,
        call.rules,
        literal=found.position and found.position.literal,
        view=told(found.position, call.rules),
    )


async def export_game(call: Call) -> Response:
    """Make a file: a picture, an animation or a record. Pictures are drawn by a process of their
    own."""
    from mnkala.play.export import PICTURES

    request: Export = call.body
    if request.format in PICTURES:
        stop, workers = Stop(), call.workers
        made = await call.run(
            workers.questions, lambda: workers.drawing.draw(request, stop), stop, alone="picture"
        )
    else:
        made = await call.read(lambda: make_file(request, call.limits))
    return _file(made.content, made.media, made.name)


def _file(content: bytes, media: str, name: str) -> Response:
    return Response(content, media_type=media, headers=_as_download(name))


def _as_download(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


async def hint_anywhere(call: Call) -> Hint:
    """Suggest a move in any position."""
    return await _hint(call, await call.read(lambda: call.position))


async def threats(call: Call) -> LineThreats:
    """List what both sides threaten."""

    def read() -> Position:
        position = call.position
        explanations_of(position.rules).check_threats(position.rules)
        return position

    position = await call.read(read)

    def work(stop: Stop) -> LineThreats:
        return threats_message(
            position, explanations_of(position.rules).find_threats(position, stop)
        )

    return await call.ask(call.workers.questions, position.rules, READER, work)


async def _hint(call: Call, position: Position) -> Hint:
    """Suggest a move in a position, once the engine is compiled and it is the person's turn in the
    queue."""
    if position.is_over:
        raise MnkalaError(f"the game is over ({position.outcome}); there is nothing to hint at")

    engine = inspection.hint_engine(position.rules)

    def think(stop: Stop) -> Hint:
        return hint_message(
            inspection.hint(position, Limit(time=HINT_SECONDS), stop=stop), position.rules
        )

    return await call.ask(call.workers.questions, position.rules, engine, think)


# ---- What is proved ----


async def solve(call: Call) -> Solved:
    """Return the exact score of every move."""

    def read() -> Position:
        position = call.position
        solver_for(position.rules)
        check_open(position)
        return position

    def work(stop: Stop) -> Solved:
        *_, last = inspection.inspect(position, Limit(time=seconds), engine=None, stop=stop)
        return solved_message(last)

    position, seconds = await call.read(read), call.body.seconds
    queue = call.workers.questions if seconds <= QUICK_SECONDS else call.workers.long
    return await call.ask(queue, position.rules, SOLVER, work)


def look_up(call: Call) -> Opening:
    """Look a position up in the opening book."""
    return opening_message(explore_opening(call.position))


def fair(call: Call) -> FairStarts:
    """List the shipped fair starts; most boards have none."""
    game = call.rules.game_string()
    return FairStarts(game, ready_fair_starts(game))


# ---- The tree of a search ----


async def _traced(call: Call, answer: Callable[[Trace], Response]) -> Response:
    """Record a search, after refusing one that is too large to be shown."""
    request: TraceRequest = call.body
    options: dict[str, Any] = {
        "algorithm": request.algorithm,
        "depth": request.depth,
        "iterations": request.iterations,
        "heuristic": request.heuristic,
        "exploration": request.exploration,
        "seed": request.seed,
    }

    def read() -> Position:
        read_heuristic(request.heuristic)
        position = call.position
        check_trace(position, **options)
        return position

    position, stop = await call.read(read), Stop()
    return await call.run(
        call.workers.questions, lambda: answer(trace(position, **options, stop=stop)), stop
    )


async def think(call: Call) -> Response:
    """Return every step of a small search."""
    return await _traced(call, lambda found: Response(found.json(), media_type="application/json"))


async def think_export(call: Call) -> Response:
    """Return the tree of a search as a file."""
    return await _traced(call, lambda found: _file(*export_trace(found, call.body.format)))


# ---- Games ----


def which_games(call: Call) -> tuple[bool, Wanted]:
    """Return whether all games of this computer are meant, and the filter for saved games."""
    asked: dict[str, Any] = dict(call.query)
    for name, allowed in {
        "everyone": ["true", "false"],
        "state": STATES,
        "outcome": OUTCOMES,
        "opponent": OPPONENTS,
    }.items():
        if asked.get(name, allowed[0]) not in allowed:
            raise MnkalaError(
                f"{name}={asked[name][:40]}; it is {', '.join(allowed[:-1])} or {allowed[-1]}"
            )
    return asked.pop("everyone", "false") == "true", Wanted(**asked)


async def export_games(call: Call) -> Response:
    """Send the records of saved games as one file, which is made while it is sent, because it
    may be long."""
    pieces = call.games.exported(call.person, *which_games(call))
    first = await anext(pieces, "")  # a refusal comes before anything is sent

    async def all_pieces() -> AsyncIterator[bytes]:
        yield first.encode()
        async for piece in pieces:
            yield piece.encode()

    return StreamingResponse(
        all_pieces(),
        media_type="text/plain; charset=utf-8",
        headers=_as_download("mnkala-games.txt"),
    )


def addresses(call: Call) -> Addresses:
    """List the addresses at which others can reach this server."""
    network = call.games.network
    return Addresses(
        network.links(call.port),
        network.loopback and network.opened_by is None,
        COMMAND,
        network.opened_by is not None,
        network.can_be_opened and call.here,
    )


async def open_network(call: Call) -> Addresses:
    """Open the page to the home network, or close it again."""
    network = call.games.network
    if not (network.can_be_opened and call.here):
        raise Forbidden(
            "only a page at the server's own computer can open or close it", "error.not_here"
        )
    if not call.body.open:
        network.close()
    elif network.opened_by is None:
        await network.open(call.person, call.port)
    return addresses(call)


def qr(call: Call) -> Response:
    """Draw a link as a QR code."""
    return Response(qr_code(call.body.text), media_type="image/svg+xml")


async def get_game(call: Call) -> Game:
    """Return a game as the person sees it."""
    return call.games.message(await call.games.find(call.path["id"], call.person), call.person)


async def hint_in_game(call: Call) -> Hint:
    """Suggest a move to the player to move."""
    game = await call.games.find(call.path["id"], call.person)
    if not call.games.message(game, call.person).can.hint:
        raise MnkalaError(
            "a hint is for the player to move, in a game that is going on and not linked"
        )
    await call.games.note_help(game)
    return await _hint(call, game.state.position)
