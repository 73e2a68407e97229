"""Commands that list what is available: games, engines, heuristics, levels, versions."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import platform
import sys
from collections.abc import Iterator
from typing import Annotated, Literal

from cyclopts import Parameter

from mnkala.cli.arguments import AsJson, GameString, UsualGame, announced, flag, show, usual_game
from mnkala.folders import cache_base, data_folder
from mnkala.numbers import counted


def games(*, json: AsJson = False) -> None:
    """List the games, with the form of their game strings."""
    from mnkala.core import game_names

    listed = game_names()
    width = max(len(name.grammar) for name in listed)
    show(
        json,
        {name.name: {"grammar": name.grammar, "summary": name.summary} for name in listed},
        (f"{name.grammar.ljust(width)}  {name.summary}" for name in listed),
    )


def engines(*, json: AsJson = False) -> None:
    """List the engines and their options. Every engine also takes depth=, nodes= and time=
    (seconds).
    """
    from mnkala.search.engine import options_of, program_searches, searches, summary

    listed = {
        name: (summary(cls), {field.name: field.default for field in options_of(cls)})
        for name, cls in (searches() | program_searches()).items()
    }
    lines = (
        "".join([f"{name}: {text}", *(f"\n    {key}={value}" for key, value in options.items())])
        for name, (text, options) in listed.items()
    )
    show(
        json,
        {name: {"summary": text, "options": options} for name, (text, options) in listed.items()},
        [*lines, "every engine: depth=PLIES, nodes=NUMBER, time=SECONDS"],
    )


def heuristics(
    game: Annotated[
        str | None, Parameter(help="Only those that fit this game, such as connect4:10x11.")
    ] = None,
    *,
    json: AsJson = False,
) -> None:
    """List the heuristics, or only those that fit a game."""
    from mnkala.core import parse_game
    from mnkala.search.auto import offered_heuristics
    from mnkala.search.heuristic import heuristics as all_heuristics

    rules = parse_game(game) if game else None
    with announced("trying the heuristics of plug-ins, once"):
        listed = {
            entry.name: entry.summary
            for entry in (
                all_heuristics() if rules is None else offered_heuristics(rules, compiling=True)
            )
        }
    width = max(map(len, listed))
    show(
        json,
        listed,
        (
            f"{name.ljust(width)}  {summary}"
            f"{'  (default)' if rules and rules.heuristic == name else ''}"
            for name, summary in listed.items()
        ),
    )


def rules(
    game: GameString,
    *,
    language: Annotated[
        Literal["en", "pt", "it"] | None,
        Parameter(help="en, pt or it; by default the language of the terminal."),
    ] = None,
) -> None:
    """Explain how a game is played, with boards: `mnkala rules kalah`."""
    from mnkala.core import parse_game
    from mnkala.terminal.environment import language_of_locale
    from mnkala.terminal.help_text import rules_text

    print(rules_text(parse_game(game), language or language_of_locale(), sys.stdout.isatty()))


def version() -> None:
    """Print the versions of mnkala and of what it runs on, and its folders."""
    from mnkala import __version__

    print(f"mnkala {__version__}")
    print(f"Python {platform.python_version()} on {platform.system()} {platform.machine()}")
    for package in ("numba", "numpy"):
        print(f"{package} {importlib.metadata.version(package)}")
    print(f"games, books and results are kept in {data_folder()}")
    print(f"compiled engines, and the log of what cannot be compiled, in {cache_base()}")


def levels(
    game: UsualGame = None,
    *,
    forget: Annotated[
        bool,
        flag(
            "Forget your own results in the terminal, of all games. Those of the page are kept in the browser."
        ),
    ] = False,
    json: AsJson = False,
) -> None:
    """List the levels of a game with their ratings, and your own by your games in the terminal:
    `mnkala levels kalah`.

    A level is a player, by its number or its name: `mnkala play kalah --second 7`. Ratings are
    points of Elo, measured by `mnkala arena calibrate`; level 1 has 1000 in every game, so ratings
    of different games cannot be compared.

    The three levels of report 003 are none of these: they search to depths 1, 4 and 8 and overlook
    nothing there. They are engines, `report-003:level=1` to `report-003:level=3`.
    """
    from mnkala.core import parse_game
    from mnkala.play.levels import exact_words, ladder_of
    from mnkala.play.own_rating import forget_results, kept_results, own_rating

    if forget:
        print(f"{counted(forget_results(), 'result')} forgotten", file=sys.stderr)
        return
    rules = parse_game(usual_game(game))
    ladder, own = ladder_of(rules), own_rating(rules, kept_results(rules.game_string()))
    value = {
        "game": rules.game_string(),
        "levels": [dataclasses.asdict(level) for level in ladder],
        "own": None if own is None else dataclasses.asdict(own),
    }

    def lines() -> Iterator[str]:
        for level in ladder:
            rating = (
                ""
                if level.rating is None
                else f"{level.rating:5.0f}  ({level.low:.0f} to {level.high:.0f})".ljust(22)
            )
            yield f"{level.number:2}  {level.name:10}{rating}  {level.engine}"
        if words := exact_words(ladder[-1]):
            yield f"{ladder[-1].name}: {words}"
        if ladder[0].rating is None:
            yield f"not rated: the settings of the nearest game; `mnkala arena calibrate {rules.game_string()}` measures them"
        if own is not None:
            yield own.words()

    show(json, value, lines())
