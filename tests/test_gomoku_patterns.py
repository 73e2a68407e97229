"""What a mark makes on a line, against trying all moves; and the board that keeps it in step."""

from __future__ import annotations

import random

import numpy as np
import pytest

from mnkala.families.lines.engine.board import (
    CANDIDATES,
    SPREAD,
    Board,
    make_board,
    place,
    take_back,
)
from mnkala.families.lines.engine.patterns import (
    COMPLETES,
    FIVE,
    FOUR,
    MAKES_FOUR,
    NONE,
    OPEN_FOUR,
    OPEN_THREE,
    OPEN_TWO,
    THREATS,
    THREE,
    TWO,
    WIDE_THREE,
    WINS,
    first_of,
    kind_for,
    kind_table,
    packed,
    reach_of,
    second_of,
)
from mnkala.families.lines.engine.weights import FIRST_GUESS
from mnkala.families.lines.rules import Mnk, build
from tests.line_reference import BLOCKED, FREE, OWN, slow_kind

SIZES = [
    (15, 15, 5, False),
    (15, 15, 5, True),
    (6, 7, 4, False),
    (6, 5, 4, True),
    (3, 3, 3, False),
    (9, 20, 6, False),
    (11, 11, 7, False),
    (13, 12, 10, True),
    (1, 1, 1, False),
    (4, 4, 2, False),
    (2, 9, 3, True),
]


def kind(cells: str, line: int, exact: bool = False) -> int:
    """The kind of a line written as text, the new mark in the middle as O: `.xxO.`, filled up with
    what blocks.
    """
    middle, reach = cells.index("O"), reach_of(line, exact)
    around = [
        cells[i] if 0 <= i < len(cells) else BLOCKED
        for i in range(middle - reach, middle + reach + 1)
        if i != middle
    ]
    code = sum(
        {FREE: 0, OWN: 1, BLOCKED: 3, "o": 2}[cell] << (2 * i) for i, cell in enumerate(around)
    )
    return kind_for(code, 0, line, exact, reach)


def test_the_patterns_of_gomoku_have_the_names_that_players_know() -> None:
    assert kind("xxxxO", 5) == FIVE
    assert kind(".xxxO.", 5) == OPEN_FOUR
    assert kind("oxxxO.", 5) == FOUR
    assert kind("x.xxO", 5) == FOUR
    assert kind("x.xOx.x", 5) == OPEN_FOUR  # two cells complete a line: as good as open
    assert kind("..xxO..", 5) == WIDE_THREE
    assert kind(".xxO..", 5) == OPEN_THREE
    assert kind(".x.xO.", 5) == OPEN_THREE
    assert kind("oxxO..", 5) == THREE
    assert kind("o.xxO.o", 5) == THREE  # five cells between the blocks: one way only
    assert kind("..xO..", 5) in (OPEN_TWO, OPEN_TWO + 1)
    assert kind("oxO...", 5) == TWO
    assert kind("oxO.o", 5) == NONE


def test_longer_runs_count_only_where_they_win() -> None:
    assert kind("xxxOxx", 5) == FIVE
    assert kind("xxxOxx", 5, exact=True) == NONE
    assert kind("x.xxxO.", 5) == OPEN_FOUR
    assert kind("x.xxxO.", 5, exact=True) == FOUR  # the gap would make six


@pytest.mark.parametrize(
    ("line", "exact"),
    [
        (5, False),
        (5, True),
        (4, False),
        (4, True),
        (3, False),
        (6, False),
        (2, False),
        (1, False),
        (7, False),
    ],
)
def test_kinds_are_what_trying_all_moves_says(line: int, exact: bool) -> None:
    rng = random.Random(line)
    reach = reach_of(line, exact)
    compared = 0
    for _ in range(250 if line < 6 else 60):
        free = rng.choice((2, 3))
        around = [rng.choice([FREE] * free + [OWN] * 2 + [BLOCKED]) for _ in range(2 * reach)]
        cells = "".join(around[:reach]) + OWN + "".join(around[reach:])
        try:
            wanted = slow_kind(cells, line, exact)
        except ValueError:
            continue
        code = sum(
            {FREE: 0, OWN: 1, BLOCKED: rng.choice((2, 3))}[cell] << (2 * i)
            for i, cell in enumerate(around)
        )
        assert kind_for(code, 0, line, exact, reach) == wanted, cells
        mirrored = sum(
            {0: 0, 1: 2, 2: 1, 3: 3}[(code >> (2 * i)) & 3] << (2 * i) for i in range(2 * reach)
        )
        assert kind_for(mirrored, 1, line, exact, reach) == wanted
        if len(kind_table(line, exact)):
            assert kind_table(line, exact)[code] & 15 == wanted
            assert (kind_table(line, exact)[mirrored] >> 4) & 15 == wanted
        compared += 1
    assert compared > 20


