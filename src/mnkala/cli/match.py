"""`mnkala match`: two engines play a series, and the result comes with its confidence."""

from __future__ import annotations

import json as json_module
import sys
from typing import Annotated

from cyclopts import Parameter

from mnkala.cli.arguments import AsJson, GameString
from mnkala.numbers import counted


def match(
    game: GameString,
    one: Annotated[str, Parameter(help="A level (easy, medium, hard; perfect where the game can be solved) or an engine string; "
                                            "gomocup:/path/to/brain is a program that plays Gomoku.")],
    other: Annotated[str, Parameter(help="The opponent, likewise.")],
    *,
    games: Annotated[int, Parameter(help="How many games; an even number keeps it fair.")] = 100,
    opening: Annotated[int, Parameter(help="Random moves before the engines take over.")] = 4,
    seed: Annotated[int, Parameter(help="Fixes the openings.")] = 1,
    swap2: Annotated[bool, Parameter(negative=(), show_default=False,
        help="Gomoku: the engines make the openings themselves, by the rule Swap2.")] = False,
    json: AsJson = False,
) -> None:
    """Let two engines play many games: `mnkala match connect4 alphabeta:depth=4 mcts:iterations=1000`.

    Games start from random openings, each played twice with the sides changed. The result is the first engine's, with a 95 %
    confidence interval.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from mnkala.errors import MnkalaError
    from mnkala.games import parse_game
    from mnkala.play.series import SeriesResult, series_games

    if not 1 <= games <= 1_000_000 or not 0 <= opening <= 1000:
        raise MnkalaError(f"{counted(games, 'game')} from openings of {counted(opening, 'move')}; "
                          "games are 1 to 1,000,000, openings 0 to 1000")
    rules = parse_game(game)
    result = SeriesResult()
    faults: list[dict[str, object]] = []
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
            bar = progress.add_task("playing", total=games)
            for played in series_games(rules, one, other, games, plies=opening, seed=seed, swap2=swap2):
                result = result.add(played.points)
                if played.fault is not None:
                    faults.append({"game": played.number + 1, "loser": other if played.points else one, "fault": played.fault})
                    print(f"game {played.number + 1}: {other if played.points else one} lost by {played.fault}", file=sys.stderr)
                progress.update(bar, advance=1, description=str(result))
    except KeyboardInterrupt:
        print(f"stopped after {result.games} of {counted(games, 'game')}", file=sys.stderr)
        print(f"{one} against {other} on {rules.game_string()}: {result}")
        raise
    if json:
        low, high = result.interval
        print(json_module.dumps({"game": rules.game_string(), "one": one, "other": other, "wins": result.wins, "draws": result.draws,
                                 "losses": result.losses, "share": result.share, "low": low, "high": high, "faults": faults}))
        return
    print(f"{one} against {other} on {rules.game_string()}: {result}")
