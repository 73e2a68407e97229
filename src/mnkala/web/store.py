"""Games on disk: one SQLite file in the user's data folder, one row a game, written after every change.

With the write-ahead log a killed server loses nothing that it had answered. The secrets of people and invitations are kept as digests.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sqlite3
from pathlib import Path
from typing import Any

from mnkala.errors import MnkalaError

VERSION = 1
SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    start TEXT,
    moves TEXT NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    first_owner TEXT,
    second_owner TEXT,
    invitation TEXT,
    linked INTEGER NOT NULL,
    watchable INTEGER NOT NULL,
    over INTEGER NOT NULL,
    result TEXT NOT NULL,
    played INTEGER NOT NULL,
    created TEXT NOT NULL,
    updated TEXT NOT NULL,
    more TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS games_by_first ON games (first_owner, updated);
CREATE INDEX IF NOT EXISTS games_by_second ON games (second_owner, updated);
CREATE INDEX IF NOT EXISTS games_by_time ON games (updated);
"""


class BadStore(MnkalaError):
    """A database that cannot be used."""


def digest(secret: str) -> str:
    """What is kept of a secret. Secrets are long and random, so a plain hash cannot be reversed."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclasses.dataclass
class Row:
    """A game as it is kept. `more` holds what no query asks for: revision, resignation, clock, taken-back moves, pace."""

    id: str
    game: str
    start: str | None
    moves: str
    first: str
    second: str
    first_owner: str | None
    second_owner: str | None
    invitation: str | None
    linked: bool
    watchable: bool
    over: bool
    result: str
    played: int
    created: str
    updated: str
    more: dict[str, Any]


COLUMNS = tuple(field.name for field in dataclasses.fields(Row))
PLACES = ",".join("?" * len(COLUMNS))


class Store:
    """The file of games."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
            version = self._connection.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, VERSION):
                raise BadStore(f"{path} was written by another version of mnkala (format {version}; this one reads {VERSION})")
            self._connection.executescript(SCHEMA)
            self._connection.execute(f"PRAGMA user_version={VERSION}")
        except (sqlite3.Error, OSError) as error:
            raise BadStore(f"{path} cannot be used for games: {error}; move it away or set MNKALA_DATA_DIR") from error

    def save(self, row: Row) -> None:
        """Write a game, new or known."""
        values = [json.dumps(value) if name == "more" else value for name, value in vars(row).items()]
        self._connection.execute(f"INSERT OR REPLACE INTO games ({','.join(COLUMNS)}) VALUES ({PLACES})", values)

    def load(self, game_id: str) -> Row | None:
        """A game by its id."""
        found = self._connection.execute(f"SELECT {','.join(COLUMNS)} FROM games WHERE id = ?", (game_id,)).fetchone()
        return None if found is None else _row(found)

    def delete(self, game_id: str) -> None:
        """Forget a game."""
        self._connection.execute("DELETE FROM games WHERE id = ?", (game_id,))

    def listed(self, owner: str | None, limit: int, before: str | None = None) -> list[Row]:
        """The newest games of an owner, or of everybody, last touched before a time."""
        conditions, values = ["1"], []
        if owner is not None:
            conditions.append("(first_owner = ? OR second_owner = ?)")
            values += [owner, owner]
        if before is not None:
            conditions.append("updated < ?")
            values.append(before)
        query = f"SELECT {','.join(COLUMNS)} FROM games WHERE {' AND '.join(conditions)} ORDER BY updated DESC LIMIT ?"
        return [_row(found) for found in self._connection.execute(query, (*values, limit))]

    def count(self) -> int:
        """How many games there are."""
        return int(self._connection.execute("SELECT count(*) FROM games").fetchone()[0])

    def unfinished(self, owner: str) -> int:
        """How many games of an owner are going on."""
        query = "SELECT count(*) FROM games WHERE over = 0 AND (first_owner = ? OR second_owner = ?)"
        return int(self._connection.execute(query, (owner, owner)).fetchone()[0])

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


def _row(values: tuple[Any, ...]) -> Row:
    named = dict(zip(COLUMNS, values, strict=True))
    for flag in ("linked", "watchable", "over"):
        named[flag] = bool(named[flag])
    named["more"] = json.loads(named["more"])
    return Row(**named)
