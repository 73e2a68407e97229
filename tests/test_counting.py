"""How many positions a game has: exact, whichever way they are counted."""

from __future__ import annotations

import pytest

from mnkala import MnkalaError, Position
from mnkala.search.limit import Stop
from mnkala.solve import PositionCount, count_positions
from tests.command_line import mnkala


def slowly(position: Position) -> PositionCount:
    """By a set of pictures and movers, layer by layer."""

    def seen(position: Position) -> tuple[str, int]:
        return str(position), position.mover

    met, layer, finished = {seen(position)}, [position], 0
    while layer:
        found: dict[tuple[str, int], Position] = {}
        for each in layer:
            finished += each.is_over
            for move in () if each.is_over else each.legal_moves:
                child = each.play(move)
                found.setdefault(seen(child), child)
        layer = [child for key, child in found.items() if key not in met]
        met |= found.keys()
    return PositionCount(len(met), finished)


@pytest.mark.parametrize(
    "game", ["connect4:4x3", "connect:3x4x3", "kalah:2x2", "kalah:2x3,standard", "mnk:2x4x3"]
)
def test_every_position_is_counted_once(game: str) -> None:
    assert count_positions(Position(game)) == slowly(Position(game))


def test_known_numbers_come_out() -> None:
    """Tic-tac-toe's is in every textbook, those of Connect Four in John Tromp's table."""
    assert count_positions(Position("tictactoe")).positions == 5478
    assert count_positions(Position("connect4:4x4")).positions == 161_029


@pytest.mark.slow
def test_the_larger_boards_of_tromps_table_come_out() -> None:
    for board, positions in (("5x4", 1_706_255), ("4x5", 3_945_711), ("5x5", 69_763_700)):
        assert count_positions(Position(f"connect4:{board}")).positions == positions


def test_a_count_begins_where_one_likes_and_ends_when_it_is_stopped() -> None:
    late = Position("connect4:4x4").play("1111222244")
    assert count_positions(late) == slowly(late)
    stop = Stop()
    stop.set()
    assert count_positions(Position("connect4"), stop).positions <= 2
    assert count_positions(Position("gomoku"), stop).positions == 1


def test_what_no_table_can_hold_is_refused_with_the_way_out() -> None:
    with pytest.raises(MnkalaError, match=r"connect4 has more than .* --memory"):
        count_positions(Position("connect4"), most_bytes=1 << 20)
    done = mnkala("count", "connect4", "--memory", "0.002")
    assert done.returncode == 2
    assert "count a smaller board" in done.stderr


def test_the_command_prints_the_number() -> None:
    assert mnkala("count", "tictactoe").stdout == (
        "5,478 positions, of which 958 are finished games\n"
    )
