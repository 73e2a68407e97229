"""Where in a study file a key stands: tomllib tells the line of a mistake in the syntax only, so the text is scanned once more.

The scan knows table headers and keys at the beginning of a line, which is how people write TOML; anything deeper (inside an inline
table, say) is reported at the line of what holds it.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import Any, NoReturn

from mnkala.errors import MnkalaError

_HEADER = re.compile(r"^\s*(\[\[|\[)\s*([^\]]+?)\s*\]{1,2}\s*(#.*)?$")
_KEY = re.compile(r"""^\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=""")
_KEY_WORD = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")
_NAMES = {str: "a text", int: "a whole number", bool: "true or false", list: "a list", dict: "a table"}


class BadStudy(MnkalaError):
    """A study file with a mistake; the message has the file and the line."""


def key_lines(text: str) -> dict[tuple[Any, ...], int]:
    """The line of every table and key: paths of names, with the number of each [[table]]."""
    lines: dict[tuple[Any, ...], int] = {}
    counts: dict[tuple[Any, ...], int] = {}
    table: tuple[Any, ...] = ()
    quotes = ""
    depth = 0
    for number, line in enumerate(text.splitlines(), 1):
        if quotes:
            quotes = "" if quotes in line else quotes
            continue
        if depth == 0 and (header := _HEADER.match(line)):
            table = _open_table(header[1] == "[[", _words(header[2]), counts)
            lines.setdefault(table, number)
            lines.setdefault(table[:-1] if isinstance(table[-1], int) else table, number)
            continue
        if depth == 0 and (key := _KEY.match(line)):
            words = _words(key[1])
            for end in range(1, len(words) + 1):
                lines.setdefault((*table, *words[:end]), number)
        bare = re.sub(r'"(?:\\.|[^"\\])*"|\'[^\']*\'', "", line.replace('"""', "\0").replace("'''", "\0")).partition("#")[0]
        depth = max(0, depth + bare.count("[") - bare.count("]"))
        for mark in ('"""', "'''"):
            if line.count(mark) % 2:
                quotes = mark
    return lines


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip("\"'") for word in _KEY_WORD.findall(text))


def _open_table(repeated: bool, words: tuple[str, ...], counts: dict[tuple[Any, ...], int]) -> tuple[Any, ...]:
    """The path of a table: below the latest of each [[table]] that it stands in."""
    path: tuple[Any, ...] = ()
    for index, word in enumerate(words):
        path = (*path, word)
        if repeated and index == len(words) - 1:
            counts[path] = counts.get(path, 0) + 1
        if path in counts:
            path = (*path, counts[path] - 1)
    return path


class Reader:
    """Checks values of a study file and tells mistakes with their line."""

    def __init__(self, text: str, path: Path) -> None:
        self.path, self.lines = path, key_lines(text)

    def line(self, at: tuple[Any, ...]) -> int:
        """The line of a key, or of the nearest thing around it."""
        while at and at not in self.lines:
            at = at[:-1]
        return self.lines.get(at, 1)

    def fail(self, at: tuple[Any, ...], message: str) -> NoReturn:
        """Refuse the file."""
        raise BadStudy(f"{self.path}, line {self.line(at)}: {message}")

    def require(self, table: dict[str, Any], at: tuple[Any, ...], names: tuple[str, ...]) -> None:
        """Refuse a table that lacks something."""
        for name in names:
            if name not in table:
                place = f"[[{at[0]}]]" if at else "the study"
                self.fail(at, f"{place} lacks {name!r}")

    def check_keys(self, table: Any, at: tuple[Any, ...], allowed: dict[str, Any], required: tuple[str, ...] = ()) -> None:
        """Refuse keys that mean nothing here, and values of a wrong type."""
        if not isinstance(table, dict):
            self.fail(at, f"{at[0]!r} must be written as a table: [[{at[0]}]]")
        for name, value in table.items():
            if name not in allowed:
                near = difflib.get_close_matches(name, allowed, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"allowed are {', '.join(allowed)}"
                self.fail((*at, name), f"the key {name!r} is not known here; {hint}")
            kinds = allowed[name] if isinstance(allowed[name], tuple) else (allowed[name],)
            if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
                wanted = "a number" if float in kinds else " or ".join(_NAMES[kind] for kind in kinds)
                self.fail((*at, name), f"{name!r} must be {wanted}, not {value!r}")
        self.require(table, at, required)

    def choice(self, table: dict[str, Any], at: tuple[Any, ...], name: str, allowed: tuple[str, ...]) -> None:
        """Refuse a word that is not one of the allowed ones."""
        if name in table and table[name] not in allowed:
            words = ", ".join(word for word in allowed if word)
            self.fail((*at, name), f"{name} = {table[name]!r}; {name} is one of {words}")

    def names(self, table: dict[str, Any], at: tuple[Any, ...], name: str) -> tuple[str, ...]:
        """A column, or a list of columns."""
        value = table.get(name, [])
        value = [value] if isinstance(value, str) else value
        if not all(isinstance(word, str) and word for word in value) or (name in table and not value):
            self.fail((*at, name), f"{name!r} must be the name of a column or a list of such names")
        return tuple(value)
