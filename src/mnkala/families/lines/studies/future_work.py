"""What report 001 leaves as future work for its player: updates in O(k), a learnt q, and threads.

- *Updates*: `criticality` updates the worth of all cells in one sweep along each line through a
  mark, in O(k); `criticality-by-cell` looks again at every window of every cell there, in O(k²), as
  the report does. Both give the same numbers (`search/criticality.py`).
- *q*: the number of moves that are looked at in each position. The report's, chosen by hand, go
  from 7 on small boards to 3 on large ones; ours were learnt from games (`search/budget.py`). Games
  are played at equal nodes and with the depth that these fill, so that only q differs.
- *Threads*: two threads take root moves in turn. Nodes in the same real time show the gain if both
  cores are free; nodes per second of processor time show how much two threads slow each other down,
  even if the cores are busy.
"""

from __future__ import annotations

import functools
import os
from statistics import median
from typing import Any

import numpy as np

from mnkala.core import Position
from mnkala.families.lines.rules import build
from mnkala.lab.judging import (
    Sentences,
    by_verdict,
    carried,
    grouped,
    growth,
    median_columns,
    result_of,
    results,
    verdict,
    where,
)
from mnkala.lab.measuring import (
    alone,
    clocked,
    engine_for,
    position_of,
    rivals_rates,
    rivals_seconds,
    seed_of_pair,
    series,
    summary,
)
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, claim, finding, judged, measure
from mnkala.lab.studies.ordering import hand_chosen
from mnkala.native import kernel
from mnkala.native.objects import IntArray
from mnkala.play.series import SeriesResult
from mnkala.search import Limit
from mnkala.search.budget import Budget
from mnkala.search.heuristic import Nothing, heuristic_for
from mnkala.search.root import begin

UPDATES = {"O(k)": "criticality", "O(k²)": "criticality-by-cell"}
"""The two ways to update the worth of cells, by the cost of a mark."""
LONGEST_LINE = 24
"""The number of marks in the line of play along which updates are timed."""
LEARNT = "learnt"


# ---- Updates ----


@kernel
def play_line(
    rules: Any, heuristic: Any, state: Any, memory: Any, line: IntArray, rounds: int
) -> int:
    """Play a line of moves and take it back, again and again, and update the heuristic with each
    move.
    """
    for _ in range(rounds):
        for move in line:
            rules.play(state, move)
            heuristic.played(rules, state, move, memory)
        for i in range(len(line) - 1, -1, -1):
            heuristic.undone(rules, state, line[i], memory)
            rules.undo(state, line[i])
    return rounds


@measure("update-cost", version=1)
def update_cost(
    *, side: int, k: int, repeats: int = 9, seconds: float = 0.005, nodes: int = 3000, seed: int = 1
) -> list[Row]:
    """The nanoseconds to update the heuristic after a mark on a square board, without the cost of
    playing the mark, and the nodes per second of processor time that report 001's player visits
    with it.
    """
    rules = build(side, side, k)
    line = np.random.default_rng(seed).permutation(side * side)[:LONGEST_LINE].astype(np.int64)
    works = []
    for heuristic in (Nothing(), *(heuristic_for(name, rules) for name in UPDATES.values())):
        state = Position(rules).state()
        memory = (
            begin(rules, heuristic, state) if heuristic.in_place else heuristic.begin(rules, state)
        )
        works.append(
            functools.partial(play_line, rules, heuristic, state, memory, line, _rounds(seconds, k))
        )
    for work in works:
        work()
    bare, *spent = rivals_seconds(works, repeats, seconds)
    changes = 2 * len(line) * _rounds(seconds, k)
    of_all = {
        name: [1e9 * (one - none) / changes for one, none in zip(some, bare, strict=True)]
        for name, some in zip(UPDATES, spent, strict=True)
    }
    engines = [f"budget:heuristic={name},q=4,nodes={nodes}" for name in UPDATES.values()]
    rates = dict(
        zip(
            UPDATES,
            rivals_rates(engines, position_of(f"mnk:{side}x{side}x{k}", 6, 1), repeats),
            strict=True,
        )
    )
    base, base_rates = of_all["O(k)"], rates["O(k)"]
    return [
        {
            "update": name,
            **median_columns("ns", some),
            **median_columns(
                "slower", [mine / theirs for mine, theirs in zip(some, base, strict=True)]
            ),
            "nodes_per_second": median(rates[name]),
            **median_columns(
                "slower_search",
                [theirs / mine for mine, theirs in zip(rates[name], base_rates, strict=True)],
            ),
        }
        for name, some in of_all.items()
    ]


