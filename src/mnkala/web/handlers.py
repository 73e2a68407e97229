"""What the server answers to each request. A handler takes a `Call` and gives the message to send back.

Pictures and hints are imported when they are first asked for, so that the server starts quickly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from mnkala.errors import MnkalaError
from mnkala.games import Position, Record
from mnkala.play.match import hint_engine
from mnkala.play.view import View, make_view
from mnkala.play.words import LANGUAGES, words
from mnkala.search import Limit, Stop
from mnkala.trace import Trace, check_trace, trace
from mnkala.trace import export as export_trace
from mnkala.web.http_errors import NotFound
from mnkala.web.messages import Catalogue, Game, Games, Hint, Offers, RecordView
from mnkala.web.requests import PositionRequest, TraceRequest, read_position, read_rules
from mnkala.web.serialise import catalogue_message, game_message, hint_message, offers_message, record_message

if TYPE_CHECKING:
    from mnkala.web.routes import Call

HINT_SECONDS = 1.0


# ---- What there is ----


async def catalogue(call: Call) -> Catalogue:
    """Everything that can be chosen. A plug-in's game is tried when it is first listed, so another thread does that."""
    return await call.read(lambda: catalogue_message(call.limits, call.games.loopback))


async def offers(call: Call) -> Offers:
    """What fits a game. A plug-in's heuristic is tried on it when it is first asked for."""
    return await call.read(lambda: offers_message(read_rules(call.body.game, call.limits)))


def words_of(call: Call) -> dict[str, str]:
    """The texts of a language."""
    language = call.path["language"]
    if language not in LANGUAGES:
        raise NotFound(f"no language is called '{language[:20]}'; languages are {', '.join(LANGUAGES)}")
    return words(language)


# ---- Any position ----


async def _position(call: Call, where: PositionRequest) -> Position:
    return await call.read(lambda: read_position(where, call.limits))


async def look(call: Call) -> View:
    """A view of any position."""
    return await call.read(lambda: make_view(read_position(call.body, call.limits)))


async def read_record(call: Call) -> RecordView:
    """A pasted record."""

    def read() -> RecordView:
        lines = [line for line in call.body.text.splitlines() if line.strip() and not line.strip().startswith("#")]
        words_of_line = lines[0].split() if len(lines) == 1 else []
        if len(words_of_line) == 3:  # within the limits before anything is played
            game, at, start = words_of_line[0].partition("@")
            read_position(PositionRequest(game, start if at else None, "" if words_of_line[1] == "-" else words_of_line[1]), call.limits)
        return record_message(Record.parse(call.body.text))

    return await call.read(read)


async def export_game(call: Call) -> Response:
    """A file: picture, animation or record."""
    from mnkala.play.export import picture_bytes

    def export() -> Response:
        return _file(*picture_bytes(read_position(call.body, call.limits), call.body.format, call.body.language))

    return await call.run(call.workers.quick_questions, export)


def _file(content: bytes, media: str, name: str) -> Response:
    return Response(content, media_type=media, headers={"Content-Disposition": f'attachment; filename="{name}"'})


async def hint_anywhere(call: Call) -> Hint:
    """A hint for any position."""
    return await _hint(call, await _position(call, call.body))


async def _hint(call: Call, position: Position) -> Hint:
    from mnkala.play.reasons import hint

    if position.is_over:
        raise MnkalaError(f"the game is over ({position.outcome}); there is nothing to hint at")

    engine = hint_engine(position.rules)

    def think(stop: Stop) -> Hint:
        return hint_message(hint(position, engine, Limit(time=HINT_SECONDS, stop=stop)))

    return await call.ask(call.workers.quick_questions, position.rules, engine, think)


# ---- The tree of a search ----


async def _traced(call: Call, answer: Callable[[Trace], Response]) -> Response:
    """What becomes of a trace; what is too much to be watched is refused before it waits for its turn."""
    request: TraceRequest = call.body
    options: dict[str, Any] = {"algorithm": request.algorithm, "depth": request.depth, "iterations": request.iterations,
                               "heuristic": request.heuristic, "exploration": request.exploration, "seed": request.seed}

    def read() -> Position:
        position = read_position(request, call.limits)
        check_trace(position, **options)
        return position

    position, stop = await call.read(read), Stop()
    return await call.run(call.workers.quick_questions, lambda: answer(trace(position, **options, stop=stop)), stop)


async def think(call: Call) -> Response:
    """Every step of a small search."""
    return await _traced(call, lambda found: Response(found.json(), media_type="application/json"))


async def think_export(call: Call) -> Response:
    """The same as a file."""
    return await _traced(call, lambda found: _file(*export_trace(found, call.body.format)))


# ---- Games ----


async def new_game(call: Call) -> Game:
    """A new game."""
    return await call.games.open(call.body, call.person)


async def list_games(call: Call) -> Games:
    """Saved games."""
    everyone = call.query.get("everyone", "false")
    if everyone not in ("true", "false"):
        raise MnkalaError(f"everyone={everyone[:40]}; it is true or false")
    return await call.games.listed(call.person, everyone == "true", call.query.get("before"))


async def get_game(call: Call) -> Game:
    """A game."""
    return game_message(await call.games.find(call.path["id"], call.person), call.person)


async def delete_game(call: Call) -> None:
    """Forget it."""
    await call.games.delete(call.path["id"], call.person)


async def play_move(call: Call) -> Game:
    """A person's move."""
    return await call.games.play(call.path["id"], call.person, call.body)


async def do_action(call: Call) -> Game:
    """Everything else that can be done."""
    return await call.games.act(call.path["id"], call.person, call.body)


async def join_game(call: Call) -> Game:
    """Take the open seat."""
    return await call.games.join(call.path["id"], call.person, call.body.invitation)


async def hint_in_game(call: Call) -> Hint:
    """A hint for the player to move."""
    game = await call.games.find(call.path["id"], call.person)
    if not game_message(game, call.person).can.hint:
        raise MnkalaError("a hint is for the player to move, in a game that is going on and not linked")
    return await _hint(call, game.match.position)
