"""The games of a tournament that are being played right now, for whoever watches it: the page reads
them from a small file beside that of the tournament, whoever plays it.
"""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path

BOARDS = ".boards"
"""The ending of a small file beside that of a tournament: the games that are being played."""
BOARDS_SECONDS = 0.4
"""The time between two writings of that file."""
FRESH_SECONDS = 60.0
"""After this time without a change the file is of a run that was killed."""


class LiveBoards:
    """Keeps the moves of the games in progress in a file, for whoever watches the tournament. The
    file is gone when the run ends."""

    def __init__(self, path: Path) -> None:
        self._path, self._written = path.with_suffix(BOARDS), 0.0
        self._moves: dict[str, str] = {}

    def hear(self, key: str, value: str) -> None:
        """Take note of the moves of a game so far."""
        self._moves[key] = value
        self._write()

    def over(self, key: str) -> None:
        """Note that a game has ended."""
        if self._moves.pop(key, None) is not None:
            self._write()

    def _write(self) -> None:
        now = time.monotonic()
        if now - self._written >= BOARDS_SECONDS:
            self._written = now
            with contextlib.suppress(OSError):  # A full disk must not end a tournament for this.
                new = self._path.with_suffix(f"{BOARDS}-new")
                new.write_text(json.dumps(self._moves), encoding="utf-8")
                new.replace(self._path)

    def __enter__(self) -> LiveBoards:
        return self

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(OSError):
            self._path.unlink()


def read_boards(path: Path) -> dict[str, str]:
    """The moves of the games that are being played, by their keys; none if nobody plays them."""
    boards = path.with_suffix(BOARDS)
    try:
        if abs(time.time() - boards.stat().st_mtime) > FRESH_SECONDS:
            return {}
        found = json.loads(boards.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(moves) for key, moves in found.items()} if isinstance(found, dict) else {}


def remove_boards(path: Path) -> None:
    """Delete the file of games in progress that a killed run has left behind."""
    with contextlib.suppress(OSError):
        path.with_suffix(BOARDS).unlink()
