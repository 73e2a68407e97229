"""Sentences about moves of Connect, held against brute force and against the board, counted cell by
cell.
"""

from __future__ import annotations

import re
from typing import Any

from mnkala.core import Position
from mnkala.explain.contract import Reason
from tests.brute_force import truth

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
Cell = tuple[int, int]


def check_verdict(
    position: Position,
    move: int,
    told: tuple[Reason, ...],
    scores: dict[int, int],
    line: tuple[int, ...],
) -> None:
    """Hold all that is said of a move against the truth. `scores` are those of every move, for the
    mover; `line` is best play.
    """
    subject = (position, move)
    for reason in told:
        if reason.key in (
            "hint.wins_in",
            "hint.only_win",
            "hint.only_draw",
            "hint.holds_draw",
            "hint.longest",
        ):
            check_praise(position, move, reason, scores)
        elif reason.key.startswith("hint."):
            check_on_the_board(*subject, reason)
        else:
            check_fault(position, move, reason, scores, line)
        if reason.key == "why.answer":
            subject = (position.play_codes([move]), line[1])  # of which the rest is said


def bare_values(reason: Reason) -> dict[str, str]:
    """What stands in a sentence, moves by their numbers."""
    return {name: re.sub("^@move.columns? ", "", str(each)) for name, each in reason.values.items()}


def check_praise(position: Position, move: int, reason: Reason, scores: dict[int, int]) -> None:
    """Hold what is said for a move against the true scores of all moves."""
    mine, others = scores[move], [score for other, score in scores.items() if other != move]
    moves = (plies_to_end(mine, empty_cells(position)) + (mine > 0)) // 2  # of the winner
    match reason.key:
        case "hint.only_win":
            assert mine > 0 >= max(others)
        case "hint.only_draw":
            assert mine == 0 > max(others)
        case "hint.holds_draw":
            assert mine == 0 == max([mine, *others])
        case "hint.wins_in":
            assert (mine > 0, moves) == (True, reason.values["moves"])
            assert mine == max([mine, *others])
        case "hint.longest":
            assert (mine < 0, moves) == (True, reason.values["moves"])
            assert mine == max([mine, *others])
        case _:
            raise AssertionError(f"nobody can tell whether {reason} is true")


def check_fault(
    position: Position, move: int, reason: Reason, scores: dict[int, int], line: tuple[int, ...]
) -> None:
    """Hold what is said against a move against the true scores of all moves, and against the line
    that refutes it.
    """
    mine, value = scores[move], bare_values(reason)
    moves = (plies_to_end(mine, empty_cells(position)) + (mine > 0)) // 2  # of the winner
    best = (
        scores[position.rules.parse_moves(str(value["best"]))[0]]
        if "best" in value
        else max(scores.values())
    )
    match reason.key:
        case "why.wins_later":
            assert (best > mine > 0, moves) == (True, int(value["moves"]))
        case "why.gives_away_win":
            assert best > mine == 0
        case "why.loses_in":
            assert (mine < 0, moves) == (True, int(value["moves"]))
        case "why.loses_sooner":
            assert (mine < best < 0, moves) == (True, int(value["moves"]))
        case "why.gives_above" | "why.leaves_win":
            assert (
                winner(position.play_codes([move]).play(str(value["reply"]))) == 1 - position.mover
            )
            assert (reason.key == "why.gives_above") == (
                position.rules.move_text(move) == value["reply"]
            )
        case "why.answer":
            assert position.rules.move_text(line[1]) == value["reply"]
            assert truth(position.play_codes(line[:2])) == mine, (
                "the answer keeps what the move is worth"
            )
        case "why.ends":
            assert winner(position.play_codes(line)) == 1 - position.mover
            assert (
                len(cells_of(position)) - int(value["row"]),
                int(value["column"]) - 1,
            ) in reason.cells
        case _:
            raise AssertionError(f"nobody can tell whether {reason} is true")


