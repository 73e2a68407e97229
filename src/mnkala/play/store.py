"""Games on disk: one SQLite file in the user's data folder, one row for each game, written after
every change, for the page and the terminal.

With the write-ahead log a killed program loses nothing that it had answered, and readers never
wait for a writer: the server's event loop reads through one connection while its writer's thread
writes through another, and lists, which may take a while, are read through a third. A server and
any number of terminals may use the file at once: a change names the revision that it follows and
is refused if another program was quicker. The secrets of people and invitations are kept as
digests.

Even a deletion is first written to the log, and the log can be emptied only into a file that may
have to grow: on a full disk neither would work. So some space is kept in reserve, in a file that
is given up when it is needed. From then on, until there is enough space for it again, the file
of games may not grow, and deletions make room for new games.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar

import msgspec

from mnkala.errors import MnkalaError
from mnkala.folders import data_folder
from mnkala.play.game_filter import Wanted

VERSION = 2
WRITE_SECONDS = 2.0
"""How long a write waits for another program's lock. A read never waits, because it would block
the event loop."""
LOG_PAGES = 128
"""The number of pages of 4 kB after which the log is emptied into the file."""
ROOM = 2 << 20
"""The bytes kept in reserve: several times the size of the log."""
UNBOUNDED = (1 << 32) - 2
"""The number of pages of the largest file that SQLite supports."""
THIS_COMPUTER = "this computer"
"""The owner of games that were begun in the terminal. (Other owners are digests.)"""
Seat = Annotated[int, msgspec.Meta(ge=0, le=1)]


class BadStore(MnkalaError):
    """A database that cannot be used."""


class NotSaved(MnkalaError):
    """The file of games cannot be used now; the game stays as it was."""


class DiskFull(NotSaved):
    """There is no room for the change."""


class ChangedElsewhere(MnkalaError):
    """Another program has changed or deleted the game since it was read."""


def games_file() -> Path:
    """Where the games of this user are kept."""
    return data_folder() / "games.sqlite"


def digest(secret: str) -> str:
    """The digest kept in place of a secret. Secrets are long and random, so a plain hash cannot
    be reversed."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Details(msgspec.Struct, frozen=True, kw_only=True):
    """The data that no query needs, in one column as JSON."""

    turn: int = 0
    resigned: Seat | None
    out_of_time: bool
    undone: list[tuple[int, ...]]
    paused: bool
    pace: float
    rematch: str | None
    undo_asked: Seat | None
    draw_asked: Seat | None = None
    agreed: bool = False
    clock: tuple[float, float, tuple[float, float]] | None
    """The seconds of each side, the increment, and the seconds left."""
    fault: str | None = None
    """The fault by which a program lost."""
    opening: str | None = msgspec.field(default=None, name="swap2")
    """The rule and the progress of an opening. (In the file its name is that of the rule that
    was once the only one.)"""
    unaided: bool = False
    """Whether every move so far was made without help; unknown for games that older versions
    saved."""


@dataclasses.dataclass(frozen=True)
class Row:
    """A game as a row of the file of games."""

    id: str
    game: str
    start: str | None
    moves: str
    first: str
    second: str
    first_nickname: str | None
    second_nickname: str | None
    first_owner: str | None
    second_owner: str | None
    invitation: str | None
    linked: bool
    watchable: bool
    here: bool
    """Whether it was begun at this computer: in the terminal, or on a page that nobody else can
    reach."""
    over: bool
    result: str
    played: int
    revision: int
    """A number that grows with every change."""
    created: str
    updated: str
    more: Details

    @property
    def ending(self) -> Literal["rules", "resignation", "agreement", "time", "fault"] | None:
        """What ended the game; None while it is in progress."""
        if self.more.agreed:
            return "agreement"
        if self.more.fault is not None:
            return "fault"
        if self.more.resigned is not None:
            return "time" if self.more.out_of_time else "resignation"
        return "rules" if self.over else None

    @property
    def of_terminal(self) -> bool:
        """Whether it was begun in the terminal."""
        return THIS_COMPUTER in (self.first_owner, self.second_owner)


@dataclasses.dataclass(frozen=True)
class DamagedRow:
    """A row that cannot be read, with what can be said about it; it is set aside, so that it
    does not hide the others."""

    id: str
    game: str
    owners: tuple[str, str]
    updated: str
    why: str


