"""What a position looks like: the margin to come by weights, for the order of moves; and what its mover has for sure.

What counts was found by regression on exact margins: seeds of one's own row, less so the nearer they are to being sown over to the other's;
that a house *passes* (sows beyond the store) costs four seeds, for it will feed the other; a waiting move within the row is worth
something; and a capture in reach after the chain of extra turns counts in full for the mover and by a third for the other, who can be
stopped. """

from __future__ import annotations

import numpy as np

from mnkala.games.kalah import BYTE, EIGHT, Kalah, first_houses, seeds_in, sum_of, without
from mnkala.native import popcount, shared
from mnkala.native.objects import IntArray
from mnkala.solve.common.words import ZERO, signed
from mnkala.solve.kalah.board import Board, exact_houses, filled_houses, passing_houses
from mnkala.solve.kalah.weights import (
    BEYOND,
    CAPTURE,
    CHAIN,
    CONSTANT,
    EXACT,
    FAR_OTHER,
    FAR_OWN,
    OTHER_BEYOND,
    OTHER_CAPTURE,
    OTHER_CHAIN,
    OTHER_EXACT,
    OTHER_PASSING,
    OTHER_QUIET,
    PASSING,
    QUIET,
)


@shared
def chain(row: np.uint64, board: Board) -> tuple[np.uint64, int]:
    """The row after all extra turns, the nearest to the store first, and how many there were. Each drops one seed into the store and stays
    in the row otherwise."""
    extra = 0
    exact = exact_houses(row, board)
    while exact != ZERO:
        house = board.houses - 1
        while seeds_in(row, house) != board.houses - house:
            house -= 1
        row = without(row, house) + first_houses(board.houses) - first_houses(house + 1)
        extra += 1
        exact = exact_houses(row, board)
    return row, extra


@shared
def largest_capture(own: np.uint64, other: np.uint64, board: Board, rules: Kalah) -> int:
    """The most seeds that one move without a lap takes by capture, its own last one among them."""
    most = 0
    for house in range(board.houses - 1):
        seeds = seeds_in(own, house)
        last = house + seeds
        if seeds != 0 and last < board.houses and seeds_in(own, last) == 0:
            captured = seeds_in(other, board.houses - 1 - last)
            if (captured != 0 or not rules.standard) and captured >= most:
                most = captured + 1
    return most


@shared
def sure_gain(own: np.uint64, other: np.uint64, board: Board, rules: Kalah) -> int:
    """Seeds that the mover gains in this turn whatever the other does afterwards: the chain of extra turns, and then a capture, or a seed
    by a house that passes. With n seeds left and a sure gain of g the margin to come is at least g - (n - g)."""
    row, gain = chain(own, board)
    capture = largest_capture(row, other, board, rules)
    if capture == 0 and passing_houses(row, board) != ZERO:
        capture = 1
    return gain + capture


@shared
def estimate(own: np.uint64, other: np.uint64, board: Board, rules: Kalah, weights: IntArray) -> int:
    """The margin to come as it looks, in hundredths of a seed."""
    value = weights[CONSTANT]
    # 1. Seeds by house, from the store backwards.
    row, row_of_other = own, other
    for house in range(board.houses):
        far = board.houses - 1 - house
        value += weights[FAR_OWN + far] * signed(row & BYTE) + weights[FAR_OTHER + far] * signed(row_of_other & BYTE)
        row >>= EIGHT
        row_of_other >>= EIGHT
    # 2. What kinds of houses there are, all at once.
    exact, passing = exact_houses(own, board), passing_houses(own, board)
    value += weights[EXACT] * popcount(exact) + weights[PASSING] * popcount(passing)
    value += weights[QUIET] * popcount(filled_houses(own) & ~exact & ~passing) + weights[BEYOND] * beyond(own, passing, board)
    exact, passing = exact_houses(other, board), passing_houses(other, board)
    value += weights[OTHER_EXACT] * popcount(exact) + weights[OTHER_PASSING] * popcount(passing)
    value += weights[OTHER_QUIET] * popcount(filled_houses(other) & ~exact & ~passing)
    value += weights[OTHER_BEYOND] * beyond(other, passing, board)
    # 3. Chains of extra turns, and the captures after them.
    row, extra = chain(own, board)
    row_of_other, extra_of_other = chain(other, board)
    value += weights[CHAIN] * extra + weights[OTHER_CHAIN] * extra_of_other
    value += weights[CAPTURE] * largest_capture(row, other, board, rules)
    value += weights[OTHER_CAPTURE] * largest_capture(row_of_other, own, board, rules)
    return value


@shared
def beyond(row: np.uint64, passing: np.uint64, board: Board) -> int:
    """The seeds that the passing houses would sow beyond the store."""
    whole = (passing - (passing >> np.uint64(7))) | passing
    return signed(sum_of((row & whole) - (board.reach & whole)))


