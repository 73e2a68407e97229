"""`trace`: run a search of a position and keep everything that it does, within bounds that a page
and a class can follow.
"""

from __future__ import annotations

import math

from mnkala.core import Position
from mnkala.errors import BadEngine, MnkalaError, did_you_mean
from mnkala.numbers import shortened
from mnkala.search.limit import Stop
from mnkala.search.mcts import Mcts
from mnkala.trace.growth import record_growth
from mnkala.trace.model import Algorithm, Trace
from mnkala.trace.recorder import KERNELS, TooLarge, record

MOST_NODES = 4_000
"""The most positions that a trace may visit: what a page can draw and a search in plain Python can
walk in about a second."""
MOST_NODE_CELLS = 4_000_000
"""The most positions times cells that a trace may visit. It bounds traces on large boards, because
each position is kept and drawn."""
MOST_DEPTH = 12
MOST_ITERATIONS = 500
MOST_PLAYOUT_CELLS = 120_000
"""The most iterations times cells. It bounds traces on large boards, because an iteration may play
a random game until the board is full."""
MOST_EXPLORATION = 100.0
LARGEST_SEED = (1 << 31) - 1
ALGORITHMS: tuple[Algorithm, ...] = ("minimax", "alphabeta", "mcts")


def trace(
    position: Position,
    algorithm: str = "alphabeta",
    depth: int = 3,
    iterations: int = 30,
    heuristic: str = "auto",
    exploration: float = Mcts.exploration,
    seed: int = Mcts.seed,
    stop: Stop | None = None,
) -> Trace:
    """Record a search of `position`.

    `depth` and `heuristic` are for minimax and alpha-beta, the other options for Monte-Carlo
    search. Node counts, values and moves are those of the engine of the same name and options.
    Raises Stopped once `stop` is set.
    """
    check_trace(position, algorithm, depth, iterations, heuristic, exploration, seed)
    stop = stop or Stop()
    if algorithm == "mcts":
        growth, tree, found = record_growth(position, iterations, exploration, seed, stop)
        grown, growing = growth.finish(tree, found.line_codes)
        return Trace(
            position,
            "mcts",
            found.depth,
            iterations,
            None,
            exploration,
            seed,
            found,
            grown,
            growing,
            MOST_NODES,
        )
    name, most = _heuristic(position, heuristic), most_nodes(position)
    try:
        recorder, analysis = record(position, algorithm, depth, name, most, stop)
    except TooLarge:
        raise _advice(position, algorithm, depth, name, stop) from None
    nodes, steps = recorder.finish()
    return Trace(position, algorithm, depth, None, name, None, None, analysis, nodes, steps, most)  # type: ignore[arg-type]


def check_trace(
    position: Position,
    algorithm: str,
    depth: int,
    iterations: int,
    heuristic: str,
    exploration: float,
    seed: int,
) -> None:
    """Raise an error that says what is allowed, if a search cannot be recorded. Nothing is searched
    or compiled."""
    if position.is_over:
        raise MnkalaError(
            f"the game is over ({position.outcome}): there is nothing to search; take a move back",
            "error.nothing_to_search",
            result=str(position.outcome),
        )
    if algorithm == "mcts":
        most = most_iterations(position)
        if not 1 <= iterations <= most:
            raise BadEngine(
                f"{iterations} iterations; on this board Monte-Carlo search can be watched for 1 to {most}",
                "error.iterations",
                iterations=iterations,
                most=most,
            )
        if not (math.isfinite(exploration) and 0 <= exploration <= MOST_EXPLORATION):
            raise BadEngine(
                f"an exploration of {exploration}; it lies between 0 and {MOST_EXPLORATION:g}",
                "error.exploration",
                exploration=str(exploration),
                most=f"{MOST_EXPLORATION:g}",
            )
        if not 0 <= seed <= LARGEST_SEED:
            text = f"a seed of {seed}; seeds are 0 to {LARGEST_SEED}"
            raise BadEngine(text, "error.seed", seed=seed, most=LARGEST_SEED)
        return
    if algorithm not in KERNELS:
        listed = f"searches that can be watched are {', '.join(ALGORITHMS)}"
        raise BadEngine(
            f"no trace of '{shortened(algorithm)}'; {did_you_mean(algorithm, ALGORITHMS, listed)}"
        )
    if not 1 <= depth <= MOST_DEPTH:
        text = f"a depth of {depth}; a search can be watched 1 to {MOST_DEPTH} plies deep"
        raise BadEngine(text, "error.watched_depth", depth=depth, most=MOST_DEPTH)
    KERNELS[algorithm][0](heuristic=_heuristic(position, heuristic)).check(position.rules)


def most_nodes(position: Position) -> int:
    """How many positions of minimax and alpha-beta can be recorded on this board."""
    return min(MOST_NODES, MOST_NODE_CELLS // _cells(position))


def most_iterations(position: Position) -> int:
    """How many iterations of Monte-Carlo search can be recorded on this board."""
    return min(MOST_ITERATIONS, max(1, MOST_PLAYOUT_CELLS // _cells(position)))


def _cells(position: Position) -> int:
    cells = position.rules.picture(position.state()).cells
    return max(1, sum(map(len, cells)))


def _heuristic(position: Position, name: str) -> str:
    return position.rules.heuristic if name == "auto" else name


def _advice(position: Position, algorithm: str, depth: int, heuristic: str, stop: Stop) -> TooLarge:
    """Suggest the largest depth whose tree fits, found by trying, in place of one that is too
    large."""
    fitting, most = 0, most_nodes(position)
    for smaller in range(1, depth):
        try:
            record(position, algorithm, smaller, heuristic, most, stop)
        except TooLarge:
            break
        fitting = smaller
    wrong = f"{algorithm} visits more than {most:,} positions here at depth {depth}, too many to be shown"
    text = (
        f"{wrong}; depth {fitting} fits"
        if fitting
        else f"{wrong}; choose a smaller board or a position with fewer moves"
    )
    return TooLarge(
        text,
        f"error.tree_{'too_large' if fitting else 'never_fits'}",
        algorithm=algorithm,
        most=f"{most:,}",
        depth=depth,
        fitting=fitting,
    )
