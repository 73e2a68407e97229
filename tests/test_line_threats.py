"""Threats on lines, and the reasons that name them: every sentence is held against a slow board."""

from __future__ import annotations

import random

import pytest

from mnkala.errors import BadGame
from mnkala.games import Position, parse_game
from mnkala.games.mnk import Mnk
from mnkala.play.line_threats import READER, LineThreat, line_threats, victory
from mnkala.play.reasons import IMPORTANCE, MADE, STOPPED, explain_move
from mnkala.play.reasons_of_lines import quiet_reasons
from mnkala.play.reasons_of_rows import A_ROW, ROWS, row_reasons
from mnkala.play.reasons_of_threats import threat_reasons
from mnkala.play.words import LANGUAGES
from mnkala.play.worth import Worth
from tests.claims import check_on_the_board
from tests.line_claims import check_reason, check_threat

BOARDS = ("gomoku:9", "mnk:9x9x5,exact", "mnk:7x8x4")
OPEN_THREE = Position("gomoku").play("h8h9i8i9j8")
BY_FOURS = Position("gomoku").play("h8g8i8a3j8a5k9a7k10a9")
"""x makes a four on a row, and with the same mark an open three in a column."""


def crowded(game: str, count: int, seed: int) -> list[Position]:
    """Positions of random games in which marks stand close together."""
    chooser = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = Position(game)
        assert isinstance(position.rules, Mnk)
        rows, cols = position.rules.rows, position.rules.cols
        for _ in range(chooser.randrange(7, 22)):
            moves = [move for move in position.legal_codes if abs(move // cols - rows // 2) + abs(move % cols - cols // 2) < 5]
            after = position.play_codes((chooser.choice(moves),))
            if not after.is_over:
                position = after
        found.append(position)
    return found


def told(threat: LineThreat, position: Position) -> str:
    return threat.told(position.rules).text()


@pytest.mark.parametrize("game", BOARDS)
def test_threats_and_reasons_are_true(game: str) -> None:
    """Costs some seconds: every sentence is checked by trying moves."""
    READER.prepare(parse_game(game))
    for position in crowded(game, 12, seed=4):
        threats = line_threats(position)
        for threat in threats:
            check_threat(position, threat)
        interesting = {move for threat in threats for move in (*threat.at[:1], *threat.stops)} - set(position.history_codes)
        for move in sorted(interesting)[:8]:
            for reason in threat_reasons(position, move):
                check_reason(position, move, reason)
                assert reason.key in IMPORTANCE
                assert all("{" not in reason.text(language) and "@" not in reason.text(language) for language in LANGUAGES)


def test_an_open_three_is_told_with_what_it_threatens_and_what_stops_it() -> None:
    (threat,) = line_threats(OPEN_THREE)
    assert told(threat, OPEN_THREE) == \
        "x has an open three h8-i8-j8 and threatens to make an open four at g8, k8; o stops it at g8, k8."
    assert threat.told(OPEN_THREE.rules).text("it").startswith("x ha un tre aperto h8-i8-j8")


def test_near_the_other_side_an_open_three_can_be_stopped_on_three_cells() -> None:
    (threat,) = line_threats(OPEN_THREE.play("l8a1"))
    assert told(threat, OPEN_THREE).endswith("at g8; o stops it at f8, g8, k8.")


def test_a_four_is_stopped_where_it_wins_and_an_open_four_nowhere() -> None:
    four = OPEN_THREE.play("g8k8")
    assert [(each.kind, told(each, four)) for each in line_threats(four)][:1] == [
        ("four", "x has a four h8-i8-j8-k8 and threatens to win at l8; o stops it there.")]
    open_four = OPEN_THREE.play("a1k8")
    assert line_threats(open_four)[0].stops == ()
    assert "wins at g8, l8: o cannot stop both" in told(line_threats(open_four)[0], open_four)


def test_with_four_in_line_the_names_count_one_less() -> None:
    position = Position("mnk:7x7x4").play("d4d5e4")
    assert told(line_threats(position)[0], position).startswith("x has an open two d4-e4 and threatens to make an open three at c4, f4")


def test_a_victory_by_fours_is_told_with_its_line_and_for_who_makes_its_first_move() -> None:
    line = victory(BY_FOURS, 0)
    assert len(line) > 3
    threat = next(each for each in line_threats(BY_FOURS) if each.kind == "fours")
    check_threat(BY_FOURS, threat)
    reasons = explain_move(BY_FOURS, line[0])
    assert reasons[0].key == "hint.wins_by_fours"
    assert f"Wins by fours in {len(line)} moves, counting both sides: {BY_FOURS.rules.move_text(line[0])} " in reasons[0].text()
    assert BY_FOURS.play_codes(line).is_over


@pytest.mark.parametrize(("moves", "move", "expected"), [
    ("h8h9i8i9j8", "g8", "Stops the open three h8-i8-j8."),
    ("h8h9i8i9j8a1", "k8", "Makes an open four: o cannot stop both g8, l8."),
    ("h8h9i8i9j8g8", "k8", "Makes a four; o must answer at l8."),
    ("h8a1i8a3", "j8", "Makes an open three; o must answer at g8, k8 or make a four."),
    (BY_FOURS.moves, "k8", "Makes a four and an open three; o must answer at l8."),
])
def test_a_reason_names_what_a_move_makes_or_stops(moves: str, move: str, expected: str) -> None:
    position = Position("gomoku").play(moves)
    assert expected in [reason.text() for reason in explain_move(position, position.rules.parse_move(move))]


@pytest.mark.parametrize("game", ["connect4", "kalah", "tictactoe"])
def test_other_games_are_refused(game: str) -> None:
    with pytest.raises(BadGame, match=f"threats are told of Gomoku and .* with a line of 4 or more, not of {game}"):
        line_threats(Position(game))


def test_a_finished_game_threatens_nothing() -> None:
    assert line_threats(Position("gomoku").play("h8h9i8i9j8j9k8k9l8")) == ()


def test_the_best_moves_of_an_estimate_have_true_reasons_and_other_games_none() -> None:
    for position in crowded("gomoku", 6, seed=9):
        moves = [Worth(0.5, "estimate", position.mover, code=code, line_codes=(code,)) for code in position.legal_codes[100:120]]
        found = row_reasons(position, moves)
        assert list(found) == [move.code for move in moves[:ROWS]]
        for move, reasons in found.items():
            assert len(reasons) <= A_ROW
            for reason in reasons:
                (check_reason if reason.key in {*MADE, *STOPPED, "hint.wins_by_fours"} else check_on_the_board)(position, move, reason)
    assert row_reasons(Position("connect4"), [Worth(0.5, "estimate", 0, code=3, line_codes=(3,))]) == {}


def test_a_quiet_move_is_told_by_two_marks_in_a_line() -> None:
    position = Position("gomoku").play("h8i9")
    assert [reason.values["count"] for reason in quiet_reasons(position, position.rules.parse_move("g9"))] == [2]
    assert list(quiet_reasons(position, position.rules.parse_move("a1"))) == []