@dataclasses.dataclass(frozen=True)
class Update:
    """A change of an existing game, written only if the saved revision is still the one that it
    follows."""

    row: Row
    follows: int


@dataclasses.dataclass(frozen=True)
class PuzzleResult:
    """What a person has reached in a puzzle. The first result counts for the person's rating, the
    best one is shown."""

    owner: str
    here: bool
    game: str
    moves: str
    state: int
    """0 for a puzzle that was tried, 1 for one solved with help, 2 for one solved without."""
    points: float | None
    """1 if it was solved at once and without help, otherwise 0; None if that is not known."""
    rating: float
    """The puzzle's own rating."""
    at: str

    insert: ClassVar[str] = (
        "INSERT INTO puzzles VALUES (?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET state = max(state, excluded.state)"
    )

    def unrated(self) -> PuzzleResult:
        """This result without its points, so that it does not count for the rating."""
        return dataclasses.replace(self, points=None)


@dataclasses.dataclass(frozen=True)
class PuzzleDay:
    """A day whose daily puzzle a person has solved."""

    owner: str
    here: bool
    game: str
    day: str

    insert: ClassVar[str] = "INSERT OR IGNORE INTO puzzle_days VALUES (?,?,?,?)"


@dataclasses.dataclass(frozen=True)
class Learned:
    """A lesson that a person has gone through."""

    owner: str
    here: bool
    lesson: str

    insert: ClassVar[str] = (
        "INSERT OR IGNORE INTO lessons SELECT ?,?,? WHERE (SELECT count(*) FROM lessons) < 500000"
    )
    """Nobody who learns reaches the limit; it keeps others from filling the disk."""


@dataclasses.dataclass(frozen=True)
class ReviewedGame:
    """The mistakes that a review has found in a game, which must still have this revision."""

    id: str
    revision: int
    version: int
    """The version of the classification of mistakes."""
    judge: str
    """The engine or solver that reviewed the game."""
    found: str
    """The mistakes as JSON."""

    insert: ClassVar[str] = "INSERT OR REPLACE INTO reviewed VALUES (?,?,?,?,?)"


Kept = PuzzleResult | PuzzleDay | Learned | ReviewedGame
"""What is kept beside the games."""
Change = Row | Update | str | Kept
"""A new game, a change of one, the id of one to be deleted, or something kept beside the games."""
E = TypeVar("E", PuzzleResult, PuzzleDay, Learned)
COLUMNS = tuple(field.name for field in dataclasses.fields(Row))
INSERT = (
    f"INSERT OR REPLACE INTO games ({','.join(COLUMNS)}) VALUES ({','.join('?' * len(COLUMNS))})"
)
UPDATE = (
    f"UPDATE games SET {','.join(f'{name} = ?' for name in COLUMNS)} WHERE id = ? AND revision = ?"
)
SQL = {
    "str": "TEXT NOT NULL",
    "str | None": "TEXT",
    "bool": "INTEGER NOT NULL",
    "int": "INTEGER NOT NULL",
    "Details": "TEXT NOT NULL",
}
SCHEMA = f"""
CREATE TABLE IF NOT EXISTS games ({",".join(f"{field.name} {SQL[str(field.type)]}" for field in dataclasses.fields(Row))}, PRIMARY KEY(id));
CREATE INDEX IF NOT EXISTS games_by_first ON games (first_owner, updated);
CREATE INDEX IF NOT EXISTS games_by_second ON games (second_owner, updated);
CREATE INDEX IF NOT EXISTS games_by_time ON games (updated);
CREATE TABLE IF NOT EXISTS files_taken_in (name TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS lessons (owner TEXT NOT NULL, here INTEGER NOT NULL, lesson TEXT NOT NULL, PRIMARY KEY(owner, lesson));
CREATE TABLE IF NOT EXISTS puzzles (owner TEXT NOT NULL, here INTEGER NOT NULL, game TEXT NOT NULL, moves TEXT NOT NULL,
    state INTEGER NOT NULL, points REAL, rating REAL NOT NULL, at TEXT NOT NULL, PRIMARY KEY (owner, game, moves));
CREATE TABLE IF NOT EXISTS puzzle_days (owner TEXT NOT NULL, here INTEGER NOT NULL, game TEXT NOT NULL, day TEXT NOT NULL,
    PRIMARY KEY (owner, game, day));
CREATE TABLE IF NOT EXISTS reviewed (id TEXT PRIMARY KEY, revision INTEGER NOT NULL, version INTEGER NOT NULL,
    judge TEXT NOT NULL, found TEXT NOT NULL);
CREATE TRIGGER IF NOT EXISTS forget_review AFTER DELETE ON games BEGIN DELETE FROM reviewed WHERE id = OLD.id; END;
"""
SINCE_VERSION_1 = {
    "first_nickname": "TEXT",
    "second_nickname": "TEXT",
    "here": "INTEGER NOT NULL DEFAULT 1",
    "revision": "INTEGER NOT NULL DEFAULT 1",
}
"""Columns that the first version did not have; it kept the revision among the details."""


