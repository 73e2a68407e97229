"""The command `mnkala connect`, with subcommands for Connect alone."""

from __future__ import annotations

from typing import Annotated

from cyclopts import App, Parameter

from mnkala.cli.arguments import (
    Processes,
    Retry,
    Scheduler,
    Table,
    flag,
    resumable,
    show_proof,
)

connect = App(
    name="connect",
    help="For Connect: who wins from a start that is too much for one sitting, proved in pieces.\n\n"
    "To play a game, type `mnkala play connect4`.",
)


@connect.command
def prove(
    game: Annotated[
        str, Parameter(help="A game string of Connect on a board of at most 127 bits.")
    ] = "connect4:7x7",
    *,
    exact: Annotated[bool, flag("Prove the score, not only who wins.")] = False,
    plies: Annotated[
        int,
        Parameter(
            help="Split the game after this many plies, 1 to 8: the more plies, the more and the smaller pieces."
        ),
    ] = 6,
    jobs: Processes = None,
    cluster: Scheduler = None,
    table: Table = 512,
    retry: Retry = False,
) -> int:
    """Prove piece by piece who wins: `mnkala connect prove connect4:7x7`, for what is too much for
    one sitting.

    A piece is a question about a position of the first plies: is its score above a number? Answers
    are kept in the data folder as they come. After Ctrl-C (or worse) the same command continues,
    also with more --plies. The exit status is 1 if it stays open who wins.
    """
    from mnkala.core import parse_game
    from mnkala.families.connect.solver.split import check_split, prove_split
    from mnkala.jobs import shown_on
    from mnkala.solve.pieces import proof_path

    rules = parse_game(game)
    check_split(rules, plies)
    again = (
        f"mnkala connect prove {game}"
        + (" --exact" if exact else "")
        + (f" --plies {plies}" if plies != 6 else "")
    )
    with resumable(f"what is done is kept in {proof_path(rules)}; continue with: {again}"):
        found = prove_split(
            rules,
            weak=not exact,
            plies=plies,
            jobs=jobs,
            cluster=cluster,
            table_mb=table,
            retry=retry,
            progress=shown_on,
        )
    told = (
        f"score {found.lower:+d}"
        if found.lower == found.upper != 0
        else "a draw"
        if found.lower == found.upper
        else "the first player wins"
        if found.lower > 0
        else "the second player wins"
        if found.upper < 0
        else f"score between {found.lower} and {found.upper}"
    )
    show_proof(rules, told, found, again)
    return 1 if found.lower < found.upper and (exact or found.lower <= 0 <= found.upper) else 0
