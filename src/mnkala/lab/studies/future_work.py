"""What report 001 leaves as future work for its player: updates in O(k), a learnt q, and threads.

- *Updates*: `criticality` keeps the worth of all cells in one sweep along each line through a mark, O(k); `criticality-by-cell` looks anew
  at every window of every cell there, O(k²), as the report does. Both give the same numbers (`search/criticality.py`).
- *q*: how many moves are looked at in each position. The report's, chosen by hand, go from 7 on small boards to 3 on large ones; ours
  were learnt from games (`search/budget.py`). Games are at equal nodes and with the depth that they fill, so that only q differs.
- *Threads*: two threads take root moves in turn. Nodes in the same time on the wall tell what that brings if both cores are free, nodes a
  second of processor time what two threads lose on each other, even if they are not.
"""

from __future__ import annotations

import functools
import os
import time
from statistics import median
from typing import Any

import numpy as np

from mnkala.core import Position
from mnkala.families.lines.rules import build
from mnkala.lab.clock import alone, median_interval, rivals_seconds
from mnkala.lab.matches import Player, games_between, seed_of_pair, summary
from mnkala.lab.positions import answer, engine_for, position_of
from mnkala.lab.registry import Row, measure
from mnkala.native import kernel
from mnkala.native.objects import IntArray
from mnkala.search import Limit
from mnkala.search.budget import Budget
from mnkala.search.heuristic import Nothing, heuristic_for
from mnkala.search.root import begin

UPDATES = {"O(k)": "criticality", "O(k²)": "criticality-by-cell"}
"""The two ways to keep the worth of cells, by what a mark costs."""
LONGEST_LINE = 24
"""Marks of the line of play along which updates are timed."""
HAND = ((25, 7), (64, 6), (169, 5), (400, 4))
HAND_LEAST = 3
"""The report's q, from 7 to 3, by the number of cells up to which each holds (our reading). Fixed here, so that no learning moves it."""
LEARNT = "learnt"


# ---- Updates ----


@kernel
def play_line(rules: Any, heuristic: Any, state: Any, memory: Any, line: IntArray, rounds: int) -> int:
    """Play a line of moves and take it back, again and again, with the heuristic kept in step."""
    for _ in range(rounds):
        for move in line:
            rules.play(state, move)
            heuristic.played(rules, state, move, memory)
        for i in range(len(line) - 1, -1, -1):
            heuristic.undone(rules, state, line[i], memory)
            rules.undo(state, line[i])
    return rounds


@measure("update-cost", version=1)
def update_cost(*, side: int, k: int, repeats: int = 9, seconds: float = 0.005, nodes: int = 3000, seed: int = 1) -> list[Row]:
    """Nanoseconds to set the heuristic right after a mark, on a square board, less what playing the mark costs by itself; and nodes a
    second of processor time that report 001's player visits with it."""
    rules = build(side, side, k)
    line = np.random.default_rng(seed).permutation(side * side)[:LONGEST_LINE].astype(np.int64)
    works = []
    for heuristic in (Nothing(), *(heuristic_for(name, rules) for name in UPDATES.values())):
        state = Position(rules).state()
        memory = begin(rules, heuristic, state) if heuristic.in_place else heuristic.begin(rules, state)
        works.append(functools.partial(play_line, rules, heuristic, state, memory, line, _rounds(seconds, k)))
    for work in works:
        work()
    bare, *spent = rivals_seconds(works, repeats, seconds)
    changes = 2 * len(line) * _rounds(seconds, k)
    of_all = {name: [1e9 * (one - none) / changes for one, none in zip(some, bare, strict=True)]
              for name, some in zip(UPDATES, spent, strict=True)}
    rates = dict(zip(UPDATES, _nodes_a_second(f"mnk:{side}x{side}x{k}", nodes, repeats), strict=True))
    base, base_rates = of_all["O(k)"], rates["O(k)"]
    rows = []
    for name, some in of_all.items():
        low, high = median_interval(some)
        ratio = [mine / theirs for mine, theirs in zip(some, base, strict=True)]
        in_search = [theirs / mine for mine, theirs in zip(rates[name], base_rates, strict=True)]
        (ratio_low, ratio_high), (search_low, search_high) = median_interval(ratio), median_interval(in_search)
        rows.append({"update": name, "ns": median(some), "ns_low": low, "ns_high": high,
                     "slower": median(ratio), "slower_low": ratio_low, "slower_high": ratio_high,
                     "nodes_per_second": median(rates[name]), "slower_search": median(in_search), "slower_search_low": search_low,
                     "slower_search_high": search_high})
    return rows


