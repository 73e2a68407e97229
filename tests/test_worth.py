"""What moves are worth: one scale on which the best move has the largest number, whoever spoke of it."""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnkala.core import Position
from mnkala.explain.chances import SURE_ESTIMATE
from mnkala.explain.move_values import Worth, appraise, appraise_proof, in_order, worth_of_score
from mnkala.explain.score_words import score_words, short_words
from mnkala.explain.words import LANGUAGES
from mnkala.play.analysis_json import analysis_json
from mnkala.search import Analysis, Limit, RootMove, Score, parse_engine
from mnkala.solve import prove

CONNECT, GOMOKU, KALAH = Position("connect4"), Position("gomoku"), Position("kalah")
OPEN_THREE = Position("gomoku").play("h8,a1,h9,a2,h10,a4")
"""h7 and h11 win; a search of candidate moves cannot prove it."""


@pytest.mark.parametrize(("score", "position", "text"), [
    (Score(18, "exact", 0, "win", 3), CONNECT, "wins in 3 moves"),
    (Score(18, "exact", 0, "win", 1), CONNECT, "wins at once"),
    (Score(3, "lower", 0, "win", 9), CONNECT, "wins within 9 moves"),
    (Score(-3, "exact", 0, "loss", 8), CONNECT, "loses in 8 moves"),
    (Score(0, "exact", 0, "draw"), CONNECT, "a draw"),
    (Score(10, "exact", 0, "win", 40), KALAH, "wins by 10"),
    (Score(10, "lower", 0, "win", 40), KALAH, "wins by at least 10"),
    (Score(1, "heuristic", 0, plies=5), GOMOKU, "likely wins in 5 moves"),
    (Score(-1, "heuristic", 0, plies=6), GOMOKU, "likely loses in 6 moves"),
    (Score(1, "upper", 0, plies=5), GOMOKU, "not known yet"),
    (Score(0, "heuristic", 0), CONNECT, "about 50 %"),
    (Score(0, "upper", 0), CONNECT, "at most 50 %"),
    (Score(1 << 27, "heuristic", 0), GOMOKU, "about 98 %"),
])
def test_people_read_results_and_chances_never_a_bare_number(score: Score, position: Position, text: str) -> None:
    assert score_words(worth_of_score(score, position), position.rules) == text


@pytest.mark.parametrize("all_moves", [True, False])
def test_a_found_win_of_gomoku_is_the_largest_number_and_says_so(all_moves: bool) -> None:
    found = analysis_json(parse_engine("deepening").analyse(OPEN_THREE, Limit(nodes=20_000), all_moves=all_moves))
    assert found["words"] == "likely wins in 3 moves"
    assert found["heuristic"] is None
    chances = {move: entry["chance"] for move, entry in found["moves"].items()}
    assert {move for move, chance in chances.items() if chance == max(chances.values())} == set(found["best"]) <= {"h7", "h11"}


def test_a_lost_position_of_gomoku_reads_as_lost() -> None:
    found = appraise(parse_engine("deepening").analyse(OPEN_THREE.play("h7"), Limit(nodes=20_000), all_moves=True))
    assert found.whole is not None
    assert (found.whole.kind, found.whole.result) == ("likely", "loss")
    assert found.whole.chance < 0.02


def test_no_estimate_stands_above_what_is_proved() -> None:
    found = analysis_json(parse_engine("deepening").analyse(CONNECT.play("4455"), Limit(nodes=20_000), all_moves=True))
    assert list(found["moves"])[:2] == found["best"] == ["3", "6"]
    assert {found["moves"][move]["kind"] for move in found["best"]} == {"exact"}
    assert all(entry["chance"] < found["chance"] for move, entry in found["moves"].items() if move not in found["best"])


def test_a_bound_that_points_to_nothing_is_not_read_as_a_heuristics_number() -> None:
    bound = next(move.score for move in parse_engine("deepening").analyse(CONNECT.play("4455"), Limit(depth=3)).moves if move.code == 5)
    assert (bound.kind, bound.result) == ("upper", "unknown")
    assert worth_of_score(bound, CONNECT).heuristic is None


def test_a_proof_orders_wins_by_how_soon_and_losses_by_how_late_they_come() -> None:
    *_, proof = prove(CONNECT.play("4445332"), lines=False)
    found = appraise_proof(proof).moves
    assert found[0].code in proof.best_codes
    for better, worse in itertools.pairwise(found):
        assert better.score is not None
        assert worse.score is not None
        assert better.score >= worse.score
        assert (better.chance == worse.chance) == (better.score == worse.score)


def test_the_gauge_says_what_the_best_move_says_also_over_two_depths() -> None:
    before, now = (parse_engine("deepening").analyse(GOMOKU.play("h8"), Limit(depth=depth), all_moves=True) for depth in (1, 2))
    found = appraise(now, before)
    assert found.whole is not None
    assert found.whole.chance == found.moves[0].chance
    assert found.moves[0].code == now.best_code


KINDS = st.sampled_from(["win", "draw", "loss", "opinion", "likely"])


@given(st.lists(st.tuples(KINDS, st.integers(-20, 20), st.integers(1, 40)), min_size=1, max_size=12), st.integers(0, 11))
def test_the_best_has_the_largest_number_whatever_is_known(told: list[tuple[str, int, int]], which: int) -> None:
    scores = [{"win": Score(abs(value) + 1, "exact", 0, "win", plies), "draw": Score(0, "exact", 0, "draw"),
               "loss": Score(-abs(value) - 1, "exact", 0, "loss", plies), "opinion": Score(value * 1000, "heuristic", 0),
               "likely": Score(1 if value > 0 else -1, "heuristic", 0, plies=plies)}[kind] for kind, value, plies in told]
    best = which % len(scores)
    analysis = Analysis(CONNECT, "deepening", scores[best], tuple(RootMove(i, score, (i,)) for i, score in enumerate(scores)), (best,))
    found = appraise(analysis)
    largest = max(each.chance for each in found.moves)
    assert {each.code for each in found.moves if each.chance == largest} == set(analysis.best_codes) or largest == 0
    assert found.moves[0].code in analysis.best_codes
    assert all(0 <= each.chance <= 1 for each in found.moves)
    assert all(each.chance <= SURE_ESTIMATE for each in found.moves if each.kind == "estimate")


def test_a_lost_position_is_worth_what_its_best_move_is() -> None:
    found = analysis_json(parse_engine("deepening").analyse(Position("connect4:10x11").play("4 4 5 5 6"), Limit(nodes=20_000), all_moves=True))
    assert found["result"] == "loss"
    assert found["chance"] == max(entry["chance"] for entry in found["moves"].values())


def test_all_losses_still_have_a_best_one() -> None:
    losses = [Worth(0.0, "exact", 0, "loss", -2, -2, plies=plies, code=move) for move, plies in enumerate((4, 10, 6))]
    ranked = in_order(losses, best=(1,))
    assert [each.code for each in ranked] == [1, 2, 0]
    assert ranked[0].chance > ranked[1].chance > ranked[2].chance == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_words_in_every_language(language: str) -> None:
    for rules in (CONNECT.rules, KALAH.rules):
        for kind in ("exact", "bound", "likely", "estimate"):
            for result in ("win", "draw", "loss", "unknown"):
                worth = Worth(0.5, kind, 0, result, -2, 3, plies=7)
                if not (kind == "likely" and result in ("draw", "unknown")):
                    for each in (worth, dataclasses.replace(worth, plies=None), dataclasses.replace(worth, lower=0)):
                        assert score_words(each, rules, language)
                        assert short_words(each, rules, language)
