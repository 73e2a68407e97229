"""Where in a TOML file a key stands: tomllib tells the line of a mistake in the syntax only, so the text is scanned once more.

The scan knows table headers and keys at the beginning of a line, which is how people write TOML; anything deeper (inside an inline
table, say) is reported at the line of what holds it.
"""

from __future__ import annotations

import re
from typing import Any

Place = tuple[Any, ...]
"""A path of keys, with the number of each [[table]]: ("plot", 1, "x")."""

_HEADER = re.compile(r"^\s*(\[\[|\[)\s*([^\]]+?)\s*\]{1,2}\s*(#.*)?$")
_KEY = re.compile(r"""^\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=""")
_KEY_WORD = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")


def key_lines(text: str) -> dict[Place, int]:
    """The line of every table and key."""
    lines: dict[Place, int] = {}
    counts: dict[Place, int] = {}
    table: Place = ()
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


def _open_table(repeated: bool, words: tuple[str, ...], counts: dict[Place, int]) -> Place:
    """The path of a table: below the latest of each [[table]] that it stands in."""
    path: Place = ()
    for index, word in enumerate(words):
        path = (*path, word)
        if repeated and index == len(words) - 1:
            counts[path] = counts.get(path, 0) + 1
        if path in counts:
            path = (*path, counts[path] - 1)
    return path


def line_of(place: Place, lines: dict[Place, int]) -> int:
    """The line of a key, or of the nearest thing around it."""
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)
