"""`mnkala web`: the page."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from mnkala.cli.arguments import Within


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
