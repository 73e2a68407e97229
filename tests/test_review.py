"""Reviews: grades, accuracy, the turning point; the same every time at a fixed number of nodes."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import msgspec
import pytest
from cyclopts import App

from mnkala.cli.arguments import read_record
from mnkala.cli.review import review as review_command
from mnkala.core import Position
from mnkala.errors import BadEngine, MnkalaError
from mnkala.play.review_judge import GRADES
from mnkala.play.reviews import Review, move_accuracy, review
from mnkala.search import Limit, Stop, parse_engine
from mnkala.web.serialise import review_message

NODES = Limit(nodes=5000)


def reviewed(game: str, moves: str, limit: Limit = NODES, engine: str = "deepening") -> Review:
    """The final review of a game."""
    *_, last = review(Position(game).play(moves), engine=engine, limit=limit)
    return last


def test_a_game_of_connect_four_is_proved_throughout_the_same_every_time_and_counts_moves_alike() -> (
    None
):
    """The README's example. Twice, for it is the claim: some tenths of a second each."""
    (*_, found), (*_, again) = (review(Position("connect4").play("44453322261")) for _ in range(2))
    assert found == again
    assert all(move.score is not None and move.score.result != "unknown" for move in found.moves)
    assert [move.turned for move in found.moves][4:] == [("win", "loss")] * 6 + [None]
    for move in found.moves:
        told = [reason.values["moves"] for reason in move.reasons if reason.key == "why.loses_in"]
        assert told in ([], [move.score and move.score.plies and move.score.plies // 2])


def test_a_move_that_wins_as_soon_as_the_best_one_is_as_good() -> None:
    found = reviewed("gomoku", "h8 a1 h9 a2 h10 a3 h11 a4 h12", Limit(nodes=3000))
    assert [move.grade for move in found.moves][6:] == ["best"] * 3


def test_a_missed_block_is_a_blunder_and_the_turning_point() -> None:
    found = reviewed("connect4", "4435261")
    assert [move.grade for move in found.moves][5:] == ["blunder", "best"]
    assert (found.moves[5].best, found.moves[5].move) == ("1", "6")
    assert found.turning_point == 6
    assert found.chances[6:] == (1.0, 1.0)


def test_a_thrown_away_win_and_a_thrown_away_draw_cost_half_a_point() -> None:
    found = reviewed("tictactoe", "a1b1c3b2b3", Limit(nodes=100_000))
    assert [move.grade for move in found.moves] == ["best", "blunder", "blunder", "best", "best"]
    assert [move.loss for move in found.moves] == [0, 0.5, 0.5, 0, 0]
    assert found.chances == (0.5, 0.5, 1.0, 0.5, 0.5, 0.5)
    assert found.turning_point == 3, "of equal losses the later one decides"


def test_whoever_plays_the_engines_moves_is_never_blamed() -> None:
    engine = parse_engine("deepening:nodes=5000")
    for game in ("connect4", "gomoku", "kalah", "tictactoe"):
        position = Position(game)
        while not position.is_over and len(position.history) < 12:
            position = position.play_codes(engine.analyse(position).line_codes[:1])
        *_, found = review(position, limit=NODES, engine="deepening")
        assert {move.grade for move in found.moves} == {"best"}
        assert found.accuracy == (100.0, 100.0)


def test_a_slower_win_is_good_but_not_best() -> None:
    # x can win at once with c2; b1 stops o's line and makes a fork, which wins two moves later.
    found = reviewed("tictactoe", "b2a1a2c1b1", Limit(nodes=100_000))
    assert (found.moves[-1].best, found.moves[-1].grade, found.moves[-1].loss) == ("c2", "good", 0)


def test_a_proved_result_holds_in_the_graph_until_a_move_gives_something_away() -> None:
    """The position after h8 is searched again, and that does not find the proof."""
    (*_, found) = review(
        Position("mnk:9x9x5").play("g8f9f7b1g7g6e9e6f6f5e5d4e4f1h8i9f8i8d8e8e7d7b8h5g5h4c9"),
        limit=Limit(nodes=20_000),
    )
    assert [move.grade for move in found.moves[14:18]] == ["best"] * 4
    assert found.chances[14:18] == (1.0,) * 4
    assert all(move.loss == 0 for move in found.moves[15:22:2]), "o had lost already"
    assert found.moves[18].grade == "inaccuracy", "d8 leaves the moves that were proved"


def test_where_all_is_lost_nothing_can_be_given_away() -> None:
    found = reviewed("connect4", "445536", Limit(nodes=20_000))
    assert found.moves[-1].loss == 0
    assert found.moves[-1].grade in ("best", "good")


@pytest.mark.parametrize("game", ["connect4", "kalah", "mnk:5x5x4", "gomoku:9"])
def test_reviews_of_random_games_are_consistent(game: str) -> None:
    rng = random.Random(game)
    position = Position(game)
    while not position.is_over and len(position.history) < 20:
        position = position.play_codes([rng.choice(position.legal_codes)])
    *_, found = review(position, limit=Limit(nodes=800))
    assert found.final
    for move in found.moves:
        assert move.grade in GRADES
        assert 0 <= move.loss <= 1
        assert move.best
        assert move.line
        assert move.grade != "best" or (move.loss == 0 and move.best == move.move)
    assert all(expected is not None and 0 <= expected <= 1 for expected in found.chances)
    assert len(found.chances) == len(found.moves) + 1
    assert all(each is not None and 0 <= each <= 100 for each in found.accuracy)


def test_the_same_nodes_give_the_same_review() -> None:
    assert review_message(reviewed("kalah", "361254")) == review_message(
        reviewed("kalah", "361254")
    )


def test_who_moves_twice_is_judged_twice() -> None:
    assert [move.player for move in reviewed("kalah", "361254").moves] == [0, 0, 1, 0, 1, 0]


def test_partial_reviews_come_from_the_end() -> None:
    stages = list(review(Position("connect4").play("4435261"), limit=NODES))
    assert [stage.done for stage in stages] == list(range(8))
    assert all(move.grade is None for move in stages[3].moves[:4])
    assert all(move.grade is not None for move in stages[3].moves[4:])
    assert stages[3].accuracy == (None, None)
    assert stages[3].chances[0] is None
    assert [stage.final for stage in stages] == [False] * 7 + [True]


def test_a_game_from_a_literal_is_reviewed_from_there() -> None:
    position = Position("connect4", literal="7/7/7/7/3o3/2xx3").play("25")
    *_, found = review(position, limit=NODES)
    assert [move.player for move in found.moves] == [1, 0]


def test_a_game_without_moves_has_an_empty_review() -> None:
    (found,) = review(Position("connect4"), limit=NODES)
    assert found.final
    assert found.moves == ()
    assert found.accuracy == (None, None)


def test_monte_carlo_can_judge_too_but_random_play_cannot() -> None:
    found = reviewed("tictactoe", "a1b1c3b2b3", Limit(), "mcts:iterations=400")
    assert found.final
    with pytest.raises(BadEngine, match="random gives no scores"):
        reviewed("tictactoe", "a1b1", Limit(), "random")


def test_too_little_time_still_gives_a_review() -> None:
    *_, found = review(Position("gomoku").play("h8i9"), limit=Limit(time=1e-6))
    assert found.final
    assert all(move.score is not None for move in found.moves)


def test_nothing_comes_after_a_stop_and_what_came_before_is_kept() -> None:
    stop = Stop()
    stages = review(Position("connect4").play("44352"), seconds=20, stop=stop)
    first = next(stages)
    stop.set()
    assert list(itertools.islice(stages, 5)) == []
    assert not first.final


def test_a_time_that_is_no_time_is_refused() -> None:
    with pytest.raises(BadEngine, match="more than 0"):
        list(review(Position("connect4").play("4"), seconds=0))


def test_accuracy_falls_with_the_loss() -> None:
    assert move_accuracy(0) == pytest.approx(100, abs=0.01)
    assert 60 < move_accuracy(0.1) < 70
    assert move_accuracy(1) == 0


def test_the_json_has_every_field_of_the_interface() -> None:
    told = json.loads(msgspec.json.encode(review_message(reviewed("connect4", "4435261"))))
    assert set(told) == {
        "moves",
        "chances",
        "accuracy",
        "turning_point",
        "mistakes",
        "engine",
        "turns",
        "margins",
        "exactness",
        "margin_texts",
    }
    assert set(told["moves"][0]) == {
        "ply",
        "player",
        "move",
        "grade",
        "worth",
        "best",
        "best_worth",
        "line",
        "loss",
        "turned",
        "refutation",
        "reasons",
        "best_turn",
        "given_away",
    }
    assert told["moves"][6]["worth"]["result"] == "win"
    assert (told["turns"], told["margins"], told["moves"][0]["given_away"]) == ([], [], None)


# ---- The command ----


def run(*words: str) -> None:
    app = App(result_action="return_value")
    app.default(review_command)
    app(list(words), exit_on_error=False)


def test_the_command_prints_a_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    run("connect4", "4435261", "--nodes", "5000")
    printed = capsys.readouterr().out
    assert "6??   blunder" in printed
    assert "<- the turning point" in printed
    assert "result 1-0, judged by perfect" in printed


def test_the_command_reads_files_and_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.txt"
    file.write_text("# first: Ada\n# second: easy\nconnect4 4435261 1-0\n")
    run(str(file), "--nodes", "2000", "--json")
    told = json.loads(capsys.readouterr().out)
    assert (told["game"], told["result"], len(told["moves"])) == ("connect4", "1-0", 7)
    run(str(file), "--nodes", "2000")
    assert "x (Ada): accuracy" in capsys.readouterr().out
    assert read_record(("connect4 4435261 1-0",)).position.moves == "4435261"
    assert read_record(("connect4@7/7/7/7/3o3/2xx3", "25")).position.moves == "25"


def test_the_command_says_what_it_needs() -> None:
    with pytest.raises(MnkalaError, match="name a file"):
        run()
    with pytest.raises(MnkalaError, match="cannot be read"):
        run("nowhere.txt")
    with pytest.raises(MnkalaError, match="no move was played"):
        run("connect4", "-", "*")
