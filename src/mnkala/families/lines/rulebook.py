"""The rules of (m,n,k)-games for people who do not know them: the sections, and the positions that
illustrate them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mnkala.core import Position
from mnkala.core.grid import column_name
from mnkala.core.picture import Cell
from mnkala.explain.rulebook import LONGEST_DRAWN, Section, Writer, in_turn
from mnkala.families.lines.rules import SMALLEST_FOR_STONES, Mnk


def sections(rules: Mnk, write: Writer) -> tuple[Section, ...]:
    """Write the rules of boards where every free cell can be taken; for `gomoku`, with stones and a
    word about its variants."""
    line, gomoku = rules.line, rules.line == 5 and rules.rows == rules.cols
    side = SMALLEST_FOR_STONES if gomoku else line + 2
    rows, columns = min(rules.rows, side), min(rules.cols, side)
    board = Position(f"mnk:{rows}x{columns}x{line}" + (",exact" if rules.exact else ""))
    can_be_drawn = line <= LONGEST_DRAWN and min(rows, columns, line) > 1
    lines = (
        [write.figure(board.play(moves), caption) for caption, moves in _lines(rows, columns, line)]
        if can_be_drawn
        else []
    )
    sections = [
        write.section("marks.aim", *lines, rows=rules.rows, columns=rules.cols, line=line),
        write.section("gomoku.move" if gomoku else "marks.move"),
    ]
    if can_be_drawn and line < max(rows, columns):
        over = board.play(_overline(rows, columns, line))
        name = f"{'gomoku' if gomoku else 'marks'}.longer_{'loses' if rules.exact else 'wins'}"
        sections.append(
            write.section(
                name, write.figure(over, "longer", longer=line + 1), line=line, longer=line + 1
            )
        )
    sections.append(write.section("marks.end"))
    if (rows, columns, line) == (3, 3, 3):
        sections.append(
            write.section(
                "tictactoe.tip", write.figure(board.play("a1b2c3a3c1"), "fork", (2, 1), (1, 2))
            )
        )
    elif gomoku and rows >= SMALLEST_FOR_STONES:
        sections.append(
            write.section(
                "gomoku.tip", write.figure(board.play("e5e6d5c6f5"), "open_three", (4, 2), (4, 6))
            )
        )
    return (
        *sections,
        write.section("marks.notation", last=rules.move_text(rules.rows * rules.cols - 1)),
    )


def _lines(rows: int, columns: int, line: int) -> Iterator[tuple[str, str]]:
    """Games that end with a line of the first player, one for each direction that the board has
    room for."""
    bottom, left = (rows - line) // 2, (columns - line) // 2
    if columns >= line:
        row = (rows - 1) // 2
        yield "across", _answered([(row, left + i) for i in range(line)], (1, 0))
    if rows >= line:
        column = (columns - 1) // 2
        yield "upright", _answered([(bottom + i, column) for i in range(line)], (0, 1))
    if min(rows, columns) >= line:
        yield "diagonal", _answered([(bottom + i, left + i) for i in range(line)], (0, 1))


def _overline(rows: int, columns: int, line: int) -> str:
    """A game in which the first player fills a gap and has one mark more in a row than needed."""
    gap = line // 2
    places = [place for place in range(line + 1) if place != gap] + [gap]
    if columns > line:
        return _answered([((rows - 1) // 2, place) for place in places], (1, 0))
    return _answered([(place, (columns - 1) // 2) for place in places], (0, 1))


def _answered(cells: Sequence[Cell], beside: Cell) -> str:
    """A game in which the first player takes these cells (row from the bottom, column) and the
    second always the one beside it."""
    names = [f"{column_name(column)}{row + 1}" for row, column in cells]
    others = [
        f"{column_name(column + beside[1])}{row + beside[0] + 1}" for row, column in cells[:-1]
    ]
    return in_turn(names, others)
