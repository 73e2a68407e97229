"""The opening books of Connect, measured in plies: mnkala's own, and those of `bitbully-databases`
if that is installed."""

from __future__ import annotations

import base64
import functools
import hashlib
import importlib.metadata
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mnkala.core import Position, Rules
from mnkala.families.connect.book.layers import (
    OVER,
    Bounds,
    Layer,
    children,
    close,
    keys_of,
    next_layer,
    read_for,
)
from mnkala.families.connect.solver.board import (
    BOARDS,
    Shape,
    completing,
    fits,
    mirrored,
    shape_for,
    shape_of,
)
from mnkala.folders import file_errors
from mnkala.native.objects import IntArray, WordArray
from mnkala.solve.books import BadBook, Book, Books, Checked, Unfinished, Unit
from mnkala.solve.table import ONE, ZERO

Words = np.ndarray[Any, np.dtype[np.uint64]]
UNIT: Unit = "ply"


class BoundsBook(Book):
    """A book in mnkala's own format."""

    unit = UNIT

    def __init__(self, known: Bounds, game: str, name: str) -> None:
        self.known, self.game, self.name, self.depth = known, game, name, known.depth
        self._layers = known.layers

    def bounds(self, position: Position) -> tuple[int, int] | None:
        """The bounds of a position, or None if the book does not have it. A position that cannot
        arise is in no book."""
        self._check(position)
        own, both = boards_of(position)
        plies = discs_on(position)
        if plies > self.depth or position.is_over:
            return None
        place = int(self._layers[plies].find(keys_of(own, both, self.known.shape))[0])
        return (
            None
            if place < 0
            else (int(self.known.lower[plies][place]), int(self.known.upper[plies][place]))
        )

    def depth_of(self, position: Position) -> int:
        return discs_on(position)

    def counts(self) -> list[tuple[int, int]]:
        return [self.known.known(plies) for plies in range(self.depth + 1)]


def boards_of(position: Position) -> tuple[Words, Words]:
    """The mover's discs and all discs, as arrays of one word each."""
    state = position.state()
    return np.array([state.own], np.uint64), np.array([state.all], np.uint64)


def discs_on(position: Position) -> int:
    """The number of discs on the board: the plies from the empty board."""
    return int(position.state().all).bit_count()


class ConnectBooks(Books):
    """Builds and opens books for all boards that fit 64 bits."""

    unit, usual, boards = UNIT, 4, BOARDS

    def fits(self, rules: Rules) -> bool:
        return fits(rules)

    def file_name(self, rules: Rules) -> str:
        """The file name for a board: rows, columns and length of line."""
        shape = shape_for(rules)
        return f"connect-{shape.rows}x{shape.cols}x{shape.line}.book"

    def read(self, path: Path, rules: Rules) -> BoundsBook:
        return BoundsBook(read_for(path, shape_for(rules)), rules.game_string(), "mnkala")

    def installed(self, rules: Rules) -> list[Book]:
        databases = open_databases(shape_for(rules), rules.game_string())
        return [] if databases is None else [databases]

    def begin(self, rules: Rules, depth: int, table_mb: int) -> Unfinished:
        from mnkala.families.connect.book.build import UnfinishedBook

        return UnfinishedBook(rules, depth, table_mb)

    def check(self, path: Path, rules: Rules, count: int, seed: int) -> Iterator[Checked]:
        from mnkala.families.connect.book.build import check_entries

        known = read_for(path, shape_for(rules))
        close(known)
        return check_entries(known, rules, count, seed)


# ---- External databases ----
#
# `bitbully-databases` holds every position of exactly 12 plies on 6x7, one of each pair of mirror
# images, except those in which the mover wins at once. A record has five bytes. Four are the
# position as a signed number: for each column, from the left and from the bottom, 10 for a disc of
# the first player, 11 for one of the second, 0 at its end; then a 0. The fifth is the result for
# the first player, who moves: 100 minus the moves to a win, that minus 100 for a loss, 0 for a
# draw. Records are in the order of their positions.
#
# Scores of earlier positions follow by playing on to 12 plies, for all positions at once. It takes
# long from very early ones: see `REACH`.


PACKAGE, FILE = "bitbully-databases", "bitbully_databases/assets/book_12ply_distances.dat"
PLIES = 12
REACH = 7
"""The most plies that are played on to reach 12. From 5 plies on, an answer takes a fraction of a
second."""
SLOWEST_SECONDS = 1.0
"""The longest time that an answer may take for the earliest positions; it cannot be interrupted."""
RECORD = np.dtype([("code", ">i4"), ("result", "i1")])
BOARD = (6, 7, 4)


def open_databases(shape: Shape, game: str) -> DatabaseBook | None:
    """Open the book if the package is installed and the board is 6x7. A damaged file leads to a
    warning."""
    if (shape.rows, shape.cols, shape.line) != BOARD:
        return None
    try:
        return _opened(game)
    except importlib.metadata.PackageNotFoundError:
        return None
    except BadBook as error:
        warnings.warn(f"{error}; it is not used", stacklevel=3)
        return None


