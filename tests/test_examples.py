"""The examples: a game, a heuristic and a search of a user's own run in everything that mnkala has."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mnkala import Position
from mnkala.errors import MnkalaError
from mnkala.play.view import make_view
from tests.command_line import mnkala
from tests.installed_plugin import EXAMPLES, example_plugins


@pytest.fixture(scope="module", autouse=True)
def _examples_are_registered() -> Iterator[None]:
    with example_plugins("domineering", "mtdf", "breakthrough"):
        yield


def said(*arguments: str, stdin: str = "") -> str:
    """What a command prints that has to work."""
    done = mnkala(*arguments, stdin=stdin)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_example(name: str, *options: str, folder: Path = EXAMPLES, **variables: str) -> str:
    """The output of a program in a process of its own, which has to end well."""
    done = subprocess.run(
        [sys.executable, *options, name],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, **variables},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_example_game_keeps_the_contract_and_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    assert "keeps the contract" in said("check", "domineering:Domineering")
    code = [
        line
        for line in (EXAMPLES / "domineering.py").read_text().splitlines()
        if line.strip() and not line.strip().startswith("#")
    ]
    assert len(code) < 90


@pytest.mark.slow
def test_the_example_whose_pieces_move_keeps_the_contract_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(EXAMPLES)
    assert "keeps the contract" in said("check", "breakthrough:Breakthrough")


def test_the_example_whose_pieces_move_names_its_cells_in_the_order_of_clicks() -> None:
    view = make_view(Position("breakthrough:5x4").play("a2-b3,d4-c3"))
    assert view.from_to
    assert {each.move: each.cells for each in view.moves}["b3-c4"] == ((2, 1), (1, 2))
    assert view.last == ((1, 3), (2, 2))


@pytest.mark.parametrize(
    ("game", "literal", "words"),
    [
        ("breakthrough:3x4", None, "4 rows or more"),
        ("breakthrough", "oooooooo/8:x", "8 rows of 8 cells"),
        ("breakthrough:4x2", ".x/../o./o.:x", "a piece of x has arrived"),
    ],
)
def test_boards_that_the_example_does_not_have_are_refused(
    game: str, literal: str | None, words: str
) -> None:
    with pytest.raises(MnkalaError, match=words):
        Position(game, literal=literal)


def test_the_example_game_is_listed_with_its_sizes() -> None:
    assert "domineering[:ROWSxCOLS]" in said("games")
    assert "room" in said("heuristics", "domineering")


def analysis(*words: str) -> Any:
    """The answer of `mnkala analyse`."""
    return json.loads(said("analyse", *words, "--json"))


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
    for engine in engines:
        assert analysis("domineering:4x5", "--engine", engine)["best"]


def test_known_values_of_domineering_come_out() -> None:
    """Boards of 2x2, 3x3 and 4x4 are won by the first player, 5x5 by the second (Breuker, Uiterwijk
    and van den Herik 2000).
    """
    found = [analysis(f"domineering:{size}x{size}", "--depth", "40") for size in (2, 3, 4, 5)]
    assert [(answer["result"], answer["kind"]) for answer in found] == [("win", "exact")] * 3 + [
        ("loss", "exact")
    ]


def test_a_search_of_ones_own_finds_the_value_of_the_others() -> None:
    one, other = (
        analysis("connect4", "44", "--engine", engine)["score"]
        for engine in ("mtdf:depth=5", "alphabeta:depth=5")
    )
    assert one == other


def test_a_person_can_play_the_example_game() -> None:
    assert "wins." in said("play", "domineering:2x2", "--second", "human", stdin="a2\n")


@pytest.mark.parametrize(
    "which", ["not contract", pytest.param("contract", marks=pytest.mark.slow)]
)
def test_the_family_of_ones_own_passes_its_own_tests(which: str) -> None:
    """Reversi, a package with everything that a family can have, here without being installed. Its
    tests need no plug-in of pytest, and these take long to load; its contract needs searches that
    are compiled for this alone.
    """
    folder = EXAMPLES / "reversi"
    run_example(
        "tests",
        *("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", which),
        folder=folder,
        MNKALA_PLUGINS="reversi",
        PYTHONPATH=str(folder),
        PYTEST_DISABLE_PLUGIN_AUTOLOAD="1",
    )


@pytest.mark.parametrize(
    ("name", "package", "words"),
    [
        ("pettingzoo_random.py", "pettingzoo", ["moves {'player_0': ", "rewards {'player_0': "]),
        (
            "open_spiel_bots.py",
            "pyspiel",
            ["our engine and a random bot: [1.0, -1.0]", "our engine and OpenSpiel's MCTS: +"],
        ),
    ],
)
def test_the_examples_of_other_packages_run(name: str, package: str, words: list[str]) -> None:
    """Those of Kaggle and of data sets run in the tests of theirs."""
    pytest.importorskip(package, reason=f"{package} is not installed")
    output = run_example(name)
    assert all(each in output for each in words)
