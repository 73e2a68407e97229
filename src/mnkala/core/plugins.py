"""Plug-ins: packages that add games, heuristics, searches or solvers by an entry point, and modules
named in MNKALA_PLUGINS.

A plug-in that cannot be loaded is reported once as a warning and otherwise left out: it never keeps
the rest from working. Where a plug-in's code raises an unexpected error, the user gets one sentence
that names the plug-in and the place; an error of the package itself keeps its traceback, because
somebody has to fix it.
"""

from __future__ import annotations

import ast
import contextlib
import dis
import functools
import importlib
import importlib.metadata
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from mnkala.core import plugin_guards
from mnkala.errors import (
    LONGEST_ERROR,
    SEE_LOG,
    BadPlugin,
    MnkalaError,
    NotCompiled,
    in_one_line,
    is_of_compiler,
    keep_in_log,
)
from mnkala.native.objects import is_foreign


class PluginWarning(UserWarning):
    """A plug-in could not be loaded and was left out."""


_registers: list[dict[Any, Any]] = []


def new_register() -> dict[Any, Any]:
    """Make a register of what the package and plug-ins offer, whose content
    `registry.forgetting` can restore."""
    _registers.append({})
    return _registers[-1]


def registered() -> list[dict[Any, Any]]:
    """All registers, for `registry.forgetting`."""
    return _registers


@functools.cache
def load(group: str) -> None:
    """Load every plug-in of a group of entry points, once: its module runs, and the decorators in
    it register what it offers.
    """
    for entry in importlib.metadata.entry_points(group=group):
        try:
            entry.load()
        except Exception as error:
            warnings.warn(
                f"plug-in {entry.name} ({entry.value}) was left out: {in_one_line(error)}",
                PluginWarning,
                stacklevel=2,
            )
    for name in filter(None, os.environ.get("MNKALA_PLUGINS", "").split(",")):
        try:
            import_local(name.strip())
        except BadPlugin as error:
            warnings.warn(
                f"plug-in {name} of MNKALA_PLUGINS was left out: {error}",
                PluginWarning,
                stacklevel=2,
            )


def import_local(module_name: str) -> Any:
    """Import a module, which may also be in the current folder."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(module_name)
    except Exception as error:
        raise BadPlugin(
            f"the module {module_name} cannot be imported: {in_one_line(error)}"
        ) from error


def find_class(text: str) -> type:
    """The class that `module:Class` names."""
    module_name, colon, class_name = text.partition(":")
    if not colon or not module_name or not class_name:
        raise BadPlugin(f"'{text}' is not of the form module:Class")
    module = import_local(module_name)
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        classes = sorted(
            name
            for name, value in vars(module).items()
            if isinstance(value, type) and value.__module__ == module.__name__
        )
        raise BadPlugin(
            f"{module_name} has no class {class_name}; its classes are {', '.join(classes) or 'none'}"
        )
    return found


# ---- Whose mistake an unexpected error is ----


PACKAGE = str(Path(__file__).resolve().parent.parent)
_modules: dict[str, str] = new_register()
"""File names of modules that registered something, and their names."""


def note_plugin(cls: type) -> None:
    """Remember where a class comes from, if it is not the package's own."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    if is_foreign(cls.__module__) and file is not None:
        _modules[str(Path(file).resolve())] = cls.__module__


def is_plugin(module: ModuleType) -> bool:
    """Whether a module that is not the package's own has registered something."""
    return module.__name__ in _modules.values()


def name_of(cls: type) -> str:
    """Return the name under which a class is registered; raise BadPlugin if it has none of the
    required form. The module of a plug-in's class is noted for later messages."""
    note_plugin(cls)
    name = getattr(cls, "name", None)
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        raise BadPlugin(
            f"{cls.__name__}.name is {name!r}; it must be a word of small letters, digits, '-' and '_'"
        )
    return name


