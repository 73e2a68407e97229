"""Report 001's move ordering: how the q best moves are chosen, and which q and depth play best.

The report says that a heap of q moves let its player look at five to six times as many moves in the
same time. It chose q (7 on small boards, 3 on large ones) and the depth by hand; learning them is
its future work. Here they are learned from matches at equal CPU time: the number of nodes that each
player visits in the time is measured first, and is then its limit for a move. So neither other
processes nor the ticking of a clock decide a game.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from statistics import median

import numpy as np

from mnkala.lab.judging import (
    Sentences,
    grouped,
    having,
    median_columns,
    pairs_column,
    result_of,
    results,
    verdicts,
    where,
)
from mnkala.lab.measuring import (
    position_of,
    rivals_rates,
    rivals_seconds,
    seconds_a_node,
    series,
    summary,
)
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, claim, finding, judged, measure
from mnkala.native import kernel
from mnkala.native.objects import IntArray
from mnkala.play.intervals import PAIR_SHARES
from mnkala.play.series import SeriesResult, play_series
from mnkala.search.budget import Budget, usual_fill
from mnkala.search.budget_plan import SELECTIONS, select_best

BASE = "sort"
"""The way of choosing with which the others are compared, and from which the report started."""

HAND_CHOSEN = ((25, 7), (64, 6), (169, 5), (400, 4))
HAND_LEAST, HAND_DEPTH = 3, 10
"""The opponent of every candidate has q from 7 on small boards to 3 on large ones, as the report
says, by the number of cells up to which each holds (our reading), and a depth of 10 (the report
does not give its own). It is fixed here, so that learning does not move the goal.
"""
FIRST_NODES, CORRECTIONS = 2000, 3
"""The first guess of the nodes that a player visits in a given time, and how often it is corrected."""


@measure("selection-speed", version=1)
def selection_speed(
    game: str,
    q: int,
    depth: int = 8,
    nodes: int = 4000,
    positions: int = 3,
    plies: int = 6,
    repeats: int = 5,
) -> list[Row]:
    """The nodes per CPU second of report 001's player with each way of choosing the q best moves;
    they take turns.
    """
    rates: dict[str, list[float]] = {select: [] for select in SELECTIONS}
    for seed in range(1, positions + 1):
        position = position_of(game, plies, seed)
        engines = [
            f"budget:select={select},q={q},depth={depth},nodes={nodes}" for select in SELECTIONS
        ]
        for select, some in zip(SELECTIONS, rivals_rates(engines, position, repeats), strict=True):
            rates[select] += some
    cells = position_of(game, 0, 0).rules.most_moves()
    return [
        {
            "select": select,
            "cells": cells,
            "nodes_per_second": median(some),
            **median_columns(
                "times_sort", [mine / base for mine, base in zip(some, rates[BASE], strict=True)]
            ),
        }
        for select, some in rates.items()
    ]


@kernel
def choose_often(
    scores: IntArray, wanted: int, selection: int, rounds: int, moves: IntArray, work: IntArray
) -> int:
    """Choose the best moves again and again, from other scores each time."""
    total, cells = 0, len(moves)
    for turn in range(rounds):
        for i in range(cells):
            moves[i] = i
            work[i] = scores[turn % len(scores), i]
        total += select_best(moves, work, cells, wanted, selection) + moves[0]
    return total


@measure("selection-alone", version=1)
def selection_alone(
    cells: int, q: int, rounds: int = 200, repeats: int = 7, seed: int = 1
) -> list[Row]:
    """The nanoseconds to choose the q best of so many cells with random scores, without a search
    around it.
    """
    scores = np.random.default_rng(seed).integers(0, 10_000, (64, cells))
    moves, work = np.zeros(cells, np.int64), np.zeros(cells, np.int64)
    names = [name for name in SELECTIONS if name != "none"]
    works = [
        functools.partial(choose_often, scores, q, SELECTIONS[name], rounds, moves, work)
        for name in names
    ]
    for one in works:
        one()
    spent = rivals_seconds(works, repeats, 0.005)
    base = spent[names.index(BASE)]
    return [
        {
            "select": name,
            **median_columns("ns", [1e9 * one / rounds for one in seconds]),
            "times_sort": median(b / t for b, t in zip(base, seconds, strict=True)),
        }
        for name, seconds in zip(names, spent, strict=True)
    ]


@measure("branching-match", version=1)
def branching_match(
    game: str, q: int, depth: int, seed: int, seconds: float = 0.01, games: int = 8, plies: int = 4
) -> Row:
    """A match at equal CPU time: a player with this q and depth against one with the report's
    hand-chosen q and depth 10.
    """
    cells = position_of(game, 0, 0).rules.most_moves()
    hand = hand_chosen(cells)
    nodes = _nodes_in(game, q, depth, seconds)
    one = f"budget:q={q},depth={depth},nodes={nodes}"
    other = f"budget:q={hand},depth={HAND_DEPTH},nodes={_nodes_in(game, hand, HAND_DEPTH, seconds)}"
    result = play_series(game, one, other, games, plies=plies, seed=1000 * seed)
    low, high = result.interval
    return {
        "cells": cells,
        "hand_q": hand,
        "nodes": nodes,
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "pairs": pairs_column(result),
        "share": result.share,
        "low": low,
        "high": high,
    }


@measure("filled-depth", version=1)
def filled_depth(
    game: str, fill: float, nodes: int, seed: int, q: int = 0, games: int = 100
) -> Row:
    """A match at equal nodes for a move: a player whose depth is the one that they fill, by the
    factor `fill`, against one with depth 10.

    With q = 0 both have the report's hand-chosen q, so that only the depth differs; then nodes take
    both the same time.
    """
    rules = position_of(game, 0, 0).rules
    hand = hand_chosen(rules.most_moves())
    filling = Budget(q=q or hand, fill=fill)
    one, other = (
        f"budget:q={filling.q},fill={fill},nodes={nodes}",
        f"budget:q={hand},depth={HAND_DEPTH},nodes={nodes}",
    )
    row = summary(series(game, (one, ""), (other, ""), games, 1000 * seed))
    return {
        "moves": rules.most_moves(),
        "hand_q": hand,
        "filled_depth": filling.depth_for(rules, nodes),
        **row,
    }


def hand_chosen(cells: int) -> int:
    """The report's q for a board, as we read it."""
    return next((least for most, least in HAND_CHOSEN if cells <= most), HAND_LEAST)


