"""`trace`: run a search of a position and keep everything that it does, within bounds that a page and a class can follow."""

from __future__ import annotations

import math

from mnkala.errors import BadEngine, MnkalaError
from mnkala.games import Position
from mnkala.search.mcts import Mcts
from mnkala.trace.growth import record_growth
from mnkala.trace.model import Algorithm, Trace
from mnkala.trace.recorder import KERNELS, TooLarge, record

MOST_NODES = 4_000
"""Positions that a trace may visit: what a page can draw and a plain Python search can walk in about a second."""
MOST_DEPTH = 12
MOST_ITERATIONS = 500
MOST_EXPLORATION = 100.0
LARGEST_SEED = (1 << 31) - 1
ALGORITHMS: tuple[Algorithm, ...] = ("minimax", "alphabeta", "mcts")


def trace(position: Position, algorithm: str = "alphabeta", depth: int = 3, iterations: int = 30, heuristic: str = "auto",
          exploration: float = Mcts.exploration, seed: int = Mcts.seed) -> Trace:
    """Watch a search of `position`: `depth` and `heuristic` are for minimax and alpha-beta, the others for Monte-Carlo search.

    Node counts, values and moves are those of the engine of the same name and options.
    """
    if position.is_over:
        raise MnkalaError(f"the game is over ({position.outcome}): there is nothing to search; take a move back")
    if algorithm == "mcts":
        return _trace_growth(position, iterations, exploration, seed)
    if algorithm not in KERNELS:
        raise BadEngine(f"no trace of '{algorithm}'; searches that can be watched are {', '.join(ALGORITHMS)}")
    if not 1 <= depth <= MOST_DEPTH:
        raise BadEngine(f"a depth of {depth}; a search can be watched 1 to {MOST_DEPTH} plies deep")
    name = position.rules.heuristic if heuristic == "auto" else heuristic
    try:
        recorder, analysis = record(position, algorithm, depth, name, MOST_NODES)
    except TooLarge:
        raise TooLarge(_advice(position, algorithm, depth, name)) from None
    nodes, steps = recorder.finish()
    return Trace(position, algorithm, depth, None, name, None, None, analysis, nodes, steps, MOST_NODES)  # type: ignore[arg-type]


def _trace_growth(position: Position, iterations: int, exploration: float, seed: int) -> Trace:
    if not 1 <= iterations <= MOST_ITERATIONS:
        raise BadEngine(f"{iterations} iterations; Monte-Carlo search can be watched for 1 to {MOST_ITERATIONS}")
    if not (math.isfinite(exploration) and 0 <= exploration <= MOST_EXPLORATION):
        raise BadEngine(f"an exploration of {exploration}; it lies between 0 and {MOST_EXPLORATION:g}")
    if not 0 <= seed <= LARGEST_SEED:
        raise BadEngine(f"a seed of {seed}; seeds are 0 to {LARGEST_SEED}")
    growth, tree, analysis = record_growth(position, iterations, exploration, seed)
    nodes, steps = growth.finish(tree, analysis.line)
    return Trace(position, "mcts", analysis.depth, iterations, None, exploration, seed, analysis, nodes, steps, MOST_NODES)


def _advice(position: Position, algorithm: str, depth: int, heuristic: str) -> str:
    """What to try instead of a depth whose tree is too large: the largest that fits, found by trying."""
    fitting = 0
    for smaller in range(1, depth):
        try:
            record(position, algorithm, smaller, heuristic, MOST_NODES)
        except TooLarge:
            break
        fitting = smaller
    wrong = f"{algorithm} visits more than {MOST_NODES:,} positions here at depth {depth}, too many to be shown"
    return f"{wrong}; depth {fitting} fits" if fitting else f"{wrong}; choose a smaller board or a position with fewer moves"
