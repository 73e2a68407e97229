"""`mnkala kgp`: Kalah against other programs, by the Kalah Game Protocol."""

from __future__ import annotations

import json as json_module
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

from cyclopts import App, Parameter

from mnkala.cli.arguments import AsJson, Within, prepare
from mnkala.errors import BadEngine, MnkalaError
from mnkala.families.kalah.kgp import PORT
from mnkala.listening import LOOPBACK
from mnkala.numbers import counted

if TYPE_CHECKING:
    from mnkala.core import Rules
    from mnkala.families.kalah.kgp.remote import FinishedGame
    from mnkala.play.players import Player

kgp = App(
    name="kgp",
    help="Kalah against other programs over the network, by the Kalah Game Protocol: `mnkala kgp serve`.\n\n"
    "`mnkala kgp play HOST` plays an engine of mnkala on a server.",
)


@kgp.command
def serve(
    *,
    host: Annotated[
        str,
        Parameter(
            help="The address to listen on. By default only this computer can reach the server; 0.0.0.0 opens it to the network."
        ),
    ] = LOOPBACK,
    port: Annotated[
        int,
        Parameter(validator=Within(0, 65535), help="The port to listen on; 0 for any free one."),
    ] = PORT,
    houses: Annotated[int, Parameter(help="Houses of a row.")] = 6,
    seeds: Annotated[int, Parameter(help="Seeds in a house at the start.")] = 4,
    time: Annotated[
        float,
        Parameter(
            validator=Within(0.001, 3600),
            help="Seconds for a move. Only whole seconds are announced to the clients.",
        ),
    ] = 5.0,
    engine: Annotated[
        str | None,
        Parameter(
            help="A level or an engine string: everybody plays against it. If not given, clients play each other."
        ),
    ] = None,
    games: Annotated[
        int,
        Parameter(
            validator=Within(1, 1_000_000),
            help="Games of each pair of players; they take turns to begin.",
        ),
    ] = 2,
    at_once: Annotated[int, Parameter(help="Games that a client plays at the same time.")] = 1,
    players: Annotated[
        int | None,
        Parameter(
            help="End when so many players have come and have played. If not given, the server runs until Ctrl-C."
        ),
    ] = None,
    record: Annotated[
        Path | None,
        Parameter(
            help="A file to add the record of every game to; `mnkala review` and others read it."
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Serve Kalah to clients: `mnkala kgp serve --players 2`. At the end come the results.

    KGP plays the standard rule. A move that is illegal, and leaving, lose a game; who sends no move
    in time gets a random one.
    """
    import asyncio

    from mnkala.core import parse_game
    from mnkala.families.kalah.kgp.remote import USUAL
    from mnkala.families.kalah.kgp.server import Server, ServerPlan
    from mnkala.listening import is_loopback, listen

    if not 1 <= at_once <= USUAL.games_at_once:
        raise MnkalaError(f"--at-once {at_once}: 1 to {USUAL.games_at_once} are possible")
    if players is not None and not 1 + (engine is None) <= players <= USUAL.connections:
        raise MnkalaError(
            f"{counted(players, 'player')}; {1 + (engine is None)} to {USUAL.connections} can play"
        )
    rules = parse_game(f"kalah:{houses}x{seeds},standard")
    opponent = read_engine(engine, rules) if engine is not None else None
    plan = ServerPlan(
        rules,
        time,
        games,
        at_once,
        players,
        opponent.engine if opponent else None,
        opponent.name if opponent else "",
    )
    out = opened(record) if record else None
    listening = listen(host, [port])

    def keep(played: FinishedGame) -> None:
        if out:
            out.write(str(played.record))
            out.flush()

    server = Server(plan, say=tell, keep=keep)
    tell(
        f"{rules.game_string()} is served at {host} port {listening.getsockname()[1]}  (Ctrl-C ends it)"
    )
    if not is_loopback(host):
        tell(
            "Anybody who can reach this address can now play, within bounds. Nothing is encrypted, and names are believed."
        )
    try:
        asyncio.run(server.run(listening))
    except KeyboardInterrupt:  # This is the usual way to end a server.
        tell(f"\n{counted(server.unfinished, 'game')} not finished" if server.unfinished else "")
    finally:
        listening.close()
        if out:
            out.close()
        print(
            json_module.dumps({"game": rules.game_string(), **server.results.as_json()})
            if json
            else server.results.table()
        )


@kgp.command
def play(
    host: Annotated[str, Parameter(help="Where the server is: a name or an address.")] = LOOPBACK,
    *,
    port: Annotated[int, Parameter(validator=Within(1, 65535), help="The server's port.")] = PORT,
    engine: Annotated[
        str, Parameter(help="Who plays: a level (1 to 10; easy, medium, hard) or an engine string.")
    ] = "auto:time=1",
    name: Annotated[
        str | None, Parameter(help="The name to play under; if not given, that of the engine.")
    ] = None,
    json: AsJson = False,
) -> int:
    """Let an engine play on a KGP server: `mnkala kgp play localhost --engine auto:time=1`.

    It answers every position at once and improves its move while it thinks, keeps the server's
    clock, and ends with the server.
    """
    import asyncio

    from mnkala.core import parse_game
    from mnkala.families.kalah.kgp.client import Client

    player = read_engine(engine, parse_game("kalah:standard"))
    assert player.engine is not None
    chosen = player.name if name is None else name
    if not chosen.strip():
        raise MnkalaError("--name is empty; it takes a name, such as Ann")
    chosen.encode()  # Text that cannot be encoded is refused before anybody connects.
    client = Client(player.engine, chosen)
    report = client.report
    try:
        asyncio.run(client.play(host, port))
    finally:
        for complaint in report.complaints:
            tell(complaint)
        if report.connected:
            print(json_module.dumps(report.as_json()) if json else report)
    return 0 if report.goodbye else 1


def read_engine(text: str, rules: Rules) -> Player:
    """Read a level or an engine string and compile it before any clock runs."""
    from mnkala.play.players import parse_player

    player = parse_player(text, rules)
    if player.engine is None:
        raise BadEngine("KGP is played by engines; `mnkala play kalah:standard` lets a person play")
    prepare(player.engine, rules)
    return player


def opened(file: Path) -> TextIO:
    """Open a file to which text can be appended."""
    from mnkala.folders import file_errors

    with file_errors(file, "written"):
        path = file.expanduser()
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("a", encoding="utf-8")


def tell(text: str) -> None:
    """Print an event, separately from the results."""
    print(text, file=sys.stderr, flush=True)
