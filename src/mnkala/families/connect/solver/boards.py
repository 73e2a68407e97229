"""Boards of Connect as rows of an array, checked before a kernel sees them."""

from __future__ import annotations

from typing import Any

import numpy as np

from mnkala.families.connect.solver.lines import has_line
from mnkala.families.connect.solver.shape import Shape
from mnkala.solve.common.many import Boards, refuse_first


def check_boards(boards: Boards, shape: Shape) -> None:
    """Raise BadPosition for the first row that is no position with something to solve."""
    owns, boths = boards[:, 0], boards[:, 1]
    # Discs that rest on each other leave nothing of themselves in the sum with the bottom row; `has_line` takes arrays as well.
    lined: Any = has_line
    refuse_first("is no board: discs hang or lie outside",
                 (boths & (boths + shape.bottom) != 0) | (boths & ~shape.full != 0) | (owns & ~boths != 0))
    refuse_first("has the wrong number of the mover's discs", np.bitwise_count(owns) != np.bitwise_count(boths) // 2)
    refuse_first("is over: there is nothing to solve", (boths == shape.full) | lined(owns, shape.step, shape.line)
                 | lined(owns ^ boths, shape.step, shape.line))
