"""The engine of Kalah: the heuristic `margin`, the search `sowing`, and `perfect` with it."""

from __future__ import annotations

import dataclasses
import random
import time
from collections.abc import Iterator

import numpy as np
import pytest

from mnkala.core import Position, parse_game
from mnkala.core.position import first_turn
from mnkala.errors import BadEngine
from mnkala.families.kalah.rules import Kalah, seeds_in, sum_of
from mnkala.families.kalah.solver.board import board_for, number_of, positions_up_to
from mnkala.families.kalah.solver.heuristic import SEED, Margin, margin_heuristic
from mnkala.families.kalah.sowing import _Thread
from mnkala.search import Limit, Stop, heuristic_for, parse_engine
from mnkala.search.auto import offered_searches, resolved
from mnkala.search.root import Task
from mnkala.search.table import SMALLEST_BITS, make_table
from mnkala.solve.effort import Effort
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
        assert (
            abs(heuristic.evaluate(rules, position.state()))
            <= SEED * 2 * rules.largest_margin(position.state()) + 60 * SEED
        )


def test_a_house_of_more_seeds_than_its_sets_have_room_for_is_no_endless_chain() -> None:
    rules = Kalah(6, 10)
    state = rules.parse_literal("<6,3,1,134,0,0,0,0,0,1,0,0,0,0,0>")
    assert margin(rules).evaluate(rules, state) == 2 * SEED


def test_a_house_that_passes_costs_more_than_a_waiting_move() -> None:
    rules = Kalah(6, 4)
    waiting, passing = (
        margin(rules).evaluate(rules, rules.parse_literal(literal))
        for literal in ("<6,5,5,2,0,0,0,0,0,2,2,2,2,2,2>", "<6,5,5,0,0,0,0,0,2,2,2,2,2,2,2>")
    )
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


OWN = "sowing:nodes=2000000"
"""Enough to prove small boards."""


@pytest.mark.parametrize("standard", [False, True])
@pytest.mark.parametrize("size", [(2, 2), (3, 2), (2, 4)])
def test_its_own_search_proves_what_trying_everything_proves(
    size: tuple[int, int], standard: bool
) -> None:
    for position in some_positions(Kalah(*size, standard), 3):
        score = parse_engine(OWN).analyse(position).score
        assert score is not None
        assert (score.kind, score.value) == ("exact", exact(position))
        assert score.result == ("win" if score.value > 0 else "loss" if score.value < 0 else "draw")


def test_every_move_gets_its_own_exact_value_when_asked_for() -> None:
    for position in some_positions(Kalah(3, 2), 2):
        found = parse_engine(OWN).analyse(position, all_moves=True)
        assert [move.code for move in found.moves] == list(position.legal_codes)
        for move in found.moves:
            after = position.play_codes([move.code])
            value = exact(after) if after.mover == position.mover else -exact(after)
            assert (move.score.kind, move.score.value) == ("exact", value)
            assert move.line_codes[0] == move.code


def test_what_is_not_proved_is_a_guess_in_hundredths_of_a_seed() -> None:
    position = Position("kalah:6x4")
    score = parse_engine("sowing:nodes=20000").analyse(position).score
    assert score is not None
    assert (score.kind, score.result) == ("estimate", "unknown")
    assert 0 < score.value < 48 * SEED


@pytest.mark.parametrize("limit", ["nodes=5000", "depth=5"])
def test_a_limit_of_nodes_or_depth_gives_the_same_answer_whatever_was_searched_before(
    limit: str,
) -> None:
    position, engine = Position("kalah:6x4").play("36"), parse_engine(f"sowing:{limit}")
    first = engine.analyse(position)
    parse_engine("sowing:time=0.05").analyse(position)
    again = engine.analyse(position)
    assert (again.score, again.line_codes, again.nodes) == (
        first.score,
        first.line_codes,
        first.nodes,
    )
    assert first.nodes <= 5000


def test_a_second_thread_changes_no_proof() -> None:
    for position in some_positions(Kalah(3, 3), 1):
        one, two = (
            parse_engine(f"{OWN},threads={threads}").analyse(position).score for threads in (1, 2)
        )
        assert one == two


