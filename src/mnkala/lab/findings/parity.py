"""What the data say of even and odd depths."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

from mnkala.lab.registry import Row, finding
from mnkala.lab.wording import count, extremes, grouped, listed, mean_interval, number, percent, share_interval, times


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
def in_words(rows: list[Row], references: list[Row] | None = None) -> str:
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
