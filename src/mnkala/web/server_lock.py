"""One server for each folder of games: two would overwrite each other's moves.

The server holds a lock of the operating system, which vanishes with its process however that ends,
so nothing stale is ever left. The locked file says at which address the server is. Nothing here
loads an engine: a server takes the lock and tells its address before it loads everything else,
which takes many seconds on a busy machine, and one that finds the folder served ends before it
loads anything.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import socket
import sys
import time
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Self

from mnkala.errors import MnkalaError
from mnkala.folders import HELD_BY_ANOTHER, lock
from mnkala.listening import LOOPBACK, listen
from mnkala.web.addresses import EVERY_ADDRESS

FIRST_PORT, PORTS_TO_TRY = 8080, 100
STARTING_SECONDS = 5.0
"""How long a server may take from its lock to its address, which normally follow each other at
once."""
LOOK_AGAIN_SECONDS = 0.05


class AlreadyServed(MnkalaError):
    """Another server uses these games."""

    def __init__(self, database: Path, address: str) -> None:
        self.address = address
        where = f"at {address}" if address else "that is just starting"
        super().__init__(
            f"the games in {database.parent} are served by another mnkala {where}; "
            "end that one, or set MNKALA_DATA_DIR to another folder"
        )


class ServerLock:
    """The exclusive right to serve a file of games, from construction to `close`."""

    def __init__(self, database: Path) -> None:
        path = database.with_suffix(".owner")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            raise MnkalaError(
                f"{path.parent} cannot be used for games: {error}; set MNKALA_DATA_DIR to another folder"
            ) from error
        try:
            self._wait(path, database)
        except OSError as error:
            self.close()
            raise MnkalaError(
                f"{path} cannot be locked: {error}; set MNKALA_DATA_DIR to another folder"
            ) from error
        except AlreadyServed:
            self.close()
            raise

    def _wait(self, path: Path, database: Path) -> None:
        """Take the lock. If another server has it, wait until that one has announced its address
        or failed to get one."""
        end = time.monotonic() + STARTING_SECONDS
        while not self._lock():
            text = path.read_text(encoding="utf-8", errors="replace")
            if text.endswith("\n") or time.monotonic() > end:
                raise AlreadyServed(database, text.strip())
            time.sleep(LOOK_AGAIN_SECONDS)
        self._file.truncate(0)

    def _lock(self) -> bool:
        try:
            lock(self._file.fileno())
        except OSError as error:
            if error.errno in HELD_BY_ANOTHER:
                return False
            raise
        return True

    def announce(self, address: str) -> None:
        """Record where the server is, for those that start later."""
        with contextlib.suppress(OSError):  # a full disk: they are told without the address
            self._file.write(f"{address}\n".encode())

    def close(self) -> None:
        """Release the lock."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclasses.dataclass(frozen=True)
class Claim:
    """What a server needs before it serves: exclusive use of the file of games, and a listening
    socket."""

    database: Path
    lock: ServerLock
    listening: socket.socket
    host: str
    shown_host: str
    """The host as written in an address."""
    port: int
    address: str


def claim(
    database: Path,
    *,
    host: str = LOOPBACK,
    port: int | None = None,
    particular: bool = False,
    browser: bool = True,
    say: Callable[[str], None] = print,
) -> Claim | None:
    """Claim these games and a port. If another server has the games and no particular port or
    host is wanted, the user is led to that server's page."""
    try:
        held = ServerLock(database)
    except AlreadyServed as taken:
        if particular or not taken.address:
            raise
        say(f"mnkala is running already, at {taken.address}  (games are kept in {database})")
        if browser and has_screen():
            webbrowser.open(taken.address)
        return None
    try:
        listening = listen(
            host, [port] if port is not None else [*range(FIRST_PORT, FIRST_PORT + PORTS_TO_TRY), 0]
        )
    except MnkalaError:
        held.close()
        raise
    chosen = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    address = (
        f"http://{'localhost' if host in ('127.0.0.1', '::1', *EVERY_ADDRESS) else shown}:{chosen}/"
    )
    held.announce(address)
    return Claim(database, held, listening, host, shown, chosen, address)


def has_screen() -> bool:
    """Whether a graphical browser can be opened. Without a screen Python would open a text
    browser in this very terminal."""
    return sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME")
    )
