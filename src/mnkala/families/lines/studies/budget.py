"""Report 001's player against the alternatives that the report tried and dropped.

It dropped five other players (MCTS, the best cell without a search, pure alpha-beta, five rules,
iterative deepening) and, within the player, a look at the clock in every node, which it replaced by
a budget of nodes that is learnt and shared out. The rivals here are at least as good as the
report's: all search in compiled code with the same heuristic, MCTS and deepening only near marks,
deepening with a table.

A clock that ends the search is measured in two ways. In real time we count the root moves that each
player reaches. Games are played at equal nodes, so that they are the same on every machine:
`ClockPlayer` is stopped in the node in which the clock would stop it.
"""

from __future__ import annotations

import dataclasses
import functools
import time
from statistics import fmean, median

from mnkala.core import Position
from mnkala.lab.judging import (
    Sentences,
    by_verdict,
    carried,
    grouped,
    having,
    results,
    verdict,
    where,
)
from mnkala.lab.measuring import (
    MeasuredPlayer,
    engine_for,
    games_between,
    position_of,
    rivals_seconds,
    seconds_a_node,
    seed_of_pair,
    series,
    summary,
)
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, brief, claim, finding, judged, measure
from mnkala.play.series import SeriesResult
from mnkala.search import Analysis, Engine, Limit
from mnkala.search.budget import Budget, BudgetSearcher
from mnkala.search.budget_plan import BudgetPlan, RootMoveTask
from mnkala.search.root import RootNode, Task

RIVALS = {
    "MCTS": "mcts:exploration=1.0,seed={seed}",
    "greedy": "greedy:heuristic=criticality",
    "pure alpha-beta": "alphabeta:heuristic=criticality,candidates=all",
    "five rules": "rules",
    "iterative deepening": "deepening:heuristic=criticality",
}
"""The players that the report dropped, as our engines. Alpha-beta looks at all cells in their
order, to one depth after another while it has nodes.
"""
WITHOUT_CLOCK = ("greedy", "five rules")
"""Rivals that do not search and take the time that they need."""
USUAL_DEPTH = 10
"""Stands for the report's own depth, which it does not give."""


@measure("dropped-rival", version=1)
def dropped_rival(*, game: str, rival: str, milliseconds: float, games: int, seed: int = 1) -> Row:
    """Report 001's player against one that it dropped, both with the same processor time for a move
    (those that do not search take less).
    """
    limit = f"time {milliseconds} ms"
    played = series(
        game,
        ("budget", limit),
        (RIVALS[rival], "" if rival in WITHOUT_CLOCK else limit),
        games,
        seed_of_pair(seed, "budget", rival),
        1000 * seed,
    )
    return {"cells": Position(game).rules.most_moves(), **summary(played)}


# ---- A budget of nodes, or a look at the clock in every node ----


class ClockPlan(BudgetPlan):
    """Searches one root move after the other to the same depth; the move that the clock interrupts
    has no result.
    """

    def done(self, errand: RootMoveTask, used: int, node: RootNode | None) -> None:
        """Drop the result of a move that the clock interrupted."""
        super().done(errand, used, None if used >= errand.nodes else node)


@dataclasses.dataclass(frozen=True)
class ByClock(Budget):
    """Report 001's player before it had a budget: alpha-beta over the q best moves, until the clock
    stops it after so many nodes.
    """

    def run(self, task: Task) -> Analysis:
        nodes, depth = task.limit.nodes or 1, min(USUAL_DEPTH, task.rules.longest_game())
        searcher = BudgetSearcher(self, task, depth)
        plan = ClockPlan(
            [node.move for node in searcher.root.nodes],
            depth,
            depth,
            nodes,
            nodes,
            shared_out=False,
        )
        searcher.work(plan)
        return self._answer(plan, [searcher])


class ClockPlayer(MeasuredPlayer):
    """A player that searches as `ByClock` does."""

    def __init__(self, nodes: int) -> None:
        super().__init__("budget")
        self.engine = Engine(ByClock(), Limit(nodes=nodes))


@measure("budget-against-clock", version=1)
def budget_against_clock(*, game: str, depth: str, nodes: int, games: int, seed: int = 1) -> Row:
    """Nodes that are shared out against a clock in every node, at equal nodes for a move and with
    the same q: with the same fixed depth, so that only the sharing differs, or with the depth that
    the nodes can fill, as the player uses it.
    """
    one = f"budget:nodes={nodes}" + (f",depth={USUAL_DEPTH}" if depth == "fixed" else "")
    rules = Position(game).rules
    played = games_between(
        rules,
        lambda number: (MeasuredPlayer(one), ClockPlayer(nodes)),
        games,
        seed_of_pair(seed, "budget", "clock"),
    )
    return {"cells": rules.most_moves(), **summary(played)}


