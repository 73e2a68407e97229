"""Reviews of Kalah: turns are judged by exact margins, in seeds, and what is not proved is never
counted among them.
"""

from __future__ import annotations

import random

import pytest

from mnkala.cli import run
from mnkala.core import Position
from mnkala.play.review_judge import GRADES, grade_by_margin
from mnkala.play.reviews import Review, review
from mnkala.search import Limit
from mnkala.web.serialise import review_message
from tests.kalah_claims import (
    best_play,
    board_of,
    check,
    check_turn,
    keeps,
    margin,
    scores_of,
    split,
)

RESULTS = {1: "win", 0: "draw", -1: "loss"}
BLUNDERS = "122321331"
"""A game of kalah:3x3 that is won, lost and won again."""


def reviewed(game: str, moves: str, limit: Limit | None = None) -> Review:
    *_, last = review(Position(game).play(moves), limit=limit)
    return last


@pytest.mark.parametrize("game", ["kalah:3x2", "kalah:3x2,standard"])
def test_what_each_turn_gave_away_is_true_by_brute_force(game: str) -> None:
    rng = random.Random(game)
    for _ in range(4):
        position = Position(game)
        while not position.is_over:
            position = position.play_codes([rng.choice(position.legal_codes)])
        *_, found = review(position)
        start = board_of(Position(game))
        told = split(start, position.history_codes)
        assert [turn.moves for turn in found.turns] == [
            tuple(str(code + 1) for code in chain) for _, chain, _ in told
        ]
        boards = [
            start,
            *(
                board_of(Position(game).play_codes(position.history_codes[: ply + 1]))
                for ply in range(len(position.history))
            ),
        ]
        assert list(found.margins) == [margin(board, 0) for board in boards]
        for turn, (before, _, after) in zip(found.turns, told, strict=True):
            me = before.mover
            assert (turn.before, turn.after) == (margin(before, me), margin(after, me))
            assert turn.given_away is not None
            assert turn.grade == grade_by_margin(turn.given_away, turned=turn.turned is not None)
            (_, chain, end), *rest = split(before, tuple(int(move) - 1 for move in turn.line))
            assert chain == tuple(int(move) - 1 for move in turn.best)
            assert margin(end, me) == margin(before, me), "the better turn keeps all"
            assert all(margin(later, me) == margin(before, me) for _, _, later in rest)
        for player, exact in enumerate(found.accuracy_in_margins):
            lost = [turn.given_away or 0 for turn in found.turns if turn.player == player]
            assert exact is not None
            assert (exact.turns, exact.proved, exact.best, exact.given_away) == (
                len(lost),
                len(lost),
                lost.count(0),
                sum(lost),
            )


def test_every_sentence_of_a_review_is_true_by_brute_force() -> None:
    found, position = reviewed("kalah:3x3", BLUNDERS), Position("kalah:3x3")
    for move in found.moves:
        code = int(move.move) - 1
        line = tuple(int(each) - 1 for each in move.refutation)
        check(position, code, move.reasons, scores_of(position), line)
        assert len(line) == len(best_play(position, code)) or position.play_codes(line).is_over
        position = position.play_codes([code])


@pytest.mark.parametrize("limit", [None, Limit(nodes=200), Limit(nodes=20)])
def test_every_sentence_about_a_turn_is_true_by_brute_force(limit: Limit | None) -> None:
    """With few nodes only a part of the margins is proved."""
    rng, faults = random.Random(3), 0
    for game in ("kalah:3x2", "kalah:3x2,standard", "kalah:4x2", "kalah:2x4") * 2:
        position = Position(game)
        while not position.is_over:
            position = position.play_codes([rng.choice(position.legal_codes)])
        *_, found = review(position, limit=limit)
        for turn in found.turns:
            before = Position(game).play_codes(position.history_codes[: turn.first - 1])
            line = tuple(int(move) - 1 for move in turn.refutation)
            check_turn(before, line[: len(turn.moves)], turn.reasons, line)
            board, end = board_of(before), split(board_of(before), line)[0][2]
            margins = margin(board, board.mover), margin(end, board.mover)
            assert turn.given_away in (None, margins[0] - margins[1])
            if turn.turned is not None:
                assert turn.turned == tuple(RESULTS[(each > 0) - (each < 0)] for each in margins)
            if turn.given_away:
                assert keeps(board, tuple(int(move) - 1 for move in turn.best), margins[0])
            moves = found.moves[turn.first - 1 : turn.last]
            faults += sum(bool(move.given_away) for move in moves) > 1
    assert faults or limit is not None, "some turns have several faults"


