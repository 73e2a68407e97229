"""Proofs of Connect in pieces: the same values as the solver's own, kept as they come, and never
asked for twice.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from mnkala.cli import run
from mnkala.core import Position, parse_game
from mnkala.errors import BadGame, MnkalaError
from mnkala.families.connect.solver import split as split_module
from mnkala.families.connect.solver.solver import ConnectSolver
from mnkala.families.connect.solver.split import Proof, prove_split
from mnkala.jobs import Store
from mnkala.solve.pieces import MANY_CORES, time_left


@pytest.mark.parametrize(
    ("game", "winner"),
    [("connect4:5x5", 0), ("connect4:6x5", 0), ("connect4:4x6", -1), ("connect:4x5x3", 1)],
)
def test_a_proof_in_pieces_has_the_value_of_the_literature(
    game: str, winner: int, tmp_path: Path
) -> None:
    found = prove_split(parse_game(game), plies=4, jobs=0, table_mb=64, path=tmp_path / "x.sqlite")
    assert (found.lower > 0) - (found.upper < 0) == winner
    assert winner != 0 or found.lower == found.upper == 0
    again = prove_split(parse_game(game), plies=5, jobs=0, table_mb=64, path=tmp_path / "x.sqlite")
    assert again.done == 0, "a finer tree knows what a coarser one has found"


@pytest.mark.parametrize("game", ["connect4:4x5", "connect:3x4x3", "connect:2x6x3", "connect4:1x4"])
def test_exact_scores_are_those_of_the_solver(game: str, tmp_path: Path) -> None:
    rules = parse_game(game)
    expected = ConnectSolver(rules, table_mb=8).solve(Position(game)).score.exact
    for plies in (1, 4):
        path = tmp_path / f"{plies}.sqlite"
        found = prove_split(rules, weak=False, plies=plies, jobs=0, table_mb=8, path=path)
        assert (found.lower, found.upper) == (expected, expected)


def test_every_bound_that_a_proof_holds_is_true(tmp_path: Path) -> None:
    rules, path = parse_game("connect4:4x5"), tmp_path / "x.sqlite"
    prove_split(rules, plies=3, jobs=0, table_mb=8, path=path)
    proof, solver = Proof("connect4:4x5", 3), ConnectSolver(rules, table_mb=8)
    with Store(path) as store:
        for outcome in store.all():
            proof.add_answer(outcome)
    for number, node in proof.tree.items():
        low, high = proof.bounds(number)
        score = solver.solve(node.position).score.exact
        assert score is not None
        assert low <= score <= high


def test_the_tree_has_one_of_each_pair_of_mirror_images() -> None:
    """The numbers of positions after 0 to 3 plies of Connect Four are 1, 7, 49, 238; 4 of the last are
    their own images.
    """
    tree = Proof("connect4", 3).tree
    counts = [sum(node.turns == plies for node in tree.values()) for plies in range(4)]
    assert counts == [1, 4, 25, 121]


def test_a_run_that_is_interrupted_goes_on_and_does_nothing_twice(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rules, path, asked = parse_game("connect4:5x4"), tmp_path / "x.sqlite", list[tuple[int, int]]()
    answer_unit = split_module.answer_unit

    def interrupted(game: str, number: int, literal: str, above: int, table_mb: int) -> list[int]:
        asked.append((number, above))
        if len(asked) == 3:
            raise KeyboardInterrupt
        return answer_unit(game, number, literal, above, table_mb)

    interrupted.__name__ = "answer_unit"
    monkeypatch.setattr(split_module, "answer_unit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        prove_split(rules, plies=3, jobs=0, table_mb=8, path=path)
    found = prove_split(rules, plies=3, jobs=0, table_mb=8, path=path)
    assert found.lower == found.upper == 0
    assert found.units == len(asked) - 1 == len(set(asked))


def test_the_command_tells_the_result_and_what_is_allowed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["connect", "prove", "connect:4x5x3", "--plies", "3", "--jobs", "0"]) == 0
    said = capsys.readouterr()
    assert "connect:4x5x3: the first player wins" in said.out
    assert "left if all looks are right" in said.err
    with pytest.raises(BadGame, match="of at most 127, such as connect4:10x11"):
        prove_split(parse_game("connect4:15x16"))
    for plies in (0, 9):
        with pytest.raises(MnkalaError, match="1 to 8 are possible"):
            prove_split(parse_game("connect4"), plies=plies)


def test_the_remaining_time_is_of_all_pieces_that_the_question_needs() -> None:
    assert time_left(1200, 1200, 0, []) == "1,200 pieces left if all looks are right"
    told = f"if all looks are right: 2 h 0 min of work, 72 s on {MANY_CORES} cores"
    assert time_left(1200, 1200, 0, [4.0, 8.0]).endswith(told)
    # Of 1,300 pieces 100 are gone after 300 that were answered, so each of the others takes three.
    assert ", 3,600 as it went so far: 6 h 0 min of work" in time_left(1200, 1300, 300, [6.0])
    assert "90 as it went so far" in time_left(90, 100, 5, [6.0])
