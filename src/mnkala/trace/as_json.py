"""A trace as the JSON object of docs/api.md."""

from __future__ import annotations

import msgspec

from mnkala.search.values import INFINITY, is_proved, margin_and_plies
from mnkala.trace.model import Algorithm, Node, Step, Trace


class RootScore(msgspec.Struct, frozen=True):
    """What the engine says of the root."""

    value: int
    kind: str
    result: str
    plies: int | None
    player: int
    text: str


class Proved(msgspec.Struct, frozen=True):
    """What a value of a finished game means."""

    margin: int
    plies: int


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
    """By the value, seen from either side."""
    limit: int
    nodes_list: tuple[Node, ...]
    steps: tuple[Step, ...]


def tree(trace: Trace) -> Tree:
    """The whole trace."""
    position, analysis, score = trace.position, trace.analysis, trace.analysis.score
    rules = position.rules
    picture = rules.picture(position.state())
    return Tree(
        algorithm=trace.algorithm, game=position.game, start=position.start_literal,
        played=list(position.history), style=rules.board_style(),
        rows=len(picture.cells), columns=len(picture.cells[0]), row_labels=picture.row_labels, column_labels=picture.column_labels,
        players=rules.players, mover=position.mover, graded=rules.graded,
        depth=trace.depth, iterations=trace.iterations, heuristic=trace.heuristic, exploration=trace.exploration, seed=trace.seed,
        nodes=analysis.nodes, evaluations=analysis.evaluations, cutoffs=analysis.cutoffs,
        cut_moves=sum(len(node.cut_moves) for node in trace.nodes),
        best=analysis.best_move, line=list(analysis.line), value=trace.root.value,
        score=None if score is None else RootScore(score.value, score.kind, score.result, score.plies, score.player, str(score)),
        proved=_proved(trace), limit=trace.limit, nodes_list=trace.nodes, steps=trace.steps,
    )


def _proved(trace: Trace) -> dict[str, Proved]:
    """Every value of a finished game that occurs, seen from either side, with its margin and its distance from the root."""
    met = {value for node in trace.nodes for value in (node.value, node.alpha, node.beta)}
    met |= {value for step in trace.steps for value in (step.value, step.alpha, step.beta)}
    sizes = {abs(value) for value in met if value is not None and is_proved(value) and abs(value) < INFINITY}
    return {str(value): Proved(*margin_and_plies(value)) for size in sorted(sizes) for value in (size, -size)}
