"""All positions of a number of plies at once, in NumPy: what a book is an array over.

A *layer* holds every position of one number of plies that is not over, one of each pair of mirror images, in the order of their keys.
That order is a matter of mathematics, so a book stores no keys: its n-th entry belongs to the n-th position. The key is the solver's,
after Tromp and Pons: the mover's discs with a mark on top of each column, the smaller of the two mirror images.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from mnkala.families.connect.solver.board import Shape, has_line, mirrored, shape_of
from mnkala.native.objects import IntArray, IntGrid, WordArray
from mnkala.solve.common.words import ONE, ZERO

NO_CHILD, OVER = -1, -2
"""Instead of the index of a child: the column is full; the move ends the game."""


@dataclass(frozen=True)
class Layer:
    """The positions of one number of plies; arrays of one length, in the order of `keys`."""

    shape: Shape
    plies: int
    own: WordArray
    both: WordArray
    keys: WordArray

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def empties(self) -> int:
        """Empty cells."""
        return self.shape.rows * self.shape.cols - self.plies

    def find(self, keys: WordArray) -> IntArray:
        """Where these keys are, -1 for those that are not."""
        if not len(self):
            return np.full(len(keys), -1, np.int64)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self) - 1)
        return np.where(self.keys[places] == keys, places, -1)


@dataclass(frozen=True)
class Move:
    """One column played in every position of a layer."""

    playable: np.ndarray
    """bool[n]: the column is not full."""
    over: np.ndarray
    """bool[n]: the move ends the game."""
    value: IntArray
    """What it is worth to the mover where it does."""
    own: WordArray
    """The boards after the move, the other side to move."""
    both: WordArray


def play(own: WordArray, both: WordArray, column: int, shape: Shape) -> Move:
    """Drop a disc into this column of every board."""
    step = int(shape.step)
    top = ONE << np.uint64(column * step + shape.rows - 1)
    playable = both & top == ZERO
    after = both | (both + (ONE << np.uint64(column * step)))
    other = own ^ both
    won = has_line(other ^ after, shape.step, shape.line)
    empties = shape.rows * shape.cols - np.bitwise_count(both).astype(np.int64)
    value = np.where(won, (empties + 1) // 2, 0)
    return Move(playable, playable & (won | (after == shape.full)), value, other, after)


def keys_of(own: WordArray, both: WordArray, shape: Shape) -> WordArray:
    """The key of every position: the same for mirror images."""
    keys = own | (both + shape.bottom)
    return np.minimum(keys, mirrored(keys, shape))


def boards_of_keys(keys: WordArray, shape: Shape) -> tuple[WordArray, WordArray]:
    """The mover's discs and all discs: in a column of a key the highest bit is the mark."""
    own, both = np.zeros_like(keys), np.zeros_like(keys)
    for column in range(shape.cols):
        shift = np.uint64(column * int(shape.step))
        cells = (keys >> shift) & ((ONE << shape.step) - ONE)
        below = np.zeros_like(keys)
        for row in range(1, shape.rows + 1):
            below = np.where(cells >> np.uint64(row) != ZERO, (ONE << np.uint64(row)) - ONE, below)
        own |= (cells & below) << shift
        both |= below << shift
    return own, both


def first_layer(shape: Shape) -> Layer:
    """The empty board."""
    nothing = np.zeros(1, np.uint64)
    return Layer(shape, 0, nothing, nothing, keys_of(nothing, nothing, shape))


def next_layer(layer: Layer) -> Layer:
    """All that one more move leads to."""
    shape, found = layer.shape, []
    for column in range(shape.cols):
        move = play(layer.own, layer.both, column, shape)
        goes_on = move.playable & ~move.over
        found.append(keys_of(move.own[goes_on], move.both[goes_on], shape))
    keys = np.unique(np.concatenate(found))
    return Layer(shape, layer.plies + 1, *boards_of_keys(keys, shape), keys)


@functools.lru_cache(maxsize=64)
def layer_of(rows: int, cols: int, line: int, plies: int) -> Layer:
    """The layer of a board. Kept, because several books and every question share it."""
    return first_layer(shape_of(rows, cols, line)) if plies == 0 else next_layer(layer_of(rows, cols, line, plies - 1))


def layers_of(shape: Shape, plies: int) -> tuple[Layer, ...]:
    """The layers of 0 to `plies` plies."""
    return tuple(layer_of(shape.rows, shape.cols, shape.line, ply) for ply in range(plies + 1))


def children(layer: Layer, after: Layer) -> tuple[IntGrid, IntGrid]:
    """int64[cols, n]: where every move leads in the layer `after` (or NO_CHILD or OVER), and what it is worth where it ends the game."""
    shape = layer.shape
    places = np.full((shape.cols, len(layer)), NO_CHILD, np.int64)
    values = np.zeros((shape.cols, len(layer)), np.int64)
    for column in range(shape.cols):
        move = play(layer.own, layer.both, column, shape)
        goes_on = move.playable & ~move.over
        places[column, goes_on] = after.find(keys_of(move.own[goes_on], move.both[goes_on], shape))
        places[column, move.over] = OVER
        values[column] = np.where(move.over, move.value, 0)
    return places, values
