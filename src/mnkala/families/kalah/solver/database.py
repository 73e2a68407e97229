"""The endgame database of Kalah on disk: built once, layer after layer, each under a checksum, and
only believed as far as those fit.

    a page of 4,096 bytes: a line of text, then for each layer, from two seeds on, the SHA-256 of its margins with that line; zeros where
    there is none
    the margins, a signed byte each, in the order of the positions' numbers

A layer's checksum is written after its margins. So a build that is killed leaves whole layers, and
the next one goes on from there, to the same file to the byte; what is damaged is not used from the
first wrong layer on, and is built again. It lies in the cache folder: it can always be made anew.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
import hashlib
import itertools
import os
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from mnkala.errors import MnkalaError
from mnkala.families.kalah.rules import Kalah, seeds_in
from mnkala.families.kalah.solver.board import (
    STEP,
    Board,
    board_for,
    number_of,
    positions_up_to,
    sow,
)
from mnkala.folders import HELD_BY_ANOTHER, cache_base, file_errors, lock
from mnkala.native import kernel, shared
from mnkala.native.objects import ByteArray, IntArray, WordArray
from mnkala.numbers import counted
from mnkala.search.limit import Stop

# ---- Solving a layer ----
#
# A move either brings a seed into a store, and then what follows has fewer seeds, or it stays
# within the mover's row and passes the turn. So a layer of n seeds needs those below it, and within
# it a position needs only the same two rows with one of them sown: its number is smaller (`board`).
# With the rows X and Y of a pair, taken in the order of their numbers, "X to move" needs "Y to
# move" with a smaller X, and the other way round; so the two positions of each pair are found one
# after the other, for every X and for every Y up to where all is known. No position is visited
# twice.
#
# Blocks of a layer, by the seeds in either row, need nothing of each other: threads share them out.


NONE = -128
"""A number below every margin."""


@functools.lru_cache(maxsize=64)
def rows_of(houses: int, seeds: int) -> WordArray:
    """All rows of so many houses and seeds, in the order of their numbers: by the last partial sum,
    then by the one before it, and so on."""
    sums = itertools.combinations_with_replacement(range(seeds + 1), houses - 1)
    rows = []
    for partial in sorted(sums, key=lambda partial: partial[::-1]):
        counts = np.diff([0, *partial, seeds])
        rows.append(sum(int(count) << 8 * house for house, count in enumerate(counts)))
    return np.array(rows, np.uint64)


@shared
def best_margin(
    own: np.uint64, other: np.uint64, database: ByteArray, rules: Kalah, board: Board
) -> int:
    """The margin to come of a position, from the margins after each of its moves."""
    best = NONE
    for house in range(board.houses):
        if seeds_in(own, house) != 0:
            over, again, gain, child, child_other = sow(own, other, house, rules)
            margin = gain
            if not over:
                left = int(database[number_of(child, child_other, board)])
                margin = gain + left if again else gain - left
            best = max(best, margin)
    return best


@kernel
def fill_block(
    firsts: WordArray,
    seconds: WordArray,
    mine: int,
    theirs: int,
    database: ByteArray,
    rules: Kalah,
    board: Board,
    stop: IntArray,
) -> int:
    """Write the margins of all positions with one of the first rows, of `mine` seeds, against one
    of the second, of `theirs`, whichever side is to move; return how many first rows are done.
    """
    here, there = board.blocks[mine * STEP + theirs], board.blocks[theirs * STEP + mine]
    for i in range(len(firsts)):
        if stop[0] != 0:
            return i
        # With equal numbers of seeds both rows are of one kind, and each pair is taken once.
        for j in range(len(seconds) if mine != theirs else i + 1):
            database[here + i * len(seconds) + j] = best_margin(
                firsts[i], seconds[j], database, rules, board
            )
            database[there + j * len(firsts) + i] = best_margin(
                seconds[j], firsts[i], database, rules, board
            )
    return len(firsts)


def prepare(rules: Kalah) -> None:
    """Compile or load the builder, by building a layer of two seeds in memory."""
    board, rows = board_for(rules), rows_of(rules.houses, 1)
    fill_block(
        rows,
        rows,
        1,
        1,
        np.zeros(positions_up_to(2, board), np.int8),
        rules,
        board,
        np.zeros(1, np.int64),
    )


# ---- Database ----


VERSION = 1
PAGE = 4096
DIGEST = 32
LINE = 128
"""The length of the line of text in bytes."""
FEWEST = 2
"""The number of seeds of the lowest layer: one in each row."""
MOST = 24
"""The number of seeds of the highest layer that can be built: with six houses 1.2 GB."""
USUAL = 18
"""The number of seeds of the highest layer that is built by default: with six houses 86 MB."""


class BadDatabase(MnkalaError):
    """A database cannot be built or used; the text says why."""


@dataclasses.dataclass(frozen=True)
class Database:
    """The layers that are known."""

    seeds: int
    """Positions with at most so many seeds are in the database."""
    margins: ByteArray


NOTHING = Database(0, np.zeros(1, np.int8))


def database_path(rules: Kalah) -> Path:
    """The path of a game's database: there is one for each number of houses and rule of capture."""
    return (
        cache_base()
        / "databases"
        / f"kalah-{rules.houses}{'-standard' if rules.standard else ''}.margins"
    )


