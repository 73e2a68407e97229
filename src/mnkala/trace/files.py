"""A trace as a file: the JSON object of docs/api.md, a graph for Graphviz, or the drawing of
`as_svg.py`.
"""

from __future__ import annotations

import re

import msgspec

from mnkala.errors import MnkalaError
from mnkala.explain.score_words import moves_to_end, score_text
from mnkala.numbers import counted
from mnkala.search.values import INFINITY
from mnkala.trace.layout import Places, places
from mnkala.trace.model import Algorithm, Node, Trace, TraceStep, proved_score


class RootScore(msgspec.Struct, frozen=True):
    """The engine's score of the root."""

    value: int
    kind: str
    result: str
    plies: int | None
    player: int
    text: str


class Words(msgspec.Struct, frozen=True):
    """Something in words: a key of the words with its values, and the text in English."""

    key: str
    values: dict[str, str | int]
    text: str


class Proved(msgspec.Struct, frozen=True):
    """The meaning of a value of a finished game."""

    margin: int
    plies: int
    """Moves of both sides from the root."""
    moves: int | None
    """The winner's own moves from the root, if they can be counted."""
    words: Words


class Tree(msgspec.Struct, frozen=True, kw_only=True):
    """The tree of a search, and every step of the walk."""

    algorithm: Algorithm
    game: str
    start: str | None
    played: list[str]
    style: str
    rows: int
    columns: int
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    players: tuple[str, str]
    mover: int
    noun: str
    """What a move is called: column, house, cell or move."""
    graded: bool
    depth: int
    iterations: int | None
    heuristic: str | None
    exploration: float | None
    seed: int | None
    nodes: int
    evaluations: int
    cutoffs: int
    cut_moves: int
    best: str
    line: list[str]
    value: int | None
    score: RootScore | None
    infinity: int = INFINITY
    proved: dict[str, Proved]
    """The meaning of each value of a finished game, from either side's view."""
    limit: int
    nodes_list: tuple[Node, ...]
    steps: tuple[TraceStep, ...]
    places: list[Places]
    """Where the nodes stand: without boards and, if the tree has few nodes, with them."""


def tree(trace: Trace) -> Tree:
    """Convert a trace to the object that is written as JSON."""
    position, analysis, score = trace.position, trace.analysis, trace.analysis.score
    rules = position.rules
    picture = rules.picture(position.state())
    return Tree(
        algorithm=trace.algorithm,
        game=position.game,
        start=position.start_literal,
        played=list(position.history),
        style=rules.board_style(),
        rows=len(picture.cells),
        columns=len(picture.cells[0]),
        row_labels=picture.row_labels,
        column_labels=picture.column_labels,
        players=rules.players,
        mover=position.mover,
        noun=rules.move_noun,
        graded=rules.graded,
        depth=trace.depth,
        iterations=trace.iterations,
        heuristic=trace.heuristic,
        exploration=trace.exploration,
        seed=trace.seed,
        nodes=analysis.nodes,
        evaluations=analysis.evaluations,
        cutoffs=analysis.cutoffs,
        cut_moves=sum(len(node.cut_moves) for node in trace.nodes),
        best=analysis.best_move,
        line=list(analysis.line),
        value=trace.root.value,
        score=None
        if score is None
        else RootScore(
            score.value, score.kind, score.result, score.plies, score.player, str(score)
        ),
        proved=_proved(trace),
        limit=trace.limit,
        nodes_list=trace.nodes,
        steps=trace.steps,
        places=places(trace),
    )


def _proved(trace: Trace) -> dict[str, Proved]:
    """Explain every value of a finished game that occurs, from either side's view, with its margin
    and its distance from the root."""
    rules, first, movers = (
        trace.position.rules,
        trace.root.mover,
        [node.mover for node in trace.nodes],
    )
    met = {
        (value, node.mover)
        for node in trace.nodes
        for value in (node.value, node.alpha, node.beta)
        if value is not None
    }
    met |= {
        (value, movers[step.node])
        for step in trace.steps
        for value in (step.value, step.alpha, step.beta)
        if value is not None
    }
    found = {}
    for value, player in sorted(met):
        for score in filter(None, (proved_score(value, player), proved_score(-value, 1 - player))):
            said = score_text(score, rules, first)
            words = Words(said.key, dict(said.values), said.english)
            moves = moves_to_end(score, rules, first)
            found[str(value if score.player == player else -value)] = Proved(
                score.value, score.plies or 0, moves, words
            )
    return found


# ---- Graphviz ----


COLOURS = ("#d55e00", "#0072b2")
CUT = "#999999"


def to_dot(trace: Trace) -> str:
    """Write the tree for Graphviz, with values as the mover at the root sees them."""
    heading = f"{trace.algorithm} of {trace.position.game} {trace.position.moves}".strip()
    nodes = counted(trace.analysis.nodes, "node")
    lines = [
        f"digraph {_quoted(heading)} {{",
        f"  label={_quoted(f'{heading}: {nodes}, best {trace.analysis.best_move}')};",
        '  node [fontname="Helvetica", fontsize=10]; edge [arrowhead=none, fontname="Helvetica", fontsize=9]; ordering=out;',
    ]
    for node in trace.nodes:
        lines.append(f"  n{node.id} [{_node(trace, node)}];")
        if node.parent is not None:
            lines.append(f"  n{node.parent} -> n{node.id} [{_edge(node)}];")
    return "\n".join([*lines, "}", ""])


def _node(trace: Trace, node: Node) -> str:
    if node.kind == "cut":
        return f'label="✂", shape=plaintext, fontcolor="{CUT}"'
    colour = COLOURS[node.mover]
    if trace.algorithm == "mcts":
        share = f"{node.reward:g}/{node.visits}" if node.visits else "0"
        return f'label={_quoted(share)}, shape=circle, color="{colour}"'
    text = trace.text(trace.for_root(node))
    shape = (
        "box"
        if node.kind != "inner"
        else "triangle"
        if node.mover == trace.root.mover
        else "invtriangle"
    )
    return f'label={_quoted(text)}, shape={shape}, color="{colour}"' + (
        ", peripheries=2" if node.kind == "end" else ""
    )


def _edge(node: Node) -> str:
    label = f"label={_quoted(node.move or '')}"
    if node.kind == "cut":
        return f'{label}, style=dashed, color="{CUT}", fontcolor="{CUT}"'
    return f"{label}, penwidth=3" if node.on_line else label


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


# ---- Files ----


FORMATS = {
    "svg": "image/svg+xml",
    "dot": "text/vnd.graphviz; charset=utf-8",
    "json": "application/json",
}
"""The media type of each format."""


def export(trace: Trace, format: str) -> tuple[bytes, str, str]:
    """Write a trace in a format; return the content, its media type and a file name. Raises
    MnkalaError for an unknown format."""
    if format not in FORMATS:
        raise MnkalaError(f"a tree cannot be saved as '{format}'; formats are {', '.join(FORMATS)}")
    content = (
        trace.json()
        if format == "json"
        else (trace.svg() if format == "svg" else trace.dot()).encode()
    )
    size = f"{trace.iterations}" if trace.algorithm == "mcts" else f"depth{trace.depth}"
    played = re.sub(r"[^A-Za-z0-9]+", "", trace.position.moves)[:40]
    words = [re.sub(r"[^A-Za-z0-9]+", "-", trace.position.game), played, trace.algorithm, size]
    return content, FORMATS[format], "-".join(filter(None, words)) + f".{format}"
