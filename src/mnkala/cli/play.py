"""`mnkala play`: a game in the terminal, on the full screen or in plain lines; and `mnkala web`, the
page."""

from __future__ import annotations

import contextlib
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from mnkala.cli.arguments import StartLiteral, Within, announced, flag, make_position, prepare
from mnkala.errors import MnkalaError
from mnkala.folders import is_file
from mnkala.numbers import counted

if TYPE_CHECKING:
    from mnkala.play.game_state import GameState
    from mnkala.play.saved_games import SavedGame


def play(
    game: Annotated[
        str | None,
        Parameter(
            help="A game string, such as connect4 or connect4:10x11; or a whole game to continue: a record, an address, a file."
        ),
    ] = None,
    moves: Annotated[
        tuple[str, ...], Parameter(negative=(), help="Moves to play before the game starts.")
    ] = (),
    *,
    first: Annotated[
        str | None,
        Parameter(
            help="Who moves first: human (the default), a level (1 to 10; easy, medium, hard, strongest; perfect where every move is exact) "
            "or an engine string, such as alphabeta:depth=6; see `mnkala engines`. gomocup:/path/to/brain is a program that plays "
            "Gomoku."
        ),
    ] = None,
    second: Annotated[
        str | None,
        Parameter(
            name=["--second", "--level"],
            help="Who moves second: human, a level or an engine string; auto:time=1 by default.",
        ),
    ] = None,
    depth: Annotated[
        int | None,
        Parameter(help="Plies that the computer looks ahead, where --second is not given."),
    ] = None,
    time: Annotated[
        float | None,
        Parameter(help="Seconds that the computer thinks for a move, where --second is not given."),
    ] = None,
    position: StartLiteral = None,
    fair: Annotated[
        bool,
        flag("Kalah: begin from a start that neither side wins by best play, another each time."),
    ] = False,
    opening_rule: Annotated[
        str | None,
        Parameter(
            help="Begin by an opening rule of the game, by which people settle who has which side: swap2, or one of a plug-in."
        ),
    ] = None,
    swap2: Annotated[
        bool,
        flag(
            "Gomoku: begin by the opening rule Swap2. The first player puts three stones, the second chooses."
        ),
    ] = False,
    resume: Annotated[
        Path | None,
        Parameter(
            help="Go on with a saved game: its id (`mnkala saved` lists them), `last`, or a file with a record."
        ),
    ] = None,
    name: Annotated[
        tuple[str, ...],
        Parameter(
            negative=(),
            help="What you are called in records and lists; given twice, the names of both players.",
        ),
    ] = (),
    plain: Annotated[
        bool,
        flag(
            "Play in plain lines instead of on the full screen; this is the default without a terminal."
        ),
    ] = False,
    ascii: Annotated[
        bool,
        flag("Draw with plain characters only, for terminals without the shapes."),
    ] = False,
    language: Annotated[
        Literal["en", "pt", "it"] | None,
        Parameter(
            help="en, pt or it; by default the language of the terminal, and English in plain lines."
        ),
    ] = None,
    clock: Annotated[
        str | None,
        Parameter(help="A clock for both sides, SECONDS or SECONDS+INCREMENT, such as 300+3."),
    ] = None,
    puzzle: Annotated[
        str | None,
        Parameter(
            help="Begin with a puzzle instead of a game. Connect: the number of your own moves to the win, 2 to 12; "
            "Kalah: only-move, longest-chain or save. Every game: daily (the puzzle of the day) or mixed."
        ),
    ] = None,
    json: Annotated[
        bool,
        flag(
            "Print one JSON object at the end: the result, the moves, what each engine spent. The game is then played in plain lines, on "
            "standard error."
        ),
    ] = False,
) -> int:
    """Play a game: `mnkala play connect4`. A person may sit on either side, or an engine on both."""
    from mnkala.play.opening_rule import SWAP2, new_opening

    if json and (puzzle is not None or clock is not None):
        raise MnkalaError(
            "--json tells of a game in plain lines; leave out --puzzle, and --clock, which needs the full screen"
        )
    if fair:
        position = _fair_start(game, position, moves, resume, puzzle)
    if depth is not None or time is not None:
        if second is not None or resume is not None:
            raise MnkalaError(
                "--depth and --time are for the usual engine; with --second write them into it: --second auto:depth=5"
            )
        second = "auto:" + ",".join(
            f"{name}={limit}"
            for name, limit in (("depth", depth), ("time", time))
            if limit is not None
        )
    playing, saved = _game(game, first, second, position, moves, resume)
    if swap2 or opening_rule is not None:
        if resume is not None or puzzle is not None:
            raise MnkalaError(
                f"{'--swap2' if swap2 else '--opening-rule'} begins a new game; leave out --resume and --puzzle"
            )
        playing = dataclasses.replace(
            playing, opening_rule=new_opening(SWAP2 if swap2 else opening_rule, playing.position)
        )
    playing = _called(playing, name)
    try:
        return _play(
            playing,
            saved,
            resume,
            puzzle,
            plain=plain,
            ascii=ascii,
            language=language,
            clock=clock,
            json=json,
        )
    finally:
        for player in playing.players:
            if player.engine is not None:
                player.engine.search.close()