@functools.lru_cache(maxsize=1)
def _opened(game: str) -> DatabaseBook:
    """Open the book only once in each process, because it keeps what it has computed."""
    return DatabaseBook(*read_records(*database_file()), shape_of(*BOARD), game)


def database_file() -> tuple[Path, str]:
    """The path of the installed file, and its SHA-256 as the installer recorded it."""
    for file in importlib.metadata.files(PACKAGE) or ():
        if file.as_posix() == FILE and file.hash is not None:
            return Path(str(file.locate())), file.hash.value
    raise BadBook(f"the installed {PACKAGE} has no file {FILE}")


def read_records(
    path: Path, digest: str
) -> tuple[np.ndarray[Any, np.dtype[np.int32]], np.ndarray[Any, np.dtype[np.int8]]]:
    """Read the records of a file whose SHA-256 must be `digest` (in the format of a wheel's
    RECORD)."""
    with file_errors(path, "read", BadBook):
        data = path.read_bytes()
    found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    if found != digest or len(data) % RECORD.itemsize:
        raise BadBook(f"{path} is damaged: its checksum is not the one of the package {PACKAGE}")
    records = np.frombuffer(data, RECORD)
    return records["code"].astype(np.int32), records["result"].copy()


class DatabaseBook(Book):
    """The database of 12 plies as a book."""

    name = "bitbully-databases"
    unit, depth = UNIT, PLIES
    quick = False

    def __init__(
        self,
        codes: np.ndarray[Any, np.dtype[np.int32]],
        results: np.ndarray[Any, np.dtype[np.int8]],
        shape: Shape,
        game: str,
    ) -> None:
        self.game, self.shape, self._codes, self._results = game, shape, codes, results

    def bounds(self, position: Position) -> tuple[int, int] | None:
        """The bounds of a position, or None if the book does not have it. All its scores are exact."""
        self._check(position)
        own, both = boards_of(position)
        plies = discs_on(position)
        if not PLIES - REACH <= plies <= PLIES or position.is_over:
            return None
        score = self._score(int(own[0]), int(both[0]))
        return None if score is None else (score, score)

    def depth_of(self, position: Position) -> int:
        return discs_on(position)

    def seconds(self, position: Position) -> float:
        """The expected time for an answer, which halves with every further disc."""
        return SLOWEST_SECONDS / 2.0 ** max(0, discs_on(position) - (PLIES - REACH))

    @functools.lru_cache(maxsize=4096)  # noqa: B019 - one book a process
    def _score(self, own: int, both: int) -> int | None:
        boards = np.array([own], np.uint64), np.array([both], np.uint64)
        layers = [Layer(self.shape, both.bit_count(), *boards, keys_of(*boards, self.shape))]
        while layers[-1].plies < PLIES and len(layers[-1]):
            layers.append(next_layer(layers[-1]))
        scores, found = (
            self.look_up(layers[-1].own, layers[-1].both)
            if len(layers[-1])
            else (np.zeros(0, np.int64), np.zeros(0, bool))
        )
        if not found.all():
            return None  # The board cannot arise.
        for before, after in zip(reversed(layers[:-1]), reversed(layers[1:]), strict=True):
            scores = _backed_up(before, after, scores)
        return int(scores[0])

    def look_up(self, own: WordArray, both: WordArray) -> tuple[IntArray, np.ndarray]:
        """Look up positions of 12 plies; return their scores and which of them were found."""
        shape = self.shape
        playable = (both + shape.bottom) & shape.full
        wins = completing(own, shape.step, shape.line) & playable != ZERO  # type: ignore[arg-type]  # whole arrays, too
        empties = shape.rows * shape.cols - PLIES
        scores, found = np.where(wins, (empties + 1) // 2, 0), wins.copy()
        for image_own, image_both in ((own, both), (mirrored(own, shape), mirrored(both, shape))):
            codes = encoded(image_own, image_both, shape)
            places = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
            here = (self._codes[places] == codes) & ~found
            results = self._results[places].astype(np.int64)
            left = empties - (100 - np.abs(results))
            scores = np.where(
                here, np.where(results == 0, 0, np.sign(results) * (left // 2 + 1)), scores
            )
            found |= here
        return scores, found


def encoded(own: WordArray, both: WordArray, shape: Shape) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Encode positions of 12 plies as the numbers by which the database is sorted."""
    codes = np.zeros(len(own), np.uint64)
    for column in range(shape.cols):
        for row in range(shape.rows):
            cell = ONE << np.uint64(column * int(shape.step) + row)
            disc = np.where(own & cell != ZERO, np.uint64(2), np.uint64(3))
            codes = np.where(both & cell != ZERO, (codes << np.uint64(2)) | disc, codes)
        codes <<= ONE
    return (codes << ONE).astype(np.uint32).view(np.int32)


def _backed_up(layer: Layer, after: Layer, scores: IntArray) -> IntArray:
    """The score of each position of a layer, from the `scores` of the layer after it."""
    places, values = children(layer, after)
    best = np.full(len(layer), -1000, np.int64)
    for place, value in zip(places, values, strict=True):
        over, goes_on = place == OVER, place >= 0
        best[over] = np.maximum(best[over], value[over])
        best[goes_on] = np.maximum(best[goes_on], -scores[place[goes_on]])
    return best