@functools.lru_cache(maxsize=1000)
def _nodes_in(game: str, q: int, depth: int, seconds: float) -> int:
    """The nodes that a player visits in so many CPU seconds, to two digits, so that matches hardly
    change from run to run.

    Each decision has a cost beside its nodes, so the speed is measured at about the number of nodes
    for which it is used.
    """
    nodes = FIRST_NODES
    for _ in range(CORRECTIONS):
        spent = [
            seconds_a_node(
                f"budget:q={q},depth={depth},nodes={nodes}", position_of(game, 6, seed), 0.02
            )
            for seed in (1, 2, 3)
        ]
        nodes = max(10, int(float(f"{seconds / median(spent):.1e}")))
    return nodes


# ---- What the rows say ----


SAY = Sentences(__file__)


@finding("ordering")
def in_words(rows: list[Row]) -> str:
    """Say how many nodes each way of choosing allows, and which q and depth play best."""
    matches = [row for row in having(rows, "share", "q", "depth") if row.get("part") != "time"]
    filled = having(rows, "share", "fill", "filled_depth")
    by_q = having(filled, "q")
    return SAY.finding(
        heaps=where(having(rows, "nodes_per_second"), select="heap"),
        by_q=_branching(by_q),
        alone=_alone(having(rows, "ns", "select")),
        learned=_learned(matches),
        filled=_filled([row for row in filled if row not in by_q]),
    )


