"""The places of a tree's nodes on the page, for its JSON: the layout of `layout.py` with the
sizes that the page draws (`static/think_nodes.js`), once without boards and, for trees of few
nodes, once with a board above every node.

Every text of a node is equally long in each language and in both views of its values, so that
one layout holds for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

from mnkala.search.values import INFINITY
from mnkala.trace.layout import Size, lay_out
from mnkala.trace.model import Node, Trace, letter_and_size, proved_score

MOST_BOARDS = 70
"""The most nodes of a tree that may show a board at each."""
MANY = 40
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
    stack = trace.algorithm != "mcts" and len(trace.nodes) > MANY
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
