"""Kalah solved: margins that are those of a Kalah of lists which tries everything, and of the
literature.
"""

from __future__ import annotations

import functools
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnkala import Position
from mnkala.core import parse_game
from mnkala.families.kalah.rules import Kalah
from mnkala.families.kalah.solver import search as kernel_module
from mnkala.families.kalah.solver.board import (
    MOST_SEEDS,
    board_for,
    number_of,
    positions_up_to,
    row_number,
)
from mnkala.families.kalah.solver.database import build_database, rows_of
from mnkala.families.kalah.solver.estimate import sure_answer, turn_at_hand
from mnkala.families.kalah.solver.solver import KalahSolver, next_question
from mnkala.native import plain
from mnkala.solve import Cost, prove
from mnkala.solve.threads import NODES
from tests.kalah_claims import board_of, margin, scores_of, to_come

FROM_THE_START = {
    "2x4": (-12, -10),
    "3x6": (-10, -8),
    "4x3": (8, 6),
    "4x5": (2, 4),
    "5x2": (0, 2),
    "5x3": (8, 6),
    "5x4": (12, 10),
    "6x1": (2, 2),
    "6x2": (10, 6),
    "6x3": (2, 2),
}
"""Under empty capture and under the standard rule (Irving, Donkers and Uiterwijk 2000; Carstensen
2011).
"""
SIGNATURES = {
    "kalah:6x2": 683,
    "kalah:6x2,standard": 5018,
    "kalah:5x3": 9489,
    "kalah:5x3,standard": 34291,
}


CASES = [
    (f"kalah:{size}{rule}", margins[i])
    for size, margins in FROM_THE_START.items()
    for i, rule in enumerate(("", ",standard"))
]


@functools.cache
def random_positions(game: str, count: int, most_seeds: int, seed: int = 0) -> tuple[Position, ...]:
    """Unfinished positions of random games with at most so many seeds in the houses, and stores as
    they came.
    """
    chance, rules = random.Random(f"{game} {seed}"), parse_game(game)
    found: list[Position] = []
    while len(found) < count:
        position = Position(rules)
        while not position.is_over and (in_houses(position) > most_seeds or chance.random() < 0.6):
            position = position.play_codes([chance.choice(position.legal_codes)])
        if not position.is_over:
            found.append(position)
    return tuple(found)


def in_houses(position: Position) -> int:
    return sum(map(sum, board_of(position).rows))


def truth(position: Position) -> int:
    return margin(board_of(position), position.mover)


# ---- Margins ----


@pytest.mark.parametrize(("game", "expected"), CASES)
def test_the_starts_have_the_margins_of_the_literature(game: str, expected: int) -> None:
    assert KalahSolver(parse_game(game), table_mb=64).solve(Position(game)).score.exact == expected


@pytest.mark.parametrize(
    ("game", "count", "seeds"),
    [
        ("kalah:2x5", 250, 12),
        ("kalah:3x3,standard", 250, 12),
        ("kalah:3x4", 250, 12),
        ("kalah:4x3", 250, 11),
        ("kalah:4x3,standard", 250, 11),
        ("kalah:5x3", 250, 9),
        ("kalah:6x4", 300, 7),
        ("kalah:6x4,standard", 300, 7),
        ("kalah:8x2", 100, 7),
        ("kalah:1x6", 6, 12),
        ("kalah:2x10,standard", 100, 14),
    ],
)
def test_two_thousand_positions_have_the_margin_of_trying_everything(
    game: str, count: int, seeds: int
) -> None:
    """The margins of all houses, too: a move's is that of the position after it."""
    solver = KalahSolver(parse_game(game), table_mb=16)
    for position in random_positions(game, count, seeds):
        assert solver.solve(position).score.exact == truth(position), position.literal


def test_every_house_has_its_margin_and_the_best_line_ends_with_it() -> None:
    for position in random_positions("kalah:4x4", 8, 10, seed=1):
        *_, exact = prove(position)
        scores = scores_of(position)
        assert {known.code: known.score.exact for known in exact.moves} == {
            code: score.value for code, score in scores.items()
        }
        end = board_of(position.play_codes(exact.line_codes))
        assert end.over
        assert (end.lead if position.mover == 0 else -end.lead) == exact.score.exact


# ---- The answer depends on nothing else ----