def open_database(rules: Kalah) -> Database:
    """Open the database of a game. Damaged parts lead to a warning and are left out."""
    path = database_path(rules)
    try:
        about = path.stat()
    except OSError:
        return NOTHING
    return _opened(path, about.st_mtime_ns, about.st_size, rules.houses, rules.standard)


@functools.lru_cache(maxsize=8)
def _opened(path: Path, changed: int, size: int, houses: int, standard: bool) -> Database:
    rules = Kalah(houses, 1, standard)
    try:
        seeds, whole = _check(path, rules)
        if not whole:
            warnings.warn(
                f"{path} is damaged or unfinished: it is used up to {seeds} seeds; "
                f"`mnkala kalah database {rules.game_string()}` mends it",
                stacklevel=3,
            )
        if seeds < FEWEST:
            return NOTHING
        return Database(
            seeds,
            np.memmap(path, np.int8, "r", PAGE, (positions_up_to(seeds, board_for(rules)),)).view(
                np.ndarray
            ),
        )
    except (OSError, ValueError) as error:
        warnings.warn(f"{path} cannot be read: {error}; it is not used", stacklevel=3)
        return NOTHING


def line_of(rules: Kalah) -> bytes:
    """The line of text at the beginning of a file."""
    return f"mnkala margins to come {VERSION}: Kalah, {rules.houses} houses, {'standard' if rules.standard else 'empty capture'}\n".encode()


def layer_bounds(seeds: int, board: Board) -> tuple[int, int]:
    """The first index of the layer of so many seeds among the margins, and the index after its
    last."""
    return positions_up_to(seeds - 1, board), positions_up_to(seeds, board)


def _check(path: Path, rules: Kalah) -> tuple[int, bool]:
    """Up to how many seeds a file is right, and whether all of it is."""
    line, board = line_of(rules), board_for(rules)
    with path.open("rb") as file:
        page = file.read(PAGE)
        if page[:LINE] != line.ljust(LINE, b"\0") or len(page) != PAGE:
            return FEWEST - 1, False
        right = FEWEST - 1
        for seeds in range(FEWEST, MOST + 1):
            noted = _noted(page, seeds)
            start, end = layer_bounds(seeds, board)
            margins = file.read(end - start) if any(noted) else b""
            if not any(noted) or hashlib.sha256(line + margins).digest() != noted:
                break
            right = seeds
        size = PAGE + positions_up_to(right, board)
        return right, path.stat().st_size == size and not any(
            any(_noted(page, seeds)) for seeds in range(right + 1, MOST + 1)
        )


