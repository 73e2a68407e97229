"""Small games for the conformance tests: one that keeps the contract, and the ways to break it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mnkala import GOING_ON, Rules, game
from mnkala.native import mix
from mnkala.native.objects import IntArray


class Pile(NamedTuple):
    stones: np.int64
    mover: np.int64


@game
class Nim(Rules):
    """Take one to three stones; whoever takes the last one wins."""

    name = "testnim"
    stones: int = 9
    rows = 1
    cols = 1

    def start(self) -> Pile:
        return Pile(np.int64(self.stones), np.int64(0))

    def moves(self, state: Pile, out: IntArray) -> int:
        count = min(3, int(state.stones))
        for i in range(count):
            out[i] = i
        return count

    def play(self, state: Pile, move: int) -> Pile:
        return Pile(np.int64(state.stones - move - 1), np.int64(1 - state.mover))

    def mover(self, state: Pile) -> int:
        return int(state.mover)

    def result(self, state: Pile) -> int:
        return -1 if state.stones == 0 else GOING_ON

    def key(self, state: Pile) -> np.uint64:
        return mix(np.uint64(2 * state.stones + state.mover + 1))

    def most_moves(self) -> int:
        return 3

    def longest_game(self) -> int:
        return self.stones

    def cell(self, state: Pile, row: int, column: int) -> int:
        return int(state.stones) % 2 + 1


class Heap(NamedTuple):
    stones: np.ndarray


@game
class ArrayNim(Nim):
    """The same in an array."""

    name = "testarraynim"
    stones: int = 9

    def start(self) -> Heap:  # type: ignore[override]
        return Heap(np.array([self.stones, 0], np.int64))

    def copy(self, state: Heap) -> Heap:
        return Heap(state.stones.copy())

    def moves(self, state: Heap, out: IntArray) -> int:  # type: ignore[override]
        count = min(3, state.stones[0])
        for i in range(count):
            out[i] = i
        return count

    def play(self, state: Heap, move: int) -> Heap:  # type: ignore[override]
        state.stones[0] -= move + 1
        state.stones[1] = 1 - state.stones[1]
        return state

    def undo(self, state: Heap, move: int) -> None:
        state.stones[0] += move + 1
        state.stones[1] = 1 - state.stones[1]

    def mover(self, state: Heap) -> int:  # type: ignore[override]
        return state.stones[1]

    def result(self, state: Heap) -> int:  # type: ignore[override]
        return -1 if state.stones[0] == 0 else GOING_ON

    def key(self, state: Heap) -> np.uint64:  # type: ignore[override]
        return mix(np.uint64(2 * state.stones[0] + state.stones[1] + 1))

    def cell(self, state: Heap, row: int, column: int) -> int:  # type: ignore[override]
        return int(state.stones[0]) % 2 + 1
