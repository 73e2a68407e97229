"""`mnkala levels`: the levels of a game with their ratings, and what a person's own games say."""

from __future__ import annotations

import dataclasses
import json as json_module
import sys
from typing import Annotated

from cyclopts import Parameter

from mnkala.cli.arguments import AsJson
from mnkala.numbers import counted


def levels(
    game: Annotated[str, Parameter(help="A game string.")] = "connect4",
    *,
    forget: Annotated[bool, Parameter(negative=(), show_default=False,
        help="Forget your own results in the terminal, of all games. Those of the page are kept in the browser.")] = False,
    json: AsJson = False,
) -> None:
    """List the levels of a game with their ratings, and your own by your games in the terminal: `mnkala levels kalah`.

    A level is a player, by its number or its name: `mnkala play kalah --second 7`. Ratings are points of Elo, measured by `mnkala arena
    calibrate`; level 1 has 1000 in every game, so ratings of different games cannot be compared.

    The three levels of report 003 are none of these: they search to depths 1, 4 and 8 and overlook nothing there. They are engines,
    `report-003:level=1` to `report-003:level=3`.
    """
    from mnkala.core import parse_game
    from mnkala.explain.words import say
    from mnkala.play.levels import ladder_of
    from mnkala.play.own_rating import forget_results, kept_results, own_rating

    if forget:
        print(f"{counted(forget_results(), 'result')} forgotten", file=sys.stderr)
        return
    rules = parse_game(game)
    ladder, own = ladder_of(rules), own_rating(rules, kept_results(rules.game_string()))
    if json:
        print(json_module.dumps({"game": rules.game_string(), "levels": [dataclasses.asdict(level) for level in ladder],
                                 "own": None if own is None else dataclasses.asdict(own)}))
        return
    for level in ladder:
        rating = "" if level.rating is None else f"{level.rating:5.0f}  ({level.low:.0f} to {level.high:.0f})".ljust(22)
        print(f"{level.number:2}  {level.name:8}{rating}  {level.engine}")
    if ladder[0].rating is None:
        print(f"not rated: the settings of the nearest game; `mnkala arena calibrate {rules.game_string()}` measures them")
    if own is not None:
        print(say("game.own_rating", rating=round(own.rating), low=round(own.low), high=round(own.high), games=own.games))