def _place(seeds: int) -> int:
    return LINE + DIGEST * (seeds - FEWEST)


def _noted(page: bytes, seeds: int) -> bytes:
    return page[_place(seeds) : _place(seeds) + DIGEST]


# ---- Building ----


def check_seeds(seeds: int) -> None:
    """Raise BadDatabase if no database can have so many seeds."""
    if not FEWEST <= seeds <= MOST:
        raise BadDatabase(
            f"a database of {counted(seeds, 'seed')}; {FEWEST} to {MOST} can be built"
        )


def build_database(
    rules: Kalah,
    seeds: int = USUAL,
    *,
    threads: int | None = None,
    stop: Stop | None = None,
    report: Callable[[int, int], None] | None = None,
) -> Database:
    """Build or extend the database of a game until it has all positions of at most so many seeds.

    `report` is called with the number of positions done, and of all. A raised `stop` ends the work:
    whole layers are kept, and the same call continues.
    """
    check_seeds(seeds)
    path, board, stop = database_path(rules), board_for(rules), stop or Stop()
    total = positions_up_to(seeds, board)
    with file_errors(path, "written", BadDatabase):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.with_suffix(".owner").open("ab") as owner:
            _take(owner.fileno(), path)
            known = _mended(path, rules)
            if known < seeds:
                _add_layers(
                    path, rules, known, seeds, threads, stop, report or (lambda done, total: None)
                )
            elif report is not None:
                report(total, total)
    return open_database(rules)


def _take(owner: int, path: Path) -> None:
    try:
        lock(owner)
    except OSError as error:
        if error.errno in HELD_BY_ANOTHER:
            raise BadDatabase(f"another mnkala is building {path} now") from None
        raise


def _mended(path: Path, rules: Kalah) -> int:
    """Remove what is damaged, or begin a new file. Return up to how many seeds the file is now
    right."""
    known, whole = _check(path, rules) if path.is_file() else (FEWEST - 1, False)
    if not whole:
        with path.open("r+b" if known >= FEWEST else "wb") as file:
            file.write(line_of(rules).ljust(LINE, b"\0"))
            file.seek(_place(known + 1))
            file.write(bytes(PAGE - _place(known + 1)))
            file.truncate(PAGE + positions_up_to(known, board_for(rules)))
    return known


def _add_layers(
    path: Path,
    rules: Kalah,
    known: int,
    seeds: int,
    threads: int | None,
    stop: Stop,
    report: Callable[[int, int], None],
) -> None:
    board, line = board_for(rules), line_of(rules)
    total, done = positions_up_to(seeds, board), positions_up_to(known, board)
    margins = np.zeros(total, np.int8)
    with (
        path.open("r+b") as file,
        concurrent.futures.ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool,
    ):
        file.seek(PAGE)
        margins[:done] = np.frombuffer(file.read(done), np.int8)
        report(done, total)
        for layer in range(known + 1, seeds + 1):
            blocks = {
                pool.submit(_fill, rules, board, mine, layer - mine, margins, stop): mine
                for mine in range(layer // 2, 0, -1)
            }
            for block in concurrent.futures.as_completed(blocks):
                done += block.result()
                report(done, total)
            if stop.is_set():
                return
            start, end = layer_bounds(layer, board)
            data = margins[start:end].tobytes()
            file.seek(PAGE + start)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            file.seek(_place(layer))
            file.write(hashlib.sha256(line + data).digest())
            file.flush()


def _fill(
    rules: Kalah, board: Board, mine: int, theirs: int, margins: ByteArray, stop: Stop
) -> int:
    """Fill one block; return how many positions it has, if it was finished."""
    firsts, seconds = rows_of(rules.houses, mine), rows_of(rules.houses, theirs)
    finished = int(
        fill_block(firsts, seconds, mine, theirs, margins, rules, board, stop.flag)
    ) == len(firsts)
    return (len(firsts) * len(seconds) * (1 if mine == theirs else 2)) if finished else 0
