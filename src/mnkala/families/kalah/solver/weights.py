"""The weights by which the solver orders moves, a hundredth of a seed each.

All began as the regression of the exact margin on the same features.

Those for many seeds were found by counting nodes: positions and questions were solved again and
again, each with an empty table, and random changes to one or two weights at a time were kept where
the nodes became fewer, on positions of 26 to 37 seeds, under the standard rule then on questions of
31 to 36 that the search from the start of Kalah(6,4) came by. `python -m bench.kalah_order` does
the same on positions of half-random games.

Those for few seeds were fitted to what every move costs. Searches from half-random positions of 26
to 32 seeds with six houses gave questions of 14 to 23 seeds whose answer is yes, though no extra
turn says so (37,600 under empty capture, 11,900 under the standard rule); every move of them was
searched by itself, with an empty table. With the moves chosen by the softmax of their order, the
expected logarithm of the nodes (of a move that says yes, or of one that does not and then another
that does) was made small by its gradient, questions counted by the power 0.4 of their nodes. That
took 1 to 12 % fewer nodes from the start of a board. The same for many seeds (24 to 34; 3,200 and
900 questions) did better on questions that were held back, but worse from the start of most boards:
it was left out, as was more tuning by counting on fifty questions of 28 to 33.
"""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np

from mnkala.native.objects import IntArray, WordArray

HOUSES = 8
"""The number of houses with weights, counted from the store; on boards with more than six the
farther ones share the last weight."""
(
    FAR_OWN,
    FAR_OTHER,
    CONSTANT,
    PASSING,
    OTHER_PASSING,
    BEYOND,
    OTHER_BEYOND,
    QUIET,
    OTHER_QUIET,
    EXACT,
    OTHER_EXACT,
    CAPTURE,
    OTHER_CAPTURE,
    CHAIN,
    OTHER_CHAIN,
    HOUSE,
    LIFTED,
    LEFT_OVER,
    SURPLUS,
    COUNT,
) = (0, 8, *range(16, 34))
"""Places of the weights. FAR_OWN + i: a seed in the house of the mover that is i + 1 steps from the
store. PASSING: a house that sows beyond the store; BEYOND: a seed that it would sow there; QUIET: a
house that sows within the row; EXACT: one whose last seed falls into the store; CAPTURE: a seed of
the largest capture after the chain of extra turns; CHAIN: an extra turn. HOUSE, LIFTED, LEFT_OVER:
of the move itself, its house counted from the left, the seeds that it lifts, the seeds that are
left after it. SURPLUS: what counts of the part of the margin that is beyond the question, in
hundredths.
"""
MANY_SEEDS = 24
"""From this many seeds on the weights for many are used, below it those for few."""

NETWORK_SHARE = 25
"""In hundredths: how much of what the network sees (`shallow_search`), less what the weights of the
margin say of the same board, is added to the order of moves where many seeds are left. More was
worse, though the network errs less: the order also says which moves are soon settled, and the
network does not. With fewer seeds it saved 3 % of the nodes and cost 10 % of the time.
"""

_ORDER = {
    (False, False): (
        (312, 156, 220, 98, 99, 63),
        (-131, -122, -76, -57, -96, -73),
        (-79, -221, 396, -104, 69, 112, 22, -73, 95, 31, -54, 90, -24, 11, -16, -281, 100),
    ),
    (False, True): (
        (308, 201, 228, 166, 117, 91),
        (-134, -109, -120, -101, -93, -45),
        (8, -229, 392, -85, 56, 294, -106, -59, -29, 93, -161, 98, -70, 113, -67, -327, 208),
    ),
    (True, False): (
        (339, 193, 237, 110, 99, 35),
        (-130, -122, -76, -93, -96, -73),
        (-79, -221, 396, -102, 69, 11, 32, -73, 95, 31, -55, 90, -33, 11, 10, -284, 88),
    ),
    (True, True): (
        (365, 234, 317, 176, 181, 61),
        (-120, -123, -104, -82, -64, -59),
        (-16, -165, 407, -108, 47, 164, -62, -129, 80, 35, -119, 173, -107, 85, 10, -324, 136),
    ),
}
"""The weights by rule of capture, and by whether it is late in the game."""
_MARGIN = {
    False: (
        (156, 121, 119, 131, 122, 118),
        (-132, -103, -109, -115, -107, -101),
        (-131, -358, 344, -60, 85, 52, -65, -97, 45, 138, -39, 36, -13, 0, 0, 0, 0),
    ),
    True: (
        (124, 87, 93, 116, 116, 98),
        (-79, -47, -67, -79, -74, -73),
        (-43, -321, 242, -42, 46, 67, -118, -8, -41, 112, -31, 25, -13, 0, 0, 0, 0),
    ),
}


def order_weights(standard: bool, late: bool = False) -> IntArray:
    """The weights of the move ordering under a rule of capture, for many seeds left or, with
    `late`, for few."""
    return _laid_out(*_ORDER[standard, late])


def margin_weights(standard: bool) -> IntArray:
    """The weights by which the margin to come is guessed, under a rule of capture."""
    return _laid_out(*_MARGIN[standard])


def _laid_out(own: tuple[int, ...], other: tuple[int, ...], rest: tuple[int, ...]) -> IntArray:
    more = HOUSES - len(own)
    return np.array([*own, *own[-1:] * more, *other, *other[-1:] * more, *rest], np.int64)


# ---- The table of the network that helps the move ordering ----


# `shallow_search.py` reads it. The files in `data` hold it.

NETWORK_HOUSES = 6
"""The number of houses of the boards that have a network."""
MOST_SEEDS, MOST_TURNS, MOST_CAPTURED = 13, 11, 15
"""The largest numbers of seeds in a house, extra turns in a chain and captured seeds that are
distinguished; more count as many."""
TURNS, CAPTURED = (
    2 * NETWORK_HOUSES * (MOST_SEEDS + 1),
    2 * NETWORK_HOUSES * (MOST_SEEDS + 1) + MOST_TURNS + 1,
)
OF_OTHER = MOST_TURNS + 1 + MOST_CAPTURED + 1
ROWS = TURNS + 2 * OF_OTHER
"""The number of rows: a house with a number of seeds, the mover's houses first; the mover's chain
and capture; those of the other."""
UNITS, LANES, LANE = 32, 4, 16
WORDS = UNITS // LANES
"""Units in all, of which the last is linear; units in a word; bits of a unit; words in a row."""
SIGHTS = 2 * NETWORK_HOUSES + 4
ZERO_LINE = 1 << 11
"""The value that represents zero in an entry of twelve bits."""
UNIT, OUTPUT, LINEAR = 512, 1600, 128
"""Units of the table: an entry of a rectifier counts 1 / UNIT; its weight is in hundredths of a
seed, in sixteenths; an entry of the linear part is in parts of a seed."""
FILE = Path(__file__).with_name("data") / "network.npz"


@functools.cache
def load_network(houses: int, standard: bool) -> tuple[WordArray, IntArray]:
    """Load the table and the weights of the units for a board, both empty where there are none."""
    if houses != NETWORK_HOUSES:
        return np.zeros(0, np.uint64), np.zeros(0, np.int64)
    with np.load(FILE, allow_pickle=False) as file:
        rule = "standard" if standard else "empty"
        return file[f"{rule}-table"].astype(np.uint64), file[f"{rule}-weights"].astype(np.int64)