def test_threads_table_database_and_what_was_solved_before_change_no_margin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = "kalah:5x3,standard"
    rules, asked = parse_game(game), (Position(game), *random_positions(game, 30, 22, seed=2))
    expected = [KalahSolver(rules, table_mb=8).solve(position).score.exact for position in asked]
    tiny, two, kept = (
        KalahSolver(rules, table_mb=1),
        KalahSolver(rules, table_mb=8, threads=2),
        KalahSolver(rules, table_mb=8),
    )
    assert [tiny.solve(position).score.exact for position in asked] == expected
    assert [two.solve(position).score.exact for position in asked] == expected
    assert [kept.solve(position).score.exact for position in reversed(asked)] == expected[::-1]
    monkeypatch.setenv("MNKALA_CACHE_DIR", str(tmp_path))
    build_database(rules, 8)  # type: ignore[arg-type]
    knowing = KalahSolver(rules, table_mb=8)
    assert knowing.houses.known == 8
    assert [knowing.solve(position).score.exact for position in asked] == expected
    assert (
        knowing.solve(asked[0]).nodes
        < KalahSolver(rules, table_mb=8, database=False).solve(asked[0]).nodes
    )


@pytest.mark.parametrize("game", SIGNATURES)
def test_the_nodes_of_a_proof_are_the_same_on_every_machine(game: str) -> None:
    assert (
        KalahSolver(parse_game(game), table_mb=16, database=False).solve(Position(game)).nodes
        == SIGNATURES[game]
    )


def test_the_kernels_are_the_same_in_plain_python() -> None:
    slow = plain(kernel_module.search)
    for position in random_positions("kalah:3x3", 6, 14, seed=3):
        got, expected = (KalahSolver(position.rules, table_mb=4) for _ in range(2))
        words = got.board(position)
        if len(position.legal_codes) < 2:
            continue
        answers = []
        for solver, kernel in ((got, kernel_module.search), (expected, slow)):
            with np.errstate(over="ignore"):
                answers.append(
                    (
                        int(
                            kernel(
                                *words,
                                in_houses(position),
                                0,
                                np.uint64(0),
                                np.uint64(0),
                                0,
                                solver.rules,
                                solver.houses,
                                solver._threads[0],
                            )
                        ),
                        int(solver._threads[0].control[NODES]),
                    )
                )
        assert answers[0] == answers[1]


# ---- What it rests on ----


@pytest.mark.parametrize(("houses", "most"), [(1, 9), (2, 9), (3, 8), (4, 6), (6, 4)])
def test_positions_are_numbered_without_a_gap(houses: int, most: int) -> None:
    board, numbers = board_for(Kalah(houses)), []
    for seeds in range(2, most + 1):
        for mine in range(1, seeds):
            rows, others = rows_of(houses, mine), rows_of(houses, seeds - mine)
            with np.errstate(over="ignore"):
                assert [row_number(row, board) for row in rows] == list(range(len(rows)))
                numbers += [number_of(row, other, board) for row in rows for other in others]
        assert positions_up_to(seeds, board) == len(numbers)
    assert numbers == list(range(len(numbers)))


@given(st.data())
def test_what_is_sure_of_this_turn_and_the_next_bounds_the_margin(data: st.DataObject) -> None:
    houses, standard = data.draw(st.integers(1, 4)), data.draw(st.booleans())
    rows = st.lists(st.integers(0, 4), min_size=houses, max_size=houses).filter(any)
    own, other = tuple(data.draw(rows)), tuple(data.draw(rows))
    if sum(own) + sum(other) > 12:
        return
    rules = Kalah(houses, 1, standard)
    words = [
        np.uint64(sum(count << 8 * house for house, count in enumerate(row)))
        for row in (own, other)
    ]
    with np.errstate(over="ignore"):
        extra, capture, gain = turn_at_hand(words[0], words[1], board_for(rules), rules)
        answer = sure_answer(words[0], words[1], extra, capture, board_for(rules))
    left = sum(own) + sum(other)
    assert 2 * gain - left <= to_come((own, other), 0, standard) <= left - 2 * answer


def test_questions_stay_within_the_bounds_and_end() -> None:
    for lower in range(-12, 13):
        for upper in range(lower + 1, 13):
            assert all(
                lower <= next_question(lower, upper, guess) < upper for guess in range(-14, 15)
            )


# ---- Reach ----


def test_too_many_seeds_are_out_of_reach_and_the_bounds_say_nothing_false() -> None:
    position = Position("kalah:6x6")
    solver = KalahSolver(position.rules, table_mb=1)
    assert solver.cost(position) is Cost.HOPELESS
    found = solver.solve(position)
    assert (found.score.lower, found.score.upper, found.nodes) == (-72, 72, 0)
    assert in_houses(position) > MOST_SEEDS
    late = Position("kalah:6x6", literal="<6,30,35,0,0,1,0,2,1,0,1,0,0,1,1>")
    assert solver.cost(late) is Cost.AT_ONCE
    assert solver.solve(late).score.exact == truth(late)


def test_a_node_limit_leaves_bounds_that_hold_the_truth() -> None:
    position = Position("kalah:5x3")
    for nodes in (1, 50, 3000):
        found = KalahSolver(position.rules, table_mb=8).solve(position, nodes=nodes)
        assert found.score.lower <= 8 <= found.score.upper
        assert found.nodes <= nodes + 1000, "the look ahead at one position is not cut short"
