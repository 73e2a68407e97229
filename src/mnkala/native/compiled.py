"""Marks in the cache for what has been compiled, so that a program can tell without loading anything whether somebody would have to wait.

A mark is never trusted for more than that. Where a kernel has vanished since, or another processor needs another one, it is compiled
again when it is called.
"""

from __future__ import annotations

from mnkala.native.disk_cache import DiskCache
from mnkala.native.kernels import PLAIN

NAME = "mark"


def mark_compiled(combination: str) -> None:
    """Note that the kernels of a combination are on disk. A disk that takes no mark costs only the knowledge."""
    if not is_compiled(combination):
        _files().save(NAME, _key(combination), b"")


def is_compiled(combination: str) -> bool:
    """Whether the kernels of a combination can be loaded at once; those of none always can."""
    return PLAIN or not combination or _files().load(NAME, _key(combination)) is not None


def _files() -> DiskCache:
    from mnkala.native.cache import disk_cache

    return disk_cache()


def _key(combination: str) -> str:
    from mnkala.native.cache import version_stamp

    return f"{version_stamp()} {combination}"
