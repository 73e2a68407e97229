"""A folder with what is compiled already, for tests that need a cache of their own."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from mnkala.native.cache import cache_folder
from mnkala.native.kernels import NAME


def warm_cache(place: Path, *, marked: bool = True) -> Path:
    """A copy of what is compiled already (`make test` warms up first), for tests that are not about
    compiling the package itself; on wish without the marks that say so.
    """
    if cache_folder().exists():
        marks = () if marked else (f"{NAME}-*",)
        shutil.copytree(
            cache_folder(),
            place / "kernels",
            ignore=shutil.ignore_patterns("*.tmp.*", *marks),
            copy_function=_link_or_copy,
        )
    return place


def _link_or_copy(source: str, target: str) -> None:
    """A second name for a file, or a copy where the folder lies on another disk. Entries of the
    cache are replaced and never changed, so that both keep their content."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
