"""The family of Kalah's books, counted in turns, and their files.

    mnkala book of Kalah 1
    {"entries": 1282, "houses": 6, "seeds": 4, "standard": false, "turns": 3}
    the numbers of the positions in rising order, eight bytes each, the lowest first
    their margins to come, a signed byte each
    SHA-256 of all before

Every margin is exact. A book that is not finished has fewer entries than the tree has positions.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from mnkala.core import Position, Rules
from mnkala.families.kalah.book.tree import concluded, gained, number_at, opening_tree, turns_before
from mnkala.families.kalah.rules import Kalah, sum_of
from mnkala.families.kalah.solver.board import MOST_SEEDS, board_for, positions_up_to
from mnkala.families.kalah.solver.solver import KalahSolver
from mnkala.native.objects import IntArray
from mnkala.numbers import counted
from mnkala.search.runner import run
from mnkala.solve.book.family import TABLE_MB, Books, Built, Checked, Watch
from mnkala.solve.book.file import BadBook, read_bytes, sealed, unsealed
from mnkala.solve.book.model import Book, Unit

VERSION = 1
MAGIC = b"mnkala book of Kalah "
UNIT: Unit = "turn"
MOST_TURNS = 5
"""Turns of the largest book: with six houses its tree has a hundred thousand positions."""
NUMBERS, MARGINS = np.dtype("<i8"), np.dtype("i1")


@dataclasses.dataclass(frozen=True)
class Margins:
    """What a book knows: of some positions of the first `turns` turns, in the order of their numbers, the exact margin to come."""

    rules: Kalah
    turns: int
    numbers: IntArray
    margins: IntArray

    def by_number(self) -> dict[int, int]:
        """As a dictionary."""
        return dict(zip(self.numbers.tolist(), self.margins.tolist(), strict=True))


def margins_of(known: Mapping[int, int], rules: Kalah, turns: int) -> Margins:
    """The contents of a book."""
    numbers = sorted(known)
    return Margins(rules, turns, np.array(numbers, np.int64), np.array([known[number] for number in numbers], np.int64))


def to_bytes(book: Margins) -> bytes:
    """The file of a book."""
    rules = book.rules
    head = {"houses": rules.houses, "seeds": rules.seeds, "standard": rules.standard, "turns": book.turns, "entries": len(book.numbers)}
    return sealed(MAGIC, VERSION, head, book.numbers.astype(NUMBERS).tobytes() + book.margins.astype(MARGINS).tobytes())


def from_bytes(data: bytes, name: str, rules: Kalah) -> Margins:
    """The book of a file, which must be for this game; `name` is for messages."""
    head, body = unsealed(data, MAGIC, VERSION, name)
    try:
        game = Kalah(int(head["houses"]), int(head["seeds"]), bool(head["standard"])).game_string()
        turns, entries = int(head["turns"]), int(head["entries"])
    except (ValueError, KeyError, TypeError) as error:
        raise BadBook(f"{name} cannot be read: {error}") from None
    if game != rules.game_string():
        raise BadBook(f"{name} is a book for {game}, not for {rules.game_string()}")
    width = NUMBERS.itemsize + MARGINS.itemsize
    if not 0 <= turns <= MOST_TURNS or len(body) != width * entries:
        raise BadBook(f"{name} cannot be read: {counted(entries, 'entry')} of {counted(turns, 'turn')} do not fit its {len(data)} bytes")
    numbers = np.frombuffer(body[:NUMBERS.itemsize * entries], NUMBERS).astype(np.int64)
    margins = np.frombuffer(body[NUMBERS.itemsize * entries:], MARGINS).astype(np.int64)
    board = board_for(rules)
    ends = np.array([positions_up_to(seeds, board) for seeds in range(2 * rules.houses * rules.seeds + 1)])
    seeds = np.searchsorted(ends, numbers, side="right")
    if (np.diff(numbers) <= 0).any() or (numbers < 0).any() or (seeds == len(ends)).any():
        raise BadBook(f"{name} has positions that {game} does not have")
    if (np.abs(margins) > seeds).any() or ((margins - seeds) % 2 != 0).any():
        raise BadBook(f"{name} has margins that no position with so many seeds can have")
    return Margins(rules, turns, numbers, margins)


class KalahBook(Book):
    """A book of mnkala's own."""

    unit, name = UNIT, "mnkala"

    def __init__(self, known: Margins) -> None:
        self.known, self.game, self.depth = known, known.rules.game_string(), known.turns

    def bounds(self, position: Position) -> tuple[int, int] | None:
        """See `Book`. All scores are exact; what lies in the stores is added to the margin to come."""
        self._check(position)
        state, numbers = position.state(), self.known.numbers
        if position.is_over or int(sum_of(state.own) + sum_of(state.other)) > MOST_SEEDS:
            return None
        number = number_at(position)
        place = int(np.searchsorted(numbers, number))
        if place == len(numbers) or numbers[place] != number:
            return None
        score = int(self.known.margins[place]) + gained(position, position.mover)
        return score, score

    def depth_of(self, position: Position) -> int | None:
        return turns_before(position)

    def counts(self) -> list[tuple[int, int]]:
        known, nodes = set(self.known.numbers.tolist()), opening_tree(self.game, self.depth).values()
        depths = [[node.number in known for node in nodes if node.turns == turns] for turns in range(self.depth + 1)]
        return [(sum(found), len(found)) for found in depths]


