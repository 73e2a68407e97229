"""Report 001's move ordering: how the q best moves are chosen, and which q and depth play best.

The report says that a heap of q moves let its player look at five to six times as many moves in the same time, and chose q (7 on small
boards, 3 on large ones) and the depth by hand; learning them is its future work. Matches at equal CPU time learn them here: what each
player visits in the time is first measured, and it then gets that many nodes a move. So neither other processes nor the ticking of a
clock decide a game.
"""

from __future__ import annotations

import functools
from statistics import median

import numpy as np

from mnkala.lab.clock import cpu_seconds, median_interval, rivals_seconds
from mnkala.lab.matches import Player, games_between, summary
from mnkala.lab.positions import answer, engine_for, position_of
from mnkala.lab.registry import Row, measure
from mnkala.lab.strength import pairs_column
from mnkala.native import kernel
from mnkala.native.objects import IntArray
from mnkala.play.series import play_series
from mnkala.search.budget import Budget
from mnkala.search.selection import SELECTIONS, select_best

BASE = "sort"
"""What the other ways of choosing are compared with: the one that the report started from."""

HAND_CHOSEN = ((25, 7), (64, 6), (169, 5), (400, 4))
HAND_LEAST, HAND_DEPTH = 3, 10
"""The opponent of every candidate: q from 7 on small boards to 3 on large ones, as the report says, by the number of cells up to which
each holds (our reading), and a depth of 10 (the report's is not given). Fixed here, so that learning does not move the goal."""


FIRST_NODES, CORRECTIONS = 2000, 3
"""To learn how many nodes a player visits in a given time: the first guess, and how often it is corrected."""


@measure("selection-speed", version=1)
def selection_speed(game: str, q: int, depth: int = 8, nodes: int = 4000, positions: int = 3, plies: int = 6,
                    repeats: int = 5) -> list[Row]:
    """Nodes a CPU second of report 001's player, with each way of choosing the q best moves; they take turns."""
    rates: dict[str, list[float]] = {select: [] for select in SELECTIONS}
    for seed in range(1, positions + 1):
        position = position_of(game, plies, seed)
        engines = [engine_for(f"budget:select={select},q={q},depth={depth},nodes={nodes}", position) for select in SELECTIONS]
        visited = [answer(engine, position).nodes for engine in engines]
        spent = rivals_seconds([functools.partial(answer, engine, position) for engine in engines], repeats)
        for select, nodes_of, all_seconds in zip(SELECTIONS, visited, spent, strict=True):
            rates[select] += [nodes_of / seconds for seconds in all_seconds]
    cells = position_of(game, 0, 0).rules.most_moves()
    rows = []
    for select, some in rates.items():
        ratios = [mine / base for mine, base in zip(some, rates[BASE], strict=True)]
        low, high = median_interval(ratios)
        rows.append({"select": select, "cells": cells, "nodes_per_second": median(some), "times_sort": median(ratios),
                     "times_sort_low": low, "times_sort_high": high})
    return rows


@kernel
def choose_often(scores: IntArray, wanted: int, selection: int, rounds: int, moves: IntArray, work: IntArray) -> int:
    """Choose the best moves again and again, from other scores each time."""
    total, cells = 0, len(moves)
    for turn in range(rounds):
        for i in range(cells):
            moves[i] = i
            work[i] = scores[turn % len(scores), i]
        total += select_best(moves, work, cells, wanted, selection) + moves[0]
    return total


@measure("selection-alone", version=1)
def selection_alone(cells: int, q: int, rounds: int = 200, repeats: int = 7, seed: int = 1) -> list[Row]:
    """Nanoseconds to choose the q best of so many cells by random scores, without any search around it."""
    scores = np.random.default_rng(seed).integers(0, 10_000, (64, cells))
    moves, work = np.zeros(cells, np.int64), np.zeros(cells, np.int64)
    names = [name for name in SELECTIONS if name != "none"]
    works = [functools.partial(choose_often, scores, q, SELECTIONS[name], rounds, moves, work) for name in names]
    for one in works:
        one()
    spent = rivals_seconds(works, repeats, 0.005)
    base = spent[names.index(BASE)]
    rows = []
    for name, seconds in zip(names, spent, strict=True):
        low, high = median_interval(seconds)
        rows.append({"select": name, "ns": 1e9 * median(seconds) / rounds, "ns_low": 1e9 * low / rounds, "ns_high": 1e9 * high / rounds,
                     "times_sort": median(b / t for b, t in zip(base, seconds, strict=True))})
    return rows


@measure("branching-match", version=1)
def branching_match(game: str, q: int, depth: int, seed: int, seconds: float = 0.01, games: int = 8, plies: int = 4) -> Row:
    """A match at equal CPU time: a player of this q and depth against one with the report's hand-chosen q and depth 10."""
    cells = position_of(game, 0, 0).rules.most_moves()
    hand = _hand_chosen(cells)
    nodes = _nodes_in(game, q, depth, seconds)
    one = f"budget:q={q},depth={depth},nodes={nodes}"
    other = f"budget:q={hand},depth={HAND_DEPTH},nodes={_nodes_in(game, hand, HAND_DEPTH, seconds)}"
    result = play_series(game, one, other, games, plies=plies, seed=1000 * seed)
    low, high = result.interval
    return {"cells": cells, "hand_q": hand, "nodes": nodes, "wins": result.wins, "draws": result.draws, "losses": result.losses,
            "pairs": pairs_column(result), "share": result.share, "low": low, "high": high}


@measure("filled-depth", version=1)
def filled_depth(game: str, fill: float, nodes: int, seed: int, q: int = 0, games: int = 100) -> Row:
    """A match at equal nodes a move: a player whose depth is the one that they fill, by the factor `fill`, against one of depth 10.

    With q = 0 both have the report's hand-chosen q, so that nothing but the depth differs; nodes then cost both the same time.
    """
    rules = position_of(game, 0, 0).rules
    hand = _hand_chosen(rules.most_moves())
    filling = Budget(q=q or hand, fill=fill)
    pair = f"budget:q={filling.q},fill={fill},nodes={nodes}", f"budget:q={hand},depth={HAND_DEPTH},nodes={nodes}"
    row = summary(games_between(rules, lambda number: (Player(pair[0]), Player(pair[1])), games, 1000 * seed))
    return {"moves": rules.most_moves(), "hand_q": hand, "filled_depth": filling.depth_for(rules, nodes), **row}


def _hand_chosen(cells: int) -> int:
    return next((least for most, least in HAND_CHOSEN if cells <= most), HAND_LEAST)


@functools.lru_cache(maxsize=1000)
def _nodes_in(game: str, q: int, depth: int, seconds: float) -> int:
    """Nodes that a player visits in so many CPU seconds, to two digits, so that matches hardly change from run to run.

    Each decision costs something besides its nodes, so the speed is measured at about the number of nodes that it is wanted for.
    """
    nodes = FIRST_NODES
    for _ in range(CORRECTIONS):
        rates = []
        for seed in (1, 2, 3):
            position = position_of(game, 6, seed)
            engine = engine_for(f"budget:q={q},depth={depth},nodes={nodes}", position)
            visited = answer(engine, position).nodes
            rates.append(visited / cpu_seconds(functools.partial(answer, engine, position), 0.02))
        nodes = max(10, int(float(f"{median(rates) * seconds:.1e}")))
    return nodes
