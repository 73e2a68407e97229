"""All positions of a number of plies at once, in NumPy, and the bounds that a book keeps of them.

A *layer* holds every position of one number of plies that is not over, one of each pair of mirror
images, in the order of their keys. That order is a matter of mathematics, so a book stores no keys:
its n-th entry belongs to the n-th position. The key is the solver's, after Tromp and Pons: the
mover's discs with a mark on top of each column, the smaller of the two mirror images.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mnkala.core.score import Contradiction
from mnkala.families.connect.solver.board import Shape, has_line, mirrored, score_span, shape_of
from mnkala.native.objects import IntArray, IntGrid, WordArray
from mnkala.numbers import counted
from mnkala.solve.books import BadBook, read_bytes, sealed, unsealed
from mnkala.solve.table import ONE, ZERO

NO_CHILD, OVER = -1, -2
"""Values in place of a child's index: the column is full; the move ends the game."""


@dataclass(frozen=True)
class Layer:
    """The positions of one number of plies; all arrays have the same length and the order of
    `keys`."""

    shape: Shape
    plies: int
    own: WordArray
    both: WordArray
    keys: WordArray

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def empties(self) -> int:
        """The number of empty cells."""
        return self.shape.rows * self.shape.cols - self.plies

    def find(self, keys: WordArray) -> IntArray:
        """The indices of these keys, -1 for those that are not in the layer."""
        if not len(self):
            return np.full(len(keys), -1, np.int64)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self) - 1)
        return np.where(self.keys[places] == keys, places, -1)


@dataclass(frozen=True)
class LayerMove:
    """The result of playing one column in every position of a layer."""

    playable: np.ndarray
    """bool[n]: the column is not full."""
    over: np.ndarray
    """bool[n]: the move ends the game."""
    value: IntArray
    """The value for the mover where the move ends the game."""
    own: WordArray
    """The boards after the move, with the other side to move."""
    both: WordArray


