"""Where the user's data and the caches are kept; files that may be missing or cannot be written;
and locks on files."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

from mnkala.errors import MnkalaError


def data_folder() -> Path:
    """The folder for data: MNKALA_DATA_DIR, or the user's data folder."""
    chosen = os.environ.get("MNKALA_DATA_DIR")
    return Path(chosen) if chosen else user_data_path("mnkala", appauthor=False)


def cache_base() -> Path:
    """The folder for caches: MNKALA_CACHE_DIR, or the user's cache folder."""
    chosen = os.environ.get("MNKALA_CACHE_DIR")
    return Path(chosen) if chosen else user_cache_path("mnkala", appauthor=False)


def is_file(name: str | Path) -> bool:
    """Whether a file of this name exists; False for a text that cannot be a name."""
    try:
        return Path(name).expanduser().is_file()
    except (OSError, RuntimeError, ValueError):
        return False


@contextlib.contextmanager
def file_errors(
    path: str | Path, cannot_be: str, kind: type[MnkalaError] = MnkalaError
) -> Iterator[None]:
    """Turn what the system says about a file into an error of ours: `FILE cannot be read: No such
    file or directory`."""
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        raise kind(
            f"{path} cannot be {cannot_be}: {getattr(error, 'strerror', None) or error}"
        ) from None


def write_text(path: Path, text: str, newline: str = "\n") -> Path:
    """Write a file, and make its folder if there is none."""
    with file_errors(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline=newline)
    return path


# ---- Locks of the operating system ----


# They vanish with the process that holds them however that ends: nothing stale is ever left.

LOCKED_BYTE = 1 << 20
"""The byte that is locked, which lies beyond the text, because nobody else can read what Windows
has locked."""
HELD_BY_ANOTHER = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
"""The error numbers of the system for a lock that another process holds."""

if sys.platform == "win32":
    import msvcrt

    def lock(file: int) -> None:
        """Lock an open file for this process, or raise OSError at once."""
        os.lseek(file, LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(file, 0, os.SEEK_SET)
else:
    import fcntl

    def lock(file: int) -> None:
        """Lock an open file for this process, or raise OSError at once."""
        # A lock of the process and not of the open file: a child that outlives the server must not
        # hold it.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, LOCKED_BYTE)
