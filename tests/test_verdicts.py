"""Verdicts: each sentence about a move is held against brute force, on small boards and at the end
of games on the usual one.
"""

from __future__ import annotations

import json

import pytest

from mnkala.cli import run
from mnkala.core import Position
from mnkala.explain.contract import Reason
from mnkala.explain.inspection import hint
from mnkala.explain.reasons import explain_move
from mnkala.explain.verdicts import verdict, verdicts
from mnkala.explain.words import LANGUAGES, words
from mnkala.families.connect.solver.solver import ConnectSolver
from mnkala.play.reviews import review
from mnkala.search import Limit, Score, parse_engine
from tests.brute_force import SMALL, some_positions, truth
from tests.claims import check_on_the_board, check_verdict

ENGINE = parse_engine("perfect:book=off")


@pytest.mark.parametrize(
    ("game", "count", "least"), [*((game, 60, 8) for game in SMALL), ("connect4", 12, 26)]
)
def test_every_sentence_about_every_move_is_true_by_brute_force(
    game: str, count: int, least: int
) -> None:
    said = set()
    for position in some_positions(game, count, least):
        found = ENGINE.analyse(position, all_moves=True)
        told = verdicts(found)
        assert set(told) == set(position.legal_codes), "of every move something is proved"
        scores = {move: -truth(position.play_codes([move])) for move in position.legal_codes}
        for root in found.moves:
            check_verdict(position, root.code, told[root.code], scores, root.line_codes)
            said |= {reason.key for reason in told[root.code]}
    if game == "connect4:4x5":
        assert said >= {
            "hint.only_win",
            "hint.only_draw",
            "hint.wins_in",
            "hint.longest",
            "why.wins_later",
            "why.gives_away_win",
            "why.loses_in",
            "why.loses_sooner",
            "why.gives_above",
            "why.leaves_win",
            "why.answer",
            "why.ends",
        }


def test_a_sentence_that_nobody_can_check_is_not_taken_for_true() -> None:
    position = Position("connect4:4x4").play("1234")
    for key in ("hint.of_a_new_kind", "why.of_a_new_kind"):
        with pytest.raises(AssertionError, match="nobody can tell whether"):
            check_verdict(
                position, 0, (Reason(key),), dict.fromkeys(position.legal_codes, 0), (0, 1)
            )


@pytest.mark.parametrize("game", ["connect4", "connect4:5x5", "connect:6x6x3", "connect4:10x11"])
def test_a_distant_threat_is_where_it_is_said_to_be(game: str) -> None:
    seen = set()
    for position in some_positions(game, 60 if game == "connect4:10x11" else 120, least=4):
        for move in position.legal_codes:
            for reason in explain_move(position, move):
                if reason.key in ("hint.odd_threat", "hint.even_threat"):
                    seen.add(reason.key)
                    check_on_the_board(position, move, reason)
    assert seen == {"hint.odd_threat", "hint.even_threat"}


def test_nothing_is_said_of_what_is_not_proved() -> None:
    position = Position("connect4").play("44")
    opinion = Score.opinion(30, 0)
    assert verdict(position, 3, dict.fromkeys(range(7), opinion)) == ()
    assert verdict(position, 3, {}) == ()
    won = Score.exactly(2, 0, 37)
    assert (
        next(
            reason.key
            for reason in verdict(position, 3, dict.fromkeys(range(7), opinion) | {3: won})
        )
        == "hint.wins_in"
    )
    bound = Score.at_most(-1, 0)
    assert [reason.key for reason in verdict(position, 2, {2: bound, 3: won})] == ["why.loses"]


def test_a_proved_draw_holds_nothing_while_another_move_may_win() -> None:
    position = Position("connect4").play("44")
    drawn, lost = Score.exactly(0, 0), Score.exactly(-1, 0, 40)
    told = {move: (lost if move else drawn) for move in range(7)}
    holds = {reason.key for reason in verdict(position, 0, told)}
    assert {"hint.only_draw", "hint.holds_draw"} & holds
    for other in (Score.opinion(30, 0), Score.at_most(2, 0)):
        open_yet = {reason.key for reason in verdict(position, 0, told | {6: other})}
        assert not {"hint.only_draw", "hint.holds_draw"} & open_yet


