"""Data sets: different positions, the same for the same seed whoever labels them, with scores that
brute force confirms.
"""

from __future__ import annotations

import functools
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mnkala import Position, parse_game
from mnkala.cli import run
from mnkala.dataset import DataSetPlan, build
from mnkala.dataset.building import PREFIX, first_quick_ply, kept_path, label_lines
from mnkala.dataset.sampling import play_games, sample
from mnkala.errors import MnkalaError
from mnkala.jobs import Progress
from mnkala.jobs.store import Outcome
from mnkala.native.kernels import plain
from tests.brute_force import truth
from tests.command_line import mnkala
from tests.waiting import wait_until

parquet: Any = pytest.importorskip(
    "pyarrow.parquet", reason="pyarrow is not installed: pip install 'mnkala[data]'"
)


def made(path: Path, game: str, count: int, **options: Any) -> Any:
    """The table of a data set that is built in this process."""
    built = build(DataSetPlan(parse_game(game), count, **options), path, jobs=0)
    assert not built.failures
    return parquet.read_table(path)


# ---- Positions ----


def test_positions_differ_and_follow_from_the_seed_and_a_larger_sample_begins_with_the_smaller() -> (
    None
):
    rules = parse_game("connect4")
    some, more, others = (
        sample(rules, count, seed, 6, 20).lines for count, seed in ((500, 1), (900, 1), (500, 2))
    )
    assert some == more[:500]
    assert some != others
    assert {len(line) for line in some} == set(range(6, 21))
    positions = [Position(rules).play_codes(line) for line in some]
    assert len({position.literal for position in positions}) == 500
    assert not any(position.is_over for position in positions)


@pytest.mark.slow
def test_a_small_game_is_listed_whole() -> None:
    """5,478 positions of tic-tac-toe can be reached, and 958 of them are ends."""
    found = sample(parse_game("tictactoe"), 100_000, 1, 0, 9)
    assert found.exhausted
    assert len(found.lines) == 5478 - 958


@pytest.mark.slow
@pytest.mark.parametrize("game", ["connect4", "kalah:3x2", "mnk:4x4x3"])
def test_the_compiled_games_are_the_plain_ones(game: str) -> None:
    rules = parse_game(game)

    def played(kernel: Any) -> list[Any]:
        lines, lengths, keys = (
            np.zeros((20, 30), np.int64),
            np.zeros(20, np.int64),
            np.zeros(20, np.uint64),
        )
        kernel(
            rules,
            np.uint64(7),
            100,
            2,
            30,
            rules.longest_game(),
            lines,
            lengths,
            keys,
            np.zeros(rules.most_moves(), np.int64),
        )
        return [lines.tolist(), lengths.tolist(), keys.tolist()]

    assert played(play_games) == played(plain(play_games))


def test_exact_scores_begin_where_positions_are_solved_in_a_moment() -> None:
    assert first_quick_ply(parse_game("connect4"), 1) == 10
    assert first_quick_ply(parse_game("tictactoe"), 1) == 0


# ---- Labels ----


@pytest.mark.parametrize(
    ("game", "plies"), [("connect:4x4x3", (4, 16)), ("kalah:3x2", (0, 100)), ("tictactoe", (5, 9))]
)
def test_every_row_is_a_position_with_its_exact_score(
    tmp_path: Path, game: str, plies: tuple[int, int]
) -> None:
    table, shape = (
        made(tmp_path / "x.parquet", game, 40, plies=plies),
        Position(game).to_array().shape,
    )
    for row in table.to_pylist():
        position = Position(game).play(row["moves"])
        assert np.array_equal(
            np.array(row["board"]).reshape(shape), position.to_array(position.mover)
        )
        assert (row["to_move"], row["ply"]) == (position.mover, len(position.history))
        assert row["score"] == (truth(position) if game.startswith("connect") else margin(position))
        assert row["result"] == (row["score"] > 0) - (row["score"] < 0)


@functools.cache
def margin(position: Position) -> int:
    """In which margin a game ends with best play, for its mover, by trying everything."""
    if position.outcome is not None:
        return position.outcome.margin * (1 if position.mover == 0 else -1)
    children = (position.play_codes((code,)) for code in position.legal_codes)
    return max(
        margin(child) * (1 if child.mover == position.mover else -1)
        for child in map(without_history, children)
    )


def without_history(position: Position) -> Position:
    return Position(position.rules, literal=position.literal)


def test_early_positions_have_the_score_of_the_book() -> None:
    assert label_lines("connect4", "exact", [[], [3], [0], [3, 0, 3, 0, 3, 1]])["score"] == [
        1,
        -1,
        2,
        18,
    ]


def test_an_engine_labels_with_its_score_what_that_means_and_its_move(tmp_path: Path) -> None:
    table = made(tmp_path / "x.parquet", "connect4", 50, label="alphabeta:depth=2")
    rows = table.to_pylist()
    assert {row["kind"] for row in rows} <= {"exact", "lower", "upper", "heuristic"}
    for row in rows:
        position = Position("connect4").play(row["moves"])
        assert row["best"] in position.legal_codes
        assert (row["result"] is None) == (row["kind"] == "heuristic") or row["kind"] in (
            "lower",
            "upper",
        )
        if position.play_codes((row["best"],)).is_over and row["result"] == 1:
            assert row["kind"] == "exact"


# ---- The file ----


