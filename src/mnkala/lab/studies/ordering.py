"""Report 001's move ordering: how the q best moves are chosen, and which q and depth play best.

The report says that a heap of q moves let its player look at five to six times as many moves in the same time, and chose q (7 on small
boards, 3 on large ones) and the depth by hand; learning them is its future work. Matches at equal CPU time learn them here: what each
player visits in the time is first measured, and it then gets that many nodes a move. So neither other processes nor the ticking of a
clock decide a game.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from statistics import median

import numpy as np

from mnkala.lab.matches import MeasuredPlayer, games_between, summary
from mnkala.lab.measuring import answer, cpu_seconds, engine_for, median_interval, position_of, rivals_seconds
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, claim, finding, judged, measure
from mnkala.lab.rows import grouped, having
from mnkala.lab.strength import pairs_column, result_of, verdict
from mnkala.lab.wording import Sentences
from mnkala.native import kernel
from mnkala.native.objects import IntArray
from mnkala.play.intervals import PAIR_SHARES
from mnkala.play.series import SeriesResult, play_series
from mnkala.search.budget import Budget, usual_fill
from mnkala.search.budget_plan import SELECTIONS, select_best

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
    row = summary(games_between(rules, lambda number: (MeasuredPlayer(pair[0]), MeasuredPlayer(pair[1])), games, 1000 * seed))
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


# ---- What the rows say ----


SAY = Sentences(__file__)


@finding("ordering")
def in_words(rows: list[Row]) -> str:
    """The nodes that each way of choosing allows, and which q and depth play best."""
    matches = [row for row in having(rows, "share", "q", "depth") if row.get("part") != "time"]
    filled = having(rows, "share", "fill", "filled_depth")
    by_q = having(filled, "q")
    return SAY.finding(heaps=_heaps(rows), by_q=_branching(by_q), alone=_alone(having(rows, "ns", "select")), learned=_learned(matches),
                       filled=_filled([row for row in filled if row not in by_q]))


def _heaps(rows: list[Row]) -> list[Row]:
    """By board, the nodes in the same time against a full sort's."""
    return [row for row in having(rows, "nodes_per_second", "select") if row["select"] == "heap"]


def _claimed(references: list[Row]) -> tuple[float, float] | None:
    """How many times more moves the report says: from, to."""
    return next(((row["times_low"], row["times_high"]) for row in references if row.get("times_low")), None)


def _alone(rows: list[Row]) -> Row | None:
    """The choosing itself among most moves, without the search around it."""
    if not rows:
        return None
    largest = max(int(row["cells"]) for row in rows)
    return {"moves": largest, "ns": [(row["select"], row["ns"]) for row in rows if row["cells"] == largest]}


def _by_q(rows: list[Row]) -> dict[str, tuple[int, dict[int, SeriesResult]]]:
    """By board: the hand-chosen q, and what each q scores with a depth that the nodes fill."""
    found = {}
    for (game,), some in grouped(rows, "game").items():
        results = {int(row["q"]): result_of([row]) for row in some}
        hand = int(some[0]["hand_q"])
        if hand in results and len(results) > 1:
            found[str(game)] = hand, results
    return found


def _better_q(rows: list[Row]) -> list[str]:
    """Boards on which some q clearly beats the hand-chosen one, with the q."""
    return [f"{game} (q = {q})" for game, (hand, results) in _by_q(rows).items() for q, result in results.items()
            if result.interval[0] > results[hand].interval[1]]


def _branching(rows: list[Row]) -> Row | None:
    boards = _by_q(rows)
    return {"boards": len(boards), "better": _better_q(rows)} if boards else None


def _filled(rows: list[Row]) -> Row | None:
    """What a depth computed from the nodes is worth against the fixed one."""
    default = [row for row in rows if row["fill"] == usual_fill(int(row["hand_q"]), int(row["moves"]))]
    sure = [verdict(result_of([row])) for row in default]
    return {"fixed": HAND_DEPTH, "better": sure.count("ahead"), "worse": sure.count("behind"), "cases": len(sure)} if sure else None


def _learned(rows: list[Row]) -> Row | None:
    """On which boards the best setting of a fitted surface, less what being the best of many flatters it by, beats the hand-chosen one;
    and how many of the settings that a surface was fitted to are clear without it."""
    boards = {str(game): some for (game,), some in grouped(rows, "game").items()}
    lessons = {game: lesson for game, some in boards.items() if (lesson := learn(some)) is not None}
    better = [game for game, lesson in lessons.items() if lesson.low > 0.5]
    sure = [verdict(result_of(some)) for some in grouped([row for game in better for row in boards[game]], "game", "q", "depth").values()]
    return {"better": better, "boards": len(lessons), "settings": len(sure), "sure": sure.count("ahead")} if lessons else None


@claim("ordering", report="001", says="a heap of the q best moves lets it explore 5 to 6 times more moves in the same time")
def five_to_six_times(rows: list[Row], references: list[Row]) -> Judgement:
    """By the intervals of the medians: on most boards, since the report names none; or on none."""
    claimed, heaps = _claimed(references), _heaps(rows)
    if not claimed or not heaps:
        return NOT_TOLD
    reached = [int(row["cells"]) for row in heaps if row["times_sort_low"] >= claimed[0]]
    return judged(2 * len(reached) > len(heaps), all(row["times_sort_high"] < claimed[0] for row in heaps),
                  SAY.five_to_six(heaps=heaps, least=claimed[0], reached=reached))


