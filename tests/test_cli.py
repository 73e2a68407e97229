"""The command line as a user types it, with good and with bad input: in real processes where that
matters, otherwise in this one.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mnkala.terminal.environment import print_wrapped
from tests.command_line import mnkala
from tests.installed_plugin import PLUGIN, install_plugin


def answer(*arguments: str) -> dict[str, Any]:
    done = mnkala(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


# ---- Help and lists ----


def test_help_teaches() -> None:
    done = mnkala("--help")
    assert done.returncode == 0
    for word in (
        "play",
        "analyse",
        "perft",
        "warmup",
        "check",
        "games",
        "engines",
        "heuristics",
        "version",
        "connect4:10x11",
    ):
        assert word in done.stdout


@pytest.mark.parametrize(
    "command",
    ["play", "analyse", "perft", "warmup", "check", "games", "engines", "heuristics", "version"],
)
def test_every_command_has_help(command: str) -> None:
    done = mnkala(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"mnkala {command}" in done.stdout


def test_the_lists() -> None:
    assert "connect4[:ROWSxCOLS]" in mnkala("games").stdout
    assert set(json.loads(mnkala("games", "--json").stdout)) >= {"connect", "connect4"}
    assert set(json.loads(mnkala("engines", "--json").stdout)) >= {
        "random",
        "minimax",
        "alphabeta",
        "deepening",
    }
    assert "threads=1" in mnkala("engines").stdout
    assert "zero-sum     " in mnkala("heuristics", "connect4").stdout
    assert set(json.loads(mnkala("heuristics", "--json").stdout)) >= {
        "basic",
        "article",
        "zero-sum",
        "zero-sum-hv",
    }
    assert mnkala("version").stdout.startswith("mnkala 0.")


def test_completion_scripts_can_be_made() -> None:
    from mnkala.cli.commands import command_line

    assert "analyse" in command_line().generate_completion(shell="bash")


# ---- Analyse ----


def test_json_has_every_promised_key() -> None:
    found = answer("analyse", "connect4", "121212", "--depth", "4")
    assert found["game"] == "connect4"
    assert found["position"] == "......./......./......./xo...../xo...../xo....."
    assert (found["mover"], found["best"], found["score"], found["kind"], found["result"]) == (
        "x",
        ["1"],
        18,
        "exact",
        "win",
    )
    assert (found["moves"]["1"]["score"], found["moves"]["1"]["words"], found["line"]) == (
        18,
        "wins at once",
        ["1"],
    )
    assert found["nodes"] > 0
    assert found["seconds"] >= 0


def test_moves_may_be_separate_words_or_a_literal() -> None:
    together = answer("analyse", "connect4", "44352", "--depth", "2")
    apart = answer("analyse", "connect4", "4", "4", "3", "5", "2", "--depth", "2")
    literal = answer("analyse", "connect4", "--position", "7/7/7/7/3o3/1xxxo2", "--depth", "2")
    for found in (together, apart, literal):
        found.pop("seconds")
    assert together == apart
    assert literal["played"] == ""
    assert {**literal, "played": together["played"]} == together


def test_all_moves_gives_every_move_a_score_of_its_own() -> None:
    found = answer(
        "analyse", "connect4", "44", "--engine", "alphabeta", "--depth", "5", "--all-moves"
    )
    assert sorted(found["moves"]) == list("1234567")
    assert {move["kind"] for move in found["moves"].values()} <= {"exact", "estimate"}
    assert next(iter(found["moves"])) in found["best"]


def test_a_symmetric_position_has_several_best_moves() -> None:
    found = answer("analyse", "connect:3x3x3", "--depth", "9", "--all-moves")
    assert (found["score"], found["result"], found["kind"]) == (0, "draw", "exact")
    assert sorted(found["best"]) == ["1", "2", "3"]


def test_live_output_shows_depths_moves_and_the_best() -> None:
    done = mnkala("analyse", "connect4", "44", "--depth", "6", "--threads", "2")
    assert done.returncode == 0
    assert "depth  6" in done.stdout
    assert "best: " in done.stdout
    assert mnkala("analyse", "connect4", "1212121").stdout.count("the game is over: 1-0") == 1


def test_a_batch_answers_every_line_in_order_and_names_the_bad_ones(tmp_path: Path) -> None:
    lines = "44\n\n@7/7/7/7/7/3x3 3\n99\n121212\n"
    (tmp_path / "positions.txt").write_text(lines)
    for done in (
        mnkala("analyse", "connect4", "--batch", str(tmp_path / "positions.txt"), "--depth", "3"),
        mnkala("analyse", "connect4", "--batch", "-", "--depth", "3", stdin=lines),
    ):
        assert done.returncode == 1
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        assert [row.get("played") for row in rows] == ["44", "", "3", None, "121212"]
        assert "column 9 does not exist" in rows[3]["error"]
        assert rows[3]["line"] == 4
        assert rows[4]["score"] == 18


def test_a_line_goes_on_where_the_book_ends_or_says_that_it_ends_there() -> None:
    done = mnkala("solve", "connect4", "44444715", "--no-moves")
    assert "from the opening book" in done.stdout
    assert "nodes" not in done.stdout.partition("score")[2]
    done = mnkala("solve", "connect4", "44444715")
    line = done.stdout.partition("\nline ")[2]
    assert "the book ends here; --no-book searches on" in line or len(line.split()[0]) == 29


def test_a_batch_of_solve_asks_the_book_and_reads_literals_as_analyse_does() -> None:
    lines = "\n44\n@7/7/7/7/7/3x3 4\n# a comment\n@oops\n{}\n"
    done = mnkala("solve", "connect4", "--batch", "-", stdin=lines)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row.get("score"), row.get("nodes")) for row in rows] == [(1, 0)] * 3 + [
        (None, None)
    ] * 2
    assert rows[2]["start"] is not None
    assert "rows" in rows[3]["error"]
    assert "no moves and no position" in rows[4]["error"]
    assert done.stderr.endswith("mnkala: 2 lines could not be solved\n")


def test_a_batch_solves_other_games_and_says_what_is_out_of_reach() -> None:
    done = mnkala("solve", "tictactoe", "--batch", "-", stdin="b2\na1 b1 a2 b2\n")
    assert [(row["score"], row["plies"]) for row in map(json.loads, done.stdout.splitlines())] == [
        (0, None),
        (1, 1),
    ]
    done = mnkala("solve", "kalah:6x6", "--batch", "-", stdin="\n")
    assert "--time SECONDS tries anyway" in json.loads(done.stdout)["error"]


def test_report_002s_depth_formula_is_an_option() -> None:
    assert (
        answer("analyse", "connect4", "--engine", "alphabeta", "--depth-from-nodes", "100000")[
            "depth"
        ]
        == 5
    )


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_ctrl_c_stops_an_analysis_at_once_and_pressed_twice_too() -> None:
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "mnkala",
            "analyse",
            "connect4",
            "--engine",
            "deepening",
            "--time",
            "3600",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert any("depth 10" in line for line in iter(process.stdout.readline, ""))
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=600)
    assert process.returncode in (
        130,
        -signal.SIGINT,
    )  # a shell says 130 of both; the latter if the second one meets Python's own end
    assert "best answer so far" in output
    assert "Traceback" not in errors


# ---- Perft, check, warmup ----


def test_perft_prints_a_row_a_depth() -> None:
    rows = mnkala("perft", "connect4", "5").stdout.splitlines()
    assert [int(row.split()[1].replace(",", "")) for row in rows] == [1, 7, 49, 343, 2401, 16807]
    assert "6" in mnkala("perft", "connect4", "1", "444444").stdout.splitlines()[1].split()


def test_check_passes_a_good_game_and_names_the_broken_clause(tmp_path: Path) -> None:
    good = mnkala("check", "mnkala.families.connect.bits:Connect")
    assert good.returncode == 0, good.stdout + good.stderr
    assert "connect4: keeps the contract" in good.stdout
    (tmp_path / "bad.py").write_text(PLUGIN.replace("return state.mover", "return 5"))
    bad = mnkala("check", "bad:PluginNim", folder=tmp_path)
    assert bad.returncode == 1
    assert "BROKEN  mover: 0 or 1, and 0 starts" in bad.stdout
    assert "mover() gives [5]; players are 0 and 1" in bad.stdout


def test_warmup_counts_what_it_compiled(tmp_path: Path) -> None:
    done = mnkala(
        "warmup", folder=tmp_path
    )  # in this process, the games of other tests would be compiled too
    assert done.returncode == 0
    assert "combinations ready" in done.stderr


def test_a_plug_in_game_is_played(tmp_path: Path) -> None:
    install_plugin(tmp_path)
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    done = mnkala(
        "play",
        "pluginnim:6",
        "--first",
        "random:seed=1",
        "--second",
        "random:seed=2",
        PYTHONPATH=path,
    )
    assert done.returncode == 0, done.stderr
    assert "wins." in done.stdout


# ---- Bad input for every command ----


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["analyse"], "needs GAME too"),
        (["analyse", "chess"], "games are connect"),
        (["analyse", "connect4", "9"], "1-7"),
        (["analyse", "connect4", "--depth", "0"], "1 to 1000"),
        (["analyse", "connect4", "--depth", "x"], "whole number"),
        (["analyse", "connect4", "--engine", "hal"], "engines are"),
        (["analyse", "connect4", "--time", "-1"], "more than 0"),
        (["analyse", "connect4", "--position", "zz"], "rows"),
        (["analyse", "connect4", "--heuristic", "hope"], "heuristics are"),
        (["analyse", "connect4", "--batch", "no/such/file"], "cannot be read"),
        (["analyse", "connect4", "4", "--batch", "-"], "leave out"),
        (
            ["analyse", "connect4", "--engine", "random", "--heuristic", "basic"],
            "has no option heuristic",
        ),
        (["analyse", "connect4", "--nonsense"], "nonsense"),
        (["nonsense"], "nonsense"),
        (["perft", "connect4", "-3"], "0 to 1,000"),
        (["perft", "connect4", "many"], "whole number"),
        (["perft", "nogame", "3"], "games are"),
        (["check", "nothing"], "module:Class"),
        (["check", "no_such:Game"], "cannot be imported"),
        (["check", "json:Game"], "has no class"),
        (["check", "json:JSONDecoder"], "must derive from"),
        (["play"], "which game"),
        (["play", "chess"], "games are"),
        (
            ["play", "connect4", "--first", "hal"],
            "no player is called 'hal'; players are human, level1, level2",
        ),
        (["play", "--resume", "no.txt"], "cannot be read"),
        (["play", "connect4", "--resume", "no.txt"], "leave out"),
        (["play", "connect4", "--moves", "88"], "1-7"),
        (["heuristics", "chess"], "games are"),
        (["games", "extra"], "extra"),
        (["warmup", "extra"], "extra"),
        (["analyse", "connect4:999999x9"], "1 to 40"),
        (["analyse", "connect4", "٣"], "is not a column|does not exist"),
    ],
)
def test_bad_input_gets_one_clear_error_and_no_traceback(arguments: list[str], words: str) -> None:
    done = mnkala(*arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert any(word in done.stderr for word in words.split("|")), done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["analyse", "conect4"],
            "no game is called 'conect4'; did you mean connect4? Games are connect, connect4",
        ),
        (
            ["analyse", "connect4", "--engine", "deepning"],
            "no engine is called 'deepning'; did you mean deepening? Engines are",
        ),
        (
            ["analyse", "connect4", "--engine", "alphabeta:dept=3"],
            "'dept=3' is not an option of alphabeta; did you mean depth? Options are heuristic=",
        ),
        (
            ["analyse", "connect4", "--heuristic", "treats"],
            "no heuristic is called 'treats'; did you mean threats? Heuristics are",
        ),
        (
            ["play", "connect4", "--second", "hrad"],
            "no player is called 'hrad'; did you mean hard? Players are human, level1",
        ),
        (
            ["think", "connect4", "--algorithm", "alfabeta"],
            "did you mean alphabeta? Searches that can be watched are",
        ),
        (["anlayse"], "did you mean analyse?"),
        (["conect4"], "did you mean connect4?"),
        (["help", "slove"], "did you mean solve?"),
        (["analyse", "connect4", "--dept", "3"], "has no option --dept; did you mean --depth?"),
        (["book", "shw"], "did you mean show?"),
        (["saved", "exprot"], "`mnkala saved` has no command 'exprot'; did you mean export?"),
        (["--hlep"], "has no option '--hlep'; did you mean --help?"),
        (["levels", "--forgt"], "did you mean --forget?"),
        (
            ["arena", "tournament", "connect4", "1", "2", "--format", "swis"],
            "did you mean swiss? Choices are round-robin",
        ),
        (["play", "mancla"], "did you mean mancala?"),
    ],
)
def test_a_name_that_does_not_exist_is_answered_by_the_one_that_was_meant(
    arguments: list[str], words: str
) -> None:
    done = mnkala(*arguments)
    assert done.returncode == 2
    assert words in done.stderr


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (
            "analyse",
            "`mnkala analyse` needs GAME too: a game string, such as connect4 or connect4:5x6; for example: mnkala analyse connect4 44352 --time 2",
        ),
        ("analyse connect4 --depth", "--depth needs a whole number after it: plies to look ahead"),
        (
            "analyse connect4 --engine",
            "--engine needs a value after it: an engine string, such as alphabeta:depth=6",
        ),
        ("analyse connect4 --json=maybe", "--json: it takes no value, so leave out 'maybe'"),
        ("analyse connect4 --depth 3 --depth 4", "--depth is given twice; once is enough"),
        ("solve connect4 --out", "--out needs the name of a file or folder after it"),
        ("games 4", "`mnkala games` takes only options, and '4' is left over"),
        (
            "levels kalah extra",
            "`mnkala levels` takes GAME and options, and 'extra' is left over; for example: mnkala levels kalah",
        ),
        ("match connect4 easy", "`mnkala match` needs OTHER too: the opponent"),
        ("match connect4 easy hard --games 0", "--games 0: 1 to 1,000,000 are possible"),
        (
            "match connect4 1 2 3",
            "`mnkala match` takes GAME ONE OTHER and options, and '3' is left over; for example: mnkala match connect4",
        ),
        (
            "sprt easy hard",
            "`mnkala sprt` needs --game too: a game string, such as connect4 or connect4:5x6; for example: mnkala sprt",
        ),
        ("openings gomoku -n", "-n needs a whole number after it: how many"),
        ("openings gomoku --even 3", "--even 3: 0.001 to 0.5 are possible"),
        (
            "perft connect4",
            "`mnkala perft` needs DEPTH too: the longest length, in moves; for example: mnkala perft connect4 8",
        ),
        ("perft connect4 -3", "DEPTH -3: 0 to 1,000 are possible"),
        ("book build connect4 --table 0", "--table 0: 1 to 65,536 are possible"),
        ("web --port 99999", "--port 99999: 0 to 65,535 are possible"),
        ("class grade . --memory 1", "--memory 1: 16 to 65,536 are possible"),
        (
            "lab export pruning --to xml",
            "--to: no choice is called 'xml'; choices are csv, json, parquet",
        ),
        ("saved delete", "mnkala saved delete ID"),
        ("play --level", "--level needs a value after it"),
        ("play connect4 --level 3 --depth 5", "--second auto:depth=5"),
        ("kalah fare", "did you mean fair?"),
    ],
)
def test_a_mistake_of_typing_gets_one_sentence_that_says_what_to_type(
    typed: str, words: str
) -> None:
    done = mnkala(*typed.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("mnkala: ")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1, "one sentence, without a box"


@pytest.mark.parametrize(
    "typed",
    [
        "play mancala",
        "mankala",
        "play connect four",
        "connect4 44",
        "four in a row",
        "play tic-tac-toe --level 3",
        "gobang --level easy",
        "play connect4 --depth 5",
        "connect4:5x6 --time 0.1",
        "tris",
        "play Connect-4",
    ],
)
def test_a_game_is_played_by_the_names_that_people_use(typed: str) -> None:
    done = mnkala(*typed.split(), "--plain")
    assert (done.returncode, done.stderr) == (0, "")
    assert "x is human, o is " in done.stdout


def test_the_usual_opponent_is_the_one_that_was_asked_for() -> None:
    assert "o is level 3" in mnkala("connect4", "--level", "3", "--plain").stdout
    assert "o is auto:depth=5" in mnkala("play", "connect4", "--depth", "5", "--plain").stdout
    moved = mnkala("play", "connect4", "4", "4", "--plain").stdout
    assert ". . . o . . .\n. . . x . . ." in moved


def test_help_is_a_word_too() -> None:
    assert mnkala("help").stdout == mnkala("--help").stdout
    assert mnkala("help", "solve").stdout == mnkala("solve", "--help").stdout
    assert mnkala("help", "arena", "ladder").stdout == mnkala("arena", "ladder", "--help").stdout
    assert mnkala("help", "mancala").stdout == mnkala("rules", "kalah").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["puzzles", "kalah:2x2"],
            "there are no puzzles for kalah:2x2; there are puzzles for Connect boards",
        ),
        (["puzzles", "mnk:40x40x3"], "try `mnkala puzzles connect4`"),
        (["play", "mnk:40x40x3", "--puzzle", "3"], "there are puzzles for Connect boards"),
        (["play", "gomoku", "--second", "perfect"], "auto plays every game"),
        (["book", "show", "gomoku"], "there are opening books for Connect boards"),
        (["book", "build", "gomoku", "--plies", "2"], "there are opening books for"),
        (["book", "check", "tictactoe"], "there are opening books for"),
        (["solve", "gomoku"], "cannot be solved exactly"),
        (["match", "gomoku", "easy", "perfect"], "auto plays every game"),
    ],
)
def test_what_a_game_does_not_have_is_said_with_what_there_is(
    arguments: list[str], words: str
) -> None:
    done = mnkala(*arguments)
    assert done.returncode == 2
    assert words in done.stderr


def test_a_position_out_of_reach_gets_bounds_and_a_reason() -> None:
    done = mnkala("solve", "connect4:8x8", "--no-moves")
    assert done.returncode == 1
    lower, upper = map(int, re.findall(r"score between (-?\d+) and (\d+)", done.stdout)[0])
    assert -32 < lower < upper < 32
    assert "can prove positions with at most 44 free cells" in done.stderr
    assert "--time SECONDS tries longer" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="needs a shell pipe")
def test_lines_wrap_at_the_width_of_the_terminal_between_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = "Gives away 4 seeds: only draws, where the turn 2, 3 wins by 4. o answers with the turn 2, 1, 3: 3 seeds in one turn."
    for columns in ("80", "60", "40"):
        monkeypatch.setenv("COLUMNS", columns)
        print_wrapped(f"      {sentence}", "short")
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) > 2
        assert all(len(line) <= int(columns) for line in lines)
        assert " ".join(line.strip() for line in lines) == f"{sentence} short"
        assert all(line.startswith("      ") for line in lines[:-1])


def test_without_a_terminal_lines_have_80_columns() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from mnkala.terminal.environment import output_width; print(output_width())",
        ],
        text=True,
        capture_output=True,
        env={name: value for name, value in os.environ.items() if name != "COLUMNS"},
        check=True,
    )
    assert done.stdout.strip() == "80"


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m mnkala analyse connect4 --depth 12 | head -1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, timeout=600
    )
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
