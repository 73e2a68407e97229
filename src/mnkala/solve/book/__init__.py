"""Opening books of exact scores: `open_book(rules)` gives what there is for a board.

A book is made by `mnkala book build` with our own solver (`build`), kept in a small file with a checksum (`file`), and is an array over
all positions of its plies (`layers`, `bounds`). Where the package `bitbully-databases` is installed, its 12 plies are read too.
"""

from mnkala.solve.book.file import BadBook
from mnkala.solve.book.model import Book
from mnkala.solve.book.shelf import has_books, open_book, shape_of_books

__all__ = ["BadBook", "Book", "has_books", "open_book", "shape_of_books"]
