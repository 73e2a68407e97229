"""A book on disk: two lines of text, two bytes a position, a checksum.

    mnkala book 1
    {"cols": 7, "depth": 7, "entries": 39503, "line": 4, "rows": 6}
    lower and upper bounds of the scores, a signed byte each, plies by plies, in the order of the layers
    SHA-256 of all before

Keys are not stored (see `layers`). A file that is damaged in any way is refused as a whole: a wrong score is worse than none.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import numpy as np

from mnkala.errors import MnkalaError
from mnkala.folders import file_errors
from mnkala.numbers import counted
from mnkala.solve.book.bounds import Bounds, extremes
from mnkala.solve.book.layers import Layer, layer_of
from mnkala.solve.connect.shape import Shape, shape_of

VERSION = 1
MAGIC = b"mnkala book "
DIGEST = 32
"""Bytes of the checksum."""
MOST_DEPTH = 16
"""Plies of the deepest book that is read: more would not fit the memory."""


class BadBook(MnkalaError):
    """A book that cannot be used."""


def to_bytes(bounds: Bounds) -> bytes:
    """The file of a book."""
    shape = bounds.shape
    head = {"rows": shape.rows, "cols": shape.cols, "line": shape.line, "depth": bounds.depth, "entries": sum(map(len, bounds.lower))}
    body = b"".join(part.astype(np.int8).tobytes() for pair in zip(bounds.lower, bounds.upper, strict=True) for part in pair)
    whole = MAGIC + f"{VERSION}\n{json.dumps(head, sort_keys=True)}\n".encode() + body
    return whole + hashlib.sha256(whole).digest()


def from_bytes(data: bytes, name: str) -> Bounds:
    """The book of a file; `name` is for messages."""
    if not data.startswith(MAGIC):
        raise BadBook(f"{name} is not a book of mnkala")
    version, _, rest = data[len(MAGIC):].partition(b"\n")
    if version.isdigit() and int(version) > VERSION:
        raise BadBook(f"{name} was written by a newer mnkala (format {int(version)}; this one reads {VERSION})")
    if hashlib.sha256(data[:-DIGEST]).digest() != data[-DIGEST:] or version != str(VERSION).encode():
        raise BadBook(f"{name} is damaged: its checksum does not fit")
    head_line, _, body = rest.partition(b"\n")
    try:
        head = json.loads(head_line)
        shape = shape_of(*(int(head[key]) for key in ("rows", "cols", "line")))
        depth, entries = int(head["depth"]), int(head["entries"])
    except (ValueError, KeyError, TypeError) as error:
        raise BadBook(f"{name} cannot be read: {error}") from None
    if not 0 <= depth <= MOST_DEPTH or len(body) != 2 * entries + DIGEST:
        raise BadBook(f"{name} cannot be read: {counted(entries, 'entry')} of {counted(depth, 'ply')} do not fit its {len(data)} bytes")
    layers = _layers_of(shape, depth, entries)
    if sum(map(len, layers)) != entries:
        positions = f"{'at least ' if len(layers) <= depth else ''}{counted(sum(map(len, layers)), 'position')}"
        raise BadBook(f"{name} has {counted(entries, 'entry')}; boards of {shape.rows}x{shape.cols} have {positions}")
    numbers = np.frombuffer(body[:-DIGEST], np.int8).astype(np.int64)
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
    with file_errors(path, "read", BadBook):
        data = path.read_bytes()
    return from_bytes(data, str(path))


def write_book(bounds: Bounds, path: Path) -> None:
    """Write a book whole or not at all: a program that is killed leaves the old file."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with file_errors(path, "written", BadBook):
            path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(to_bytes(bounds))
            beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
