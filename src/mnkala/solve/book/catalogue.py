"""Which books there are for a board: the user's own, the one that comes with mnkala, and those of others that are installed."""

from __future__ import annotations

import functools
import warnings
from pathlib import Path

from mnkala.core import Rules, parse_game
from mnkala.core.registry import family_of
from mnkala.folders import data_folder
from mnkala.solve.book.family import books_for, find_books
from mnkala.solve.book.file import BadBook
from mnkala.solve.book.model import Book, Shelf


def open_book(rules: Rules) -> Book | None:
    """The books of a board as one, or None if there are none. A damaged one is told in a warning and left aside."""
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
    """Where `mnkala book build` writes if not told otherwise."""
    return data_folder() / "books" / books_for(rules).file_name(rules)


def shipped_path(rules: Rules) -> Path:
    """Where the book is that comes with the family of a game, if there is one for this board."""
    return family_of(rules).folder / "books" / books_for(rules).file_name(rules)
