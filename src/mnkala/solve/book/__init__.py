"""Opening books of exact scores: `open_book(rules)` gives what there is for a board.

A book is made by `mnkala book build` with our own solver and kept in a small file with a checksum (`file`). What the positions of a book
are, and how it is built, is its family's (`family`): those of Connect are in `solve.connect.book`, those of Kalah in `solve.kalah.book`.
"""

from mnkala.solve.book.catalogue import open_book
from mnkala.solve.book.family import books_for, has_books
from mnkala.solve.book.file import BadBook
from mnkala.solve.book.model import Book

__all__ = ["BadBook", "Book", "books_for", "has_books", "open_book"]
