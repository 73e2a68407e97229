"""(m,n,k)-games: put marks on any free cell of a board of m rows and n columns; k in a row win.
Tic-tac-toe and Gomoku are among them.

Free cells are kept as report 001 keeps them: one array of all cells, the free ones in front.
Marking a cell swaps it with the last free one and leaves it the place it came from, so that taking
it back restores the exact order, both in a few steps whatever the size of the board.

Game strings: `tictactoe` (3x3, three in a row), `gomoku` (15x15, five), `gomoku:19`, `mnk:7x8x5`
(rows, columns, line). The option `exact` (`gomoku:15,exact`) lets only a run of exactly k win;
otherwise longer runs win too ("freestyle"). Moves: column letters and row number, `a1` at the
bottom left; `aa` follows column `z`. They are written together (`h8i9`) and read together or apart.
Position literal: as in Connect, `3/1x1/o2`.

Other programs write a point as column and row, counted from the top left: Gomocup's protocol counts
from zero, the files of Piskvork from one, and SGF has letters. For them a `Point` has its column
`x` and its row `y`, from zero.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from mnkala.core.grid import (
    DIRECTIONS,
    MARKS,
    column_name,
    column_number,
    completes_line,
    line_faults,
    maximal_runs,
    read_owners,
    seen,
    write_owners,
)
from mnkala.core.picture import Picture
from mnkala.core.registry import GameName, register_name
from mnkala.core.rules import GOING_ON, Rules, next_word, pick
from mnkala.errors import BadGame, BadPosition, IllegalMove
from mnkala.native import mix, native, shared
from mnkala.native.objects import IntArray, WordArray
from mnkala.numbers import counted, shortened

LARGEST_SIDE = 90
"""The most rows and columns: a game of 90 * 90 plies is the longest whose distance to the end still
fits a value (`search.values.PER_MARGIN`)."""
SMALLEST_FOR_STONES = 9
"""Boards with sides of at least this are drawn as crossings with stones, like Gomoku; smaller ones
as squares, like tic-tac-toe."""
UNKNOWN = -1
"""In `MnkState.trail`, a move of a board that was set up, whose order is unknown."""
SMALL_BOARD = 36
"""Up to this many cells searches try every move; beyond, only those near a mark."""

Cell = tuple[int, int]
"""A cell as (row from the bottom, column), both counted from 0."""


class MnkState(NamedTuple):
    """The arrays of one position. A cell's number is row * cols + column, row 0 at the bottom; it
    is also the code of the move there."""

    cells: IntArray
    """The owner of each cell: 0 if empty, else 1 + the player."""
    free: IntArray
    """All cells: the free ones in front, behind them the marked ones, the last marked first."""
    places: IntArray
    """The index in `free` of each free cell; for a marked one, the index to which it will return."""
    trail: IntArray
    """The number of moves played, then the moves. A win needs to be looked for only around the last
    one."""
    shade: IntArray
    """For each cell, how many marks are within SHADE steps along a row, a column or a diagonal,
    so that testing a candidate takes one look-up."""
    hash: np.ndarray
    """The hash as uint64[1]: the exclusive or of a random word for each mark (Zobrist 1970)."""


SHADE = 2
"""The distance at which a mark makes cells candidates: the usual R of near:R."""


@shared
def count_mark_near(shade: IntArray, rows: int, cols: int, cell: int, change: int) -> None:
    """Count a mark in the cells around it, or stop counting it."""
    row, col = cell // cols, cell % cols
    for direction in range(4):
        step_row, step_col = DIRECTIONS[direction]
        for far in range(-SHADE, SHADE + 1):
            r, c = row + far * step_row, col + far * step_col
            if far != 0 and 0 <= r < rows and 0 <= c < cols:
                shade[r * cols + c] += change


@shared
def has_mark_near(cells: IntArray, rows: int, cols: int, cell: int, radius: int) -> bool:
    """Whether a mark is within `radius` steps of a cell."""
    row, col = cell // cols, cell % cols
    for direction in range(4):
        step_row, step_col = DIRECTIONS[direction]
        for far in range(-radius, radius + 1):
            r, c = row + far * step_row, col + far * step_col
            if far != 0 and 0 <= r < rows and 0 <= c < cols and cells[r * cols + c] != 0:
                return True
    return False


@native
class Mnk(Rules):
    """An (m,n,k)-game: `rows`, `cols`, and the `line` that wins."""

    name = "mnk"
    summary = "(m,n,k)-games: marks on any free cell, get a line"
    heuristic: ClassVar[str] = "lines"
    search: ClassVar[str] = "threats"
    move_noun = "cell"
    fixed_cells = True
    rows: int = 3
    cols: int = 3
    line: int = 3
    exact: bool = False
    """Whether a run longer than `line` does not win."""

    # ---- Rules ----

    def start(self) -> MnkState:
        cells = self.rows * self.cols
        return MnkState(
            np.zeros(cells, np.int64),
            np.arange(cells, dtype=np.int64),
            np.arange(cells, dtype=np.int64),
            np.zeros(cells + 1, np.int64),
            np.zeros(cells, np.int64),
            np.zeros(1, np.uint64),
        )

    def copy(self, state: MnkState) -> MnkState:
        return MnkState(
            state.cells.copy(),
            state.free.copy(),
            state.places.copy(),
            state.trail.copy(),
            state.shade.copy(),
            state.hash.copy(),
        )

    def moves(self, state: MnkState, out: IntArray) -> int:
        count = self.free_count(state)
        for i in range(count):
            out[i] = state.free[i]
        return count

    def play(self, state: MnkState, move: int) -> MnkState:
        player = self.mover(state)
        end = self.free_count(state) - 1
        place, other = state.places[move], state.free[end]
        state.free[place], state.free[end] = other, move
        state.places[other] = place
        state.cells[move] = 1 + player
        state.trail[0] += 1
        state.trail[state.trail[0]] = move
        state.hash[0] ^= mix(np.uint64(2 * move + player + 1))
        count_mark_near(state.shade, self.rows, self.cols, move, 1)
        return state

    def undo(self, state: MnkState, move: int) -> None:
        state.trail[state.trail[0]] = 0
        state.trail[0] -= 1
        end = self.free_count(state) - 1
        place = state.places[move]
        other = state.free[place]
        state.free[end], state.free[place] = other, move
        state.places[other] = end
        state.cells[move] = 0
        count_mark_near(state.shade, self.rows, self.cols, move, -1)
        state.hash[0] ^= mix(np.uint64(2 * move + self.mover(state) + 1))

    def mover(self, state: MnkState) -> int:
        return state.trail[0] & 1

    def result(self, state: MnkState) -> int:
        # Before the first move the trail names cell 0, which is empty and completes nothing.
        # Testing for that in an `and` here costs half the speed of playouts, because the compiler
        # then no longer inlines this method.
        played = state.trail[0]
        if completes_line(
            state.cells, self.rows, self.cols, self.line, self.exact, state.trail[played]
        ):
            return -1
        return 0 if played == self.rows * self.cols else GOING_ON

    def key(self, state: MnkState) -> np.uint64:
        return state.hash[0]

    def prior(self, state: MnkState, move: int) -> int:
        """Prefer cells near the centre."""
        row, col = move // self.cols, move % self.cols
        return self.rows + self.cols - abs(2 * row - self.rows + 1) - abs(2 * col - self.cols + 1)

    def near(self, state: MnkState, move: int, radius: int) -> bool:
        return (
            state.shade[move] > 0
            if radius == SHADE
            else has_mark_near(state.cells, self.rows, self.cols, move, radius)
        )

    def near_moves(self, state: MnkState, radius: int, out: IntArray) -> int:
        """Write the free cells near a mark in one loop over the arrays: passing a whole state on
        would cost more than the test itself."""
        cells, free, shade = state.cells, state.free, state.shade
        kept = 0
        for i in range(len(cells) - state.trail[0]):
            cell = free[i]
            if (
                shade[cell] > 0
                if radius == SHADE
                else has_mark_near(cells, self.rows, self.cols, cell, radius)
            ):
                out[kept] = cell
                kept += 1
        return kept

    def random_move(self, state: MnkState, word: np.uint64, out: IntArray) -> int:
        return self.free_cell(state, pick(word, self.free_count(state)))

    def play_out(self, state: MnkState, random: WordArray, out: IntArray, most: int) -> int:
        """Mark cells, keeping nothing up to date but them and the list of free ones."""
        cells, free, player = state.cells, state.free, self.mover(state)
        for count in range(self.free_count(state), 0, -1):
            place = pick(next_word(random), count)
            cell = free[place]
            free[place] = free[count - 1]
            cells[cell] = 1 + player
            if completes_line(cells, self.rows, self.cols, self.line, self.exact, cell):
                return 1 - 2 * player
            player = 1 - player
        return 0

    # ---- For searches on a board of cells: compiled too ----

    def free_count(self, state: MnkState) -> int:
        """The number of free cells."""
        return len(state.cells) - state.trail[0]

    def free_cell(self, state: MnkState, i: int) -> int:
        """The free cell number `i`, from 0, in the order of `moves`."""
        return state.free[i]

    def cell_of(self, state: MnkState, move: int) -> int:
        """The cell where a move puts its mark."""
        return move

    def last_cell(self, state: MnkState) -> int:
        """The cell where the last mark was placed."""
        return state.trail[state.trail[0]]

    def is_legal(self, state: MnkState, move: int) -> bool:
        return 0 <= move < len(state.cells) and bool(state.cells[move] == 0)

    # ---- Bounds ----

    def most_moves(self) -> int:
        return self.rows * self.cols

    def longest_game(self) -> int:
        return self.rows * self.cols

    def candidates(self) -> str:
        return "all" if self.rows * self.cols <= SMALL_BOARD else "near:2"

    # ---- Notation ----

    def game_string(self) -> str:
        option = ",exact" if self.exact else ""
        if (self.rows, self.cols, self.line, self.exact) == (3, 3, 3, False):
            return "tictactoe"
        if self.rows == self.cols and self.line == 5:
            return "gomoku" if self.rows == 15 and not self.exact else f"gomoku:{self.rows}{option}"
        return f"mnk:{self.rows}x{self.cols}x{self.line}{option}"

    def move_text(self, move: int) -> str:
        return f"{column_name(move % self.cols)}{move // self.cols + 1}"

    def parse_move(self, text: str) -> int:
        last = self.move_text(self.rows * self.cols - 1)
        found = re.fullmatch(r"([a-zA-Z]{1,3})([0-9]{1,4})", text)
        if not found:
            raise IllegalMove(
                f"'{shortened(text)}' is not a cell; cells are a1 to {last}",
                "lines.error.not_a_cell",
                text=shortened(text),
                last=last,
            )
        row, col = int(found[2]) - 1, column_number(found[1].lower())
        if not (0 <= row < self.rows and col < self.cols):
            raise IllegalMove(
                f"cell {text} does not exist; cells are a1 to {last}",
                "lines.error.no_cell",
                text=text,
                last=last,
            )
        return row * self.cols + col

    def moves_text(self, moves: Sequence[int]) -> str:
        return "".join(self.move_text(move) for move in moves)

    def parse_moves(self, text: str) -> list[int]:
        moves = []
        for word in text.replace(",", " ").split():
            cells = re.findall(r"[a-zA-Z]+[0-9]+", word)
            moves += [
                self.parse_move(cell) for cell in (cells if "".join(cells) == word else [word])
            ]
        return moves

    # ---- Position literal ----

    def literal(self, state: MnkState) -> str:
        return write_owners(self._owners(state))

    def parse_literal(self, text: str) -> MnkState:
        owners = read_owners(text, self.rows, self.cols, self.game_string())
        for fault in self._faults(owners):
            raise fault
        return self._from_owners(
            owners, self._last_mark(owners, 2 - int(np.count_nonzero(owners)) % 2)
        )

    def faults(self, literal: str) -> Iterator[BadPosition]:
        owners = read_owners(literal, self.rows, self.cols, self.game_string())
        found = [*self._faults(owners)]
        yield from found or super().faults(literal)

    def _faults(self, owners: np.ndarray) -> Iterator[BadPosition]:
        return line_faults(
            owners, (self._winning_cells(owners, 1), self._winning_cells(owners, 2)), self.line
        )

    def _last_mark(self, owners: np.ndarray, last: int) -> Cell | None:
        """A mark that the last mover can have placed last: one without which there was no line yet."""
        runs = maximal_runs(owners, last)
        won = [set(run) for run in runs if self.wins(len(run))]
        marks = set.intersection(*won) if won else {cell for run in runs for cell in run}
        for mark in sorted(marks):
            rests = [
                rest
                for run in runs
                if mark in run
                for rest in (run.index(mark), len(run) - 1 - run.index(mark))
            ]
            if not any(self.wins(rest) for rest in rests):
                return mark
        if runs:
            raise BadPosition(
                f"{MARKS[last]} had a line before the last move, whichever mark of {MARKS[last]} that was",
                "editor.line_early",
                seen(owners, *won),
                last=MARKS[last],
            )
        return None

    def _from_owners(self, owners: np.ndarray, last: Cell | None) -> MnkState:
        """Make the state of a valid board: the free cells are in their natural order, and of the
        moves only the last is known, by a guess."""
        state = self.start()
        if last is None:
            return state
        state.cells[:] = owners.reshape(-1)
        last_cell = last[0] * self.cols + last[1]
        marked = [int(cell) for cell in np.flatnonzero(state.cells)]
        for cell in marked:
            state.hash[0] ^= mix(np.uint64(2 * cell + int(state.cells[cell])))
            count_mark_near(state.shade, self.rows, self.cols, cell, 1)
        marked.remove(last_cell)
        state.free[:] = [*np.flatnonzero(state.cells == 0), last_cell, *marked]
        state.places[state.free] = np.arange(len(state.free))
        state.trail[0] = len(marked) + 1
        state.trail[1 : state.trail[0]] = UNKNOWN
        state.trail[state.trail[0]] = last_cell
        return state

    # ---- Lines and drawing ----

    def wins(self, length: int) -> bool:
        """Whether a run of this length wins."""
        return length == self.line or (length > self.line and not self.exact)

    def _owners(self, state: MnkState) -> np.ndarray:
        return state.cells.reshape(self.rows, self.cols)

    def _winning_cells(self, owners: np.ndarray, owner: int) -> set[Cell]:
        return {cell for run in maximal_runs(owners, owner) if self.wins(len(run)) for cell in run}

    def cell(self, state: MnkState, row: int, column: int) -> int:
        return int(self._owners(state)[self.rows - 1 - row, column])

    def picture(self, state: MnkState) -> Picture:
        owners = self._owners(state)
        won = (
            self._winning_cells(owners, 2 - self.mover(state))
            if self.result(state) == -1
            else set()
        )
        return Picture(
            cells=tuple(map(tuple, owners[::-1].tolist())),
            column_labels=tuple(column_name(col) for col in range(self.cols)),
            row_labels=tuple(str(row) for row in range(self.rows, 0, -1)),
            marked=tuple(sorted((self.rows - 1 - row, col) for row, col in won)),
        )

    def board_style(self) -> str:
        return "stones" if min(self.rows, self.cols) >= SMALLEST_FOR_STONES else "squares"

    def changed_cells(self, state: MnkState, move: int) -> tuple[tuple[int, int], ...]:
        row, column = divmod(int(self.cell_of(state, move)), self.cols)
        return ((self.rows - 1 - row, column),)


# ---- Game strings ----


def build(rows: int, cols: int, line: int, exact: bool = False) -> Mnk:
    """The rules of a board of this size. A line of one is allowed: the first mark wins."""
    for what, size in (("rows", rows), ("columns", cols)):
        if not 1 <= size <= LARGEST_SIDE:
            raise BadGame(
                f"{size} {what}; a board has 1 to {LARGEST_SIDE} rows and columns",
                f"error.board_{what}",
                size=size,
                most=LARGEST_SIDE,
            )
    if not 1 <= line <= max(rows, cols):
        raise BadGame(
            f"a line of {line} on {rows}x{cols}; this board allows 1 to {max(rows, cols)}",
            "error.board_line",
            line=line,
            rows=rows,
            cols=cols,
            least=1,
            most=max(rows, cols),
        )
    return Mnk(rows, cols, line, exact)


def _builder(
    grammar: str,
    counts: tuple[int, ...],
    board: Callable[..., tuple[int, ...]],
    allowed: tuple[str, ...] = ("exact",),
) -> Callable[[tuple[int, ...], tuple[str, ...]], Mnk]:
    """Make a `build` function that accepts as many sizes as `counts` allows; `board` converts them
    to rows, columns and line."""

    def build_from(sizes: tuple[int, ...], options: tuple[str, ...]) -> Mnk:
        for option in options:
            if option not in allowed:
                raise BadGame(f"no option is called '{option}'; write {grammar}")
        if len(sizes) not in counts:
            raise BadGame(f"{counted(len(sizes), 'size')}; write {grammar}")
        rows, cols, line = board(*sizes)
        return build(rows, cols, line, exact="exact" in options)

    return build_from


MNK, GOMOKU, TICTACTOE = "mnk:ROWSxCOLSxLINE[,exact]", "gomoku[:SIZE[,exact]]", "tictactoe"

register_name(
    GameName(
        "mnk",
        "(m,n,k)-games: a line on any board; exact: longer lines do not win",
        MNK,
        example="mnk:7x8x5",
        build=_builder(MNK, (3,), lambda *sizes: sizes),
        place=5,
        sample=("mnk:5x6x4", "c3d3c2c4d4b2"),
    )
)
register_name(
    GameName(
        "gomoku",
        "Gomoku: five in a row on 15 rows and columns or any other square",
        GOMOKU,
        example="gomoku:19",
        build=_builder(GOMOKU, (0, 1), lambda side=15: (side, side, 5)),
        names=("gomoku",),
        place=3,
        sizes=(15,),
        sample=("gomoku:9", "e5f6f5e6g5d5e7"),
        aliases=(
            "five in a row",
            "5 in a row",
            "five in line",
            "gobang",
            "cinco em linha",
            "5 em linha",
            "cinque in fila",
        ),
    )
)
register_name(
    GameName(
        "tictactoe",
        "Tic-tac-toe: three in a row on 3 rows and columns",
        TICTACTOE,
        example="tictactoe",
        build=_builder(TICTACTOE, (0,), lambda: (3, 3, 3), allowed=()),
        names=("tictactoe",),
        place=2,
        sample=("tictactoe", "b2c3a3c1c2"),
        aliases=(
            "tic tac toe",
            "noughts and crosses",
            "xs and os",
            "three in a row",
            "3 in a row",
            "jogo da velha",
            "jogo do galo",
            "tris",
            "filetto",
        ),
    )
)


FIVE = 5
"""The length of line that these programs play."""
_POINT = re.compile(r"\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*")


def gomoku_of(rules: Rules, what: str) -> Mnk:
    """The rules as those of five in a row, the only game that `what` can describe."""
    if not isinstance(rules, Mnk) or rules.line != FIVE:
        raise BadGame(
            f"{what} knows five in a row on a board of any size, such as gomoku or mnk:10x12x5, not {rules.game_string()}"
        )
    return rules


def gomoku_board(columns: int, rows: int, exact: bool = False) -> Mnk:
    """The rules of five in a row on a board of this size."""
    return build(rows, columns, FIVE, exact)


def point_of(rules: Mnk, code: int) -> tuple[int, int]:
    """The point of a move, as column and row."""
    return code % rules.cols, rules.rows - 1 - code // rules.cols


def code_at(rules: Mnk, x: int, y: int) -> int:
    """The code of the move at a point."""
    if not (0 <= x < rules.cols and 0 <= y < rules.rows):
        raise IllegalMove(
            f"{x},{y} is not on the board of {rules.cols} columns and {rules.rows} rows, which are counted from 0"
        )
    return (rules.rows - 1 - y) * rules.cols + x


def point_text(rules: Mnk, code: int) -> str:
    """Write a move as Gomocup's protocol does: `7,7`."""
    return "{},{}".format(*point_of(rules, code))


def read_point(rules: Mnk, text: str) -> int:
    """Read a move that `point_text` wrote."""
    found = _POINT.fullmatch(text)
    if found is None:
        raise IllegalMove(f"'{shortened(text)}' is not a point; points are X,Y, such as 7,7")
    return code_at(rules, int(found[1]), int(found[2]))
