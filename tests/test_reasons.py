"""Hints: every reason is true by the rules, on positions made by hand, for each family and for a
plug-in.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from mnkala.core import Position, parse_game
from mnkala.errors import IllegalMove
from mnkala.explain.contract import Reason, explanations_of
from mnkala.explain.inspection import hint
from mnkala.explain.reasons import MOST_REASONS, explain, importance_of
from mnkala.explain.words import LANGUAGES, words
from mnkala.families.kalah.reasons import captured
from mnkala.search import Analysis, Limit, Score, parse_engine
from tests.claims import loses_at_once
from tests.installed_plugin import example_plugins

ENGINE = parse_engine("deepening:nodes=3000")


def after(position: Position, move: str, score: Score | None = None) -> dict[str, Reason]:
    """The reasons for a move of one's own choice, by key."""
    codes = tuple(position.rules.parse_moves(move))
    analysis = Analysis(
        position,
        "deepening",
        score,
        (),
        codes,
        depth=1,
        nodes=1,
        evaluations=1,
        cutoffs=0,
        held=1,
        table_hits=0,
        seconds=0.0,
    )
    return {reason.key: reason for reason in explain(analysis)}


# ---- Games of lines ----


def test_a_win_is_the_only_reason_needed_and_shows_the_line() -> None:
    reasons = after(Position("connect4").play("414141"), "4")
    assert list(reasons) == ["hint.wins"]
    assert set(reasons["hint.wins"].cells) == {(2, 3), (3, 3), (4, 3), (5, 3)}


def test_a_block_shows_the_line_that_it_stops() -> None:
    reasons = after(Position("connect4").play("44352"), "1")
    assert reasons["hint.blocks"].text() == "Blocks: x would win with column 1."
    assert set(reasons["hint.blocks"].cells) == {(5, 0), (5, 1), (5, 2), (5, 3)}
    assert "hint.only_safe" in reasons


def test_what_does_not_stop_the_win_is_not_called_a_block() -> None:
    reasons = after(Position("connect4").play("44352"), "4")
    assert not {"hint.blocks", "hint.only_safe"} & set(reasons)


def test_of_two_wins_one_block_is_a_block_but_not_safe() -> None:
    position = Position("gomoku").play("h8a1i8a3j8a5k8")
    reasons = after(position, "l8")
    assert "hint.blocks" in reasons
    assert "hint.only_safe" not in reasons


def test_a_fork_names_both_threats() -> None:
    reasons = after(Position("connect4").play("4455"), "3")
    assert reasons["hint.fork"].values["moves"] == "@move.columns 2, 6"
    assert set(reasons["hint.fork"].cells) == {(5, 1), (5, 5)}
    assert "hint.threatens" not in reasons


def test_a_threat_is_no_fork() -> None:
    reasons = after(Position("tictactoe").play("b2a1"), "b1")
    assert reasons["hint.threatens"].cells == ((0, 1),)
    assert "hint.fork" not in reasons


def test_a_threat_that_the_opponent_can_ignore_by_winning_is_not_boasted_of() -> None:
    position = Position("tictactoe").play("a1a3b1")  # o to move must stop c1
    assert "hint.threatens" not in after(position, "b3")


def test_one_threat_on_top_of_another_is_a_double_threat() -> None:
    # x threatens the second row of column 4 already; with 7 the first row as well, so a block below
    # is no help.
    reasons = after(Position("connect4", literal="7/7/7/o1o4/xxx1oo1/oxo1xx1"), "7")
    assert reasons["hint.stacked"].values == {"move": "@move.column 4", "opponent": "o"}
    assert reasons["hint.stacked"].cells == ((5, 3), (4, 3))


def test_a_fork_of_the_opponent_is_prevented_on_its_own_cell() -> None:
    reasons = after(Position("connect4").play("4").play("1").play("5"), "3")
    assert reasons["hint.prevents_fork"].values["opponent"] == "x"
    assert set(reasons["hint.prevents_fork"].cells) == {(5, 1), (5, 5)}


def test_an_open_three_of_the_opponent_is_named_and_stopped() -> None:
    reasons = after(Position("gomoku:19").play("j10a1k10a3l10"), "i10")
    assert set(reasons["hint.stops_open_three"].cells) == {(9, column) for column in range(8, 13)}


def test_the_cell_above_is_left_alone() -> None:
    # o threatens the second row of column 4, whose first cell is free: x must not play there.
    reasons = after(Position("connect4", literal="7/7/7/7/ooo1x2/xxo1xox"), "7")
    assert reasons["hint.avoids_above"].values["moves"] == "@move.column 4"
    assert reasons["hint.avoids_above"].cells == ((4, 3),)


