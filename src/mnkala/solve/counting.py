"""How many different positions a game has: every position that play can reach, finished ones too,
counted once each and exactly.

Where a state is a tuple of words (Connect, Kalah), a compiled walk in depth first order keeps every
state that it has met in a table of its own words, so two positions are never taken for one. Other
games are walked in plain Python; there two positions are the same if their boards and the side to
move are. The number for Connect Four, 4,531,985,219,092, was found by Edelkamp and Kissmann (2008)
with decision diagrams; a table of all positions is only for smaller boards.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from mnkala.core import GOING_ON, Position
from mnkala.core.plugin_trial import require_sound
from mnkala.errors import MnkalaError
from mnkala.native import kernel, mix
from mnkala.native.objects import IntArray
from mnkala.search.limit import Stop

ALL, FINISHED, LIMIT = 0, 1, 2
"""What the counters hold: the positions met, those in which the game is over, the most there may
be."""
FIRST_TABLE = 1 << 15
"""The entries of the first table, a power of two."""
GROWTH = 4
"""How many times larger the next table is, in which the walk begins anew."""


@dataclasses.dataclass(frozen=True)
class PositionCount:
    """The number of positions of a game, and of those in which it is over."""

    positions: int
    finished: int


@kernel
def is_new(table: np.ndarray, state: Any) -> bool:
    """Enter a state into the table unless it is there; return whether it was new. The first word of
    an entry is stored with all bits changed, so that an empty entry is no state."""
    mask = np.uint64(len(table) - 1)
    hashed = np.uint64(0)
    for word in state:
        hashed = mix(hashed ^ np.uint64(word))
    place = np.int64(hashed & mask)
    while table[place, 0] != np.uint64(0):
        same = table[place, 0] == ~np.uint64(state[0])
        for i in range(1, len(state)):
            same = same and table[place, i] == np.uint64(state[i])
        if same:
            return False
        place = (place + 1) & np.int64(mask)
    table[place, 0] = ~np.uint64(state[0])
    for i in range(1, len(state)):
        table[place, i] = np.uint64(state[i])
    return True


@kernel
def walk(
    rules: Any,
    state: Any,
    ply: int,
    table: np.ndarray,
    moves: np.ndarray,
    counters: IntArray,
    stop: IntArray,
) -> None:
    """Count every position that is reached from a new one. Meaningless if `stop` is set or the
    table becomes too full."""
    counters[ALL] += 1
    if rules.result(state) != GOING_ON:
        counters[FINISHED] += 1
        return
    buffer = moves[ply]
    for i in range(rules.moves(state, buffer)):
        if stop[0] != 0 or counters[ALL] >= counters[LIMIT]:
            return
        child = rules.play(state, buffer[i])
        if is_new(table, child):
            walk(rules, child, ply + 1, table, moves, counters, stop)


def count_positions(
    position: Position, stop: Stop | None = None, most_bytes: int = 4 << 30
) -> PositionCount:
    """Count the positions that can be reached from this one, itself included.

    Raises `MnkalaError` if a table of `most_bytes` cannot hold them. Once `stop` is set, the answer
    says how many were met until then.
    """
    rules, stop = position.rules, stop or Stop()
    require_sound(rules)
    counters = np.zeros(3, dtype=np.int64)
    stop.watch(counters)
    state = position.state()
    if not all(isinstance(word, np.uint64) for word in state):
        return _in_plain_python(position, counters, stop)
    entries = FIRST_TABLE
    while 8 * len(state) * entries <= most_bytes:
        table = np.zeros((entries, len(state)), dtype=np.uint64)
        counters[:] = 0, 0, 3 * entries // 4
        buffers = np.zeros((rules.longest_game() + 1, rules.most_moves()), dtype=np.int64)
        is_new(table, state)
        walk(rules, state, 0, table, buffers, counters, stop.flag)
        if counters[ALL] < counters[LIMIT] or stop.is_set():
            return PositionCount(int(counters[ALL]), int(counters[FINISHED]))
        entries *= GROWTH
    raise MnkalaError(
        f"{position.game} has more than {int(counters[LIMIT]):,} positions from here on, more than "
        f"{most_bytes / 2**30:g} GB can hold; give more by --memory, or count a smaller board"
    )


def _in_plain_python(position: Position, counters: IntArray, stop: Stop) -> PositionCount:
    """Count positions in plain Python with a set of boards, without recursion."""
    left, met = [position], {_board(position)}
    while left and not stop.is_set():
        counters[ALL] = len(met)
        at = left.pop()
        if at.is_over:
            counters[FINISHED] += 1
            continue
        for code in at.legal_codes:
            child = at.play_codes([code])
            if (board := _board(child)) not in met:
                met.add(board)
                left.append(child)
    return PositionCount(len(met), int(counters[FINISHED]))


def _board(position: Position) -> tuple[int, bytes]:
    return position.mover, position.to_array().tobytes()
