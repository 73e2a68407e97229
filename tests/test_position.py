"""Position: immutable, with its history, drawn as text, in colour and as SVG."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import mnkala
from mnkala import Position
from mnkala.errors import IllegalMove
from mnkala.games import position as position_module


def test_the_examples_in_the_docstring_are_true() -> None:
    assert doctest.testmod(position_module).failed == 0


def test_the_examples_in_the_readme_are_true() -> None:
    readme = Path(__file__).resolve().parent.parent / "README.md"
    assert doctest.testfile(str(readme), module_relative=False).failed == 0


@pytest.mark.parametrize("game", ["connect4", "connect4:10x11"])
def test_playing_leaves_the_position_as_it_was(game: str) -> None:
    position = Position(game).play("4")
    text, key = str(position), position.rules.key(position.state())
    after = position.play("5")
    state = position.state()
    position.rules.play(state, 0)
    assert (str(position), position.rules.key(position.state())) == (text, key)
    assert after.back() == position
    assert hash(after.back()) == hash(position)
    assert after != position


def test_history_goes_back_to_the_start() -> None:
    position = Position("connect4", literal="7/7/7/7/7/3x3").play("35")
    assert position.history == (2, 4)
    assert position.back(2) == position.root()
    assert position.root().literal == "......./......./......./......./......./...x..."
    with pytest.raises(IllegalMove, match="2 were played"):
        position.back(3)


def test_the_winner_and_the_winning_line_are_shown() -> None:
    position = Position("connect4").play("1212121")
    assert position.outcome is not None
    assert (position.to_move, position.legal_moves, position.outcome.winner) == ("", (), 0)
    assert position.terminal().count("\x1b[1;7m") == 4
    circles = ElementTree.fromstring(position._repr_svg_()).findall("{http://www.w3.org/2000/svg}circle")
    assert len([circle for circle in circles if circle.get("stroke-width") == "4"]) == 4


def test_repr_can_be_typed_in_again() -> None:
    for position in (Position("connect4:10x11").play("1,11"), Position("connect4", literal="7/7/7/7/7/3x3").play("4")):
        assert eval(repr(position)) == position


def test_importing_the_package_and_its_rules_never_loads_numba() -> None:
    code = "import sys, mnkala; mnkala.Position('connect4').play('44').svg(); print('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_every_public_name_is_there() -> None:
    assert all(getattr(mnkala, name) is not None for name in mnkala.__all__)
    with pytest.raises(AttributeError, match="nonsense"):
        mnkala.nonsense  # noqa: B018
