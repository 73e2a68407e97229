"""What the terminal can do: whether there is one at all, its width, its language, and whether it
shows characters beyond ASCII."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap

from mnkala.explain.words import LANGUAGES

NARROWEST, HANGING = 20, 4
"""The number of columns that every terminal has, and the indent of a wrapped line."""


def has_screen() -> bool:
    """Whether a full-screen program makes sense: input and output belong to a person's terminal
    that can move its cursor.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return os.name == "nt" or os.environ.get("TERM", "dumb") != "dumb"


def output_width() -> int:
    """The width of output in columns, from COLUMNS or else from the terminal; 80 if neither is
    known."""
    return max(NARROWEST, shutil.get_terminal_size().columns)


def print_wrapped(*lines: str) -> None:
    """Print lines of text, wrapping long ones between words; wrapped parts are indented a
    little."""
    width = output_width()
    for line in "\n".join(lines).split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) or HANGING)
        wrapped = textwrap.wrap(
            line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
        print(line if len(line) <= width else "\n".join(wrapped))


def show_progress(text: str) -> None:
    """Show how far some work is in the last line of a terminal, in place of what stood there."""
    if sys.stderr.isatty():
        print(f"\r{text:<60}\r{text}", end="", file=sys.stderr, flush=True)


def language_of_locale() -> str:
    """The language of the environment, from the first of LC_ALL, LC_MESSAGES and LANG that is
    set (POSIX); English by default."""
    wanted = next(
        (os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), ""
    )
    code = wanted[:2].lower()
    return code if code in LANGUAGES else "en"


def only_ascii() -> bool:
    """Whether shapes beyond ASCII would be shown wrongly: the encoding lacks them, or the font
    of the Linux console does."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return not encoding.startswith("utf") or os.environ.get("TERM") == "linux"