class Store:
    """The file of games. One thread reads, another may `write`, and `listed` may be called by
    any."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._writing = sqlite3.connect(
                path, isolation_level=None, check_same_thread=False, timeout=WRITE_SECONDS
            )
            self._bring_up_to_date()
            self._may_grow = True
            self._reading, self._listing = (
                sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0)
                for _ in range(2)
            )
            self._reading.text_factory = self._listing.text_factory = bytes
            self._one_list = threading.Lock()
        except (sqlite3.Error, OSError) as error:
            raise BadStore(
                f"{path} cannot be used for games: {error}; move it away or set MNKALA_DATA_DIR"
            ) from error

    def _bring_up_to_date(self) -> None:
        """Refuse a file of another version or program before anything in it is touched; create
        what is missing."""
        writing = self._writing
        version = writing.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, 1, VERSION):
            raise BadStore(
                f"{self.path} was written by another version of mnkala (format {version}; this one reads {VERSION})"
            )
        if (missing := self._missing_columns()) is None:
            return self._make()
        if missing - set(SINCE_VERSION_1):
            columns = [column[1] for column in writing.execute("PRAGMA table_info(games)")]
            raise BadStore(
                f"{self.path} cannot be used for games: its table 'games' is of another program (it has the columns "
                f"{', '.join(columns)[:200]}); move it away or set MNKALA_DATA_DIR"
            )
        if missing:
            writing.execute("BEGIN IMMEDIATE")
            for name in self._missing_columns() or ():  # another program may have been quicker
                writing.execute(f"ALTER TABLE games ADD COLUMN {name} {SINCE_VERSION_1[name]}")
                if name == "revision":
                    writing.execute(
                        "UPDATE games SET revision = coalesce(json_extract(more, '$.revision'), 1) WHERE json_valid(more)"
                    )
            writing.execute("COMMIT")
        return self._make()

    def _missing_columns(self) -> set[str] | None:
        """The columns that the table lacks; None if there is no table yet."""
        columns = {column[1] for column in self._writing.execute("PRAGMA table_info(games)")}
        return set(COLUMNS) ^ columns if columns else None

    def _make(self) -> None:
        self._writing.execute("PRAGMA journal_mode=WAL")
        self._writing.execute("PRAGMA synchronous=NORMAL")
        self._writing.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
        self._writing.executescript(SCHEMA)
        if self._writing.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            self._writing.execute(f"PRAGMA user_version={VERSION}")

    # ---- Writing ----

    def write(self, changes: Iterable[Change]) -> None:
        """Make all of these changes, or none; raises NotSaved, or ChangedElsewhere if one of
        them follows an outdated revision."""
        changes = list(changes)

        def make(connection: sqlite3.Connection) -> None:
            for change in changes:
                match change:
                    case Row():
                        connection.execute(INSERT, _values(change))
                    case Update(row, follows):
                        if not connection.execute(
                            UPDATE, (*_values(row), row.id, follows)
                        ).rowcount:
                            raise ChangedElsewhere(
                                f"game {row.id!r} was changed or deleted by another program meanwhile"
                            )
                    case str():
                        connection.execute("DELETE FROM games WHERE id = ?", (change,))
                    case _:
                        connection.execute(change.insert, tuple(vars(change).values()))

        self._commit(make)

    def take_in(self, games: Mapping[str, Row]) -> None:
        """Import games from files, identified by file names; files that were imported before are
        skipped."""

        def make(connection: sqlite3.Connection) -> None:
            for name, row in games.items():
                if connection.execute(
                    "INSERT OR IGNORE INTO files_taken_in VALUES (?)", (name,)
                ).rowcount:
                    connection.execute(INSERT, _values(row))

        self._commit(make)

    def _commit(self, make: Callable[[sqlite3.Connection], None]) -> None:
        """Make changes in one transaction; on a full disk, try once more with the reserve."""
        with _as_refusals():
            self._let_grow(self._room_is_kept())
        try:
            with self._transaction() as connection:
                make(connection)
        except DiskFull:
            if not self._may_grow:
                raise
            self._give_up_room()
            with self._transaction() as connection:
                make(connection)

    # ---- Room on the disk ----

    @property
    def _room(self) -> Path:
        return self.path.with_name(f"{self.path.name}-room")

    def _room_is_kept(self) -> bool:
        """Whether the reserve is kept; if it is not, try to keep it again."""
        try:
            if self._room.exists():
                return True
            if shutil.disk_usage(self.path.parent).free < 2 * ROOM:
                return False
            self._room.write_bytes(bytes(ROOM))
        except OSError:
            with contextlib.suppress(OSError):
                self._room.unlink(missing_ok=True)
            return False
        return True

    def _give_up_room(self) -> None:
        """Use the reserve to empty the log into the file; after that the file may not grow any
        more."""
        with _as_refusals():
            with contextlib.suppress(OSError):
                self._room.unlink(missing_ok=True)
            self._writing.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._let_grow(False)

    def _let_grow(self, may_grow: bool) -> None:
        """Allow the file to grow, or limit it to the pages that it has."""
        if may_grow != self._may_grow:
            most = (
                UNBOUNDED if may_grow else self._writing.execute("PRAGMA page_count").fetchone()[0]
            )
            self._writing.execute(f"PRAGMA max_page_count={most}").fetchall()
            self._may_grow = may_grow

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """A block whose changes are written together; any error in it undoes all of them."""
        connection = self._writing
        with _as_refusals():
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    # ---- Reading ----

    def load(self, game_id: str) -> Row | DamagedRow | None:
        """Read a game by its id."""
        found = self._read(f"SELECT {','.join(COLUMNS)} FROM games WHERE id = ?", game_id)
        return _row(found[0]) if found else None

    def revision(self, game_id: str) -> int | None:
        """The revision of a game; None if the game does not exist."""
        found = self._read("SELECT revision FROM games WHERE id = ?", game_id)
        return int(found[0][0]) if found else None

    def changes_of_others(self) -> int:
        """A number that changes whenever any program has written something."""
        return int(self._read("PRAGMA data_version")[0][0])

    def files_taken_in(self) -> set[str]:
        """The names of the files whose games were imported."""
        return {name.decode() for (name,) in self._read("SELECT name FROM files_taken_in")}

    def listed(self, wanted: Wanted, limit: int) -> list[Row | DamagedRow]:
        """The newest games that match a filter."""
        condition, values = wanted.query()
        query = (
            f"SELECT {','.join(COLUMNS)} FROM games WHERE {condition} ORDER BY updated DESC LIMIT ?"
        )
        with _as_refusals(), self._one_list:
            return [_row(found) for found in self._listing.execute(query, (*values, limit))]

    def ids(self, wanted: Wanted, limit: int) -> list[str]:
        """The ids of the newest of these games."""
        condition, values = wanted.query()
        query = f"SELECT id FROM games WHERE {condition} ORDER BY updated DESC LIMIT ?"
        with _as_refusals(), self._one_list:
            return [
                found.decode(errors="replace")
                for (found,) in self._listing.execute(query, (*values, limit))
            ]

    def some(self, ids: Sequence[str]) -> list[Row | DamagedRow]:
        """Games by their ids, in that order, without those that no longer exist."""
        places = ",".join("?" * len(ids))
        query = f"SELECT {','.join(COLUMNS)} FROM games WHERE id IN ({places})"
        with _as_refusals(), self._one_list:
            found = {row.id: row for row in map(_row, self._listing.execute(query, tuple(ids)))}
        return [found[each] for each in ids if each in found]

    def puzzle_results(self, owners: tuple[str, ...] | None) -> list[PuzzleResult]:
        """The results of these owners in puzzles, the oldest first; of all people at this
        computer if no owners are given."""
        return self._kept(PuzzleResult, "puzzles", owners, "at")

    def puzzle_days(self, owners: tuple[str, ...] | None) -> list[PuzzleDay]:
        """The daily puzzles that these owners have solved, or all people at this computer."""
        return self._kept(PuzzleDay, "puzzle_days", owners, "day")

    def learned(self, owners: tuple[str, ...] | None) -> set[str]:
        """The lessons that these owners have gone through, or any people at this computer."""
        return {each.lesson for each in self._kept(Learned, "lessons", owners, "lesson")}

    def _kept(
        self, kind: type[E], table: str, owners: tuple[str, ...] | None, order: str
    ) -> list[E]:
        places = "here" if owners is None else f"owner IN ({','.join('?' * len(owners))})"
        query = f"SELECT * FROM {table} WHERE {places} ORDER BY {order}"
        with _as_refusals(), self._one_list:
            return [kind(*map(_plain, row)) for row in self._listing.execute(query, owners or ())]

    def puzzles_kept(self) -> int:
        """About how many results in puzzles are kept, of all people."""
        return int(self._read("SELECT coalesce(max(rowid), 0) FROM puzzles")[0][0])

    def reviewed(self, ids: Sequence[str]) -> dict[str, ReviewedGame]:
        """The mistakes found in these games, by their ids."""
        query = f"SELECT * FROM reviewed WHERE id IN ({','.join('?' * len(ids))})"
        with _as_refusals(), self._one_list:
            found = (
                ReviewedGame(*map(_plain, row)) for row in self._listing.execute(query, tuple(ids))
            )
            return {each.id: each for each in found}

    def count(self) -> int:
        """The number of stored games."""
        return int(self._read("SELECT count(*) FROM games")[0][0])

    def unfinished(self, owner: str) -> int:
        """The number of an owner's games that are in progress."""
        query = (
            "SELECT count(*) FROM games WHERE over = 0 AND (first_owner = ? OR second_owner = ?)"
        )
        return int(self._read(query, owner, owner)[0][0])

    def _read(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with _as_refusals():
            return self._reading.execute(query, values).fetchall()

    def close(self) -> None:
        """Close the file."""
        for connection in (self._listing, self._reading, self._writing):
            connection.close()


def _plain(value: Any) -> Any:
    """Decode a value of a column to text if the database returned it as bytes."""
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def _values(row: Row) -> list[Any]:
    return [
        msgspec.json.encode(value).decode() if name == "more" else value
        for name, value in vars(row).items()
    ]


@contextlib.contextmanager
def _as_refusals() -> Iterator[None]:
    """Turn errors of the database into refusals that say what to do."""
    try:
        yield
    except sqlite3.Error as error:
        match (
            getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        ):  # the rest of the code is detail
            case sqlite3.SQLITE_FULL:
                raise DiskFull(
                    "not saved: the disk that keeps the games is full; delete some or make room, then try again",
                    "error.disk_full",
                ) from error
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                raise NotSaved(
                    "not saved: another program is using the file of games; try again when it has finished",
                    "error.file_held",
                ) from error
        text = f"not saved: the file of games cannot be used now ({error})"
        raise NotSaved(text, "error.not_saved", why=str(error)) from error


def _row(values: tuple[Any, ...]) -> Row | DamagedRow:
    """Convert the columns of a row, with texts as bytes, to a game."""
    named = dict(zip(COLUMNS, values, strict=True))
    try:
        plain = {
            name: value.decode() if isinstance(value, bytes) else value
            for name, value in named.items()
        }
        flags = {name: bool(plain[name]) for name in ("linked", "watchable", "here", "over")}
        return msgspec.convert(
            plain | flags | {"more": msgspec.json.decode(plain["more"], type=Details)}, Row
        )
    except (ValueError, TypeError) as error:  # msgspec's errors and those of UTF-8 are ValueErrors
        legible = {
            name: value.decode(errors="replace") if isinstance(value, bytes) else str(value)
            for name, value in named.items()
        }
        owners, why = (
            (legible["first_owner"], legible["second_owner"]),
            f"its row in the file of games is damaged: {error}"[:300],
        )
        return DamagedRow(legible["id"], legible["game"], owners, legible["updated"], why)
