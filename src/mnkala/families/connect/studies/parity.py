"""Whether alpha-beta prunes better at even or at odd depths, a question that report 002 leaves
open.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from statistics import fmean

from mnkala.core import Position, Rules
from mnkala.lab.judging import Sentences, grouped, mean_interval
from mnkala.lab.measuring import answer, nodes_by_depth, position_of
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, claim, finding, judged, measure
from mnkala.play.intervals import wilson
from mnkala.search import Limit

UNPRUNED = "minimax:heuristic=nothing,depth={depth},candidates={candidates}"
"""The number of nodes without pruning does not depend on the heuristic, so the cheapest one counts
them.
"""

OTHER_HEURISTIC = {"connect": "zero-sum", "mnk": "criticality", "kalah": "stores"}
"""For each family a heuristic other than the game's own choice, so that the answer does not depend
on a single one.
"""

LISTED, SORTED, LEARNT = "as listed", "by heuristic", "deepening"
ORDERINGS = (LISTED, SORTED, LEARNT)
"""The order in which moves are tried: that of the rules; best first by the heuristic, at every
node; and that which iterative deepening learns from its table, killer moves and history.
"""


@measure("parity", version=1)
def parity(game: str, heuristic: str, deepest: int, seed: int, plies: int = 4) -> list[Row]:
    """The nodes at every depth with and without pruning, with several orders of the moves, from one
    random position.

    `heuristic` is `usual` (the game's own), `other` (see OTHER_HEURISTIC) or a name.
    """
    position = position_of(game, plies, seed)
    name = _heuristic(position.rules, heuristic)
    unpruned = [_unpruned(game, plies, seed, depth) for depth in range(1, deepest + 1)]
    rows: list[Row] = []
    for ordering in ORDERINGS:
        counts = _pruned(position, name, ordering, deepest)
        if (
            len(counts) < deepest
        ):  # Deepening has proved the result and stopped: there is nothing to compare at larger depths.
            continue
        ratios = [full / nodes for full, nodes in zip(unpruned, counts, strict=True)]
        rows += [
            {
                "ordering": ordering,
                "depth": depth,
                "parity": "odd" if depth % 2 else "even",
                "unpruned": unpruned[depth - 1],
                "pruned": counts[depth - 1],
                "ratio": ratios[depth - 1],
                "surplus": _surplus(ratios, depth),
            }
            for depth in range(1, deepest + 1)
        ]
    return rows


def _surplus(ratios: list[float], depth: int) -> float | None:
    """How many times more a depth saves than the (geometric) mean of the depths before and after
    it, which are of the other parity.
    """
    if not 1 < depth < len(ratios):
        return None
    before, here, after = ratios[depth - 2 : depth + 1]
    return here / math.sqrt(before * after)


def _heuristic(rules: Rules, heuristic: str) -> str:
    if heuristic == "usual":
        return rules.heuristic
    return OTHER_HEURISTIC.get(rules.name, "nothing") if heuristic == "other" else heuristic


@functools.lru_cache(maxsize=4096)
def _unpruned(game: str, plies: int, seed: int, depth: int) -> int:
    """The nodes of minimax, kept because a worker often gets the same position again for another
    heuristic.
    """
    position = position_of(game, plies, seed)
    return answer(
        UNPRUNED.format(depth=depth, candidates=position.rules.candidates()), position
    ).nodes


def _pruned(position: Position, heuristic: str, ordering: str, deepest: int) -> list[int]:
    """The nodes of searches to depth 1, 2, …, all among the same candidates."""
    if ordering == LEARNT:
        totals = [
            0,
            *nodes_by_depth(f"deepening:heuristic={heuristic}", position, Limit(depth=deepest)),
        ]
        return [after - before for before, after in itertools.pairwise(totals)]
    if ordering == LISTED:
        return [
            answer(f"alphabeta:depth={depth},heuristic={heuristic}", position).nodes
            for depth in range(1, deepest + 1)
        ]
    # Report 001's player, told to keep all moves and to sort them, is alpha-beta ordered by the
    # heuristic. It does not count the root.
    engine = f"budget:select=sort,q={position.rules.most_moves()},candidates={position.rules.candidates()},heuristic={heuristic}"
    return [
        1 + answer(f"{engine},depth={depth}", position).nodes for depth in range(1, deepest + 1)
    ]


# ---- What the rows say ----


SAY = Sentences(__file__)


def even_bonus(ratios: Sequence[float]) -> float | None:
    """How much better even depths prune than odd ones, as a logarithm; None if there are too few
    depths.

    `ratios` are the unpruned / pruned nodes at depth 1, 2, …. Deeper searches prune more anyway, so
    each depth is compared with the mean of its two neighbours, which have the other parity; a depth
    that does better than they do counts in favour of its own parity.
    """
    logs = [math.log(ratio) for ratio in ratios]
    gains = [
        (1 if (i + 1) % 2 == 0 else -1) * (logs[i] - (logs[i - 1] + logs[i + 1]) / 2)
        for i in range(1, len(logs) - 1)
    ]
    if len(gains) < 2:
        return None
    # Take the mean of each parity first, so that an odd number of depths favours neither.
    return (fmean(gains[0::2]) + fmean(gains[1::2])) / 2


def perfect_bonus(branching: float) -> float:
    """The advantage of even depths with perfect ordering of `branching` moves: (b + 1) / (2 sqrt
    b), from the minimal tree of Knuth and Moore (1975).
    """
    return (branching + 1) / (2 * math.sqrt(branching))


@finding("parity")
def in_words(rows: list[Row], references: list[Row] | None = None) -> str:
    """Say for each game and ordering whether even or odd depths prune better, with the
    confidence."""
    bonuses = _bonuses(rows)
    if not bonuses:
        return SAY.too_few()
    positions: dict[tuple[str, object], list[float]] = {}
    for (game, _), some in bonuses.items():
        for seed, bonus in some.items():
            positions.setdefault((game, seed), []).append(bonus)
    every = [fmean(some) for some in positions.values()]
    share = sum(bonus > 0 for bonus in every) / len(every)
    found = {case: mean_interval(list(some.values())) for case, some in bonuses.items()}
    even, odd = (
        [case for case, (_, low, _) in found.items() if low > 0],
        [case for case, (_, _, high) in found.items() if high < 0],
    )
    left = [case for case in found if case not in even and case not in odd]
    return SAY.finding(
        cases=len(found),
        sides=[
            (name, len(some), _by_order(some))
            for name, some in (("Even", even), ("Odd", odd))
            if some
        ],
        undecided=len(left),
        whole=[
            game
            for game in dict.fromkeys(game for game, _ in left)
            if all(case in left for case in found if case[0] == game)
        ],
        positive=(share, *wilson(share, len(every))),
        positions=len(every),
        orderings=_by_ordering(bonuses),
        perfect=perfect_bonus(7),
        reported=_report_parity(references or []),
    )


def _by_order(cases: Sequence[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Group games by the order of moves."""
    orders = dict.fromkeys(ordering for _, ordering in cases)
    return [(ordering, [game for game, one in cases if one == ordering]) for ordering in orders]


def _bonuses(rows: list[Row]) -> dict[tuple[str, str], dict[object, float]]:
    """For each game and ordering, the even bonus of each position: the mean over its searches,
    which are not independent of each other."""
    found: dict[tuple[str, str], dict[object, list[float]]] = {}
    for (game, ordering, _, seed), some in grouped(
        rows, "game", "ordering", "heuristic", "seed"
    ).items():
        bonus = even_bonus(
            [row["ratio"] for row in sorted(some, key=lambda row: int(row["depth"]))]
        )
        if bonus is not None:
            found.setdefault((game, ordering), {}).setdefault(seed, []).append(bonus)
    return {
        case: {seed: fmean(some) for seed, some in by_seed.items()}
        for case, by_seed in found.items()
    }


def _by_ordering(bonuses: dict[tuple[str, str], dict[object, float]]) -> list[tuple[str, float]]:
    """The mean effect of each order of moves, in which every game counts the same."""
    means: dict[str, list[float]] = {}
    for (_, ordering), some in bonuses.items():
        means.setdefault(ordering, []).append(fmean(some.values()))
    return [(ordering, math.exp(fmean(some))) for ordering, some in means.items()]


def _report_parity(references: list[Row]) -> list[tuple[str, float]]:
    """The answer of the report's own table to its question."""
    bonuses = {
        game: even_bonus([row["ratio"] for row in sorted(some, key=lambda row: int(row["depth"]))])
        for game, some in grouped([row for row in references if row.get("ratio")], "game").items()
    }
    return [(game, math.exp(bonus)) for game, bonus in bonuses.items() if bonus is not None]


@claim(
    "parity",
    report="002",
    says="pruning seems to depend on the parity of the depth (left open by the report)",
)
def even_depths_prune_better(rows: list[Row]) -> Judgement:
    """Judge by the report's game and its order of moves, since the answer may differ for others."""
    cases = {
        game: mean_interval(list(some.values()))
        for (game, ordering), some in _bonuses(rows).items()
        if ordering == LISTED and game.startswith("connect4")
    }
    sure = [
        (game, *map(math.exp, found)) for game, found in cases.items() if math.isfinite(found[1])
    ]
    if not sure:
        return NOT_TOLD
    every = list(cases.values())
    same = all(low > 0 for _, low, _ in every) or all(high < 0 for _, _, high in every)
    return judged(same, False, SAY.even_saves(cases=sure))
