"""Draws a trace as an SVG picture that can be used by itself on paper, on a slide or in a report.

MAX (the mover at the root) is a triangle that points up, MIN one that points down; values are as
MAX sees them. Small trees show their boards. What was cut is dashed and grey with scissors, and the
principal variation is thick.
"""

from __future__ import annotations

import math
from html import escape

from mnkala.core.picture import SVG_COLOURS
from mnkala.numbers import counted
from mnkala.trace.layout import Layout, Size, lay_out
from mnkala.trace.model import Diagram, Node, Trace

INK, SOFT, HAIR, CUT = "#1f2933", "#5b6770", "#b8c0c7", "#8d979f"
PLAYERS = ("#d55e00", "#0072b2")
PALE = ("#fbe9dc", "#dcebf6")
MARGIN, HEADING, LEGEND, NARROWEST = 28, 64, 44, 720
MOST_BOARDS = 45
"""The largest number of nodes at which every node shows its board."""
WIDEST_WITH_BOARDS = 1700
"""The width in pixels from which a tree is drawn without boards."""
SPACE, STRETCH, WIDE = 36, 2.0, 3.2
"""Pixels between two levels; by how much a level may be stretched; and the ratio of width to height
up to which a tree still reads well."""
TRIANGLE, CHIP, CUT_ROW, LETTER = 22, 20, 14, 6.4
"""The side of a triangle, the height of a leaf and of a cut move, and the width of a character, in
pixels."""


def to_svg(trace: Trace) -> str:
    """Draw a trace as an SVG document."""
    return _Drawing(trace).svg()


