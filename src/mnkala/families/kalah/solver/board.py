"""A Kalah board as the solver sees it: only what is still to come counts.

What lies in the stores is won and lost already. The solver looks for the *margin to come*, the seeds that the mover will yet gain less
those that the other will, so the stores are no part of a position: two words, a byte a house, as in `games.kalah`. With n seeds left the
margin lies between -n and n, and is even or odd as n is.

Positions are numbered. A row of h houses with n seeds is a row of h - 1 partial sums p1 <= p2 <= ... <= n, and C(p1, 1) + C(p2 + 1, 2) +
C(p3 + 2, 3) + ... numbers those rows without a gap (the combinatorial number system). Positions come by seeds in all, then by the mover's
seeds, then by the number of the mover's row, then by that of the other's. The number is the key of the table and the place in the database.
Sowing within one's row makes partial sums smaller and none larger, so the number of the row falls: the database is built on that
(`database`). """

from __future__ import annotations

import functools
import math

import numpy as np

from mnkala.core import Rules
from mnkala.errors import BadPosition
from mnkala.families.kalah.rules import BYTE, EIGHT, ONES, Kalah, KalahState, sum_of
from mnkala.families.kalah.solver.network_table import load_network
from mnkala.families.kalah.solver.weights import NETWORK_SHARE, margin_weights, order_weights
from mnkala.native import NativeClass, native, shared
from mnkala.native.objects import ByteArray, IntArray, WordArray
from mnkala.solve.table import ONE, SPREAD, ZERO, signed

MOST_SEEDS = 62
"""Seeds in play that the solver takes: margins from -62 to 62 fit the table's seven bits a bound."""
STEP = 64
"""Partial sums and seeds are below this."""
HIGH = ~np.uint64(0x7F7F7F7F7F7F7F7F)
"""The top bit of every house, which no count of seeds reaches."""


@native
class Board(NativeClass):
    """Everything that depends on the number of houses and on the rule of capture."""

    houses: int
    reach: np.uint64
    """How many seeds bring a house's last one into the store: houses in house 1, ..., one in the last."""
    bits: np.uint64
    """Bits of a key."""
    mask: np.uint64
    spread: np.uint64
    sums: IntArray
    """[house * STEP + partial sum]: what it adds to the number of a row."""
    rows: IntArray
    """[seeds]: how many rows have so many."""
    blocks: IntArray
    """[mover's seeds * STEP + other's seeds]: the number of the first position with these."""
    order: IntArray
    """The weights by which moves are ordered where many seeds are left, less the part that the network has,"""
    late_order: IntArray
    """those where few are,"""
    margin: IntArray
    """and those by which the margin to come is guessed; see `weights`."""
    network: WordArray
    """The table of the network, and the weights of its units; empty on boards that have none. See `shallow_search`."""
    network_weights: IntArray
    known: int
    """Positions with at most so many seeds are in the database."""
    database: ByteArray
    """[number of the position]: its margin to come."""


@functools.lru_cache(maxsize=32)
def board_of(houses: int, standard: bool) -> Board:
    """The board of so many houses, without a database."""
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
    return Board(houses, np.uint64(reach), np.uint64(bits), np.uint64((1 << bits) - 1), np.uint64(SPREAD & ((1 << bits) - 1) | 1),
                 np.array(sums, np.int64), np.array(rows, np.int64), blocks, order,
                 order_weights(standard, late=True), margin, table, unit_weights, 0, np.zeros(1, np.int8))


def board_for(rules: Rules) -> Board:
    """The board of a game of Kalah."""
    if not isinstance(rules, Kalah):
        raise BadPosition(f"{rules.game_string()} is not played with houses and seeds")
    return board_of(rules.houses, rules.standard)


def positions_up_to(seeds: int, board: Board) -> int:
    """How many positions have at most so many seeds, and some in each row: those of the database, in the order of their numbers."""
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
    return board.blocks[mine * STEP + theirs] + row_number(own, board) * board.rows[theirs] + row_number(other, board)


@shared
def key_of(own: np.uint64, other: np.uint64, board: Board) -> np.uint64:
    """The key of a position that is not over; zero is none."""
    return np.uint64(number_of(own, other, board) + 1)


@shared
def sow(own: np.uint64, other: np.uint64, house: int, rules: Kalah) -> tuple[bool, bool, int, np.uint64, np.uint64]:
    """Whether a move ends the game, whether the mover moves again, what it gains, and the board after it as its mover sees it. Where the
    game is over, the gain is the whole margin to come."""
    after = rules.play(KalahState(own, other, ZERO), house)
    first, second = signed(after.stores & BYTE), signed((after.stores >> EIGHT) & BYTE)
    again = after.stores >> np.uint64(16) == ZERO
    gain = first - second if again else second - first
    return after.own == ZERO, again, gain, after.own, after.other


@shared
def exact_houses(row: np.uint64, board: Board) -> np.uint64:
    """The houses whose last seed falls into the store without a lap, as their top bits: where a byte less its reach is zero."""
    return ~(((row ^ board.reach) | HIGH) - ONES) & HIGH & ((ONE << np.uint64(8 * board.houses - 1)) * np.uint64(2) - ONE)


@shared
def filled_houses(row: np.uint64) -> np.uint64:
    """The houses with seeds, as their top bits."""
    return ((row | HIGH) - ONES) & HIGH


@shared
def passing_houses(row: np.uint64, board: Board) -> np.uint64:
    """The houses that sow beyond the store, as their top bits."""
    return ((row | HIGH) - board.reach - ONES) & HIGH
