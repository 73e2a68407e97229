"""One server for each folder of games: two would overwrite each other's moves.

The server holds a lock of the operating system, which vanishes with its process however that ends, so nothing stale is ever left. The
locked file says at which address the server is.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Self

from mnkala.errors import MnkalaError
from mnkala.file_lock import HELD_BY_ANOTHER, lock
from mnkala.play.store import BadStore

STARTING_SECONDS = 5.0
"""How long a server may take from its lock to its address."""


class AlreadyServed(MnkalaError):
    """Another server serves these games."""

    def __init__(self, database: Path, address: str) -> None:
        self.address = address
        where = f"at {address}" if address else "that is just starting"
        super().__init__(f"the games in {database.parent} are served by another mnkala {where}; "
                         "end that one, or set MNKALA_DATA_DIR to another folder")


class ServerLock:
    """The right to serve a file of games, from its making to its closing."""

    def __init__(self, database: Path) -> None:
        path = database.with_suffix(".owner")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            raise BadStore(f"{path.parent} cannot be used for games: {error}; set MNKALA_DATA_DIR to another folder") from error
        try:
            lock(self._file.fileno())
        except OSError as error:
            self._file.close()
            if error.errno in HELD_BY_ANOTHER:
                raise AlreadyServed(database, _address(path)) from None
            raise BadStore(f"{path} cannot be locked: {error}; set MNKALA_DATA_DIR to another folder") from error
        self._file.truncate(0)

    def announce(self, address: str) -> None:
        """Tell those who come later where the server is."""
        with contextlib.suppress(OSError):  # a full disk: they are told without the address
            self._file.write(f"{address}\n".encode())

    def close(self) -> None:
        """Let others have it."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _address(path: Path) -> str:
    """What the other server has announced, as soon as it has."""
    end = time.monotonic() + STARTING_SECONDS
    while not (text := path.read_text(encoding="utf-8", errors="replace")).endswith("\n") and time.monotonic() < end:
        time.sleep(0.05)
    return text.strip()
