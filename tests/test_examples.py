"""The examples: a game, a heuristic and a search of a user's own run in everything that mnkala has."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import mnkala

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def example(*arguments: str, plugins: str = "domineering,mtdf", stdin: str = "") -> str:
    done = mnkala(*arguments, folder=EXAMPLES, stdin=stdin, MNKALA_PLUGINS=plugins)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_example_game_keeps_the_contract_and_is_short() -> None:
    assert "keeps the contract" in example("check", "domineering:Domineering", plugins="")
    code = [
        line
        for line in (EXAMPLES / "domineering.py").read_text().splitlines()
        if line.strip() and not line.strip().startswith("#")
    ]
    assert len(code) < 90


@pytest.mark.slow
def test_the_example_whose_pieces_move_keeps_the_contract_compiled() -> None:
    assert "keeps the contract" in example("check", "breakthrough:Breakthrough", plugins="")


def test_the_example_whose_pieces_move_names_its_cells_in_the_order_of_clicks() -> None:
    code = (
        "from mnkala import Position; from mnkala.play.view import make_view; from mnkala.errors import MnkalaError\n"
        "view = make_view(Position('breakthrough:5x4').play('a2-b3,d4-c3'))\n"
        "print(view.from_to, {each.move: each.cells for each in view.moves}['b3-c4'], view.last)\n"
        "for game, literal in (('breakthrough:3x4', None), ('breakthrough', 'oooooooo/8:x'), ('breakthrough:4x2', '.x/../o./o.:x')):\n"
        "    try: Position(game, literal=literal)\n"
        "    except MnkalaError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=EXAMPLES,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "MNKALA_PLUGINS": "breakthrough"},
    )
    view, size, rows, arrived = done.stdout.splitlines()
    assert view == "True ((2, 1), (1, 2)) ((1, 3), (2, 2))"
    assert "4 rows or more" in size
    assert "8 rows of 8 cells" in rows
    assert "a piece of x has arrived" in arrived


def test_the_example_game_is_listed_with_its_sizes() -> None:
    assert "domineering[:ROWSxCOLS]" in example("games")
    assert "room" in example("heuristics", "domineering")


def answers(*questions: list[str]) -> list[Any]:
    """The answers of `mnkala analyse` to several questions, all asked in one process."""
    code = f"from mnkala.cli import run\nfor words in {questions!r}: run(['analyse', *words, '--json'])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=EXAMPLES,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "MNKALA_PLUGINS": "domineering,mtdf"},
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    "engines",
    [
        pytest.param(
            ("alphabeta:depth=4", "deepening:depth=6", "rules", "random:seed=1"), id="most"
        ),
        pytest.param(
            ("minimax:depth=4", "greedy", "budget:depth=4", "mtdf:depth=3", "mcts:iterations=500"),
            id="the others",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_every_search_plays_the_example_game(engines: tuple[str, ...]) -> None:
    found = answers(*(["domineering:4x5", "--engine", engine] for engine in engines))
    assert len(found) == len(engines)
    assert all(answer["best"] for answer in found)


def test_known_values_of_domineering_come_out() -> None:
    """Boards of 2x2, 3x3 and 4x4 are won by the first player, 5x5 by the second (Breuker, Uiterwijk
    and van den Herik 2000).
    """
    found = answers(*([f"domineering:{size}x{size}", "--depth", "40"] for size in (2, 3, 4, 5)))
    assert [(answer["result"], answer["kind"]) for answer in found] == [("win", "exact")] * 3 + [
        ("loss", "exact")
    ]


def test_a_search_of_ones_own_finds_the_value_of_the_others() -> None:
    found = answers(
        *(
            ["connect4", "44", "--engine", engine]
            for engine in ("mtdf:depth=5", "alphabeta:depth=5")
        )
    )
    assert found[0]["score"] == found[1]["score"]


def test_a_person_can_play_the_example_game() -> None:
    assert "wins." in example("play", "domineering:2x2", "--second", "human", stdin="a2\n")


def test_the_family_of_ones_own_passes_its_own_tests() -> None:
    """Reversi, a package with everything that a family can have, here without being installed."""
    folder = EXAMPLES / "reversi"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "MNKALA_PLUGINS": "reversi", "PYTHONPATH": str(folder)},
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("name", "package", "said"),
    [
        ("pettingzoo_random.py", "pettingzoo", ["moves {'player_0': ", "rewards {'player_0': "]),
        (
            "open_spiel_bots.py",
            "pyspiel",
            ["our engine and a random bot: [1.0, -1.0]", "our engine and OpenSpiel's MCTS: +"],
        ),
    ],
)
def test_the_examples_of_other_packages_run(name: str, package: str, said: list[str]) -> None:
    """Those of Kaggle and of data sets run in the tests of theirs."""
    pytest.importorskip(package, reason=f"{package} is not installed")
    done = subprocess.run(
        [sys.executable, name], cwd=EXAMPLES, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert all(words in done.stdout for words in said)