def _rounds(seconds: float, k: int) -> int:
    """The number of rounds that last a good part of the time, by a rough guess of 100 ns for a cell
    of a window.
    """
    return max(1, int(seconds / (2 * LONGEST_LINE * k * 200e-9)))


# ---- q ----


@measure("q-match", version=1)
def q_match(*, game: str, one: int, other: int, nodes: int, games: int, seed: int = 1) -> Row:
    """A q against another (0: the learnt one) at equal nodes for a move, each with the depth that
    its nodes fill.
    """
    rules = Position(game).rules
    learnt, hand = Budget().branching(rules), hand_chosen(rules.most_moves())
    qs = one or learnt, other or learnt
    pair = [f"budget:q={q},nodes={nodes}" for q in qs]
    played = series(game, (pair[0], ""), (pair[1], ""), games, seed_of_pair(seed, *pair))
    return {
        "cells": rules.most_moves(),
        "learnt_q": learnt,
        "hand_q": hand,
        "opponent": LEARNT if other == 0 else f"q = {other}",
        **summary(played),
    }


# ---- Threads ----


@measure("budget-threads", version=1)
def budget_threads(
    *, game: str, milliseconds: float, positions: int = 6, rounds: int = 5, plies: int = 6
) -> Row:
    """Measure how many times more nodes two threads visit than one in the same real time. The two
    take turns, while no other measurement that needs all cores runs."""
    limit = Limit(time=milliseconds / 1000)
    boards = [position_of(game, plies, seed) for seed in range(1, positions + 1)]
    engines = [engine_for(f"budget:threads={threads}", boards[0]) for threads in (1, 2)]
    nodes, by_cpu, busy = [], [], []
    with alone():
        for engine in engines:
            engine.analyse(boards[0], limit)
        for board in boards * rounds:
            (_, one_cpu, one), (seconds, two_cpu, two) = (
                clocked(functools.partial(engine.analyse, board, limit)) for engine in engines
            )
            nodes.append(two / one)
            by_cpu.append(2 * (two / two_cpu) / (one / one_cpu))
            busy.append(two_cpu / seconds)
    return {
        "cells": boards[0].rules.most_moves(),
        "cores": os.cpu_count() or 1,
        **median_columns("speed_up", nodes),
        **median_columns("by_processor", by_cpu),
        "cores_used": median(busy),
    }


# ---- What the rows say ----


SAY = Sentences(__file__)
FREE_CORES = 1.8
"""Two threads that got fewer cores than this were slowed down by other work or by each other: the
nodes they visited are a lower bound.
"""
MANY, FEW = 7, 3
"""The largest and the smallest q of the report."""


@finding("future-work")
def in_words(rows: list[Row]) -> str:
    """Describe the gain from each change, then how the cost of updates grows, and which q suits
    which board."""
    updates, speeds, matches = (where(rows, part=part) for part in ("updates", "threads", "q"))
    learnt, constant, many = _learnt(matches), _constant(matches), _many_against_few(matches)
    better, worse = carried(learnt.values())
    slow = where(updates, update="O(k²)")
    return SAY.finding(
        updates=[end(slow, key=lambda row: float(row["slower_search"])) for end in (min, max)]
        if slow
        else [],
        powers=_growing(updates),
        threads=_threads(speeds) if speeds else None,
        many=_sides(many) if many else None,
        learnt={"sure": "better" if better else "worse" if worse else "", "shares": _shares(learnt)}
        if learnt
        else None,
        constant={"games": list(learnt), "q": FEW, "share": constant.share}
        if constant.games
        else None,
    )


# ---- Updates ----


def _growing(rows: list[Row]) -> Row | None:
    """How much the cost of each kind of update grows with k, on the largest board, where the edge is
    far away; None with fewer than three values of k."""
    largest = [row for row in rows if row["side"] == max(int(one["side"]) for one in rows)]
    if len({row["k"] for row in largest}) < 3:
        return None
    by_update = [
        (name, growth(group, "k", "ns")) for name, group in grouped(largest, "update").items()
    ]
    return {"side": largest[0]["side"], "by_update": by_update}


