"""Opening books: exact scores that need no search, the file that keeps them under a checksum, and
what a family of games does for its books (`Family.books`). `open_book(rules)` opens those of a
board.

A book answers for positions down to its *depth*, whose unit the family chooses (plies in Connect,
turns in Kalah), with None where it does not know. Scores are the solver's, for the mover. `mnkala
book build` makes books with our own solver.
"""

from __future__ import annotations

import abc
import dataclasses
import functools
import hashlib
import json
import os
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from mnkala.core import Position, Rules, parse_game
from mnkala.core.registry import families, family_of
from mnkala.core.score import Score
from mnkala.errors import BadGame, BadPosition, MnkalaError
from mnkala.folders import data_folder, file_errors
from mnkala.jobs import Job, Outcome, Progress, Run, Store
from mnkala.jobs.store import remove_store

Unit = Literal["ply", "turn"]
"""The unit of a book's depth."""


class Book(abc.ABC):
    """The contract of an opening book."""

    game: str
    """The game string of the board."""
    name: str
    """The source of its scores, for people."""
    unit: Unit
    depth: int
    """The largest depth of its positions (a partial book has gaps)."""
    quick: bool = True
    """Whether it answers at once. Other books play on to positions that they have, which takes a
    while and cannot be stopped."""

    @abc.abstractmethod
    def bounds(self, position: Position) -> tuple[int, int] | None:
        """A lower and an upper bound of a position's score, or None if the book does not reach it."""

    @abc.abstractmethod
    def depth_of(self, position: Position) -> int | None:
        """The depth of a position, or None if it is unknown."""

    def counts(self) -> list[tuple[int, int]]:
        """For each depth from 0 on, the number of positions with an exact score, and the number
        of all."""
        return []

    def seconds(self, position: Position) -> float:
        """The longest time that an answer may take."""
        return 0.0

    def score(self, position: Position) -> int | None:
        """The exact score, if the book has it."""
        bounds = self.bounds(position)
        return bounds[0] if bounds is not None and bounds[0] == bounds[1] else None

    def moves(self, position: Position) -> dict[int, int] | None:
        """The exact score of every move for the player who makes it, or None if the book does
        not have all of them."""
        found = {
            move: bounds[0]
            for move, bounds in self.move_bounds(position).items()
            if bounds is not None and bounds[0] == bounds[1]
        }
        return found if found and len(found) == len(position.legal_codes) else None

    def move_bounds(self, position: Position) -> dict[int, tuple[int, int] | None]:
        """The bounds of every move, for the player who makes it."""
        found: dict[int, tuple[int, int] | None] = {}
        for move in position.legal_codes:
            after = position.play_codes((move,))
            bounds = self.bounds(after)
            if after.is_over:
                bounds = Score.final(after).within
            found[move] = (
                bounds
                if bounds is None or after.mover == position.mover
                else (-bounds[1], -bounds[0])
            )
        return found

    def best_codes(self, position: Position) -> tuple[int, ...] | None:
        """All best moves, or None if the book does not know them. Moves may be proved worse
        without having an exact score."""
        score = self.score(position)
        moves = self.move_bounds(position)
        if score is None or any(
            bounds is None or bounds[0] < score <= bounds[1] for bounds in moves.values()
        ):
            return None
        return tuple(
            move for move, bounds in moves.items() if bounds is not None and bounds[0] == score
        )

    def _check(self, position: Position) -> None:
        if position.game != self.game:
            raise BadPosition(f"a position of {position.game}, but this book is for {self.game}")


class Shelf(Book):
    """Several books of one board, which answers whatever any of them knows."""

    def __init__(self, books: Sequence[Book]) -> None:
        self.books = tuple(books)
        self.game, self.name = books[0].game, " and ".join(book.name for book in books)
        self.unit, self.depth = books[0].unit, max(book.depth for book in books)

    def depth_of(self, position: Position) -> int | None:
        return self.books[0].depth_of(position)

    def seconds(self, position: Position) -> float:
        return sum(book.seconds(position) for book in self.books)

    def bounds(self, position: Position) -> tuple[int, int] | None:
        """The narrowest bounds; a later book is asked only if the earlier ones leave the score
        open."""
        low, high = -1000, 1000
        for book in self.books:
            bounds = book.bounds(position)
            if bounds is not None:
                low, high = max(low, bounds[0]), min(high, bounds[1])
            if low >= high:
                break
        return None if low == -1000 else (low, high)


def quick_part(book: Book | None) -> Book | None:
    """The books that answer at once."""
    books = book.books if isinstance(book, Shelf) else () if book is None else (book,)
    quick = [each for each in books if each.quick]
    return book if len(quick) == len(books) else Shelf(quick) if quick else None


