"""A Kalah board as the solver sees it: only the seeds in the houses count.

What lies in the stores is already decided. The solver looks for the *margin to come*, the seeds
that the mover will still gain less those that the other will, so a position does not include the
stores: it is two words with a byte for each house, as in `rules.py`. With n seeds left the margin
lies between -n and n, and is even or odd as n is.

Positions are numbered. A row of h houses with n seeds is a row of h - 1 partial sums p1 <= p2 <=
... <= n, and C(p1, 1) + C(p2 + 1, 2) + C(p3 + 2, 3) + ... numbers those rows without a gap (the
combinatorial number system). Positions are sorted by their total of seeds, then by the mover's
seeds, then by the number of the mover's row, then by that of the other's. The number is the key of
the table and the place in the database. Sowing within the mover's row makes partial sums smaller
and none larger, so the number of the row falls: the construction of the database relies on that
(`database.py`).
"""

from __future__ import annotations

import functools
import math

import numpy as np

from mnkala.core import Rules
from mnkala.errors import BadPosition
from mnkala.families.kalah.rules import BYTE, EIGHT, ONES, Kalah, KalahState, sum_of
from mnkala.families.kalah.solver.weights import (
    NETWORK_SHARE,
    load_network,
    margin_weights,
    order_weights,
)
from mnkala.native import NativeClass, native, shared
from mnkala.native.objects import ByteArray, IntArray, WordArray
from mnkala.solve.table import ONE, SPREAD, ZERO, signed

MOST_SEEDS = 62
"""The most seeds in play that the solver accepts: margins from -62 to 62 fit the table's seven bits
for each bound."""
STEP = 64
"""A number above all partial sums and counts of seeds."""
HIGH = ~np.uint64(0x7F7F7F7F7F7F7F7F)
"""The top bit of every house, which no count of seeds reaches."""


@native
class Board(NativeClass):
    """Tables that depend on the number of houses and on the rule of capture."""

    houses: int
    reach: np.uint64
    """How many seeds bring each house's last seed into the store: as many as there are houses in
    house 1, and one in the last."""
    bits: np.uint64
    """The number of bits in a key."""
    mask: np.uint64
    spread: np.uint64
    sums: IntArray
    """What a partial sum adds to the number of a row, at [house * STEP + partial sum]."""
    rows: IntArray
    """How many rows have a number of seeds."""
    blocks: IntArray
    """The number of the first position with these seeds, at [mover's seeds * STEP + other's seeds]."""
    order: IntArray
    """The weights of the move ordering where many seeds are left, less the part that the network
    has."""
    late_order: IntArray
    """The weights of the move ordering where few seeds are left."""
    margin: IntArray
    """The weights by which the margin to come is guessed; see `weights.py`."""
    network: WordArray
    """The table of the network and the weights of its units; empty on boards without one. See
    `shallow_search.py`."""
    network_weights: IntArray
    known: int
    """Positions with at most so many seeds are in the database."""
    database: ByteArray
    """The margin to come, at the number of the position."""


@functools.lru_cache(maxsize=32)
def board_of(houses: int, standard: bool) -> Board:
    """The board with so many houses, without a database."""
    sums = [math.comb(total + house, house + 1) for house in range(houses) for total in range(STEP)]
    rows = [math.comb(seeds + houses - 1, houses - 1) for seeds in range(STEP)]
    blocks, number = np.zeros(STEP * STEP, np.int64), 0
    for seeds in range(2, MOST_SEEDS + 1):
        for own in range(1, seeds):
            blocks[own * STEP + seeds - own] = number
            number += rows[own] * rows[seeds - own]
    bits = (number + 1).bit_length()
    reach = sum(houses - house << 8 * house for house in range(houses))
    table, unit_weights = load_network(houses, standard)
    order, margin = order_weights(standard), margin_weights(standard)
    if len(table) > 0:
        order -= margin * NETWORK_SHARE // 100
    return Board(
        houses,
        np.uint64(reach),
        np.uint64(bits),
        np.uint64((1 << bits) - 1),
        np.uint64(SPREAD & ((1 << bits) - 1) | 1),
        np.array(sums, np.int64),
        np.array(rows, np.int64),
        blocks,
        order,
        order_weights(standard, late=True),
        margin,
        table,
        unit_weights,
        0,
        np.zeros(1, np.int8),
    )


def board_for(rules: Rules) -> Board:
    """The board of a game of Kalah."""
    if not isinstance(rules, Kalah):
        raise BadPosition(f"{rules.game_string()} is not played with houses and seeds")
    return board_of(rules.houses, rules.standard)


def positions_up_to(seeds: int, board: Board) -> int:
    """How many positions have at most so many seeds, and some in each row: those of the database,
    in the order of their numbers."""
    return int(board.blocks[STEP + seeds]) if seeds >= 2 else 0


@shared
def row_number(row: np.uint64, board: Board) -> int:
    """The number of a row among those with as many seeds."""
    partial = row * ONES
    number = 0
    for house in range(board.houses - 1):
        number += board.sums[house * STEP + signed(partial & BYTE)]
        partial >>= EIGHT
    return number


@shared
def number_of(own: np.uint64, other: np.uint64, board: Board) -> int:
    """The number of a position that is not over."""
    mine, theirs = signed(sum_of(own)), signed(sum_of(other))
    return (
        board.blocks[mine * STEP + theirs]
        + row_number(own, board) * board.rows[theirs]
        + row_number(other, board)
    )


@shared
def key_of(own: np.uint64, other: np.uint64, board: Board) -> np.uint64:
    """The key of a position that is not over; it is never zero."""
    return np.uint64(number_of(own, other, board) + 1)


@shared
def sow(
    own: np.uint64, other: np.uint64, house: int, rules: Kalah
) -> tuple[bool, bool, int, np.uint64, np.uint64]:
    """Sow a house. Return whether the move ends the game, whether the mover moves again, what the
    move gains, and the board after it as its mover sees it.

    Where the game is over, the gain is the whole margin to come.
    """
    after = rules.play(KalahState(own, other, ZERO), house)
    first, second = signed(after.stores & BYTE), signed((after.stores >> EIGHT) & BYTE)
    again = after.stores >> np.uint64(16) == ZERO
    gain = first - second if again else second - first
    return after.own == ZERO, again, gain, after.own, after.other


@shared
def exact_houses(row: np.uint64, board: Board) -> np.uint64:
    """The houses whose last seed falls into the store without a lap, as their top bits: those where
    a byte less its reach is zero."""
    return (
        ~(((row ^ board.reach) | HIGH) - ONES)
        & HIGH
        & ((ONE << np.uint64(8 * board.houses - 1)) * np.uint64(2) - ONE)
    )


@shared
def filled_houses(row: np.uint64) -> np.uint64:
    """The houses that contain seeds, as their top bits."""
    return ((row | HIGH) - ONES) & HIGH


@shared
def passing_houses(row: np.uint64, board: Board) -> np.uint64:
    """The houses that sow beyond the store, as their top bits."""
    return ((row | HIGH) - board.reach - ONES) & HIGH