@measure("root-moves-in-time", version=1)
def root_moves_in_time(
    *, game: str, milliseconds: float, positions: int = 12, plies: int = 6
) -> list[Row]:
    """The nodes and root moves that each player reaches in the same real time, in turns, and the
    cost of a look at the clock.
    """
    limit = Limit(time=milliseconds / 1000)
    boards = [position_of(game, plies, seed) for seed in range(1, positions + 1)]
    engines = {
        name: engine_for(text, boards[0])
        for name, text in (("budget", "budget"), ("clock", "budget:clock=node"))
    }
    for engine in engines.values():
        engine.analyse(boards[0], limit)  # learns the speed of the machine
    found: dict[str, list[tuple[int, int, float]]] = {name: [] for name in engines}
    for board in boards:
        for name, engine in engines.items():
            started = time.perf_counter()
            analysis = engine.analyse(board, limit)
            found[name].append((analysis.nodes, len(analysis.moves), time.perf_counter() - started))
    search = engines["budget"].search
    assert isinstance(search, Budget)
    cost = {"clock_ns": clock_nanoseconds(), "node_ns": node_nanoseconds(boards)}
    return [
        {
            "player": name,
            "cells": boards[0].rules.most_moves(),
            "root_moves": search.at_root(boards[0].rules).amount,
            "nodes": median(nodes for nodes, _, _ in some),
            "looked_at": fmean(moves for _, moves, _ in some),
            "looked_at_least": min(moves for _, moves, _ in some),
            "used": median(seconds for _, _, seconds in some) / (limit.time or 1),
            **cost,
        }
        for name, some in found.items()
    ]


def clock_nanoseconds(calls: int = 2000, repeats: int = 9) -> float:
    """The cost of a look at the clock at most: from Python, without the cost of the empty loop."""

    def look() -> None:
        clock = time.perf_counter
        for _ in range(calls):
            clock()

    def nothing() -> None:
        for _ in range(calls):
            pass

    asked, idle = rivals_seconds([look, nothing], repeats, 0.002)
    return 1e9 * median(one - other for one, other in zip(asked, idle, strict=True)) / calls


def node_nanoseconds(boards: list[Position], nodes: int = 4000) -> float:
    """The time for a node of the search."""
    return 1e9 * median(seconds_a_node(f"budget:nodes={nodes}", board) for board in boards[:5])


# ---- What the rows say ----


SAY = Sentences(__file__)
REASONS = {
    "MCTS": "MCTS, which gets too few simulations in the time",
    "greedy": "the best cell without a search, which cannot plan",
    "pure alpha-beta": "pure alpha-beta, which takes too long on large boards",
    "five rules": "five rules and no search",
    "iterative deepening": "iterative deepening, which does not see enough of the tree",
}
"""Why the report dropped each player."""
CLEARLY_OVER = 1.1
"""A move that takes more than its time by this factor is clearly over."""


@finding("budget")
def in_words(rows: list[Row]) -> str:
    """Say whom the report's player beats, and whether it plays better than with a clock in every
    node; then what the clock misses and costs."""
    rivals, moves, clock = (where(rows, part=part) for part in ("rivals", "moves", "clock"))
    cost = max((row["clock_ns"] / row["node_ns"] for row in having(moves, "node_ns")), default=None)
    return SAY.finding(
        rivals=_all_rivals(rivals),
        exceptions=_exceptions(rivals),
        seen=_compared(moves),
        cost=cost,
        clock={
            depth: _by_side(results(where(clock, depth=depth), "game"))
            for depth in ("filled", "fixed")
        },
    )


@brief(
    "budget", report="001", plot="Share of points of report 001's player against what it dropped"
)
def in_brief(rows: list[Row]) -> Row:
    """The shares of the report's player against the rival that does best against it and against the
    one that does worst."""
    shares = [each.share for each in results(where(rows, part="rivals"), "rival").values()]
    return {
        "rivals": len(shares),
        "least": round(100 * min(shares)),
        "most": round(100 * max(shares)),
    }


# ---- The players that were dropped ----


def _by_side(results: dict[str, SeriesResult]) -> dict[str, list[tuple[str, float]]]:
    """Group players and their shares by whether the result is clear, and on which side; empty
    without results."""
    return (
        {
            side: [(name, results[name].share) for name in names]
            for side, names in by_verdict(results).items()
        }
        if results
        else {}
    )


def _all_rivals(rows: list[Row]) -> Row | None:
    """Summarise the rivals: on how many boards they were met, which of them have no clock, and how
    each fared on all boards added up."""
    by_rival = results(rows, "rival")
    return (
        {
            "boards": len(grouped(rows, "game")),
            "untimed": [name for name in WITHOUT_CLOCK if name in by_rival],
            **_by_side(by_rival),
        }
        if by_rival
        else None
    )


