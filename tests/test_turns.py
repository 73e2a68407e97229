"""A turn is what one player does before the other one may."""

from mnkala.core import Position
from mnkala.core.position import first_turn, turns


def test_extra_moves_belong_to_the_turn_that_made_them() -> None:
    start = Position("kalah")
    line = [2, 5, 0]  # house 3 ends in the store, then house 6, and the other side answers
    first, second = turns(start, line)
    assert first.codes == (2, 5)
    assert first.mover == 0
    assert first.text == "36"
    assert second.codes == (0,)
    assert second.mover == 1
    assert second.position == first.after
    assert first_turn(start, line) == (2, 5)


def test_without_extra_moves_every_move_is_a_turn() -> None:
    assert [turn.codes for turn in turns(Position("connect4"), [3, 3, 2])] == [(3,), (3,), (2,)]
    assert first_turn(Position("connect4"), []) == ()


def test_a_line_that_is_cut_short_ends_in_an_unfinished_turn() -> None:
    (turn,) = turns(Position("kalah"), [2])
    assert turn.codes == (2,)
    assert turn.after.mover == turn.mover
