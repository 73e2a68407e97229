"""Proofs in pieces: the same values as the solver's own, kept as they come, and never asked for
twice.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from mnkala.cli import run
from mnkala.core import Position, parse_game
from mnkala.errors import BadGame, MnkalaError
from mnkala.families.kalah.solver import split as split_module
from mnkala.families.kalah.solver.solver import KalahSolver
from mnkala.families.kalah.solver.split import Proof, prove_split
from mnkala.jobs import Store
from mnkala.solve.pieces import proof_path


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNKALA_DATA_DIR", str(tmp_path / "data"))


@pytest.mark.parametrize(
    ("game", "score"),
    [
        ("kalah:4x3", 8),
        ("kalah:4x3,standard", 6),
        ("kalah:5x2", 0),
        ("kalah:5x2,standard", 2),
        ("kalah:3x3", 2),
        ("kalah:2x4", -12),
    ],
)
def test_a_proof_in_pieces_has_the_value_of_the_literature(
    game: str, score: int, tmp_path: Path
) -> None:
    for turns in (1, 3):
        found = prove_split(
            parse_game(game), turns=turns, jobs=0, table_mb=4, path=tmp_path / f"{turns}.sqlite"
        )
        assert (found.lower, found.upper) == (score, score)
    finer = prove_split(parse_game(game), turns=2, jobs=0, table_mb=4, path=tmp_path / "1.sqlite")
    assert (finer.lower, finer.done) == (score, 0), (
        "a finer tree knows what a coarser one has found"
    )


def test_a_single_question_is_answered_and_asks_for_less(tmp_path: Path) -> None:
    rules = parse_game("kalah:4x3")
    whole = prove_split(rules, jobs=0, table_mb=4, path=tmp_path / "whole.sqlite")
    for above, expected in ((7, True), (8, False), (-24, True), (23, False)):
        found = prove_split(
            rules, above=above, jobs=0, table_mb=4, path=tmp_path / f"{above}.sqlite"
        )
        assert found.is_above(above) is expected
        assert found.done <= whole.done


def test_every_bound_that_a_proof_holds_is_true(tmp_path: Path) -> None:
    rules = parse_game("kalah:4x3")
    path = tmp_path / "x.sqlite"
    prove_split(rules, turns=2, jobs=0, table_mb=4, path=path)
    proof, solver = Proof("kalah:4x3", 2), KalahSolver(rules, table_mb=4)
    with Store(path) as store:
        for outcome in store.all():
            proof.add_answer(outcome)
    for number, node in proof.tree.items():
        low, high = proof.bounds(number)
        margin = solver.solve(node.position).score.lower - solver.gained(node.position)
        assert low <= margin <= high


def test_a_run_that_is_interrupted_goes_on_and_does_nothing_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules, asked, answer_unit = (
        parse_game("kalah:4x3,standard"),
        list[tuple[int, int]](),
        split_module.answer_unit,
    )

    def interrupted(game: str, number: int, literal: str, above: int, table_mb: int) -> list[int]:
        if len(asked) in (2, 5):
            asked.append((0, len(asked)))
            raise KeyboardInterrupt
        asked.append((number, above))
        return answer_unit(game, number, literal, above, table_mb)

    interrupted.__name__ = "answer_unit"
    monkeypatch.setattr(split_module, "answer_unit", interrupted)
    for kept in (2, 4):
        with pytest.raises(KeyboardInterrupt):
            prove_split(rules, jobs=0, table_mb=4)
        with sqlite3.connect(proof_path(rules)) as base:
            assert base.execute("SELECT count(*) FROM jobs").fetchone()[0] == kept
    found = prove_split(rules, jobs=0, table_mb=4)
    assert (found.lower, found.upper) == (6, 6)
    assert len(asked) == len(set(asked))
    assert found.units == len(asked) - 2


def test_pieces_over_processes_give_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """One round of questions over two processes, and the others here: each round starts its
    processes anew.
    """
    assert run(["kalah", "prove", "kalah:3x3", "--above", "1", "--jobs", "2", "--table", "1"]) == 0
    assert "kalah:3x3: score between 2 and 16   3 pieces now" in capsys.readouterr().out
    assert run(["kalah", "prove", "kalah:3x3", "--jobs", "0", "--table", "1"]) == 0
    assert "kalah:3x3: score +2" in capsys.readouterr().out
    assert run(["kalah", "prove", "kalah:3x3", "--above", "1", "--jobs", "0"]) == 0
    assert "0 pieces now" in capsys.readouterr().out


def test_wrong_boards_and_numbers_are_refused_with_what_is_allowed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(BadGame, match="such as kalah:6x5"):
        prove_split(parse_game("connect4"))
    with pytest.raises(BadGame, match="has 72 seeds; the solver of Kalah takes at most 62"):
        prove_split(parse_game("kalah:6x6"))
    for turns in (0, 6):
        with pytest.raises(MnkalaError, match="1 to 5 are possible"):
            prove_split(parse_game("kalah:3x3"), turns=turns)
    assert run(["kalah", "prove", "kalah:3x3", "--above", "18"]) == 2
    assert "lies between -18 and 18" in capsys.readouterr().err
    assert run(["kalah", "prove", "kalah:3x3", "--table", "0"]) == 2


def test_the_frontier_names_units_whose_answers_are_open() -> None:
    proof = Proof("kalah:4x3", 2)
    number = proof.next_question(None)
    assert number is not None
    units = proof.frontier(proof.root, number)
    assert units
    assert all(not proof.tree[unit].moves for unit, _ in units)
    assert proof.tree[proof.root].position == Position("kalah:4x3")
