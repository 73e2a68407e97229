"""The weights by which the solver orders moves, a hundredth of a seed each.

They were found by counting nodes: random changes to one or two weights at a time were kept where 80 positions of 26 to 32 seeds, each
proved from both sides, took fewer nodes (`python -m bench.kalah_order`). They began as the regression of the exact margin on the same
features. """

from __future__ import annotations

import numpy as np

from mnkala.native.objects import IntArray

HOUSES = 8
"""Houses have weights counted from the store; on boards of more than six the farther ones share the last."""
(FAR_OWN, FAR_OTHER, CONSTANT, PASSING, OTHER_PASSING, BEYOND, OTHER_BEYOND, QUIET, OTHER_QUIET, EXACT, OTHER_EXACT, CAPTURE, OTHER_CAPTURE,
 CHAIN, OTHER_CHAIN, HOUSE, LIFTED, LEFT_OVER, COUNT) = (0, 8, *range(16, 33))
"""Places of the weights. FAR_OWN + i: a seed in the house of the mover that is i + 1 steps from the store. PASSING: a house that sows
beyond the store; BEYOND: a seed that it would sow there; QUIET: a house that sows within the row; EXACT: one whose last seed falls into the
store; CAPTURE: a seed of the largest capture after the chain of extra turns; CHAIN: an extra turn. HOUSE, LIFTED, LEFT_OVER: of the move
itself, its house counted from the left, the seeds that it lifts, the seeds that are left after it."""

_ORDER = {
    False: ((312, 156, 220, 98, 99, 63), (-131, -122, -76, -57, -96, -73),
            (-79, -221, 396, -104, 69, 112, 22, -73, 95, 31, -54, 90, -24, 11, -16, -281)),
    True: ((326, 164, 154, 98, 129, 86), (-68, -101, -105, -81, -87, -86),
            (34, -307, 232, 9, -5, 262, -89, 144, 18, -16, -77, 63, -228, 62, 38, -299)),
}
_MARGIN = {
    False: ((156, 121, 119, 131, 122, 118), (-132, -103, -109, -115, -107, -101),
            (-131, -358, 344, -60, 85, 52, -65, -97, 45, 138, -39, 36, -13, 0, 0, 0)),
    True: ((124, 87, 93, 116, 116, 98), (-79, -47, -67, -79, -74, -73),
           (-43, -321, 242, -42, 46, 67, -118, -8, -41, 112, -31, 25, -13, 0, 0, 0)),
}


def order_weights(standard: bool) -> IntArray:
    """The weights of the order of moves under a rule of capture."""
    return _laid_out(*_ORDER[standard])


def margin_weights(standard: bool) -> IntArray:
    """The weights by which the margin to come is guessed, under a rule of capture."""
    return _laid_out(*_MARGIN[standard])


def _laid_out(own: tuple[int, ...], other: tuple[int, ...], rest: tuple[int, ...]) -> IntArray:
    more = HOUSES - len(own)
    return np.array([*own, *own[-1:] * more, *other, *other[-1:] * more, *rest], np.int64)
