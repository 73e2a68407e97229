"""What moves are worth: one scale on which the best move has the largest number, whoever spoke of
it.
"""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnkala.cli.analyse import analysis_json
from mnkala.core import Position
from mnkala.explain.chances import SURE_ESTIMATE, read
from mnkala.explain.move_values import appraise, in_order
from mnkala.explain.score_words import (
    board_text,
    detail_text,
    score_text,
    score_words,
    short_text,
    short_words,
)
from mnkala.explain.words import LANGUAGES
from mnkala.search import Analysis, Limit, RootMove, Score, parse_engine
from mnkala.solve import prove

CONNECT, GOMOKU, KALAH = Position("connect4"), Position("gomoku"), Position("kalah")
OPEN_THREE = Position("gomoku").play("h8,a1,h9,a2,h10,a4")
"""h7 and h11 win; a search of candidate moves cannot prove it."""


@pytest.mark.parametrize(
    ("score", "position", "text"),
    [
        (Score.exactly(18, 0, 3), CONNECT, "wins in 2 moves"),
        (Score.exactly(18, 0, 1), CONNECT, "wins at once"),
        (Score.at_least(3, 0, 9), CONNECT, "wins within 5 moves"),
        (Score.exactly(-3, 0, 8), CONNECT, "loses in 4 moves"),
        (Score.exactly(0, 0), CONNECT, "a draw"),
        (Score.exactly(10, 0, 40), KALAH, "wins by 10"),
        (Score.at_least(10, 0, 40), KALAH, "wins by at least 10"),
        (Score.likely(1, 0, 5), GOMOKU, "likely wins in 3 moves"),
        (Score.likely(-1, 0, 6), GOMOKU, "likely loses in 3 moves"),
        (Score.likely(1, 0, 5, "most"), GOMOKU, "not known yet"),
        (Score.opinion(0, 0), CONNECT, "about 50 %"),
        (Score.opinion(0, 0, "most"), CONNECT, "at most 50 %"),
        (Score.at_most(0), CONNECT, "at most a draw"),
        (Score.opinion(1 << 27, 0), GOMOKU, "about 98 %"),
    ],
)
def test_people_read_results_and_chances_never_a_bare_number(
    score: Score, position: Position, text: str
) -> None:
    assert score_words(read(score, position), position.rules) == text


@pytest.mark.parametrize("all_moves", [True, False])
def test_a_found_win_of_gomoku_is_the_largest_number_and_says_so(all_moves: bool) -> None:
    found = analysis_json(
        parse_engine("deepening").analyse(OPEN_THREE, Limit(nodes=20_000), all_moves=all_moves)
    )
    assert found["words"] == "wins in 2 moves"
    assert found["heuristic"] is None
    chances = {move: entry["chance"] for move, entry in found["moves"].items()}
    assert (
        {move for move, chance in chances.items() if chance == max(chances.values())}
        == set(found["best"])
        <= {"h7", "h11"}
    )


def test_a_lost_position_of_gomoku_reads_as_lost() -> None:
    found = appraise(
        parse_engine("deepening").analyse(
            OPEN_THREE.play("h7"), Limit(nodes=20_000), all_moves=True
        )
    )
    assert found.score is not None
    assert (found.score.kind, found.score.prospect, found.score.result) == (
        "likely",
        "loss",
        "unknown",
    )
    assert found.score.chance < 0.02


def test_no_estimate_stands_above_what_is_proved() -> None:
    found = analysis_json(
        parse_engine("deepening").analyse(CONNECT.play("4455"), Limit(nodes=20_000), all_moves=True)
    )
    assert list(found["moves"])[:2] == found["best"] == ["3", "6"]
    assert {found["moves"][move]["kind"] for move in found["best"]} == {"exact"}
    assert all(
        entry["chance"] < found["chance"]
        for move, entry in found["moves"].items()
        if move not in found["best"]
    )


def test_a_bound_that_points_to_nothing_is_not_read_as_a_heuristics_number() -> None:
    bound = next(
        move.score
        for move in parse_engine("deepening").analyse(CONNECT.play("4455"), Limit(depth=3)).moves
        if move.code == 5
    )
    assert (bound.kind, bound.result, bound.heuristic) == ("bound", "unknown", None)


