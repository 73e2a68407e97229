"""The rules of Connect for people who do not know it: the sections, and the positions that
illustrate them."""

from __future__ import annotations

from mnkala.core import Position
from mnkala.explain.rulebook import LONGEST_DRAWN, Section, Writer, in_turn
from mnkala.families.connect.rules import ConnectRules


def sections(rules: ConnectRules, write: Writer) -> tuple[Section, ...]:
    """Write the rules with lines of the board's own length, on a board that is small enough to be
    seen at a glance."""
    line = rules.line
    board = Position("connect4") if line == 4 else Position(f"connect:{line}x{line + 2}x{line}")
    rows = 6 if line == 4 else line
    own = [str(column) for column in range(2, line + 2)]
    """Columns from the second on, for a line on the ground with free ends."""
    lines, drop, fork = [], [], []
    if line <= LONGEST_DRAWN:
        lines = [
            write.figure(board.play(in_turn(own, own[:-1])), "across"),
            write.figure(board.play(in_turn([own[0]] * line, [own[1]] * (line - 1))), "upright"),
        ]
        fork = [
            write.figure(
                board.play(in_turn(own[:-1], own[:-2])), "fork", (rows - 1, 0), (rows - 1, line)
            )
        ]
    if line == 4:
        lines.append(write.figure(board.play("12233434464"), "diagonal"))
        drop = [
            write.figure(board.play("4455"), "before", (3, 3), move="4"),
            write.figure(board.play("44554"), "after", move="4"),
        ]
    return (
        write.section("connect.aim", *lines, rows=rules.rows, columns=rules.cols, line=line),
        write.section("connect.move", *drop),
        write.section("connect.end", line=line),
        write.section("connect.tip", *fork),
        write.section("connect.notation", columns=rules.cols),
    )
