"""What happens during a move, one thing after the other, in games whose moves are worth watching."""

from __future__ import annotations

import dataclasses
from typing import Literal

from mnkala.core.picture import Cell, Picture

StepKind = Literal["lift", "sow", "capture", "sweep"]


@dataclasses.dataclass(frozen=True)
class Step:
    """One thing that happens during a move, with the board as it is then."""

    kind: StepKind
    """A house is lifted, a seed is sown, seeds are captured, what is left at the end goes to its stores."""
    cells: tuple[Cell, ...]
    """Where it happens; of a capture the house of the last seed and then the one opposite. Stores are cells one step beyond their rows."""
    picture: Picture
    """The board after it. Its mover is the one who makes the move."""
    seeds: int
    """How many seeds it moves."""
    hand: int
    """How many are in the hand after it."""
