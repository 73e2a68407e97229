"""Report 001's player against what the report tried and dropped.

Dropped were five other players (MCTS, the best cell without a search, pure alpha-beta, five rules, iterative deepening) and, within the
player, a look at the clock in every node in place of a budget of nodes that is learnt and shared out. The rivals here are at least as good
as the report's: all search in compiled code with the same heuristic, MCTS and deepening only near marks, deepening with a table.

A clock that ends the search is measured twice. In real time, the two players tell how many root moves they get to. Games are at equal
nodes, so that they are the same on every machine: `ClockPlayer` is stopped in the very node in which the clock would stop it.
"""

from __future__ import annotations

import dataclasses
import time
from statistics import fmean, median

from mnkala.core import Position
from mnkala.lab.clock import cpu_seconds, rivals_seconds
from mnkala.lab.matches import Player, games_between, player, seed_of_pair, summary
from mnkala.lab.positions import answer, engine_for, position_of
from mnkala.lab.registry import Row, measure
from mnkala.search import Analysis, Engine, Limit
from mnkala.search.budget import Budget, Searcher
from mnkala.search.budget_plan import Errand, Plan
from mnkala.search.root import RootNode, Task

RIVALS = {
    "MCTS": "mcts:exploration=1.0",
    "greedy": "greedy:heuristic=criticality",
    "pure alpha-beta": "alphabeta:heuristic=criticality,candidates=all",
    "five rules": "rules",
    "iterative deepening": "deepening:heuristic=criticality",
}
"""What the report dropped, as our engines. Alpha-beta looks at all cells as they come, to one depth after another while it has nodes."""
WITHOUT_CLOCK = ("greedy", "five rules")
"""Rivals that do not search, and take what they take."""
USUAL_DEPTH = 10
"""Where the report's own depth is needed, which it does not give."""


@measure("dropped-rival", version=1)
def dropped_rival(*, game: str, rival: str, milliseconds: float, games: int, seed: int = 1) -> Row:
    """Report 001's player against one that it dropped, both with the same processor time a move (those that do not search take less)."""
    limit = f"time {milliseconds} ms"

    def players(number: int) -> tuple[Player, Player]:
        fresh = f",seed={1000 * seed + number}" if rival == "MCTS" else ""
        return player(game, "budget", limit), player(game, f"{RIVALS[rival]}{fresh}", "" if rival in WITHOUT_CLOCK else limit)

    rules = Position(game).rules
    return {"cells": rules.most_moves(), **summary(games_between(rules, players, games, seed_of_pair(seed, "budget", rival)))}


# ---- A budget of nodes, or a look at the clock in every node ----


class ClockPlan(Plan):
    """Root moves wait their turn, each searched to the same depth; where the clock strikes, the move being searched tells nothing."""

    def done(self, errand: Errand, used: int, node: RootNode | None) -> None:
        """Within the move that the clock interrupts, nothing is known."""
        super().done(errand, used, None if used >= errand.nodes else node)


@dataclasses.dataclass(frozen=True)
class ByClock(Budget):
    """Report 001's player before it had its budget: alpha-beta over the q best moves, until the clock strikes at so many nodes."""

    def run(self, task: Task) -> Analysis:
        nodes, depth = task.limit.nodes or 1, min(USUAL_DEPTH, task.rules.longest_game())
        searcher = Searcher(self, task, depth)
        plan = ClockPlan([node.move for node in searcher.root.nodes], depth, depth, nodes, nodes, shared_out=False)
        searcher.work(plan)
        return self._answer(plan, [searcher])


class ClockPlayer(Player):
    """Plays as `ByClock`."""

    def __init__(self, nodes: int) -> None:
        super().__init__("budget")
        self.engine = Engine(ByClock(), Limit(nodes=nodes))


@measure("budget-against-clock", version=1)
def budget_against_clock(*, game: str, depth: str, nodes: int, games: int, seed: int = 1) -> Row:
    """Nodes shared out against a clock in every node, at equal nodes a move and with the same q: with the same fixed depth, where only
    the sharing differs, or with the depth that the nodes can fill, as the player is."""
    one = f"budget:nodes={nodes}" + (f",depth={USUAL_DEPTH}" if depth == "fixed" else "")
    rules = Position(game).rules
    played = games_between(rules, lambda number: (Player(one), ClockPlayer(nodes)), games, seed_of_pair(seed, "budget", "clock"))
    return {"cells": rules.most_moves(), **summary(played)}


@measure("root-moves-in-time", version=1)
def root_moves_in_time(*, game: str, milliseconds: float, positions: int = 12, plies: int = 6) -> list[Row]:
    """Nodes and root moves that either player gets to in the same time on the wall; they take turns. And what a look at the clock costs."""
    limit = Limit(time=milliseconds / 1000)
    boards = [position_of(game, plies, seed) for seed in range(1, positions + 1)]
    engines = {name: engine_for(text, boards[0]) for name, text in (("budget", "budget"), ("clock", "budget:clock=node"))}
    for engine in engines.values():
        engine.analyse(boards[0], limit)  # the speed of the machine is learnt here
    found: dict[str, list[tuple[int, int, float]]] = {name: [] for name in engines}
    for board in boards:
        for name, engine in engines.items():
            started = time.perf_counter()
            analysis = engine.analyse(board, limit)
            found[name].append((analysis.nodes, len(analysis.moves), time.perf_counter() - started))
    search = engines["budget"].search
    assert isinstance(search, Budget)
    cost = {"clock_ns": clock_nanoseconds(), "node_ns": node_nanoseconds(game, boards)}
    return [{"player": name, "cells": boards[0].rules.most_moves(), "root_moves": search.at_root(boards[0].rules).amount,
             "nodes": median(nodes for nodes, _, _ in some), "looked_at": fmean(moves for _, moves, _ in some),
             "looked_at_least": min(moves for _, moves, _ in some),
             "used": median(seconds for _, _, seconds in some) / (limit.time or 1), **cost} for name, some in found.items()]


def clock_nanoseconds(calls: int = 2000, repeats: int = 9) -> float:
    """What a look at the clock costs at most: asked from Python, less what the empty loop costs."""

    def look() -> None:
        clock = time.perf_counter
        for _ in range(calls):
            clock()

    def nothing() -> None:
        for _ in range(calls):
            pass

    asked, idle = rivals_seconds([look, nothing], repeats, 0.002)
    return 1e9 * median(one - other for one, other in zip(asked, idle, strict=True)) / calls


def node_nanoseconds(game: str, boards: list[Position], nodes: int = 4000) -> float:
    """What a node of the search costs."""
    spent = []
    for board in boards[:5]:
        engine = engine_for(f"budget:nodes={nodes}", board)
        visited = answer(engine, board).nodes
        spent.append(1e9 * cpu_seconds(lambda engine=engine, board=board: answer(engine, board)) / visited)  # type: ignore[misc]
    return median(spent)
