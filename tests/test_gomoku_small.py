"""Small boards: whether a side can force a win, against trying everything; and the engine that
knows it.
"""

from __future__ import annotations

import functools
import random

import numpy as np
import pytest
from bench.gomoku_small import Judge, half_points_lost

from mnkala.core import Position
from mnkala.families.lines.engine.board import count_of
from mnkala.families.lines.engine.iterative_deepening import Searcher
from mnkala.families.lines.engine.patterns import COMPLETES
from mnkala.families.lines.engine.settings import read_settings
from mnkala.families.lines.engine.shared_search import MOST_PLIES, share
from mnkala.families.lines.engine.small_board import NEVER, UNKNOWN, YES, can_win, is_small
from mnkala.families.lines.engine.weights import read_weights
from mnkala.families.lines.rules import build
from mnkala.search import Limit, Stop, parse_engine
from mnkala.search.root import Task
from mnkala.search.table import make_table
from mnkala.search.values import HIGHEST

MANY = 1 << 40
GOING = np.zeros(1, np.int64)


@functools.cache
def lines_of(rows: int, cols: int, line: int) -> tuple[frozenset[int], ...]:
    """Every set of cells that wins."""
    found = []
    for row in range(rows):
        for col in range(cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + down * i, col + right * i) for i in range(line)]
                if all(0 <= y < rows and 0 <= x < cols for y, x in cells):
                    found.append(frozenset(y * cols + x for y, x in cells))
    return tuple(found)


@functools.cache
def brute(shape: tuple[int, int, int], own: frozenset[int], other: frozenset[int]) -> int:
    """1, 0 or -1 for the player to move, by trying everything."""
    if any(line <= other for line in lines_of(*shape)):
        return -1
    best = -1 if len(own) + len(other) < shape[0] * shape[1] else 0
    for cell in set(range(shape[0] * shape[1])) - own - other:
        best = max(best, -brute(shape, other, own | {cell}))
        if best == 1:
            break
    return best


@pytest.mark.parametrize(
    ("rows", "cols", "line", "marks"),
    [
        (3, 3, 3, 0),
        (3, 3, 3, 2),
        (3, 3, 3, 3),
        (4, 4, 3, 6),
        (4, 4, 4, 7),
        (2, 7, 3, 4),
        (3, 5, 3, 5),
        (5, 4, 4, 10),
        (5, 5, 4, 15),
        (4, 3, 2, 4),
    ],
)
def test_a_win_is_found_where_trying_everything_finds_one_and_nowhere_else(
    rows: int, cols: int, line: int, marks: int
) -> None:
    rules, rng, answers = build(rows, cols, line), random.Random(rows * cols + line), set()
    for _ in range(12):
        chosen = rng.sample(range(rows * cols), marks)
        sides = [frozenset(chosen[0::2]), frozenset(chosen[1::2])]
        if any(line <= side for line in lines_of(rows, cols, line) for side in sides):
            continue
        cells = np.zeros(rows * cols, np.int64)
        for side in range(2):
            cells[list(sides[side])] = 1 + side
        mover = marks % 2
        truth = brute((rows, cols, line), sides[mover], sides[1 - mover])
        found = [
            can_win(rules, cells, mover, attacker, MANY, GOING)[0]
            for attacker in (mover, 1 - mover)
        ]
        assert found == [YES if truth == 1 else NEVER, YES if truth == -1 else NEVER], (
            chosen,
            truth,
        )
        answers.add(truth)
    assert answers


def test_what_a_limit_or_a_flag_stops_is_not_known() -> None:
    rules, cells = build(6, 6, 4), np.zeros(36, np.int64)
    cells[0], cells[7] = 1, 2
    assert can_win(rules, cells, 0, 1, 50, GOING)[0] == UNKNOWN
    assert can_win(rules, cells, 0, 1, MANY, np.ones(1, np.int64))[0] == UNKNOWN


def test_the_start_of_5x5x4_is_a_draw() -> None:
    rules, cells = build(5, 5, 4), np.zeros(25, np.int64)
    assert [can_win(rules, cells, 0, attacker, MANY, GOING)[0] for attacker in (0, 1)] == [
        NEVER,
        NEVER,
    ]


def test_large_boards_and_lines_that_must_be_exact_are_for_others() -> None:
    assert is_small(build(8, 8, 5))
    assert not is_small(build(8, 9, 5))
    assert not is_small(build(5, 5, 4, True))
    assert not is_small(build(2, 30, 20))


def test_the_engine_draws_5x5x4_from_a_drawn_opening_against_itself() -> None:
    position, engine = Position("mnk:5x5x4").play("c3b2"), parse_engine("threats")
    while not position.is_over:
        position = position.play(engine.analyse(position, Limit(nodes=100_000)).best_move)
    assert str(position.outcome) == "1/2-1/2"


def test_where_all_moves_near_the_marks_lose_one_far_from_them_is_found() -> None:
    """After b1 and d2 on 7x7x4 only c4 wins, a knight's move away from either; the proofs of the
    others are each below 75,000 nodes.
    """
    assert (
        parse_engine("threats")
        .analyse(Position("mnk:7x7x4").play("b1d2"), Limit(nodes=100_000))
        .best_move
        == "c4"
    )


@pytest.mark.parametrize("board", ["5x5x4", "6x6x4"])
@pytest.mark.parametrize("tuning", ["auto", "width:1+width_power:0+reduction:150+margin:1+razor:1"])
def test_what_the_search_calls_forced_is_so_though_it_leaves_moves_out(
    board: str, tuning: str
) -> None:
    """The search alone, without the proofs beside it: a forced loss needs all moves, and a forced
    win one that was searched, whatever was left out or reduced on the way. The judge tries
    everything. A search never begins where a line can be completed.
    """
    rows, cols, line = map(int, board.split("x"))
    rules, rng = build(rows, cols, line), random.Random(1)
    judge, said = Judge(rules), {-1: 0, 1: 0}
    for _ in range(60):
        position = Position(rules)
        for _ in range(rng.randint(6, 10)):
            if not position.is_over:
                position = position.play_codes((rng.choice(position.legal_codes),))
        if position.is_over:
            continue
        task = Task(position, Limit(nodes=3000), Stop(), lambda analysis: None, engine="")
        searcher = Searcher(
            task,
            read_settings(tuning),
            read_weights("auto"),
            make_table(14),
            0,
            share(1, MOST_PLIES + 2)[0],
        )
        if count_of(searcher.board, position.mover, COMPLETES) > 0:
            continue
        value = 0
        for depth in range(1, 7):
            best = searcher.widening(depth, None)
            if best < 0 or searcher.stopped:
                break
            value = int(searcher.values[best])
            searcher.reorder(best)
        if abs(value) > HIGHEST:
            sign = 1 if value > 0 else -1
            said[sign] += 1
            assert judge.value(position) == sign, (position.history, value)
    assert min(said.values()) > 5


@pytest.mark.slow
@pytest.mark.parametrize("board", ["5x5x4", "6x5x4", "7x7x4"])
def test_no_proved_half_point_is_lost_from_any_opening_of_two_plies(board: str) -> None:
    found = half_points_lost(
        board, Limit(nodes=300_000)
    )  # below a fifth of a second: half of them are for proofs, at four million a second
    assert found.games > 80
    assert found.lost == 0, found
