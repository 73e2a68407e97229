"""The command `mnkala gomocup`: an engine of mnkala as a brain for Gomocup's tournament managers."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from mnkala.families.lines.rules import Mnk
    from mnkala.search import Engine


def gomocup(
    *,
    engine: Annotated[
        str | None,
        Parameter(
            help="Who plays: a level (1 to 10; easy, medium, hard) or an engine string; if not given, the strongest, on two threads where the "
            "machine has two cores and the manager says nothing else (INFO thread_num)."
        ),
    ] = None,
) -> None:
    """Play Gomoku as a brain of a tournament manager, by Gomocup's protocol on standard input and
    output.

    A manager starts it by a path without arguments: the command `mnkala-gomocup` is the same.
    `mnkala warmup` compiles the engine ahead.
    """
    from mnkala.core import parse_game
    from mnkala.errors import BadEngine
    from mnkala.families.lines.gomocup_brain import Brain, usual_engine
    from mnkala.play.players import parse_player

    def engine_of(rules: Mnk) -> Engine:
        player = parse_player(engine or usual_engine(), rules)
        if player.engine is None:
            raise BadEngine("a brain is an engine; `mnkala play gomoku` lets a person play")
        return player.engine

    engine_of(parse_game("gomoku"))  # type: ignore[arg-type]  # an unknown engine is told before a manager waits
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(
            encoding="utf-8", errors="replace"
        )  # Whatever bytes arrive, they are read as a line.
    Brain(engine_of).run(sys.stdin, sys.stdout)
