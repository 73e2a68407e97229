"""`mnkala play`: a game in the terminal, on the full screen or in plain lines."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from mnkala.cli.arguments import StartLiteral, make_position, prepare

if TYPE_CHECKING:
    from mnkala.play import Match
    from mnkala.play.clock import Clock


def play(
    game: Annotated[str | None, Parameter(help="A game string, such as connect4 or connect4:10x11.")] = None,
    *,
    first: Annotated[str | None, Parameter(
        help="Who moves first: human (the default), a level (easy, medium, hard; perfect where the game can be solved) "
             "or an engine string, such as alphabeta:depth=6; see `mnkala engines`.")] = None,
    second: Annotated[str | None, Parameter(
        help="Who moves second: human, a level or an engine string; deepening:time=1 by default.")] = None,
    position: StartLiteral = None,
    moves: Annotated[str, Parameter(show_default=False, help="Moves to play before the game starts.")] = "",
    resume: Annotated[Path | None, Parameter(help="The file of a saved game to go on with.")] = None,
    plain: Annotated[bool, Parameter(negative=(), show_default=False,
        help="Play in plain lines instead of on the full screen; without a terminal that is so anyway.")] = False,
    ascii: Annotated[bool, Parameter(negative=(), show_default=False,
        help="Draw with plain characters only, for terminals without the shapes.")] = False,
    language: Annotated[Literal["en", "pt", "it"] | None, Parameter(
        help="en, pt or it; by default the language of the terminal, and English in plain lines.")] = None,
    clock: Annotated[str | None, Parameter(help="A clock for both sides, SECONDS or SECONDS+INCREMENT, such as 300+3.")] = None,
    puzzle: Annotated[int | None, Parameter(
        help="Begin with a puzzle instead of a game: win in so many moves of your own, 2 to 12.")] = None,
) -> int:
    """Play a game: `mnkala play connect4`. A person may sit on either side, or an engine on both."""
    from mnkala.errors import MnkalaError
    from mnkala.terminal.environment import has_screen, language_of_locale, only_ascii
    from mnkala.terminal.plain_text import play_plain

    match = _match(game, first, second, position, moves, resume)
    time = None if clock is None else _clock(clock)
    if not plain and has_screen():
        from mnkala.play.compiler import Compiler
        from mnkala.terminal.app import play_screen

        with contextlib.closing(Compiler()) as compiler:
            compiler.start()  # what may be chosen later is compiled while this game is played
            return play_screen(match, resume, language=language or language_of_locale(), ascii_only=ascii or only_ascii(), clock=time,
                               puzzle=puzzle)
    if time is not None:
        raise MnkalaError("a clock needs the full screen: a terminal, and no --plain")
    for engine in match.engines():
        prepare(engine, match.position.rules)
    return play_plain(match, resume, language=language or "en", puzzle=puzzle)


def _match(game: str | None, first: str | None, second: str | None, position: str | None, moves: str, resume: Path | None) -> Match:
    """The match that the arguments ask for."""
    from mnkala.errors import MnkalaError
    from mnkala.games import Record
    from mnkala.play import Match, parse_player

    saved: dict[str, str] = {}
    if resume is not None:
        if game is not None or position is not None or moves:
            raise MnkalaError("--resume goes on with a saved game; leave out the game, --position and --moves")
        record = Record.load(resume)
        where, saved = record.position, dict(record.tags)
        if record.result != "*" and not where.is_over:
            raise MnkalaError(f"{resume} was given up ({record.result}); there is nothing to go on with")
    elif game is None:
        raise MnkalaError("which game? For example: mnkala play connect4 (see `mnkala games`)")
    else:
        where = make_position(game, [moves], position)
    players = (parse_player(first or saved.get("first") or "human", where.rules),
               parse_player(second or saved.get("second") or "deepening:time=1", where.rules))
    return Match(where, players)


def _clock(text: str) -> Clock:
    """SECONDS or SECONDS+INCREMENT."""
    from mnkala.errors import MnkalaError
    from mnkala.numbers import read_decimal
    from mnkala.play.clock import Clock

    seconds, plus, increment = text.partition("+")
    try:
        clock = Clock.of(read_decimal(seconds), read_decimal(increment) if plus else 0.0)
    except ValueError:
        clock = Clock.of(0, 0)
    if not (0 < clock.seconds <= 86_400 and 0 <= clock.increment <= 3_600):
        raise MnkalaError(f"--clock {text}; a clock is SECONDS or SECONDS+INCREMENT, such as 300+3 (at most 86400+3600)")
    return clock
