"""Findings of the studies that count nodes: pruning, parity, depth-limit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

import numpy as np

from mnkala.games import Position
from mnkala.lab.findings.search_words import (
    count,
    extremes,
    grouped,
    listed,
    mean_interval,
    number,
    percent,
    share_interval,
    times,
)
from mnkala.lab.measures.searching import EMPTY
from mnkala.lab.registry import Row, finding
from mnkala.search.limit import depth_for_nodes

# ---- Pruning ----


@finding("pruning")
def pruning(rows: list[Row]) -> str:
    """Which of the report's rows come out to the node, which do not, and what pruning saves."""
    words = [_agreement(str(board), some) for (board,), some in grouped(rows, "board").items()]
    deepest = {str(board): max(some, key=lambda row: (row["depth"], row["start"] != EMPTY))
               for (board,), some in grouped(rows, "board").items()}
    saved = listed([f"{times(row['ratio'])} fewer nodes at depth {row['depth']} on {board} ({_start(row)})"
                    for board, row in deepest.items()])
    more = [row for row in rows if row.get("report_pruned") is None or row.get("report_unpruned") is None]
    added = f" {count(len(more), 'row')} of ours have no full counterpart in the report." if more else ""
    return f"{' '.join(words)} Pruning visits {saved}{_growth(rows)}.{added}"


def _growth(rows: list[Row]) -> str:
    """With what the saving grows: the depth, from the least to the largest on every board; the width, at the largest depth of all."""
    by_depth = [sorted(some, key=lambda row: int(row["depth"])) for some in grouped(rows, "board", "start").values()]
    deep = all(some[-1]["ratio"] > some[0]["ratio"] for some in by_depth)
    least = min(int(some[-1]["depth"]) for some in by_depth)
    by_width = [sorted(some, key=lambda row: int(row["board"].partition("x")[2]))
                for some in grouped([row for row in rows if row["depth"] == least], "start").values()]
    wide = all(narrow["ratio"] < wider["ratio"] for some in by_width for narrow, wider in itertools.pairwise(some))
    causes = [cause for cause, holds in (("the depth", deep), ("the width of the board", wide and len(by_width[0]) > 1)) if holds]
    return f"; the saving grows with {listed(causes)}" if causes else ""


def _start(row: Row) -> str:
    moves = str(row["start"]).removeprefix("after ")
    if row["start"] == EMPTY:
        return "from the empty board"
    return f"after a first disc in column {moves}" if len(moves) == 1 else f"after {moves}"


def _agreement(board: str, rows: list[Row]) -> str:
    """How many of the report's figures for a board come out, from the start that suits each kind best."""
    parts, exact = [], True
    for kind in ("unpruned", "pruned"):
        told = [row for row in rows if row.get(f"report_{kind}") is not None]
        if not told:
            continue
        by_start = {str(start): some for (start,), some in grouped(told, "start").items()}
        met = {start: sum(row[kind] == row[f"report_{kind}"] for row in some) for start, some in by_start.items()}
        best = max(met, key=lambda start: met[start])
        whole = len(by_start[best])
        exact &= met[best] == whole
        where = _start({"start": best})
        if met[best] == whole:
            parts.append(f"all {whole} {kind} counts come out to the node {where}")
        else:
            off = [row for row in by_start[best] if row[kind] != row[f"report_{kind}"]]
            last = max(off, key=lambda row: int(row["depth"]))
            ours = listed([f"{number(row[kind])} {_start(row)}" for row in told if row["depth"] == last["depth"]])
            parts.append(f"only {met[best]} of {whole} {kind} counts come out (at depth {last['depth']} the report has "
                         f"{number(last[f'report_{kind}'])}, we have {ours})")
    if not parts:
        return f"{board}: the report gives no figures for these depths."
    doubt = "" if exact else "; what start or order of moves gave the report's other figures is not explained"
    return f"{board}: {listed(parts)}{doubt}."


# ---- Parity ----


def even_bonus(ratios: Sequence[float]) -> float | None:
    """How much better even depths prune than odd ones, as a logarithm; None if there are too few depths to tell.

    `ratios` holds unpruned / pruned nodes at depth 1, 2, …. Deeper searches prune more anyway, so each depth is compared with the mean
    of its two neighbours, which are of the other parity; a depth that does better than they speaks for its own parity.
    """
    logs = [math.log(ratio) for ratio in ratios]
    gains = [(1 if (i + 1) % 2 == 0 else -1) * (logs[i] - (logs[i - 1] + logs[i + 1]) / 2) for i in range(1, len(logs) - 1)]
    if len(gains) < 2:
        return None
    # One mean for each parity first, so that an odd number of depths favours neither; the two say the same thing from two sides.
    return (fmean(gains[0::2]) + fmean(gains[1::2])) / 2


def perfect_bonus(branching: float) -> float:
    """The same for perfect ordering of `branching` moves: (b + 1) / (2 sqrt b), from the minimal tree of Knuth and Moore (1975)."""
    return (branching + 1) / (2 * math.sqrt(branching))


