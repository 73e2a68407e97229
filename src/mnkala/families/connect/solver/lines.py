"""Lines on bitboards, for any length: all cells of the board at once by shifting it over itself.

The idea is John Tromp's and Pascal Pons'. A set of cells must lie within the board: the spare bit on top of each column then keeps
lines from running over into the next column. Shifts must be smaller than a word, which `shape.fits` makes sure of.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mnkala.native import shared
from mnkala.solve.common.words import ONE, ZERO

TWO, THREE = np.uint64(2), np.uint64(3)


@shared
def completing(discs: np.uint64, step: np.uint64, line: int) -> np.uint64:
    """The cells, taken or not, that make a line with `line - 1` of these discs. Discs rest on discs: upwards, only the top counts."""
    if line == 4:
        cells = (discs << ONE) & (discs << TWO) & (discs << THREE)
        for direction in range(3):
            shift = step - ONE + np.uint64(direction)
            double = shift + shift
            left = (discs << shift) & (discs << double)
            right = (discs >> shift) & (discs >> double)
            cells |= left & ((discs << (double + shift)) | (discs >> shift))
            cells |= right & ((discs >> (double + shift)) | (discs << shift))
        return cells
    cells = ZERO
    for direction in range(4):
        shift = ONE if direction == 0 else step + np.uint64(direction) - TWO
        before = ~ZERO
        for taken in range(line):
            # `taken` discs before the cell, the others after it.
            after = ~ZERO
            for i in range(1, line - taken):
                after &= discs >> (np.uint64(i) * shift)
            cells |= before & after
            before &= discs << (np.uint64(taken + 1) * shift)
    return cells


@shared
def has_line(cells: Any, step: np.uint64, line: int) -> Any:
    """Whether `line` of these cells are aligned: of a word, or of every word of an array."""
    if line == 4:
        pairs = cells & (cells >> ONE)
        found = pairs & (pairs >> TWO)
        for direction in range(3):
            shift = step - ONE + np.uint64(direction)
            pairs = cells & (cells >> shift)
            found |= pairs & (pairs >> (shift + shift))
        return found != ZERO
    found = ZERO
    for direction in range(4):
        shift = ONE if direction == 0 else step + np.uint64(direction) - TWO
        run = cells
        for i in range(1, line):
            run = run & (cells >> (np.uint64(i) * shift))  # not in place: `cells` may be an array
        found |= run
    return found != ZERO


@shared
def promising(discs: np.uint64, empty: np.uint64, step: np.uint64, line: int) -> np.uint64:
    """Empty cells in a window that holds at least two of these discs and nothing of the other player's."""
    usable = discs | empty
    cells = ZERO
    for direction in range(4):
        shift = ONE if direction == 0 else step + np.uint64(direction) - TWO
        if line == 4:
            double = shift + shift
            two = usable & (usable >> shift)
            both, any_of = discs & (discs >> shift), discs | (discs >> shift)
            windows = two & (two >> double) & (both | (both >> double) | (any_of & (any_of >> double)))
            windows |= windows << shift
            cells |= windows | (windows << double)
        else:
            windows, once, twice = ~ZERO, ZERO, ZERO
            for i in range(line):
                windows &= usable >> (np.uint64(i) * shift)
                disc = discs >> (np.uint64(i) * shift)
                twice |= once & disc
                once |= disc
            windows &= twice
            for i in range(line):
                cells |= windows << (np.uint64(i) * shift)
    return cells & empty
