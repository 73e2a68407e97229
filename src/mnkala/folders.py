"""Where the user's data and what can be made again are kept, and whether a text names a file."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path, user_data_path


def data_folder() -> Path:
    """MNKALA_DATA_DIR, or the user's data folder."""
    chosen = os.environ.get("MNKALA_DATA_DIR")
    return Path(chosen) if chosen else user_data_path("mnkala", appauthor=False)


def cache_base() -> Path:
    """MNKALA_CACHE_DIR, or the user's cache folder."""
    chosen = os.environ.get("MNKALA_CACHE_DIR")
    return Path(chosen) if chosen else user_cache_path("mnkala", appauthor=False)


def is_file(name: str | Path) -> bool:
    """Whether there is such a file. What is too long for a name, or cannot be one, is none."""
    try:
        return Path(name).expanduser().is_file()
    except (OSError, RuntimeError, ValueError):
        return False
