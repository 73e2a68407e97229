"""The commands of `mnkala`, and the page that lists them: `mnkala --help`.

Cyclopts draws the help of every command, but loading it, and Markdown for a page without a heading, takes twice as long as this page may
take. So it is drawn here as Cyclopts draws it, from a table of what the commands are called, where they are and what they do. A test
holds the page against Cyclopts' own, and so the summaries against the commands' docstrings.

A family of games adds commands of its own by the file `commands.json` in its folder `data` (`core/family.py`). The page finds that file
without importing the family, which would load NumPy, and without `importlib.metadata`, which alone takes a third of the page's time.
"""

from __future__ import annotations

import contextlib
import functools
import math
import os
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mnkala.errors import printable

if TYPE_CHECKING:
    from rich.text import Text

HELP = """Play, analyse and measure two-player board games.

Games are named by a game string: `connect4`, `connect4:10x11` (rows x columns), `connect:8x9x5` (rows x columns x line). \
Engines by an engine string: `deepening:time=2`, `alphabeta:depth=6,heuristic=basic`.

Start with `mnkala play connect4`. `mnkala COMMAND --help` tells more of a command."""
ASKED_FOR: tuple[list[str], ...] = ([], ["-h"], ["--help"])
"""The command lines that ask for the page."""
NAMES_SHARE = 0.35
"""The part of the width that the names may take."""


class Command(NamedTuple):
    """A command, or a group of commands."""

    where: str
    """`module:function`, the module of a command in `COMMANDS` within this package; imported when the command is called."""
    summary: str
    """The first sentence of its docstring."""


