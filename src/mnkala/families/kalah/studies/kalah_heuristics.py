"""Report 003's two heuristics for Kalah: which of them suits which depth, which is faster, and how
the report's levels do with each.

The report judged by a single game of each pair of levels. Here the same players (`report-003`)
start from many openings, on both sides.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from statistics import fmean, median

from mnkala.core import Position
from mnkala.families.kalah.report_003 import DEPTH_OF_LEVEL
from mnkala.families.kalah.rules import Kalah
from mnkala.families.kalah.studies.levels import read_levels, report_player
from mnkala.lab.judging import (
    Sentences,
    by_verdict,
    having,
    mean_interval,
    median_columns,
    results,
    verdict,
    verdicts,
    where,
)
from mnkala.lab.measuring import (
    answer,
    engine_for,
    play_out,
    position_of,
    rivals_seconds,
    seed_of_pair,
    series,
    summary,
    usual_plies,
)
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, claim, finding, judged, measure
from mnkala.lab.tables import mean_and_half
from mnkala.play.engine_game import points_of
from mnkala.play.series import SeriesGame, SeriesResult, opening

HEURISTICS = ("own-side", "stores")
"""The report's first and second heuristic."""
PLAYER = "report-003:heuristic={}"
EMPTY = "depth=1"
"""A query with nothing below its root moves, which are played in Python: the cost of a deep query
beside its nodes.
"""
SHORTEST = 1e-6
"""The shortest time in seconds that a clock can measure; a search of a few nodes may seem to take
no time at all.
"""


@measure("own-side-against-stores", version=1)
def own_side_against_stores(*, depth: int, games: int, game: str = "kalah", seed: int = 1) -> Row:
    """A series of the report's first heuristic against its second from random openings, both
    searching to the same depth.
    """
    one, other = ((PLAYER.format(name), f"depth {depth}") for name in HEURISTICS)
    played = list(series(game, one, other, games, seed_of_pair(seed, "own-side", str(depth))))
    return {**summary(played), **_mean_columns("margin", [_margin(each) for each in played], 2)}


def _mean_columns(name: str, values: Sequence[float], digits: int) -> Row:
    """The mean of some values with its interval, as the columns `name`, `name_low` and `name_high`."""
    mean, half = mean_and_half(values)
    return {
        name: round(mean, digits),
        f"{name}_low": round(mean - (half or 0), digits),
        f"{name}_high": round(mean + (half or 0), digits),
    }


def _margin(played: SeriesGame) -> int:
    """The seeds by which the first-named side won."""
    rules = played.position.rules
    assert isinstance(rules, Kalah)
    first, second = rules.picture(played.position.state()).seeds.stores
    return first - second if played.first_moved_first else second - first


@measure("heuristic-speed", version=2)
def heuristic_speed(
    *, depth: int, pruning: bool, positions: int, repeats: int, game: str = "kalah", seed: int = 1
) -> list[Row]:
    """Measure the processor time for a node and for a move with both heuristics, which take turns
    on the same positions, without the cost of a query to depth 1.

    `ratio_move` and `ratio_node` are the second heuristic's time divided by the first's: the median
    over positions, with its 95 % interval.
    """
    times: dict[str, list[tuple[float, int]]] = {name: [] for name in HEURISTICS}
    for place in range(positions):
        position = position_of(game, 4 + place % 12, 1000 * seed + place)
        engines = [
            engine_for(
                f"{PLAYER.format(name)},pruning={'on' if pruning else 'off'},{limit}", position
            )
            for limit in (f"depth={depth}", EMPTY)
            for name in HEURISTICS
        ]
        rounds = rivals_seconds(
            [functools.partial(answer, engine, position) for engine in engines], repeats
        )
        whole, empty = [median(each) for each in rounds[:2]], [median(each) for each in rounds[2:]]
        for index, name in enumerate(HEURISTICS):
            times[name].append(
                (max(SHORTEST, whole[index] - empty[index]), answer(engines[index], position).nodes)
            )
    first, second = (times[name] for name in HEURISTICS)
    a_move = [two[0] / one[0] for one, two in zip(first, second, strict=True)]
    a_node = [two[0] / two[1] / (one[0] / one[1]) for one, two in zip(first, second, strict=True)]
    row = median_columns("ratio_move", a_move) | median_columns("ratio_node", a_node)
    return [
        {
            "heuristic": name,
            "ms": 1000 * sum(seconds for seconds, _ in some) / positions,
            "nodes": sum(nodes for _, nodes in some) / positions,
            "ns_a_node": 1e9
            * sum(seconds for seconds, _ in some)
            / sum(nodes for _, nodes in some),
            **row,
        }
        for name, some in times.items()
    ]


