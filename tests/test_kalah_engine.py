"""The engine of Kalah: the heuristic `margin`, and `perfect` with it."""

from __future__ import annotations

import dataclasses
import random
import time
from collections.abc import Iterator

import numpy as np
import pytest

from mnkala.games import Position
from mnkala.games.kalah import Kalah, seeds_in, sum_of
from mnkala.games.turns import first_turn
from mnkala.search import Stop, heuristic_for, parse_engine
from mnkala.solve.effort import Effort
from mnkala.solve.kalah.board import board_for, number_of, positions_up_to
from mnkala.solve.kalah.heuristic import SEED, Margin
from mnkala.solve.oracle import Oracle, open_oracle
from tests.kalah_claims import board_of
from tests.kalah_claims import margin as exact_margin


@pytest.fixture(autouse=True)
def words_wrap() -> Iterator[None]:
    """Words lose their carry, as in compiled code."""
    with np.errstate(over="ignore"):
        yield


def margin(rules: Kalah) -> Margin:
    made = heuristic_for("margin", rules)
    assert isinstance(made, Margin)
    return dataclasses.replace(made, known=0)


def some_positions(rules: Kalah, games: int) -> list[Position]:
    rng, found = random.Random(1), []
    for _ in range(games):
        position = Position(rules)
        while not position.is_over:
            found.append(position)
            position = position.play_codes([rng.choice(position.legal_codes)])
    return found


def seeds_left(position: Position) -> int:
    state = position.state()
    return int(sum_of(state.own) + sum_of(state.other))


def stored(position: Position) -> int:
    stores = position.state().stores
    return seeds_in(stores, 0) - seeds_in(stores, 1)


def exact(position: Position) -> int:
    return exact_margin(board_of(position), position.mover)


@pytest.mark.parametrize("standard", [False, True])
def test_few_seeds_are_judged_by_the_database_and_the_stores(standard: bool) -> None:
    rules, known = Kalah(2, 2, standard), 4
    board = board_for(rules)
    database = np.zeros(positions_up_to(known, board), np.int8)
    late = [position for position in some_positions(rules, 20) if seeds_left(position) <= known]
    for position in late:
        state = position.state()
        database[number_of(state.own, state.other, board)] = exact(position) - stored(position)
    heuristic = dataclasses.replace(margin(rules), known=known, database=database)
    assert len(late) > 10
    for position in late:
        assert heuristic.evaluate(rules, position.state()) == SEED * exact(position)


@pytest.mark.parametrize("standard", [False, True])
@pytest.mark.parametrize("houses", range(1, 9))
def test_every_board_can_be_judged(houses: int, standard: bool) -> None:
    rules = Kalah(houses, 10, standard)
    heuristic = margin(rules)
    for position in some_positions(rules, 1):
        assert abs(heuristic.evaluate(rules, position.state())) <= SEED * 2 * rules.largest_margin(position.state()) + 60 * SEED


def test_a_house_of_more_seeds_than_its_sets_have_room_for_is_no_endless_chain() -> None:
    rules = Kalah(6, 10)
    state = rules.parse_literal("<6,3,1,134,0,0,0,0,0,1,0,0,0,0,0>")
    assert margin(rules).evaluate(rules, state) == 2 * SEED


def test_a_house_that_passes_costs_more_than_a_waiting_move() -> None:
    rules = Kalah(6, 4)
    waiting, passing = (margin(rules).evaluate(rules, rules.parse_literal(literal)) for literal in (
        "<6,5,5,2,0,0,0,0,0,2,2,2,2,2,2>", "<6,5,5,0,0,0,0,0,2,2,2,2,2,2,2>"))
    assert waiting > passing


def test_a_spent_effort_says_nothing_of_what_lies_beyond_all_margins() -> None:
    rules = Kalah(3, 2)
    position = Position(rules)
    with open_oracle(rules, book=False) as oracle:
        low, high = oracle.solver.span(position)
        spent = Oracle(oracle.solver, None, Effort(Stop(), until=time.perf_counter()))
        assert spent.is_above(position, low - 2, position.mover) is True
        assert spent.is_above(position, high + 2, position.mover) is False
        assert spent.is_above(position, 0, position.mover) is None


def test_the_line_of_perfect_tells_the_whole_turn() -> None:
    """Three seeds a house are too many to be looked up on the way."""
    position = Position("kalah:6x3")
    found = parse_engine("perfect:nodes=2000000,book=off").analyse(position)
    assert found.score is not None
    assert (found.score.kind, found.score.value) == ("exact", 2)
    turn = first_turn(position, found.line_codes)
    assert position.play_codes(turn).mover != position.mover
