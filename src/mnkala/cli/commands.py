"""The command line as Cyclopts knows it: every command by the place where it is found, imported when it is called."""

from __future__ import annotations

from cyclopts import App, Parameter

from mnkala import __version__
from mnkala.cli.front_page import COMMANDS, HELP
from mnkala.cli.numbers import read_value

app = App(name="mnkala", help=HELP, version=__version__, result_action="return_value", default_parameter=Parameter(converter=read_value))
for name, command in COMMANDS.items():
    app.command(f"mnkala.cli.{command.where}", name=name)
app.register_install_completion_command()
