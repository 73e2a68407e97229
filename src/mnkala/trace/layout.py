"""Where the nodes of a tree go: tidy drawing after Reingold and Tilford (1981), with contours kept
as arrays of narrow bands.

Subtrees are pushed together until their outlines nearly touch, and a parent stands in the middle
above its children. Bands instead of whole levels let nodes have any height, and let the many leaves
of one parent hang below it in a column, so that a tree of hundreds of nodes still fits a page.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from mnkala.core.picture import SVG_COLOURS
from mnkala.trace.model import Diagram

BAND = 8
"""Height of a band of the contours, in pixels."""
GAP = 10
"""Horizontal space between neighbours, in pixels."""
ROW_GAP = 4
"""Vertical space between the leaves of a column, in pixels."""
TALLEST = 9
"""The most leaves in a column; further leaves make a second column."""
FEWEST, MANY = 3, 60
"""Up to the first number of leaves stand side by side. In a tree with at least the second number of
nodes, even two leaves hang in a column."""


@dataclasses.dataclass(frozen=True)
class Size:
    """The width and height that a node needs."""

    width: float
    height: float


@dataclasses.dataclass(frozen=True)
class Layout:
    """The centres of the top edges of all nodes."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    stacked: tuple[bool, ...]
    """Whether each node hangs in a column below its parent."""
    width: float
    height: float