@contextlib.contextmanager
def blaming(suspects: Callable[[], Iterable[object]] = tuple, what: str = "") -> Iterator[None]:
    """Turn an error of a plug-in or of the compiler inside the block into a `MnkalaError`.
    `suspects` are the objects whose compiled code runs there; `what` describes the work for people.
    """
    try:
        yield
    except Exception as error:
        found = blame(error, suspects, what)
        if found is None:
            raise
        raise found from error


def blame(
    error: BaseException, suspects: Callable[[], Iterable[object]] = tuple, what: str = ""
) -> MnkalaError | None:
    """Describe the error of a plug-in or of the compiler in one sentence; None where the package
    itself is at fault or has already said what is wrong."""
    if isinstance(error, MnkalaError):
        return None
    compiling = is_of_compiler(error)
    place = _place_of_compiler(str(error)) if compiling else _place_of_frames(error.__traceback__)
    if place is None and (compiling or _left_python(error.__traceback__)):
        place = _place_of_suspects(suspects)
        if place is not None and not compiling:
            place += ", in compiled code,"
    if compiling:
        keep_in_log(error)
        if place is None:
            return NotCompiled(f"{what or 'this engine'} cannot be compiled; {SEE_LOG}")
        place = place.rstrip(",")
        return BadPlugin(
            f"{what} cannot be compiled: {place}; {SEE_LOG}"
            if what
            else f"{place} cannot be compiled; {SEE_LOG}"
        )
    if place is None:
        return None
    text = " ".join(str(error).split())[:LONGEST_ERROR]
    return BadPlugin(f"{place} raised {type(error).__name__}" + (f": {text}" if text else ""))


def failure(error: Exception) -> MnkalaError:
    """The error that people see when an engine fails."""
    if isinstance(error, MnkalaError):
        return error
    why = in_one_line(error)
    return blame(error) or MnkalaError(f"the engine failed: {why}", "error.engine_failed", why=why)


def _place_of_frames(trace: TracebackType | None) -> str | None:
    """The innermost function of a plug-in that the package called. A script that calls the package
    does not count."""
    found, called = None, False
    while trace is not None:
        code = trace.tb_frame.f_code
        file = str(Path(code.co_filename).resolve())
        if file.startswith(PACKAGE):
            called = True
        elif called and file in _modules:
            found = f"the plug-in {_modules[file]}: {code.co_qualname}(), line {trace.tb_lineno},"
        trace = trace.tb_next
    return found


def _place_of_compiler(text: str) -> str | None:
    """The innermost function of a plug-in in a message of the compiler, which lists places from the
    inside out."""
    for found in re.finditer(r' at (\S.*?) \((\d+)\)|File "([^"]+)", line (\d+)', text):
        file, line = found[1] or found[3], found[2] or found[4]
        path = str(Path(file).resolve())
        if path in _modules:
            return f"the plug-in {_modules[path]}: {_function_at(path, int(line))}line {line},"
    return None


def _function_at(file: str, line: int) -> str:
    """The function at a line of a file, as the beginning of a place in a message: `play(), `. Empty
    if there is none."""
    found = ""
    with contextlib.suppress(OSError, SyntaxError, UnicodeDecodeError):
        for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (
                node.end_lineno or node.lineno
            ):
                found = f"{node.name}(), "
    return found


def _left_python(trace: TracebackType | None) -> bool:
    """Whether the error came from a call of compiled code, or from a guard in it, and not from a
    line of Python."""
    if trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    return code.co_filename == plugin_guards.__file__ or dis.opname[
        code.co_code[trace.tb_lasti]
    ].startswith("CALL")


def _place_of_suspects(suspects: Callable[[], Iterable[object]]) -> str | None:
    """The names of all plug-ins that took part, because compiled code does not say where it
    failed."""
    with contextlib.suppress(MnkalaError):
        classes = [type(suspect) for suspect in suspects() if is_foreign(type(suspect).__module__)]
        if classes:
            return f"the plug-in {' or '.join(f'{cls.__module__}: {cls.__qualname__}' for cls in classes)}"
    return None
