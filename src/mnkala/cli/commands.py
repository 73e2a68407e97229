"""The command line for Cyclopts: every command with the place where it is found, imported when
it is called.

The commands of mnkala are listed in `data/commands.json`, those of a family of games in the file
of that name in its own folder (`core/family.py`). The first page of help is made from these
files alone; a test compares their summaries with the docstrings.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import rich.console
from cyclopts import App, Parameter, Token, convert

from mnkala import __version__
from mnkala.errors import printable
from mnkala.numbers import read_decimal, read_whole

HELP = """Play, analyse and measure two-player board games.

Games are named by a game string: `connect4`, `connect4:10x11` (rows x columns), `connect:8x9x5` (rows x columns x line). \
Engines by an engine string: `deepening:time=2`, `alphabeta:depth=6,heuristic=basic`.

Start with `mnkala play connect4`. `mnkala COMMAND --help` tells more of a command; \
`mnkala --install-completion` lets the shell complete them."""


_FAMILIES = re.compile(r"^\[mnkala\.games\]\s*$(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
_MODULE = re.compile(r"^[^=\s#;][^=]*=\s*([\w.]+)", re.MULTILINE)


class Command(NamedTuple):
    """A command, or a group of commands."""

    where: str
    """`module:function` or `module:app`."""
    summary: str
    """The first sentence of its docstring."""


class Console(rich.console.Console):
    """The console on which commands draw anything but lines of text. It leaves the handling of a
    closed pipe to `mnkala.cli.run`."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


@functools.cache
def command_line(front_page: bool = False) -> App:
    """The whole command line; the one for its front page has summaries instead of the docstrings
    of modules that would have to be imported."""
    app = App(
        name="mnkala",
        help=HELP,
        version=__version__,
        result_action="return_value",
        exit_on_error=False,
        print_error=False,
        help_format="plaintext" if front_page else "markdown",
        default_parameter=Parameter(converter=read_value),
    )
    for name, command in all_commands().items():
        app.command(command.where, name=name, help=command.summary if front_page else None)
    if not front_page:
        app.register_install_completion_command()
    return app


def read_value(kind: Any, tokens: Sequence[Token]) -> Any:
    """The value of a parameter. Numbers are plain decimal: Cyclopts alone would also accept
    `1_0`, `0x10`, and `0.5` for a port."""
    if kind is int:
        return read_whole(tokens[0].value)
    if kind is float:
        return read_decimal(tokens[0].value)
    return convert(kind, tokens)


@functools.cache
def all_commands() -> dict[str, Command]:
    """Every command by its name, including those of families. Nobody can replace a command of
    mnkala."""
    found = _commands_of(__package__)
    for module in sorted(
        set(_family_modules()), key=lambda module: (not module.startswith("mnkala."), module)
    ):
        try:
            found = _commands_of(module) | found
        except Exception as error:
            from mnkala.errors import in_one_line

            warnings.warn(
                f"the commands of {printable(module)} were left out: {in_one_line(error)}",
                stacklevel=2,
            )
    return dict(sorted(found.items()))


def _family_modules() -> Iterator[str]:
    """The modules that add games, found by the entry point of an installed package or by
    MNKALA_PLUGINS. Loading `importlib.metadata` would take a sixth of the time of the front
    page."""
    for folder in sys.path:
        for file in Path(folder).glob("*.dist-info/entry_points.txt"):
            with contextlib.suppress(OSError):
                found = _FAMILIES.search(file.read_text(encoding="utf-8", errors="replace"))
                yield from _MODULE.findall(found[1]) if found else ()
    local = [
        name.strip() for name in os.environ.get("MNKALA_PLUGINS", "").split(",") if name.strip()
    ]
    if local and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    yield from local


def _commands_of(module: str) -> dict[str, Command]:
    """The commands in the file of a package. Only the packages around the module are imported,
    because the module of a family would load NumPy."""
    spec = find_spec(module)
    file = (
        Path(spec.origin).with_name("data") / "commands.json"
        if spec is not None and spec.origin
        else None
    )
    if file is None or not file.is_file():
        return {}
    listed = json.loads(file.read_bytes())
    wrong = next((name for name in listed if not re.fullmatch("[a-z][a-z0-9-]*", name)), None)
    if wrong is not None:
        raise ValueError(
            f"a command cannot be called {wrong!r}; names are small letters, digits and hyphens"
        )
    return {
        name: Command(str(entry["where"]), printable(str(entry["summary"])))
        for name, entry in listed.items()
    }
