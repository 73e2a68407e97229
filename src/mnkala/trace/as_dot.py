"""A trace in the language of Graphviz: MAX as triangles that point up, MIN down, what was cut dashed, the best line thick."""

from __future__ import annotations

from mnkala.numbers import counted
from mnkala.trace.model import Node, Trace

COLOURS = ("#d55e00", "#0072b2")
CUT = "#999999"


def to_dot(trace: Trace) -> str:
    """The tree, with values as the mover at the root sees them."""
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
    shape = "box" if node.kind != "inner" else "triangle" if node.mover == trace.root.mover else "invtriangle"
    return f'label={_quoted(text)}, shape={shape}, color="{colour}"' + (", peripheries=2" if node.kind == "end" else "")


def _edge(node: Node) -> str:
    label = f"label={_quoted(node.move or '')}"
    if node.kind == "cut":
        return f'{label}, style=dashed, color="{CUT}", fontcolor="{CUT}"'
    return f"{label}, penwidth=3" if node.on_line else label


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
