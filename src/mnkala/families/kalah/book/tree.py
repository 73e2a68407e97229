"""The positions of the first turns of a game of Kalah, and what some margins imply for the others.

The tree contains positions between two turns and within one, after a last seed in the store. A
position's number (`board`) does not include the stores, so its margin to come depends on nothing
else.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Mapping

import numpy as np

from mnkala.core import Position, parse_game
from mnkala.core.score import Contradiction
from mnkala.families.kalah.rules import seeds_in
from mnkala.families.kalah.solver.board import board_for, number_of


@dataclasses.dataclass(frozen=True)
class TreeMove:
    """A move of a node. The mover's margin to come after it is `gain` plus, if the game continues,
    `sign` times that of the node `child`."""

    gain: int
    sign: int
    child: int | None


@dataclasses.dataclass(frozen=True)
class TreeNode:
    """A position of the tree."""

    number: int
    turns: int
    """The smallest number of whole turns that lead to the position."""
    position: Position
    moves: tuple[TreeMove, ...]
    """The moves of the node; empty where the tree ends."""


def number_at(position: Position) -> int:
    """The number of a position that is not over."""
    state = position.state()
    with np.errstate(over="ignore"):
        return int(number_of(np.uint64(state.own), np.uint64(state.other), board_for(position.rules)))


def gained(position: Position, player: int) -> int:
    """The lead in the stores, for a player."""
    stores = position.state().stores
    margin = seeds_in(stores, 0) - seeds_in(stores, 1)
    return margin if player == position.mover else -margin


def turns_before(position: Position) -> int | None:
    """The number of whole turns played before a position; None if the position was set up by hand."""
    movers = (*position.movers, position.mover)
    return None if position.start_literal is not None else sum(one != other for one, other in itertools.pairwise(movers))


@functools.lru_cache(maxsize=4)
def opening_tree(game: str, turns: int) -> Mapping[int, TreeNode]:
    """All unfinished positions that lie within the first `turns` turns or right after them, by
    number. Those of fewer turns come first, and neighbours together."""
    tree: dict[int, TreeNode] = {}
    layer = [Position(parse_game(game))]
    for played in range(turns + 1):
        following: list[Position] = []
        waiting = layer[::-1]
        while waiting:
            position = waiting.pop()
            number = number_at(position)
            if number in tree:
                continue
            moves, chain = list[TreeMove](), list[Position]()
            for code in position.legal_codes if played < turns else ():
                after = position.play_codes((code,))
                gain = gained(after, position.mover) - gained(position, position.mover)
                again = after.mover == position.mover
                moves.append(TreeMove(gain, 1 if again else -1, None if after.is_over else number_at(after)))
                if not after.is_over:
                    (chain if again else following).append(after)
            waiting += chain[::-1]
            tree[number] = TreeNode(number, played, position, tuple(moves))
        layer = following
    return tree


def concluded(tree: Mapping[int, TreeNode], margins: Mapping[int, int]) -> dict[int, int]:
    """The margins of all positions of the tree that are known or follow: where all moves are known,
    the margin of the best."""
    known: dict[int, int] = {}
    open_ones: set[int] = set()

    def find(number: int) -> int | None:
        if number in known or number in open_ones:
            return known.get(number)
        node = tree[number]
        values = [move.gain if move.child is None else None if (after := find(move.child)) is None else move.gain + move.sign * after
                  for move in node.moves]
        exact = [value for value in values if value is not None]
        given = margins.get(number)
        if exact and len(exact) == len(values):
            if given is not None and given != max(exact):
                raise Contradiction(f"the margins contradict each other: that of {node.position.literal} is not that of its best move")
            given = max(exact)
        if given is None:
            open_ones.add(number)
        else:
            known[number] = given
        return given

    for number in tree:
        find(number)
    return known