# ---- A book on disk ----
#
#     mnkala book 1                                                        what it is, and the version of its format
#     {"cols": 7, "depth": 7, "entries": 39503, "line": 4, "rows": 6}      what it is of
#     the scores, as its family has them
#     SHA-256 of all before
#
# A file that is damaged in any way is refused as a whole: a wrong score is worse than none.


DIGEST = 32
"""The length of the checksum in bytes."""


class BadBook(MnkalaError):
    """A book cannot be used; the text says why."""


def sealed(magic: bytes, version: int, head: dict[str, Any], body: bytes) -> bytes:
    """Write the content of a book's file, with its heading and checksum."""
    whole = magic + f"{version}\n{json.dumps(head, sort_keys=True)}\n".encode() + body
    return whole + hashlib.sha256(whole).digest()


def unsealed(data: bytes, magic: bytes, version: int, name: str) -> tuple[dict[str, Any], bytes]:
    """Read the heading and the content of a book's file; `name` is for messages."""
    if not data.startswith(magic):
        raise BadBook(f"{name} is not {magic.decode().replace('mnkala', 'a').strip()} of mnkala")
    found, _, rest = data[len(magic) :].partition(b"\n")
    if found.isdigit() and int(found) > version:
        raise BadBook(
            f"{name} was written by a newer mnkala (format {int(found)}; this one reads {version})"
        )
    if hashlib.sha256(data[:-DIGEST]).digest() != data[-DIGEST:] or found != str(version).encode():
        raise BadBook(f"{name} is damaged: its checksum does not fit")
    line, _, body = rest.partition(b"\n")
    try:
        head = json.loads(line)
    except ValueError as error:
        raise BadBook(f"{name} cannot be read: {error}") from None
    if not isinstance(head, dict) or len(body) < DIGEST:
        raise BadBook(f"{name} cannot be read: it does not say what it is of")
    return head, body[:-DIGEST]


def read_bytes(path: Path) -> bytes:
    """Read a whole file."""
    with file_errors(path, "read", BadBook):
        return path.read_bytes()


def write_whole(data: bytes, path: Path) -> None:
    """Write a book whole or not at all: a program that is killed leaves the old file."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with file_errors(path, "written", BadBook):
            path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(data)
            beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


# ---- What a family does for its books ----


TABLE_MB = 1024
"""The size of the table of a solver that builds or checks a book."""
WRITE_EVERY = 60.0
"""Seconds after which an unfinished book is written again."""
Watch = Callable[[str], Progress]
"""Makes the display of some work's progress, given its name."""


@dataclasses.dataclass(frozen=True)
class Built:
    """The state of a book after building."""

    path: Path
    book: Book
    complete: bool
    """Whether it contains everything that was asked for."""
    failures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Further remarks about the book, in sentences for people."""


@dataclasses.dataclass(frozen=True)
class Checked:
    """One entry of a book, with the solver's answer."""

    position: Position
    depth: int
    lower: int
    upper: int
    score: int

    @property
    def agrees(self) -> bool:
        """Whether the score is within the book's bounds."""
        return self.lower <= self.score <= self.upper


class Unfinished(abc.ABC):
    """A book while it is built: what is known of it so far, and the work that is left. Finished, it
    depends only on its game and its depth."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Further remarks, in sentences for people."""
        return ()

    @abc.abstractmethod
    def read(self, path: Path, *, stays: bool) -> None:
        """Add what the book in a file knows, which must be for this board; raise BadBook if it is
        not, or is damaged. With `stays`, nothing that is in the file may be lost."""

    @abc.abstractmethod
    def learn(self, answers: list[list[int]]) -> None:
        """Add the answers of jobs, with everything that follows."""

    @abc.abstractmethod
    def rounds(self) -> Iterator[tuple[str, list[Job]]]:
        """The names of the rounds and their jobs, each made when the round before it is over. The
        key of a job begins with the game string, so that a store never mistakes one for another."""

    @abc.abstractmethod
    def to_bytes(self) -> bytes:
        """Write everything known so far as the content of a file."""

    @property
    @abc.abstractmethod
    def book(self) -> Book:
        """The book with everything known so far."""

    @property
    @abc.abstractmethod
    def is_complete(self) -> bool:
        """Whether it contains everything that was asked for."""