def _rounds(seconds: float, k: int) -> int:
    """So many that one call lasts a good part of the time, by a rough guess of 100 ns a cell of a window."""
    return max(1, int(seconds / (2 * LONGEST_LINE * k * 200e-9)))


def _nodes_a_second(game: str, nodes: int, repeats: int) -> list[list[float]]:
    """Of the player with each kind of update; they take turns, so rates of a round belong together. Both search the same tree."""
    position = position_of(game, 6, 1)
    engines = [engine_for(f"budget:heuristic={name},q=4,nodes={nodes}", position) for name in UPDATES.values()]
    visited = [answer(engine, position).nodes for engine in engines]
    spent = rivals_seconds([functools.partial(answer, engine, position) for engine in engines], repeats)
    return [[count / one for one in some] for count, some in zip(visited, spent, strict=True)]


# ---- q ----


@measure("q-match", version=1)
def q_match(*, game: str, one: int, other: int, nodes: int, games: int, seed: int = 1) -> Row:
    """A q against another (0: the learnt one) at equal nodes a move, each with the depth that its nodes fill."""
    rules = Position(game).rules
    learnt, hand = Budget().branching(rules), hand_q(rules.most_moves())
    qs = one or learnt, other or learnt
    pair = [f"budget:q={q},nodes={nodes}" for q in qs]
    played = games_between(rules, lambda number: (Player(pair[0]), Player(pair[1])), games, seed_of_pair(seed, *pair))
    return {"cells": rules.most_moves(), "learnt_q": learnt, "hand_q": hand, "opponent": LEARNT if other == 0 else f"q = {other}",
            **summary(played)}


def hand_q(cells: int) -> int:
    """The report's q for a board, as we read it."""
    return next((q for most, q in HAND if cells <= most), HAND_LEAST)


# ---- Threads ----


@measure("budget-threads", version=1)
def budget_threads(*, game: str, milliseconds: float, positions: int = 6, rounds: int = 5, plies: int = 6) -> Row:
    """Nodes of one and of two threads in the same time on the wall, in turn, while no other measurement that asks for all cores runs."""
    limit = Limit(time=milliseconds / 1000)
    boards = [position_of(game, plies, seed) for seed in range(1, positions + 1)]
    engines = [engine_for(f"budget:threads={threads}", boards[0]) for threads in (1, 2)]
    nodes, by_cpu, busy = [], [], []
    with alone():
        for engine in engines:
            engine.analyse(boards[0], limit)
        for board in boards * rounds:
            one, two = (_spent(engine, board, limit) for engine in engines)
            nodes.append(two[0] / one[0])
            by_cpu.append(2 * (two[0] / two[1]) / (one[0] / one[1]))
            busy.append(two[1] / two[2])
    (low, high), (cpu_low, cpu_high) = median_interval(nodes), median_interval(by_cpu)
    return {"cells": boards[0].rules.most_moves(), "cores": os.cpu_count() or 1, "speed_up": median(nodes), "speed_up_low": low,
            "speed_up_high": high, "by_processor": median(by_cpu), "by_processor_low": cpu_low, "by_processor_high": cpu_high,
            "cores_used": median(busy)}


def _spent(engine: Any, board: Position, limit: Limit) -> tuple[int, float, float]:
    """Nodes, processor seconds of all threads, seconds on the wall."""
    started, cpu = time.perf_counter(), time.process_time()
    nodes = max(1, engine.analyse(board, limit).nodes)
    return nodes, max(1e-6, time.process_time() - cpu), max(1e-6, time.perf_counter() - started)