def _play(
    playing: GameState,
    saved: SavedGame | None,
    resume: Path | None,
    puzzle: str | None,
    *,
    plain: bool,
    ascii: bool,
    language: str | None,
    clock: str | None,
    json: bool,
) -> int:
    """Play the game, on the full screen or in plain lines."""
    from mnkala.play.clock import Clock
    from mnkala.play.engine_game import read_clock
    from mnkala.play.puzzles import puzzles_of
    from mnkala.terminal.environment import has_screen, language_of_locale, only_ascii
    from mnkala.terminal.plain_text import play_plain
    from mnkala.terminal.puzzles import read_choice

    file = None if saved is not None else resume
    goal = None if puzzle is None else read_choice(puzzles_of(playing.position.rules), puzzle)
    if clock is not None:
        playing = dataclasses.replace(playing, clock=Clock.of(*read_clock(clock)))
    if not plain and not json and has_screen():
        from mnkala.play.compiler import Compiler
        from mnkala.terminal.app import play_screen

        with contextlib.closing(Compiler()) as compiler:
            compiler.start()  # what may be chosen later is compiled while this game is played
            return play_screen(
                playing,
                file,
                language=language or language_of_locale(),
                ascii_only=ascii or only_ascii(),
                puzzle=goal,
                saved=saved,
            )
    if clock is not None:
        raise MnkalaError("a clock needs the full screen: a terminal, and no --plain")
    for engine in playing.engines():
        prepare(engine, playing.position.rules)
    return play_plain(
        playing, file, language=language or "en", puzzle=goal, saved=saved, as_json=json
    )


def _game(
    game: str | None,
    first: str | None,
    second: str | None,
    position: str | None,
    moves: tuple[str, ...],
    resume: Path | None,
) -> tuple[GameState, SavedGame | None]:
    """The game that the arguments ask for, and where it is saved if it comes from the list of
    games."""
    from mnkala.core import Record
    from mnkala.play import parse_player
    from mnkala.play.game_state import GameState
    from mnkala.play.players import USUAL_ENGINE
    from mnkala.play.saved_games import recorded_game

    saved = None
    if resume is not None:
        if game is not None or position is not None or moves:
            raise MnkalaError(
                "--resume continues a saved game; leave out the game, --position and --moves"
            )
        if (found := _find_saved(resume)) is not None:
            saved, playing = found
        else:
            playing = recorded_game(Record.load(resume), parse_player)
        if playing.is_over and not playing.position.is_over:
            raise MnkalaError(
                f"{resume} ended by {playing.ending} ({playing.result}); there is nothing to continue"
            )
    elif game is None:
        raise MnkalaError("which game? For example: mnkala play connect4 (see `mnkala games`)")
    else:
        where = make_position(game, moves, position)
        players = (
            parse_player("human", where.rules),
            parse_player(second or USUAL_ENGINE, where.rules, programs=True),
        )
        playing = GameState(where, players, unaided=not where.history_codes)
    rules, (one, other) = playing.position.rules, playing.players
    return dataclasses.replace(
        playing,
        players=(
            parse_player(first, rules, programs=True) if first else one,
            parse_player(second, rules, programs=True) if second else other,
        ),
    ), saved