def test_the_same_command_writes_the_same_bytes_however_the_work_is_shared(tmp_path: Path) -> None:
    one = mnkala(
        "dataset", "kalah:3x3", "-n", "250", "--out", str(tmp_path / "one.parquet"), "--jobs", "0"
    )
    other = mnkala(
        "dataset", "kalah:3x3", "-n", "250", "--out", str(tmp_path / "other.parquet"), "--jobs", "1"
    )
    assert one.returncode == other.returncode == 0, one.stderr + other.stderr
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "other.parquet").read_bytes()
    assert "250 positions" in one.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.parquet", "other.parquet"], (
        "what was kept on the way is gone"
    )
    kept = parquet.read_metadata(tmp_path / "one.parquet").metadata
    about = {name.decode().removeprefix(PREFIX): value.decode() for name, value in kept.items()}
    assert (about["game"], about["shape"], about["rows"], about["label"], about["seed"]) == (
        "kalah:3x3",
        "[2, 4]",
        "250",
        "exact",
        "1",
    )
    assert about["command"].startswith("mnkala dataset kalah:3x3 -n 250 --label exact --plies ")
    assert about["digest"][:16] in one.stdout


class Interrupts(Progress):
    """Ctrl-C after so many jobs."""

    def __init__(self, after: int) -> None:
        self.left, self.kept = after, 0

    def begin(self, total: int, kept: int) -> None:
        self.kept = kept

    def done(self, outcome: Outcome) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def test_an_interrupted_build_goes_on_where_it_stopped(tmp_path: Path) -> None:
    plan, path, whole = (
        DataSetPlan(parse_game("connect:4x4x3"), 700),
        tmp_path / "some.parquet",
        tmp_path / "whole.parquet",
    )
    with pytest.raises(KeyboardInterrupt):
        build(plan, path, jobs=0, progress=lambda label: Interrupts(3))
    assert kept_path(path).exists()
    assert not path.exists()
    again = Interrupts(99)
    assert build(plan, path, jobs=0, progress=lambda label: again).rows == 700
    assert again.kept == 3
    build(plan, whole, jobs=0)
    assert path.read_bytes() == whole.read_bytes()


def test_what_was_interrupted_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.parquet"
    monkeypatch.setattr("mnkala.cli.dataset.shown_on", lambda label: Interrupts(1))
    with pytest.raises((KeyboardInterrupt, SystemExit)):
        run(
            [
                "dataset",
                "connect:4x4x3",
                "-n",
                "300",
                "--plies",
                "5..9",
                "--jobs",
                "0",
                "--out",
                str(path),
            ]
        )
    told = capsys.readouterr().err
    assert (
        f"what is done is kept in {kept_path(path)}; continue with: mnkala dataset connect:4x4x3 -n 300 --label exact --plies 5..9"
        in told
    )


@pytest.mark.slow
def test_ctrl_c_ends_it(tmp_path: Path) -> None:
    """A process of its own, for only such a one hears a real signal."""
    path = tmp_path / "x.parquet"
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "mnkala",
            "dataset",
            "connect4",
            "-n",
            "200000",
            "--plies",
            "8..9",
            "--jobs",
            "1",
            "--out",
            str(path),
        ],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        wait_until(kept_path(path).exists, "the work has begun")
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "continue with: mnkala dataset connect4 -n 200000 --label exact --plies 8..9" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["conect4"], "did you mean connect4"),
        (["connect4", "-n", "0"], "0 positions; a data set has 1 to 100,000,000"),
        (["connect4", "--plies", "x"], "--plies x; write a range"),
        (["connect4", "--plies", "9..3"], "the smaller number first"),
        (["connect4", "--label", "deepning"], "--label deepning: no engine is called"),
        (["connect4", "--label", "gomocup:x"], "--label gomocup:x"),
        pytest.param(
            ["tictactoe", "--plies", "9..9"],
            "no game of tictactoe goes on after 9 moves",
            marks=pytest.mark.slow,
        ),
        (["connect4:2x2"], "a line of 4 on 2x2"),
        (["gomoku"], "gomoku cannot be solved exactly"),
    ],
)
def test_what_cannot_be_made_is_refused_in_a_sentence(words: list[str], said: str) -> None:
    done = mnkala("dataset", *words, "--jobs", "0")
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_text("mine")
    with pytest.raises(MnkalaError, match="is there already"):
        build(DataSetPlan(parse_game("tictactoe"), 5), tmp_path / "x.parquet", jobs=0)


def test_positions_out_of_reach_fail_with_the_reason(tmp_path: Path) -> None:
    done = mnkala(
        "dataset",
        "connect4:8x8",
        "-n",
        "3",
        "--plies",
        "4..5",
        "--jobs",
        "0",
        "--out",
        str(tmp_path / "x.parquet"),
    )
    assert done.returncode == 1
    assert "failed: this position of connect4:8x8 is out of reach" in done.stderr
    assert not (tmp_path / "x.parquet").exists()


def test_without_pyarrow_the_command_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = mnkala("dataset", "tictactoe", "--jobs", "0", "--out", str(tmp_path / "x.parquet"))
    assert done.returncode == 2
    assert (
        "a data set in Parquet needs the package pyarrow: pip install 'mnkala[data]'" in done.stderr
    )


def test_the_example_learns_from_a_data_set(tmp_path: Path) -> None:
    made(tmp_path / "x.parquet", "tictactoe", 300)
    example = Path(__file__).resolve().parent.parent / "examples" / "dataset_values.py"
    done = subprocess.run(
        [sys.executable, example, tmp_path / "x.parquet"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("300 positions of (3, 3); the winner is guessed right in ")
