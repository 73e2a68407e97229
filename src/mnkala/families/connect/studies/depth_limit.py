"""How well report 002's formula predicts the depth that a limit of nodes allows: the largest D with
C^(F D) nodes within the limit, where C is the number of moves in a position and F the pruning
factor."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from mnkala.core import Position
from mnkala.lab.judging import Sentences, grouped, mean_interval, where
from mnkala.lab.measuring import answer, nodes_by_depth, position_of
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, claim, finding, judged, measure
from mnkala.search import Limit
from mnkala.search.limit import depth_for_nodes


@measure("depth-limit", version=1)
def depth_limit(game: str, engine: str, deepest: int, seed: int, plies: int = 4) -> list[Row]:
    """Count the nodes of searches to depth 1, 2, … from a random position, and compare them with
    C^(F D), which report 002's formula assumes for C moves in a position, depth D and pruning
    factor F."""
    position = position_of(game, plies, seed)
    rules = position.rules
    branching = max(2, rules.most_moves())
    rows: list[Row] = []
    for depth, nodes in enumerate(_costs(engine, position, deepest), 1):
        rows.append(
            {
                "depth": depth,
                "nodes": nodes,
                "factor": math.log(nodes) / (depth * math.log(branching)),
                "predicted_best": branching ** (0.5 * depth),
                "predicted_usual": branching ** (0.75 * depth),
                "predicted_worst": float(branching**depth),
            }
        )
    return rows


def _costs(engine: str, position: Position, deepest: int) -> list[int]:
    """The nodes to reach depth 1, 2, …; a deepening search stops where the result is proved."""
    if engine.startswith("deepening"):
        return nodes_by_depth(engine, position, Limit(depth=deepest))
    separator = "," if ":" in engine else ":"
    return [
        answer(f"{engine}{separator}depth={depth}", position).nodes
        for depth in range(1, deepest + 1)
    ]


# ---- What the rows say ----


SAY = Sentences(__file__)
FACTORS = np.round(np.arange(0.5, 1.0001, 0.01), 2)
"""The values of F that the formula allows."""
USUAL = 0.75
"""The middle of these values, for comparison with the best one."""
PLAIN = "alphabeta"
"""The search of the report."""
LIMITS = 60
"""Limits that are tried for each game, evenly spaced as logarithms."""
RESAMPLES = 300
MOST_PROVED = 4
"""A search of fewer depths proved the result of its position and says little."""


@finding("depth-limit")
def in_words(rows: list[Row]) -> str:
    """Say how often the formula gives the right depth, with which F, and that no F holds at all
    depths."""
    fits = {
        case: fit
        for case, some in grouped(rows, "game", "engine").items()
        if (fit := best_factor(case[0], _searches(some))) is not None
    }
    if not fits:
        return SAY.too_few()
    worst, best = (end(fits, key=lambda case: fits[case].hits[0]) for end in (min, max))
    falls = [
        by_depth
        for some in grouped(rows, "game", "engine").values()
        if len(by_depth := _factors(some)) > 1
    ]
    usual = sorted(fit.usual for fit in fits.values())
    return SAY.finding(
        worst=worst,
        least=fits[worst].hits,
        best=best,
        most=fits[best].hits,
        usual=USUAL,
        usual_hits=usual,
        factors=[
            _best_of(
                engine, [(game, fit.factor) for (game, one), fit in fits.items() if one == engine]
            )
            for engine in dict.fromkeys(engine for _, engine in fits)
        ],
        falling=sum(by_depth[max(by_depth)] < by_depth[min(by_depth)] for by_depth in falls),
        cases=len(falls),
    )


def _best_of(engine: str, factors: list[tuple[str, float]]) -> tuple[Any, ...]:
    """Summarise the factors F that fit an engine best: all of them for the report's own search, and
    for every engine the least and the largest, each with its game."""
    low, high = (end(factors, key=lambda one: one[1]) for end in (min, max))
    return engine, factors if engine == PLAIN else [], low, high


@dataclass(frozen=True)
class Fit:
    """The best F for one game and engine."""

    factor: float
    low: float
    high: float
    """The interval of F."""
    hits: tuple[float, float, float]
    """How often the best F of all other positions gives the right depth in a position: the mean and
    its interval.
    """
    usual: float
    """How often `USUAL` gives the right depth in a position."""


def best_factor(game: str, searches: list[list[Row]]) -> Fit | None:
    """Try every F with many limits, and compare the depths with those that the searches could
    really reach.
    """
    rules = Position(game).rules
    cells = max(2, rules.most_moves()) * getattr(rules, "rows", 1)
    costs = [
        [row["nodes"] * cells for row in search]
        for search in searches
        if len(search) >= MOST_PROVED
    ]
    if not costs:
        return None
    limits = np.geomspace(min(cost[0] for cost in costs), max(cost[-1] for cost in costs), LIMITS)
    chosen = np.array(
        [
            [depth_for_nodes(rules, int(limit), float(factor)) for limit in limits]
            for factor in FACTORS
        ]
    )
    right = np.array([np.searchsorted(cost, limits, side="right") for cost in costs])
    # The right depth is known only between the costs of a search's first and last depth. By search
    # and F:
    known = np.array([(limits >= cost[0]) & (limits < cost[-1]) for cost in costs])
    weights = known / np.maximum(known.sum(axis=1, keepdims=True), 1)
    hits = ((chosen[None] == right[:, None]) * weights[:, None]).sum(axis=2)
    misses = (np.abs(chosen[None] - right[:, None]) * weights[:, None]).sum(axis=2)
    generator = np.random.default_rng(1)
    samples = generator.integers(0, len(costs), (RESAMPLES, len(costs)))
    ends = np.quantile(
        FACTORS[[_best(hits[sample], misses[sample]) for sample in samples]], [0.025, 0.975]
    )
    usual = int(np.argmin(np.abs(FACTORS - USUAL)))
    mean, low, high = mean_interval(_held_out(hits, misses))
    return Fit(
        float(FACTORS[_best(hits, misses)]),
        float(ends[0]),
        float(ends[1]),
        (mean, max(0.0, low), min(1.0, high)),
        float(hits[:, usual].mean()),
    )


def _best(hits: np.ndarray, misses: np.ndarray) -> int:
    """The F with the most hits; among equals, the one whose misses are smallest."""
    return int(np.lexsort((misses.mean(axis=0), -hits.mean(axis=0)))[0])


def _held_out(hits: np.ndarray, misses: np.ndarray) -> list[float]:
    """For each search, how often the F that is best for all other searches hits. The best of many
    would look too good on its own data."""
    if len(hits) < 2:
        return [float(hits[0, _best(hits, misses)])]
    others = [np.arange(len(hits)) != one for one in range(len(hits))]
    return [float(hits[one, _best(hits[rest], misses[rest])]) for one, rest in enumerate(others)]


def _factors(rows: list[Row]) -> dict[int, float]:
    """The mean F that would have been right at each depth."""
    return {
        depth: fmean(row["factor"] for row in same)
        for depth, same in grouped(rows, "depth").items()
    }


def _searches(rows: list[Row]) -> list[list[Row]]:
    """Group rows by search, each sorted by depth."""
    return [
        sorted(one, key=lambda row: int(row["depth"])) for one in grouped(rows, "seed").values()
    ]


def _on_the_reports_boards(rows: list[Row]) -> dict[str, list[Row]]:
    """The rows of alpha-beta on Connect, by game, from depth 2 on, since at depth 1 there is
    nothing to prune."""
    return grouped(
        [
            row
            for row in where(rows, engine=PLAIN)
            if row["depth"] > 1 and row["game"].startswith("connect4")
        ],
        "game",
    )


@claim(
    "depth-limit",
    report="002",
    says="with pruning C^(F·D) nodes are visited, F being between 0.5 and 1",
)
def factor_in_range(rows: list[Row]) -> Judgement:
    """Judge by the mean F of each board and depth."""
    means: list[Row] = [
        {"game": game, "depth": depth, "mean": mean}
        for game, some in _on_the_reports_boards(rows).items()
        for depth, mean in _factors(some).items()
    ]
    if not means:
        return NOT_TOLD
    low, high = (end(means, key=lambda one: one["mean"]) for end in (min, max))
    inside = bool(FACTORS[0] <= low["mean"] and high["mean"] <= FACTORS[-1])
    return judged(
        inside, not inside, SAY.factor(least=min(one["depth"] for one in means), low=low, high=high)
    )


@claim("depth-limit", report="002", says="so one F gives the depth for any limit of nodes")
def factor_is_constant(rows: list[Row]) -> Judgement:
    """Judge by how much F changes in each position: its value at the largest depth minus that at
    the smallest. The claim can only be refuted."""
    found, boards = [], []
    for game, some in _on_the_reports_boards(rows).items():
        changes = [one[-1]["factor"] - one[0]["factor"] for one in _searches(some) if len(one) > 1]
        if len(changes) > 1:
            found.append(mean_interval(changes))
            by_depth = _factors(some)
            first, last = min(by_depth), max(by_depth)
            boards.append(
                {
                    "game": game,
                    "least": first,
                    "most": last,
                    "first": by_depth[first],
                    "last": by_depth[last],
                }
            )
    if not found:
        return NOT_TOLD
    return judged(
        False, any(high < 0 or low > 0 for _, low, high in found), SAY.changes(boards=boards)
    )
