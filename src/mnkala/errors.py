"""The package's own errors: each says what was wrong and what is allowed, and a user sees its text
alone.

Every place that looks a name up refuses an unknown one in the same words, with the name that was
probably meant. What a compiler says of an unexpected error fills pages and helps nobody who plays:
it goes into a log.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping

from mnkala.numbers import plural, shortened


def first_sentence(described: object) -> str:
    """The first sentence of a docstring, however it is broken into lines, for lists that people
    read.
    """
    import inspect  # the front page of the command line needs no summaries

    paragraph = " ".join((inspect.getdoc(described) or "").partition("\n\n")[0].split())
    return printable(re.split(r"(?<=[.!?]) ", paragraph, maxsplit=1)[0])


def printable(text: str) -> str:
    """The text with control characters written out: what a plug-in or a file says must not steer
    the terminal.
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter in _HARMLESS else ascii(letter)[1:-1]
        for letter in text
    )


_HARMLESS = "\n\t\xa0\u2009\u202f"
"""Characters that are not printable but harmless: line ends, and spaces that must not break."""


class MnkalaError(Exception):
    """Base of all errors that a user can correct. Those that people meet on the page also have the
    `key` of a text and its `values`, which say the same in the reader's language. A value may be an
    error itself: the reason why something else did not work.
    """

    key: str = ""
    values: Mapping[str, str | int | MnkalaError] = {}

    def __init__(
        self, text: object = "", key: str = "", /, **values: str | int | MnkalaError
    ) -> None:
        super().__init__(text)
        self.key, self.values = key, values

    def __str__(self) -> str:
        return printable(super().__str__())


class BadGame(MnkalaError):
    """A game string that names no game, or a size that the game does not have."""


class BadPosition(MnkalaError):
    """A position literal that cannot be read or cannot arise; `cells` of its picture show what is
    wrong.
    """

    def __init__(
        self,
        text: object = "",
        key: str = "",
        cells: tuple[tuple[int, int], ...] = (),
        /,
        **values: str | int | MnkalaError,
    ) -> None:
        super().__init__(text, key, **values)
        self.cells = cells


class BadRecord(MnkalaError):
    """A saved game cannot be read."""


class IllegalMove(MnkalaError):
    """A move that cannot be read, or that the rules do not allow here."""


class BadEngine(MnkalaError):
    """An engine string, a heuristic or a limit that does not exist or does not fit the game."""


class NotCompiled(MnkalaError):
    """Something that works in plain Python but that the compiler refuses."""


class BadPlugin(MnkalaError):
    """A plug-in that cannot be loaded or breaks the contract."""


LIKENESS = 0.6
"""The share of letters in common from which on a name is suggested, as difflib measures it."""


def did_you_mean(name: str, known: Iterable[str], otherwise: str) -> str:
    """Suggest the known name that a text was probably meant to be: `did you mean connect4? Games
    are …`. If no name is like it, return only `otherwise`, which says what is allowed."""
    import difflib  # only for those who mistyped

    names = {each.lower(): each for each in known}
    close = difflib.get_close_matches(name.strip().lower()[:80], names, 1, LIKENESS)
    return (
        f"did you mean {names[close[0]]}? {otherwise[:1].upper()}{otherwise[1:]}"
        if close
        else otherwise
    )


def unknown(kind: str, name: str, known: Iterable[str], also: Iterable[str] = ()) -> str:
    """The text of the error for an unknown name: `no game is called 'conect4'; did you mean
    connect4? Games are connect4, gomoku, kalah`. Names in `also` can be suggested but are not
    listed."""
    names = list(dict.fromkeys(known))
    listed = f"{plural(kind)} are {', '.join(names) or 'none'}"
    return f"no {kind} is called '{shortened(name)}'; {did_you_mean(name, [*names, *also], listed)}"


# ---- Errors that nobody expected ----


LONGEST_ERROR = 300
"""Characters of another program's error that are repeated at most."""
COMPILERS = ("numba", "llvmlite")
LOG = "compiler.log"
LARGEST_LOG = 256 * 1024
"""The most bytes of the log; beyond that its older half is dropped."""
SEE_LOG = f"{LOG} in mnkala's cache folder says why"


def in_one_line(error: BaseException) -> str:
    """The kind of an error and what it says, in a line of bounded length."""
    if is_of_compiler(error):
        keep_in_log(error)
        return f"something cannot be compiled; {SEE_LOG}"
    text = " ".join(str(error).split())
    return printable(
        (f"{type(error).__name__}: {text}" if text else type(error).__name__)[:LONGEST_ERROR]
    )


def is_of_compiler(error: BaseException) -> bool:
    """Whether a compiler refused some code, or broke on it."""
    if type(error).__module__.partition(".")[0] in COMPILERS:
        return True
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return (
        last is not None
        and str(last.tb_frame.f_globals.get("__name__")).partition(".")[0] in COMPILERS
    )


def keep_in_log(error: BaseException) -> None:
    """Write all that a compiler said into the log, for whoever mends the code. Where the log cannot
    be written, nothing is kept."""
    import datetime
    import traceback

    from mnkala.folders import cache_base

    with contextlib.suppress(OSError):
        path = cache_base() / LOG
        path.parent.mkdir(parents=True, exist_ok=True)
        old = path.read_bytes() if path.is_file() else b""
        said = f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M:%S} UTC\n{''.join(traceback.format_exception(error))}\n"
        path.write_bytes(
            (old[-LARGEST_LOG // 2 :] if len(old) > LARGEST_LOG else old)
            + said.encode(errors="replace")
        )


def essence(error: BaseException) -> str:
    """What a compiler says, without where it looked, for those who wrote the code: it nests its
    reasons, and the last one is the cause.
    """
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    last = max(
        (place for place, line in enumerate(lines) if "Failed in nopython mode" in line), default=-1
    )
    cause = [line for line in lines[last + 1 :] if not line.startswith(("During:", "File "))]
    if not cause:
        return "the compiler gives no reason"
    signature = next(
        (line.removeprefix(">>>").strip() for line in cause if line.startswith(">>>")), ""
    )
    first = re.sub(r"Function\((.*)\)", r"\1", cause[0])
    return printable((f"{first} {signature}" if first.endswith(":") else first)[:LONGEST_ERROR])