def test_a_proof_orders_wins_by_how_soon_and_losses_by_how_late_they_come() -> None:
    *_, proof = prove(CONNECT.play("4445332"), lines=False)
    found = appraise(proof).moves
    assert found[0].code in proof.best_codes
    for better, worse in itertools.pairwise(found):
        assert better.score >= worse.score
        assert (better.score.chance == worse.score.chance) == (
            better.score.exact == worse.score.exact
        )


def test_the_gauge_says_what_the_best_move_says_also_over_two_depths() -> None:
    before, now = (
        parse_engine("deepening").analyse(GOMOKU.play("h8"), Limit(depth=depth), all_moves=True)
        for depth in (1, 2)
    )
    assert now.earlier == before.moves
    found = appraise(now)
    assert found.score is not None
    assert found.score.chance == found.moves[0].score.chance
    assert found.moves[0].code == now.best_code


KINDS = st.sampled_from(["win", "draw", "loss", "opinion", "likely"])


@given(
    st.lists(st.tuples(KINDS, st.integers(-20, 20), st.integers(1, 40)), min_size=1, max_size=12),
    st.integers(0, 11),
)
def test_the_best_has_the_largest_number_whatever_is_known(
    told: list[tuple[str, int, int]], which: int
) -> None:
    scores = [
        {
            "win": Score.exactly(abs(value) + 1, 0, plies),
            "draw": Score.exactly(0, 0),
            "loss": Score.exactly(-abs(value) - 1, 0, plies),
            "opinion": Score.opinion(value * 1000, 0),
            "likely": Score.likely(1 if value > 0 else -1, 0, plies),
        }[kind]
        for kind, value, plies in told
    ]
    best = which % len(scores)
    analysis = Analysis(
        CONNECT,
        "deepening",
        scores[best],
        tuple(RootMove(i, score, (i,)) for i, score in enumerate(scores)),
        (best,),
    )
    found = appraise(analysis)
    largest = max(each.score.chance for each in found.moves)
    assert {each.code for each in found.moves if each.score.chance == largest} == set(
        analysis.best_codes
    ) or largest == 0
    assert found.moves[0].code in analysis.best_codes
    assert all(0 <= each.score.chance <= 1 for each in found.moves)
    assert all(
        each.score.chance <= SURE_ESTIMATE for each in found.moves if each.score.kind == "estimate"
    )


def test_a_lost_position_is_worth_what_its_best_move_is() -> None:
    found = analysis_json(
        parse_engine("deepening").analyse(
            Position("connect4:10x11").play("4 4 5 5 6"), Limit(nodes=20_000), all_moves=True
        )
    )
    assert found["result"] == "loss"
    assert found["chance"] == max(entry["chance"] for entry in found["moves"].values())


def test_all_losses_still_have_a_best_one() -> None:
    losses = [
        RootMove(move, Score.exactly(-2, 0, plies), (move,))
        for move, plies in enumerate((4, 10, 6))
    ]
    ranked = in_order(losses, best=(1,))
    assert [each.code for each in ranked] == [1, 2, 0]
    assert ranked[0].score.chance > ranked[1].score.chance > ranked[2].score.chance == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_words_in_every_language(language: str) -> None:
    for rules in (CONNECT.rules, KALAH.rules):
        sizes = (-3, 0, 3)
        told = [
            make(size, 0, plies)
            for make in (Score.exactly, Score.at_least, Score.at_most, Score.likely)
            for size in sizes
            for plies in (7, 6, 1, 0, None)
            if size or make is not Score.likely
        ]
        told += [
            Score(),
            Score(-2, 3),
            Score(0, 3),
            *(Score(heuristic=5, expected=0.6, at=at) for at in (None, "least", "most")),
        ]
        for score in told:
            for text in (score_text, short_text, board_text, detail_text):
                words = text(score, rules)
                assert words is None or not {"{", "."} & set(words.text(language))
            assert score_words(score, rules, language)
            assert short_words(score, rules, language)