class KalahBooks(Books):
    """Books of all boards that the solver takes."""

    unit, usual = UNIT, 2
    boards = f"Kalah with at most {MOST_SEEDS} seeds, such as kalah or kalah:4x3,standard"

    def fits(self, rules: Rules) -> bool:
        return isinstance(rules, Kalah) and 2 * rules.houses * rules.seeds <= MOST_SEEDS

    def file_name(self, rules: Rules) -> str:
        """Houses, seeds, rule of capture."""
        assert isinstance(rules, Kalah)
        return f"kalah-{rules.houses}x{rules.seeds}{'-standard' if rules.standard else ''}.book"

    def read(self, path: Path, rules: Rules) -> KalahBook:
        assert isinstance(rules, Kalah)
        return KalahBook(from_bytes(read_bytes(path), str(path), rules))

    def build(self, rules: Rules, depth: int, path: Path, *, jobs: int | None = None, cluster: str | None = None, table_mb: int = TABLE_MB,
              retry: bool = False, progress: Watch | None = None) -> Built:
        from mnkala.families.kalah.book.build import build_book

        assert isinstance(rules, Kalah)
        return build_book(rules, depth, path, jobs=jobs, cluster=cluster, table_mb=table_mb, retry=retry, progress=progress)

    def check(self, path: Path, rules: Rules, count: int, seed: int) -> Iterator[Checked]:
        book = self.read(path, rules)
        margins, tree = book.known.by_number(), opening_tree(book.game, book.depth)
        if strangers := set(margins) - set(tree):
            raise BadBook(f"{path} has {counted(len(strangers), 'position')} that the first {counted(book.depth, 'turn')} do not have")
        concluded(tree, margins)
        return _solved_again(book, rules, count, seed)


def _solved_again(book: KalahBook, rules: Rules, count: int, seed: int) -> Iterator[Checked]:
    """Some entries, the deepest first: they are the quickest."""
    nodes = [opening_tree(book.game, book.depth)[number] for number in book.known.numbers.tolist()]
    chosen = random.Random(seed).sample(nodes, min(count, len(nodes)))
    solver = KalahSolver(rules, table_mb=TABLE_MB)
    for node in sorted(chosen, key=lambda node: (-node.turns, node.number)):
        score = run(lambda stop, position=node.position: solver.solve(position, stop=stop)).lower  # type: ignore[misc]
        said = book.bounds(node.position)
        assert said is not None
        yield Checked(node.position, node.turns, *said, score)
