"""What a family of games does for its books (`Family.books`), and which books there are: `open_book(rules)` gives that of a
board.

A book reaches to a *depth*, and what that counts is the family's: the plies of Connect, the turns of Kalah.
"""

from __future__ import annotations

import abc
import dataclasses
import functools
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

from mnkala.core import Position, Rules, parse_game
from mnkala.core.registry import families, family_of
from mnkala.errors import BadGame
from mnkala.folders import data_folder
from mnkala.jobs import Progress
from mnkala.solve.book import BadBook, Book, Shelf, Unit

TABLE_MB = 1024
"""The table of the solver that builds or checks a book."""
Watch = Callable[[str], Progress]
"""Makes what shows some work, given its name."""


@dataclasses.dataclass(frozen=True)
class Built:
    """How far a book is that was being built."""

    path: Path
    book: Book
    complete: bool
    """Whether all that was asked for is in it."""
    failures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """More about the book, in sentences for people."""


@dataclasses.dataclass(frozen=True)
class Checked:
    """One entry: what the book says, and what the solver."""

    position: Position
    depth: int
    lower: int
    upper: int
    score: int

    @property
    def agrees(self) -> bool:
        """Whether the score is within the book's bounds."""
        return self.lower <= self.score <= self.upper


class Books(abc.ABC):
    """The contract of what a family does for its opening books."""

    unit: ClassVar[Unit]
    usual: ClassVar[int]
    """The depth that is proposed where there is no book."""
    boards: ClassVar[str]
    """For people: which boards have books."""

    @abc.abstractmethod
    def fits(self, rules: Rules) -> bool:
        """Whether books are made for a board, be there one or not."""

    @abc.abstractmethod
    def file_name(self, rules: Rules) -> str:
        """The file name of a board's book."""

    @abc.abstractmethod
    def read(self, path: Path, rules: Rules) -> Book:
        """The book in a file, which must be for this board; BadBook if it is not, or is damaged."""

    def installed(self, rules: Rules) -> list[Book]:
        """Books of others that are installed."""
        return []

    @abc.abstractmethod
    def build(self, rules: Rules, depth: int, path: Path, *, jobs: int | None = None, cluster: str | None = None, table_mb: int = TABLE_MB,
              retry: bool = False, progress: Watch | None = None) -> Built:
        """Build the book in `path`, or continue it, until every position of at most this depth is
        answered at once.

        `jobs` processes (None: one for each core; 0: this process) or a Dask `cluster` do the work.
        Ctrl-C raises KeyboardInterrupt; the same call continues, to the same file to the byte.
        """

    @abc.abstractmethod
    def check(self, path: Path, rules: Rules, count: int, seed: int) -> Iterator[Checked]:
        """Solve some entries again, chosen at random; Contradiction before the first if they contradict each other."""


def find_books(rules: Rules) -> Books | None:
    """The family's books for a board, or None."""
    books = family_of(rules).books()
    return books if books is not None and books.fits(rules) else None


def has_books(rules: Rules) -> bool:
    """Whether books are made for a board, be there one or not."""
    return find_books(rules) is not None


def books_for(rules: Rules) -> Books:
    """The family's books for a board; raise BadGame if nobody makes books for it."""
    found = find_books(rules)
    if found is None:
        boards = [books.boards for family in families() if (books := family.books()) is not None]
        raise BadGame(f"there are no opening books for {rules.game_string()}; there are opening books for {' and for '.join(boards)}")
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
                books.append(_opened(path, path.stat().st_mtime_ns, path.stat().st_size, rules.game_string()))
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
    """Where the book is that comes with the family of a game, if there is one for this board."""
    return family_of(rules).folder / "books" / books_for(rules).file_name(rules)
