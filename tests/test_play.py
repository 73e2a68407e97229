"""A game in plain lines: moves, hint, undo, save, resume, quit, and every kind of nonsense typed at
the prompt.
"""

from __future__ import annotations

import doctest
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mnkala import Position, Record
from mnkala.errors import BadEngine, IllegalMove
from mnkala.play import Match, parse_player
from tests.command_line import mnkala


def match(first: str, second: str, moves: str = "") -> Match:
    position = Position("connect4").play(moves)
    return Match(
        position, (parse_player(first, position.rules), parse_player(second, position.rules))
    )


def test_two_people_play_to_the_end() -> None:
    done = mnkala("play", "connect4", "--second", "human", stdin="1\n2\n1\n2\n1\n2\n1\n")
    assert done.returncode == 0
    assert "x (human) wins." in done.stdout
    assert "connect4 1212121 1-0" in done.stdout


def test_a_person_against_an_engine_with_everything_at_the_prompt(tmp_path: Path) -> None:
    file = tmp_path / "kept.txt"
    typed = f"help\n4\nnonsense\n99\nhint\nundo\nmoves\n4\nsave {file}\nsave {tmp_path}/kept.txt/x\n\nquit\n"
    done = mnkala(
        "play",
        "connect4",
        "--second",
        "alphabeta:depth=4",
        stdin=typed,
        MNKALA_DATA_DIR=str(tmp_path),
    )
    assert done.returncode == 0, done.stderr
    for words in (
        "take back to your last turn",
        "'n' is not a column",
        "column 9 does not exist",
        "Hint ",
        "took back 2 moves",
        "legal: 1 2 3 4 5 6 7",
        f"saved to {file}",
        "cannot be written",
        f"mnkala play --resume {file}",
    ):
        assert words in done.stdout, words
    assert Record.load(file).position.moves.startswith("4")
    again = mnkala("play", "--resume", str(file), stdin="moves\nresign\n")
    assert "o is alphabeta:depth=4" in again.stdout
    assert "o (alphabeta:depth=4) wins." in again.stdout
    assert Record.load(file).result == "0-1"
    assert "ended by resignation (0-1)" in mnkala("play", "--resume", str(file)).stderr


def test_another_game_is_opened_at_the_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNKALA_DATA_DIR", str(tmp_path))
    done = mnkala(
        "play",
        "connect4",
        "--second",
        "human",
        stdin="4\nopen\nopen 48\nopen tictactoe b2 a1\nmoves\nquit\n",
    )
    for words in ("open what?", "column 8 does not exist", ". x .", "b2a1"):
        assert words in done.stdout, words
    assert sorted(row["game"] for row in json.loads(mnkala("saved", "--json").stdout)) == [
        "connect4",
        "tictactoe",
    ], "both games are kept"


def test_engines_play_each_other_without_a_terminal() -> None:
    done = mnkala("play", "connect4", "--first", "deepening:depth=4", "--second", "random:seed=1")
    assert done.returncode == 0
    assert "x (deepening:depth=4) wins." in done.stdout


def test_a_program_reads_how_a_game_went_and_what_each_engine_spent() -> None:
    done = mnkala(
        "play",
        "connect4",
        "--first",
        "alphabeta:depth=3",
        "--second",
        "random:seed=1",
        "--moves",
        "44",
        "--json",
    )
    told = json.loads(done.stdout)
    assert (told["game"], told["players"], told["ending"], told["fault"]) == (
        "connect4",
        ["alphabeta:depth=3", "random:seed=1"],
        "rules",
        None,
    )
    assert (told["result"], told["winner"]) in (("1-0", 0), ("0-1", 1), ("1/2-1/2", None))
    assert Position("connect4").play("".join(told["moves"])).is_over
    assert [spent["moves"] for spent in told["spent"]] == [
        len(told["moves"][2::2]),
        len(told["moves"][3::2]),
    ]
    assert (
        told["spent"][0]["nodes"]
        > 0
        <= told["spent"][0]["mean_seconds"]
        <= told["spent"][0]["longest_seconds"]
    )
    assert "x (alphabeta:depth=3) wins." in done.stderr, "people can still read along"


def test_json_of_a_game_with_a_person_has_it_even_if_the_person_leaves() -> None:
    done = mnkala("play", "connect4", "--second", "random:seed=1", "--json", stdin="4\nquit\n")
    told = json.loads(done.stdout)
    assert (told["result"], told["winner"], told["ending"], told["moves"][0]) == (
        "*",
        None,
        None,
        "4",
    )
    assert told["spent"][0] is None
    assert told["spent"][1]["moves"] == 1
    assert "to move> " in done.stderr


def test_json_needs_a_game_in_plain_lines() -> None:
    for more in (["--clock", "60"], ["--puzzle", "3"]):
        done = mnkala("play", "connect4", "--json", *more)
        assert done.returncode == 2
        assert "--json tells of a game in plain lines" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_ctrl_c_keeps_the_game(games_folder: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "mnkala", "play", "connect4", "--second", "human"],
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write("4\n")
    process.stdin.flush()
    read = ""
    while "o to move> " not in read:
        read += process.stdout.read(1)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in errors
    (kept,) = json.loads(mnkala("saved", "--json").stdout)
    assert f"mnkala play --resume {kept['id']}" in output
    assert kept["moves"] == "4"


def test_undo_does_not_play_the_game_again(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position("gomoku:90").play_codes(range(0, 8100, 17))
    game = Match(
        position, (parse_player("human", position.rules), parse_player("easy", position.rules))
    )
    monkeypatch.setattr(type(position.rules), "play", None)
    assert game.undo() == 1 + (len(position.history) % 2 == 0)
    assert game.position.mover == 0


def test_undo_goes_back_to_a_persons_turn() -> None:
    game = match("human", "alphabeta:depth=2")
    with pytest.raises(IllegalMove, match="no move to take back"):
        game.undo()
    game.play("4")
    game.take(game.think())
    assert game.undo() == 2
    assert game.position.history_codes == ()
    second = match("alphabeta:depth=2", "human")
    second.take(second.think())
    with pytest.raises(IllegalMove, match="no person has moved"):
        second.undo()


def test_resigning_gives_the_game_to_the_other() -> None:
    game = match("human", "human", "44")
    game.resign()
    assert game.is_over
    assert str(game.outcome) == "0-1"
    assert game.record().without_tags() == "connect4 44 0-1"


def test_one_move_at_a_time_and_engines_only_on_their_turn() -> None:
    game = match("human", "random")
    with pytest.raises(IllegalMove, match="2 moves; type one"):
        game.play("44")
    with pytest.raises(BadEngine, match="played by a person"):
        game.think()


def test_to_think_is_not_to_play_and_an_answer_counts_only_for_the_position_that_it_answers() -> (
    None
):
    game = match("random:seed=1", "human")
    found = game.think()
    assert game.position.history_codes == ()
    game.take(found)
    with pytest.raises(BadEngine, match="played by a person"):
        game.take(game.hint())
    assert len(game.position.history_codes) == 1, "the person has not moved"
    game.play("4")
    with pytest.raises(IllegalMove, match=r"an answer to connect4; the game is at connect4 .4$"):
        game.take(found)
    assert (len(game.position.history_codes), game.state.spent[0].moves) == (2, 1)


def test_the_example_of_a_match_is_true() -> None:
    assert doctest.testmod(sys.modules[Match.__module__]).failed == 0


def test_a_hint_finds_the_win() -> None:
    assert match("human", "human", "121212").hint().best_move == "1"