def test_a_turn_with_two_faults_is_told_by_the_loss_of_both() -> None:
    found = reviewed("kalah:4x4,standard", "1223321323423341123434")
    turn = found.turns[8]
    faults = [move.given_away for move in found.moves[turn.first - 1 : turn.last]]
    assert (turn.moves, faults, turn.given_away) == (("4", "2"), [4, 10], 14)
    assert turn.reasons[0].text() == "Gives away 14 seeds: loses by 8, where house 1 wins by 6."


@pytest.mark.parametrize(
    ("seeds", "turned", "grade"),
    [
        (0, False, "best"),
        (2, False, "inaccuracy"),
        (4, False, "mistake"),
        (6, False, "mistake"),
        (8, False, "blunder"),
        (2, True, "blunder"),
    ],
)
def test_grades_go_by_seeds_and_a_worse_result_is_a_blunder(
    seeds: int, turned: bool, grade: str
) -> None:
    assert grade_by_margin(seeds, turned=turned) == grade


def test_a_fault_within_a_turn_is_told_by_the_whole_turn() -> None:
    position = Position("kalah:3x3").play("12")
    found = reviewed("kalah:3x3", "13")
    (turn,) = found.turns
    assert (turn.moves, turn.best, turn.given_away) == (
        ("1", "3"),
        ("1", "2"),
        found.moves[1].given_away,
    )
    assert f"where the turn {turn.best[0]}, 2 wins by 2" in turn.reasons[0].text()
    assert margin(board_of(position), 0) == 2


def test_a_review_by_seeds_comes_out_the_same_every_time_and_grows_from_the_end() -> None:
    stages = list(review(Position("kalah:3x3").play(BLUNDERS)))
    again = reviewed("kalah:3x3", BLUNDERS)
    assert review_message(stages[-1]) == review_message(again)
    half = stages[4]
    assert [turn.grade is None for turn in half.turns] == [True] * 4 + [False] * 3
    assert half.accuracy_in_margins == (None, None)
    assert half.margins[5:] == again.margins[5:]
    assert set(half.margins[:5]) == {None}
    assert [turn.turned for turn in again.turns] == [
        None,
        None,
        ("win", "loss"),
        ("win", "loss"),
        None,
        None,
        None,
    ]
    assert again.turning_point == again.turns[3].last


def test_where_nothing_is_proved_no_seeds_are_counted_and_grades_are_estimates() -> None:
    found = reviewed("kalah:8x10", "1234", Limit(nodes=500))
    assert all(turn.given_away is None and turn.grade in GRADES for turn in found.turns)
    assert set(found.margins) == {None}
    assert [
        exact and (exact.proved, exact.given_away, exact.per_turn)
        for exact in found.accuracy_in_margins
    ] == [(0, 0, None)] * 2
    told = review_message(found)
    assert all(move.worth is not None and move.worth.kind == "estimate" for move in told.moves)


def test_the_command_tells_turns_in_seeds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["review", "kalah:3x3", BLUNDERS]) == 0
    shown = capsys.readouterr().out
    blunder = next(line for line in shown.splitlines() if line.startswith("4  o"))
    assert blunder.startswith(
        "4  o  2??   blunder: won -> lost  12          +10          1           2 3 1"
    )
    assert blunder.endswith("<- the turning point")
    assert "Gives away 6 seeds: wins by 4, where house 2 wins by 10." in shown
    assert (
        "It does not stop the threat to x's house 2: o answers with house 3 and captures 3 seeds."
        in shown
    )
    assert (
        "x: gave away 10 seeds, 2.5 a turn, 2 of 4 turns best (2 best, 1 mistake, 1 blunder)"
        in shown
    )
    assert run(["review", "kalah:8x10", "1234", "--nodes", "500"]) == 0
    assert "estimate: " in capsys.readouterr().out


def test_no_line_of_an_estimate_is_told_as_best_play() -> None:
    """The best move is proved here, and the position after it is not within so few nodes."""
    game = "kalah:3x3,standard"
    start = Position(game, literal="<3,1,2,5,1,4,4,0,1>o")
    *_, found = review(start.play("1"), limit=Limit(nodes=200))
    (turn,) = found.turns
    line = tuple(int(move) - 1 for move in turn.refutation)
    check_turn(start, line[:1], turn.reasons, line)
