"""What a family of games does for its books (`Family.books`), and which books there are:
`open_book(rules)` opens those of a board.

A book reaches to a *depth*, whose unit the family chooses: plies in Connect, turns in Kalah.
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
"""The size of the table of a solver that builds or checks a book."""
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

        `jobs` processes (None: one for each core; 0: this process) or a Dask `cluster` do the work.
        Ctrl-C raises KeyboardInterrupt; the same call continues, to the same file to the byte.
        """

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
