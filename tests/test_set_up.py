"""A board that somebody sets up by hand: the position that it is, or in words why it is none."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnkala import GOING_ON, Position, Rules, parse_game
from mnkala.core.grid import read_owners
from mnkala.core.picture import HousesPicture, Picture, Seeds
from mnkala.core.plugin_guards import make_printable
from mnkala.errors import BadPosition
from mnkala.families.kalah.rules import Kalah, KalahState
from mnkala.native import native
from mnkala.play.position_editor import SetUp, set_up
from mnkala.play.view import make_view
from tests.reference import random_position


def edited(game: str, rows: str, mover: int | None = None) -> SetUp:
    """A board of rows of x, o and counts."""
    rules = parse_game(game)
    start = rules.picture(rules.start())
    cells = read_owners(rows, len(start.cells), len(start.cells[0]), game)[::-1]
    return set_up(rules, Picture(tuple(map(tuple, cells.tolist()))), mover)


def told(found: SetUp) -> list[str]:
    return [reason.text() for reason in found.reasons]


@pytest.mark.parametrize(
    ("game", "rows", "reasons"),
    [
        ("connect4", "7/7/7/7/ooo4/xxxxx2", ["x has 5 and o has 3: x may have at most one more."]),
        ("connect4", "7/7/7/7/7/o6", ["x has 0 and o has 1: x moves first, so o never has more."]),
        ("connect4", "7/7/7/7/2x4/7", ["A disc floats in column 3."]),
        (
            "connect4",
            "7/7/7/7/xxxx3/oooo3",
            ["Both have 4 in a row; the game ends with the first line."],
        ),
        (
            "connect4",
            "7/7/7/7/3o3/xxxxooo",
            ["x has 4 in a row already, so o could not have moved after it."],
        ),
        (
            "connect4",
            "7/7/7/7/ooxo3/xxxxo2",
            ["The line of x was complete before the last move, whichever that was."],
        ),
        ("connect4", "7/7/7/7/x6/o6", ["o moved last, but no disc of o lies on top of a column."]),
        ("tictactoe", "xxx/ooo/3", ["Both have 3 in a row; the game ends with the first line."]),
        (
            "tictactoe",
            "xxx/oo1/o2",
            ["x has 3 in a row already, so o could not have moved after it."],
        ),
        (
            "gomoku",
            "/".join(["xxxxxxxxxxx4", "oo1oo1oo1oo1oo1", *["15"] * 13]),
            ["The line of x was complete before the last move, whichever that was."],
        ),
    ],
)
def test_what_cannot_arise_is_told_why(game: str, rows: str, reasons: list[str]) -> None:
    found = edited(game, rows)
    assert (found.position, told(found)) == (None, reasons)


def test_all_faults_are_told_with_their_cells() -> None:
    found = edited("connect4", "7/7/7/x6/1x5/2xxx2")
    assert [(reason.key, reason.cells) for reason in found.reasons] == [
        ("editor.floats", ((3, 0),)),
        ("editor.floats", ((4, 1),)),
        ("editor.too_many_first", ()),
    ]


@pytest.mark.parametrize(
    ("rows", "mover", "reason"),
    [
        (
            "7/7/7/7/7/3x3",
            0,
            "It is the turn of o, who has one fewer than x. For x to move, o needs one more.",
        ),
        (
            "7/7/7/7/3o3/3x3",
            1,
            "It is the turn of x, who has as many as o. For o to move, x needs one more.",
        ),
    ],
)
def test_a_mover_whose_turn_it_is_not_is_told(rows: str, mover: int, reason: str) -> None:
    assert told(edited("connect4", rows, mover)) == [reason]
    found = edited("connect4", rows, 1 - mover)
    assert found.position is not None
    assert found.position.mover == 1 - mover
    assert found == edited("connect4", rows)


def test_a_finished_game_is_a_position_and_said_to_be_over() -> None:
    found = edited("tictactoe", "xxx/oo1/3")
    assert found.position is not None
    assert told(found) == ["The game is over in this position (1-0)."]


def test_seeds_are_counted() -> None:
    rules = parse_game("kalah:3x2")
    picture = HousesPicture.of((2, 0, 3), (1, 0, 2), (3, 1), None)
    found = set_up(rules, picture, 1)
    assert found.position is not None
    assert (found.position.literal, found.position.mover) == ("<3,1,3,1,0,2,2,0,3>o", 1)
    assert told(set_up(rules, HousesPicture.of((2, 0, 3), (1, 0, 2), (3, 0), None), 0)) == [
        "12 seeds are needed, 11 are on the board."
    ]
    assert (
        "at most 160"
        in told(set_up(rules, HousesPicture.of((200, 0, 0), (0, 0, 0), (0, 0), None), 0))[0]
    )
    assert told(set_up(rules, HousesPicture.of((0, 0, 0), (1, 0, 2), (9, 0), None), 0)) == [
        "The game is over in this position (1-0)."
    ]


@given(
    seed=st.integers(0, 5000),
    game=st.sampled_from(["connect4", "connect4:8x9", "tictactoe", "gomoku", "kalah", "kalah:4x3"]),
)
def test_the_picture_of_a_position_is_that_position(seed: int, game: str) -> None:
    position = random_position(game, seed)
    found = set_up(position.rules, position.rules.picture(position.state()), position.mover)
    assert found.position is not None
    assert found.position.literal == position.literal


def test_a_board_of_another_shape_is_refused() -> None:
    with pytest.raises(BadPosition, match="the board of tictactoe has 3 rows of 3 cells"):
        set_up(parse_game("tictactoe"), Picture(((0, 0, 0), (0, 0))), None)
    with pytest.raises(BadPosition, match="no houses"):
        set_up(
            parse_game("tictactoe"), Picture(((0,) * 3,) * 3, seeds=Seeds(((1,),), (0, 0))), None
        )
    with pytest.raises(BadPosition, match="2 rows of 6 houses"):
        set_up(parse_game("kalah"), Picture(((0,) * 6,) * 2), None)


@native
class Row(Rules):
    """A plug-in: marks on a row of cells, whose literal is the row."""

    name = "row"
    cols: int = 3
    secret: ClassVar[bool] = False

    def start(self) -> tuple[np.ndarray]:
        return (np.zeros(self.cols, np.int64),)

    def mover(self, state: tuple[np.ndarray]) -> int:
        return int(np.count_nonzero(state[0])) % 2

    def result(self, state: tuple[np.ndarray]) -> int:
        return GOING_ON

    def cell(self, state: tuple[np.ndarray], row: int, column: int) -> int:
        return int(state[0][column])

    def literal(self, state: tuple[np.ndarray]) -> str | None:
        return None if self.secret else "".join(".xo"[cell] for cell in state[0])

    def parse_literal(self, text: str) -> tuple[np.ndarray]:
        if text.count("o") > text.count("x"):
            raise BadPosition("too many o")
        return (np.array([".xo".index(mark) for mark in text]),)


class SecretRow(Row):
    """The same without a literal."""

    secret = True


def test_a_plug_in_whose_literal_is_its_rows_is_set_up_and_one_without_says_so() -> None:
    found = set_up(Row(), Picture(((1, 0, 2),)), None)
    assert found.position is not None
    assert found.position.literal == "x.o"
    assert told(set_up(Row(), Picture(((0, 0, 2),)), None)) == ["too many o"]
    assert "has no position editor" in told(set_up(SecretRow(), Picture(((0, 0, 2),)), None))[0]


class OwnHouses(HousesPicture):
    """A picture class of a plug-in."""


class OwnKalah(Kalah):
    """A plug-in's game of sowing."""

    def picture(self, state: KalahState) -> HousesPicture:
        return OwnHouses(**vars(Kalah.picture(self, state)))


def test_a_game_of_sowing_of_a_plug_in_is_seen_with_its_seeds() -> None:
    make_printable(OwnKalah)
    rules = OwnKalah(houses=3, seeds=2, standard=False)
    picture = rules.picture(rules.start())
    assert type(picture) is Picture, "its own drawing is left out"
    assert picture.seeds == Seeds(((2, 2, 2), (2, 2, 2)), (0, 0))


@pytest.mark.parametrize(
    ("game", "told"), [("tictactoe", True), ("connect4", True), ("kalah", False)]
)
def test_a_view_says_whether_its_board_tells_whose_turn_it_is(game: str, told: bool) -> None:
    assert make_view(Position(game)).tells_mover is told
