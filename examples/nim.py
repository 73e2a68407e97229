"""Nim with a solver of its own: whoever takes the last counter wins. Bouton (1902) showed who: the
mover, unless the heaps cancel out.

MNKALA_PLUGINS=nim mnkala solve nim:4      (in this folder)
MNKALA_PLUGINS=nim mnkala play nim:3 --second perfect
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from mnkala import GOING_ON, Position, Rules, game, mix
from mnkala.core.picture import Picture
from mnkala.solve import Cost, Solver, Step, register_solver

BITS = np.uint64(8)


class Heaps(NamedTuple):
    """The state."""

    counters: np.uint64  # a byte for every heap
    mover: np.int64


@game
class Nim(Rules):
    """Take any number of counters from one heap; whoever takes the last one wins."""

    name = "nim"
    heaps: int = 3  # of 1, 3, 5, … counters

    def start(self) -> Heaps:
        counters = np.uint64(0)
        for heap in range(self.heaps):
            counters |= np.uint64(2 * heap + 1) << (BITS * np.uint64(heap))
        return Heaps(counters, np.int64(0))

    def moves(self, state: Heaps, out: Any) -> int:  # a move is 16 * heap + counters - 1
        count = 0
        for heap in range(self.heaps):
            for taken in range(
                np.int64((state.counters >> (BITS * np.uint64(heap))) & np.uint64(255))
            ):
                out[count] = 16 * heap + taken
                count += 1
        return count

    def play(self, state: Heaps, move: int) -> Heaps:
        return Heaps(
            state.counters - (np.uint64(move % 16 + 1) << (BITS * np.uint64(move // 16))),
            np.int64(1 - state.mover),
        )

    def mover(self, state: Heaps) -> int:
        return state.mover  # type: ignore[return-value]

    def result(self, state: Heaps) -> int:
        return -1 if state.counters == np.uint64(0) else GOING_ON

    def key(self, state: Heaps) -> np.uint64:
        return mix(state.counters + (np.uint64(state.mover + 1) << np.uint64(62)))

    def most_moves(self) -> int:
        return self.heaps * self.heaps

    def move_codes(self) -> int:
        return 16 * self.heaps

    def longest_game(self) -> int:
        return self.heaps * self.heaps

    def move_text(self, move: int) -> str:
        return f"{chr(ord('a') + move // 16)}{move % 16 + 1}"

    def parse_move(self, text: str) -> int:
        return (ord(text[0]) - ord("a")) * 16 + int(text[1:]) - 1

    def picture(self, state: Heaps) -> Picture:  # a row for every heap, a disc for every counter
        return Picture(
            tuple(
                tuple(int(column < heap) for column in range(2 * self.heaps - 1))
                for heap in state.counters.tobytes()[: self.heaps]
            )
        )


@register_solver
class NimSolver(Solver):
    """Nim by Bouton's theorem: no search at all."""

    name = "nim"
    reach = "every position"

    @classmethod
    def why_not(cls, rules: Rules) -> str | None:
        return None if isinstance(rules, Nim) else "the solver of Nim solves Nim only"

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        pass  # nothing is compiled

    @classmethod
    def kernel_key(cls, rules: Rules) -> str:
        return ""

    def steps(self, position: Position, **question: Any) -> Iterator[Step]:
        self.check(position)
        balance = np.bitwise_xor.reduce(
            np.frombuffer(position.state().counters.tobytes(), np.uint8)
        )
        score = 1 if balance else -1
        yield self.step(position, score, score)

    def span(self, position: Position) -> tuple[int, int]:
        return -1, 1

    def cost(self, position: Position, **question: Any) -> Cost:
        return Cost.AT_ONCE

    def clear(self) -> None:
        pass  # nothing is learnt

    def held(self) -> int:
        return 0
