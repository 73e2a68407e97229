"""A trace as the JSON object of docs/api.md: what is None or empty is left out, so that thousands of nodes stay light."""

from __future__ import annotations

import dataclasses
from typing import Any

from mnkala.search.values import INFINITY, is_proved, margin_and_plies
from mnkala.trace.model import Board, Node, Step, Trace


def to_json(trace: Trace) -> dict[str, Any]:
    """The whole trace."""
    position, analysis = trace.position, trace.analysis
    rules, state = position.rules, position.state()
    picture = rules.picture(state)
    score = analysis.score
    return {
        "algorithm": trace.algorithm,
        "game": position.game,
        "start": position.start_literal,
        "played": [rules.move_text(move) for move in position.history],
        "style": rules.board_style(),
        "rows": len(picture.cells),
        "columns": len(picture.cells[0]),
        "row_labels": list(picture.row_labels),
        "column_labels": list(picture.column_labels),
        "players": list(rules.players),
        "mover": position.mover,
        "graded": rules.graded,
        "depth": trace.depth,
        "iterations": trace.iterations,
        "heuristic": trace.heuristic,
        "exploration": trace.exploration,
        "seed": trace.seed,
        "nodes": analysis.nodes,
        "evaluations": analysis.evaluations,
        "cutoffs": analysis.cutoffs,
        "cut_moves": sum(len(node.cut_moves) for node in trace.nodes),
        "best": analysis.best,
        "line": [rules.move_text(move) for move in analysis.line],
        "value": trace.root.value,
        "score": None if score is None else {"value": score.value, "kind": score.kind, "result": score.result, "plies": score.plies,
                                             "player": score.player, "text": str(score)},
        "infinity": INFINITY,
        "proved": {str(value): {"margin": margin, "plies": plies} for value, margin, plies in _proved(trace)},
        "limit": trace.limit,
        "nodes_list": [_node(trace, node) for node in trace.nodes],
        "steps": [_step(step) for step in trace.steps],
    }


def _node(trace: Trace, node: Node) -> dict[str, Any]:
    made = _filled(node, "board")
    made["parent"] = node.parent
    if node.board is not None:
        made["board"] = _board(node.board)
    if node.value is not None:
        made["text"] = trace.text(node.value)
    return made


def _step(step: Step) -> dict[str, Any]:
    made = _filled(step, "board")
    if step.board is not None:
        made["board"] = _board(step.board)
    for name in ("choices", "counts", "proofs"):
        if name in made:
            made[name] = [_filled(item) for item in made[name]]
    for choice in made.get("choices", ()):
        if "bound" in choice:
            choice["bound"] = round(choice["bound"], 4)
    return made


def _board(board: Board) -> dict[str, Any]:
    return _filled(board)


def _filled(item: Any, *without: str) -> dict[str, Any]:
    """The fields that say something."""
    pairs = ((field.name, getattr(item, field.name)) for field in dataclasses.fields(item) if field.name not in without)
    return {name: _plain(value) for name, value in pairs if value is not None and value != () and value is not False}


def _plain(value: Any) -> Any:
    """Tuples as lists: what JSON would make of them."""
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _proved(trace: Trace) -> list[tuple[int, int, int]]:
    """Every value of a finished game that occurs, seen from either side, with its margin and its distance from the root."""
    met = {value for node in trace.nodes for value in (node.value, node.alpha, node.beta)}
    met |= {value for step in trace.steps for value in (step.value, step.alpha, step.beta)}
    sizes = {abs(value) for value in met if value is not None and is_proved(value) and abs(value) < INFINITY}
    return [(value, *margin_and_plies(value)) for size in sorted(sizes) for value in (size, -size)]


