"""Scores as chances: proved ones are certain, heuristic ones follow the curve of their heuristic."""

from __future__ import annotations

import pytest

from mnkala.core import Position
from mnkala.explain.chances import (
    SURE_ESTIMATE,
    UNKNOWN,
    Curve,
    chance,
    curve_for,
    heuristic_name,
)
from mnkala.families.lines.engine.weights import LOGIT
from mnkala.search import Score, parse_engine
from mnkala.search.heuristic import fits, heuristics

CONNECT, GOMOKU, KALAH = Position("connect4"), Position("gomoku"), Position("kalah")


@pytest.mark.parametrize(("score", "expected"), [(3, 1.0), (0, 0.5), (-3, 0.0)])
def test_what_is_proved_is_certain(score: int, expected: float) -> None:
    assert chance(Score.exactly(score), CONNECT) == expected


def test_a_bound_that_proves_a_win_is_certain_too() -> None:
    assert chance(Score.at_least(3, 0, 5), CONNECT) == 1
    assert chance(Score.at_most(-3, 1, 5), CONNECT) == 0


def test_a_win_among_candidates_only_is_nearly_sure_and_its_loose_bound_says_nothing() -> None:
    assert 0.95 < chance(Score.likely(1, 0, 5), GOMOKU) < 1
    assert 0 < chance(Score.likely(-1, 0, 4), GOMOKU) < 0.05
    assert chance(Score.likely(1, 0, 5, "most"), GOMOKU) == 0.5


@pytest.mark.parametrize("position", [CONNECT, GOMOKU, KALAH])
@pytest.mark.parametrize("value", [1, 10, 100, 1000, 10**6, 1 << 27])
def test_more_is_better_and_the_other_side_sees_the_rest(position: Position, value: int) -> None:
    mine = chance(Score.opinion(value, 0), position)
    assert 0.5 < mine <= 1
    assert chance(Score.opinion(-value, 0), position) == pytest.approx(1 - mine)
    assert mine >= chance(Score.opinion(value - 1, 0), position)


def test_the_first_players_chance_does_not_depend_on_who_speaks() -> None:
    score = Score.opinion(40, 1)
    assert chance(score, CONNECT) == pytest.approx(1 - chance(score.seen_by(0), CONNECT))
    assert chance(score.seen_by(0), CONNECT) < 0.5


def test_the_curve_is_that_of_the_heuristic_in_use() -> None:
    score = Score.opinion(20, 0)
    assert chance(score, CONNECT) == chance(score, CONNECT, "deepening:heuristic=threats")
    assert chance(score, CONNECT) != chance(score, CONNECT, "deepening:heuristic=utility")
    assert chance(score, KALAH, parse_engine("alphabeta:heuristic=stores")) > chance(score, KALAH)


def test_monte_carlo_scores_are_shares_already() -> None:
    assert chance(Score.opinion(500, 0), CONNECT, "mcts") == 0.75
    assert chance(Score.opinion(-1000, 1), CONNECT, "mcts:iterations=10") == 1 - SURE_ESTIMATE


@pytest.mark.parametrize("engine", [None, "threats", "auto:time=2", "perfect"])
def test_the_search_threats_counts_in_logits(engine: str | None) -> None:
    assert chance(Score.opinion(LOGIT, 0), GOMOKU, engine) == pytest.approx(0.7311, abs=1e-4)
    assert chance(Score.opinion(-5 * LOGIT // 2, 1), GOMOKU, engine) == pytest.approx(
        0.0759, abs=1e-4
    )
    assert chance(Score.opinion(100, 0), GOMOKU, "deepening") != chance(
        Score.opinion(100, 0), GOMOKU, engine
    )


def test_wide_boards_of_connect_have_curves_of_their_own() -> None:
    wide = Position("connect4:10x11").rules
    assert heuristic_name(parse_engine("deepening").search, wide) == "threats"
    assert curve_for("threats", wide) == Curve(10_000, 31.6) != curve_for("threats", CONNECT.rules)
    assert (
        curve_for("lines", wide)
        == curve_for("lines", CONNECT.rules)
        != curve_for("lines", GOMOKU.rules)
    )


def test_every_heuristic_of_the_package_has_a_curve_and_a_stranger_gets_a_cautious_one() -> None:
    for position in (CONNECT, GOMOKU, KALAH):
        strangers = [
            entry.name
            for entry in heuristics()
            if fits(entry.name, position.rules) and curve_for(entry.name, position.rules) == UNKNOWN
        ]
        assert {name for name in strangers if not name.startswith("learned-")} <= {
            "nothing",
            "room",
        }
    assert curve_for("somebody-elses", CONNECT.rules) == UNKNOWN
    assert 0.5 < UNKNOWN.chance(1) < UNKNOWN.chance(10_000) < 0.999