def check_on_the_board(position: Position, move: int, reason: Reason) -> None:
    """Hold a sentence about the board against the board and the rules."""
    rules: Any = position.rules
    me, after, value = position.mover, position.play_codes([move]), bare_values(reason)
    before = cells_of(position)
    cell = changed_cell(position, move)
    others = [position.play_codes([other]) for other in position.legal_codes if other != move]
    replies = [after.play_codes([reply]) for reply in after.legal_codes]
    match reason.key:
        case "hint.wins":
            assert winner(after) == me
        case "hint.only_move":
            assert position.legal_codes == (move,)
        case "hint.only_safe":
            assert all(loses_at_once(other, 1 - me) for other in others)
            assert not loses_at_once(after, 1 - me)
        case "hint.blocks":
            assert completes(before, cell, 2 - me, rules.line)
        case "hint.fork" | "hint.stacked":
            assert all(loses_at_once(reply, me) for reply in replies)
        case "hint.threatens":
            assert completes(cells_of(after), reason.cells[0], 1 + me, rules.line)
            assert any(loses_at_once(reply, me) for reply in replies)
        case "hint.prevents_fork":
            theirs = [
                [2 - me if (row, column) == cell else mark for column, mark in enumerate(marks)]
                for row, marks in enumerate(before)
            ]
            assert len(reason.cells) > 1
            assert all(completes(theirs, each, 2 - me, rules.line) for each in reason.cells)
        case "hint.odd_threat" | "hint.even_threat":
            (threat,), cells = reason.cells, cells_of(after)
            assert threat == (rules.rows - int(value["row"]), int(value["column"]) - 1)
            assert (reason.key == "hint.odd_threat") == (int(value["row"]) % 2 == 1)
            assert cells[threat[0]][threat[1]] == cells[threat[0] + 1][threat[1]] == 0, (
                "it cannot be reached yet"
            )
            assert completes(cells, threat, 1 + me, rules.line)
            assert not completes(before, threat, 1 + me, rules.line), "it is new"
        case "hint.avoids_above":
            for given in rules.parse_moves(str(value["moves"]).replace(", ", " ")):
                assert loses_at_once(position.play_codes([given]), 1 - me)
        case "hint.builds" | "hint.disrupts":
            mark, cells = (
                (1 + me, cells_of(after)) if reason.key == "hint.builds" else (2 - me, before)
            )
            assert len(reason.cells) == int(value["count"])
            assert all(cells[row][column] == mark for row, column in reason.cells)
        case "hint.centre" | "hint.open_lines":
            reached = [changed_cell(position, other) for other in position.legal_codes]
            assert open_lines(before, cell, 1 + me, rules.line) == int(value["count"])
            assert int(value["count"]) == max(
                open_lines(before, other, 1 + me, rules.line) for other in reached
            )
            assert reason.key != "hint.centre" or abs(2 * cell[1] + 1 - rules.cols) <= 1
        case _:
            raise AssertionError(f"nobody can tell whether {reason} is true")


def plies_to_end(score: int, empties: int) -> int:
    """How many plies best play takes: who wins with r cells empty scores r // 2 + 1, and the mover
    moves at every second ply.
    """
    if score == 0:
        return empties
    return next(
        plies
        for plies in range(2 - (score > 0), empties + 1, 2)
        if (empties - plies) // 2 + 1 == abs(score)
    )


def winner(position: Position) -> int | None:
    """Who has won, if someone has."""
    return None if position.outcome is None else position.outcome.winner


def loses_at_once(position: Position, opponent: int) -> bool:
    """Whether `opponent` has won already, or can by one move."""
    if position.is_over or position.mover != opponent:
        return winner(position) == opponent
    return any(winner(position.play_codes([move])) == opponent for move in position.legal_codes)


def cells_of(position: Position) -> Any:
    """The marks by row, from the top, and column: 0, or 1 + the player."""
    return position.rules.picture(position.state()).cells


def empty_cells(position: Position) -> int:
    """How many cells are empty."""
    return sum(mark == 0 for row in cells_of(position) for mark in row)


def changed_cell(position: Position, move: int) -> Cell:
    """Where a move puts its mark."""
    before, after = cells_of(position), cells_of(position.play_codes([move]))
    return next(
        (row, column)
        for row, marks in enumerate(after)
        for column, mark in enumerate(marks)
        if mark != before[row][column]
    )


def completes(cells: Any, cell: Cell, mark: int, line: int) -> bool:
    """Whether a mark on a cell makes a line."""
    for down, right in DIRECTIONS:
        count = 1
        for sign in (1, -1):
            row, column = cell[0] + sign * down, cell[1] + sign * right
            while (
                0 <= row < len(cells) and 0 <= column < len(cells[0]) and cells[row][column] == mark
            ):
                count, row, column = count + 1, row + sign * down, column + sign * right
        if count >= line:
            return True
    return False


def open_lines(cells: Any, cell: Cell, mark: int, line: int) -> int:
    """How many lines through a cell hold no mark of the other player."""
    free = {
        (row, column)
        for row, marks in enumerate(cells)
        for column, other in enumerate(marks)
        if other in (0, mark)
    }
    return sum(
        {(cell[0] + i * down, cell[1] + i * right) for i in range(-back, line - back)} <= free
        for down, right in DIRECTIONS
        for back in range(line)
    )
