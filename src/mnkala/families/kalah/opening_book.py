"""The family of Kalah's books, counted in turns, their files, and how they are built.

    mnkala book of Kalah 1
    {"entries": 1282, "houses": 6, "seeds": 4, "standard": false, "turns": 3}
    the numbers of the positions in rising order, eight bytes each, the lowest first
    their margins to come, a signed byte each
    SHA-256 of all before

Every margin is exact. A book that is not finished has fewer entries than the tree has positions.

The tree of the first turns contains positions between two turns and within one, after a last seed
in the store. A position's number (`solver/board.py`) does not include the stores, so its margin to
come depends on nothing else. Some margins imply those of other positions.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from mnkala.core import Position, Rules, parse_game
from mnkala.core.score import Contradiction
from mnkala.errors import MnkalaError
from mnkala.families.kalah.rules import Kalah, seeds_in, sum_of
from mnkala.families.kalah.solver.board import MOST_SEEDS, board_for, number_of, positions_up_to
from mnkala.families.kalah.solver.solver import KalahSolver
from mnkala.jobs import Job
from mnkala.native.objects import IntArray
from mnkala.numbers import counted
from mnkala.play.fair_starts import ready_fair_starts
from mnkala.search.runner import run
from mnkala.solve.books import (
    TABLE_MB,
    BadBook,
    Book,
    Books,
    Checked,
    Unfinished,
    Unit,
    read_bytes,
    sealed,
    unsealed,
)
from mnkala.solve.pieces import TreeMove, TreeNode

VERSION = 1
MAGIC = b"mnkala book of Kalah "
UNIT: Unit = "turn"
MOST_TURNS = 5
"""The most turns of a book: with six houses its tree has a hundred thousand positions."""
NUMBERS, MARGINS = np.dtype("<i8"), np.dtype("i1")


@dataclasses.dataclass(frozen=True)
class Margins:
    """The content of a book: the exact margins to come of some positions of the first `turns`
    turns, in the order of the positions' numbers."""

    rules: Kalah
    turns: int
    numbers: IntArray
    margins: IntArray

    def by_number(self) -> dict[int, int]:
        """The margins to come, by the numbers of the positions."""
        return dict(zip(self.numbers.tolist(), self.margins.tolist(), strict=True))


def margins_of(known: Mapping[int, int], rules: Kalah, turns: int) -> Margins:
    """Make the content of a book."""
    numbers = sorted(known)
    return Margins(
        rules,
        turns,
        np.array(numbers, np.int64),
        np.array([known[number] for number in numbers], np.int64),
    )


def to_bytes(book: Margins) -> bytes:
    """Write a book as the content of a file."""
    rules = book.rules
    head = {
        "houses": rules.houses,
        "seeds": rules.seeds,
        "standard": rules.standard,
        "turns": book.turns,
        "entries": len(book.numbers),
    }
    return sealed(
        MAGIC,
        VERSION,
        head,
        book.numbers.astype(NUMBERS).tobytes() + book.margins.astype(MARGINS).tobytes(),
    )


def from_bytes(data: bytes, name: str, rules: Kalah) -> Margins:
    """Read a book, which must be for this game, from the content of a file; `name` is for messages."""
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
        raise BadBook(
            f"{name} cannot be read: {counted(entries, 'entry')} of {counted(turns, 'turn')} do not fit its {len(data)} bytes"
        )
    numbers = np.frombuffer(body[: NUMBERS.itemsize * entries], NUMBERS).astype(np.int64)
    margins = np.frombuffer(body[NUMBERS.itemsize * entries :], MARGINS).astype(np.int64)
    board = board_for(rules)
    ends = np.array(
        [positions_up_to(seeds, board) for seeds in range(2 * rules.houses * rules.seeds + 1)]
    )
    seeds = np.searchsorted(ends, numbers, side="right")
    if (np.diff(numbers) <= 0).any() or (numbers < 0).any() or (seeds == len(ends)).any():
        raise BadBook(f"{name} has positions that {game} does not have")
    if (np.abs(margins) > seeds).any() or ((margins - seeds) % 2 != 0).any():
        raise BadBook(f"{name} has margins that no position with so many seeds can have")
    return Margins(rules, turns, numbers, margins)


class KalahBook(Book):
    """A book in mnkala's own format."""

    unit, name = UNIT, "mnkala"

    def __init__(self, known: Margins) -> None:
        self.known, self.game, self.depth = known, known.rules.game_string(), known.turns

    def bounds(self, position: Position) -> tuple[int, int] | None:
        """The bounds of a position, or None if the book does not have it. All its scores are exact;
        what lies in the stores is added to the margin to come."""
        self._check(position)
        state, numbers = position.state(), self.known.numbers
        if position.is_over or int(sum_of(state.own) + sum_of(state.other)) > MOST_SEEDS:
            return None
        number = number_at(position)
        place = int(np.searchsorted(numbers, number))
        known = place < len(numbers) and numbers[place] == number
        margin = int(self.known.margins[place]) if known else fair_margins(self.game).get(number)
        if margin is None:
            return None
        score = margin + gained(position, position.mover)
        return score, score

    def depth_of(self, position: Position) -> int | None:
        return turns_before(position)

    def counts(self) -> list[tuple[int, int]]:
        known, nodes = (
            set(self.known.numbers.tolist()),
            opening_tree(self.game, self.depth).values(),
        )
        depths = [
            [node.number in known for node in nodes if node.turns == turns]
            for turns in range(self.depth + 1)
        ]
        return [(sum(found), len(found)) for found in depths]


