"""Native classes and shared functions: what compiled code may call. This module does not import
Numba.

A native class is a frozen dataclass whose fields are numbers or arrays of 64-bit numbers. A kernel
that takes an instance is compiled once for the class, not for the instance: the fields travel at
run time, so one kernel serves every board size.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import itertools
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, TypeVar, dataclass_transform

import numpy as np

COMPILED_LAYERS = ("native", "core", "search")
"""The parts of the package that one stamp of the cache covers; compiled code elsewhere carries its
own digest.
"""
PACKAGE = Path(__file__).resolve().parent.parent
IMPORT = re.compile(
    rf"^(?:from|import) ({PACKAGE.name}[\w.]*)(?: import (\([^)]*\)|[^\n]*))?", re.MULTILINE
)
TYPED_IN = "<typed in"
"""The prefix of the digest of a class that was typed at a prompt or in a notebook, where no file
distinguishes its definitions."""
FIELD_TYPES = {
    "int": "int64",
    "bool": "boolean",
    "float": "float64",
    "np.uint64": "uint64",
    "Wide": "wide",
    "IntArray": "int64[::1]",
    "IntGrid": "int64[:, ::1]",
    "SmallGrid": "int32[:, ::1]",
    "WordArray": "uint64[::1]",
    "ByteArray": "int8[::1]",
}
"""Annotations that compiled code can see, and their types there. Fields of other types exist in
plain Python only."""

IntArray = np.ndarray[tuple[int], np.dtype[np.int64]]
"""A one-dimensional array of int64."""
IntGrid = np.ndarray[tuple[int, int], np.dtype[np.int64]]
"""A two-dimensional array of int64."""
SmallGrid = np.ndarray[tuple[int, int], np.dtype[np.int32]]
"""A two-dimensional array of int32, for what must lie close together."""
WordArray = np.ndarray[tuple[int], np.dtype[np.uint64]]
"""A one-dimensional array of uint64."""
ByteArray = np.ndarray[tuple[int], np.dtype[np.int8]]
"""A one-dimensional array of int8."""

Function = TypeVar("Function", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)

_classes: dict[tuple[str, str], type] = {}
_typed_in = itertools.count(1)
_shared: list[Callable[..., Any]] = []
_on_shared: list[Callable[[Callable[..., Any]], Any]] = []
_on_native: list[Callable[[Any], None]] = []


class NativeClass:
    """Base of every class whose instances may be passed to a kernel."""

    native_name: ClassVar[str]
    native_digest: ClassVar[str]
    native_fields: ClassVar[tuple[tuple[str, str], ...]]

    @classmethod
    def native_identity(cls) -> str:
        """A name that differs from that of every other class and of a plug-in's earlier versions."""
        return f"{cls.native_name}@{cls.native_digest}" if cls.native_digest else cls.native_name


@dataclass_transform(frozen_default=True)
def native(cls: Class) -> Class:
    """Make `cls` a frozen dataclass that kernels accept."""
    made: Any = dataclasses.dataclass(frozen=True, eq=False)(cls)
    fields = tuple((field.name, _annotation(field.type)) for field in dataclasses.fields(made))
    made.native_name = f"{cls.__module__}:{cls.__qualname__}"
    made.native_digest = source_digest(cls.__module__)
    made.native_fields = tuple(
        (name, FIELD_TYPES[kind]) for name, kind in fields if kind in FIELD_TYPES
    )
    _classes[made.native_name, made.native_digest] = made
    for listener in _on_native:
        listener(made)
    return made


def shared(function: Function) -> Function:
    """Let kernels and native classes call `function`, which stays an ordinary function in plain
    Python.
    """
    _shared.append(function)
    for listener in _on_shared:
        listener(function)
    return function


def inlined(function: Function) -> Function:
    """The same as `shared`, for what the compiler is to copy into every place that calls it, also
    where it thinks that a call is cheap enough.
    """
    function.inlined = True  # type: ignore[attr-defined]
    return shared(function)


def find_native_class(name: str, digest: str) -> type | None:
    """The class that a compiled type stands for, or None if its plug-in is gone or was edited."""
    return _classes.get((name, digest))


def each_shared(listener: Callable[[Callable[..., Any]], Any]) -> None:
    """Call `listener` with every shared function, including those that are defined later."""
    _on_shared.append(listener)
    for function in _shared:
        listener(function)


def each_native(listener: Callable[[Any], None]) -> None:
    """Call `listener` with every native class, including those that are defined later."""
    _on_native.append(listener)
    for cls in list(_classes.values()):
        listener(cls)


def is_foreign(module_name: str | None) -> bool:
    """Whether a module belongs to a plug-in, a script or a test and not to the package. Such code
    is not trusted with memory."""
    return (module_name or "").partition(".")[0] != __name__.partition(".")[0]


def _annotation(kind: Any) -> str:
    """The text of an annotation, whether or not the module postpones their evaluation."""
    if isinstance(kind, str):
        return kind
    named = {
        np.uint64: "np.uint64",
        IntArray: "IntArray",
        IntGrid: "IntGrid",
        SmallGrid: "SmallGrid",
        WordArray: "WordArray",
    }
    return named[kind] if kind in named else str(getattr(kind, "__name__", kind))


def source_digest(module_name: str) -> str:
    """A digest of a plug-in's source; empty for the compiled layers, whose cache has a stamp of its
    own."""
    package = __name__.partition(".")[0]
    if module_name.startswith(tuple(f"{package}.{layer}." for layer in COMPILED_LAYERS)):
        return ""
    module = sys.modules.get(module_name)
    file = getattr(module, "__file__", None)
    if file is None or not Path(file).is_file():
        return f"{TYPED_IN} {next(_typed_in)}>"
    path = Path(file).resolve()
    if not is_foreign(module_name):
        return sources_digest(path)[:16]
    sources = (
        sorted(path.parent.glob("*.py"))
        if "." in module_name or path.name == "__init__.py"
        else [path]
    )
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def sources_digest(file: Path) -> str:
    """A digest of a module of the package and of everything that its compiled code may call.

    That is the modules that it imports at its top, those that these import, and so on. What is
    imported inside functions is never compiled, and the compiled layers have a stamp of their own.
    """
    return hashlib.sha256(
        "".join(sorted(_file_digest(source) for source in sources_of(file))).encode()
    ).hexdigest()


def sources_of(file: Path) -> set[Path]:
    """A module and everything that it imports, as counted by `sources_digest`."""
    found, left = {file}, [file]
    while left:
        new = _imported(left.pop()) - found
        found |= new
        left += new
    return found


@functools.cache
def _imported(file: Path) -> frozenset[Path]:
    """The modules of the package outside its compiled layers that a module imports at its top."""
    found = set()
    for module, names in IMPORT.findall(file.read_text(encoding="utf-8")):
        place = PACKAGE.parent.joinpath(*module.split("."))
        parts = [place / name for name in re.findall(r"\w+", names)]
        for each in (place, *parts):
            found |= {
                source
                for source in (each.with_suffix(".py"), each / "__init__.py")
                if source.is_file()
            }
    return frozenset(source for source in found if not is_compiled_layer(source))


@functools.cache
def _file_digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def is_compiled_layer(file: Path) -> bool:
    """Whether a file is in a part of the package that the common stamp covers."""
    return any(PACKAGE / layer in file.parents for layer in COMPILED_LAYERS)