def _fair_start(game: str | None, *others: object) -> str | None:
    """The literal of a fair start of a game, if one is asked for; no other start may be given
    then."""
    from mnkala.core import parse_game
    from mnkala.play.fair_starts import any_fair_start
    from mnkala.search.runner import run

    if any(others):
        raise MnkalaError(
            "--fair begins a new game from a start of its own; leave out --position, --moves, --resume and --puzzle"
        )
    if game is None:
        return None
    rules = parse_game(game)
    with announced("looking for a fair start"):
        return run(lambda stop: any_fair_start(rules, stop)).literal


def _find_saved(name: Path) -> tuple[SavedGame, GameState] | None:
    """A game from the list of games: by its id, by the file that held it before there was a
    list, or the last one in progress."""
    from mnkala.play.saved_games import (
        LAST,
        file_id,
        find_saved_game,
        last_unfinished,
        no_saved_game,
        open_saved_game,
    )
    from mnkala.play.store import games_file

    if is_file(name):
        row = (
            find_saved_game(file_id(name))
            if name.expanduser().resolve().parent == (games_file().parent / "games").resolve()
            else None
        )
    else:
        row = last_unfinished() if str(name) == LAST else find_saved_game(str(name))
        if row is None and str(name) == LAST:
            raise MnkalaError("no game is in progress; `mnkala saved` lists those that were played")
        if row is None and len(name.parts) == 1 and not name.suffix:
            raise no_saved_game(str(name))
    return None if row is None else open_saved_game(row)


def _called(playing: GameState, names: tuple[str, ...]) -> GameState:
    """The game with the names of its people."""
    from mnkala.play.events import Renamed

    people = [side for side, player in enumerate(playing.players) if player.is_human]
    if len(names) > len(people):
        raise MnkalaError(
            f"{counted(len(names), 'name')} for {counted(len(people), 'human player')}; computers have names of their own"
        )
    for seat, name in zip(people, names, strict=False):
        playing = playing.apply(Renamed(seat, name))
    return playing


def web(
    *,
    port: Annotated[
        int | None,
        Parameter(
            validator=Within(0, 65535),
            help="The port to listen on, or 0 for any free one; by default the first free one from 8080 on.",
        ),
    ] = None,
    host: Annotated[
        str,
        Parameter(
            help="The address to listen on. By default only this computer can reach the page; 0.0.0.0 opens it to the network."
        ),
    ] = "127.0.0.1",
    allow_host: Annotated[
        tuple[str, ...],
        Parameter(
            negative=(),
            help="A name that browsers may call the server by, beside this computer's own names and addresses; may be given several "
            "times.",
        ),
    ] = (),
    browser: Annotated[
        bool, Parameter(help="Open the page in the browser (--no-browser: only print its address).")
    ] = True,
    compile_ahead: Annotated[
        bool,
        Parameter(
            help="Compile every engine in the background, once after an installation (--no-compile-ahead: only those that somebody asks "
            "for)."
        ),
    ] = True,
) -> None:
    """Open the web page: play, analyse, review, see a search think. Works offline; every game is
    kept.
    """
    from mnkala.folders import data_folder
    from mnkala.web.server_lock import claim

    particular = port is not None or host != "127.0.0.1" or bool(allow_host)
    claimed = claim(
        data_folder() / "games.sqlite", host=host, port=port, particular=particular, browser=browser
    )
    if claimed is not None:
        from mnkala.web.server import serve  # loads the engines

        serve(claimed, browser=browser, allow_hosts=allow_host, compile_ahead=compile_ahead)
