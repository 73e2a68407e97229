"""Position: immutable, with its history, drawn as text, in colour and as SVG."""

from __future__ import annotations

import doctest
import random
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import mnkala
from mnkala import Position
from mnkala.core import position as position_module
from mnkala.core.picture import DISC, SVG_INK
from mnkala.core.rules import Rules
from mnkala.errors import BadPosition, IllegalMove


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


def test_a_number_is_the_move_that_its_digits_name() -> None:
    start = Position("connect4")
    assert start.play(4) == start.play("4") == start.play(np.int64(4)) == start.play_codes([3])
    assert start.play([4, "43"]) == start.play("443")
    assert Position("connect4:10x11").play((10, 11)).history == ("10", "11")
    with pytest.raises(IllegalMove, match="column 44 does not exist"):
        start.play(44)
    with pytest.raises(IllegalMove, match="'4' is not a cell; cells are a1 to c3"):
        Position("tictactoe").play(4)


@pytest.mark.parametrize("moves", [True, 4.0, None, b"4", {"4"}, [4, None]])
def test_what_is_no_move_is_refused_in_words(moves: Any) -> None:
    with pytest.raises(
        IllegalMove,
        match=r"is of type \w+; moves of connect4 are a text, such as '1', a whole number, or a list of these",
    ):
        Position("connect4").play(moves)


def test_a_board_is_an_array_of_marks() -> None:
    position = Position("connect4").play("443")
    array = position.to_array()
    assert (array.shape, array.dtype) == ((6, 7), np.dtype(np.int16))
    assert [
        (int(row), int(column), int(array[row, column]))
        for row, column in zip(*array.nonzero(), strict=True)
    ] == [(4, 3, 2), (5, 2, 1), (5, 3, 1)]
    assert np.array_equal(position.to_array(seen_by=1), np.array((0, 2, 1))[array])
    with pytest.raises(BadPosition, match="players are 0, who moved first, and 1"):
        position.to_array(seen_by=2)


def test_kalah_is_an_array_of_seeds_in_the_order_of_sowing() -> None:
    position = Position("kalah:3x2").play("23")
    array = position.to_array()
    assert array.tolist() == [[2, 0, 0, 2], [3, 3, 2, 0]]
    assert np.array_equal(position.to_array(seen_by=1), array[::-1])


def test_history_goes_back_to_the_start() -> None:
    position = Position("connect4", literal="7/7/7/7/7/3x3").play("35")
    assert (position.history, position.history_codes) == (("3", "5"), (2, 4))
    assert position.back(2) == position.root()
    assert position.root().literal == "......./......./......./......./......./...x..."
    with pytest.raises(IllegalMove, match="the game has 2"):
        position.back(3)


@pytest.mark.parametrize(
    "game",
    [
        "connect4",
        "connect4:10x11",
        "tictactoe",
        "mnk:7x8x4",
        "gomoku:9,exact",
        "kalah",
        "kalah:3x2,standard",
    ],
)
def test_going_back_is_the_same_as_not_having_played(game: str) -> None:
    rng = random.Random(5)
    positions = [Position(game)]
    while not positions[-1].is_over and len(positions) < 40:
        positions.append(positions[-1].play_codes([rng.choice(positions[-1].legal_codes)]))
    for count, earlier in enumerate(reversed(positions)):
        found = positions[-1].back(count)
        assert (found, found.movers, found.legal_codes) == (
            earlier,
            earlier.movers,
            earlier.legal_codes,
        )
        assert all(
            np.array_equal(part, other)
            for part, other in zip(found.state(), earlier.state(), strict=True)
        )


@pytest.mark.parametrize("game", ["connect:3x4x3", "connect4:10x11", "tictactoe", "kalah:3x2"])
def test_a_move_is_legal_if_and_only_if_it_is_listed(game: str) -> None:
    rng = random.Random(7)
    for _ in range(5):
        position = Position(game)
        while not position.is_over and len(position.history) < 60:
            rules, state = position.rules, position.state()
            asked = [*range(-2, rules.move_codes() + 3), 1 << 40, 1 << 70]
            assert [code for code in asked if rules.is_legal(state, code)] == sorted(
                position.legal_codes
            )
            assert [code for code in asked if Rules.is_legal(rules, state, code)] == sorted(
                position.legal_codes
            )
            position = position.play_codes([rng.choice(position.legal_codes)])


def test_the_first_move_that_cannot_be_played_is_named_with_what_led_to_it() -> None:
    with pytest.raises(IllegalMove, match=r"b2 cannot be played after b2a1; legal moves are .*a2"):
        Position("tictactoe").play("b2a1b2a2")
    with pytest.raises(
        IllegalMove, match=r"the game is over \(1-0\); no move can follow a1b1a2b2a3"
    ):
        Position("tictactoe").play("a1b1a2b2a3c1")


def test_many_moves_on_a_large_board_are_played_without_listing_any(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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
    circles = ElementTree.fromstring(position._repr_svg_()).findall(
        ".//{http://www.w3.org/2000/svg}circle"
    )
    assert len([circle for circle in circles if circle.get("r") == str(DISC + 3)]) == 4, (
        "rings around the discs of the line"
    )
    assert len([circle for circle in circles if circle.get("stroke") == SVG_INK]) == 1, (
        "the last move"
    )


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
    for position in (
        Position("connect4:10x11").play("1,11"),
        Position("connect4", literal="7/7/7/7/7/3x3").play("4"),
    ):
        assert eval(repr(position)) == position


def test_importing_the_package_and_its_rules_never_loads_numba() -> None:
    code = "import sys, mnkala; mnkala.Position('connect4').play('44').svg(); print('numba' in sys.modules)"
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "False\n"
    )


def test_every_public_name_is_there() -> None:
    assert all(getattr(mnkala, name) is not None for name in mnkala.__all__)
    assert issubclass(mnkala.IllegalMove, mnkala.MnkalaError)
    with pytest.raises(AttributeError, match="nonsense"):
        mnkala.nonsense  # type: ignore[attr-defined]  # noqa: B018
