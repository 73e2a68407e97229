"""Connect by trying everything, on bits in plain Python: nothing of this is shared with the solver
that it judges.
"""

from __future__ import annotations

import functools
import random

from mnkala.core import Position, Rules, parse_game

SMALL = ("connect4:4x4", "connect:3x5x3", "connect4:4x5", "connect:4x4x3")
"""Boards on which this takes no time from almost any position."""


@functools.cache
def rules_of(game: str) -> Rules:
    return parse_game(game)


@functools.cache
def brute(shape: tuple[int, int, int], own: int, both: int) -> int:
    """The score of a position by trying everything, for its mover; who wins with r cells empty
    scores r // 2 + 1. Nothing clever.
    """
    rows, cols, line = shape
    other = own ^ both
    empties = rows * cols - both.bit_count()
    for step in (1, rows, rows + 1, rows + 2):
        run = other
        for i in range(1, line):
            run &= other >> i * step
        if run:
            return -(empties // 2 + 1)
    best = -99 if empties else 0
    for column in range(cols):
        bottom = 1 << column * (rows + 1)
        if not both & bottom << rows - 1:
            best = max(best, -brute(shape, other, both | both + bottom))
    return best


def truth(position: Position) -> int:
    """The score of a position for its mover."""
    state, rules = position.state(), position.rules
    return brute((rules.rows, rules.cols, rules.line), int(state.own), int(state.all))  # type: ignore[attr-defined]


def some_positions(game: str, count: int, least: int = 8) -> list[Position]:
    """Unfinished positions of random games."""
    rng = random.Random(game)
    found: list[Position] = []
    while len(found) < count:
        position = Position(rules_of(game))
        plies = rng.randrange(least, position.rules.longest_game())
        while len(position.history) < plies and not position.is_over:
            position = position.play_codes([rng.choice(position.legal_codes)])
        if not position.is_over:
            found.append(position)
    return found
