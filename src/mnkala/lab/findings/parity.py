"""What the data say of even and odd depths."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

from mnkala.lab.claims import NOT_TOLD, Judgement, claim, judged
from mnkala.lab.registry import Row, finding
from mnkala.lab.studies.parity import LISTED
from mnkala.lab.wording import count, grouped, in_paragraphs, listed, mean_interval, share_interval, times, with_interval


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
    bonuses = _bonuses(rows)
    if not bonuses:
        return "There are too few depths to compare even and odd ones: at least four are needed."
    positions: dict[tuple[str, object], list[float]] = {}
    for (game, _), some in bonuses.items():
        for seed, bonus in some.items():
            positions.setdefault((game, seed), []).append(bonus)
    every = [fmean(some) for some in positions.values()]
    found = share_interval(sum(bonus > 0 for bonus in every), len(every))
    return in_paragraphs(
        _cases(bonuses),
        [f"Even depths save more than their odd neighbours lead one to expect in {with_interval(*found)} of all "
         f"{count(len(every), 'position')}.", _by_ordering(bonuses),
         f"Perfect ordering of seven moves would give {times(perfect_bonus(7))}.",
         _report_parity(references or [])])


def _cases(bonuses: dict[tuple[str, str], dict[object, float]]) -> list[str]:
    """Where even depths are clearly better, where odd ones are, and where neither is."""
    found = {case: mean_interval(list(some.values())) for case, some in bonuses.items()}
    even, odd = [case for case, (_, low, _) in found.items() if low > 0], [case for case, (_, _, high) in found.items() if high < 0]
    cases = f"{count(len(found), 'case')} (a game and an order of moves; t intervals)"
    if not even and not odd:
        return [f"It is not decided whether even or odd depths prune better, in any of {cases}."]
    sides = [(name, some) for name, some in (("Even", even), ("Odd", odd)) if some]
    said = [f"{name} depths {'do' if number else 'prune clearly better'} in {len(some)}{'' if number else f' of {cases}'}: moves "
            f"{_where(some)}" for number, (name, some) in enumerate(sides)]
    left = [case for case in found if case not in even and case not in odd]
    whole = [game for game in dict.fromkeys(game for game, _ in left) if all(case in left for case in found if case[0] == game)]
    among = f", among them all of {listed(whole)}" if whole else ""
    rest = f"; {len(left)} are not decided{among}" if left else ""
    return [f"{one}." for one in (*said[:-1], f"{said[-1]}{rest}")]


def _where(cases: Sequence[tuple[str, str]]) -> str:
    """Games by the order of moves."""
    orders = dict.fromkeys(ordering for _, ordering in cases)
    return "; ".join(f"{_ordered(ordering)} in {listed([game for game, one in cases if one == ordering])}" for ordering in orders)


def _ordered(ordering: str) -> str:
    return f"ordered by {ordering}" if ordering == "deepening" else ordering


def _bonuses(rows: list[Row]) -> dict[tuple[str, str], dict[object, float]]:
    """By game and ordering, then by position: the mean of its searches, which are not independent."""
    found: dict[tuple[str, str], dict[object, list[float]]] = {}
    for (game, ordering, _, seed), some in grouped(rows, "game", "ordering", "heuristic", "seed").items():
        bonus = even_bonus([row["ratio"] for row in sorted(some, key=lambda row: int(row["depth"]))])
        if bonus is not None:
            found.setdefault((str(game), str(ordering)), {}).setdefault(seed, []).append(bonus)
    return {case: {seed: fmean(some) for seed, some in by_seed.items()} for case, by_seed in found.items()}


def _by_ordering(bonuses: dict[tuple[str, str], dict[object, float]]) -> str:
    """The mean effect of each order of moves, every game counting alike."""
    means: dict[str, float] = {}
    for ordering in dict.fromkeys(ordering for _, ordering in bonuses):
        means[ordering] = math.exp(fmean(fmean(some.values()) for (_, one), some in bonuses.items() if one == ordering))
    told = listed([f"{times(factor)} {_ordered(ordering)}"
                   for ordering, factor in means.items()])
    return f"Their advantage, on average over games, is {told}." if len(means) > 1 else ""


def _report_parity(references: list[Row]) -> str:
    """What the report's own table says about its own question."""
    found = {}
    for (game,), some in grouped(references, "game").items():
        told = sorted((row for row in some if row.get("ratio")), key=lambda row: int(row["depth"]))
        bonus = even_bonus([row["ratio"] for row in told])
        if bonus is not None:
            found[str(game)] = math.exp(bonus)
    told_words = listed([f"{times(factor)} on {game}" for game, factor in found.items()])
    return f"The report's own node counts give {told_words}." if found else ""


@claim("parity", report="002", says="pruning seems to depend on the parity of the depth (left open by the report)")
def even_depths_prune_better(rows: list[Row]) -> Judgement:
    """On the report's game with its order of moves; in another the answer may differ."""
    cases = {game: mean_interval(list(some.values())) for (game, ordering), some in _bonuses(rows).items()
             if ordering == LISTED and game.startswith("connect4")}
    if not cases:
        return NOT_TOLD
    words = [f"{math.exp(mean):.2f} ({math.exp(low):.2f} to {math.exp(high):.2f}) on {game}" for game, (mean, low, high) in cases.items()
             if math.isfinite(low)]
    every = list(cases.values())
    same = all(low > 0 for _, low, _ in every) or all(high < 0 for _, _, high in every)
    return judged(same, False, f"even depths save {listed(words)} times as much as expected, moves as listed") if words else NOT_TOLD
