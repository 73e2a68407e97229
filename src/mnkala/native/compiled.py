"""Marks on disk for what has been compiled, so that a program can tell without loading anything whether somebody would have to wait.

A mark is an empty file beside the kernels that it speaks of; it is never trusted for more than that. Where a kernel has vanished
since, it is compiled again when it is called.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

from mnkala.native.kernels import PLAIN


def mark_compiled(combination: str) -> None:
    """Note that the kernels of a combination are on disk. A disk that takes no mark costs only the knowledge."""
    if PLAIN:
        return
    with contextlib.suppress(OSError):
        mark = _mark(combination)
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()


def is_compiled(combination: str) -> bool:
    """Whether the kernels of a combination can be loaded at once; those of none always can."""
    return PLAIN or not combination or _mark(combination).exists()


def _mark(combination: str) -> Path:
    from mnkala.native.cache import cache_folder, package_stamp

    return cache_folder() / f"marks-{package_stamp()[:16]}" / hashlib.sha256(combination.encode()).hexdigest()[:24]