@functools.cache
def fair_margins(game: str) -> dict[int, int]:
    """The margins to come of the fair starts that come with the package, and of the positions after
    their first houses, by the positions' numbers."""
    found = {}
    for start in ready_fair_starts(game):
        position = start.position
        found[number_at(position)] = max(start.scores.values())
        for house, score in start.scores.items():
            after = position.play(house)
            if not after.is_over:
                found[number_at(after)] = (
                    score if after.mover == position.mover else -score
                ) - gained(after, after.mover)
    return found


class KalahBooks(Books):
    """Builds and opens books for all boards that the solver accepts."""

    unit, usual = UNIT, 2
    boards = f"Kalah with at most {MOST_SEEDS} seeds, such as kalah or kalah:4x3,standard"

    def fits(self, rules: Rules) -> bool:
        return isinstance(rules, Kalah) and 2 * rules.houses * rules.seeds <= MOST_SEEDS

    def file_name(self, rules: Rules) -> str:
        """The file name for a board: houses, seeds and the rule of capture."""
        assert isinstance(rules, Kalah)
        return f"kalah-{rules.houses}x{rules.seeds}{'-standard' if rules.standard else ''}.book"

    def read(self, path: Path, rules: Rules) -> KalahBook:
        assert isinstance(rules, Kalah)
        return KalahBook(from_bytes(read_bytes(path), str(path), rules))

    def begin(self, rules: Rules, depth: int, table_mb: int) -> Unfinished:
        assert isinstance(rules, Kalah)
        return UnfinishedBook(rules, depth, table_mb)

    def check(self, path: Path, rules: Rules, count: int, seed: int) -> Iterator[Checked]:
        book = self.read(path, rules)
        margins, tree = book.known.by_number(), opening_tree(book.game, book.depth)
        if strangers := set(margins) - set(tree):
            raise BadBook(
                f"{path} has {counted(len(strangers), 'position')} that the first {counted(book.depth, 'turn')} do not have"
            )
        concluded(tree, margins)
        return _solved_again(book, rules, count, seed)


def _solved_again(book: KalahBook, rules: Rules, count: int, seed: int) -> Iterator[Checked]:
    """Solve some entries again, the deepest first, because they are solved fastest."""
    nodes = [opening_tree(book.game, book.depth)[number] for number in book.known.numbers.tolist()]
    chosen = random.Random(seed).sample(nodes, min(count, len(nodes)))
    solver = KalahSolver(rules, table_mb=TABLE_MB)
    for node in sorted(chosen, key=lambda node: (-node.turns, node.number)):
        score = run(
            lambda stop, position=node.position: solver.solve(position, stop=stop)  # type: ignore[misc]
        ).score.lower
        said = book.bounds(node.position)
        assert said is not None
        yield Checked(node.position, node.turns, *said, score)


# ---- Building a book ----
#
# There are two rounds. The first solves all positions within the last turn but one and right after
# it, so that an unfinished book soon knows most games' first moves; the second those right after
# the last turn. All others follow (`tree.concluded`).
#
# Positions of a job are neighbours, and what the solver's table learnt about one helps with the
# next; the margins do not depend on it. An endgame database helps most of all: run `mnkala kalah
# database` first.


MOST_POSITIONS = 4
"""The most positions in a job, so that an interruption loses little."""


@functools.lru_cache(maxsize=1)
def solver_for(game: str, table_mb: int) -> KalahSolver:
    """The solver that a worker keeps."""
    return KalahSolver(parse_game(game), table_mb=table_mb)


def find_margins(game: str, positions: list[list[object]], table_mb: int) -> list[list[int]]:
    """Solve positions given as [number, literal]; return [number, margin to come] for each. A job
    for `mnkala.jobs`."""
    solver, found = solver_for(game, table_mb), []
    for number, literal in positions:
        position = Position(game, literal=str(literal))
        found.append(
            [
                int(str(number)),
                solver.solve(position).score.lower - gained(position, position.mover),
            ]
        )
    return found


