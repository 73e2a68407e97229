"""Where the nodes of a tree go: tidy drawing after Reingold and Tilford (1981), with contours kept
as arrays of narrow bands.

Subtrees are pushed together until their outlines nearly touch, and a parent stands in the middle
above its children. Bands instead of whole levels let nodes have any height, and let the many leaves
of one parent hang below it in a column, so that a tree of hundreds of nodes still fits a page.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence

import msgspec

from mnkala.search.values import INFINITY
from mnkala.trace.model import Node, Trace, letter_and_size, proved_score

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


# ---- Where the nodes stand on the page ----
#
# The layout above with the sizes that the page draws (`static/think_nodes.js`), once
# without boards and, for trees of few nodes, once with a board above every node. Every text of a
# node is equally long in each language and in both views of its values, so that one layout holds
# for all of them.

MOST_BOARDS = 70
"""The most nodes of a tree that may show a board at each."""
MANY_ON_PAGE = 40
"""The number of nodes from which the leaves of a node hang below it in columns."""
SPACE = 36
"""The pixels between two levels; the page may stretch them."""
TRIANGLE, CUT_ROW, WINDOW, WINDOW_ROW = 24, 15, 44, 9
"""Measures: a triangle's side, the height of a cut move, the width and height of the bar that shows
a window.
"""
LETTERS, TEXT_ROWS, CHIPS = (7.2, 9.6), (17, 22), (22, 27)
"""The width of a letter, the height of a text and of a leaf's chip: without boards and with them,
where there is room for larger ones.
"""
HOUSES, SMALLEST_CELL, LARGEST_CELL, WIDEST_GRID = (104, 44), 7, 19, 84
"""The size of a small board of houses, and what bounds that of a grid."""


class Places(msgspec.Struct, frozen=True):
    """The places of the nodes: `x` and `y` of the middle of each upper edge, by the node's id.
    Levels are `level` apart. They may be stretched, by adding the same amount to every `y` for
    each ply, and nothing will overlap."""

    x: list[float]
    y: list[float]
    widths: list[float]
    """The width of what a node shows beside its board."""
    heights: list[float]
    """The height of everything that a node shows."""
    stacked: list[int]
    """The nodes that hang in a column below their parent."""
    level: float
    width: float
    height: float
    board: tuple[float, float]
    """The width and height of a board; 0 if none are shown."""


def places(trace: Trace) -> list[Places]:
    """The layouts without boards and, if the tree has few nodes, with them."""
    return [
        _placed(trace, boards)
        for boards in (False, True)
        if not boards or len(trace.nodes) <= MOST_BOARDS
    ]


def _placed(trace: Trace, boards: bool) -> Places:
    board = _board(trace) if boards else Size(0, 0)
    shown = [_size(trace, node, boards) for node in trace.nodes]
    above = board.height + 5 if boards else 0
    sizes = [
        own if node.kind == "cut" else Size(max(own.width, board.width), own.height + above)
        for node, own in zip(trace.nodes, shown, strict=True)
    ]
    level = SPACE + max(size.height for size in sizes)
    stack = trace.algorithm != "mcts" and len(trace.nodes) > MANY_ON_PAGE
    found = lay_out(trace.children(), [node.ply for node in trace.nodes], sizes, level, stack)
    return Places(
        x=_rounded(found.x),
        y=_rounded(found.y),
        widths=_rounded(size.width for size in shown),
        heights=_rounded(size.height for size in sizes),
        stacked=[i for i, hangs in enumerate(found.stacked) if hangs],
        level=round(level, 1),
        width=round(found.width, 1),
        height=round(found.height, 1),
        board=(round(board.width, 1), round(board.height, 1)),
    )


def _rounded(values: Iterable[float]) -> list[float]:
    return [round(value, 1) for value in values]


def _board(trace: Trace) -> Size:
    board = trace.root.board
    assert board is not None
    if board.houses is not None:
        return Size(*HOUSES)
    rows, columns = len(board.rows), len(board.rows[0])
    cell = min(LARGEST_CELL, max(SMALLEST_CELL, WIDEST_GRID / max(rows, columns)))
    return Size(cell * columns + 4, cell * rows + 4)


def _size(trace: Trace, node: Node, boards: bool) -> Size:
    """The size of a node without its board."""
    letter, row, chip = LETTERS[boards], TEXT_ROWS[boards], CHIPS[boards]
    if node.kind == "cut":
        return Size(letter * len(node.move or "") + 22, CUT_ROW)
    if trace.algorithm == "mcts":
        visits, most = node.visits or 0, trace.root.visits or 1
        radius = 7 + 17 * math.sqrt(visits / most)
        return Size(
            max(2 * radius, letter * len(_share(node.reward or 0, visits)) + 6), 2 * radius + row
        )
    text = _text(trace, node)
    if node.kind == "inner":
        windows = trace.algorithm == "alphabeta"
        return Size(
            max(letter * len(text) + 6, WINDOW if windows else TRIANGLE + 4),
            TRIANGLE + row + (WINDOW_ROW if windows else 0),
        )
    return Size(
        letter * (len(text) + (0 if boards else 0.95 * len(node.move or "") + 0.9)) + 14, chip
    )


def _share(reward: float, visits: int) -> str:
    return f"{reward:.0f}/{visits}" if reward == int(reward) else f"{reward:.1f}/{visits}"


def _text(trace: Trace, node: Node) -> str:
    """A text as long as the one that the node will have."""
    if node.value is None:
        return ""
    sign, size = (
        "≤" if node.kind == "inner" and node.bound in ("lower", "upper") else "",
        abs(node.value),
    )
    if size >= INFINITY:
        return f"{sign}+∞"
    if score := proved_score(node.value, node.mover):
        return f"{sign}W{letter_and_size(trace.position.rules, score, trace.root.mover)[1]}"
    short = (
        f"{size / 1e6:,.0f}M"
        if size >= 1e7
        else f"{size / 1e3:,.0f}k"
        if size >= 1e5
        else str(size)
    )
    return f"{sign}+{short}" if size else f"{sign}0"
