"""The heuristic of runs: counted as report 004 describes, kept up to date move by move, ranked as
the report's weights rank.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnkala import Position, parse_engine, parse_game
from mnkala.core.rules import GOING_ON
from mnkala.errors import BadEngine
from mnkala.families.connect.rules import WideConnect
from mnkala.families.lines.rules import Mnk
from mnkala.native import kernel, plain
from mnkala.native.objects import IntArray
from mnkala.search.heuristic import heuristic_for
from mnkala.search.stone_runs import Runs, rank
from mnkala.search.values import HIGHEST
from tests.games_to_check import ArrayNim
from tests.reference import random_position

GAMES = [
    "tictactoe",
    "mnk:5x7x3",
    "mnk:6x6x3,exact",
    "gomoku",
    "gomoku:9,exact",
    "mnk:1x12x4",
    "mnk:12x1x4",
    "mnk:4x4x1",
    "mnk:20x31x8",
    "connect4:8x9",
    "connect:9x10x5",
]


def lines_of(rules: Any, cells: IntArray) -> list[list[int]]:
    """Every row, column and diagonal of the board, one cell long ones too."""
    grid = np.asarray(cells).reshape(rules.rows, rules.cols)
    diagonals = range(1 - rules.rows, rules.cols)
    lines = [
        *grid,
        *grid.T,
        *(grid.diagonal(i) for i in diagonals),
        *(grid[::-1].diagonal(i) for i in diagonals),
    ]
    return [[int(cell) for cell in line] for line in lines]


def slow_tenths(rules: Any, cells: IntArray) -> list[int]:
    """The differences by length, counted line by line with `itertools.groupby`, as the report's own
    program does.
    """
    differences = [0] * rules.line
    exact = getattr(rules, "exact", False)

    def count(owner: int, length: int, before: int, after: int) -> None:
        tenths = {0: 1, 1: 5, 2: 10}[(before == 0) + (after == 0)]
        differences[length] += tenths if owner == 1 else -tenths

    for line in lines_of(rules, cells):
        groups = [(owner, len(list(group))) for owner, group in itertools.groupby(line)]
        padded = [(9, 1), (9, 1), *groups, (9, 1), (9, 1), (9, 1)]
        for i, (owner, length) in enumerate(padded):
            if owner in (1, 2):
                if length < rules.line:
                    count(owner, length, padded[i - 1][0], padded[i + 1][0])
                if padded[i + 1] == (0, 1) and padded[i + 2][0] == owner:
                    joint = length + padded[i + 2][1]
                    if joint < rules.line or not exact:
                        count(owner, min(joint, rules.line - 1), padded[i - 1][0], padded[i + 3][0])
    return [0, *differences[1:]]


# ---- What is counted ----


def row_tenths(row: str, exact: bool = False) -> list[int]:
    """The differences by length in a single row of cells where five win, with the other three
    directions taken off.
    """
    rules = Mnk(1, len(row), 5, exact)
    state = rules.start()
    state.cells[:] = [".xo".index(mark) for mark in row]
    memory = Runs(exact).begin(rules, state)
    memory[1] -= 3 * (row.count("x") - row.count("o"))
    return [int(number) for number in memory[1:]]


@pytest.mark.parametrize(
    ("row", "tenths"),
    [
        ("..x......", [10, 0, 0, 0]),
        ("..xx.....", [0, 10, 0, 0]),
        ("..xxx....", [0, 0, 10, 0]),
        ("..xxxx...", [0, 0, 0, 10]),
        (".oxxxx...", [-5, 0, 0, 5]),
        (".oxxxxo..", [-10, 0, 0, 1]),
        ("xxxx.....", [0, 0, 0, 5]),
        ("xxxxo....", [-5, 0, 0, 1]),
        ("..o......", [-10, 0, 0, 0]),
        ("x........", [5, 0, 0, 0]),
        ("xxxxx....", [0, 0, 0, 0]),
    ],
)
def test_a_run_counts_by_its_length_and_its_open_ends(row: str, tenths: list[int]) -> None:
    assert row_tenths(row) == tenths


@pytest.mark.parametrize(
    ("row", "exact", "tenths"),
    [
        ("..x.x....", False, [20, 10, 0, 0]),
        ("..xx.x...", False, [10, 10, 10, 0]),
        ("..xx.xx..", False, [0, 20, 0, 10]),
        (".oxx.xx..", False, [-5, 15, 0, 5]),
        ("..xx..xx.", False, [0, 20, 0, 0]),
        ("..xxoxx..", False, [-1, 10, 0, 0]),
        ("..x.x.x..", False, [30, 20, 0, 0]),
        ("..xxx.xx.", False, [0, 10, 10, 10]),
        ("..xxx.xx.", True, [0, 10, 10, 0]),
        ("..xx.xx..", True, [0, 20, 0, 10]),
        ("xxxxxx.x.", True, [10, 0, 0, 0]),
    ],
)
def test_two_runs_around_one_empty_cell_count_as_one_too(
    row: str, exact: bool, tenths: list[int]
) -> None:
    assert row_tenths(row, exact) == tenths


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10_000))
def test_counting_agrees_with_a_slow_reference(game: str, seed: int) -> None:
    position = random_position(game, seed, 80)
    memory = heuristic_for("runs", position.rules).begin(position.rules, position.state())
    assert [int(number) for number in memory] == slow_tenths(position.rules, position.state().cells)


# ---- Kept up to date ----


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=15)
def test_the_memory_follows_play_and_undo(game: str, seed: int) -> None:
    """Play and take back at random: the memory always equals one that is counted from scratch."""
    rules: Any = parse_game(game)
    runs = heuristic_for("runs", rules)
    rng = random.Random(seed)
    state = rules.start()
    memory = runs.begin(rules, state)
    buffer = np.zeros(rules.most_moves(), dtype=np.int64)
    played: list[int] = []
    for _ in range(60):
        if rules.result(state) == GOING_ON and (not played or rng.random() < 0.65):
            played.append(int(rng.choice(buffer[: rules.moves(state, buffer)].tolist())))
            state = rules.play(state, played[-1])
            cells = state.cells.copy()
            memory = runs.played(rules, state, played[-1], memory)
            assert np.array_equal(state.cells, cells), "the board is left as it was"
        else:
            runs.undone(rules, state, played[-1], memory)
            rules.undo(state, played.pop())
        assert (
            memory.tolist() == slow_tenths(rules, state.cells) == runs.begin(rules, state).tolist()
        )
        assert runs.value(rules, state, memory) == runs.evaluate(rules, state)


@kernel
def follow(rules: Any, runs: Any, state: Any, moves: IntArray, out: IntArray) -> int:
    """The value after each move, kept up to date; then everything is taken back."""
    memory = runs.begin(rules, state)
    for i in range(len(moves)):
        state = rules.play(state, moves[i])
        memory = runs.played(rules, state, moves[i], memory)
        out[i] = runs.value(rules, state, memory)
    for i in range(len(moves) - 1, -1, -1):
        runs.undone(rules, state, moves[i], memory)
        rules.undo(state, moves[i])
    return runs.value(rules, state, memory)


@pytest.mark.parametrize(
    "game",
    [
        "gomoku",
        "mnk:6x6x3,exact",
        "mnk:20x31x8",
        pytest.param("connect4:8x9", marks=pytest.mark.slow),
    ],
)
def test_compiled_values_are_those_of_plain_python(game: str) -> None:
    rules = parse_game(game)
    runs = heuristic_for("runs", rules)
    for seed in range(5):
        moves = np.array(random_position(game, seed).history_codes, dtype=np.int64)
        compiled, reference = np.zeros((2, len(moves)), dtype=np.int64)
        assert follow(rules, runs, rules.start(), moves, compiled) == 0
        assert plain(follow)(rules, runs, rules.start(), moves, reference) == 0
        assert compiled.tolist() == reference.tolist()


# ---- Ranks ----


def report_weights() -> list[Fraction]:
    """v(1) to v(4) for 15 rows and columns, as the report computes them."""
    weights = [Fraction(1)]
    for n in range(1, 4):
        weights.append(sum(weights) * 3 * Fraction(15, 2) * 113 * (15 - n + 1))
    return weights


def test_the_reports_weights_are_far_beyond_32_bits() -> None:
    weights = report_weights()
    assert [float(weight) for weight in weights] == pytest.approx(
        [1, 38137.5, 1.3575e9, 4.487e13], rel=1e-3
    )
    assert weights[2] < 2**32 < weights[3]


def test_boards_rank_as_the_reports_weights_rank_them() -> None:
    """Whenever two boards differ in value, they differ in the report's sum in the same direction."""
    positions = [random_position("gomoku", seed, 120) for seed in range(150)]
    runs = heuristic_for("runs", positions[0].rules)
    found = []
    for position in positions:
        memory = runs.begin(position.rules, position.state())
        exact = sum(
            weight * int(tenths)
            for weight, tenths in zip(report_weights(), memory[1:], strict=True)
        )
        found.append((rank(memory), exact))
    found.sort()
    assert all(
        before < after
        for (value, before), (other, after) in itertools.pairwise(found)
        if value < other
    )
    assert len({value for value, _ in found}) > 0.9 * len({exact for _, exact in found}), (
        "few boards are called equal"
    )