def from_scratch(board: Board, rules: Mnk) -> Board:
    """The same marks on a new board, without the history."""
    return make_board(rules, board.cells.copy(), FIRST_GUESS)


@pytest.mark.parametrize(("rows", "cols", "line", "exact"), SIZES)
def test_what_is_kept_in_step_is_what_one_would_find_anew(
    rows: int, cols: int, line: int, exact: bool
) -> None:
    rules = build(rows, cols, line, exact)
    board = make_board(rules, np.zeros(rows * cols, np.int64), FIRST_GUESS)
    rng = random.Random(rows * cols + line)
    stack: list[int] = []
    for step in range(120):
        empty = [cell for cell in range(rows * cols) if not board.cells[cell]]
        if stack and (not empty or rng.random() < 0.42):
            take_back(board, stack.pop())
        else:
            stack.append(rng.choice(empty))
            place(board, stack[-1], rng.randrange(2))  # sides need not alternate
        if step % 15 == 0 or step == 119:
            fresh = from_scratch(board, rules)
            for name in ("codes", "combinations", "sets", "hash"):
                assert np.array_equal(getattr(board, name), getattr(fresh, name)), name
            assert np.array_equal(board.numbers[2:], fresh.numbers[2:])
    while stack:
        take_back(board, stack.pop())
    empty_board = make_board(rules, np.zeros(rows * cols, np.int64), FIRST_GUESS)
    assert all(
        np.array_equal(getattr(board, name), getattr(empty_board, name))
        for name in ("codes", "combinations", "sets", "numbers")
    )


@pytest.mark.parametrize(
    ("rows", "cols", "line", "exact"),
    [(9, 9, 5, False), (8, 9, 5, True), (6, 7, 4, False), (5, 5, 3, False)],
)
def test_sets_and_sums_are_what_the_rules_say(rows: int, cols: int, line: int, exact: bool) -> None:
    rules = build(rows, cols, line, exact)
    rng = random.Random(line)
    for marks in (4, 9, 14):
        board = make_board(rules, np.zeros(rows * cols, np.int64), FIRST_GUESS)
        for i, cell in enumerate(rng.sample(range(rows * cols), marks)):
            place(board, cell, i % 2)
        for side in range(2):
            wins = {
                cell
                for cell in range(rows * cols)
                if not board.cells[cell] and _completes(rules, board, cell, side)
            }
            assert _cells(board, side * THREATS + COMPLETES) == wins
            if wins:
                continue
            for cell in _cells(board, side * THREATS + WINS) | _cells(
                board, side * THREATS + MAKES_FOUR
            ):
                place(board, cell, side)
                then = {
                    other
                    for other in range(rows * cols)
                    if not board.cells[other] and _completes(rules, board, other, side)
                }
                take_back(board, cell)
                assert (len(then) > 1) == (cell in _cells(board, side * THREATS + WINS))
                assert then
        near = {
            cell
            for cell in range(rows * cols)
            if not board.cells[cell]
            and any(
                board.cells[row * cols + col]
                for row, col in _star(cell // cols, cell % cols)
                if 0 <= row < rows and 0 <= col < cols
            )
        }
        assert _cells(board, CANDIDATES) == near


def _star(row: int, col: int) -> list[tuple[int, int]]:
    ways = ((0, 1), (1, 0), (1, 1), (1, -1))
    return [
        (row + far * down, col + far * right)
        for down, right in ways
        for far in range(-SPREAD, SPREAD + 1)
        if far
    ]


def _completes(rules: Mnk, board: Board, cell: int, side: int) -> bool:
    owners = board.cells.reshape(rules.rows, rules.cols).copy()
    owners[cell // rules.cols, cell % rules.cols] = 1 + side
    return (cell // rules.cols, cell % rules.cols) in rules._winning_cells(owners, 1 + side)


def _cells(board: Board, which: int) -> set[int]:
    words = board.sets[which * board.words : (which + 1) * board.words]
    return {
        64 * i + bit for i, word in enumerate(words) for bit in range(64) if int(word) >> bit & 1
    }


def test_two_numbers_are_added_as_one() -> None:
    total = packed(5, -7) + packed(-3, 2) - packed(10, -20)
    assert (first_of(total), second_of(total)) == (-8, 15)
