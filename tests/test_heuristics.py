"""The heuristics: what each counts, and that the ones kept move by move agree with those counted
anew.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from mnkala import Position, parse_game
from mnkala.core.rules import GOING_ON
from mnkala.errors import BadEngine
from mnkala.families.connect.heuristic import GOOD_ROW, OTHER_ROW
from mnkala.search import criticality, heuristic_for, windows
from mnkala.search.criticality import DOUBLE_GAME, END_GAME, Criticality, CriticalityByCell
from mnkala.search.heuristic import heuristics

WIDE = ("connect4:8x8", "connect4:10x11", "connect:9x12x6", "connect:10x30x10")
INCREMENTAL = (
    "zero-sum",
    "basic",
    "article",
    "zero-sum-hv",
    "utility",
    "lines",
    "criticality",
    "criticality-by-cell",
    "threats",
)


@pytest.mark.parametrize("game", WIDE)
@pytest.mark.parametrize("name", INCREMENTAL)
def test_kept_values_equal_values_from_scratch_after_play_and_undo(name: str, game: str) -> None:
    rules = parse_game(game)
    heuristic = heuristic_for(name, rules)
    rng = random.Random(f"{name} {game}")
    buffer = np.zeros(rules.most_moves(), dtype=np.int64)
    state = rules.start()
    memory = heuristic.begin(rules, state)
    played: list[int] = []
    values = []
    for _ in range(30):
        count = rules.moves(state, buffer)
        if rules.result(state) != GOING_ON or count == 0:
            break
        move = int(rng.choice(buffer[:count]))
        values.append(int(heuristic.value(rules, state, memory)))
        state = rules.play(state, move)
        memory = heuristic.played(rules, state, move, memory)
        played.append(move)
        assert heuristic.value(rules, state, memory) == heuristic.evaluate(rules, state)
    for move, value in zip(reversed(played), reversed(values), strict=True):
        heuristic.undone(rules, state, move, memory)
        rules.undo(state, move)
        assert heuristic.value(rules, state, memory) == value


@pytest.mark.parametrize("game", WIDE)
def test_both_forms_of_criticality_give_every_move_the_same_score(game: str) -> None:
    rules = parse_game(game)
    rng = random.Random(game)
    quick, slow = Criticality(), CriticalityByCell()
    position = Position(game)
    while not position.is_over and len(position.history) < 25:
        state = position.state()
        memories = quick.begin(rules, state), slow.begin(rules, state)
        for move in position.legal_codes:
            assert quick.score_move(rules, state, move, memories[0]) == slow.score_move(
                rules, state, move, memories[1]
            )
        position = position.play_codes([rng.choice(position.legal_codes)])


def test_critical_cells_lie_on_their_steps() -> None:
    """End-game above double-game above everything else, whatever the ordinary scores."""
    position = Position("connect4:8x9").play("1 1 2 2 3")
    rules, state = position.rules, position.state()
    heuristic = Criticality()
    memory = heuristic.begin(rules, state)
    scores = [
        heuristic.score_move(rules, state, move, memory) for move in range(rules.most_moves())
    ]
    assert scores[3] >= END_GAME, "column 4 blocks three in a row"
    assert all(score < END_GAME for column, score in enumerate(scores) if column != 3)
    fork = Position("connect4:8x9").play("4 9 5 9")
    memory = heuristic.begin(rules, fork.state())
    scores = [
        heuristic.score_move(rules, fork.state(), move, memory)
        for move in range(rules.most_moves())
    ]
    assert scores[2] >= 2 * DOUBLE_GAME
    assert scores[5] >= 2 * DOUBLE_GAME
    assert scores[8] < END_GAME


def test_report_002s_windows_are_weighed_as_it_says() -> None:
    assert [
        windows.basic(own, other, 4)
        for own, other in ((4, 0), (3, 0), (2, 0), (0, 3), (3, 1), (0, 4))
    ] == [100, 5, 2, -4, 0, 0]
    assert [
        windows.article(own, other, 4) for own, other in ((4, 0), (3, 1), (1, 3), (0, 4), (2, 0))
    ] == [1_000_000, 1, -100, -1_000_000, 0]
    assert [
        windows.zero_sum(own, other, 4)
        for own, other in ((4, 0), (3, 0), (2, 0), (1, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 1))
    ] == [1_000_000, 100, 10, 1, -1, -10, -100, -1_000_000, 0]


def test_report_000s_utility_is_read_as_its_course_gives_it() -> None:
    assert [
        windows.utility(own, other, 4)
        for own, other in ((1, 0), (2, 0), (3, 0), (4, 0), (0, 3), (2, 1))
    ] == [1, 10, 50, 512, -50, 0]
    assert (
        heuristic_for("utility", parse_game("connect4")).evaluate(
            parse_game("connect4"), parse_game("connect4").start()
        )
        == 16
    )


@pytest.mark.parametrize(
    "name", ["basic", "article", "zero-sum", "zero-sum-hv", "utility", "lines"]
)
def test_a_board_of_bits_and_one_of_arrays_have_the_same_value(name: str) -> None:
    from mnkala.families.connect.bits import Connect
    from mnkala.families.connect.rules import WideConnect

    rng = random.Random(name)
    bits, arrays = Position(Connect(6, 7, 4)), Position(WideConnect(6, 7, 4))
    while not bits.is_over:
        values = [
            heuristic_for(name, position.rules).evaluate(position.rules, position.state())
            for position in (bits, arrays)
        ]
        assert values[0] == values[1]
        move = rng.choice(bits.legal_codes)
        bits, arrays = bits.play_codes([move]), arrays.play_codes([move])


def test_zero_sum_heuristics_see_the_same_from_both_sides() -> None:
    """Mirror symmetry: a board and its mirror image are worth the same."""
    rng = random.Random(5)
    for _ in range(20):
        moves = [rng.randrange(7) for _ in range(12)]
        try:
            position, mirror = (
                Position("connect4").play_codes(moves),
                Position("connect4").play_codes(6 - move for move in moves),
            )
        except Exception:
            continue
        for name in ("threats", "zero-sum", "basic", "utility"):
            heuristic = heuristic_for(name, position.rules)
            assert heuristic.evaluate(position.rules, position.state()) == heuristic.evaluate(
                mirror.rules, mirror.state()
            )


def test_a_threat_in_the_right_row_is_worth_more() -> None:
    """On a board of bits: three in row 3 (odd) are worth more to the first player on six rows than
    on seven with six columns, where he gets the even ones.
    """
    values = []
    for rows, cols in ((6, 6), (7, 6)):
        rest = "." * (cols - 3)
        position = Position(
            f"connect4:{rows}x{cols}",
            literal=f"{cols}/" * (rows - 3) + f"xxx{rest}/oox{rest}/xoo{rest}",
        )
        heuristic = heuristic_for("threats", position.rules)
        values.append(-heuristic.evaluate(position.rules, position.state()))
    assert values[0] - values[1] == GOOD_ROW - OTHER_ROW > 0


def test_a_heuristic_for_other_games_is_refused_by_name() -> None:
    with pytest.raises(BadEngine, match="criticality"):
        heuristic_for("criticality", parse_game("connect4"))
    assert {entry.name for entry in heuristics()} >= set(INCREMENTAL) | {"nothing"}
    assert criticality.FEATURES == 6