def _alone(rows: list[Row]) -> Row | None:
    """The times to choose among the largest number of moves, without a search around it."""
    if not rows:
        return None
    largest = max(int(row["cells"]) for row in rows)
    return {
        "moves": largest,
        "ns": [(row["select"], row["ns"]) for row in where(rows, cells=largest)],
    }


def _branching(rows: list[Row]) -> Row | None:
    """The boards on which some q clearly beats the hand-chosen one, if both players have a depth
    that the nodes can fill."""
    boards, better = 0, []
    for game, some in grouped(rows, "game").items():
        by_q, hand = results(some, "q"), some[0]["hand_q"]
        if hand in by_q and len(by_q) > 1:
            boards += 1
            better += [
                f"{game} (q = {q})"
                for q, result in by_q.items()
                if result.interval[0] > by_q[hand].interval[1]
            ]
    return {"boards": boards, "better": better} if boards else None


def _filled(rows: list[Row]) -> Row | None:
    """The results of a depth computed from the nodes against the fixed one."""
    sure = verdicts(
        result_of([row])
        for row in rows
        if row["fill"] == usual_fill(int(row["hand_q"]), int(row["moves"]))
    )
    return (
        {"fixed": HAND_DEPTH, "better": sure["ahead"], "worse": sure["behind"], "cases": sure["of"]}
        if sure["of"]
        else None
    )


def _learned(rows: list[Row]) -> Row | None:
    """The boards on which the best setting of a fitted surface beats the hand-chosen one, after
    correction for being the best of many, and how many settings on those boards are clearly ahead
    without any surface."""
    boards = grouped(rows, "game")
    lessons = {game: lesson for game, some in boards.items() if (lesson := learn(some)) is not None}
    better = [game for game, lesson in lessons.items() if lesson.low > 0.5]
    sure = verdicts(
        results([row for game in better for row in boards[game]], "game", "q", "depth").values()
    )
    return (
        {"better": better, "boards": len(lessons), "settings": sure["of"], "sure": sure["ahead"]}
        if lessons
        else None
    )


@claim(
    "ordering",
    report="001",
    says="a heap of the q best moves lets it explore 5 to 6 times more moves in the same time",
    needs=("nodes_per_second", "select"),
)
def five_to_six_times(rows: list[Row], references: list[Row]) -> Judgement:
    """Judge by the intervals of the medians: reproduced if the gain is reached on most boards,
    since the report names none, and refuted if on none."""
    least, heaps = (
        next((row["times_low"] for row in having(references, "times_low")), None),
        where(rows, select="heap"),
    )
    if not least or not heaps:
        return NOT_TOLD
    reached = [int(row["cells"]) for row in heaps if row["times_sort_low"] >= least]
    return judged(
        2 * len(reached) > len(heaps),
        all(row["times_sort_high"] < least for row in heaps),
        SAY.five_to_six(heaps=heaps, least=least, reached=reached),
    )


@claim(
    "ordering",
    report="001",
    says="a heap chooses the best moves quicker than a full sort and quickselect, which it dropped",
    needs=("ns", "select"),
)
def heap_is_quickest(rows: list[Row]) -> Judgement:
    """Judge by the time to choose the moves alone, without a search around it, by the intervals of
    the medians."""
    boards = [{str(row["select"]): row for row in some} for some in grouped(rows, "cells").values()]
    boards = [by_name for by_name in boards if {"heap", "sort", "quickselect"} <= set(by_name)]
    if not boards:
        return NOT_TOLD
    won = sum(
        all(
            by_name["heap"]["ns_high"] < by_name[other]["ns_low"]
            for other in ("sort", "quickselect")
        )
        for by_name in boards
    )
    lost = any(
        by_name["heap"]["ns_low"] > by_name[other]["ns_high"]
        for by_name in boards
        for other in ("sort", "quickselect")
    )
    largest = max(boards, key=lambda by_name: int(by_name["heap"]["cells"]))
    return judged(
        won == len(boards),
        lost,
        SAY.quickest(
            won=won,
            boards=len(boards),
            moves=largest["heap"]["cells"],
            ns=[(name, row["ns"]) for name, row in largest.items()],
        ),
    )