@measure("level-pair", version=1)
def level_pair(
    *, levels: str, heuristic: str, games: int, game: str = "kalah", seed: int = 1
) -> Row:
    """Two levels of the report with one heuristic from random openings, the first of `1 v 3` moving
    first: points, seeds, moves and time.

    Time is processor time and includes the cost of a query beside its nodes, which for a move of
    level 1 is nearly all of it.
    """
    first, second = read_levels(levels)
    seats = report_player(first, heuristic, True), report_player(second, heuristic, True)
    rules = Position(game).rules
    for seat in seats:
        seat.engine.search.prepare(rules)
    played: list[SeriesGame] = []
    for place in range(games):
        start = opening(rules, usual_plies(rules), 1000 * seed + place)
        mover = start.mover
        end, spent = play_out(start, seats if mover == 0 else (seats[1], seats[0]))
        played.append(
            SeriesGame(
                place,
                end,
                points_of(end, mover),
                mover == 0,
                spent=(spent[mover], spent[1 - mover]),
            )
        )
    row: Row = {
        "games": len(played),
        "wins": sum(each.points == 1 for each in played),
        "draws": sum(each.points == 0.5 for each in played),
        "losses": sum(each.points == 0 for each in played),
    }
    row |= _mean_columns("margin", [_margin(each) for each in played], 4)
    for side, name in enumerate(("first", "second")):
        row |= _mean_columns(f"moves_{name}", [each.spent[side].moves for each in played], 4)
        row |= _mean_columns(f"ms_{name}", [1000 * each.spent[side].mean for each in played], 4)
    return row


# ---- What the rows say ----


SAY = Sentences(__file__)
SHALLOW, DEEP = (1, 2, 3), (6, 7, 8)
"""Depths (plies) that are taken together as shallow and as deep search."""

HARDEST = max(DEPTH_OF_LEVEL.values())
"""The depth of the report's highest level."""
SLIGHTLY = 1.25
"""The largest ratio of times that still counts as a slight difference."""


@finding("kalah-heuristics")
def in_words(rows: list[Row]) -> str:
    """Say which heuristic is ahead at which depth, and which is faster."""
    by_depth = results(having(rows, "pairs"), "depth")
    if not by_depth:
        return SAY.no_games()
    first, last = min(by_depth), max(by_depth)
    pruned, timed = _timed(rows, pruning=True), where(having(rows, "ratio_move"), pruning=True)
    visited = [
        (row["heuristic"], row["nodes"])
        for row in timed
        if pruned and row["depth"] == pruned["depth"]
    ]
    highest = where(having(rows, "ms_first"), levels="3 v 3")
    return SAY.finding(
        sides=by_verdict(by_depth),
        first=(first, by_depth[first]),
        last=(last, by_depth[last]),
        pruned=pruned,
        same=_timed(rows, pruning=False),
        visited=visited,
        moves=[(row["heuristic"], row["moves_first"], row["ms_first"]) for row in highest],
        margins=[(name, fmean(some.values())) for name, some in _margins(rows).items()],
    )


def _timed(rows: Sequence[Row], pruning: bool) -> Row | None:
    """The comparison of times by move and by node with their intervals, at the depth of the highest
    level or else the largest depth.
    """
    row = max(
        where(having(rows, "ratio_move"), pruning=pruning),
        key=lambda row: (row["depth"] == HARDEST, row["depth"]),
        default=None,
    )
    ratios = ("move", "node") if row else ()
    return row and {
        "depth": row["depth"],
        **{name: [row[f"ratio_{name}{end}"] for end in ("", "_low", "_high")] for name in ratios},
    }