def test_a_longer_run_outweighs_all_shorter_ones() -> None:
    for length in range(1, 4):
        longer, shorter = np.zeros((2, 5), dtype=np.int64)
        longer[length + 1] = 1
        longer[length] = -400
        shorter[1 : length + 1] = 4000
        assert rank(longer) > rank(shorter) > 0 > -rank(shorter) == rank(-shorter)


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=89))
def test_no_board_is_worth_more_than_a_heuristic_may_say(differences: list[int]) -> None:
    memory = np.array([0, *differences], dtype=np.int64)
    assert abs(rank(memory)) < HIGHEST
    assert rank(-memory) == -rank(memory)
    longest = next((number for number in reversed(differences) if number), 0)
    assert np.sign(rank(memory)) == np.sign(longest)


def test_a_position_is_worth_to_one_what_it_costs_the_other() -> None:
    position = Position("gomoku").play("h8a1h9a15h10")
    runs = heuristic_for("runs", position.rules)
    assert runs.evaluate(position.rules, position.state()) < 0
    after = position.play("o15")
    assert runs.evaluate(after.rules, after.state()) > 0


# ---- As a heuristic of searches ----


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=pytest.mark.slow)
        for game in ("gomoku:9", "mnk:5x7x4", "connect4:8x9")
    ],
)
def test_alpha_beta_with_runs_finds_the_value_of_minimax(game: str) -> None:
    for seed in range(3):
        position = random_position(game, seed, 20)
        full, pruned = (
            parse_engine(f"{name}:depth=3,heuristic=runs").analyse(position)
            for name in ("minimax", "alphabeta")
        )
        assert (full.score, full.best_code) == (pruned.score, pruned.best_code)


def test_a_search_with_runs_extends_and_blocks() -> None:
    """X completes five; o must take the one cell that stops four."""
    engine = parse_engine("alphabeta:depth=2,heuristic=runs")
    assert engine.analyse(Position("gomoku").play("h8a1h9b1h10c1h11d15")).best_move in ("h7", "h12")
    assert engine.analyse(Position("gomoku").play("h8h7h9b1h10c1h11")).best_move == "h12"


@pytest.mark.parametrize("game", ["connect4", "connect4:7x8"])
def test_boards_of_bits_have_no_runs(game: str) -> None:
    with pytest.raises(BadEngine, match="runs cannot be counted"):
        heuristic_for("runs", parse_game(game))


def test_a_game_without_lines_has_no_runs() -> None:
    with pytest.raises(BadEngine, match=r"testarraynim.* has no board of cells and lines"):
        heuristic_for("runs", ArrayNim())


def test_wide_boards_of_connect_have_runs() -> None:
    rules = WideConnect(8, 9, 4)
    position = Position(rules).play("11223")
    assert heuristic_for("runs", rules).evaluate(rules, position.state()) < 0