def test_building_and_closing_lines_is_told_on_large_boards() -> None:
    assert after(Position("gomoku").play("h8g7i9a3"), "j10")["hint.builds"].values["count"] == 3
    closing = after(Position("gomoku").play("h8a1i8a3l8"), "j8")
    assert closing["hint.disrupts"].values["count"] == 3


def test_the_first_move_takes_the_centre() -> None:
    for game, centre, lines in (("connect4", "4", 7), ("tictactoe", "b2", 4), ("gomoku", "h8", 20)):
        assert after(Position(game), centre)["hint.centre"].values["count"] == lines
    assert "hint.centre" not in after(Position("gomoku"), "a1")


def test_longer_runs_do_not_count_where_lines_must_be_exact() -> None:
    six = "h8a1i8a3j8a5l8a7m8o1"  # k8 would make six in a row
    assert "hint.wins" in after(Position("gomoku:15").play(six), "k8")
    assert "hint.wins" not in after(Position("gomoku:15,exact").play(six), "k8")
    assert "hint.blocks" not in after(Position("gomoku:15,exact").play(six).play("c12"), "k8")


# ---- What is proved ----


def test_proved_results_are_told() -> None:
    quiet = Position("connect4").play("44")
    assert after(quiet, "1", Score.exactly(3, 0, 35))["hint.wins_in"].values["moves"] == 18
    assert "hint.longest" in after(quiet, "1", Score.exactly(-3, 0, 35))
    assert "hint.lost" in after(quiet, "1", Score.at_most(-3, 0, 35))
    assert "hint.holds_draw" in after(quiet, "1", Score.exactly(0, 0))


def test_a_search_of_candidates_only_seems_to_know() -> None:
    quiet = Position("gomoku").play("h8i9")
    assert "hint.seems_to_win" in after(quiet, "h9", Score.likely(1, 0, 9))
    assert "hint.seems_to_lose" in after(quiet, "h9", Score.likely(-1, 0, 8))
    assert not {"hint.wins_in", "hint.lost"} & set(after(quiet, "h9", Score.likely(1, 0, 9)))


def test_without_any_reason_the_search_speaks_modestly() -> None:
    reasons = after(Position("connect4").play("44"), "1", Score.opinion(10, 0))
    assert list(reasons) == ["hint.search"]
    assert 50 < int(reasons["hint.search"].values["percent"]) < 80
    assert list(after(Position("connect4").play("44"), "1")) == ["hint.chosen"]


# ---- Kalah ----


def test_a_last_seed_in_the_store_moves_again() -> None:
    assert after(Position("kalah"), "3")["hint.extra_turn"].cells == ((1, 2),)
    assert "hint.extra_turn" not in after(Position("kalah"), "4")


def test_a_capture_tells_how_many_and_where() -> None:
    position = Position("kalah:4x3", literal="<4,0,0,2,3,0,3,4,3,3,3>")
    reasons = after(
        position, "1"
    )  # the last seed falls into the empty house 3, opposite o's house 2 with 3 seeds
    assert reasons["hint.captures"].values["seeds"] == 3
    assert reasons["hint.captures"].cells == ((1, 2), (0, 2))


def test_seeds_are_saved_from_capture() -> None:
    # o's house 1 holds 2 seeds and o's house 3 is empty: it would capture x's house 2, five seeds.
    position = Position("kalah:4x3", literal="<4,0,0,1,5,1,1,2,3,0,3>")
    reasons = after(position, "2")
    assert reasons["hint.saves"].values == {
        "seeds": 5,
        "opponent": "o",
        "chain": "@move.house 1",
        "left": 0,
    }
    assert reasons["hint.saves"].cells == ((1, 1),)
    assert "hint.saves" not in after(position, "1")


@pytest.mark.parametrize(
    "game", ["kalah", "kalah:4x3,standard", "kalah:8x10", "kalah:1x4", "kalah:2x9"]
)
def test_captures_are_counted_as_the_rules_do(game: str) -> None:
    rng = random.Random(game)
    seen = 0
    for _ in range(30):
        position = Position(game)
        while not position.is_over:
            rules, state = position.rules, position.state()
            move = rng.choice(position.legal_codes)
            count = rules.row(state.own)[move]  # type: ignore[attr-defined]
            ring = 2 * rules.houses + 1  # type: ignore[attr-defined]
            into_store = sum((move + i) % ring == rules.houses for i in range(1, count + 1))  # type: ignore[attr-defined]
            later = position.play_codes([move])
            if not later.is_over:
                now, then = rules.picture(later.state()).seeds, rules.picture(state).seeds
                gain = sum(now.stores) - sum(then.stores)  # type: ignore[union-attr]
                found = captured(rules, state, move)  # type: ignore[arg-type]
                assert gain - into_store in ((found + 1,) if found else (0, 1))
                seen += found > 0
            position = later
    assert seen > 0 or game in ("kalah:1x4", "kalah:2x9")


