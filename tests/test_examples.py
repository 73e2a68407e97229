"""The examples: a game, a heuristic and a search of a user's own run in everything that mnkala has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.test_cli import mnkala

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def example(*arguments: str, plugins: str = "domineering,mtdf", stdin: str = "") -> str:
    done = mnkala(*arguments, folder=EXAMPLES, stdin=stdin, MNKALA_PLUGINS=plugins)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_example_game_keeps_the_contract_and_is_short() -> None:
    assert "keeps the contract" in example("check", "domineering:Domineering", plugins="")
    code = [line for line in (EXAMPLES / "domineering.py").read_text().splitlines() if line.strip() and not line.strip().startswith("#")]
    assert len(code) < 90


def test_the_example_game_is_listed_with_its_sizes() -> None:
    assert "domineering[:ROWSxCOLS]" in example("games")
    assert "room" in example("heuristics", "domineering")


@pytest.mark.parametrize("engine", ["minimax:depth=4", "alphabeta:depth=4", "deepening:depth=6", "mcts:iterations=500", "greedy", "rules",
                                    "budget:depth=4", "random:seed=1", "mtdf:depth=3"])
def test_every_search_plays_the_example_game(engine: str) -> None:
    found = json.loads(example("analyse", "domineering:4x5", "--engine", engine, "--json"))
    assert found["best"]


def test_known_values_of_domineering_come_out() -> None:
    """Boards of 2x2, 3x3 and 4x4 are won by the first player, 5x5 by the second (Breuker, Uiterwijk and van den Herik 2000)."""
    for size, result in ((2, "win"), (3, "win"), (4, "win"), (5, "loss")):
        found = json.loads(example("analyse", f"domineering:{size}x{size}", "--depth", "40", "--json"))
        assert (found["result"], found["kind"]) == (result, "exact")


def test_a_search_of_ones_own_finds_the_value_of_the_others() -> None:
    answers = [json.loads(example("analyse", "connect4", "44", "--engine", engine, "--json")) for engine in ("mtdf:depth=5", "alphabeta:depth=5")]
    assert answers[0]["score"] == answers[1]["score"]


def test_a_person_can_play_the_example_game() -> None:
    assert "wins." in example("play", "domineering:2x2", "--second", "human", stdin="a2\n")
