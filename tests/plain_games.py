"""The three families of games in plain Python, for boards of any size, and game strings drawn from
the whole of their grammar.

Nothing is shared with the package: marks lie in a dictionary, lines are measured cell by cell, and
Kalah sows seed by seed (`tests/kalah_claims.py`). A position knows its `mover`, its `legal` moves,
the winning ones, and whether it is `over`.
"""

from __future__ import annotations

import dataclasses
import functools
import random
from collections.abc import Iterator

from hypothesis import strategies as st

from tests.kalah_claims import Board

Cell = tuple[int, int]
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclasses.dataclass(frozen=True)
class Shape:
    """A board of a game of lines."""

    rows: int
    cols: int
    line: int
    exact: bool
    drops: bool
    """Whether marks fall to the lowest free cell of a column, as in Connect."""

    def inside(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.cols


@dataclasses.dataclass(frozen=True)
class Lines:
    """A position of a game of lines."""

    shape: Shape
    marks: dict[Cell, int]
    won: bool = False
    """Whether the last move completed a line."""

    @property
    def mover(self) -> int:
        return len(self.marks) % 2

    @property
    def over(self) -> bool:
        return self.won or len(self.marks) == self.shape.rows * self.shape.cols

    @property
    def lead(self) -> int:
        """Of player 0, where the game is over."""
        return (1 if self.mover else -1) if self.won else 0

    @functools.cached_property
    def legal(self) -> list[int]:
        shape = self.shape
        if shape.drops:
            return [col for col in range(shape.cols) if (shape.rows - 1, col) not in self.marks]
        return [
            row * shape.cols + col
            for row in range(shape.rows)
            for col in range(shape.cols)
            if (row, col) not in self.marks
        ]

    def cell(self, move: int) -> Cell:
        if self.shape.drops:
            return next(
                row for row in range(self.shape.rows) if (row, move) not in self.marks
            ), move
        return divmod(move, self.shape.cols)

    def completes(self, cell: Cell, player: int) -> bool:
        for down, right in STEPS:
            length = 1
            for sign in (1, -1):
                row, col = cell[0] + sign * down, cell[1] + sign * right
                while self.marks.get((row, col)) == player:
                    length += 1
                    row, col = row + sign * down, col + sign * right
            if length == self.shape.line or (length > self.shape.line and not self.shape.exact):
                return True
        return False

    def winning(self, player: int | None = None) -> list[int]:
        """The moves that complete a line, were it this player's turn."""
        player = self.mover if player is None else player
        return [move for move in self.legal if self.completes(self.cell(move), player)]

    def play(self, move: int) -> Lines:
        cell = self.cell(move)
        return Lines(self.shape, self.marks | {cell: self.mover}, self.completes(cell, self.mover))

    @property
    def left(self) -> int:
        """Moves until the game is over, at most."""
        return self.shape.rows * self.shape.cols - len(self.marks)


class Sown:
    """A position of Kalah."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.mover, self.over, self.lead, self.legal = (
            board.mover,
            board.over,
            board.lead,
            board.legal,
        )

    def play(self, move: int) -> Sown:
        return Sown(self.board.sow(move))

    def winning(self) -> list[int]:
        after = {move: self.play(move) for move in self.legal}
        return [
            move
            for move, next_one in after.items()
            if next_one.over and sided(next_one.lead, self.mover) > 0
        ]

    @property
    def left(self) -> int:
        """Seeds in the houses."""
        return sum(map(sum, self.board.rows))


Plain = Lines | Sown


def sided(lead: int, player: int) -> int:
    """A lead of player 0 as a player sees it."""
    return lead if player == 0 else -lead


def truth(plain: Plain, most: int) -> int | None:
    """The lead of player 0 with best play, by trying everything; None if there are more than `most`
    moves to try.
    """
    tries = [most]

    @functools.cache
    def lead(line: tuple[int, ...]) -> int:
        here = functools.reduce(lambda at, move: at.play(move), line, plain)
        if here.over:
            return here.lead
        tries[0] -= len(here.legal)
        if tries[0] < 0:
            raise OverflowError
        leads = [lead((*line, move)) for move in here.legal]
        return max(leads) if here.mover == 0 else min(leads)

    try:
        return lead(())
    except OverflowError:
        return None


# ---- Game strings ----

EDGES = (
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    9,
    10,
    14,
    15,
    16,
    17,
    18,
    19,
    20,
    21,
    30,
    31,
    32,
    33,
    34,
    62,
    63,
    64,
    65,
    66,
    89,
    90,
)
"""Sizes at which something may change: bytes, words, halves of them, and the ends of the grammar."""


def sizes(most: int) -> st.SearchStrategy[int]:
    """From 1 on, sizes near an edge more often."""
    return st.integers(1, most) | st.sampled_from([size for size in EDGES if size <= most])


@st.composite
def starts(draw: st.DrawFn) -> tuple[str, Plain]:
    """Any game string, with its first position."""
    family = draw(
        st.sampled_from(
            (
                "mnk",
                "mnk",
                "small mnk",
                "gomoku",
                "connect",
                "connect",
                "word",
                "kalah",
                "tictactoe",
            )
        )
    )
    if family == "kalah":
        houses, seeds, standard = (
            draw(st.integers(1, 8)),
            draw(st.integers(1, 10)),
            draw(st.booleans()),
        )
        row = (seeds,) * houses
        return f"kalah:{houses}x{seeds}{',standard' * standard}", Sown(
            Board((row, row), (0, 0), 0, standard)
        )
    if family == "tictactoe":
        return family, Lines(Shape(3, 3, 3, exact=False, drops=False), {})
    exact = draw(st.booleans()) and family in ("mnk", "small mnk", "gomoku")
    option = ",exact" * exact
    if family == "gomoku":
        side = draw(sizes(90).filter(lambda size: size >= 5))
        return f"gomoku:{side}{option}", Lines(Shape(side, side, 5, exact, drops=False), {})
    if family == "word":  # about as many cells as a word has bits
        rows = draw(st.integers(1, 40))
        cols = draw(st.integers(max(1, 60 // (rows + 1)), min(40, max(1, 68 // (rows + 1)))))
    else:
        most = {"mnk": 90, "small mnk": 9, "connect": 40}[family]
        rows, cols = draw(sizes(most)), draw(sizes(most))
    drops = family in ("connect", "word")
    longest = max(rows, cols, 1 + drops)
    cols = longest if max(rows, cols) == 1 and drops else cols
    line = draw(sizes(longest) | st.just(longest) | st.just(min(4, longest)))
    line = max(line, 1 + drops)
    name = f"connect:{rows}x{cols}x{line}" if drops else f"mnk:{rows}x{cols}x{line}{option}"
    return name, Lines(Shape(rows, cols, line, exact, drops), {})


# ---- Games ----

SHUNS = 4
"""Moves out of which one is chosen that does not end the game."""


def some_game(start: Plain, seed: int) -> Iterator[tuple[list[int], Plain]]:
    """The moves and positions of a game, of which each may be the last that is looked at. In some
    games both play at random, in others the first player builds a line, for at random a long one
    never comes about, and in others nobody ends the game while that can be helped.
    """
    rng = random.Random(seed)
    style = rng.choice(("random", "builds", "builds", "shuns"))
    wanted = _segment(start.shape, rng) if isinstance(start, Lines) else []
    moves: list[int] = []
    here = start
    yield [], here
    while not here.over:
        choice = here.legal
        builds = []
        if isinstance(here, Lines) and style == "builds":
            builds = [
                move for move in _builds(here, wanted) if here.mover == 0 or rng.random() < 0.03
            ]
            rest = [] if here.shape.drops else wanted
            choice = [move for move in choice if here.cell(move) not in rest] or choice
        elif isinstance(here, Lines) and style == "shuns":
            some = [rng.choice(choice) for _ in range(SHUNS)]
            choice = [
                move for move in some if not here.completes(here.cell(move), here.mover)
            ] or choice
        move = rng.choice(builds or choice)
        moves.append(move)
        here = here.play(move)
        yield list(moves), here


def _segment(shape: Shape, rng: random.Random) -> list[Cell]:
    """As many cells in a row as win, somewhere on the board."""
    while True:
        row, col, (down, right) = (
            rng.randrange(shape.rows),
            rng.randrange(shape.cols),
            rng.choice(STEPS),
        )
        row = 0 if shape.drops and down == 0 else row
        cells = [(row + i * down, col + i * right) for i in range(shape.line)]
        if shape.inside(cells[-1]):
            rng.shuffle(cells)
            return cells


def _builds(here: Lines, wanted: list[Cell]) -> list[int]:
    """The moves on cells of a segment."""
    if here.shape.drops:
        return [move for move in here.legal if here.cell(move) in wanted]
    return [row * here.shape.cols + col for row, col in wanted if (row, col) not in here.marks][:2]