# ---- Any game ----


@pytest.fixture
def domineering() -> Iterator[str]:
    """The example plug-in."""
    with example_plugins("domineering"):
        yield "domineering:4x4"


def test_a_plug_in_gets_reasons_that_its_rules_bear_out(domineering: str) -> None:
    seen = set()
    for seed in range(25):
        rng = random.Random(seed)
        position = Position(domineering)
        while not position.is_over:
            move = rng.choice(position.legal_moves)
            for key in after(position, move):
                seen.add(key)
                played = position.play(move)
                if key == "hint.wins":
                    assert played.outcome is not None
                    assert played.outcome.winner == position.mover
                if key == "hint.only_safe":
                    others = [
                        position.play(other) for other in position.legal_moves if other != move
                    ]
                    assert all(loses_at_once(other, 1 - position.mover) for other in others)
                    assert not loses_at_once(played, 1 - position.mover)
            position = position.play(move)
    assert {"hint.wins", "hint.only_safe", "hint.only_move"} <= seen


@pytest.mark.parametrize(
    "game", ["connect4", "connect:5x5x3", "tictactoe", "mnk:5x5x4", "kalah:3x2", "connect4:10x11"]
)
def test_claims_about_wins_hold_in_random_games(game: str) -> None:
    rng = random.Random(game)
    seen = set()
    for _ in range(12):
        position = Position(game)
        while not position.is_over:
            move = rng.choice(position.legal_codes)
            me, played = position.mover, position.play_codes([move])
            reasons = after(position, position.rules.move_text(move))
            seen |= set(reasons)
            assert ("hint.wins" in reasons) == (
                played.outcome is not None and played.outcome.winner == me
            )
            if "hint.only_safe" in reasons:
                others = [
                    position.play_codes([other]) for other in position.legal_codes if other != move
                ]
                assert all(loses_at_once(other, 1 - me) for other in others)
                assert not loses_at_once(played, 1 - me)
            if "hint.fork" in reasons or "hint.stacked" in reasons:
                replies = [played.play_codes([reply]) for reply in played.legal_codes]
                assert all(loses_at_once(reply, me) for reply in replies)
            if "hint.threatens" in reasons:
                replies = [played.play_codes([reply]) for reply in played.legal_codes]
                assert any(loses_at_once(reply, me) for reply in replies)
            if "hint.blocks" in reasons:
                others = [
                    position.play_codes([other]) for other in position.legal_codes if other != move
                ]
                assert all(
                    loses_at_once(other, 1 - me) for other in others if other.outcome is None
                )
            if "hint.avoids_above" in reasons:
                for given in position.rules.parse_moves(
                    str(reasons["hint.avoids_above"].values["moves"])
                    .partition(" ")[2]
                    .replace(", ", " ")
                ):
                    assert loses_at_once(position.play_codes([given]), 1 - me)
            position = played
    assert "hint.wins" in seen


# ---- Hints ----


def test_a_hint_has_a_move_a_score_a_line_and_reasons() -> None:
    found = hint(Position("connect4").play("44352"))
    assert found.move == found.line[0] == "1"
    assert found.score is not None
    assert found.reasons[0].key == "hint.blocks"
    assert found.reasons[0].text() == "Blocks: x would win with column 1."
    assert found.reasons[0].cells[0] == (5, 0)


def test_a_finished_game_has_no_hint() -> None:
    with pytest.raises(IllegalMove, match=r"the game is over \(1-0\)"):
        hint(Position("connect4").play("4141414"))


def test_hints_never_say_more_than_three_things_the_weightiest_first() -> None:
    for game in ("connect4", "gomoku", "kalah", "tictactoe"):
        position = Position(game)
        while not position.is_over and len(position.history) < 12:
            found = hint(position, Limit(nodes=300))
            ranks = [
                importance_of(explanations_of(position.rules))[reason.key]
                for reason in found.reasons
            ]
            assert 1 <= len(ranks) <= MOST_REASONS
            assert ranks == sorted(ranks)
            position = position.play(found.move)


def test_every_reason_can_be_said_in_every_language() -> None:
    for language in LANGUAGES:
        for game in ("connect4", "gomoku", "kalah", "tictactoe"):
            assert set(importance_of(explanations_of(parse_game(game)))) <= set(words(language))
    reason = Reason("hint.blocks", {"opponent": "x", "move": "d3"})
    assert reason.text("pt") == "Bloqueia: x ganharia com d3."
    assert reason.text("it") == "Blocca: x vincerebbe con d3."