class _Drawing:
    """The picture of one trace: its size, the places of its nodes, and the drawing of each part."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.growing = trace.algorithm == "mcts"
        self.style = trace.position.rules.board_style()
        self.boards = len(trace.nodes) <= MOST_BOARDS
        self.layout = self._arrange()
        if self.boards and self.layout.width > WIDEST_WITH_BOARDS:
            self.boards = False
            self.layout = self._arrange()
        self.width = max(self.layout.width + 2 * MARGIN, NARROWEST)
        self.left = (self.width - self.layout.width) / 2
        self.height = self.layout.height + HEADING + LEGEND + MARGIN

    def _arrange(self) -> Layout:
        """Place all nodes. A wide tree gets taller levels, so that its branches are not too flat."""
        sizes = [self._size(node) for node in self.trace.nodes]
        plies = [node.ply for node in self.trace.nodes]
        children, stack = self.trace.children(), not self.growing and not self.boards
        self.level = SPACE + max(size.height for size in sizes)
        first = lay_out(children, plies, sizes, self.level, stack)
        missing = first.width / WIDE - first.height
        if missing <= 0:
            return first
        self.level = min(STRETCH * self.level, self.level + missing / max(1, *plies))
        return lay_out(children, plies, sizes, self.level, stack)

    def _size(self, node: Node) -> Size:
        """The width and height that a node needs, with its text and its board."""
        if node.kind == "cut":
            return Size(
                max(18, LETTER * len(node.move or "") + 8), CUT_ROW if not self.boards else CHIP
            )
        board = miniature_size(node.board) if self.boards and node.board else Size(0, 0)
        if self.growing:
            return Size(
                max(board.width, 2 * self._radius(node), 34),
                2 * self._radius(node) + 16 + board.height,
            )
        if node.kind == "inner":
            return Size(
                max(board.width, LETTER * len(self._text(node)) + 8, TRIANGLE + 6),
                TRIANGLE + 18 + board.height,
            )
        return Size(
            max(board.width, self._chip(node)), CHIP + board.height + (4 if self.boards else 0)
        )

    def _text(self, node: Node) -> str:
        sign = {"lower": "≥", "upper": "≤"}.get(node.bound or "", "")
        if node.mover != self.trace.root.mover:
            sign = {"≥": "≤", "≤": "≥"}.get(sign, "")
        return (sign if node.kind == "inner" else "") + self.trace.short(self.trace.for_root(node))

    def _chip(self, node: Node) -> float:
        characters = len(self._text(node)) + (0 if self.boards else len(node.move or "") + 1)
        return LETTER * characters + 14

    def _radius(self, node: Node) -> float:
        most = self.trace.root.visits or 1
        return 5 + 17 * math.sqrt((node.visits or 0) / most)

    def _at(self, node: Node) -> tuple[float, float]:
        return self.left + self.layout.x[node.id], HEADING + self.layout.y[node.id]

    # ---- Parts of the drawing ----

    def svg(self) -> str:
        title = escape(self._heading())
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:.0f} {self.height:.0f}" width="{self.width:.0f}" '
            f'height="{self.height:.0f}" role="img" aria-label="{title}" font-family="Helvetica, Arial, sans-serif" font-size="11" '
            f'text-anchor="middle">',
            f'<title>{title}</title><rect width="100%" height="100%" fill="#ffffff"/>',
            f'<text x="{MARGIN}" y="30" font-size="17" font-weight="bold" text-anchor="start" fill="{INK}">{title}</text>',
            f'<text x="{MARGIN}" y="49" font-size="12" text-anchor="start" fill="{SOFT}">{escape(self._counts())}</text>',
        ]
        parts += [
            self._edge(node)
            for node in sorted(self.trace.nodes, key=lambda node: node.on_line)
            if node.parent is not None
        ]
        parts += [self._node(node) for node in self.trace.nodes]
        parts.append(self._legend())
        return "\n".join(parts) + "\n</svg>\n"

    def _heading(self) -> str:
        trace = self.trace
        name = {"minimax": "Minimax", "alphabeta": "Alpha-beta", "mcts": "Monte-Carlo tree search"}[
            trace.algorithm
        ]
        size = (
            f"{counted(trace.analysis.evaluations, 'iteration')}"
            if self.growing
            else f"depth {trace.depth}"
        )
        where = f"{trace.position.game} {trace.position.moves or 'from the start'}"
        return f"{name}, {size}: {where if len(where) < 60 else where[:57] + '…'}"

    def _counts(self) -> str:
        trace, found = self.trace, self.trace.analysis
        best = f"best move {found.best_move}"
        if self.growing:
            counts = f"{counted(found.nodes, 'node')}, {counted(found.evaluations, 'random game')}"
            return f"{best} · {counts} · UCB1, C = {trace.exploration:g}, seed {trace.seed}"
        cut = f" · {counted(found.cutoffs, 'cut')}" if trace.algorithm == "alphabeta" else ""
        return f"{best}, value {trace.text(trace.root.value)} · {counted(found.nodes, 'node')} visited{cut} · heuristic {trace.heuristic}"

    def _edge(self, node: Node) -> str:
        assert node.parent is not None
        parent = self.trace.nodes[node.parent]
        (x1, y1), (x2, y2) = self._at(parent), self._at(node)
        y1 += self._size(parent).height
        if self.layout.stacked[node.id]:
            path = f"M{x1:.1f} {y1:.1f}L{x2:.1f} {HEADING + node.ply * self.level:.1f}V{y2:.1f}"
        else:
            bend = (y1 + y2) / 2
            path = (
                f"M{x1:.1f} {y1:.1f}C{x1:.1f} {bend:.1f} {x2:.1f} {bend:.1f} {x2:.1f} {y2 - 14:.1f}"
            )
        if node.kind == "cut":
            style = f'stroke="{CUT}" stroke-width="1" stroke-dasharray="3 3"'
        elif node.on_line:
            style = f'stroke="{INK}" stroke-width="2.6"'
        else:
            style = f'stroke="{HAIR}" stroke-width="1"'
        made = f'<path d="{path}" fill="none" {style}/>'
        if not self.layout.stacked[node.id] and node.kind != "cut":
            weight = ' font-weight="bold"' if node.on_line else ""
            made += (
                f'<text x="{x2:.1f}" y="{y2 - 4:.1f}" font-size="10" fill="{INK if node.on_line else SOFT}" stroke="#ffffff" '
                f'stroke-width="3" paint-order="stroke"{weight}>{escape(node.move or "")}</text>'
            )
        return made

    def _node(self, node: Node) -> str:
        x, y = self._at(node)
        if node.kind == "cut":
            return self._scissors_and_move(node, x, y)
        made = ""
        if self.boards and node.board:
            size = miniature_size(node.board)
            made = miniature(node.board, self.style, x - size.width / 2, y)
            y += size.height + 4
        if self.growing:
            return made + self._ball(node, x, y)
        return made + (
            self._triangle(node, x, y) if node.kind == "inner" else self._leaf(node, x, y)
        )

    def _scissors_and_move(self, node: Node, x: float, y: float) -> str:
        text = escape(node.move or "")
        if self.layout.stacked[node.id]:
            return (
                f'<rect x="{x - 15:.1f}" y="{y:.1f}" width="30" height="{CUT_ROW}" fill="#ffffff"/>{_scissors(x - 7, y + 8)}'
                f'<text x="{x + 1:.1f}" y="{y + 11:.1f}" font-size="9" text-anchor="start" fill="{CUT}">{text}</text>'
            )
        return f'{_scissors(x, y + 5)}<text x="{x:.1f}" y="{y + CHIP + 2:.1f}" font-size="9" fill="{CUT}">{text}</text>'

    def _triangle(self, node: Node, x: float, y: float) -> str:
        """Draw an inner node: a triangle that points up for MAX and down for MIN, with the value
        below it."""
        half = TRIANGLE / 2
        points = [(x, y), (x + half, y + TRIANGLE - 3), (x - half, y + TRIANGLE - 3)]
        if node.mover != self.trace.root.mover:
            points = [(x, y + TRIANGLE - 3), (x + half, y), (x - half, y)]
        drawn = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
        weight = ' font-weight="bold"' if node.on_line else ""
        return (
            f'<polygon points="{drawn}" fill="{PALE[node.mover]}" stroke="{PLAYERS[node.mover]}" stroke-width="'
            f'{2.4 if node.on_line else 1.4}" stroke-linejoin="round"/>'
            f'<text x="{x:.1f}" y="{y + TRIANGLE + 10:.1f}"{weight} fill="{INK}">{escape(self._text(node))}</text>'
        )

    def _leaf(self, node: Node, x: float, y: float) -> str:
        """Draw a leaf or a finished game: a box with its value and, where no boards are drawn, its
        move."""
        width = self._chip(node)
        move = (
            ""
            if self.boards
            else f'<tspan fill="{SOFT}" font-size="9.5">{escape(node.move or "")} </tspan>'
        )
        edge = (
            f'stroke="{INK}" stroke-width="{2 if node.on_line else 1.2}"'
            if node.kind == "end" or node.on_line
            else f'stroke="{HAIR}"'
        )
        fill, round_ = ("#eef1f3", CHIP / 2) if node.kind == "leaf" else (PALE[node.mover], 4)
        return (
            f'<rect x="{x - width / 2:.1f}" y="{y:.1f}" width="{width:.1f}" height="{CHIP}" rx="{round_}" '
            f'fill="{fill}" {edge}/><text x="{x:.1f}" y="{y + 14:.1f}" fill="{INK}">{move}{escape(self._text(node))}</text>'
        )

    def _ball(self, node: Node, x: float, y: float) -> str:
        radius = self._radius(node)
        player = node.player or 0
        share = (node.reward or 0) / node.visits if node.visits else 0.0
        proof = (
            ""
            if node.proof is None
            else "✓ "
            if node.proof > 0
            else "✗ "
            if node.proof < 0
            else "= "
        )
        text = f"{proof}{node.reward or 0:g}/{node.visits}"
        return (
            f'<circle cx="{x:.1f}" cy="{y + radius:.1f}" r="{radius:.1f}" fill="{PLAYERS[player]}" '
            f'fill-opacity="{0.12 + 0.75 * share:.2f}" stroke="{PLAYERS[player]}" stroke-width="{2.6 if node.on_line else 1.2}"/>'
            f'<text x="{x:.1f}" y="{y + 2 * radius + 11:.1f}" font-size="9.5" fill="{INK}">{text}</text>'
        )

    def _legend(self) -> str:
        names = self.trace.position.rules.players
        if self.growing:
            colours = f"orange: {names[0]} moved here, blue: {names[1]}"
            return self._small(
                f"{colours}   3/5: games won by that player / played   ✓ ✗ =: proved won, lost, drawn"
            )
        mover = self.trace.root.mover
        wins = (
            "margin of the win or loss"
            if self.trace.position.rules.graded
            else "win or loss for MAX, in the winner's own moves"
        )
        marks = f"△ MAX ({names[mover]})   ▽ MIN ({names[1 - mover]})   values as MAX sees them"
        text = f"{marks}   W, L: {wins}   ≤ ≥: a bound, after a cut   ✂ cut"
        return self._small(text)

    def _small(self, text: str) -> str:
        """Write a line of small text below the tree."""
        return (
            f'<text x="{MARGIN}" y="{self.height - 18:.0f}" text-anchor="start" fill="{SOFT}" xml:space="preserve">{escape(text)}'
            "</text>"
        )


def _scissors(x: float, y: float) -> str:
    """Draw scissors, two blades and two rings, small enough for a branch."""
    return (
        f'<g transform="translate({x:.1f} {y:.1f})" fill="none" stroke="{CUT}" stroke-width="1.1" stroke-linecap="round">'
        '<path d="M-3 -6L2.2 2.2M3 -6L-2.2 2.2"/><circle cx="-3" cy="4" r="1.9"/><circle cx="3" cy="4" r="1.9"/></g>'
    )


# ---- Small boards ----


WIDTH, WIDER = 62, 84
"""The width in pixels of a miniature, and of one with more than five rows or columns."""
BOARDS = {"drop": "#5b7a99", "stones": "#e8c992", "squares": "#f4f1ea", "houses": "#c9a06a"}
HOLES = {"drop": "#eef2f5", "stones": None, "squares": None, "houses": "#8d6a3f"}
LINE = "#8a8578"


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
