"""Candidate moves: the legal moves that a search considers, an option of every search.

- `all`: every legal move.

- `near:R`: cells within R steps of a mark along a row, a column or a diagonal (report 004's
star-shaped neighbourhood).

- `best:Q`: the Q moves that the heuristic rates best, chosen with a heap of size Q in O(n log Q)
(report 001).

A search that does not consider every move proves nothing: its wins and losses are then reported
as heuristic.
"""

from __future__ import annotations

from typing import Any

from mnkala.core import Rules
from mnkala.errors import BadEngine
from mnkala.native import NativeClass, native, shared
from mnkala.native.objects import IntArray
from mnkala.numbers import read_digits
from mnkala.search.buffers import Buffers

ALL, NEAR, BEST = range(3)
NAMES = {"near": NEAR, "best": BEST}
MOST = 1000
"""The largest R and the largest Q that may be given."""


@native
class Candidates(NativeClass):
    """The choice of moves that a search tries."""

    kind: int = ALL
    amount: int = 0
    """R of near:R, Q of best:Q."""


EVERY_MOVE = Candidates()


def parse_candidates(text: str, rules: Rules) -> Candidates:
    """Read which moves a search considers: `all`, `near:R`, `best:Q`, or `auto` for the game's own
    choice."""
    chosen = rules.candidates() if text == "auto" else text
    name, _, amount = chosen.partition(":")
    if chosen == "all":
        return EVERY_MOVE
    number = read_digits(amount)
    if name not in NAMES or number is None or not 1 <= number <= MOST:
        raise BadEngine(
            f"candidates={text}; candidates are auto, all, near:R or best:Q with R and Q from 1 to {MOST}"
        )
    return Candidates(NAMES[name], number)


@shared
def list_moves(
    rules: Any,
    heuristic: Any,
    state: Any,
    memory: Any,
    candidates: Candidates,
    buffers: Buffers,
    ply: int,
) -> int:
    """Write the candidate moves of a node to `buffers.moves[ply]` and return how many there are: at
    least one.
    """
    moves = buffers.moves[ply]
    if candidates.kind == NEAR:
        count = rules.near_moves(state, candidates.amount, moves)
        return count if count > 0 else keep_central(rules, state, moves)
    count = rules.moves(state, moves)
    if candidates.kind == BEST and candidates.amount < count:
        scores = buffers.scores[ply]
        for i in range(count):
            scores[i] = heuristic.score_move(rules, state, moves[i], memory)
        count = keep_best(moves, scores, count, candidates.amount)
    return count


@shared
def keep_central(rules: Any, state: Any, moves: IntArray) -> int:
    """Keep only the move with the best prior, on an empty board, where nothing is near."""
    best = 0
    for i in range(rules.moves(state, moves)):
        if rules.prior(state, moves[i]) > rules.prior(state, moves[best]):
            best = i
    moves[0] = moves[best]
    return 1


@shared
def keep_best(moves: IntArray, scores: IntArray, count: int, wanted: int) -> int:
    """Put the `wanted` best moves in front, best first, by a heap that never grows beyond them."""
    # 1. A heap of the first ones, the worst on top.
    size = min(wanted, count)
    for root in range(size // 2 - 1, -1, -1):
        sift_down(moves, scores, root, size)
    # 2. Whoever is better than the worst of the best takes its place.
    for i in range(size, count):
        if scores[i] > scores[0]:
            moves[0], scores[0] = moves[i], scores[i]
            sift_down(moves, scores, 0, size)
    # 3. Empty the heap from the back: what comes out first is worst.
    for end in range(size - 1, 0, -1):
        moves[0], moves[end] = moves[end], moves[0]
        scores[0], scores[end] = scores[end], scores[0]
        sift_down(moves, scores, 0, end)
    return size


@shared
def sift_down(moves: IntArray, scores: IntArray, root: int, size: int) -> None:
    """Restore a heap whose root may be too good for its place."""
    while True:
        child = 2 * root + 1
        if child >= size:
            return
        if child + 1 < size and scores[child + 1] < scores[child]:
            child += 1
        if scores[root] <= scores[child]:
            return
        moves[root], moves[child] = moves[child], moves[root]
        scores[root], scores[child] = scores[child], scores[root]
        root = child
