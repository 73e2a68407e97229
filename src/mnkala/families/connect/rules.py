"""Connect Four and its relatives: what all boards share. Discs fall to the lowest free cell of a
column; a line of discs wins.

A small board is stored in two words (`bits.py`), a large one, of more than 64 bits, in arrays that
`play` changes in place and `undo` restores. This module names, writes, draws and scores both, and
chooses between them.

Game strings: `connect4` (6 rows, 7 columns, four in a row), `connect4:10x11`, `connect:8x9x5`
(rows, columns, line).

Moves: columns from 1, written together (`44352`) on boards of at most nine columns, else separated
by commas or spaces.

Position literal: the rows from the top, separated by `/`; `x` for the first player's discs, `o` for
the second's, `.` or a count for empty cells: `7/7/7/7/3o3/2xx3`. The player to move follows from
the number of discs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mnkala.core.grid import (
    MARKS,
    completes_line,
    line_faults,
    read_owners,
    seen,
    winning_cells,
    write_owners,
)
from mnkala.core.picture import FIRST, Cell, Picture
from mnkala.core.registry import GameName, register_name
from mnkala.core.rules import GOING_ON, Rules, State
from mnkala.errors import BadGame, BadPosition, IllegalMove
from mnkala.native import mix, native
from mnkala.native.objects import IntArray
from mnkala.numbers import counted, read_digits, shortened

LARGEST_SIDE = 40
SHORTEST_LINE = 2


class ConnectRules(Rules):
    """The base of both kinds of board. Cells are (row from the bottom, column), both counted from
    0."""

    name = "connect"
    summary = "Connect Four on any board: drop discs, get a line"
    heuristic = "threats"
    move_noun = "column"
    rows: int
    cols: int
    line: int

    # ---- What each kind of board implements ----

    def owner(self, state: State, row: int, column: int) -> int:
        """The owner of a cell: 0 if it is empty, else 1 + the player whose disc lies there."""
        raise NotImplementedError

    def cell_of(self, state: State, move: int) -> int:
        """The cell where a disc dropped into a column would come to rest, as row * cols + column."""
        raise NotImplementedError

    def discs(self, state: State) -> int:
        """The number of discs on the board."""
        raise NotImplementedError

    def from_owners(self, owners: np.ndarray) -> State:
        """The state of a valid board, given as `owners[row, column]`."""
        raise NotImplementedError

    # ---- Bounds ----

    def most_moves(self) -> int:
        return self.cols

    def longest_game(self) -> int:
        return self.rows * self.cols

    # ---- Notation ----

    def game_string(self) -> str:
        if self.line != 4:
            return f"connect:{self.rows}x{self.cols}x{self.line}"
        return (
            "connect4" if (self.rows, self.cols) == (6, 7) else f"connect4:{self.rows}x{self.cols}"
        )

    def parse_move(self, text: str) -> int:
        number = read_digits(text)
        if number is None or not 1 <= number <= self.cols:
            what = (
                f"'{shortened(text)}' is not a column"
                if number is None
                else f"column {shortened(text)} does not exist"
            )
            raise IllegalMove(
                f"{what}; playable columns are 1-{self.cols}",
                f"connect.error.{'not_a' if number is None else 'no'}_column",
                text=shortened(text),
                most=self.cols,
            )
        return number - 1

    def moves_text(self, moves: Sequence[int]) -> str:
        return ("" if self.cols <= 9 else ",").join(self.move_text(move) for move in moves)

    def parse_moves(self, text: str) -> list[int]:
        words = text.replace(",", " ").split()
        if self.cols <= 9:
            words = [letter for word in words for letter in word]
        return [self.parse_move(word) for word in words]

    # ---- Position literal ----

    def literal(self, state: State) -> str:
        return write_owners(self.owners(state))

    def parse_literal(self, text: str) -> State:
        owners = read_owners(text, self.rows, self.cols, self.game_string())
        for fault in self._faults(owners):
            raise fault
        return self.from_owners(owners)

    def faults(self, literal: str) -> Iterator[BadPosition]:
        return self._faults(read_owners(literal, self.rows, self.cols, self.game_string()))

    def _faults(self, owners: np.ndarray) -> Iterator[BadPosition]:
        found = [*self._floating(owners)]
        lines = (winning_cells(owners, 1, self.line), winning_cells(owners, 2, self.line))
        found += line_faults(owners, lines, self.line)
        yield from found
        discs = int(np.count_nonzero(owners))
        if found or not discs:
            return
        last = 2 - discs % 2
        mark = MARKS[last]
        if not any(self._top_owner(owners, col) == last for col in range(self.cols)):
            yield BadPosition(
                f"{mark} moved last, but no disc of {mark} lies on top of a column",
                "editor.none_on_top",
                last=mark,
            )
        line = lines[last - 1]
        if line and not any(self._top_row(owners, col) == row for row, col in line):
            yield BadPosition(
                f"the line of {mark} was complete before the last move",
                "editor.line_early",
                seen(owners, line),
                last=mark,
            )

    def _floating(self, owners: np.ndarray) -> Iterator[BadPosition]:
        for col in range(self.cols):
            height = int(np.count_nonzero(owners[:, col]))
            if np.any(owners[height:, col]):
                gap = int(np.argmin(owners[:, col] != 0))
                above = [(row, col) for row in range(gap, self.rows) if owners[row, col]]
                yield BadPosition(
                    f"a disc in column {col + 1} hangs above an empty cell",
                    "editor.floats",
                    seen(owners, above),
                    column=col + 1,
                )

    @staticmethod
    def _top_row(owners: np.ndarray, col: int) -> int:
        return int(np.count_nonzero(owners[:, col])) - 1

    def _top_owner(self, owners: np.ndarray, col: int) -> int:
        row = self._top_row(owners, col)
        return int(owners[row, col]) if row >= 0 else 0

    # ---- Score and drawing ----

    def exact_score(self, state: State, margin: int, plies: int) -> int:
        """Pascal Pons' score: a win counts the winner's discs still unplayed at the end, plus one;
        a loss is minus that.
        """
        if margin == 0:
            return 0
        mover = self.mover(state)
        winner = mover if margin > 0 else 1 - mover
        end = self.discs(state) + plies
        used = (end + 1) // 2 if winner == 0 else end // 2
        cells = self.rows * self.cols
        share = (cells + 1) // 2 if winner == 0 else cells // 2
        return (share - used + 1) * (1 if margin > 0 else -1)

    def owners(self, state: State) -> np.ndarray:
        """The whole board as `owners[row, column]`, row 0 at the bottom."""
        cells = [
            [self.owner(state, row, col) for col in range(self.cols)] for row in range(self.rows)
        ]
        return np.array(cells, dtype=np.int8)

    def cell(self, state: State, row: int, column: int) -> int:
        return self.owner(state, self.rows - 1 - row, column)

    def picture(self, state: State) -> Picture:
        owners = self.owners(state)
        over = self.result(state) != GOING_ON
        won = (
            winning_cells(owners, FIRST, self.line) | winning_cells(owners, 3 - FIRST, self.line)
            if over
            else set()
        )
        return Picture(
            cells=tuple(tuple(int(owner) for owner in row) for row in owners[::-1]),
            column_labels=tuple(str(col + 1) for col in range(self.cols)),
            marked=tuple(sorted((self.rows - 1 - row, col) for row, col in won)),
        )

    def board_style(self) -> str:
        return "drop"

    def changed_cells(self, state: State, move: int) -> tuple[Cell, ...]:
        row, column = divmod(int(self.cell_of(state, move)), self.cols)
        return ((self.rows - 1 - row, column),)

    def move_cells(self, state: State, move: int) -> tuple[Cell, ...]:
        """All cells of the column."""
        return tuple((row, move) for row in range(self.rows))


def build(rows: int = 6, cols: int = 7, line: int = 4) -> ConnectRules:
    """The rules of a board of this size: bitboards where it fits 64 bits, arrays beyond."""
    from mnkala.families.connect.bits import Connect

    for what, size in (("rows", rows), ("columns", cols)):
        if not 1 <= size <= LARGEST_SIDE:
            raise BadGame(
                f"{size} {what}; a board has 1 to {LARGEST_SIDE} rows and columns",
                f"error.board_{what}",
                size=size,
                most=LARGEST_SIDE,
            )
    if not SHORTEST_LINE <= line <= max(rows, cols):
        if max(rows, cols) < SHORTEST_LINE:
            raise BadGame(f"a line of {line} on {rows}x{cols}; this board allows none at all")
        raise BadGame(
            f"a line of {line} on {rows}x{cols}; this board allows {SHORTEST_LINE} to {max(rows, cols)}",
            "error.board_line",
            line=line,
            rows=rows,
            cols=cols,
            least=SHORTEST_LINE,
            most=max(rows, cols),
        )
    fits = cols * (rows + 1) <= 64
    return Connect(rows, cols, line) if fits else WideConnect(rows, cols, line)


def _builder(
    names: tuple[str, ...], preset: dict[str, int]
) -> Callable[[tuple[int, ...], tuple[str, ...]], Rules]:
    def build_from(sizes: tuple[int, ...], options: tuple[str, ...]) -> Rules:
        allowed = "x".join(name.upper() for name in names)
        if options:
            raise BadGame(f"Connect has no option '{options[0]}'; sizes are {allowed}")
        if len(sizes) not in (0, len(names)):
            raise BadGame(f"{counted(len(sizes), 'size')}; sizes are {allowed}")
        return build(**{**preset, **dict(zip(names, sizes, strict=False))})

    return build_from


register_name(
    GameName(
        "connect4",
        "Connect Four: four in a row, on 6 rows and 7 columns or any other board",
        "connect4[:ROWSxCOLS]",
        example="connect4:10x11",
        build=_builder(("rows", "cols"), {"line": 4}),
        names=("connect4", "connect4:10x11"),
        place=1,
        sizes=(6, 7),
        sample=("connect4", "443533542"),
        aliases=(
            "connect four",
            "four in a row",
            "4 in a row",
            "four in a line",
            "four in line",
            "vier gewinnt",
            "puissance 4",
            "quatro em linha",
            "4 em linha",
            "lig 4",
            "forza quattro",
            "forza 4",
        ),
    )
)
register_name(
    GameName(
        "connect",
        "Connect with a line of any length",
        "connect:ROWSxCOLSxLINE",
        example="connect:8x9x5",
        build=_builder(("rows", "cols", "line"), {}),
        place=6,
        sample=("connect:4x5x3", "3324"),
    )
)


UNKNOWN = -1
"""Stands in the trail for the moves before a position that was read from a literal."""


class WideState(NamedTuple):
    """The arrays of one position."""

    cells: IntArray
    """The owner of each cell by row * cols + column, row 0 at the bottom: 0 if empty, else 1 + the
    player."""
    heights: IntArray
    """The number of discs in each column."""
    trail: IntArray
    """The number of moves played, then the moves. A win needs to be looked for only around the last
    one."""
    hash: np.ndarray
    """The hash as uint64[1]: the exclusive or of a random word for each disc (Zobrist 1970)."""


@native
class WideConnect(ConnectRules):
    """Rules of Connect on boards of arrays."""

    rows: int = 10
    cols: int = 11
    line: int = 4

    # ---- The rules ----

    def start(self) -> WideState:
        cells = self.rows * self.cols
        return WideState(
            np.zeros(cells, np.int64),
            np.zeros(self.cols, np.int64),
            np.zeros(cells + 1, np.int64),
            np.zeros(1, np.uint64),
        )

    def copy(self, state: WideState) -> WideState:
        return WideState(
            state.cells.copy(), state.heights.copy(), state.trail.copy(), state.hash.copy()
        )

    def moves(self, state: WideState, out: IntArray) -> int:
        count = 0
        for col in range(self.cols):
            if state.heights[col] < self.rows:
                out[count] = col
                count += 1
        return count

    def play(self, state: WideState, move: int) -> WideState:
        player = self.mover(state)
        cell = state.heights[move] * self.cols + move
        state.cells[cell] = 1 + player
        state.heights[move] += 1
        state.trail[0] += 1
        state.trail[state.trail[0]] = move
        state.hash[0] ^= mix(np.uint64(2 * cell + player + 1))
        return state

    def undo(self, state: WideState, move: int) -> None:
        state.trail[state.trail[0]] = 0
        state.trail[0] -= 1
        state.heights[move] -= 1
        cell = state.heights[move] * self.cols + move
        state.cells[cell] = 0
        state.hash[0] ^= mix(np.uint64(2 * cell + self.mover(state) + 1))

    def mover(self, state: WideState) -> int:
        return state.trail[0] & 1

    def result(self, state: WideState) -> int:
        played = state.trail[0]
        if played == 0:
            return GOING_ON
        if completes_line(
            state.cells, self.rows, self.cols, self.line, False, self.last_cell(state)
        ):
            return -1
        return 0 if played == self.rows * self.cols else GOING_ON

    def key(self, state: WideState) -> np.uint64:
        return state.hash[0]

    def prior(self, state: WideState, move: int) -> int:
        return self.cols - abs(2 * move - self.cols + 1)

    def last_cell(self, state: WideState) -> int:
        """The cell where the last disc fell, as row * cols + column."""
        col = state.trail[state.trail[0]]
        return (state.heights[col] - 1) * self.cols + col

    def cell_of(self, state: WideState, move: int) -> int:
        """The cell where a disc dropped into a column would come to rest, as row * cols + column."""
        return state.heights[move] * self.cols + move

    def is_legal(self, state: WideState, move: int) -> bool:
        return 0 <= move < self.cols and bool(state.heights[move] < self.rows)

    # ---- For people ----

    def owner(self, state: WideState, row: int, column: int) -> int:
        return int(state.cells[row * self.cols + column])

    def discs(self, state: WideState) -> int:
        return int(state.trail[0])

    def from_owners(self, owners: np.ndarray) -> WideState:
        state = self.start()
        discs = int(np.count_nonzero(owners))
        if discs == 0:
            return state
        state.cells[:] = owners.reshape(-1)
        state.heights[:] = np.count_nonzero(owners, axis=0)
        for cell in np.nonzero(state.cells)[0]:
            state.hash[0] ^= mix(np.uint64(2 * int(cell) + int(state.cells[cell])))
        last = 2 - discs % 2
        line = winning_cells(owners, last, self.line)
        tops = [(self._top_row(owners, col), col) for col in range(self.cols)]
        candidates = [(row, col) for row, col in tops if row >= 0 and owners[row, col] == last]
        state.trail[0] = discs
        state.trail[1:discs] = UNKNOWN
        state.trail[discs] = next(
            (col for row, col in candidates if (row, col) in line), candidates[0][1]
        )
        return state
