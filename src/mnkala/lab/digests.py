"""A few digits that change when the code of a built-in measure changes, so that rows of the old code are not taken for those of the new.

What counts is the measure's function and whatever of `mnkala.lab` it reaches by name: other functions, classes and constants of its
module, and those that it imports from other modules of the lab. Comments, docstrings and empty lines do not count, nor do neighbours that
the measure does not use. Layers below the lab do not count either: a study is about them, and every change of theirs would throw all data
away.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import re
from collections.abc import Iterable
from pathlib import Path

DIGITS = 12
LAB = "mnkala.lab."
NOT_FOLLOWED = ("mnkala.lab.registry",)
"""It hands measures their arguments and knows nothing of what they measure."""
ORIGIN = re.compile(rf"^([^@]*)@[0-9a-f]{{{DIGITS}}}:")
"""How a key begins: the user's file (nothing for a built-in measure) and the digest of the code."""


def digest(text: bytes) -> str:
    """A few digits of a text."""
    return hashlib.sha256(text).hexdigest()[:DIGITS]


def without_digest(key: str) -> str:
    """A key whatever the version of the code: rows of other versions of the same work have the same."""
    return ORIGIN.sub(lambda found: f"{found[1]}:" if found[1] else "", key)


@functools.cache
def code_digest(module: str, name: str) -> str:
    """The digest of what the function `name` of a module of the lab reaches."""
    reached: dict[tuple[str, str], str] = {}
    waiting = [(module, name)]
    while waiting:
        place = waiting.pop()
        if place in reached:
            continue
        definitions = _definitions(place[0])
        statements, imported = definitions.get(place[1], ([], None))
        reached[place] = "\n".join(text for text, _ in statements)
        if imported is not None:
            waiting.append(imported)
        waiting += [(place[0], used) for _, names in statements for used in names if used in definitions]
    return digest("\n".join(f"{place[0]}:{place[1]}\n{text}" for place, text in sorted(reached.items()) if text).encode())


_Definition = tuple[list[tuple[str, frozenset[str]]], tuple[str, str] | None]


@functools.cache
def _definitions(module: str) -> dict[str, _Definition]:
    """What each name of a module stands for: its statements with the names that these use, or the place it is imported from."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return {}
    source = Path(spec.origin).read_text(encoding="utf-8")
    lines, found = source.splitlines(), dict[str, _Definition]()
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.ImportFrom):
            origin = statement.module or ""
            if origin.startswith(LAB) and origin not in NOT_FOLLOWED:
                found |= {alias.asname or alias.name: ([], (origin, alias.name)) for alias in statement.names}
            continue
        text, names = _code(statement, lines), frozenset(node.id for node in ast.walk(statement) if isinstance(node, ast.Name))
        for name in _bound(statement):
            found.setdefault(name, ([], None))[0].append((text, names))
    return found


def _bound(statement: ast.stmt) -> Iterable[str]:
    """The names that a statement at the top of a module gives a meaning."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [statement.name]
    return dict.fromkeys(node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))


def _code(statement: ast.stmt, lines: list[str]) -> str:
    """The lines of a statement without docstrings, comments on lines of their own, and empty lines."""
    decorators = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    prose: set[int] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            prose |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    kept = [lines[number - 1].rstrip() for number in range(first, (statement.end_lineno or first) + 1) if number not in prose]
    return "\n".join(line for line in kept if line and not line.lstrip().startswith("#"))
