"""What the data say of report 002's formula for the depth."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean, median

import numpy as np

from mnkala.games import Position
from mnkala.lab.registry import Row, finding
from mnkala.lab.wording import count, extremes, grouped, listed, percent
from mnkala.search.limit import depth_for_nodes

FACTORS = np.round(np.arange(0.5, 1.0001, 0.01), 2)
"""The values of F that the formula allows."""
LIMITS = 60
"""Limits that are tried for each game, evenly spaced as logarithms."""
RESAMPLES = 300
MOST_PROVED = 4
"""A search of fewer depths proved the result of its position and says little."""


@finding("depth-limit")
def in_words(rows: list[Row]) -> str:
    """The best F for each game and engine, how sure it is, and how often the formula then meets the right depth."""
    fits: dict[tuple[str, str], Fit] = {}
    for (game, engine), some in grouped(rows, "game", "engine").items():
        fit = best_factor(str(game), [sorted(one, key=lambda row: int(row["depth"])) for one in grouped(some, "seed").values()])
        if fit is not None:
            fits[str(game), str(engine)] = fit
    if not fits:
        return "There are too few depths to fit F."
    sentences = ["The F with which report 002's formula most often chooses the deepest search within the limit "
                 f"(in brackets where 95 % of resampled sets of positions have their best, F in steps of {FACTORS[1] - FACTORS[0]:.2g}):"]
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