def play(own: WordArray, both: WordArray, column: int, shape: Shape) -> LayerMove:
    """Drop a disc into this column of every board."""
    step = int(shape.step)
    top = ONE << np.uint64(column * step + shape.rows - 1)
    playable = both & top == ZERO
    after = both | (both + (ONE << np.uint64(column * step)))
    other = own ^ both
    won = has_line(other ^ after, shape.step, shape.line)
    empties = shape.rows * shape.cols - np.bitwise_count(both).astype(np.int64)
    value = np.where(won, (empties + 1) // 2, 0)
    return LayerMove(playable, playable & (won | (after == shape.full)), value, other, after)


def keys_of(own: WordArray, both: WordArray, shape: Shape) -> WordArray:
    """The key of every position; mirror images have the same key."""
    keys = own | (both + shape.bottom)
    return np.minimum(keys, mirrored(keys, shape))


def boards_of_keys(keys: WordArray, shape: Shape) -> tuple[WordArray, WordArray]:
    """The mover's discs and all discs. In each column of a key the highest bit is the mark."""
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
    """The layer that holds the empty board."""
    nothing = np.zeros(1, np.uint64)
    return Layer(shape, 0, nothing, nothing, keys_of(nothing, nothing, shape))


def next_layer(layer: Layer) -> Layer:
    """The layer of all positions after one more move."""
    shape, found = layer.shape, []
    for column in range(shape.cols):
        move = play(layer.own, layer.both, column, shape)
        goes_on = move.playable & ~move.over
        found.append(keys_of(move.own[goes_on], move.both[goes_on], shape))
    keys = np.unique(np.concatenate(found))
    return Layer(shape, layer.plies + 1, *boards_of_keys(keys, shape), keys)


@functools.lru_cache(maxsize=64)
def layer_of(rows: int, cols: int, line: int, plies: int) -> Layer:
    """The layer of a board, cached because several books and every query share it."""
    return (
        first_layer(shape_of(rows, cols, line))
        if plies == 0
        else next_layer(layer_of(rows, cols, line, plies - 1))
    )


def layers_of(shape: Shape, plies: int) -> tuple[Layer, ...]:
    """The layers of 0 to `plies` plies."""
    return tuple(layer_of(shape.rows, shape.cols, shape.line, ply) for ply in range(plies + 1))


def children(layer: Layer, after: Layer) -> tuple[IntGrid, IntGrid]:
    """Where every move leads in the layer `after` (or NO_CHILD or OVER), and its value where it
    ends the game, as int64[cols, n]."""
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


# ---- Bounds of all positions ----
#
# A score follows from the scores of the moves (negamax), and it bounds them in turn: no move is
# worth more than the position. So a partial book knows more than what was solved for it. `close`
# draws all such conclusions. The result depends only on the facts, not on the order in which they
# came.


@dataclass(frozen=True)
class Bounds:
    """Bounds of all positions of 0 to `depth` plies, for the mover: two arrays over the layer of
    each number of plies."""

    shape: Shape
    lower: tuple[IntArray, ...]
    upper: tuple[IntArray, ...]

    @property
    def depth(self) -> int:
        """The largest number of plies."""
        return len(self.lower) - 1

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers of positions, from 0 plies on."""
        return layers_of(self.shape, self.depth)

    def exact(self, plies: int) -> np.ndarray:
        """Which positions of so many plies have an exact score, as bool[n]."""
        return self.lower[plies] == self.upper[plies]

    def known(self, plies: int) -> tuple[int, int]:
        """The number of positions of so many plies that have an exact score, and the number of all."""
        return int(self.exact(plies).sum()), len(self.lower[plies])

    def best_columns(self, plies: int) -> IntArray:
        """The best columns of positions of so many plies as int64[n]: a bit for each, or 0 where
        they are not known.

        They are known if the position's own score is exact, and each move is either as good as that
        or proved worse.
        """
        layer = self.layers[plies]
        score, settled = self.lower[plies], self.exact(plies)
        best = np.zeros(len(layer), np.int64)
        for column, (playable, low, high) in enumerate(self._moves(plies)):
            settled &= ~playable | (low == score) | (high < score)
            best |= np.where(playable & (low == score), 1 << column, 0)
        return np.where(settled, best, 0)

    def _moves(self, plies: int) -> list[tuple[np.ndarray, IntArray, IntArray]]:
        """For every column, whether it can be played, and the bounds of its value for the mover."""
        layers = self.layers
        places, values = children(layers[plies], layers[plies + 1])
        found = []
        for column in range(self.shape.cols):
            place, over = places[column], places[column] == OVER
            if len(layers[plies + 1]):
                low = np.where(over, values[column], -self.upper[plies + 1][place])
                high = np.where(over, values[column], -self.lower[plies + 1][place])
            else:
                low = high = values[column]
            found.append((place != NO_CHILD, low, high))
        return found


def extremes(layer: Layer) -> tuple[int, int]:
    """The lowest and the highest score that a position of a layer can have."""
    return score_span(layer.empties)


def nothing_known(shape: Shape, depth: int) -> Bounds:
    """Bounds that exclude nothing."""
    layers = layers_of(shape, depth)
    return Bounds(
        shape,
        tuple(np.full(len(layer), extremes(layer)[0], np.int64) for layer in layers),
        tuple(np.full(len(layer), extremes(layer)[1], np.int64) for layer in layers),
    )


def merged(one: Bounds, other: Bounds) -> Bounds:
    """Combine two sets of bounds, to the depth of the deeper one."""
    deep, shallow = (one, other) if one.depth >= other.depth else (other, one)
    lower = [np.maximum(a, b) for a, b in zip(deep.lower, shallow.lower, strict=False)]
    upper = [np.minimum(a, b) for a, b in zip(deep.upper, shallow.upper, strict=False)]
    return close(
        Bounds(deep.shape, (*lower, *deep.lower[len(lower) :]), (*upper, *deep.upper[len(upper) :]))
    )


def close(bounds: Bounds) -> Bounds:
    """Draw all conclusions, upwards and downwards, until nothing new follows; raises Contradiction
    if the bounds contradict each other."""
    layers = bounds.layers
    lower, upper = [a.copy() for a in bounds.lower], [a.copy() for a in bounds.upper]
    links = [children(layers[ply], layers[ply + 1]) for ply in range(bounds.depth)]
    before = -1
    while (
        width := sum(int((high - low).sum()) for low, high in zip(lower, upper, strict=True))
    ) != before:
        before = width
        for ply in reversed(range(bounds.depth)):
            _up(links[ply], lower, upper, ply)
        for ply in range(bounds.depth):
            _down(links[ply], lower, upper, ply)
        for low, high in zip(lower, upper, strict=True):
            if (low > high).any():
                raise Contradiction(
                    "the scores contradict each other: a position's score is that of its best move"
                )
    return Bounds(bounds.shape, tuple(lower), tuple(upper))


def _up(
    link: tuple[IntGrid, IntGrid], lower: list[IntArray], upper: list[IntArray], ply: int
) -> None:
    """Raise the bounds of parents to those of their children: a position is worth as much as its
    best move."""
    places, values = link
    least, most = np.full_like(lower[ply], -1000), np.full_like(upper[ply], -1000)
    for place, value in zip(places, values, strict=True):
        over, goes_on = place == OVER, place >= 0
        least[over], most[over] = (
            np.maximum(least[over], value[over]),
            np.maximum(most[over], value[over]),
        )
        least[goes_on] = np.maximum(least[goes_on], -upper[ply + 1][place[goes_on]])
        most[goes_on] = np.maximum(most[goes_on], -lower[ply + 1][place[goes_on]])
    np.maximum(lower[ply], least, out=lower[ply])
    np.minimum(upper[ply], most, out=upper[ply])


def _down(
    link: tuple[IntGrid, IntGrid], lower: list[IntArray], upper: list[IntArray], ply: int
) -> None:
    """Lower the bounds of children by those of their parents: no move is worth more than the
    position."""
    for place in link[0]:
        goes_on = place >= 0
        np.maximum.at(lower[ply + 1], place[goes_on], -upper[ply][goes_on])


# ---- On disk: two bytes for each position ----
#
#     mnkala book 1
#     {"cols": 7, "depth": 7, "entries": 39503, "line": 4, "rows": 6}
#     lower and upper bounds of the scores, a signed byte each, plies after plies, in the order of the layers
#     SHA-256 of everything above
#
# Keys are not stored; they follow from the order of the layers.

VERSION = 1
MAGIC = b"mnkala book "
MOST_DEPTH = 16
"""Plies of the deepest book that is read; a deeper one would not fit the memory."""


def to_bytes(bounds: Bounds) -> bytes:
    """Write a book as the content of a file."""
    shape = bounds.shape
    head = {
        "rows": shape.rows,
        "cols": shape.cols,
        "line": shape.line,
        "depth": bounds.depth,
        "entries": sum(map(len, bounds.lower)),
    }
    body = b"".join(
        part.astype(np.int8).tobytes()
        for pair in zip(bounds.lower, bounds.upper, strict=True)
        for part in pair
    )
    return sealed(MAGIC, VERSION, head, body)


def from_bytes(data: bytes, name: str) -> Bounds:
    """Read a book from the content of a file; `name` is for messages. Raises BadBook for any other
    content."""
    head, body = unsealed(data, MAGIC, VERSION, name)
    try:
        shape = shape_of(*(int(head[key]) for key in ("rows", "cols", "line")))
        depth, entries = int(head["depth"]), int(head["entries"])
    except (ValueError, KeyError, TypeError) as error:
        raise BadBook(f"{name} cannot be read: {error}") from None
    if not 0 <= depth <= MOST_DEPTH or len(body) != 2 * entries:
        raise BadBook(
            f"{name} cannot be read: {counted(entries, 'entry')} of {counted(depth, 'ply')} do not fit its {len(data)} bytes"
        )
    layers = _layers_of(shape, depth, entries)
    if sum(map(len, layers)) != entries:
        positions = f"{'at least ' if len(layers) <= depth else ''}{counted(sum(map(len, layers)), 'position')}"
        raise BadBook(
            f"{name} has {counted(entries, 'entry')}; boards of {shape.rows}x{shape.cols} have {positions}"
        )
    numbers = np.frombuffer(body, np.int8).astype(np.int64)
    lower, upper, at = [], [], 0
    for layer in layers:
        least, most = extremes(layer)
        low, high = numbers[at : at + len(layer)], numbers[at + len(layer) : at + 2 * len(layer)]
        if (low < least).any() or (high > most).any() or (low > high).any():
            raise BadBook(
                f"{name} has scores that no position of {counted(layer.plies, 'ply')} can have"
            )
        lower.append(low)
        upper.append(high)
        at += 2 * len(layer)
    return Bounds(shape, tuple(lower), tuple(upper))


def _layers_of(shape: Shape, depth: int, entries: int) -> list[Layer]:
    """The layers of 0 to `depth` plies, up to the first that is too large for so many entries; to
    list deep ones takes minutes and gigabytes."""
    layers: list[Layer] = []
    for plies in range(depth + 1):
        layers.append(layer_of(shape.rows, shape.cols, shape.line, plies))
        if sum(map(len, layers)) > entries:
            break
    return layers


def read_book(path: Path) -> Bounds:
    """Read the book in a file."""
    return from_bytes(read_bytes(path), str(path))


def read_for(path: Path, shape: Shape) -> Bounds:
    """Read the book in a file, which must be for this board."""
    known = read_book(path)
    if (known.shape.rows, known.shape.cols, known.shape.line) != (
        shape.rows,
        shape.cols,
        shape.line,
    ):
        raise BadBook(
            f"{path} is a book for {known.shape.rows}x{known.shape.cols}x{known.shape.line}, "
            f"not for {shape.rows}x{shape.cols}x{shape.line}"
        )
    return known
