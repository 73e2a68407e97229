"""The disk cache of compiled kernels, made to notice what Numba's own misses.

Three faults of Numba's cache were seen and are cured here. It is stamped with the source file of
the kernel alone, so an edited function in another file gave stale results: our stamp covers every
source file of the layers that are compiled, and a plug-in's digest is part of its type. Its index
pickles the types of all signatures, so that a removed plug-in broke the built-in games: our keys
are plain text. And two processes that saved at once stored one's machine code under the other's
key: our entries are files named by their keys (`disk_cache.py`).
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import types as numba_types
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from mnkala.folders import cache_base
from mnkala.native.disk_cache import DiskCache
from mnkala.native.objects import (
    COMPILED_LAYERS,
    PACKAGE,
    TYPED_IN,
    is_compiled_layer,
    sources_digest,
)

types: Any = numba_types
LONGEST_NAME = 80
"""The most characters of a kernel's name in its file names, whose length is limited; a digest
distinguishes them anyway."""


def cache_folder() -> Path:
    """Where machine code is kept: MNKALA_CACHE_DIR, or the user's cache folder. Copies of the
    package that have the same sources share what they compile.
    """
    return cache_base() / "kernels"


@functools.cache
def package_stamp() -> str:
    """A digest of every source file that is compiled: any edit there makes all cached kernels
    stale.
    """
    digest = hashlib.sha256()
    for source in sorted(
        source for layer in COMPILED_LAYERS for source in (PACKAGE / layer).rglob("*.py")
    ):
        digest.update(str(source.relative_to(PACKAGE)).encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


def source_stamp(file: Path) -> str:
    """A digest that changes whenever something that a kernel of this file may call changes.

    What is compiled outside the compiled layers depends also on the modules that it imports, and a
    user's own kernel on the user's file.
    """
    if is_compiled_layer(file):
        return package_stamp()
    return package_stamp() + (
        sources_digest(file) if PACKAGE in file.parents else _digest(file.read_bytes())
    )


class KernelCache(NullCache):
    """What a dispatcher of Numba asks before it compiles, and informs after it has compiled.

    Everything on which the machine code depends is in the key. Sources are read when the kernel
    is made, because later they may have been edited, which the running process does not know.
    """

    def __init__(self, function: Callable[..., Any], file: Path) -> None:
        self._function = function
        self._files = disk_cache()
        self._name = f"{file.stem}.{function.__qualname__}".translate(
            {ord("<"): None, ord(">"): None}
        )[:LONGEST_NAME]
        code = function.__code__
        place = file.relative_to(PACKAGE).as_posix() if PACKAGE in file.parents else file
        self._origin = (
            f"{place}:{code.co_firstlineno} {function.__qualname__}",
            source_stamp(file),
            _digest(code.co_code),
            version_stamp(),
        )

    @property
    def cache_path(self) -> str:
        return str(self._files.folder)

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        target_context.refresh()
        key = self._key(signature, target_context.codegen())
        payload = None if TYPED_IN in key else self._files.load(self._name, key)
        if payload is None:
            return None
        try:
            parts = pickle.loads(payload)
        except (
            Exception
        ):  # The file is whole, but a library has changed since; pickle may then raise anything.
            return None
        return CompileResult._rebuild(target_context, *parts)

    def save_overload(self, signature: Any, result: Any) -> None:
        key = self._key(signature, result.codegen)
        bound_to_this_process = (
            result.lifted or result.library.has_dynamic_globals or TYPED_IN in key
        )
        if not bound_to_this_process:
            self._files.save(self._name, key, dumps(result._reduce()))

    def _key(self, signature: Any, codegen: Any) -> str:
        parts = signature if isinstance(signature, tuple) else signature.args
        closed_over = tuple(cell.cell_contents for cell in self._function.__closure__ or ())
        return "\n".join(
            (
                *self._origin,
                _digest(dumps(closed_over)) if closed_over else "",
                ", ".join(_describe(part) for part in parts),
                *map(str, codegen.magic_tuple()),
            )
        )


def kernel_cache(function: Callable[..., Any]) -> Any:
    """The cache of a kernel. A function typed at a prompt has no file to compare with, so it is not
    cached."""
    file = Path(inspect.getfile(function)).resolve()
    return KernelCache(function, file) if file.is_file() else NullCache()


def disk_cache() -> DiskCache:
    """The disk cache of compiled code."""
    return _files(cache_folder())


@functools.cache
def _files(folder: Path) -> DiskCache:
    return DiskCache(folder)


def version_stamp() -> str:
    """A digest that changes with the compiled layers and with the versions of what compiles them."""
    return f"{package_stamp()} {sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')} numba {numba.__version__}"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _describe(kind: Any) -> str:
    """A type as text that differs wherever the types do: Numba's own leaves out the module of a
    named tuple.
    """
    if isinstance(kind, types.BaseTuple):
        members = ", ".join(_describe(member) for member in kind.types)
        named = getattr(kind, "instance_class", tuple)
        fields = ",".join(getattr(named, "_fields", ()))
        return f"{named.__module__}.{named.__qualname__}<{fields}>({members})"
    return str(kind)
