"""A whole turn as people see it: its way on the board, its words, the steps of a move."""

from __future__ import annotations

import pytest

from mnkala.core import Position
from mnkala.core.position import line_text
from mnkala.core.score import Score
from mnkala.explain.score_words import house_words, score_words, short_words
from mnkala.explain.turn_words import (
    best_turn_words,
    steps_of,
    turn_lengths,
    turn_moves,
    turn_words,
)
from mnkala.play.view import make_view, step_view

LATE = Position("kalah:3x2", literal="<3,4,3,0,1,1,2,1,0>")
CHAIN = (2, 1)
"""House 3 moves again, house 2 captures two seeds, and the game is over."""


def test_a_turn_has_the_way_of_every_sowing_and_what_it_captures() -> None:
    first, second = turn_moves(LATE, CHAIN)
    assert (first.move, first.way, first.taken, first.captured, first.again) == (
        "3",
        ((1, 2), (1, 3)),
        (),
        0,
        True,
    )
    assert (second.move, second.way, second.captured, second.again) == (
        "2",
        ((1, 1), (1, 2)),
        2,
        False,
    )
    assert second.taken == ((1, 2), (0, 2))
    assert turn_moves(Position("connect4"), (3, 3)) == ()


def test_a_turn_in_words_names_the_chain_and_the_capture_in_every_language() -> None:
    assert best_turn_words(LATE, CHAIN) == "Best turn: 3, then 2 – captures 2"
    assert best_turn_words(LATE, CHAIN, "it") == "Turno migliore: 3, poi 2 – cattura 2"
    assert turn_words(turn_moves(LATE, (1,)), "pt") == "2"
    assert (
        turn_words(turn_moves(LATE, (2,))) == "3, then …"
    )  # the line was cut short where the player moves again
    assert best_turn_words(Position("connect4"), (3,)) == ""


def test_lines_are_grouped_into_turns_where_a_player_may_move_again() -> None:
    start = Position("kalah")
    assert line_text(start, (2, 5, 0, 3)) == "36 1 4"
    assert turn_lengths(start, (2, 5, 0, 3)) == [2, 1, 1]
    assert line_text(Position("gomoku"), (0, 1)) == "a1 b1"
    assert turn_lengths(Position("gomoku"), (0, 1)) == []


def test_a_view_tells_the_way_of_the_last_move_and_a_step_shows_the_seeds_of_its_moment() -> None:
    assert make_view(LATE).way == ()
    assert make_view(LATE.play("3")).way == ((1, 2), (1, 3))
    lifted, sown = (step_view(make_view(LATE), step) for step in steps_of(LATE, 2))
    assert lifted.seeds is not None
    assert sown.seeds is not None
    assert (lifted.seeds.houses[1], lifted.seeds.stores) == ((0, 1, 0), (4, 3))
    assert (sown.seeds.houses[1], sown.seeds.stores) == ((0, 1, 0), (5, 3))
    assert (lifted.moves, lifted.last) == ((), ((1, 2),))


@pytest.mark.parametrize(
    ("worth", "house", "short", "words"),
    [
        (Score.exactly(6), "wins by 6", "+6", "wins by 6"),
        (Score.exactly(-2), "loses by 2", "-2", "loses by 2"),
        (Score.exactly(0), "draw", "=", "a draw"),
        (Score(3, 9), "wins by ≥3", "≥+3", "wins by at least 3"),
        (Score(-9, -4), "loses by ≥4", "≤-4", "loses by at least 4"),
        (Score(-4, 6), "-4…+6", "…", "between -4 and +6"),
        (Score(heuristic=12, expected=0.63), "~63%", "~63%", "about 63 %"),
        (Score(heuristic=12, expected=0.63, at="most"), "≤63%", "≤63%", "at most 63 %"),
    ],
)
def test_exact_scores_bounds_and_estimates_of_a_house_are_told_apart(
    worth: Score, house: str, short: str, words: str
) -> None:
    rules = LATE.rules
    assert (house_words(worth, rules), short_words(worth, rules), score_words(worth, rules)) == (
        house,
        short,
        words,
    )
