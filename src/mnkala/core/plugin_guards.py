"""What holds a plug-in to its promises in compiled code, where a step beyond a buffer would not raise an error but end the process.

A game of the package is trusted after its tests. The methods of any other are compiled with their indices checked, and the numbers
that a search sizes its own steps by are looked at here. Plain Python needs none of it: there NumPy checks every index.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mnkala.native.objects import IntArray

Method = Callable[..., Any]


def guard_moves(moves: Method) -> Method:
    """Wrap `Rules.moves` so that it cannot report more moves than its buffer holds."""

    def guarded(self: Any, state: Any, out: IntArray) -> int:
        count = moves(self, state, out)
        if count < 1 or count > len(out):
            raise IndexError("moves() gives no move in a game that is going on, or more than most_moves() promises")
        return count

    return guarded


def guard_near_moves(near_moves: Method) -> Method:
    """Wrap `Rules.near_moves` so that it cannot report more moves than its buffer holds; it may
    report none."""

    def guarded(self: Any, state: Any, radius: int, out: IntArray) -> int:
        count = near_moves(self, state, radius, out)
        if count < 0 or count > len(out):
            raise IndexError("near_moves() gives more moves than most_moves() promises")
        return count

    return guarded


def guard_mover(mover: Method) -> Method:
    """Wrap `Rules.mover` so that it can only answer 0 or 1."""

    def guarded(self: Any, state: Any) -> int:
        player = mover(self, state)
        if player < 0 or player > 1:
            raise IndexError("mover() gives a player that is neither 0 nor 1")
        return player

    return guarded


def guard_forcing(forcing: Method) -> Method:
    """Wrap `Heuristic.forcing` so that it cannot report more moves than its buffer holds."""

    def guarded(self: Any, rules: Any, state: Any, memory: Any, moves: IntArray, scores: IntArray) -> int:
        count = forcing(self, rules, state, memory, moves, scores)
        if count < 0 or count > len(moves):
            raise IndexError("forcing() gives more moves than most_moves() promises")
        return count

    return guarded
