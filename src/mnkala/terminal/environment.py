"""What the terminal around us can do: whether there is one at all, its width, its language, and whether its characters go beyond ASCII."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap

from mnkala.explain.words import LANGUAGES

NARROWEST, HANGING = 20, 4
"""The number of columns that every terminal has, and the indent of a wrapped line."""


def has_screen() -> bool:
    """Whether a full-screen program makes sense: input and output belong to a person's terminal that can move its cursor."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return os.name == "nt" or os.environ.get("TERM", "dumb") != "dumb"


def output_width() -> int:
    """Columns for lines of output: those that COLUMNS says, else those of the terminal, else 80."""
    return max(NARROWEST, shutil.get_terminal_size().columns)


def print_wrapped(*lines: str) -> None:
    """Print lines of text, a longer one on several without breaking a word; the rest stands a little to the right of its start."""
    width = output_width()
    for line in "\n".join(lines).split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) or HANGING)
        wrapped = textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
        print(line if len(line) <= width else "\n".join(wrapped))


def language_of_locale() -> str:
    """The language that the environment asks for (POSIX: LC_ALL, LC_MESSAGES, LANG, the first that is set), or English."""
    wanted = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    code = wanted[:2].lower()
    return code if code in LANGUAGES else "en"


def only_ascii() -> bool:
    """Whether shapes beyond ASCII would come out wrong: another encoding, or the console of Linux, whose font lacks them."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return not encoding.startswith("utf") or os.environ.get("TERM") == "linux"