class UnfinishedBook(Unfinished):
    """A book of Kalah while it is built."""

    def __init__(self, rules: Kalah, turns: int, table_mb: int) -> None:
        self.rules, self.game, self.turns = rules, rules.game_string(), turns
        self.table_mb = table_mb
        if not 0 <= turns <= MOST_TURNS:
            raise MnkalaError(
                f"a book of {counted(turns, 'turn')}; for {self.game} it is 0 to {MOST_TURNS}"
            )
        self.deepest = turns
        self.known: dict[int, int] = {}

    @property
    def tree(self) -> Mapping[int, TreeNode]:
        """The positions of the book."""
        return opening_tree(self.game, self.deepest)

    def read(self, path: Path, *, stays: bool) -> None:
        read = from_bytes(read_bytes(path), str(path), self.rules)
        self.known |= read.by_number()
        if stays:
            self.deepest = max(self.deepest, read.turns)

    def learn(self, answers: list[list[int]]) -> None:
        found = ((number, margin) for number, margin in answers)
        self.known = concluded(self.tree, self.known | dict(found))

    def rounds(self) -> Iterator[tuple[str, list[Job]]]:
        for depth in (self.turns - 1, self.turns):
            work = [
                _job(self.game, group, self.table_mb)
                for group in _groups(self.tree, depth, self.known)
            ]
            try:
                yield f"positions after {counted(depth, 'turn')}", work
            finally:
                solver_for.cache_clear()

    @property
    def margins(self) -> Margins:
        """The content of the book with everything known so far."""
        return margins_of(self.known, self.rules, self.deepest)

    def to_bytes(self) -> bytes:
        return to_bytes(self.margins)

    @property
    def book(self) -> KalahBook:
        return KalahBook(self.margins)

    @property
    def is_complete(self) -> bool:
        return all(
            node.number in self.known for node in self.tree.values() if node.turns <= self.turns
        )


def _groups(
    tree: Mapping[int, TreeNode], depth: int, known: Mapping[int, int]
) -> list[list[TreeNode]]:
    """Group the unsolved positions of a depth with their neighbours, one group for each job."""
    nodes = [node for node in tree.values() if node.turns == depth and node.number not in known]
    return [nodes[at : at + MOST_POSITIONS] for at in range(0, len(nodes), MOST_POSITIONS)]


def _job(game: str, nodes: Sequence[TreeNode], table_mb: int) -> Job:
    """Make a job whose name identifies its game and positions, so that a store never mistakes one
    for another."""
    digest = hashlib.sha256(" ".join(str(node.number) for node in nodes).encode()).hexdigest()[:16]
    return Job(
        f"{game} margins {digest}",
        f"{__name__}:{find_margins.__name__}",
        {
            "game": game,
            "positions": [[node.number, node.position.literal] for node in nodes],
            "table_mb": table_mb,
        },
    )


def number_at(position: Position) -> int:
    """The number of a position that is not over."""
    state = position.state()
    with np.errstate(over="ignore"):
        return int(
            number_of(np.uint64(state.own), np.uint64(state.other), board_for(position.rules))
        )


def gained(position: Position, player: int) -> int:
    """The lead in the stores, for a player."""
    stores = position.state().stores
    margin = seeds_in(stores, 0) - seeds_in(stores, 1)
    return margin if player == position.mover else -margin


def turns_before(position: Position) -> int | None:
    """The number of whole turns played before a position; None if the position was set up by hand."""
    movers = (*position.movers, position.mover)
    return (
        None
        if position.start_literal is not None
        else sum(one != other for one, other in itertools.pairwise(movers))
    )


@functools.lru_cache(maxsize=4)
def opening_tree(game: str, turns: int) -> Mapping[int, TreeNode]:
    """All unfinished positions that lie within the first `turns` turns or right after them, by
    number. Those of fewer turns come first, and neighbours together."""
    tree: dict[int, TreeNode] = {}
    layer = [Position(parse_game(game))]
    for played in range(turns + 1):
        following: list[Position] = []
        waiting = layer[::-1]
        while waiting:
            position = waiting.pop()
            number = number_at(position)
            if number in tree:
                continue
            moves, chain = list[TreeMove](), list[Position]()
            for code in position.legal_codes if played < turns else ():
                after = position.play_codes((code,))
                gain = gained(after, position.mover) - gained(position, position.mover)
                again = after.mover == position.mover
                moves.append(
                    TreeMove(gain, 1 if again else -1, None if after.is_over else number_at(after))
                )
                if not after.is_over:
                    (chain if again else following).append(after)
            waiting += chain[::-1]
            tree[number] = TreeNode(number, played, position, tuple(moves))
        layer = following
    return tree


def concluded(tree: Mapping[int, TreeNode], margins: Mapping[int, int]) -> dict[int, int]:
    """The margins of all positions of the tree that are known or follow: where all moves are known,
    the margin of the best."""
    known: dict[int, int] = {}
    open_ones: set[int] = set()

    def find(number: int) -> int | None:
        if number in known or number in open_ones:
            return known.get(number)
        node = tree[number]
        values = [
            move.gain
            if move.child is None
            else None
            if (after := find(move.child)) is None
            else move.gain + move.sign * after
            for move in node.moves
        ]
        exact = [value for value in values if value is not None]
        given = margins.get(number)
        if exact and len(exact) == len(values):
            if given is not None and given != max(exact):
                raise Contradiction(
                    f"the margins contradict each other: that of {node.position.literal} is not that of its best move"
                )
            given = max(exact)
        if given is None:
            open_ones.add(number)
        else:
            known[number] = given
        return given

    for number in tree:
        find(number)
    return known
