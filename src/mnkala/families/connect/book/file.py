"""A book of Connect on disk: two bytes a position.

    mnkala book 1
    {"cols": 7, "depth": 7, "entries": 39503, "line": 4, "rows": 6}
    lower and upper bounds of the scores, a signed byte each, plies by plies, in the order of the layers
    SHA-256 of all before

Keys are not stored (see `layers`).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mnkala.families.connect.book.bounds import Bounds, extremes
from mnkala.families.connect.book.layers import Layer, layer_of
from mnkala.families.connect.solver.shape import Shape, shape_of
from mnkala.numbers import counted
from mnkala.solve.book.file import BadBook, read_bytes, sealed, unsealed, write_whole

VERSION = 1
MAGIC = b"mnkala book "
MOST_DEPTH = 16
"""Plies of the deepest book that is read: more would not fit the memory."""


def to_bytes(bounds: Bounds) -> bytes:
    """The file of a book."""
    shape = bounds.shape
    head = {"rows": shape.rows, "cols": shape.cols, "line": shape.line, "depth": bounds.depth, "entries": sum(map(len, bounds.lower))}
    body = b"".join(part.astype(np.int8).tobytes() for pair in zip(bounds.lower, bounds.upper, strict=True) for part in pair)
    return sealed(MAGIC, VERSION, head, body)


def from_bytes(data: bytes, name: str) -> Bounds:
    """The book of a file; `name` is for messages."""
    head, body = unsealed(data, MAGIC, VERSION, name)
    try:
        shape = shape_of(*(int(head[key]) for key in ("rows", "cols", "line")))
        depth, entries = int(head["depth"]), int(head["entries"])
    except (ValueError, KeyError, TypeError) as error:
        raise BadBook(f"{name} cannot be read: {error}") from None
    if not 0 <= depth <= MOST_DEPTH or len(body) != 2 * entries:
        raise BadBook(f"{name} cannot be read: {counted(entries, 'entry')} of {counted(depth, 'ply')} do not fit its {len(data)} bytes")
    layers = _layers_of(shape, depth, entries)
    if sum(map(len, layers)) != entries:
        positions = f"{'at least ' if len(layers) <= depth else ''}{counted(sum(map(len, layers)), 'position')}"
        raise BadBook(f"{name} has {counted(entries, 'entry')}; boards of {shape.rows}x{shape.cols} have {positions}")
    numbers = np.frombuffer(body, np.int8).astype(np.int64)
    lower, upper, at = [], [], 0
    for layer in layers:
        least, most = extremes(layer)
        low, high = numbers[at:at + len(layer)], numbers[at + len(layer):at + 2 * len(layer)]
        if (low < least).any() or (high > most).any() or (low > high).any():
            raise BadBook(f"{name} has scores that no position of {counted(layer.plies, 'ply')} can have")
        lower.append(low)
        upper.append(high)
        at += 2 * len(layer)
    return Bounds(shape, tuple(lower), tuple(upper))


def _layers_of(shape: Shape, depth: int, entries: int) -> list[Layer]:
    """The layers of 0 to `depth` plies, up to the first that so many entries cannot be of: deep ones take minutes and gigabytes to list."""
    layers: list[Layer] = []
    for plies in range(depth + 1):
        layers.append(layer_of(shape.rows, shape.cols, shape.line, plies))
        if sum(map(len, layers)) > entries:
            break
    return layers


def read_book(path: Path) -> Bounds:
    """The book in a file."""
    return from_bytes(read_bytes(path), str(path))


def read_for(path: Path, shape: Shape) -> Bounds:
    """The book in a file, which must be for this board."""
    known = read_book(path)
    if (known.shape.rows, known.shape.cols, known.shape.line) != (shape.rows, shape.cols, shape.line):
        raise BadBook(f"{path} is a book for {known.shape.rows}x{known.shape.cols}x{known.shape.line}, "
                      f"not for {shape.rows}x{shape.cols}x{shape.line}")
    return known


def write_book(bounds: Bounds, path: Path) -> None:
    """Write a book whole or not at all: a program that is killed leaves the old file."""
    write_whole(to_bytes(bounds), path)