# ---- Learning q and depth from the matches ----
#
# For each board the share of points against the hand-chosen player is fitted by logistic regression
# on a quadratic surface in the logarithms of q and depth: matches of neighbouring settings inform
# each other, so few games for each setting are enough. The uncertainty of the best setting comes
# from results drawn anew for every setting from what its openings leave possible (a Dirichlet
# distribution, as in Rubin's Bayesian bootstrap of 1981, with Jeffreys' half a pair won and half a
# pair lost). Resampling alone could not vary a setting that won all.


RIDGE = 0.3
"""How strongly the surface is held flat, so that a setting that won all of its few games is not
worth infinitely much.
"""
STEPS, RESAMPLES = 25, 200
UNSEEN = np.array([0.5, 1e-9, 1e-9, 1e-9, 0.5])
"""The numbers that are added to the counts of each result of an opening."""


@dataclass(frozen=True)
class Lesson:
    """The setting learned from the matches on one board."""

    q: int
    depth: int
    low: float
    """The lower end of the interval of its share of points against the hand-chosen one, corrected
    for having been chosen as the best.
    """


def learn(rows: list[Row]) -> Lesson | None:
    """The best of the tried settings, by the fitted surface."""
    tried = results(rows, "q", "depth")
    settings = sorted(tried)
    if len(settings) < 2:
        return None
    features = _features(settings)
    played = [tried[setting] for setting in settings]
    games = np.array([result.games for result in played])
    fitted = _fit(features, np.array([result.share for result in played]), games)
    best = int(np.argmax(fitted))
    generator = np.random.default_rng(1)
    shares, optimism = [], []
    for _ in range(RESAMPLES):
        surface = _fit(
            features, np.array([_possible(result, generator) for result in played]), games
        )
        winner = int(np.argmax(surface))
        shares.append(surface[best])
        optimism.append(surface[winner] - fitted[winner])
    # The best of many looks better than it is; the winners by possible results show by how much
    # (Efron 1983).
    q, depth = settings[best]
    return Lesson(q, depth, float(np.quantile(shares, 0.025) - np.mean(optimism)))


def _possible(result: SeriesResult, generator: np.random.Generator) -> float:
    """A possible true share of points, by the openings of a series, or by its games where the rows
    do not tell the openings.
    """
    by_openings = 2 * sum(result.pairs) == result.games
    counts = result.pairs if by_openings else (result.losses, 0, result.draws, 0, result.wins)
    return float(generator.dirichlet(np.array(counts) + UNSEEN) @ PAIR_SHARES)


def _features(settings: list[tuple[int, int]]) -> np.ndarray:
    """A quadratic surface in the logarithms of q and depth; with a single value of either there is
    no slope.
    """
    logs = np.log(np.array(settings, dtype=float))
    logs = (logs - logs.mean(axis=0)) / np.maximum(logs.std(axis=0), 1e-9)
    x, y = logs[:, 0], logs[:, 1]
    return np.stack([np.ones(len(settings)), x, y, x * x, y * y, x * y], axis=1)


def _fit(features: np.ndarray, shares: np.ndarray, games: np.ndarray) -> np.ndarray:
    """The fitted share of every setting: logistic regression by Newton's method with the penalty
    RIDGE; a draw counts half.
    """
    points = shares * games
    weights = np.zeros(features.shape[1])
    penalty = RIDGE * np.diag([1e-3, *[1.0] * (features.shape[1] - 1)])
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (points - games * share) - penalty @ weights
        curvature = features.T @ (features * (games * share * (1 - share))[:, None]) + penalty
        weights = weights + np.clip(np.linalg.solve(curvature, gradient), -2, 2)
    return np.asarray(1 / (1 + np.exp(-features @ weights)))