class Books(abc.ABC):
    """The contract of what a family does for its opening books."""

    unit: ClassVar[Unit]
    usual: ClassVar[int]
    """The depth that is proposed for boards without a book."""
    boards: ClassVar[str]
    """The boards that can have books, for people."""

    @abc.abstractmethod
    def fits(self, rules: Rules) -> bool:
        """Whether books can be made for a board, whether or not one exists."""

    @abc.abstractmethod
    def file_name(self, rules: Rules) -> str:
        """The file name of a board's book."""

    @abc.abstractmethod
    def read(self, path: Path, rules: Rules) -> Book:
        """Read the book in a file, which must be for this board; raise BadBook if it is not, or
        is damaged."""

    def installed(self, rules: Rules) -> list[Book]:
        """Other packages' books that are installed."""
        return []

    @abc.abstractmethod
    def begin(self, rules: Rules, depth: int, table_mb: int) -> Unfinished:
        """The book of a board before anything is known; an error if it cannot be as deep."""

    def build(
        self,
        rules: Rules,
        depth: int,
        path: Path,
        *,
        jobs: int | None = None,
        cluster: str | None = None,
        table_mb: int = TABLE_MB,
        retry: bool = False,
        progress: Watch | None = None,
    ) -> Built:
        """Build the book in `path`, or continue it, until every position of at most this depth is
        answered at once.

        A run starts from what exists: the file itself, the book that comes with mnkala, and the
        results of an interrupted run. `jobs` processes (None: one for each core; 0: this process)
        or a Dask `cluster` do the work; `progress` shows a round. Ctrl-C raises KeyboardInterrupt;
        the same call continues, to the same file to the byte.
        """
        unfinished = self.begin(rules, depth, table_mb)
        for seed in (path, shipped_path(rules)):
            if seed.is_file():
                try:
                    unfinished.read(seed, stays=seed == path)
                except BadBook as error:
                    warnings.warn(f"{error}; it is not used", stacklevel=2)
        results, game = path.with_name(f"{path.name}.sqlite"), rules.game_string()
        failures: list[str] = []
        answers: list[list[int]] = []

        def hear(outcome: Outcome) -> None:
            if not outcome.failed and outcome.key.startswith(f"{game} "):
                answers.extend(outcome.value)

        def learn() -> None:
            unfinished.learn(answers)
            answers.clear()

        with Store(results) as store:
            for outcome in store.all():
                hear(outcome)
            learn()
            for label, work in unfinished.rounds():
                shown = progress(f"{game}, {label}") if progress and work else None
                written = time.monotonic()
                try:
                    with Run(
                        work, store, workers=jobs, cluster=cluster, progress=shown, retry=retry
                    ) as run:
                        for outcome in run:
                            hear(outcome)
                            if time.monotonic() - written >= WRITE_EVERY:
                                learn()
                                write_whole(unfinished.to_bytes(), path)
                                written = time.monotonic()
                finally:
                    learn()
                    write_whole(unfinished.to_bytes(), path)
                if run.summary.any_failed:
                    failures = store.errors()
                    break
        complete = unfinished.is_complete
        if complete:
            remove_store(results)
        return Built(path, unfinished.book, complete, tuple(failures), unfinished.notes)

    @abc.abstractmethod
    def check(self, path: Path, rules: Rules, count: int, seed: int) -> Iterator[Checked]:
        """Solve some randomly chosen entries again; raise Contradiction at once if entries
        contradict each other."""


def find_books(rules: Rules) -> Books | None:
    """The family's books for a board, or None."""
    books = family_of(rules).books()
    return books if books is not None and books.fits(rules) else None


def has_books(rules: Rules) -> bool:
    """Whether books can be made for a board, whether or not one exists."""
    return find_books(rules) is not None


def books_for(rules: Rules) -> Books:
    """The family's books for a board; raise BadGame if there can be none."""
    found = find_books(rules)
    if found is None:
        boards = [books.boards for family in families() if (books := family.books()) is not None]
        raise BadGame(
            f"there are no opening books for {rules.game_string()}; there are opening books for {' and for '.join(boards)}"
        )
    return found


# ---- Which books there are for a board ----


def open_book(rules: Rules) -> Book | None:
    """Open all books of a board as one, or return None if there are none. A damaged book is left
    out with a warning."""
    family = find_books(rules)
    if family is None:
        return None
    books: list[Book] = []
    for path in (own_path(rules), shipped_path(rules)):
        if path.is_file():
            try:
                books.append(
                    _opened(path, path.stat().st_mtime_ns, path.stat().st_size, rules.game_string())
                )
            except (BadBook, OSError) as error:
                warnings.warn(f"{error}; it is not used", stacklevel=2)
    books += family.installed(rules)
    return None if not books else books[0] if len(books) == 1 else Shelf(books)


@functools.lru_cache(maxsize=16)
def _opened(path: Path, changed: int, size: int, game: str) -> Book:
    rules = parse_game(game)
    return books_for(rules).read(path, rules)


def own_path(rules: Rules) -> Path:
    """The path to which `mnkala book build` writes by default."""
    return data_folder() / "books" / books_for(rules).file_name(rules)


def shipped_path(rules: Rules) -> Path:
    """The path of the book that comes with a game's family for this board, if there is one."""
    return family_of(rules).folder / "books" / books_for(rules).file_name(rules)