COMMANDS = {
    "play": Command("play:play", "Play a game: `mnkala play connect4`. A person may sit on either side, or an engine on both."),
    "web": Command("web:web", "Open the web page: play, analyse, review, see a search think. Works offline; every game is kept."),
    "analyse": Command("analyse:analyse", "Analyse a position: `mnkala analyse connect4 44352 --time 2`."),
    "solve": Command("solve:solve", "Solve a position exactly: `mnkala solve connect4 44352`."),
    "review": Command("review:review", "Grade the moves of a game: `mnkala review game.txt`, or `mnkala review connect4 44352`."),
    "think": Command("think:think", "See a search think: `mnkala think connect4 44 --algorithm alphabeta --depth 3 --svg "
                     "tree.svg`."),
    "dataset": Command("dataset:dataset", "Write a data set to train on: `mnkala dataset connect4 -n 100000 --label exact`. Positions as "
                       "arrays with their scores, in Parquet."),
    "puzzles": Command("puzzles:puzzles", "Make puzzles: `mnkala puzzles connect4 --win-in 3..8 -n 20`, or `mnkala puzzles kalah`. One "
                       "solution each; the easy ones first."),
    "levels": Command("listing:levels", "List the levels of a game with their ratings, and your own by your games in the terminal: `mnkala "
                      "levels kalah`."),
    "match": Command("match:match", "Let two engines play many games: `mnkala match connect4 alphabeta:depth=4 "
                     "mcts:iterations=1000`."),
    "arena": Command("arena:arena", "Tournaments of engines, with ratings: `mnkala arena tournament connect4 easy medium hard`."),
    "sprt": Command("tune:sprt", "Test whether an engine is stronger than another: `mnkala sprt threats:nodes=2000,tuning=late:4 "
                    "threats:nodes=2000 --game gomoku`."),
    "openings": Command("tune:openings", "Find openings that favour nobody: `mnkala openings gomoku -n 200 --out FILE`, for `mnkala sprt "
                        "--openings FILE`."),
    "tune": Command("tune:tune", "Look for numbers that make an engine stronger: the weights of its evaluation, the settings of its "
                    "search."),
    "book": Command("book:book", "Opening books of exact scores for Connect and Kalah: read, build and check them."),
    "lab": Command("lab:lab", "Measure searches and heuristics: run the studies that come with mnkala and your own, and "
                   "write the report."),
    "class": Command("school:app", "For teachers: hand out exercises on searching, and grade what comes back."),
    "saved": Command("saved:saved", "The games that were played at this computer, on the page and in the terminal: list, export, import, "
                     "delete."),
    "games": Command("listing:games", "List the games, with the form of their game strings."),
    "rules": Command("listing:rules", "Tell how a game is played, with boards: `mnkala rules kalah`."),
    "engines": Command("listing:engines", "List the engines and their options. Every engine also takes depth=, nodes= and time= "
                       "(seconds)."),
    "heuristics": Command("listing:heuristics", "List the heuristics, or only those that fit a game."),
    "perft": Command("tools:perft", "Count the games of every length up to DEPTH: `mnkala perft connect4 8`."),
    "check": Command("tools:check", "Check a game of your own: `mnkala check my_module:MyGame`. Says in words which clause of the "
                     "contract is broken, if any."),
    "warmup": Command("tools:warmup", "Compile the engines ahead of time, so that no command waits for it later."),
    "version": Command("listing:version", "Print the versions of mnkala and of what it runs on, and its folders."),
}
_FAMILIES = re.compile(r"^\[mnkala\.games\]\s*$(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
_MODULE = re.compile(r"^[^=\s#;][^=]*=\s*([\w.]+)", re.MULTILINE)
_NAME = re.compile(r"[a-z][a-z0-9-]*")
FLAGS = {
    "--help (-h)": "Display this message and exit.",
    "--install-completion": "Install shell completion for this application.",
    "--version": "Display application version.",
}
"""What Cyclopts adds by itself."""


@functools.cache
def all_commands() -> dict[str, Command]:
    """Every command by its name, those of families too. Nobody can put another in the place of a command of mnkala."""
    found = {name: Command(f"{__package__}.{command.where}", command.summary) for name, command in COMMANDS.items()}
    for module in sorted(set(_family_modules()), key=lambda module: (not module.startswith("mnkala."), module)):
        try:
            for name, command in _commands_of(module).items():
                found.setdefault(name, command)
        except Exception as error:
            from mnkala.unexpected_errors import in_one_line

            warnings.warn(f"the commands of {printable(module)} were left out: {in_one_line(error)}", stacklevel=2)
    return found


def _family_modules() -> Iterator[str]:
    """The modules that add games: by an entry point of an installed package, or by MNKALA_PLUGINS."""
    for folder in sys.path:
        for file in Path(folder).glob("*.dist-info/entry_points.txt"):
            with contextlib.suppress(OSError):
                found = _FAMILIES.search(file.read_text(encoding="utf-8", errors="replace"))
                yield from _MODULE.findall(found[1]) if found else ()
    local = [name.strip() for name in os.environ.get("MNKALA_PLUGINS", "").split(",") if name.strip()]
    if local and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    yield from local


def _commands_of(module: str) -> dict[str, Command]:
    """The commands in the file of a family. Only the packages around its module are imported."""
    from importlib.util import find_spec

    spec = find_spec(module)
    file = Path(spec.origin).with_name("data") / "commands.json" if spec is not None and spec.origin else None
    if file is None or not file.is_file():
        return {}
    import json

    told = json.loads(file.read_bytes())
    wrong = next((name for name in told if not _NAME.fullmatch(name)), None)
    if wrong is not None:
        raise ValueError(f"a command cannot be called {wrong!r}; names are small letters, digits and hyphens")
    return {name: Command(str(entry["where"]), printable(str(entry["summary"]))) for name, entry in told.items()}


def print_front_page() -> None:
    """Print the page."""
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    from mnkala.cli.console import Console

    console = Console()
    console.print(Text("Usage: mnkala COMMAND\n", style="bold"))
    for paragraph in HELP.split("\n\n"):
        console.print(_with_code(paragraph), end="\n\n")
    table = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(style="cyan", overflow="fold", max_width=math.ceil(NAMES_SHARE * console.width))
    table.add_column(overflow="fold")
    for name, command in sorted(all_commands().items()):
        table.add_row(name, _with_code(command.summary))
    for flag, summary in FLAGS.items():
        table.add_row(flag, summary)
    console.print(Panel(table, title="Commands", title_align="left"))


def _with_code(text: str) -> Text:
    """A text whose words between backticks look like code, as in Markdown."""
    from rich.text import Text

    return Text.assemble(*((part, "markdown.code") if number % 2 else part for number, part in enumerate(text.split("`"))))
