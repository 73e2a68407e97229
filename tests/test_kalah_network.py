"""The network that helps Kalah's solver to order moves: its table means what it says, and it is the
same compiled and not.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from mnkala.core import Position, parse_game
from mnkala.families.kalah.rules import Kalah
from mnkala.families.kalah.solver.board import Board, board_for, key_of
from mnkala.families.kalah.solver.estimate import turn_at_hand
from mnkala.families.kalah.solver.shallow_search import seen_by_network
from mnkala.families.kalah.solver.solver import KalahSolver
from mnkala.families.kalah.solver.weights import (
    LANE,
    LANES,
    LINEAR,
    MOST_CAPTURED,
    MOST_SEEDS,
    MOST_TURNS,
    NETWORK_HOUSES,
    OUTPUT,
    ROWS,
    SIGHTS,
    UNIT,
    UNITS,
    WORDS,
    ZERO_LINE,
)
from mnkala.native import kernel, plain
from mnkala.native.objects import IntArray, WordArray
from tests.kalah_claims import board_of

RULES = [Kalah(), Kalah(standard=True)]


@kernel
def see(own: WordArray, other: WordArray, rules: Kalah, board: Board, out: IntArray) -> None:
    for i in range(len(own)):
        extra, capture, _ = turn_at_hand(own[i], other[i], board, rules)
        out[i] = seen_by_network(own[i], other[i], extra, capture, board, rules)


def met(rules: Kalah, count: int) -> list[Position]:
    """Positions of random games."""
    chance = random.Random(rules.game_string())
    found: list[Position] = []
    while len(found) < count:
        position = Position(rules)
        while not position.is_over and chance.random() < 0.9:
            position = position.play_codes([chance.choice(position.legal_codes)])
        if not position.is_over:
            found.append(position)
    return found


def entries(board: Board) -> list[list[int]]:
    """[row][unit]: the entries of the table, zero being zero."""
    words = board.network.reshape(ROWS, WORDS)
    return [
        [
            (int(words[row, unit // LANES]) >> LANE * (unit % LANES) & (1 << LANE) - 1) - ZERO_LINE
            for unit in range(UNITS)
        ]
        for row in range(ROWS)
    ]


def chain_and_capture(own: list[int], other: list[int], standard: bool) -> tuple[int, int]:
    """Extra turns, the nearest to the store first, and the largest capture after them, of lists."""
    own, turns = own.copy(), 0
    while exact := [
        house for house in range(NETWORK_HOUSES) if own[house] == NETWORK_HOUSES - house
    ]:
        house = exact[-1]
        own[house] = 0
        own[house + 1 :] = [seeds + 1 for seeds in own[house + 1 :]]
        turns += 1
    captures = [
        other[NETWORK_HOUSES - 1 - house - own[house]]
        for house in range(NETWORK_HOUSES)
        if own[house] > 0 and house + own[house] < NETWORK_HOUSES and own[house + own[house]] == 0
    ]
    return turns, max((taken + 1 for taken in captures if taken > 0 or not standard), default=0)


def expected(position: Position, table: list[list[int]], weights: list[int]) -> int:
    """What the network says, by lists."""
    rows = board_of(position).rows
    own, other = (list(rows[side]) for side in (position.mover, 1 - position.mover))
    standard = position.rules.standard  # type: ignore[attr-defined]
    numbers = [
        *own,
        *other,
        *chain_and_capture(own, other, standard),
        *chain_and_capture(other, own, standard),
    ]
    most = [MOST_SEEDS] * 2 * NETWORK_HOUSES + [MOST_TURNS, MOST_CAPTURED] * 2
    sums, start = [0] * UNITS, 0
    for number, largest in zip(numbers, most, strict=True):
        sums = [
            total + entry
            for total, entry in zip(sums, table[start + min(number, largest)], strict=True)
        ]
        start += largest + 1
    assert start == ROWS
    rectified = sum(weight * max(total, 0) for weight, total in zip(weights, sums, strict=True))
    return rectified // (UNIT * OUTPUT // 100) + sums[-1] * 100 // LINEAR


@pytest.mark.parametrize("rules", RULES, ids=("empty capture", "standard"))
def test_the_network_says_what_its_table_and_weights_do(rules: Kalah) -> None:
    board, positions = board_for(rules), met(rules, 60)
    states = [position.state() for position in positions]
    own, other = (
        np.array([state.own for state in states]),
        np.array([state.other for state in states]),
    )
    compiled, slow = np.zeros(len(states), np.int64), np.zeros(len(states), np.int64)
    see(own, other, rules, board, compiled)
    with np.errstate(over="ignore"):
        plain(see)(own, other, rules, board, slow)
    table, weights = entries(board), board.network_weights.tolist()
    assert (
        compiled.tolist()
        == slow.tolist()
        == [expected(position, table, weights) for position in positions]
    )


@pytest.mark.parametrize("rules", RULES, ids=("empty capture", "standard"))
def test_sums_of_four_units_in_a_word_never_carry_over(rules: Kalah) -> None:
    board = board_for(rules)
    assert all(-ZERO_LINE <= entry < ZERO_LINE for row in entries(board) for entry in row)
    assert SIGHTS * (2 * ZERO_LINE - 1) < 1 << LANE
    assert board.network_weights[-1] == 0


def test_boards_of_other_sizes_have_no_network() -> None:
    assert all(
        len(board_for(Kalah(houses)).network) == (ROWS * WORDS if houses == NETWORK_HOUSES else 0)
        for houses in range(1, 9)
    )


def test_the_keys_of_what_a_solver_met_can_be_read_back() -> None:
    start = Position("kalah:4x3")
    solver = KalahSolver(parse_game("kalah:4x3"), table_mb=16, database=False)
    solver.solve(start)
    keys = solver.keys_held()
    assert len(set(keys.tolist())) == len(keys) == solver.held()
    with np.errstate(over="ignore"):
        assert int(key_of(*solver.board(start), solver.houses)) in keys