@claim(
    "future-work",
    report="001",
    says="the heuristic can be kept up to date in O(k) instead of O(k²)",
    part="updates",
)
def updates_in_o_of_k(rows: list[Row]) -> Judgement:
    """Judge by the times of an update: the sweep must be faster on every board and for every k, and
    by more for longer lines."""
    slow = where(rows, update="O(k²)")
    lengths = sorted({int(row["k"]) for row in slow})
    if len(lengths) < 2:
        return NOT_TOLD
    by_side = [
        sorted(some, key=lambda row: int(row["k"])) for some in grouped(slow, "side").values()
    ]
    ratios = [
        (k, median(row["slower"] for row in slow if row["k"] == k))
        for k in (lengths[0], lengths[-1])
    ]
    return judged(
        all(row["slower_low"] > 1 for row in slow)
        and all(some[-1]["slower_low"] > some[0]["slower_high"] for some in by_side),
        any(row["slower_high"] < 1 for row in slow),
        SAY.in_o_of_k(ratios=ratios),
    )


# ---- q ----


def _shares(results: dict[str, SeriesResult]) -> list[tuple[str, float]]:
    return [(game, result.share) for game, result in results.items()]


def _differing(rows: list[Row]) -> list[Row]:
    """The rows of matches between the learnt and the hand-chosen q, on boards where the two
    differ."""
    return [
        row
        for row in where(rows, opponent=LEARNT)
        if row["one"] == row["hand_q"] != row["learnt_q"]
    ]


def _learnt(rows: list[Row]) -> dict[str, SeriesResult]:
    """The result of the learnt q against the hand-chosen one, by board."""
    return {game: result.turned() for game, result in results(_differing(rows), "game").items()}


def _constant(rows: list[Row]) -> SeriesResult:
    """The result of one q for all boards against the learnt one, on boards where the learnt one
    differs from the hand-chosen one."""
    boards = _learnt(rows)
    return result_of(row for row in where(rows, opponent=LEARNT, one=FEW) if row["game"] in boards)


@claim(
    "future-work", report="001", says="learning can choose q better than experience does", part="q"
)
def learnt_is_better(rows: list[Row]) -> Judgement:
    """Judge by the boards where the learnt q differs from the hand-chosen one."""
    learnt, constant = _learnt(rows), _constant(rows)
    if not learnt:
        return NOT_TOLD
    boards = [
        (row["game"], learnt[row["game"]], row["learnt_q"], row["hand_q"])
        for row in _differing(rows)
    ]
    return judged(
        *carried(learnt.values()),
        SAY.learning(boards=boards, q=FEW, constant=constant if constant.games else None),
    )


def _many_against_few(rows: list[Row]) -> dict[str, SeriesResult]:
    """The result of q = 7 against q = 3 by board, from the smallest board to the largest."""
    return results(
        sorted(where(rows, one=MANY, other=FEW), key=lambda row: int(row["cells"])), "game"
    )


def _sides(boards: dict[str, SeriesResult]) -> Row:
    """The boards on which `MANY` is clearly better, clearly worse, and neither, each with its
    share."""
    sure = {
        side: _shares({name: boards[name] for name in names})
        for side, names in by_verdict(boards).items()
    }
    return {"q": MANY, "few": FEW, "boards": len(boards), **sure}


@claim(
    "future-work",
    report="001",
    says="many moves (q = 7) suit small boards and few (q = 3) large ones",
    part="q",
)
def many_on_small_boards(rows: list[Row]) -> Judgement:
    """Judge by two boards: q = 7 must be clearly better on the smallest and q = 3 on the
    largest."""
    boards = _many_against_few(rows)
    if len(boards) < 2:
        return NOT_TOLD
    small, *_, large = boards
    found = verdict(boards[small]), verdict(boards[large])
    return judged(
        found == ("ahead", "behind"),
        found[0] == "behind" or found[1] == "ahead",
        SAY.by_size(many=MANY, few=FEW, small=(small, boards[small]), large=(large, boards[large])),
    )


# ---- Threads ----


def _had_cores(rows: list[Row]) -> bool:
    return all(row["cores_used"] >= FREE_CORES for row in rows)


def _threads(rows: list[Row]) -> Row:
    """The smallest and the largest gain and, if some cores were busy, how many the threads really
    had."""
    return {
        "gain": [end(row["speed_up"] for row in rows) for end in (min, max)],
        "cores": int(rows[0]["cores"]),
        "had": []
        if _had_cores(rows)
        else [end(row["cores_used"] for row in rows) for end in (min, max)],
    }


@claim(
    "future-work",
    report="001",
    says="threads would let it explore more of the tree",
    part="threads",
)
def threads_see_more(rows: list[Row]) -> Judgement:
    """Judge by the nodes visited in the same time. Threads that were slowed down can show a gain,
    which would otherwise be larger, but they cannot show that there is none."""
    return judged(
        all(row["speed_up_low"] > 1 for row in rows),
        _had_cores(rows) and all(row["speed_up_high"] < 1 for row in rows),
        SAY.by_threads(threads=_threads(rows)),
    )