@pytest.mark.parametrize(
    "limit", [Limit(depth=4), Limit(depth=4, nodes=1_000_000), Limit(depth=4, time=60)]
)
def test_deepening_leaves_nothing_out_whatever_its_limit(limit: Limit) -> None:
    """With nodes or time it was once another search on Kalah than with a depth."""
    position = Position("kalah:6x4").play("36")
    full, reference = (
        parse_engine(name).analyse(position, each)
        for name, each in (("deepening", limit), ("alphabeta", Limit(depth=4)))
    )
    assert (full.score, full.depth) == (reference.score, 4)


def test_its_depth_is_a_number_of_turns() -> None:
    found = parse_engine("sowing:depth=3").analyse(Position("kalah:6x4").play("36"))
    assert found.depth == 3
    assert found.engine == "sowing:depth=3"


def test_it_is_the_strongest_search_of_kalah_and_of_no_other_game() -> None:
    assert (
        resolved(parse_engine("auto:nodes=500"), parse_game("kalah:5x3,standard")).search.name
        == "sowing"
    )
    assert "sowing" in offered_searches(parse_game("kalah"))
    assert "sowing" not in offered_searches(parse_game("connect4"))
    with pytest.raises(
        BadEngine, match="sowing plays Kalah, and connect4 is none; auto plays every game"
    ):
        parse_engine("sowing").analyse(Position("connect4"))
    for text, told in (
        ("threads=3", "3 threads; sowing runs on 1 to 2"),
        ("table_bits=99", "the exponent is 4 to 30"),
        ("heuristic=stores", "not an option"),
    ):
        with pytest.raises(BadEngine, match=told):
            parse_engine(f"sowing:{text}")


def test_a_line_is_legal_and_begins_with_the_best_move() -> None:
    position = Position("kalah:6x4").play("36215")
    found = parse_engine("sowing:nodes=20000").analyse(position)
    assert len(found.line_codes) > 4
    position.play_codes(found.line_codes)
    best = max(
        found.moves,
        key=lambda move: (
            move.score.kind == "estimate" and move.score.at is None,
            move.score.value,
        ),
    )
    assert best.code == found.line_codes[0]


def test_boards_with_more_seeds_than_its_sets_have_room_for_are_searched_as_any_game() -> None:
    position = Position("kalah:8x10")
    found, general = (
        parse_engine(f"{name}:nodes=500").analyse(position) for name in ("sowing", "deepening")
    )
    assert found.depth >= 1
    assert (found.score, found.nodes, found.line_codes) == (
        general.score,
        general.nodes,
        general.line_codes,
    )
    assert found.engine == "sowing:nodes=500"


@pytest.mark.parametrize(
    ("game", "moves", "depth", "known"),
    [
        ("kalah", "36", 5, (845, 461, -1362)),
        ("kalah:6x6", "", 5, (997, 609, 1436)),
        ("kalah:8x5,standard", "2", 4, (508, 312, 4142)),
    ],
)
def test_it_visits_as_many_nodes_as_ever(
    game: str, moves: str, depth: int, known: tuple[int, int, int]
) -> None:
    """Nodes, evaluations and value: a change of these is a change of the search."""
    found = parse_engine(f"sowing:depth={depth}").analyse(Position(game).play(moves))
    assert found.score is not None
    assert (found.nodes, found.evaluations, found.score.value) == known


def test_what_is_proved_of_the_moves_that_were_come_to_is_no_proof_of_the_others() -> None:
    """Stopped after its first move, which turned out worse than what is known of another."""
    position = Position("kalah:3x2")
    task = Task(position, Limit(nodes=10), Stop(), lambda analysis: None, engine="")
    thread = _Thread(
        task, margin_heuristic(position.rules), make_table(SMALLEST_BITS), Stop(), None
    )
    thread.data.proved[:] = 1
    thread.data.values[thread.data.moves] = (-200, 100, -300)
    assert not thread.proved
    thread.data.values[thread.data.moves] = (100, 100, -300)
    assert thread.proved
