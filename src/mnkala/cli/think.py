"""`mnkala think`: the tree that a search walks, as text and as files for a lecture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mnkala.cli.arguments import GameString, PlayedMoves, StartLiteral, make_position
from mnkala.folders import file_errors
from mnkala.numbers import counted

if TYPE_CHECKING:
    from mnkala.trace import Node, Trace


def think(
    game: GameString,
    *moves: PlayedMoves,
    position: StartLiteral = None,
    algorithm: Annotated[
        str, Parameter(help="The search to watch: minimax, alphabeta or mcts.")
    ] = "alphabeta",
    depth: Annotated[int, Parameter(help="Plies that minimax and alphabeta look ahead.")] = 3,
    iterations: Annotated[int, Parameter(help="The number of random games of mcts.")] = 30,
    heuristic: Annotated[
        str,
        Parameter(help="The heuristic's name for minimax and alphabeta; see `mnkala heuristics`."),
    ] = "auto",
    exploration: Annotated[
        float | None,
        Parameter(help="The constant C of UCB1 for mcts; the larger, the more it explores."),
    ] = None,
    seed: Annotated[int, Parameter(help="The seed of the random games of mcts.")] = 1,
    lines: Annotated[int, Parameter(help="Lines of the tree to print at most.")] = 60,
    svg: Annotated[Path | None, Parameter(help="Save the tree as a picture.")] = None,
    dot: Annotated[Path | None, Parameter(help="Save the tree for Graphviz.")] = None,
    json: Annotated[
        Path | None, Parameter(help="Save the tree as JSON, with every step of the search.")
    ] = None,
) -> int:
    """See a search think: `mnkala think connect4 44 --algorithm alphabeta --depth 3 --svg
    tree.svg`.

    Prints the tree with the values as the player to move sees them: MAX is that player, MIN the
    other.
    """
    from mnkala.search.mcts import Mcts
    from mnkala.trace import trace

    seen = trace(
        make_position(game, moves, position),
        algorithm,
        depth,
        iterations,
        heuristic,
        Mcts.exploration if exploration is None else exploration,
        seed,
    )
    print(seen.position)
    print(f"{seen.position.to_move} to move")
    _print_tree(seen, lines)
    _print_counts(seen)
    for file, format in ((svg, "svg"), (dot, "dot"), (json, "json")):
        if file is not None:
            _save(seen, file, format)
    return 0


def _print_tree(trace: Trace, most: int) -> None:
    """Print the tree with lines from parent to child, as far as the allowed lines reach."""
    children = trace.children()
    printed, waiting = 0, [(0, "", "")]
    while waiting and printed < most:
        number, first, rest = waiting.pop()
        print(f"{first}{_words(trace, trace.nodes[number])}".rstrip())
        printed += 1
        below = children[number]
        for child in reversed(below):
            last = child == below[-1]
            waiting.append(
                (child, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))
            )
    if waiting:
        print(
            f"… {counted(len(trace.nodes) - printed, 'more line')}; see them with --lines {len(trace.nodes)} or --svg FILE"
        )


def _words(trace: Trace, node: Node) -> str:
    """Describe a node in words."""
    from mnkala.trace.model import proved_score

    move = f"{node.move}  " if node.move else ""
    if node.kind == "cut":
        return f"{' '.join(node.cut_moves)}  cut"
    star = "  *" if node.on_line else ""
    if trace.algorithm == "mcts":
        proof = (
            ""
            if node.proof is None
            else "  won"
            if node.proof > 0
            else "  lost"
            if node.proof < 0
            else "  draw"
        )
        return f"{move}{counted(node.visits or 0, 'visit')}, {(node.reward or 0) / (node.visits or 1):.0%} won{proof}{star}"
    sign = node.mover != trace.root.mover
    bound = (
        {"lower": "≤ " if sign else "≥ ", "upper": "≥ " if sign else "≤ "}.get(node.bound or "", "")
        if node.kind == "inner"
        else ""
    )
    seen = trace.for_root(node)
    subject = "MAX " if seen is not None and proved_score(seen, 0) else ""
    value = trace.short(seen) if bound else subject + trace.text(seen)
    who = ("MIN" if sign else "MAX") if node.kind == "inner" else ""
    who += "" if not who else " to move, " if value.startswith("MAX") else ": "
    return f"{move}{who}{bound}{value}{' (over)' if node.kind == 'end' else ''}{_window(trace, node)}{star}"


def _window(trace: Trace, node: Node) -> str:
    """Describe the alpha-beta window of an inner node, as MAX sees it; empty for other nodes."""
    if node.alpha is None or node.beta is None or node.kind != "inner":
        return ""
    alpha, beta = (
        (node.alpha, node.beta) if node.mover == trace.root.mover else (-node.beta, -node.alpha)
    )
    return f"  window ({trace.short(alpha)}, {trace.short(beta)})"


def _print_counts(trace: Trace) -> None:
    from mnkala.explain.score_words import score_words

    found = trace.analysis
    words = (
        score_words(found.score, trace.position.rules)
        if found.score is not None and found.score.is_proved
        else str(found.score)
    )
    cut = sum(len(node.cut_moves) for node in trace.nodes)
    cuts = (
        f", {counted(found.cutoffs, 'cut')} that spared {counted(cut, 'move')}"
        if trace.algorithm == "alphabeta"
        else ""
    )
    asked = counted(found.evaluations, "random game" if trace.algorithm == "mcts" else "evaluation")
    print(f"best {found.best_move}  ({words})  {counted(found.nodes, 'node')}, {asked}{cuts}")


def _save(trace: Trace, file: Path, format: str) -> None:
    from mnkala.trace import export

    with file_errors(file, "written"):
        file.expanduser().write_bytes(export(trace, format)[0])
    print(f"saved {file}")
