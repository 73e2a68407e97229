"""Small boards for the nodes of a printed tree, drawn after the styles of the page: discs, stones, squares, houses."""

from __future__ import annotations

from mnkala.core.picture import SVG_COLOURS
from mnkala.trace.layout import Size
from mnkala.trace.model import Diagram

WIDTH, WIDER = 62, 84
"""Pixels of a miniature, and of one with more than five rows or columns."""
BOARDS = {"drop": "#5b7a99", "stones": "#e8c992", "squares": "#f4f1ea", "houses": "#c9a06a"}
HOLES = {"drop": "#eef2f5", "stones": None, "squares": None, "houses": "#8d6a3f"}
LINE = "#8a8578"
INK = "#1f2933"


def miniature_size(board: Diagram) -> Size:
    """The room that a board needs."""
    if board.houses is not None:
        return Size(WIDER, 34)
    rows, columns = len(board.rows), len(board.rows[0])
    cell = (WIDTH if max(columns, rows) <= 5 else WIDER) / max(columns, rows)
    return Size(max(cell * columns, 20), cell * rows)


def miniature(board: Diagram, style: str, left: float, top: float) -> str:
    """A group with the board, its upper left corner at (left, top)."""
    size = miniature_size(board)
    body = _houses(board, size) if board.houses is not None else _cells(board, style, size)
    return (f'<g transform="translate({left:.1f} {top:.1f})"><rect width="{size.width:.1f}" height="{size.height:.1f}" rx="4" '
            f'fill="{BOARDS.get(style, BOARDS["squares"])}"/>{body}</g>')


def _cells(board: Diagram, style: str, size: Size) -> str:
    columns = len(board.rows[0])
    cell = size.width / columns
    hole = HOLES.get(style)
    parts = []
    if hole is None:
        shift = cell / 2 if style == "stones" else 0.0
        rows = len(board.rows)
        across = [f"M{shift:.1f} {row * cell + shift:.1f}H{size.width - shift:.1f}" for row in range(rows + (not shift))]
        along = [f"M{column * cell + shift:.1f} {shift:.1f}V{size.height - shift:.1f}" for column in range(columns + (not shift))]
        parts.append(f'<path d="{"".join(across + along)}" stroke="{LINE}" stroke-width="0.6" fill="none"/>')
    last, marked = set(board.last), set(board.marked)
    for row, cells in enumerate(board.rows):
        for column, mark in enumerate(cells):
            owner = int(mark)
            if not owner and hole is None:
                continue
            x, y = (column + 0.5) * cell, (row + 0.5) * cell
            ring = f' stroke="{INK}" stroke-width="1.2"' if (row, column) in last | marked else ""
            fill = SVG_COLOURS[owner] if owner else hole
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{cell * 0.4:.1f}" fill="{fill}"{ring}/>')
            if owner == 1:
                arm = cell * 0.15
                parts.append(f'<path d="M{x - arm:.1f} {y - arm:.1f}l{2 * arm:.1f} {2 * arm:.1f}m0 {-2 * arm:.1f}l{-2 * arm:.1f} '
                             f'{2 * arm:.1f}" stroke="#ffffff" stroke-width="1"/>')
            elif owner:
                parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{cell * 0.14:.1f}" fill="none" stroke="{INK}" stroke-width="0.8"/>')
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
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{cell * 0.44:.1f}" fill="{HOLES["houses"]}" stroke="{colour}" '
                         f'stroke-width="{width}"/>')
            if number:
                parts.append(f'<text x="{x:.1f}" y="{y + 2.6:.1f}" font-size="7.5" fill="#ffffff">{number}</text>')
    for x, number in ((size.width - 6, board.stores[0]), (6, board.stores[1])):
        parts.append(f'<text x="{x:.1f}" y="{size.height / 2 + 3:.1f}" font-size="8" font-weight="bold" fill="{INK}">{number}</text>')
    return "".join(parts)
