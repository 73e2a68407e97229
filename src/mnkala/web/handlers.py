"""What the server answers to each request. A handler takes a `Call` and gives the message to send back.

Pictures, hints and trees are imported when they are first asked for, so that the server starts quickly.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response

from mnkala import __version__
from mnkala.errors import MnkalaError
from mnkala.games import Position, Record, parse_game
from mnkala.games.registry import sound_families
from mnkala.native.objects import is_foreign
from mnkala.play import LEVELS
from mnkala.play.match import hint_engine
from mnkala.play.view import View, make_view
from mnkala.play.words import LANGUAGES, words
from mnkala.search import Limit, Stop, heuristics, searches
from mnkala.search.engine import options_of, summary
from mnkala.search.heuristic import fits
from mnkala.web.http_errors import NotFound
from mnkala.web.limits import Limits
from mnkala.web.messages import Catalogue, Game, Games, Hint, RecordView, Think, Where
from mnkala.web.requests import read_position
from mnkala.web.scores import hint_view

if TYPE_CHECKING:
    from mnkala.trace import Trace
    from mnkala.web.routes import Call

HINT_SECONDS = 1.0


# ---- What there is ----


async def catalogue(call: Call) -> Catalogue:
    """Everything that can be chosen. A plug-in's game is tried when it is first listed, so another thread does that."""
    return await call.games.run(call.games.reading, call.person, lambda: _catalogue(call.games.limits, call.games.loopback))


@functools.cache
def _catalogue(limits: Limits, loopback: bool) -> Catalogue:
    offered = [(family, parse_game(family.example)) for family in sound_families()]
    names = {family.name: rules for family, rules in offered}
    return Catalogue(
        version=__version__, loopback=loopback, languages=LANGUAGES, levels=list(LEVELS),
        games=[{"name": family.name, "summary": family.summary, "grammar": family.grammar, "example": family.example,
                "names": list(family.names), "plugin": is_foreign(type(rules).__module__), "style": rules.board_style(),
                "heuristic": rules.heuristic} for family, rules in offered],
        engines=[{"name": name, "summary": summary(cls),
                  "options": [{"name": field.name, "kind": str(field.type), "default": field.default} for field in options_of(cls)]}
                 for name, cls in searches().items()],
        heuristics=[{"name": entry.name, "summary": entry.summary,
                     "games": [name for name, rules in names.items() if fits(entry.name, rules)]} for entry in heuristics()],
        limits={name: float(value) for name, value in dataclasses.asdict(limits).items()},
    )


def words_of(call: Call) -> dict[str, str]:
    """The texts of a language."""
    language = call.path["language"]
    if language not in LANGUAGES:
        raise NotFound(f"no language is called '{language[:20]}'; languages are {', '.join(LANGUAGES)}")
    return words(language)


# ---- Any position ----


async def _position(call: Call, where: Where) -> Position:
    return await call.games.run(call.games.reading, call.person, lambda: read_position(where, call.games.limits))


async def look(call: Call) -> View:
    """A view of any position."""
    return await call.games.run(call.games.reading, call.person, lambda: make_view(read_position(call.body, call.games.limits)))


async def read_record(call: Call) -> RecordView:
    """A pasted record."""

    def read() -> RecordView:
        lines = [line for line in call.body.text.splitlines() if line.strip() and not line.strip().startswith("#")]
        words_of_line = lines[0].split() if len(lines) == 1 else []
        if len(words_of_line) == 3:  # within the limits before anything is played
            game, at, start = words_of_line[0].partition("@")
            read_position(Where(game, start if at else None, "" if words_of_line[1] == "-" else words_of_line[1]), call.games.limits)
        record = Record.parse(call.body.text)
        position = record.position
        return RecordView(position.game, position.start_literal, position.moves, record.result, dict(record.tags), make_view(position))

    return await call.games.run(call.games.reading, call.person, read)


async def export_game(call: Call) -> Response:
    """A file: picture, animation or record."""
    from mnkala.play.export import picture_bytes

    wish = call.body

    def export() -> Response:
        position = read_position(Where(wish.game, wish.start, wish.moves), call.games.limits)
        content, media, name = picture_bytes(position, wish.format, wish.language)
        return Response(content, media_type=media, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    return await call.games.run(call.games.questions, call.person, export)


async def hint_anywhere(call: Call) -> Hint:
    """A hint for any position."""
    return await _hint(call, await _position(call, call.body))


async def _hint(call: Call, position: Position) -> Hint:
    from mnkala.play.reasons import hint

    if position.is_over:
        raise MnkalaError(f"the game is over ({position.outcome}); there is nothing to hint at")

    stop, engine = Stop(), hint_engine(position.rules)
    await call.games.compiled(position.rules, engine)

    def think() -> Hint:
        return hint_view(hint(position, engine, Limit(time=HINT_SECONDS, stop=stop)), position, str(engine))

    return await call.games.run(call.games.questions, call.person, think, stop)


# ---- The tree of a search ----


async def _traced(call: Call, answer: Callable[[Trace], Response]) -> Response:
    """What becomes of a trace; what is too much to be watched is refused before it waits for its turn."""
    from mnkala.trace import check_trace, trace

    wish: Think = call.body
    options: dict[str, Any] = {"algorithm": wish.algorithm, "depth": wish.depth, "iterations": wish.iterations,
                               "heuristic": wish.heuristic, "exploration": wish.exploration, "seed": wish.seed}

    def read() -> Position:
        position = read_position(Where(wish.game, wish.start, wish.moves), call.games.limits)
        check_trace(position, **options)
        return position

    position, stop = await call.games.run(call.games.reading, call.person, read), Stop()
    return await call.games.run(call.games.questions, call.person, lambda: answer(trace(position, **options, stop=stop)), stop)


async def think(call: Call) -> Response:
    """Every step of a small search."""
    return await _traced(call, lambda trace: Response(msgspec.json.encode(trace.to_json()), media_type="application/json"))


async def think_export(call: Call) -> Response:
    """The same as a file."""
    from mnkala.trace import export as export_trace

    def export(trace: Trace) -> Response:
        content, media, name = export_trace(trace, call.body.format)
        return Response(content, media_type=media, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    return await _traced(call, export)


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
    return (await call.games.find(call.path["id"], call.person)).seen_by(call.person)


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
    if not game.seen_by(call.person).can.hint:
        raise MnkalaError("a hint is for the player to move, in a game that is going on and not linked")
    return await _hint(call, game.match.position)
