"""Typing mistakes, each answered by one sentence that says what was wrong and what to type; and
command lines that need no command."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from cyclopts import App, Argument, CycloptsError
from cyclopts.exceptions import (
    ArgumentOrderError,
    CoercionError,
    MissingArgumentError,
    RepeatArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
    ValidationError,
)

from mnkala.cli.commands import all_commands, command_line
from mnkala.errors import MnkalaError, did_you_mean, unknown
from mnkala.numbers import shortened

ASKED_FOR: tuple[list[str], ...] = ([], ["-h"], ["--help"], ["help"])
"""The command lines that ask for the front page."""
KINDS = {int: "a whole number", float: "a number", Path: "the name of a file or folder"}


def understood(arguments: Sequence[str]) -> list[str]:
    """The command line that is meant: `help solve` is `solve --help`, and a game alone is
    played."""
    words = list(arguments)
    if words in ASKED_FOR:
        return ["--help"]
    helping = words[0] == "help"
    if helping:
        words = [*words[1:], "--help"]
    if words[0].startswith("-") or words[0] in all_commands():
        return words
    from mnkala.core.registry import game_names, named_words

    typed = [word for word in words if not word.startswith("-")]
    if named_words(typed):
        return ["rules", *typed] if helping else ["play", *words]
    games = [name.name for name in game_names()]
    others = [alias for name in game_names() for alias in name.aliases]
    listed = f"games are {', '.join(games)}, and `mnkala --help` lists the commands"
    suggested = did_you_mean(words[0], [*all_commands(), *games, *others], listed)
    raise MnkalaError(f"no command or game is called '{shortened(words[0])}'; {suggested}")


def mistake(error: CycloptsError) -> MnkalaError:
    """Make the message about a command line that Cyclopts has refused."""
    chain = list(error.command_chain or ())
    command = " ".join(["mnkala", *chain])
    app = command_line()
    for name in chain:
        app = app[name]
    again = _example(app, command) or f"`{command} --help` says more"
    commands = [name for name in app if not name.startswith("-")]
    match error:
        case (
            UnknownCommandError(unused_tokens=[word, *_])
            | UnusedCliTokensError(unused_tokens=[word, *_])
        ) if commands:
            kind = "option" if word.startswith("-") else "command"
            text = f"`{command}` has no {kind} '{shortened(word)}'; {did_you_mean(word, app, f'`{command} --help` lists what there is')}"
        case UnusedCliTokensError(unused_tokens=[word, *_]):
            text = f"`{command}` takes {_arguments_of(app)}, and '{shortened(word)}' is left over; {again}"
        case UnknownOptionError():
            word = (error.token.keyword or error.token.value).partition("=")[0]
            known = [
                name
                for argument in error.argument_collection
                for name in argument.names
                if argument.show
            ]
            text = f"`{command}` has no option {shortened(word)}; {did_you_mean(word, known, f'`{command} --help` lists its options')}"
        case MissingArgumentError(argument=Argument() as argument) if error.keyword is not None:
            text = f"{error.keyword} needs {_kind(argument)} after it: {_about(argument)}"
        case MissingArgumentError(argument=Argument() as argument):
            text = f"`{command}` needs {_name(argument)} too: {_about(argument)}; {again}"
        case CoercionError(argument=Argument() as argument):
            value = shortened((error.token or argument.tokens[0]).value)
            choices = argument.get_choices(force=True)
            text = f"{_name(argument)}: " + (
                unknown("choice", value, choices)
                if choices
                else f"it takes no value, so leave out '{value}'"
                if argument.hint is bool
                else str(error.msg)
            )
        case ValidationError(argument=Argument() as argument):
            text = f"{_name(argument)} {argument.tokens[0].value}: {error.exception_message}"
        case RepeatArgumentError():
            text = f"{error.token.keyword} is given twice; once is enough"
        case ArgumentOrderError(argument=Argument() as argument):
            text = f"an option names what stands in the place of '{shortened(error.token)}'; write {argument.name} in front of it"
        case _:
            error.verbose = False
            text = f"{str(error).rstrip('.')}; {again}"
    return MnkalaError(text)


def _name(argument: Argument) -> str:
    """The way to type a parameter, or its name in capitals as in the help."""
    return next((token.keyword for token in argument.tokens if token.keyword), None) or (
        argument.name.lstrip("-").upper() if argument.field_info.is_positional else argument.name
    )


def _about(argument: Argument) -> str:
    """The beginning of a parameter's help text."""
    text = re.split(r"[;.](?: |$)", argument.parameter.help or "")[0]
    return f"{text[:1].lower()}{text[1:]}"


def _kind(argument: Argument) -> str:
    """The kind of value that an option takes."""
    choices = argument.get_choices(force=True)
    return (
        f"one of {', '.join(choices)}"
        if choices
        else next(
            (
                words
                for kind, words in KINDS.items()
                if kind in (argument.hint, *get_args(argument.hint))
            ),
            "a value",
        )
    )


def _arguments_of(app: App) -> str:
    """The positional arguments that a command takes."""
    names = [
        _name(argument)
        for argument in app.assemble_argument_collection()
        if argument.field_info.is_positional
    ]
    return f"{' '.join(names)} and options" if names else "only options"


def _example(app: App, command: str) -> str:
    """An example from the command's own docstring."""
    words = r"\s+".join(map(re.escape, command.split()))  # a line may end between them
    found = re.search(rf"`({words}\s[^`]+)`", app.help or "")
    return f"for example: {' '.join(found[1].split())}" if found else ""