def test_a_loss_holds_out_longest_only_if_every_other_is_known_to_be_as_quick() -> None:
    position = Position("tictactoe").play("a1")
    slow, quick = Score.exactly(-1, 1, 6), Score.exactly(-1, 1, 4)
    within = Score.at_most(-1, 1, 4)
    unknown = Score.at_most(-1, 1)

    def first(move: int, other: Score) -> str:
        scores = {each: slow if each == 3 else other for each in position.legal_codes}
        return verdict(position, move, scores)[0].key

    assert [first(3, quick), first(3, within), first(3, unknown)] == [
        "hint.longest",
        "hint.longest",
        "hint.lost",
    ]
    assert [first(5, quick), first(5, unknown)] == ["why.loses_sooner", "hint.lost"]


def test_of_two_wins_of_the_same_score_the_later_one_is_told_that_another_is_quicker() -> None:
    position = Position("tictactoe").play("a1")
    soon, late = Score.exactly(1, 1, 3), Score.exactly(1, 1, 5)
    scores = {each: soon if each == 3 else late for each in position.legal_codes}
    assert verdict(position, 5, scores)[0].key == "why.wins_later"
    assert verdict(position, 3, scores)[0].key == "hint.wins_in"


def test_only_claims_need_every_other_move() -> None:
    position = Position("connect4").play("44")
    won, lost = Score.exactly(2, 0, 37), Score.at_most(-1, 0)
    keys = [reason.key for reason in verdict(position, 3, dict.fromkeys(range(7), lost) | {3: won})]
    assert keys[0] == "hint.only_win"
    assert "hint.only_win" not in [
        reason.key for reason in verdict(position, 3, dict.fromkeys(range(6), lost) | {3: won})
    ]


def test_every_verdict_can_be_said_in_every_language() -> None:
    keys = {key for key in words("en") if key.startswith("why.")}
    assert len(keys) > 8
    for language in LANGUAGES:
        assert keys <= set(words(language))
    reason = Reason("why.loses_in", {"moves": 4})
    assert reason.text("pt") == "Perde em 4 jogadas."


def test_a_hint_on_a_solved_board_is_proved() -> None:
    position = Position("connect4").play("444443233665555")
    found = hint(position)
    assert found.score is not None
    assert (found.score.kind, found.score.exact) == (
        "exact",
        ConnectSolver(position.rules).solve(position).score.exact,
    )
    assert found.reasons[0].key in (
        "hint.longest",
        "hint.wins_in",
        "hint.only_draw",
        "hint.holds_draw",
        "hint.only_win",
    )


# ---- Reviews and the command line ----


def test_a_review_marks_what_was_won_drawn_and_lost_exactly() -> None:
    position = Position("connect4").play("4444432336655556")
    *_, found = review(position, limit=Limit(nodes=600_000))
    solver = ConnectSolver(position.rules)
    checked = 0
    for move in found.moves[8:]:
        before = Position("connect4").play(position.moves[: move.ply - 1])
        results = [
            solver.solve(before).score.result,
            {"win": "loss", "loss": "win"}.get(
                other := solver.solve(before.play(move.move)).score.result, other
            ),
        ]
        worse = {"win": 2, "draw": 1, "loss": 0}
        assert move.turned == (tuple(results) if worse[results[1]] < worse[results[0]] else None)
        checked += move.turned is not None
        if move.turned:
            assert move.grade == "blunder"
            assert move.reasons[0].key in ("why.loses_in", "why.gives_away_win")
            assert move.refutation[0] == move.move
            assert before.play(" ".join(move.refutation)).is_over
    assert checked == 3
    assert found.moves[9].turned == ("win", "draw")
    assert found.moves[9].reasons[0].key == "why.gives_away_win"


def test_a_heuristic_review_claims_nothing_that_is_not_proved() -> None:
    *_, found = review(
        Position("gomoku").play("h8i9h9h10"), engine="deepening", limit=Limit(nodes=2000)
    )
    assert all(move.turned is None and not move.reasons for move in found.moves)


def test_the_commands_say_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(["analyse", "connect4", "444443233665555", "--engine", "perfect", "--all-moves"]) == 0
    )
    shown = " ".join(capsys.readouterr().out.split())
    assert "this one holds out longest: the other side needs 13 moves" in shown
    assert "Every move loses, but this one sooner: in 12 moves" in shown
    assert (
        run(
            [
                "analyse",
                "connect4",
                "444443233665555",
                "--engine",
                "perfect",
                "--all-moves",
                "--json",
            ]
        )
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert told["moves"]["3"]["why"][0]["key"] == "hint.longest"
    assert len(told["moves"]["3"]["line"]) == 26
    assert run(["review", "connect4", "4444432336655556", "--nodes", "300000"]) == 0
    assert "blunder: won -> drawn" in capsys.readouterr().out