@claim("ordering", report="001", says="a heap chooses the best moves quicker than a full sort and quickselect, which it dropped")
def heap_is_quickest(rows: list[Row]) -> Judgement:
    """Without the search around it, by the intervals of the medians."""
    boards = [{str(row["select"]): row for row in some} for some in grouped(having(rows, "ns", "select"), "cells").values()]
    boards = [by_name for by_name in boards if {"heap", "sort", "quickselect"} <= set(by_name)]
    if not boards:
        return NOT_TOLD
    won = sum(all(by_name["heap"]["ns_high"] < by_name[other]["ns_low"] for other in ("sort", "quickselect")) for by_name in boards)
    lost = any(by_name["heap"]["ns_low"] > by_name[other]["ns_high"] for by_name in boards for other in ("sort", "quickselect"))
    largest = max(boards, key=lambda by_name: int(by_name["heap"]["cells"]))
    return judged(won == len(boards), lost, SAY.quickest(won=won, boards=len(boards), moves=largest["heap"]["cells"],
                                                         ns=[(name, row["ns"]) for name, row in largest.items()]))


# ---- The q and depth that the matches teach ----
#
# The share of points against the hand-chosen player is fitted, for each board, by logistic regression on a quadratic surface in the
# logarithms of q and depth: matches of neighbouring settings tell about each other, so few games a setting are enough. How sure the best
# setting is, results say that are drawn anew for every setting from what its openings leave possible (a Dirichlet distribution, Rubin's
# Bayesian bootstrap of 1981 with Jeffreys' half a pair won and half a pair lost). Resampling alone could not vary a setting that won all.


RIDGE = 0.3
"""How strongly the surface is held flat: a setting that won all of its few games is not worth infinitely much."""
STEPS, RESAMPLES = 25, 200
UNSEEN = np.array([0.5, 1e-9, 1e-9, 1e-9, 0.5])
"""What is added to the counts of each result of an opening."""


@dataclass(frozen=True)
class Lesson:
    """What the matches of one board teach."""

    q: int
    depth: int
    sure_q: tuple[int, int]
    sure_depth: tuple[int, int]
    """Where 95 % of the fits to possible results have their best."""
    share: float
    low: float
    high: float
    """The share of points of the best setting against the hand-chosen one, less what choosing the best flatters it by; its interval."""
    games: int
    hand_q: int


def learn(rows: list[Row]) -> Lesson | None:
    """The best of the tried settings, by the fitted surface."""
    results: dict[tuple[int, int], SeriesResult] = {}
    for row in rows:
        setting = int(row["q"]), int(row["depth"])
        results[setting] = results.get(setting, SeriesResult()) + result_of([row])
    settings = sorted(results)
    if len(settings) < 2:
        return None
    features = _features(settings)
    played = [results[setting] for setting in settings]
    games = np.array([result.games for result in played])
    fitted = _fit(features, np.array([result.share for result in played]), games)
    best = int(np.argmax(fitted))
    generator = np.random.default_rng(1)
    bests, shares, optimism = [], [], []
    for _ in range(RESAMPLES):
        surface = _fit(features, np.array([_possible(result, generator) for result in played]), games)
        winner = int(np.argmax(surface))
        bests.append(settings[winner])
        shares.append(float(surface[best]))
        optimism.append(float(surface[winner] - fitted[winner]))
    sure = np.quantile(np.array(bests), [0.025, 0.975], axis=0, method="nearest").astype(int)
    # The best of many looks better than it is; by how much, the winners by possible results tell (Efron 1983).
    flattery = float(np.mean(optimism))
    ends = (np.quantile(shares, 0.025), fitted[best], np.quantile(shares, 0.975))
    low, share, high = (min(1.0, max(0.0, float(end) - flattery)) for end in ends)
    q, depth = settings[best]
    return Lesson(q, depth, (int(sure[0][0]), int(sure[1][0])), (int(sure[0][1]), int(sure[1][1])), share, low, high,
                  int(games.sum()), int(rows[0].get("hand_q") or 0))


def _possible(result: SeriesResult, generator: np.random.Generator) -> float:
    """A share of points that may be the true one, by the openings of a series, or by its games where the openings are not told."""
    by_openings = 2 * sum(result.pairs) == result.games
    counts = result.pairs if by_openings else (result.losses, 0, result.draws, 0, result.wins)
    return float(generator.dirichlet(np.array(counts) + UNSEEN) @ PAIR_SHARES)


def _features(settings: list[tuple[int, int]]) -> np.ndarray:
    """A quadratic surface in the logarithms of q and depth; a single value of either gives no slope."""
    logs = np.log(np.array(settings, dtype=float))
    logs = (logs - logs.mean(axis=0)) / np.maximum(logs.std(axis=0), 1e-9)
    x, y = logs[:, 0], logs[:, 1]
    return np.stack([np.ones(len(settings)), x, y, x * x, y * y, x * y], axis=1)


def _fit(features: np.ndarray, shares: np.ndarray, games: np.ndarray) -> np.ndarray:
    """The fitted share at every setting: logistic regression by Newton's method, held flat by RIDGE, a draw counting half."""
    points = shares * games
    weights = np.zeros(features.shape[1])
    penalty = RIDGE * np.diag([1e-3, *[1.0] * (features.shape[1] - 1)])
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (points - games * share) - penalty @ weights
        curvature = features.T @ (features * (games * share * (1 - share))[:, None]) + penalty
        weights = weights + np.clip(np.linalg.solve(curvature, gradient), -2, 2)
    return np.asarray(1 / (1 + np.exp(-features @ weights)))