def _unequal(rows: Sequence[Row]) -> list[tuple[Row, bool]]:
    """The rows of unequal levels, each with whether the higher level moves first."""
    found = []
    for row in having(rows, "levels", "margin"):
        first, second = (int(level) for level in str(row["levels"]).split(" v "))
        if first != second:
            found.append((row, first > second))
    return found


def _margins(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """The mean number of seeds by which the higher level wins, by heuristic and pair of levels."""
    found: dict[str, dict[str, float]] = {}
    for row, higher_first in _unequal(rows):
        found.setdefault(str(row["heuristic"]), {})[str(row["levels"])] = (
            row["margin"] if higher_first else -row["margin"]
        )
    return found


@claim(
    "kalah-heuristics",
    report="003",
    says="between unequal levels the second heuristic wins by more than the first",
)
def second_wins_by_more(rows: list[Row]) -> Judgement:
    """Judge by the difference between the two heuristics' mean margins at the same levels. Its
    interval is over pairs of levels, because these share their openings."""
    margins = _margins(rows)
    first, second = (margins.get(name, {}) for name in HEURISTICS)
    levels = [pair for pair in first if pair in second]
    if len(levels) < 2:
        return NOT_TOLD
    found = mean_interval([second[pair] - first[pair] for pair in levels])
    games = sum(row["games"] for row, _ in _unequal(rows) if row["levels"] in levels)
    means = {
        name: fmean(by_pair[pair] for pair in levels)
        for name, by_pair in (("first", first), ("second", second))
    }
    return judged(
        found[1] > 0,
        found[2] < 0,
        SAY.margins(difference=found, pairs=len(levels), games=games, **means),
    )


@claim(
    "kalah-heuristics",
    report="003",
    says="the second heuristic, the difference of the stores, seems the better one",
    needs=("depth", "pairs"),
)
def second_is_better(rows: list[Row]) -> Judgement:
    """Judge by the results at every depth, because the report compares the heuristics at equal
    levels."""
    by_depth = {depth: result.turned() for depth, result in results(rows, "depth").items()}
    sure = verdicts(by_depth.values())
    worst = min(by_depth, key=lambda depth: by_depth[depth].share)
    return judged(
        sure["ahead"] == sure["of"],
        sure["behind"] == sure["of"],
        SAY.second(ahead=sure["ahead"], of=sure["of"], depth=worst, result=by_depth[worst]),
    )


@claim(
    "kalah-heuristics",
    report="003",
    says="its first heuristic suits shallow search, its second deep search",
    needs=("depth", "pairs"),
)
def first_for_shallow_second_for_deep(rows: list[Row]) -> Judgement:
    """Judge by the results at three shallow depths and at three deep ones, each added up."""
    by_depth = results(rows, "depth")
    if not all(depth in by_depth for depth in (*SHALLOW, *DEEP)):
        return NOT_TOLD
    shallow, deep = (
        sum((by_depth[depth] for depth in depths), SeriesResult()) for depths in (SHALLOW, DEEP)
    )
    return judged(
        verdict(shallow) == "ahead" and verdict(deep) == "behind",
        verdict(shallow) == "behind" or verdict(deep) == "ahead",
        SAY.shallow_and_deep(shallow=shallow, at_shallow=SHALLOW, deep=deep, at_deep=DEEP),
    )


@claim(
    "kalah-heuristics",
    report="003",
    says="its first heuristic is slightly faster, and not significantly",
    needs=("ratio_move",),
)
def first_is_slightly_faster(rows: list[Row]) -> Judgement:
    """Judge by the time for a move on the same positions, with pruning, at the depth of the highest
    level: the report measured games in which most of the time is spent there."""
    pruned, same = _timed(rows, pruning=True), _timed(rows, pruning=False)
    if pruned is None or pruned["depth"] != HARDEST:
        return NOT_TOLD
    ratio, low, high = pruned["move"]
    by_nodes = 2 * abs(math.log(pruned["node"][0])) < math.log(ratio)
    return judged(
        low > 1 / SLIGHTLY and high < SLIGHTLY,
        low > SLIGHTLY or high < 1,
        SAY.faster(pruned=pruned, by_nodes=by_nodes, same=same),
    )
