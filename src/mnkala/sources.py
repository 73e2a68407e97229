"""Which state of the program made a result: a digest of the code that it depends on, and the commit
that the code lies in.

A measured figure belongs to the code that measured it. The digest says whether that is still the
code that is here; the commit is for people who want to look the old code up.

A digest is made of *definitions*, the statements at the top of modules. Docstrings, comments,
imports and the annotations of functions are left out, and neither the order of the definitions nor
the module that each lies in counts. So a result stays fresh when a file is moved, split or
explained better, and becomes stale when code is edited.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent
ENGINE = tuple(PACKAGE / part for part in ("native", "core", "search", "solve", "programs"))
"""The parts of the package that decide, in all games, which moves an engine makes, and how fast."""
STUDIES = "studies"
"""Folders of this name are left out of the digest of a place: they hold measures, of which a result
depends on one.
"""
GIT_SECONDS = 5.0


@functools.cache
def code_digest(places: frozenset[Path], functions: tuple[Callable[..., Any], ...]) -> str:
    """A digest that tells one state of some code from another. It covers all definitions and data
    files in some files and folders, and the definitions that some functions or classes are made of,
    wherever those lie."""
    files = frozenset[Path]().union(*map(_files_in, places))
    hashes = [*map(content_hash, files), *_reached(functions, files)]
    return hashlib.sha256(str(sum(hashes)).encode()).hexdigest()[
        :12
    ]  # a sum, because the order must not count


def state_of_files(folders: Iterable[Path]) -> str:
    """A text that tells one state of the files in some folders from another, by their names, sizes
    and times, without reading them."""
    found = [
        (entry.path, entry.stat().st_size, entry.stat().st_mtime_ns)
        for folder in dict.fromkeys(folders)
        for entry in _files_below(folder)
    ]
    return hashlib.sha256(repr(sorted(found)).encode()).hexdigest()


def _files_below(folder: Path) -> Iterator[os.DirEntry[str]]:
    for entry in os.scandir(folder):
        if entry.is_file():
            yield entry
        elif entry.name != "__pycache__":
            yield from _files_below(Path(entry.path))


def place_of(cls: type) -> Path | None:
    """The folder of the package in which a class is defined; the file, if its module is in no
    package; None if it comes with Python or was typed in.
    """
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    if file is None or cls.__module__.partition(".")[0] in sys.stdlib_module_names:
        return None
    path = Path(file).resolve()
    return path.parent if "." in cls.__module__ or path.name == "__init__.py" else path


@functools.cache
def _files_in(place: Path) -> frozenset[Path]:
    if place.is_file():
        return frozenset([place])
    return frozenset(
        path
        for path in place.rglob("*")
        if path.suffix in (".py", ".json", ".npz") and STUDIES not in path.relative_to(place).parts
    )


@functools.cache
def content_hash(file: Path) -> int:
    """The hash of a file; for code, the hash of its definitions."""
    if file.suffix == ".py":
        with contextlib.suppress(SyntaxError):
            return sum(statement.hash for statement in _module(file).statements)
    return _hash(file.read_bytes())


def _hash(content: bytes) -> int:
    return int.from_bytes(hashlib.sha256(content).digest())


# ---- Definitions ----


@dataclass(frozen=True)
class _Statement:
    """A statement at the top level of a module."""

    hash: int
    names: frozenset[str]
    """The names that the statement defines."""
    uses: frozenset[str]
    """All names that stand in its code, apart from decorators."""


@dataclass(frozen=True)
class _Module:
    """The source of a module, in the parts of which the digests are made."""

    statements: tuple[_Statement, ...]
    imports: tuple[tuple[str, str, str], ...]
    """The names that it takes from other modules, anywhere in its code: each with the module and
    the name that it has there.
    """


@functools.cache
def _module(file: Path) -> _Module:
    statements: list[_Statement] = []
    imports: list[tuple[str, str, str]] = []
    for node in ast.parse(file.read_bytes()).body:
        words: list[str] = []
        used: set[str] = set()
        stored: set[str] = set()
        _write(node, words, used, stored, imports)
        if words:
            defined = {node.name} if isinstance(node, ast.FunctionDef | ast.ClassDef) else stored
            statements.append(
                _Statement(_hash(" ".join(words).encode()), frozenset(defined), frozenset(used))
            )
    return _Module(tuple(statements), tuple(imports))


def _write(
    node: ast.AST,
    words: list[str],
    used: set[str],
    stored: set[str],
    imports: list[tuple[str, str, str]],
) -> None:
    """Take a statement apart: into words, which are the same in every version of Python, and the
    names that it uses, stores and imports.
    """
    match node:
        case (
            ast.Import()
            | ast.Expr(ast.Constant(str()))
            | ast.If(ast.Name("TYPE_CHECKING"))
            | ast.Assign([ast.Name("__all__")])
        ):
            return
        case ast.ImportFrom():
            imports += [
                (name.asname or name.name, node.module or "", name.name) for name in node.names
            ]
            return
        case ast.Name():
            (used if isinstance(node.ctx, ast.Load) else stored).add(node.id)
    words.append(type(node).__name__)
    for field in node._fields:
        value = getattr(node, field, None)
        if (
            value is None
            or value == []
            or field == "returns"
            or (field == "annotation" and isinstance(node, ast.arg))
        ):
            continue
        words.append(field)
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                _write(each, words, set() if field == "decorator_list" else used, stored, imports)
            else:
                words.append(repr(each))
        if isinstance(value, list):
            words.append("end")


# ---- What a function is made of ----


def _reached(functions: Iterable[Callable[..., Any]], elsewhere: frozenset[Path]) -> set[int]:
    """The hashes of the definitions that functions or classes are made of: their own, and those of
    all names that they use, in whatever module of the package. What lies in the files `elsewhere`
    is not followed.
    """
    seen: set[tuple[str, str]] = set()
    found: set[int] = set()

    def follow(module: str, name: str) -> None:
        file = _file_of(module)
        if (module, name) in seen or file is None or file in elsewhere:
            return
        seen.add((module, name))
        code = _module(file)
        for statement in code.statements:
            if name in statement.names:
                found.add(statement.hash)
                for used in statement.uses:
                    follow(module, used)
        for local, origin, original in code.imports:
            if local == name:
                follow(origin, original)
        inner = _file_of(f"{module}.{name}")  # a module that was imported as a whole
        for statement in _module(inner).statements if inner is not None else ():
            for used in statement.names:
                follow(f"{module}.{name}", used)

    for function in functions:
        follow(function.__module__, function.__name__)
    return found


@functools.cache
def _file_of(module: str) -> Path | None:
    """The file of a module of the package, or of a file of one's own that was loaded and is no part
    of an installed package.
    """
    if module.partition(".")[0] == PACKAGE.name:
        path = PACKAGE.parent.joinpath(*module.split("."))
        return next(
            (file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()),
            None,
        )
    file = getattr(sys.modules.get(module), "__file__", None) if "." not in module else None
    return Path(file) if file and file.endswith(".py") else None


# ---- The commit ----


@functools.cache
def commit() -> str:
    """The commit of the checkout that this runs from, with a + if the package was edited since; ''
    where there is none.
    """

    def git(*words: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(PACKAGE), *words],
            capture_output=True,
            text=True,
            timeout=GIT_SECONDS,
            check=True,
            stdin=subprocess.DEVNULL,
        )
        return done.stdout.strip()

    try:
        if not git(
            "ls-files", "__init__.py"
        ):  # installed into a folder of somebody else's repository
            return ""
        return git("rev-parse", "--short=10", "HEAD") + (
            "+" if git("status", "--porcelain", "--untracked-files=no", ".") else ""
        )
    except (OSError, subprocess.SubprocessError):
        return ""