@finding("parity")
def parity(rows: list[Row], references: list[Row] | None = None) -> str:
    """Whether even or odd depths prune better, for each game and ordering, with the confidence."""
    bonuses, searches = _bonuses(rows)
    if not bonuses:
        return "There are too few depths to compare even and odd ones: at least four are needed."
    positions: dict[tuple[str, object], list[float]] = {}
    for (game, _), some in bonuses.items():
        for seed, bonus in some.items():
            positions.setdefault((game, seed), []).append(bonus)
    every = [fmean(some) for some in positions.values()]
    hits = sum(bonus > 0 for bonus in every)
    share, low, high = share_interval(hits, len(every))
    verdict = ("Even depths prune better" if low > 0.5 else "Odd depths prune better" if high < 0.5
               else "It is not decided whether even or odd depths prune better")
    cases = {case: mean_interval(list(some.values())) for case, some in bonuses.items()}
    even = [case for case, (_, low_end, _) in cases.items() if low_end > 0]
    odd = [case for case, (_, _, high_end) in cases.items() if high_end < 0]
    open_cases = [case for case in cases if case not in even and case not in odd]
    effect = extremes({f"{game}, {ordering}": math.exp(mean) for (game, ordering), (mean, _, _) in cases.items()}, times)
    sentences = [
        f"{verdict}: in {percent(share)} of {count(len(every), 'position')} (95 % interval {percent(low)} to {percent(high)}; the mean of "
        f"all {number(searches)} searches from them), even depths save more than their odd neighbours would lead one to expect.",
        f"Case by case (a game and an order of moves, t intervals over positions), even depths win in {len(even)} of {len(cases)}, "
        f"odd ones in {len(odd)}{_names(odd)}, and {len(open_cases)} are not decided{_names(open_cases)}.",
        f"The advantage of an even depth is a factor {effect}.",
    ]
    sentences += _by_ordering(bonuses)
    sentences += _report_parity(references or [])
    return " ".join(sentences)


def _bonuses(rows: list[Row]) -> tuple[dict[tuple[str, str], dict[object, float]], int]:
    """By game and ordering, then by position: the mean of its searches, which are not independent. And how many searches there were."""
    found: dict[tuple[str, str], dict[object, list[float]]] = {}
    searches = 0
    for (game, ordering, _, seed), some in grouped(rows, "game", "ordering", "heuristic", "seed").items():
        bonus = even_bonus([row["ratio"] for row in sorted(some, key=lambda row: int(row["depth"]))])
        if bonus is not None:
            searches += 1
            found.setdefault((str(game), str(ordering)), {}).setdefault(seed, []).append(bonus)
    return {case: {seed: fmean(some) for seed, some in by_seed.items()} for case, by_seed in found.items()}, searches


def _names(cases: list[tuple[str, str]]) -> str:
    return f" ({'; '.join(f'{game}, {ordering}' for game, ordering in cases)})" if 0 < len(cases) <= 6 else ""


def _by_ordering(bonuses: dict[tuple[str, str], dict[object, float]]) -> list[str]:
    """The mean effect of each order of moves, every game counting alike."""
    means: dict[str, float] = {}
    for ordering in dict.fromkeys(ordering for _, ordering in bonuses):
        means[ordering] = math.exp(fmean(fmean(some.values()) for (_, one), some in bonuses.items() if one == ordering))
    if len(means) < 2:
        return []
    told = listed([f"{times(factor)} with moves {'ordered by ' if ordering == 'deepening' else ''}{ordering}"
                   for ordering, factor in means.items()])
    return [f"By order of moves it is {told}. Perfect ordering would give (b + 1) / (2√b) for b moves a position, "
            f"{times(perfect_bonus(7))} for seven: the minimal tree has b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves, which grows by a factor of "
            "less than two into an even depth and of (b + 1) / 2 into an odd one."]


def _report_parity(references: list[Row]) -> list[str]:
    """What the report's own table says about its own question."""
    found = {}
    for (game,), some in grouped(references, "game").items():
        told = sorted((row for row in some if row.get("ratio")), key=lambda row: int(row["depth"]))
        bonus = even_bonus([row["ratio"] for row in told])
        if bonus is not None:
            found[str(game)] = math.exp(bonus)
    told_words = listed([f"{times(factor)} on {game}" for game, factor in found.items()])
    return [f"The report's own node counts give {told_words}."] if found else []


# ---- The depth for a limit of nodes ----

FACTORS = np.round(np.arange(0.5, 1.0001, 0.01), 2)
"""The values of F that the formula allows."""
LIMITS = 60
"""Limits that are tried for each game, evenly spaced as logarithms."""
RESAMPLES = 300
MOST_PROVED = 4
"""A search of fewer depths proved the result of its position and says little."""


