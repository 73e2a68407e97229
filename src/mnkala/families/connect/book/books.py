"""The family of Connect's books, counted in plies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mnkala.core import Position, Rules
from mnkala.families.connect.book.bounds import Bounds, close, read_for
from mnkala.families.connect.book.layers import keys_of
from mnkala.families.connect.solver.board import BOARDS, fits, shape_for
from mnkala.solve.book.family import TABLE_MB, Books, Built, Checked, Watch
from mnkala.solve.book.model import Book, Unit

Words = np.ndarray[Any, np.dtype[np.uint64]]
UNIT: Unit = "ply"


class BoundsBook(Book):
    """A book of mnkala's own."""

    unit = UNIT

    def __init__(self, known: Bounds, game: str, name: str) -> None:
        self.known, self.game, self.name, self.depth = known, game, name, known.depth
        self._layers = known.layers

    def bounds(self, position: Position) -> tuple[int, int] | None:
        """See `Book`; a position that cannot arise is in no book."""
        self._check(position)
        own, both = boards_of(position)
        plies = discs_on(position)
        if plies > self.depth or position.is_over:
            return None
        place = int(self._layers[plies].find(keys_of(own, both, self.known.shape))[0])
        return None if place < 0 else (int(self.known.lower[plies][place]), int(self.known.upper[plies][place]))

    def depth_of(self, position: Position) -> int:
        return discs_on(position)

    def counts(self) -> list[tuple[int, int]]:
        return [self.known.known(plies) for plies in range(self.depth + 1)]


def boards_of(position: Position) -> tuple[Words, Words]:
    """The mover's discs and all discs, as arrays of one word."""
    state = position.state()
    return np.array([state.own], np.uint64), np.array([state.all], np.uint64)


def discs_on(position: Position) -> int:
    """All discs: the plies that led there, from the empty board."""
    return int(position.state().all).bit_count()


class ConnectBooks(Books):
    """Books of all boards that fit 64 bits."""

    unit, usual, boards = UNIT, 4, BOARDS

    def fits(self, rules: Rules) -> bool:
        return fits(rules)

    def file_name(self, rules: Rules) -> str:
        """Rows, columns, length of line."""
        shape = shape_for(rules)
        return f"connect-{shape.rows}x{shape.cols}x{shape.line}.book"

    def read(self, path: Path, rules: Rules) -> BoundsBook:
        return BoundsBook(read_for(path, shape_for(rules)), rules.game_string(), "mnkala")

    def installed(self, rules: Rules) -> list[Book]:
        from mnkala.families.connect.book.databases import open_databases

        databases = open_databases(shape_for(rules), rules.game_string())
        return [] if databases is None else [databases]

    def build(self, rules: Rules, depth: int, path: Path, *, jobs: int | None = None, cluster: str | None = None, table_mb: int = TABLE_MB,
              retry: bool = False, progress: Watch | None = None) -> Built:
        from mnkala.families.connect.book.build import build_book

        return build_book(rules, depth, path, jobs=jobs, cluster=cluster, table_mb=table_mb, retry=retry, progress=progress)

    def check(self, path: Path, rules: Rules, count: int, seed: int) -> Iterator[Checked]:
        from mnkala.families.connect.book.build import check_entries

        known = read_for(path, shape_for(rules))
        close(known)
        return check_entries(known, rules, count, seed)
