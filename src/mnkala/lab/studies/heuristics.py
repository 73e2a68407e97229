"""Every heuristic against every other (reports 002, 003 and 004)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from mnkala.core import Position
from mnkala.lab.judging import (
    Sentences,
    carried,
    grouped,
    having,
    head_to_head,
    strongest_first,
    verdict,
    verdicts,
)
from mnkala.lab.measuring import player, seed_of_pair, series, summary
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, claim, finding, judged, measure
from mnkala.play.series import SeriesResult, opening

ALL = "all"
"""Stands for all opponents together."""


@measure("heuristics", version=1)
def heuristics(
    *,
    game: str,
    one: str,
    field: list[str],
    limit: str,
    games: int,
    search: str = "alphabeta",
    seed: int = 1,
) -> list[Row]:
    """A heuristic against each of a field, and against all others together.

    Against itself it makes half of the points, and the advantage of moving first shows. Limits are
    `depth 4`, `nodes 2000` or `time 2 ms` of processor time; with the last, games differ a little
    from run to run.
    """
    rows, everything = [], []
    for other in field:
        pair = [(f"{search}:heuristic={name}", limit) for name in (one, other)]
        played = list(series(game, pair[0], pair[1], games, seed_of_pair(seed, one, other)))
        everything += played if other != one else []
        rows.append({"other": other, **summary(played)})
    return [*rows, {"other": ALL, **summary(everything)}]


@measure("fixed-cost", version=1)
def fixed_cost(
    *,
    game: str,
    heuristic: str,
    limit_ms: float,
    search: str = "alphabeta",
    positions: int = 12,
    repeats: int = 5,
) -> Row:
    """The cost of a query beside its nodes, which is that of a search of one node, and its share of
    an equal time.
    """
    rules = Position(game).rules
    asked = player(game, f"{search}:heuristic={heuristic}", "nodes 1")
    asked.engine.search.prepare(rules)
    starts = [opening(rules, 4 + number % 5, number) for number in range(positions)]
    fixed = 1000 * median(asked.ask(position)[1] for _ in range(repeats + 1) for position in starts)
    return {"fixed_ms": round(fixed, 4), "fixed_share": round(fixed / limit_ms, 4)}


# ---- What the rows say ----


SAY = Sentences(__file__)
THEIRS = (
    ("002", "connect4", "zero-sum", ("basic", "article")),
    ("003", "kalah", "stores", ("own-side",)),
)
"""The heuristics that the reports consider the best of their own in their game, and those with
which they compare them.
"""


@finding("heuristics")
def in_words(rows: list[Row]) -> str:
    """Say which heuristic leads in each game, whether the lead is clear, and how the reports' own
    heuristics compare."""
    leaders: dict[str, dict[str, list[str]]] = {}
    sure = cases = 0
    for (game, limit), some in _fields(rows).items():
        names = list(dict.fromkeys(str(row["one"]) for row in some))
        if len(names) < 2:
            continue
        first, second = strongest_first(some, names)[:2]
        leaders.setdefault(game, {}).setdefault(first, []).append(limit)
        cases += 1
        sure += verdict(head_to_head(some, first, second)) == "ahead"
    if not cases:
        return SAY.too_few()
    return SAY.finding(
        leaders=[(game, list(by_name.items())) for game, by_name in leaders.items()],
        sure=sure,
        cases=cases,
        favourites=[
            (report, best, rivals)
            for report, family, best, others in THEIRS
            if (rivals := _rivals(rows, family, best, others))
        ],
    )


def _fields(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """The rows of each field of heuristics by game and limit, without games of a heuristic against
    itself."""
    return grouped(
        [
            row
            for row in having(rows, "one", "other", "share")
            if row["other"] not in (ALL, row["one"])
        ],
        "game",
        "limit",
    )


def _duels(rows: Sequence[Row], family: str, best: str, other: str) -> dict[str, SeriesResult]:
    """The results of one heuristic against another, by board and limit."""
    found = {
        f"{game}, {limit}": head_to_head(some, best, other)
        for (game, limit), some in _fields(rows).items()
        if game.startswith(family)
    }
    return {case: result for case, result in found.items() if result.games}


def _rivals(
    rows: Sequence[Row], family: str, best: str, others: tuple[str, ...]
) -> list[tuple[str, int, int]]:
    """For each rival of a report's favourite, the number of series in which the favourite is
    clearly ahead, and the number of all series."""
    sure = [(other, verdicts(_duels(rows, family, best, other).values())) for other in others]
    return [(other, found["ahead"], found["of"]) for other, found in sure if found["of"]]


def _favourite(rows: Sequence[Row], family: str, best: str, others: tuple[str, ...]) -> Judgement:
    """Judge whether a report's favourite is the best: reproduced if it is better than each of the
    others, refuted if it is worse than one of them."""
    by_rival = {other: some for other in others if (some := _duels(rows, family, best, other))}
    if not by_rival:
        return NOT_TOLD
    rules = [carried(some.values()) for some in by_rival.values()]
    duels = {
        (other, case): result for other, some in by_rival.items() for case, result in some.items()
    }
    rival, case = min(duels, key=lambda one: duels[one].share)
    return judged(
        len(by_rival) == len(others) and all(holds for holds, _ in rules),
        any(fails for _, fails in rules),
        SAY.favourite(
            best=best,
            rivals=_rivals(rows, family, best, others),
            rival=rival,
            case=case,
            result=duels[rival, case],
            behind=verdicts(duels.values())["behind"],
        ),
    )


@claim("heuristics", report="002", says="the zero-sum heuristic is the best of its three")
def zero_sum_is_best(rows: list[Row]) -> Judgement:
    """Judge by the results against each of the two other heuristics, over all boards and limits."""
    return _favourite(rows, *THEIRS[0][1:])
