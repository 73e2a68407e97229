"""Marks in the cache for what has been compiled, so that a program can tell without loading anything whether somebody would have to wait.

A mark is never trusted for more than that. Where a kernel has vanished since, or another processor needs another one, it is compiled
again when it is called.
"""

from __future__ import annotations

from mnkala.native.kernels import PLAIN

NAME = "mark"


def mark_compiled(combination: str) -> None:
    """Note that the kernels of a combination are on disk. A disk that takes no mark costs only the knowledge."""
    from mnkala.native.cache import disk_cache, version_stamp

    if not PLAIN:
        disk_cache().save(NAME, f"{version_stamp()} {combination}", b"")


def is_compiled(combination: str) -> bool:
    """Whether the kernels of a combination can be loaded at once; those of none always can."""
    from mnkala.native.cache import disk_cache, version_stamp

    return PLAIN or not combination or disk_cache().load(NAME, f"{version_stamp()} {combination}") is not None
