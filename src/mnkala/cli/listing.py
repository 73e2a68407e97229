"""What there is: games, engines, heuristics, versions."""

from __future__ import annotations

import json as json_module
from typing import Annotated, Literal

from cyclopts import Parameter

from mnkala.cli.arguments import AsJson, GameString, announced


def games(*, json: AsJson = False) -> None:
    """List the games, with the form of their game strings."""
    from mnkala.core import game_names

    listed = game_names()
    if json:
        print(json_module.dumps({name.name: {"grammar": name.grammar, "summary": name.summary} for name in listed}))
        return
    width = max(len(name.grammar) for name in listed)
    for name in listed:
        print(f"{name.grammar.ljust(width)}  {name.summary}")


def engines(*, json: AsJson = False) -> None:
    """List the engines and their options. Every engine also takes depth=, nodes= and time= (seconds)."""
    from mnkala.search.engine import options_of, program_searches, searches, summary

    listed = {
        name: {"summary": summary(cls), "options": {field.name: field.default for field in options_of(cls)}}
        for name, cls in (searches() | program_searches()).items()
    }
    if json:
        print(json_module.dumps(listed))
        return
    for name, about in listed.items():
        print(f"{name}: {about['summary']}")
        for option, default in about["options"].items():  # type: ignore[attr-defined]
            print(f"    {option}={default}")
    print("every engine: depth=PLIES, nodes=NUMBER, time=SECONDS")


def heuristics(
    game: Annotated[str | None, Parameter(help="Only those that fit this game, such as connect4:10x11.")] = None,
    *,
    json: AsJson = False,
) -> None:
    """List the heuristics, or only those that fit a game."""
    from mnkala.core import parse_game
    from mnkala.search.heuristic import heuristics as all_heuristics
    from mnkala.search.offers import offered_heuristics

    rules = parse_game(game) if game else None
    with announced("trying the heuristics of plug-ins, once"):
        listed = {entry.name: entry.summary for entry in (all_heuristics() if rules is None else offered_heuristics(rules, compiling=True))}
    if json:
        print(json_module.dumps(listed))
        return
    width = max(map(len, listed))
    for name, summary in listed.items():
        print(f"{name.ljust(width)}  {summary}" + ("  (default)" if rules and rules.heuristic == name else ""))


def rules(
    game: GameString,
    *,
    language: Annotated[Literal["en", "pt", "it"] | None, Parameter(help="en, pt or it; by default the language of the terminal.")] = None,
) -> None:
    """Tell how a game is played, with boards: `mnkala rules kalah`."""
    import sys

    from mnkala.core import parse_game
    from mnkala.terminal.environment import language_of_locale
    from mnkala.terminal.help_text import rules_text

    print(rules_text(parse_game(game), language or language_of_locale(), sys.stdout.isatty()))


def version() -> None:
    """Print the versions of mnkala and of what it runs on, and its folders."""
    import importlib.metadata
    import platform

    from mnkala import __version__
    from mnkala.folders import cache_base, data_folder

    print(f"mnkala {__version__}")
    print(f"Python {platform.python_version()} on {platform.system()} {platform.machine()}")
    for package in ("numba", "numpy"):
        print(f"{package} {importlib.metadata.version(package)}")
    print(f"games, books and results are kept in {data_folder()}")
    print(f"compiled engines, and the log of what cannot be compiled, in {cache_base()}")
