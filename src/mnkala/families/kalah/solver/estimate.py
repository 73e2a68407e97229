"""Estimates of a position: the margin to come by weights, for the move ordering, and what its mover
is certain to gain.

The features were found by regression on exact margins. Seeds in one's own row count less the nearer
they are to being sown into the other's. A house that *passes* (sows beyond the store) costs four
seeds, because it will feed the other player. A waiting move within the row is worth something. A
capture in reach after the chain of extra turns counts in full for the mover and by a third for the
other, who can be stopped.
"""

from __future__ import annotations

import numpy as np

from mnkala.families.kalah.rules import (
    BYTE,
    EIGHT,
    ONES,
    Kalah,
    first_houses,
    seeds_in,
    sum_of,
    without,
)
from mnkala.families.kalah.solver.board import (
    HIGH,
    Board,
    exact_houses,
    filled_houses,
    passing_houses,
)
from mnkala.families.kalah.solver.weights import (
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
from mnkala.native import highest_bit, inlined, lowest_bit, popcount, shared
from mnkala.native.objects import IntArray
from mnkala.solve.table import ONE, ZERO, signed


@shared
def chain(row: np.uint64, board: Board) -> tuple[np.uint64, int]:
    """The row after all extra turns, with the house nearest to the store first, and their number.

    Each extra turn drops one seed into the store and leaves the others in the row. No other order
    has more extra turns. A house sows exactly into the store when its seeds reach a certain number;
    it gets one from every extra turn farther from the store; and a player who lets that number pass
    has lost the house for this turn. With the nearest house first, none is ever let pass: by
    induction from the farthest house on, each gets as many seeds as it can and sows as often as it
    can.
    """
    extra = 0
    exact = exact_houses(row, board)
    while exact != ZERO:
        house = highest_bit(exact) >> 3
        row = without(row, house) + first_houses(board.houses) - first_houses(house + 1)
        extra += 1
        exact = exact_houses(row, board)
    return row, extra


@shared
def landing_houses(row: np.uint64, board: Board) -> np.uint64:
    """The houses of a row where some house's last seed falls without a lap, as their top bits.

    The row is shifted one house after the other: after n shifts a byte holds the seeds of the house
    n steps before it, whose last seed falls there if they are n.
    """
    missed, steps = HIGH, ZERO
    for _ in range(1, board.houses):
        row <<= EIGHT
        steps += ONES
        missed &= filled_houses(row ^ steps)
    return ~missed & (first_houses(board.houses) << np.uint64(7))


@shared
def largest_capture(own: np.uint64, other: np.uint64, board: Board, rules: Kalah) -> int:
    """The most seeds that one move without a lap can capture, including its own last one."""
    most = 0
    targets = landing_houses(own, board) & ~filled_houses(own)
    while targets != ZERO:
        captured = seeds_in(other, board.houses - 1 - (lowest_bit(targets) >> 3))
        targets &= targets - ONE
        if (captured != 0 or not rules.standard) and captured >= most:
            most = captured + 1
    return most


@inlined
def turn_at_hand(
    own: np.uint64, other: np.uint64, board: Board, rules: Kalah
) -> tuple[int, int, int]:
    """The extra turns that the mover has, the largest capture after them, and the *sure gain*:
    the seeds that the mover gains in this turn whatever the other side does afterwards.

    They come from the extra turns and then a capture, or a seed by a house that passes. With n
    seeds left and a sure gain of g the margin to come is at least g - (n - g).
    """
    row, extra = chain(own, board)
    capture = largest_capture(row, other, board, rules)
    if capture == 0 and passing_houses(row, board) != ZERO:
        return extra, capture, extra + 1
    return extra, capture, extra + capture


@inlined
def sure_answer(own: np.uint64, other: np.uint64, extra: int, capture: int, board: Board) -> int:
    """The seeds that the other side is certain to gain, in the turn after the mover's, who has
    `extra` extra turns and then a largest capture. With n seeds left and a sure answer of g the
    margin to come is at most (n - g) - g.

    Extra turns leave the other side's row alone, and the move that ends the turn does one of
    three things to it: nothing; empty one house, by a capture; or add a seed to each of the
    first few houses, if it passes. The other side then has the exact houses that were left
    alone, one extra turn each, and one seed more if a house passes: passing ones do so with a
    seed more, and exact ones pass then. Where the mover ends the game the other side gains all
    of its row, which is no less. Passing moves of more than a row are not considered, because
    they come round: where there may be one, nothing is certain.
    """
    exact, passing = exact_houses(other, board), passing_houses(other, board)
    if exact | passing == ZERO:
        return 0
    # 1. Count the row as it is.
    turns, passes = popcount(exact), popcount(passing)
    sure = turns + (1 if passes > 0 else 0)
    # 2. Remove the house that counts most, if one may be captured. (After extra turns the captures
    #    may be others.)
    if extra > 0 or capture > 1:
        if turns > 0:
            sure = turns if passes > 0 else turns - 1
        elif passes == 1:
            sure = 0
    # 3. Count with a seed more in as many houses as a move may reach. An extra turn adds at most
    #    one seed to a house.
    if sure > 0 and (extra > 1 or passing_houses(own, board) != ZERO):
        reached = 0
        for house in range(board.houses):
            reached = max(reached, seeds_in(own, house) + extra - (board.houses - house))
        if reached > board.houses:
            return 0
        left_alone = popcount(exact & ~(first_houses(reached) << np.uint64(7)))
        sure = min(sure, left_alone + (1 if passes > 0 or left_alone < turns else 0))
    return sure


@shared
def estimate(
    own: np.uint64,
    other: np.uint64,
    extra: int,
    capture: int,
    board: Board,
    rules: Kalah,
    weights: IntArray,
) -> int:
    """Estimate the margin to come, in hundredths of a seed, given the mover's extra turns and
    largest capture (`turn_at_hand`)."""
    value = weights[CONSTANT]
    # 1. Weigh the seeds of each house, from the store backwards.
    row, row_of_other = own, other
    for house in range(board.houses):
        far = board.houses - 1 - house
        value += weights[FAR_OWN + far] * signed(row & BYTE) + weights[FAR_OTHER + far] * signed(
            row_of_other & BYTE
        )
        row >>= EIGHT
        row_of_other >>= EIGHT
    # 2. Weigh the kinds of houses, all at once.
    exact, passing = exact_houses(own, board), passing_houses(own, board)
    value += weights[EXACT] * popcount(exact) + weights[PASSING] * popcount(passing)
    value += weights[QUIET] * popcount(filled_houses(own) & ~exact & ~passing) + weights[
        BEYOND
    ] * beyond(own, passing, board)
    exact, passing = exact_houses(other, board), passing_houses(other, board)
    value += weights[OTHER_EXACT] * popcount(exact) + weights[OTHER_PASSING] * popcount(passing)
    value += weights[OTHER_QUIET] * popcount(filled_houses(other) & ~exact & ~passing)
    value += weights[OTHER_BEYOND] * beyond(other, passing, board)
    # 3. Weigh the chains of extra turns and the captures after them.
    row_of_other, extra_of_other = chain(other, board)
    value += (
        weights[CHAIN] * extra + weights[OTHER_CHAIN] * extra_of_other + weights[CAPTURE] * capture
    )
    value += weights[OTHER_CAPTURE] * largest_capture(row_of_other, own, board, rules)
    return value


@shared
def beyond(row: np.uint64, passing: np.uint64, board: Board) -> int:
    """The seeds that the passing houses would sow beyond the store."""
    whole = (passing - (passing >> np.uint64(7))) | passing
    return signed(sum_of((row & whole) - (board.reach & whole)))
