"""Position: immutable, with its history, drawn as text, in colour and as SVG."""

from __future__ import annotations

import doctest
import random
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import mnkala
from mnkala import Position
from mnkala.errors import IllegalMove
from mnkala.games import position as position_module
from mnkala.games.picture import DISC, SVG_INK
from mnkala.games.rules import Rules


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
    assert position.history_codes == (2, 4)
    assert position.back(2) == position.root()
    assert position.root().literal == "......./......./......./......./......./...x..."
    with pytest.raises(IllegalMove, match="2 were played"):
        position.back(3)


@pytest.mark.parametrize("game", ["connect4", "connect4:10x11", "tictactoe", "mnk:7x8x4", "gomoku:9,exact", "kalah", "kalah:3x2,standard"])
def test_going_back_is_the_same_as_not_having_played(game: str) -> None:
    rng = random.Random(5)
    positions = [Position(game)]
    while not positions[-1].is_over and len(positions) < 40:
        positions.append(positions[-1].play_codes([rng.choice(positions[-1].legal_codes)]))
    for count, earlier in enumerate(reversed(positions)):
        found = positions[-1].back(count)
        assert (found, found.movers, found.legal_codes) == (earlier, earlier.movers, earlier.legal_codes)
        assert all(np.array_equal(part, other) for part, other in zip(found.state(), earlier.state(), strict=True))


@pytest.mark.parametrize("game", ["connect:3x4x3", "connect4:10x11", "tictactoe", "kalah:3x2"])
def test_a_move_is_legal_if_and_only_if_it_is_listed(game: str) -> None:
    rng = random.Random(7)
    for _ in range(5):
        position = Position(game)
        while not position.is_over and len(position.history) < 60:
            rules, state = position.rules, position.state()
            asked = [*range(-2, rules.move_codes() + 3), 1 << 40, 1 << 70]
            assert [code for code in asked if rules.is_legal(state, code)] == sorted(position.legal_codes)
            assert [code for code in asked if Rules.is_legal(rules, state, code)] == sorted(position.legal_codes)
            position = position.play_codes([rng.choice(position.legal_codes)])


def test_the_first_move_that_cannot_be_played_is_named_with_what_led_to_it() -> None:
    with pytest.raises(IllegalMove, match=r"b2 cannot be played after b2a1; legal moves are .*a2"):
        Position("tictactoe").play("b2a1b2a2")
    with pytest.raises(IllegalMove, match=r"the game is over \(1-0\); no move can follow a1b1a2b2a3"):
        Position("tictactoe").play("a1b1a2b2a3c1")


def test_many_moves_on_a_large_board_are_played_without_listing_any(monkeypatch: pytest.MonkeyPatch) -> None:
    """Listing 8,100 cells before each of hundreds of moves took seconds."""
    start = Position("gomoku:90")
    monkeypatch.setattr(type(start.rules), "moves", None)
    position = start.play_codes(range(0, 8100, 17))
    assert len(position.history) == 477
    assert position.back(3).history_codes == position.history_codes[:-3]


def test_the_winner_and_the_winning_line_are_shown() -> None:
    position = Position("connect4").play("1212121")
    assert position.outcome is not None
    assert (position.to_move, position.legal_moves, position.outcome.winner) == ("", (), 0)
    assert position.terminal().count("\x1b[1;7m") == 4
    circles = ElementTree.fromstring(position._repr_svg_()).findall(".//{http://www.w3.org/2000/svg}circle")
    assert len([circle for circle in circles if circle.get("r") == str(DISC + 3)]) == 4, "rings around the discs of the line"
    assert len([circle for circle in circles if circle.get("stroke") == SVG_INK]) == 1, "the last move"


@pytest.mark.parametrize("game", ["connect4", "connect4:10x11", "tictactoe", "gomoku:9"])
def test_the_last_move_lies_where_the_picture_changed(game: str) -> None:
    rng = random.Random(1)
    position = Position(game)
    assert position.last_cells() == ()
    for _ in range(8):
        rules, state, move = position.rules, position.state(), rng.choice(position.legal_codes)
        position = position.play_codes([move])
        assert position.last_cells() == Rules.changed_cells(rules, state, move)
        if position.is_over:
            break


def test_the_last_move_of_kalah_is_the_house_that_was_sown() -> None:
    assert Position("kalah").play("3").last_cells() == ((1, 2),)
    assert Position("kalah").play("42").last_cells() == ((0, 4),)


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
