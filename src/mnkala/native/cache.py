"""The disk cache of compiled kernels, made to notice what Numba's own misses.

Two faults of Numba's cache were seen and are cured here. It is stamped with the source file of the kernel alone, so an edited
function in another file gave stale results: our stamp covers every source file of the layers that are compiled, and a plug-in's
digest is part of its type. And its index pickles the types of all signatures, so that a removed plug-in broke the built-in games:
our index holds names only.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core import types as numba_types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from platformdirs import user_cache_path

from mnkala.native.objects import COMPILED_LAYERS

types: Any = numba_types
PACKAGE = Path(__file__).resolve().parent.parent


def cache_folder() -> Path:
    """Where machine code is kept: MNKALA_CACHE_DIR, or the user's cache folder. Each copy of the package has its own."""
    chosen = os.environ.get("MNKALA_CACHE_DIR")
    base = Path(chosen) if chosen else user_cache_path("mnkala", appauthor=False)
    return base / "kernels" / hashlib.sha256(str(PACKAGE).encode()).hexdigest()[:12]


@functools.cache
def package_stamp() -> str:
    """A digest of every source file that is compiled: any edit there makes all cached kernels stale."""
    digest = hashlib.sha256()
    for source in sorted(source for layer in COMPILED_LAYERS for source in (PACKAGE / layer).rglob("*.py")):
        digest.update(str(source.relative_to(PACKAGE)).encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


class PackageLocator(_CacheLocator):
    """Puts the cache into our folder, stamped with all compiled layers. What is compiled elsewhere in the package is stamped with its
    folder as well, and a user's own kernel with the user's file."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._function = function
        self._file = Path(file)

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        file = self._file.resolve()
        if any(PACKAGE / layer in file.parents for layer in COMPILED_LAYERS):
            return package_stamp()
        sources = sorted(file.parent.glob("*.py")) if PACKAGE in file.parents else [file]
        return package_stamp() + hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()

    def get_disambiguator(self) -> str:
        where = f"{self._file.resolve()}:{self._function.__code__.co_firstlineno}"
        return hashlib.sha256(where.encode()).hexdigest()[:8]

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> PackageLocator | None:
        if not Path(file).exists():
            return None
        locator = cls(function, file)
        try:
            locator.ensure_cache_path()
        except OSError:
            return None
        return locator


class _KernelCacheImpl(CompileResultCacheImpl):
    _locator_classes = [PackageLocator, *CompileResultCacheImpl._locator_classes]  # noqa: RUF012


class KernelCache(FunctionCache):
    """Numba's function cache with an index of plain text, which can be read whatever has become of a plug-in."""

    _impl_class = _KernelCacheImpl

    def _index_key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        _, *rest = super()._index_key(signature, codegen)
        parts = signature if isinstance(signature, tuple) else signature.args
        return (", ".join(_describe(part) for part in parts), *rest)


def _describe(kind: Any) -> str:
    """A type as text that differs wherever the types do: Numba's own leaves out the module of a named tuple."""
    if isinstance(kind, types.BaseTuple):
        members = ", ".join(_describe(member) for member in kind.types)
        named = getattr(kind, "instance_class", tuple)
        fields = ",".join(getattr(named, "_fields", ()))
        return f"{named.__module__}.{named.__qualname__}<{fields}>({members})"
    return str(kind)
