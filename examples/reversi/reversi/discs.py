"""Discs as bits of a word: cell `row * columns + column`, row 0 at the top.

Rows of discs are found by shifting all discs of a board at once. Discs on the left and the right
edge are left out of what is shifted sideways, so that no row runs on at the other edge. The
functions are told the board's shape by its rules (`Reversi`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mnkala.native import shared

if TYPE_CHECKING:
    from reversi.rules import Reversi

ZERO, ONE = np.uint64(0), np.uint64(1)


@shared
def moves_for(own: np.uint64, other: np.uint64, rules: Reversi) -> np.uint64:
    """The cells where `own` may place a disc: free ones at the end of a row of `other` that begins
    beside a disc of `own`.
    """
    across, along, longest = (
        other & rules.inner,
        np.uint64(rules.cols),
        max(rules.rows, rules.cols) - 2,
    )
    found = ends(own, across, ONE, longest) | ends(own, other, along, longest)
    found |= ends(own, across, along - ONE, longest) | ends(own, across, along + ONE, longest)
    return found & rules.full & ~(own | other)


@shared
def ends(own: np.uint64, through: np.uint64, step: np.uint64, longest: int) -> np.uint64:
    """The cells just behind unbroken rows of up to `longest` discs of `through` that begin beside
    `own`, both ways along a direction.
    """
    up, down = through & (own << step), through & (own >> step)
    for _ in range(longest - 1):
        up |= through & (up << step)
        down |= through & (down >> step)
    return (up << step) | (down >> step)


@shared
def turned_by(disc: np.uint64, own: np.uint64, other: np.uint64, rules: Reversi) -> np.uint64:
    """The discs of `other` that a new disc of `own` turns over."""
    across, along, longest = (
        other & rules.inner,
        np.uint64(rules.cols),
        max(rules.rows, rules.cols) - 2,
    )
    found = enclosed(disc, own, across, ONE, longest) | enclosed(disc, own, other, along, longest)
    return (
        found
        | enclosed(disc, own, across, along - ONE, longest)
        | enclosed(disc, own, across, along + ONE, longest)
    )


@shared
def enclosed(
    disc: np.uint64, own: np.uint64, through: np.uint64, step: np.uint64, longest: int
) -> np.uint64:
    """The unbroken rows of `through` between a disc and the next one of `own`, both ways along a
    direction.
    """
    up, down = through & (disc << step), through & (disc >> step)
    for _ in range(longest - 1):
        up |= through & (up << step)
        down |= through & (down >> step)
    if (up << step) & own == ZERO:
        up = ZERO
    if (down >> step) & own == ZERO:
        down = ZERO
    return up | down


@shared
def beside(cells: np.uint64, rules: Reversi) -> np.uint64:
    """The cells to the left and the right of some cells."""
    right = rules.left << np.uint64(rules.cols - 1)
    return ((cells & ~rules.left) >> ONE) | ((cells & ~right) << ONE)


@shared
def above_and_below(cells: np.uint64, rules: Reversi) -> np.uint64:
    """The cells above and below some cells."""
    along = np.uint64(rules.cols)
    return ((cells << along) & rules.full) | (cells >> along)
