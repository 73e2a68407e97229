"""Figure 1: bare alpha-beta beside OpenSpiel's, the same textbook search in Python over rules in
C++.

Both search Connect Four from the empty board to the same depth, try columns from left to right, and
call every position at the horizon even. So what is compared is the cost of a node: rules, recursion
and window.

How nodes are counted: every position visited, the root, finished games and the horizon included.
Ours counts the root once and every other position where the kernel enters it. OpenSpiel's function
is entered once for each position, the root too, so its calls are counted. That both count alike is
checked before anything is timed: with wins that are worth the same whenever they come, as OpenSpiel
has them, our search must visit exactly as many positions. (The engine that is timed prefers quick
wins and therefore walks a slightly different tree from depth 9 on; each side's rate is its own
nodes over its own time.)
"""

from __future__ import annotations

from typing import Any

from bench.measure import Effort, count_calls, cpu_seconds, in_turn
from bench.report import Row, Target, compared, not_installed

WHAT = "alpha-beta, zero evaluation, 6x7, OpenSpiel's in Python"
TARGET = Target(">=", 60)


def rows(effort: Effort) -> list[Row]:
    """The figure, or why there is none."""
    try:
        import pyspiel
        from open_spiel.python.algorithms import minimax
    except ImportError:
        return [not_installed(WHAT, "open_spiel", TARGET)]
    from mnkala.core import Position
    from mnkala.search import parse_engine

    depth = 11
    game = pyspiel.load_game("connect_four")
    position = Position("connect4")
    engine = parse_engine(f"alphabeta:heuristic=nothing,depth={depth}")
    engine.search.prepare(position.rules)

    def search_theirs() -> Any:
        return minimax.alpha_beta_search(game, value_function=even, maximum_depth=depth)

    our_nodes = engine.analyse(position).nodes
    their_nodes = count_calls(minimax, "_alpha_beta", search_theirs)
    same_tree = parse_engine(f"alphabeta:heuristic=nothing,depth={depth},win=1").analyse(position)
    if same_tree.nodes != their_nodes:
        raise AssertionError(
            f"nodes are not counted alike: {same_tree.nodes} here, {their_nodes} in OpenSpiel"
        )

    pairs = in_turn(
        lambda: our_nodes / cpu_seconds(lambda: engine.analyse(position)),
        lambda: their_nodes / cpu_seconds(search_theirs),
        effort.choose(5, full=11),
    )
    return [compared(f"{WHAT}, depth {depth}", "nodes/s", pairs, "ours/peer", TARGET)]


def even(state: object) -> int:
    """The value of every position at the horizon."""
    return 0