@finding("depth-limit")
def depth_limit(rows: list[Row]) -> str:
    """The best F for each game and engine, how sure it is, and how often the formula then meets the right depth."""
    fits: dict[tuple[str, str], Fit] = {}
    for (game, engine), some in grouped(rows, "game", "engine").items():
        fit = best_factor(str(game), [sorted(one, key=lambda row: int(row["depth"])) for one in grouped(some, "seed").values()])
        if fit is not None:
            fits[str(game), str(engine)] = fit
    if not fits:
        return "There are too few depths to fit F."
    sentences = ["The F with which report 002's formula most often chooses the deepest search within the limit (95 % bootstrap interval "
                 "over positions):"]
    for engine in dict.fromkeys(engine for _, engine in fits):
        own = {game: fit for (game, one), fit in fits.items() if one == engine}
        told = listed([f"{fit.factor:.2f} ({fit.low:.2f} to {fit.high:.2f}) on {game}" for game, fit in own.items()])
        sentences.append(f"{engine}: {told}; the depth is then right {extremes({game: fit.hits for game, fit in own.items()}, percent)} of "
                         f"the time, and with F = 0.75 everywhere {extremes({game: fit.usual for game, fit in own.items()}, percent)}, "
                         f"going over the limit {extremes({game: fit.over for game, fit in own.items()}, percent)}.")
    sentences += [_trend(rows), _beyond(rows)]
    return " ".join(sentence for sentence in sentences if sentence)


def _beyond(rows: list[Row]) -> str:
    """Where the formula's least F is still too large."""
    typical = {f"{game} with {engine}": median(row["factor"] for row in some if row["depth"] >= 3)
               for (game, engine), some in grouped(rows, "game", "engine").items() if any(row["depth"] >= 3 for row in some)}
    below = [f"{case} ({factor:.2f})" for case, factor in typical.items() if factor < FACTORS[0]]
    return (f"Real searches need less than the formula's least F, {FACTORS[0]}, on {listed(below)}: there its C, the most moves that any "
            "position has, is far above the number of moves that are searched.") if below else ""


@dataclass(frozen=True)
class Fit:
    """The best F for one game and engine."""

    factor: float
    low: float
    high: float
    """The interval of F."""
    hits: float
    """How often it meets the right depth."""
    usual: float
    """How often F = 0.75 does."""
    over: float
    """How often that costs more than the limit."""


def best_factor(game: str, searches: list[list[Row]]) -> Fit | None:
    """Try every F on many limits, and compare the depths with those that the searches could really reach."""
    rules = Position(game).rules
    cells = max(2, rules.most_moves()) * getattr(rules, "rows", 1)
    costs = [[row["nodes"] * cells for row in search] for search in searches if len(search) >= MOST_PROVED]
    if not costs:
        return None
    limits = np.geomspace(min(cost[0] for cost in costs), max(cost[-1] for cost in costs), LIMITS)
    chosen = np.array([[depth_for_nodes(rules, int(limit), float(factor)) for limit in limits] for factor in FACTORS])
    right = np.array([np.searchsorted(cost, limits, side="right") for cost in costs])
    # What the right depth is, is known between the costs of a search's first and last depth. By search and F:
    known = np.array([(limits >= cost[0]) & (limits < cost[-1]) for cost in costs])
    weights = known / np.maximum(known.sum(axis=1, keepdims=True), 1)
    hits = ((chosen[None] == right[:, None]) * weights[:, None]).sum(axis=2)
    misses = (np.abs(chosen[None] - right[:, None]) * weights[:, None]).sum(axis=2)
    generator = np.random.default_rng(1)
    samples = generator.integers(0, len(costs), (RESAMPLES, len(costs)))
    bests = [_best(hits[sample].mean(axis=0), misses[sample].mean(axis=0)) for sample in samples]
    ends = np.quantile(FACTORS[bests], [0.025, 0.975])
    best = _best(hits.mean(axis=0), misses.mean(axis=0))
    usual = int(np.argmin(np.abs(FACTORS - 0.75)))
    over = float(((chosen[usual][None] > right) * weights).sum(axis=1).mean())
    share = hits.mean(axis=0)
    return Fit(float(FACTORS[best]), float(ends[0]), float(ends[1]), float(share[best]), float(share[usual]), over)


def _best(hits: np.ndarray, misses: np.ndarray) -> int:
    """Most hits; among equals the one that misses by least."""
    return int(np.lexsort((misses, -hits))[0])


def _trend(rows: list[Row]) -> str:
    """Whether the implied factor, log_C(nodes) / depth, falls as searches get deeper."""
    falls, cases = 0, 0
    for some in grouped(rows, "game", "engine").values():
        by_depth = {int(str(depth)): fmean(row["factor"] for row in same) for (depth,), same in grouped(some, "depth").items()}
        if len(by_depth) >= 2:
            cases += 1
            falls += by_depth[max(by_depth)] < by_depth[min(by_depth)]
    if not cases:
        return ""
    return (f"No constant F holds at all depths: the implied F, log_C(nodes) / D, falls from the least to the largest depth in {falls} of "
            f"{count(cases, 'case')}, so an F fitted to shallow searches makes deep ones stop too early.")
