"""Report 003's two heuristics of Kalah: which suits which depth, which is faster, and how its levels fare with each.

The report judged by one game for each pair of levels. Here the same players (`report-003`) begin from many openings, from both sides.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from statistics import median

from mnkala.core import Position
from mnkala.families.kalah.rules import Kalah
from mnkala.lab.clock import median_interval, rivals_seconds
from mnkala.lab.matches import Played, play_out, seed_of_pair, series, summary, usual_plies
from mnkala.lab.positions import answer, engine_for, position_of
from mnkala.lab.registry import Row, measure
from mnkala.lab.studies.levels import read_levels, report_player
from mnkala.lab.tables import mean_and_half
from mnkala.play.engine_game import points_of
from mnkala.play.series import opening

HEURISTICS = ("own-side", "stores")
"""The report's first and second."""
PLAYER = "report-003:heuristic={}"
EMPTY = "depth=1"
"""A question with nothing below its root moves, which are played in Python: what a deep one costs beside its nodes."""
SHORTEST = 1e-6
"""Seconds: less than this a clock does not tell, and a search of a few nodes may seem to take no time at all."""


@measure("own-side-against-stores", version=1)
def own_side_against_stores(*, depth: int, games: int, game: str = "kalah", seed: int = 1) -> Row:
    """The report's first heuristic against its second, both to the same depth: a series from random openings."""
    one, other = ((PLAYER.format(name), f"depth {depth}") for name in HEURISTICS)
    played = list(series(game, one, other, games, seed_of_pair(seed, "own-side", str(depth))))
    margin, half = mean_and_half([_margin(each) for each in played])
    return {**summary(played), "margin": round(margin, 2), "margin_low": round(margin - (half or 0), 2),
            "margin_high": round(margin + (half or 0), 2)}


def _margin(played: Played) -> int:
    """Seeds by which the first-named side won."""
    rules = played.end.rules
    assert isinstance(rules, Kalah)
    first, second = rules.picture(played.end.state()).stores
    return first - second if played.one_moved_first else second - first


@measure("heuristic-speed", version=2)
def heuristic_speed(*, depth: int, pruning: bool, positions: int, repeats: int, game: str = "kalah", seed: int = 1) -> list[Row]:
    """Processor time a node and a move of both heuristics on the same positions, taking turns; what a question of depth 1 costs taken off.

    `ratio` is the second heuristic's time by the first's, a move and a node: the median over positions, with its 95 % interval.
    """
    times: dict[str, list[tuple[float, int]]] = {name: [] for name in HEURISTICS}
    for number in range(positions):
        position = position_of(game, 4 + number % 12, 1000 * seed + number)
        engines = [engine_for(f"{PLAYER.format(name)},pruning={'on' if pruning else 'off'},{limit}", position)
                   for limit in (f"depth={depth}", EMPTY) for name in HEURISTICS]
        rounds = rivals_seconds([functools.partial(answer, engine, position) for engine in engines], repeats)
        whole, empty = [median(each) for each in rounds[:2]], [median(each) for each in rounds[2:]]
        for index, name in enumerate(HEURISTICS):
            times[name].append((max(SHORTEST, whole[index] - empty[index]), answer(engines[index], position).nodes))
    first, second = (times[name] for name in HEURISTICS)
    a_move = [two[0] / one[0] for one, two in zip(first, second, strict=True)]
    a_node = [two[0] / two[1] / (one[0] / one[1]) for one, two in zip(first, second, strict=True)]
    row: Row = {}
    for name, ratios in (("move", a_move), ("node", a_node)):
        low, high = median_interval(ratios)
        row |= {f"ratio_{name}": median(ratios), f"ratio_{name}_low": low, f"ratio_{name}_high": high}
    return [{"heuristic": name, "ms": 1000 * sum(seconds for seconds, _ in some) / positions,
             "nodes": sum(nodes for _, nodes in some) / positions,
             "ns_a_node": 1e9 * sum(seconds for seconds, _ in some) / sum(nodes for _, nodes in some), **row}
            for name, some in times.items()]


@measure("level-pair", version=1)
def level_pair(*, levels: str, heuristic: str, games: int, game: str = "kalah", seed: int = 1) -> Row:
    """Two levels of the report with one heuristic, the first of `1 v 3` moving first, from random openings: points, seeds, moves and time.

    Time is processor time, with what a question costs beside its nodes: of a move of level 1 that is nearly all.
    """
    first, second = read_levels(levels)
    seats = report_player(first, heuristic, True), report_player(second, heuristic, True)
    rules = Position(game).rules
    for seat in seats:
        seat.engine.search.prepare(rules)
    played: list[Played] = []
    for number in range(games):
        start = opening(rules, usual_plies(rules), 1000 * seed + number)
        mover = start.mover
        end, spent = play_out(start, seats if mover == 0 else (seats[1], seats[0]))
        played.append(Played(end, points_of(end, mover), spent[mover], spent[1 - mover], one_moved_first=mover == 0))
    row: Row = {"games": len(played), "wins": sum(each.points == 1 for each in played), "draws": sum(each.points == 0.5 for each in played),
                "losses": sum(each.points == 0 for each in played)}
    columns: dict[str, Sequence[float]] = {
        "margin": [_margin(each) for each in played], "moves_first": [each.one.moves for each in played],
        "moves_second": [each.other.moves for each in played],
        "ms_first": [1000 * each.one.seconds / max(1, each.one.moves) for each in played],
        "ms_second": [1000 * each.other.seconds / max(1, each.other.moves) for each in played]}
    for name, values in columns.items():
        mean, half = mean_and_half(values)
        row |= {name: round(mean, 4), f"{name}_low": round(mean - (half or 0), 4), f"{name}_high": round(mean + (half or 0), 4)}
    return row
