"""The diagrams of a trace: small, plain, and with what the last move changed."""

from __future__ import annotations

from typing import Any

from mnkala.games import Rules
from mnkala.games.kalah_picture import KalahPicture
from mnkala.trace.model import Diagram


def draw(rules: Rules, state: Any, before: Any = None, move: int | None = None) -> Diagram:
    """The diagram of a state, and what `move` changed since the state before it."""
    picture = rules.picture(state)
    rows = tuple("".join(map(str, cells)) for cells in picture.cells)
    last = () if move is None else rules.changed_cells(before, move)
    seeds = (picture.seeds, picture.stores) if isinstance(picture, KalahPicture) else ()
    return Diagram(rows, picture.marked, last, *seeds)
