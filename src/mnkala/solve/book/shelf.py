"""Which books there are for a board: the user's own, the one that comes with mnkala, and `bitbully-databases` where it is installed."""

from __future__ import annotations

import functools
import importlib.resources
import warnings
from pathlib import Path

from mnkala.folders import data_folder
from mnkala.games import Rules
from mnkala.games.connect_bits import Connect
from mnkala.solve.book.bounds import Bounds
from mnkala.solve.book.databases import open_databases
from mnkala.solve.book.file import BadBook, read_book
from mnkala.solve.book.model import Book, BoundsBook, Shelf
from mnkala.solve.connect.shape import Shape, shape_for


def has_books(rules: Rules) -> bool:
    """Whether books are made for a board, be there one or not."""
    return isinstance(rules, Connect)


def shape_of_books(rules: Rules) -> Shape:
    """The shape of a board that books are made for; raise BadGame for any other."""
    return shape_for(rules, "opening books")


def open_book(rules: Rules) -> Book | None:
    """The books of a board as one, or None if there are none. A damaged one is told in a warning and left aside."""
    if not has_books(rules):
        return None
    shape = shape_for(rules)
    game = rules.game_string()
    books: list[Book] = []
    for path in (own_path(shape), shipped_path(shape)):
        if path.is_file():
            try:
                books.append(_opened(path, path.stat().st_mtime_ns, path.stat().st_size, game, shape))
            except (BadBook, OSError) as error:
                warnings.warn(f"{error}; it is not used", stacklevel=2)
    databases = open_databases(shape, game)
    if databases is not None:
        books.append(databases)
    return None if not books else books[0] if len(books) == 1 else Shelf(books)


@functools.lru_cache(maxsize=16)
def _opened(path: Path, changed: int, size: int, game: str, shape: Shape) -> BoundsBook:
    return BoundsBook(read_for(path, shape), game, "mnkala")


def read_for(path: Path, shape: Shape) -> Bounds:
    """The book in a file, which must be for this board."""
    known = read_book(path)
    if (known.shape.rows, known.shape.cols, known.shape.line) != (shape.rows, shape.cols, shape.line):
        raise BadBook(f"{path} is a book for {known.shape.rows}x{known.shape.cols}x{known.shape.line}, "
                      f"not for {shape.rows}x{shape.cols}x{shape.line}")
    return known


def file_name(shape: Shape) -> str:
    """The name of a board's book: rows, columns, length of line."""
    return f"connect-{shape.rows}x{shape.cols}x{shape.line}.book"


def own_path(shape: Shape) -> Path:
    """Where `mnkala book build` writes if not told otherwise."""
    return data_folder() / "books" / file_name(shape)


def shipped_path(shape: Shape) -> Path:
    """Where the book is that comes with mnkala, if there is one for this board."""
    return Path(str(importlib.resources.files("mnkala.solve"))) / "books" / file_name(shape)
