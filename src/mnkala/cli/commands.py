"""The command line as Cyclopts knows it: every command by the place where it is found, imported when it is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cyclopts import App, Parameter, Token, convert

from mnkala import __version__
from mnkala.cli.front_page import HELP, all_commands
from mnkala.numbers import read_decimal, read_whole


def read_value(kind: Any, tokens: Sequence[Token]) -> Any:
    """The value of a parameter. Numbers are plain decimal: Cyclopts alone would also take `1_0` and `0x10`, and `0.5` for a port."""
    if kind is int:
        return read_whole(tokens[0].value)
    if kind is float:
        return read_decimal(tokens[0].value)
    return convert(kind, tokens)


app = App(name="mnkala", help=HELP, version=__version__, result_action="return_value", default_parameter=Parameter(converter=read_value))
for name, command in all_commands().items():
    app.command(command.where, name=name)
app.register_install_completion_command()