def _exceptions(rows: list[Row]) -> list[tuple[str, int, int, list[str]]]:
    """The single matches in which the player is not clearly ahead."""
    matches = results(rows, "rival", "game")
    sure = by_verdict(matches)
    return [
        (
            words,
            len(sure[side]),
            len(matches),
            list(dict.fromkeys(board for _, board in sure[side])),
        )
        for side, words in (("behind", "clearly lost"), ("undecided", "undecided"))
        if sure[side]
    ]


def judge_rival(rows: list[Row], *, rival: str) -> Judgement:
    """Judge the claim about one rival: reproduced if the results on the boards show it, refuted if
    the player is clearly behind on one board or on all boards added up."""
    boards = results(where(rows, rival=rival), "game")
    if not boards:
        return NOT_TOLD
    sure, result = by_verdict(boards), sum(boards.values(), SeriesResult())
    return judged(
        carried(boards.values())[0],
        verdict(result) == "behind" or bool(sure["behind"]),
        SAY.rival(
            result=result, boards=len(boards), behind=sure["behind"], undecided=sure["undecided"]
        ),
    )


for _rival, _words in REASONS.items():
    claim("budget", report="001", says=f"its player beats {_words}", part="rivals")(
        functools.partial(judge_rival, rival=_rival)
    )


# ---- The clock: root moves seen, and time used ----


def _seen(rows: list[Row]) -> dict[tuple[str, float], dict[str, float]]:
    """For each board and time limit, the share of the root moves that each player looked at."""
    found = {
        case: {row["player"]: row["looked_at"] / row["root_moves"] for row in some}
        for case, some in grouped(rows, "game", "milliseconds").items()
    }
    return {case: parts for case, parts in found.items() if len(parts) == 2}


def _compared(rows: list[Row]) -> Row:
    """Compare a clock with the budget: in which cases the clock sees fewer root moves, as many, or
    more, the largest difference first."""
    seen = _seen(rows)
    found: Row = {"cases": len(seen), "fewer": [], "same": [], "more": []}
    for (game, milliseconds), parts in sorted(
        seen.items(), key=lambda item: -abs(item[1]["clock"] - item[1]["budget"])
    ):
        name = (
            "fewer"
            if parts["clock"] < parts["budget"]
            else "more"
            if parts["clock"] > parts["budget"]
            else "same"
        )
        found[name].append({"game": game, "milliseconds": milliseconds, **parts})
    return found


@claim(
    "budget",
    report="001",
    says="with a clock in every node it risks to search few of the root moves",
    part="moves",
)
def few_root_moves(rows: list[Row]) -> Judgement:
    """Judge by the root moves that each player looked at: reproduced if the clock sees fewer than
    the budget in most cases and more in none, refuted if it sees fewer in none."""
    seen = _compared(rows)
    if not seen["cases"]:
        return NOT_TOLD
    return judged(
        2 * len(seen["fewer"]) > seen["cases"] and not seen["more"],
        not seen["fewer"],
        SAY.root_moves(seen=seen),
    )


def _used(rows: list[Row], player: str) -> dict[float, list[float]]:
    """For each time limit, the shares of it that a move took, one for each board, in increasing
    order."""
    some = grouped(having(where(rows, player=player), "used"), "milliseconds")
    return {time: sorted(float(row["used"]) for row in one) for time, one in some.items()}


@claim("budget", report="001", says="the calibrated budget keeps within the time", part="moves")
def keeps_the_time(rows: list[Row]) -> Judgement:
    """Judge by the time that moves took: reproduced if the player exceeds the limit on no board,
    refuted if under some limit it exceeds it by more than a tenth on most boards."""
    used, by_clock = _used(rows, "budget"), _used(rows, "clock")
    if not used:
        return NOT_TOLD
    shortest = min(used)
    return judged(
        all(parts[-1] <= 1 for parts in used.values()),
        any(2 * sum(part > CLEARLY_OVER for part in parts) > len(parts) for parts in used.values()),
        SAY.time(
            used=list(used.items()),
            clock=(shortest, by_clock[shortest]) if shortest in by_clock else None,
        ),
    )


@claim(
    "budget",
    report="001",
    says="nodes shared out by a budget serve it better than a clock in every node",
    part="clock",
)
def budget_is_better(rows: list[Row]) -> Judgement:
    """Judge by the results on all boards, at equal nodes and depth, so that only the sharing of
    nodes differs."""
    boards = results(where(rows, depth="fixed"), "game")
    if not boards:
        return NOT_TOLD
    return judged(*carried(boards.values()), SAY.budget_or_clock(results=list(boards.items())))
