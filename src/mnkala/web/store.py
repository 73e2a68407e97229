"""Games on disk: one SQLite file in the user's data folder, one row a game, written after every change.

With the write-ahead log a killed server loses nothing that it had answered, and readers never wait for a writer: the event loop reads
by a connection of its own while the writer's thread (`writer.py`) writes by another. The secrets of people and invitations are kept as
digests.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec

from mnkala.errors import MnkalaError
from mnkala.web.http_errors import DiskFull, NotSaved

VERSION = 1
WRITE_SECONDS = 2.0
"""How long a write waits for another program's lock. A read waits for none: it would hold up the event loop."""
Seat = Annotated[int, msgspec.Meta(ge=0, le=1)]


class BadStore(MnkalaError):
    """A database that cannot be used."""


def digest(secret: str) -> str:
    """What is kept of a secret. Secrets are long and random, so a plain hash cannot be reversed."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Details(msgspec.Struct, frozen=True, kw_only=True):
    """What no query needs, in one column as JSON."""

    revision: int
    turn: int = 0
    resigned: Seat | None
    out_of_time: bool
    undone: list[tuple[int, ...]]
    paused: bool
    pace: float
    rematch: str | None
    undo_asked: Seat | None
    clock: tuple[float, float, tuple[float, float]] | None
    """Seconds for each side, increment, seconds left."""


@dataclasses.dataclass(frozen=True)
class Row:
    """A game as it is saved."""

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
    more: Details


@dataclasses.dataclass(frozen=True)
class DamagedRow:
    """A row that cannot be read, with what can be told of it: it is set aside, so that it does not hide the others."""

    id: str
    game: str
    owners: tuple[str, str]
    updated: str
    why: str


Change = Row | str
"""A game to be written, or the id of one to be forgotten."""
COLUMNS = tuple(field.name for field in dataclasses.fields(Row))
PLACES = ",".join("?" * len(COLUMNS))
SQL = {"str": "TEXT NOT NULL", "str | None": "TEXT", "bool": "INTEGER NOT NULL", "int": "INTEGER NOT NULL", "Details": "TEXT NOT NULL"}
SCHEMA = f"""
CREATE TABLE IF NOT EXISTS games ({",".join(f"{field.name} {SQL[str(field.type)]}" for field in dataclasses.fields(Row))}, PRIMARY KEY(id));
CREATE INDEX IF NOT EXISTS games_by_first ON games (first_owner, updated);
CREATE INDEX IF NOT EXISTS games_by_second ON games (second_owner, updated);
CREATE INDEX IF NOT EXISTS games_by_time ON games (updated);
"""


class Store:
    """The file of games. Reading is for one thread, `write` for another."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._writing = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=WRITE_SECONDS)
            self._check_format()
            self._writing.execute("PRAGMA journal_mode=WAL")
            self._writing.execute("PRAGMA synchronous=NORMAL")
            self._writing.executescript(SCHEMA)
            self._writing.execute(f"PRAGMA user_version={VERSION}")
            self._reading = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0)
            self._reading.text_factory = bytes
        except (sqlite3.Error, OSError) as error:
            raise BadStore(f"{path} cannot be used for games: {error}; move it away or set MNKALA_DATA_DIR") from error

    def _check_format(self) -> None:
        """Refuse a file of another version or program before anything in it is touched."""
        version = self._writing.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, VERSION):
            raise BadStore(f"{self.path} was written by another version of mnkala (format {version}; this one reads {VERSION})")
        columns = [column[1] for column in self._writing.execute("PRAGMA table_info(games)")]
        if columns and set(columns) != set(COLUMNS):
            raise BadStore(f"{self.path} cannot be used for games: its table 'games' is of another program (it has the columns "
                           f"{', '.join(columns)[:200]}); move it away or set MNKALA_DATA_DIR")

    # ---- Writing ----

    def write(self, changes: Iterable[Change]) -> None:
        """Make all of these changes, or none; raises NotSaved."""
        connection = self._writing
        with _plainly_told():
            try:
                connection.execute("BEGIN IMMEDIATE")
                for change in changes:
                    if isinstance(change, Row):
                        values = [msgspec.json.encode(value).decode() if name == "more" else value for name, value in vars(change).items()]
                        connection.execute(f"INSERT OR REPLACE INTO games ({','.join(COLUMNS)}) VALUES ({PLACES})", values)
                    else:
                        connection.execute("DELETE FROM games WHERE id = ?", (change,))
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    # ---- Reading ----

    def load(self, game_id: str) -> Row | DamagedRow | None:
        """A game by its id."""
        found = self._read(f"SELECT {','.join(COLUMNS)} FROM games WHERE id = ?", game_id)
        return _row(found[0]) if found else None

    def listed(self, owner: str | None, limit: int, before: str | None = None) -> list[Row | DamagedRow]:
        """The newest games of an owner, or of everybody, last touched before a time."""
        conditions, values = ["1"], []
        if owner is not None:
            conditions.append("(first_owner = ? OR second_owner = ?)")
            values += [owner, owner]
        if before is not None:
            conditions.append("updated < ?")
            values.append(before)
        query = f"SELECT {','.join(COLUMNS)} FROM games WHERE {' AND '.join(conditions)} ORDER BY updated DESC LIMIT ?"
        return [_row(found) for found in self._read(query, *values, limit)]

    def count(self) -> int:
        """How many games there are."""
        return int(self._read("SELECT count(*) FROM games")[0][0])

    def unfinished(self, owner: str) -> int:
        """How many games of an owner are going on."""
        query = "SELECT count(*) FROM games WHERE over = 0 AND (first_owner = ? OR second_owner = ?)"
        return int(self._read(query, owner, owner)[0][0])

    def _read(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with _plainly_told():
            return self._reading.execute(query, values).fetchall()

    def close(self) -> None:
        """Let go of the file."""
        self._reading.close()
        self._writing.close()


@contextlib.contextmanager
def _plainly_told() -> Iterator[None]:
    """Errors of the database as refusals that say what to do."""
    try:
        yield
    except sqlite3.Error as error:
        match getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF:  # the rest of the code is detail
            case sqlite3.SQLITE_FULL:
                raise DiskFull("not saved: the disk that keeps the games is full; make room and try again") from error
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                raise NotSaved("not saved: another program holds the file of games; try again when it has let go") from error
        raise NotSaved(f"not saved: the file of games cannot be used now ({error})") from error


def _row(values: tuple[Any, ...]) -> Row | DamagedRow:
    """The columns of a row, texts as bytes, as a game."""
    named = dict(zip(COLUMNS, values, strict=True))
    try:
        plain = {name: value.decode() if isinstance(value, bytes) else value for name, value in named.items()}
        flags = {name: bool(plain[name]) for name in ("linked", "watchable", "over")}
        return msgspec.convert(plain | flags | {"more": msgspec.json.decode(plain["more"], type=Details)}, Row)
    except (ValueError, TypeError) as error:  # msgspec's errors and those of UTF-8 are ValueErrors
        legible = {name: value.decode(errors="replace") if isinstance(value, bytes) else str(value) for name, value in named.items()}
        owners, why = (legible["first_owner"], legible["second_owner"]), f"its row in the file of games is damaged: {error}"[:300]
        return DamagedRow(legible["id"], legible["game"], owners, legible["updated"], why)
