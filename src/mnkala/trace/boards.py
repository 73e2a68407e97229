"""The boards of a trace: small, plain, and with what the last move changed."""

from __future__ import annotations

from typing import Any

from mnkala.games import Rules
from mnkala.games.kalah_picture import KalahPicture
from mnkala.trace.model import Board


def draw(rules: Rules, state: Any, before: Any = None, move: int | None = None) -> Board:
    """The board of a state, and what `move` changed since the state before it."""
    picture = rules.picture(state)
    rows = tuple("".join(map(str, cells)) for cells in picture.cells)
    if isinstance(picture, KalahPicture):
        last = () if move is None else rules.move_cells(before, move)
        return Board(rows, picture.marked, tuple(last), picture.seeds, picture.stores)
    if move is None:
        return Board(rows, picture.marked, ())
    old = rules.picture(before).cells
    last = tuple((row, column) for row, cells in enumerate(picture.cells) for column, cell in enumerate(cells) if cell != old[row][column])
    return Board(rows, picture.marked, last)
