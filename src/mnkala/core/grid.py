"""What games on a rectangular board share: lines, and a literal of rows with `x`, `o` and dots.

Cells are (row, column) with row 0 at the bottom; an *owner* is 0 for an empty cell, otherwise 1
+ the player.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np

from mnkala.errors import BadPosition
from mnkala.native import shared
from mnkala.numbers import counted, read_digits

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps (row, column) along a line: horizontal, vertical and the two diagonals, in this order."""
MARKS = ".xo"
GRID = re.compile(r"[.xo0-9]+(?:/[.xo0-9]+)+", re.IGNORECASE)
"""Rows of a board, separated by `/`."""
LONGEST_RUN = 1000
"""The largest count of empty cells that a literal may contain."""


def winning_cells(owners: np.ndarray, owner: int, line: int) -> set[tuple[int, int]]:
    """All cells on complete lines of one owner, found in the slow, obvious way."""
    rows, cols = owners.shape
    found = set()
    for row, col in zip(*np.nonzero(owners == owner), strict=True):
        for step_row, step_col in DIRECTIONS:
            cells = [(int(row) + i * step_row, int(col) + i * step_col) for i in range(line)]
            if all(0 <= r < rows and 0 <= c < cols and owners[r, c] == owner for r, c in cells):
                found.update(cells)
    return found


def write_owners(owners: np.ndarray) -> str:
    """Write the rows of a board from the top, separated by `/`."""
    return "/".join("".join(MARKS[owner] for owner in row) for row in owners[::-1])


def size_of(literal: str) -> tuple[int, int] | None:
    """The rows and columns of a board that a literal writes row by row; None for any other text."""
    if not GRID.fullmatch(literal):
        return None
    first = re.findall(r"[0-9]+|[^0-9]+", literal.partition("/")[0])
    return literal.count("/") + 1, sum(
        int(part[:4]) if part.isdecimal() else len(part) for part in first
    )


def read_owners(text: str, rows: int, cols: int, game: str) -> np.ndarray:
    """The board that a literal describes; a number stands for that many empty cells. Lines are
    not checked."""
    lines = text.strip().lower().split("/")
    shape = f"{counted(rows, 'row')} of {counted(cols, 'cell')}, from the top, separated by '/'"
    needed: dict[str, str | int] = {"game": game, "rows": rows, "columns": cols}
    if len(lines) != rows:
        text = f"{counted(len(lines), 'row')}; {game} needs {shape}"
        raise BadPosition(text, "error.literal_rows", count=len(lines), **needed)
    owners = np.zeros((rows, cols), dtype=np.int8)
    for number, line in enumerate(lines, start=1):
        wrong = re.search(r"[^.xo0-9]", line)
        if wrong:
            raise BadPosition(
                f"'{wrong.group()}' in row {number}; cells are x, o, '.' or a count of empty cells",
                "error.literal_sign",
                sign=wrong.group(),
                row=number,
            )
        cells = re.sub(
            r"[0-9]+", lambda count: "." * min(read_digits(count.group()) or 0, LONGEST_RUN), line
        )
        if len(cells) != cols:
            text = f"row {number} has {counted(len(cells), 'cell')}; {game} needs {shape}"
            raise BadPosition(text, "error.literal_row", row=number, count=len(cells), **needed)
        owners[rows - number] = [MARKS.index(mark) for mark in cells]
    return owners


def line_faults(
    owners: np.ndarray, lines: tuple[set[tuple[int, int]], set[tuple[int, int]]], length: int
) -> Iterator[BadPosition]:
    """Why a board cannot arise in a game of lines in which players alternate: too many marks of
    a player, or a line of both."""
    first, second = int(np.count_nonzero(owners == 1)), int(np.count_nonzero(owners == 2))
    if first - second not in (0, 1):
        yield BadPosition(
            f"{counted(first, 'mark')} of x and {second} of o: x moves first, so x has as many as o, or one more",
            "editor.too_many_first" if first > second else "editor.too_many_second",
            x="x",
            o="o",
            first=first,
            second=second,
        )
    if all(lines):
        yield BadPosition(
            "x and o both have a line already",
            "editor.both_lines",
            seen(owners, *lines),
            line=length,
        )
    last, other = ("x", "o") if first > second else ("o", "x")
    if first - second in (0, 1) and lines[first - second] and not all(lines):
        yield BadPosition(
            f"{other} has a line already, so {last} could not have moved after it",
            "editor.line_before",
            seen(owners, *lines),
            winner=other,
            last=last,
            line=length,
        )


def seen(owners: np.ndarray, *groups: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Convert cells to those of a picture, whose rows are counted from the top."""
    return tuple(sorted((len(owners) - 1 - row, col) for cells in groups for row, col in cells))


@shared
def ways(direction: int, row: int, col: int, rows: int, cols: int) -> tuple[int, int, int]:
    """For a direction (0 along a row, 1 up a column, 2 and 3 along the diagonals) and a cell: the
    step to the next cell, and the numbers of cells ahead and behind."""
    if direction == 0:
        return 1, cols - 1 - col, col
    if direction == 1:
        return cols, rows - 1 - row, row
    if direction == 2:
        return cols + 1, min(rows - 1 - row, cols - 1 - col), min(row, col)
    return cols - 1, min(rows - 1 - row, col), min(row, cols - 1 - col)


@shared
def completes_line(
    cells: np.ndarray, rows: int, cols: int, line: int, exact: bool, cell: int
) -> bool:
    """Whether the mark on a cell is in a run of `line` marks or, unless `exact`, of more.

    A cell is numbered row * cols + column; an empty one completes nothing. Only the runs through
    the cell are measured, and compiled code may call this function, too.
    """
    row = cell // cols
    col = cell - row * cols
    owner = cells[cell]
    for direction in range(4):
        step, ahead, behind = ways(direction, row, col, rows, cols)
        length = 1
        other = cell + step
        while ahead > 0 and cells[other] == owner:
            length += 1
            ahead -= 1
            other += step
        other = cell - step
        while behind > 0 and cells[other] == owner:
            length += 1
            behind -= 1
            other -= step
        if length == line or (length > line and not exact):
            return owner != 0
    return False


def maximal_runs(owners: np.ndarray, owner: int) -> list[list[tuple[int, int]]]:
    """Every run of one owner's marks, in each direction, that no further mark continues. Compiled
    code cannot call this function."""
    marks = {(row, col) for row, col in np.argwhere(owners == owner).tolist()}
    runs = []
    for step_row, step_col in DIRECTIONS:
        for row, col in sorted(marks):
            if (row - step_row, col - step_col) not in marks:
                run = []
                while (row, col) in marks:
                    run.append((row, col))
                    row, col = row + step_row, col + step_col
                runs.append(run)
    return runs


def column_name(col: int) -> str:
    """The letters of a column, as in a spreadsheet: a to z, aa, ab, …"""
    return ("" if col < 26 else column_name(col // 26 - 1)) + chr(ord("a") + col % 26)


def column_number(letters: str) -> int:
    """The number of the column that `column_name` gave these letters."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("a") + 1
    return number - 1
