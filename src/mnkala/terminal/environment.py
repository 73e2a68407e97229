"""What the terminal around us can do: whether there is one at all, its language, and whether its characters go beyond ASCII."""

from __future__ import annotations

import os
import sys

from mnkala.explain.words import LANGUAGES


def has_screen() -> bool:
    """Whether a full-screen program makes sense: input and output belong to a person's terminal that can move its cursor."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return os.name == "nt" or os.environ.get("TERM", "dumb") != "dumb"


def language_of_locale() -> str:
    """The language that the environment asks for (POSIX: LC_ALL, LC_MESSAGES, LANG, the first that is set), or English."""
    wanted = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    code = wanted[:2].lower()
    return code if code in LANGUAGES else "en"


def only_ascii() -> bool:
    """Whether shapes beyond ASCII would come out wrong: another encoding, or the console of Linux, whose font lacks them."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return not encoding.startswith("utf") or os.environ.get("TERM") == "linux"
