"""Many positions of Kalah at once: from Python and on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mnkala import Position
from mnkala.cli import run
from mnkala.core import parse_game
from mnkala.errors import BadPosition
from mnkala.families.kalah.solver.solver import KalahSolver
from mnkala.search.limit import Stop
from mnkala.solve import solve_many
from tests.test_kalah_solver import random_positions

GAME = "kalah:4x3,standard"


def test_arrays_positions_moves_and_literals_give_the_solvers_scores_with_the_stores() -> None:
    rules = parse_game(GAME)
    positions = random_positions(GAME, 40, 24, seed=5)
    solver = KalahSolver(rules, table_mb=4)
    expected = [solver.solve(position).score.exact for position in positions]
    boards = np.array([position.state() for position in positions], np.uint64)
    before = boards.copy()
    assert any(position.state().stores for position in positions)
    assert {position.mover for position in positions} == {0, 1}
    assert solve_many(positions, GAME).tolist() == expected
    assert solve_many(boards, GAME, threads=1).tolist() == expected
    assert (boards == before).all()
    assert solve_many([position.moves for position in positions], rules).tolist() == expected
    assert (
        solve_many([f"@{position.literal}" for position in positions], GAME, threads=2).tolist()
        == expected
    )
    assert len(solve_many([], GAME)) == 0


def words(own: int, other: int, stores: int = 0) -> Any:
    return np.array([[1, 1, 0], [own, other, stores]], np.uint64)


@pytest.mark.parametrize(
    ("boards", "told"),
    [
        (np.zeros((2, 2), np.uint64), r"uint64\[n, 3\] is needed"),
        (np.zeros((2, 3), np.int64), r"uint64\[n, 3\] is needed"),
        (words(1 << 32, 1), "position 2 is no board: there are seeds beyond"),
        (words(0, 3), "position 2 is over"),
        (words(3, 0), "position 2 is over"),
        (words(1, 1, 1 << 17), "position 2 is no board: the third word"),
        (words(60, 3), "position 2 has more than 62 seeds"),
        (["", "9"], "position 2: house 9 does not exist"),
        ([Position("kalah")], "position 1: is of kalah, not of"),
        (["@<4,1,1,0,0,0,0,0,0,0,0>"], "position 1"),
    ],
)
def test_what_is_no_position_is_refused_with_its_number(boards: Any, told: str) -> None:
    with pytest.raises(BadPosition, match=told):
        solve_many(boards, GAME)


def test_a_game_that_only_the_search_of_everything_takes_is_refused() -> None:
    with pytest.raises(BadPosition, match="connect4, connect4:10x11, kalah, not of tictactoe"):
        solve_many([""], "tictactoe")


def test_a_raised_stop_ends_a_batch() -> None:
    stop = Stop()
    stop.set()
    assert len(solve_many([""] * 20, "kalah", threads=1, stop=stop)) == 0


def test_a_batch_on_the_command_line_gives_the_same_and_goes_on_after_what_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["1", "@<4,2,0,3,0,4,4,1,4,3,3> 1", "nonsense", "2"]
    source, out = tmp_path / "positions.txt", tmp_path / "answers.jsonl"
    source.write_text("\n".join(lines) + "\n")
    assert run(["solve", GAME, "--batch", str(source), "--out", str(out)]) == 1
    answers = [json.loads(line) for line in out.read_text().splitlines()]
    assert ["error" in answer for answer in answers] == [False, False, True, False]
    assert [answers[0]["score"], answers[3]["score"]] == solve_many(["1", "2"], GAME).tolist()
    assert answers[0]["source"] == "solved"
    assert answers[0]["nodes"] > 0
    source.write_text("\n".join([*lines, "3"]) + "\n")
    capsys.readouterr()
    assert run(["solve", GAME, "--batch", str(source), "--out", str(out)]) == 0
    assert "holds 4 lines already" in capsys.readouterr().err
    assert len(out.read_text().splitlines()) == 5