class _Outline:
    """The left and right edge of a subtree in each band, relative to its root."""

    def __init__(self) -> None:
        self.left: dict[int, float] = {}
        self.right: dict[int, float] = {}

    def cover(self, x: float, top: float, size: Size) -> None:
        for band in range(int(top // BAND), int((top + size.height) // BAND) + 1):
            self.left[band] = min(self.left.get(band, x), x - size.width / 2)
            self.right[band] = max(self.right.get(band, x), x + size.width / 2)

    def distance(self, other: _Outline) -> float:
        """How far to the right `other` must move to stay clear of this outline."""
        shared = self.right.keys() & other.left.keys()
        return max((self.right[band] - other.left[band] for band in shared), default=0.0) + GAP

    def add(self, other: _Outline, shift: float) -> None:
        for band, left in other.left.items():
            self.left[band] = min(self.left.get(band, left + shift), left + shift)
        for band, right in other.right.items():
            self.right[band] = max(self.right.get(band, right + shift), right + shift)


def lay_out(
    children: Sequence[Sequence[int]],
    plies: Sequence[int],
    sizes: Sequence[Size],
    level: float,
    stack: bool,
) -> Layout:
    """Place every node; node 0 is the root, and children have larger numbers than their parents."""
    count = len(children)
    fewest = FEWEST if count <= MANY else 1
    offset = [0.0] * count
    top = [ply * level for ply in plies]
    stacked = [False] * count
    outlines: dict[int, _Outline] = {}
    for node in range(count - 1, -1, -1):
        below = list(children[node])
        hang = stack and len(below) > fewest and not any(children[child] for child in below)
        parts = (
            [_column(below, sizes, offset, top, stacked)]
            if hang
            else [outlines.pop(child) for child in below]
        )
        whole = _Outline()
        if hang:
            for child in below:
                outlines.pop(child)
            whole = parts[0]
        elif parts:
            shifts = [0.0]
            whole.add(parts[0], 0.0)
            for part in parts[1:]:
                shifts.append(max(whole.distance(part), shifts[-1]))
                whole.add(part, shifts[-1])
            middle = (shifts[0] + shifts[-1]) / 2
            for child, shift in zip(below, shifts, strict=True):
                offset[child] = shift - middle
            centred = _Outline()
            centred.add(whole, -middle)
            whole = centred
        whole.cover(0.0, top[node], sizes[node])
        outlines[node] = whole
    return _place(children, offset, top, stacked, sizes)


def _column(
    leaves: list[int],
    sizes: Sequence[Size],
    offset: list[float],
    top: list[float],
    stacked: list[bool],
) -> _Outline:
    """Hang leaves below their parent, in as few columns as their number needs."""
    columns = -(-len(leaves) // TALLEST)
    tall = -(-len(leaves) // columns)
    wide = max(sizes[leaf].width for leaf in leaves) + GAP
    outline = _Outline()
    below = [0.0] * columns
    for number, leaf in enumerate(leaves):
        column = number // tall
        offset[leaf] = (column - (columns - 1) / 2) * wide
        top[leaf] += below[column]
        below[column] += sizes[leaf].height + ROW_GAP
        stacked[leaf] = True
        outline.cover(offset[leaf], top[leaf], sizes[leaf])
    return outline


def _place(
    children: Sequence[Sequence[int]],
    offset: list[float],
    top: list[float],
    stacked: list[bool],
    sizes: Sequence[Size],
) -> Layout:
    """Convert offsets to coordinates whose leftmost edge is at 0."""
    x = [0.0] * len(children)
    for node, below in enumerate(children):
        for child in below:
            x[child] = x[node] + offset[child]
    left = min(at - size.width / 2 for at, size in zip(x, sizes, strict=True))
    x = [at - left for at in x]
    return Layout(
        tuple(x),
        tuple(top),
        tuple(stacked),
        max(at + size.width / 2 for at, size in zip(x, sizes, strict=True)),
        max(at + size.height for at, size in zip(top, sizes, strict=True)),
    )


# ---- Small boards ----


WIDTH, WIDER = 62, 84
"""The width in pixels of a miniature, and of one with more than five rows or columns."""
BOARDS = {"drop": "#5b7a99", "stones": "#e8c992", "squares": "#f4f1ea", "houses": "#c9a06a"}
HOLES = {"drop": "#eef2f5", "stones": None, "squares": None, "houses": "#8d6a3f"}
LINE = "#8a8578"
INK = "#1f2933"


def miniature_size(board: Diagram) -> Size:
    """The width and height that a board needs."""
    if board.houses is not None:
        return Size(WIDER, 34)
    rows, columns = len(board.rows), len(board.rows[0])
    cell = (WIDTH if max(columns, rows) <= 5 else WIDER) / max(columns, rows)
    return Size(max(cell * columns, 20), cell * rows)


def miniature(board: Diagram, style: str, left: float, top: float) -> str:
    """Draw a board as an SVG group with its upper left corner at (left, top)."""
    size = miniature_size(board)
    body = _houses(board, size) if board.houses is not None else _cells(board, style, size)
    return (
        f'<g transform="translate({left:.1f} {top:.1f})"><rect width="{size.width:.1f}" height="{size.height:.1f}" rx="4" '
        f'fill="{BOARDS.get(style, BOARDS["squares"])}"/>{body}</g>'
    )


def _cells(board: Diagram, style: str, size: Size) -> str:
    columns = len(board.rows[0])
    cell = size.width / columns
    hole = HOLES.get(style)
    parts = []
    if hole is None:
        shift = cell / 2 if style == "stones" else 0.0
        rows = len(board.rows)
        across = [
            f"M{shift:.1f} {row * cell + shift:.1f}H{size.width - shift:.1f}"
            for row in range(rows + (not shift))
        ]
        along = [
            f"M{column * cell + shift:.1f} {shift:.1f}V{size.height - shift:.1f}"
            for column in range(columns + (not shift))
        ]
        parts.append(
            f'<path d="{"".join(across + along)}" stroke="{LINE}" stroke-width="0.6" fill="none"/>'
        )
    last, marked = set(board.last), set(board.marked)
    for row, cells in enumerate(board.rows):
        for column, mark in enumerate(cells):
            owner = int(mark)
            if not owner and hole is None:
                continue
            x, y = (column + 0.5) * cell, (row + 0.5) * cell
            ring = f' stroke="{INK}" stroke-width="1.2"' if (row, column) in last | marked else ""
            fill = SVG_COLOURS[owner] if owner else hole
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{cell * 0.4:.1f}" fill="{fill}"{ring}/>'
            )
            if owner == 1:
                arm = cell * 0.15
                parts.append(
                    f'<path d="M{x - arm:.1f} {y - arm:.1f}l{2 * arm:.1f} {2 * arm:.1f}m0 {-2 * arm:.1f}l{-2 * arm:.1f} '
                    f'{2 * arm:.1f}" stroke="#ffffff" stroke-width="1"/>'
                )
            elif owner:
                parts.append(
                    f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{cell * 0.14:.1f}" fill="none" stroke="{INK}" stroke-width="0.8"/>'
                )
    return "".join(parts)


def _houses(board: Diagram, size: Size) -> str:
    assert board.houses is not None
    assert board.stores is not None
    count = len(board.houses[0])
    cell = (size.width - 24) / count
    parts = []
    for row, seeds in enumerate(board.houses):
        for column, number in enumerate(seeds):
            x, y = 12 + (column + 0.5) * cell, size.height * (0.28 + 0.44 * row)
            colour = SVG_COLOURS[2 - row]
            width = 2 if (row, column) in board.last else 0.8
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{cell * 0.44:.1f}" fill="{HOLES["houses"]}" stroke="{colour}" '
                f'stroke-width="{width}"/>'
            )
            if number:
                parts.append(
                    f'<text x="{x:.1f}" y="{y + 2.6:.1f}" font-size="7.5" fill="#ffffff">{number}</text>'
                )
    for x, number in ((size.width - 6, board.stores[0]), (6, board.stores[1])):
        parts.append(
            f'<text x="{x:.1f}" y="{size.height / 2 + 3:.1f}" font-size="8" font-weight="bold" fill="{INK}">{number}</text>'
        )
    return "".join(parts)
