"""Report 004's Gomoku on 15×15: alpha-beta near the stones, to a depth chosen by hand, with steeply
increasing values for runs of stones.

The report searches the empty cells in a star of some radius around the stones (`candidates=near:R`)
to some depth, and gives neither number. It values runs so that a longer one outweighs all shorter
ones (`search/stone_runs.py`), and a finished game by its utility U, which is the same sum with a
great number for five in line, so that all wins are worth the same, however far away.

Positions come from play, not from chance: after two random moves the greedy player moves for both
sides. Games at equal time are limited by the processor time of the searching thread, so their rows
differ a little from run to run.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterator
from statistics import fmean, median
from typing import Any

from mnkala.core import Position, Rules
from mnkala.core.rules import State
from mnkala.lab.judging import (
    Sentences,
    by_verdict,
    carried,
    grouped,
    head_to_head,
    result_of,
    results,
    where,
)
from mnkala.lab.measuring import (
    MeasuredPlayer,
    PacedPlayer,
    answer,
    cpu_seconds,
    engine_for,
    games_between,
    player,
    position_of,
    seed_of_pair,
    series,
    summary,
)
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, brief, claim, finding, judged, measure
from mnkala.native import native
from mnkala.play.intervals import wilson
from mnkala.play.series import SeriesResult
from mnkala.search import Analysis, Engine
from mnkala.search.heuristic import Heuristic, Memory
from mnkala.search.minimax import AlphaBeta
from mnkala.search.stone_runs import Runs
from mnkala.search.values import HIGHEST

GAME = "gomoku:15"
RANDOM_PLIES = 2
GREEDY = "greedy:heuristic=criticality"
"""The player that continues from there to the position that is searched."""
EVERYWHERE = "all"
"""Stands for the whole board in place of a radius."""
ALL_ALIKE = HIGHEST
"""The utility U of a win in the units of alpha-beta: no heuristic value is larger, and those of
`runs` are smaller.
"""
SIDE, LINE = 15, 5
RUN_ENDS = (0.1, 0.5, 1.0)
"""The report's s, by the number of open ends."""


def near(radius: int | str) -> str:
    """The candidates of a radius, as engine strings name them."""
    return EVERYWHERE if radius == EVERYWHERE else f"near:{radius}"


def engine_of(radius: int | str, heuristic: str = "runs", more: str = "") -> str:
    """Report 004's engine."""
    return f"alphabeta:heuristic={heuristic},candidates={near(radius)}{more}"


# ---- How the work grows ----


@measure("near-growth", version=1)
def near_growth(*, radius: int, depth: int, positions: int = 6, plies: int = 8) -> Row:
    """The nodes and processor time of alpha-beta to a depth among the cells within a radius, on
    positions from play.
    """
    boards = [played_position(plies, seed) for seed in range(1, positions + 1)]
    moves = [
        answer(engine_for(engine_of(radius, more=",depth=1"), board), board).nodes - 1
        for board in boards
    ]
    engines = [engine_for(engine_of(radius, more=f",depth={depth}"), board) for board in boards]
    found = [answer(engine, board).nodes for engine, board in zip(engines, boards, strict=True)]
    spent = [
        cpu_seconds(functools.partial(answer, engine, board))
        for engine, board in zip(engines, boards, strict=True)
    ]
    return {
        "moves": median(moves),
        "nodes": median(found),
        "nodes_least": min(found),
        "nodes_most": max(found),
        "ms": 1000 * median(spent),
    }


def played_position(plies: int, seed: int) -> Position:
    """The position after two random moves and so many of the greedy player, or the last one before
    the game ends.
    """
    position = position_of(GAME, RANDOM_PLIES, seed)
    engine = engine_for(GREEDY, position)
    for _ in range(plies):
        after = position.play_codes(answer(engine, position).line_codes[:1])
        if after.is_over:
            break
        position = after
    return position


# ---- Games ----


class DepthCounter(PacedPlayer):
    """A paced player that notes the depth which it reaches at each move."""

    def __init__(self, engine: str, milliseconds: float) -> None:
        super().__init__(GAME, engine, milliseconds)
        self.depths: list[int] = []

    def ask(self, position: Position, all_moves: bool = False) -> tuple[Analysis, float]:
        analysis, seconds = super().ask(position, all_moves)
        self.depths.append(analysis.depth)
        return analysis, seconds


@measure("radius-match", version=1)
def radius_match(
    *, one: int | str, other: int | str, milliseconds: float, games: int, seed: int = 1
) -> Row:
    """A radius against another in equal processor time, each searching to one depth after another,
    and the depths that they reach.
    """
    pair = [engine_of(radius) for radius in (one, other)]
    depths: tuple[list[int], list[int]] = [], []

    def players(number: int) -> tuple[MeasuredPlayer, MeasuredPlayer]:
        made = DepthCounter(pair[0], milliseconds), DepthCounter(pair[1], milliseconds)
        for counter, some in zip(made, depths, strict=True):
            counter.depths = some
        return made

    row = summary(games_between(Position(GAME).rules, players, games, seed_of_pair(seed, *pair)))
    mean = [round(sum(some) / max(1, len(some)), 2) for some in depths]
    return {**row, "depth_one": mean[0], "depth_other": mean[1]}


@measure("depth-match", version=1)
def depth_match(*, radius: int, one: int, other: int, games: int, seed: int = 1) -> Row:
    """A fixed depth against another, with the same radius."""
    pair = [engine_of(radius, more=f",depth={depth}") for depth in (one, other)]
    return summary(series(GAME, (pair[0], ""), (pair[1], ""), games, seed_of_pair(seed, *pair)))


@measure("gomoku-rival", version=1)
def gomoku_rival(
    *,
    rival: str,
    milliseconds: float,
    rival_milliseconds: float,
    games: int,
    radius: int = 2,
    seed: int = 1,
) -> Row:
    """Report 004's engine against one of ours, with the same processor time, or less for ours."""
    return summary(
        series(
            GAME,
            (engine_of(radius), f"time {milliseconds} ms"),
            (rival, f"time {rival_milliseconds} ms"),
            games,
            seed_of_pair(seed, "004", rival),
        )
    )


@measure("quick-wins", version=1)
def quick_wins(*, radius: int, depth: int, positions: int) -> list[Row]:
    """How often the mover wins at once where it can, with the report's utility, by which all wins
    are equal, and with one by which a quick win is worth more. The positions are the last ones of
    greedy games.
    """
    boards = [last_position(seed) for seed in range(1, positions + 1)]
    rows = []
    for utility, more in (("all wins alike", f",win={ALL_ALIKE}"), ("quick wins first", "")):
        at_once = 0
        for board in boards:
            best = answer(engine_for(engine_of(radius, more=f",depth={depth}{more}"), board), board)
            at_once += board.play_codes(best.line_codes[:1]).is_over
        low, high = wilson(at_once / positions, positions)
        rows.append(
            {
                "utility": utility,
                "at_once": at_once,
                "share": at_once / positions,
                "low": low,
                "high": high,
            }
        )
    return rows


def last_position(seed: int) -> Position:
    """A position from play whose mover wins with the next move."""
    position = position_of(GAME, RANDOM_PLIES, seed)
    engine = engine_for(GREEDY, position)
    while True:
        after = position.play_codes(answer(engine, position).line_codes[:1])
        if after.is_over and after.outcome is not None and after.outcome.winner is not None:
            return position
        if after.is_over:  # drawn: another game
            return last_position(seed + 1_000_000)
        position = after


# ---- The values of runs ----


@native
class SteppedRuns(Runs):
    """The report's runs, but a run of n stones is worth a fixed multiple of one of n - 1 stones, so
    that many short runs may outweigh it.
    """

    step: int = 10

    def value(self, rules: Any, state: State, memory: Memory) -> int:
        total, worth = 0, 1
        for length in range(1, len(memory)):
            total += worth * memory[length]
            worth *= self.step
        return total if rules.mover(state) == 0 else -total


@dataclasses.dataclass(frozen=True)
class SteppedAlphaBeta(AlphaBeta):
    """Alpha-beta with `SteppedRuns`."""

    step: int = 10

    def heuristic_for(self, rules: Rules) -> Heuristic:
        return SteppedRuns(getattr(rules, "exact", False), self.step)


class SteppedPlayer(PacedPlayer):
    """A paced player with `SteppedAlphaBeta`."""

    def __init__(self, step: int, radius: int, milliseconds: float) -> None:
        super().__init__(GAME, engine_of(radius), milliseconds)
        self.engine = Engine(SteppedAlphaBeta(candidates=near(radius), step=step))
        self.key = GAME, f"runs, steps of {step}, {radius}", milliseconds


STEPS = {"runs, steps of 10": 10, "runs, steps of 3": 3}


@measure("run-values", version=1)
def run_values(
    *, one: str, other: str, milliseconds: float, games: int, radius: int = 2, seed: int = 1
) -> Row:
    """One way to value runs or windows against another, with equal processor time."""

    def made(name: str) -> MeasuredPlayer:
        if name in STEPS:
            return SteppedPlayer(STEPS[name], radius, milliseconds)
        return player(GAME, engine_of(radius, name), f"time {milliseconds} ms")

    return summary(
        games_between(
            Position(GAME).rules,
            lambda number: (made(one), made(other)),
            games,
            seed_of_pair(seed, one, other),
        )
    )


@measure("run-law", version=1)
def run_law() -> list[Row]:
    """The report's values of runs: whether the least value of a run outweighs the largest value
    that all shorter ones can have at once.

    The largest value assumes that all stones that a player can have stand, in all four directions,
    in runs that are just one shorter with both ends open. No board is as good as that, and nothing
    is better, because a stone's share in the value of its run grows with the run.
    """
    rows, most_stones, shorter = [], (SIDE * SIDE + 1) // 2, 0.0
    for length, worth in enumerate(report_values(), 1):
        least = worth * min(RUN_ENDS)
        rows.append(
            {
                "length": length,
                "worth": worth,
                "least": least,
                "shorter": shorter,
                "outweighs": least / shorter if shorter else None,
            }
        )
        shorter = 4 * most_stones / length * worth * max(RUN_ENDS)
    return rows


def report_values() -> Iterator[float]:
    """Yield the report's values of runs: v(1) = 1 and v(n+1) = (v(1) + … + v(n)) · 3 · 7.5 · 113 ·
    (15 - n + 1), up to five in line."""
    worth, total = 1.0, 0.0
    for length in range(1, LINE + 1):
        yield worth
        total += worth
        worth = total * 3 * 7.5 * 113 * (SIDE - length + 1)


# ---- What the rows say ----


SAY = Sentences(__file__)
RUNS, GENTLE = "runs", ("runs, steps of 10", "runs, steps of 3")
"""The report's values, and the same runs with values that a few shorter runs outweigh."""


@finding("gomoku")
def in_words(rows: list[Row]) -> str:
    """Say which radius is best and how good the report's values are; then report on strength,
    growth, depth and wins."""
    radius, growth, depth, values, rivals, utility = (
        where(rows, part=part)
        for part in ("radius", "growth", "depth", "values", "rivals", "utility")
    )
    by_depths = {
        f"{one} against {other}": result
        for (one, other), result in results(depth, "one", "other").items()
    }
    return SAY.finding(
        radius=_best_radius(radius),
        values=_values(values),
        strength=_strength(rivals),
        growth=_factors(growth),
        depths={"matches": len(by_depths), **by_verdict(by_depths)} if by_depths else None,
        wins=[(row["utility"], row["at_once"], row["positions"]) for row in utility],
    )


@brief(
    "gomoku",
    report="004",
    plot="Share of points of a radius (rows) against another (columns), in equal time",
)
def in_brief(rows: list[Row]) -> Row:
    """The best radius and its share of the points."""
    best = _best_radius(where(rows, part="radius"))
    return {"radius": best["best"], "share": round(100 * best["result"].share)} if best else {}


# ---- Radius and depth ----


def _radii(rows: list[Row]) -> list[object]:
    """All radii of which games were played."""
    return list(dict.fromkeys(row[seat] for row in rows for seat in ("one", "other")))


def _best_radius(rows: list[Row]) -> Row | None:
    """The best radius by its games against all others that search at least one ply, and the radii
    that it clearly beats."""
    matches = [row for row in rows if min(row["depth_one"], row["depth_other"]) >= 1]
    radii = _radii(matches)
    if not radii:
        return None
    against = {
        radius: {
            str(other): head_to_head(matches, radius, other) for other in radii if other != radius
        }
        for radius in radii
    }
    totals = {radius: sum(some.values(), SeriesResult()) for radius, some in against.items()}
    best = max(totals, key=lambda radius: totals[radius].share)
    depths = [
        row["depth_one"] if row["one"] == best else row["depth_other"]
        for row in matches
        if best in (row["one"], row["other"])
    ]
    return {
        "milliseconds": sorted({float(row["milliseconds"]) for row in matches}),
        "best": best,
        "result": totals[best],
        "depth": fmean(depths),
        **by_verdict(against[best]),
    }


@claim(
    "gomoku",
    report="004",
    says="in a few milliseconds a move, looking only near the stones plays better than looking everywhere",
    part="radius",
)
def near_is_better(rows: list[Row]) -> Judgement:
    """Judge by each radius against the whole board, with the longest equal time that was played: in
    less time a search of the whole board hardly completes one ply."""
    longest = max(float(row["milliseconds"]) for row in rows)
    matches = where(rows, milliseconds=longest)
    against = {
        radius: head_to_head(matches, radius, EVERYWHERE)
        for radius in _radii(rows)
        if radius != EVERYWHERE
    }
    against = {radius: result for radius, result in against.items() if result.games}
    if not against:
        return NOT_TOLD
    depth = fmean(
        row["depth_other"] if row["other"] == EVERYWHERE else row["depth_one"]
        for row in matches
        if EVERYWHERE in (row["one"], row["other"])
    )
    return judged(
        *carried(against.values()),
        SAY.near(milliseconds=longest, depth=depth, results=list(against.items())),
    )


def _factors(rows: list[Row]) -> list[float]:
    """For each radius, the factor by which one more ply multiplies the nodes, averaged from the
    smallest depth to the largest."""
    found = []
    for _, some in sorted(grouped(rows, "radius").items()):
        first, last = (end(some, key=lambda row: int(row["depth"])) for end in (min, max))
        if last["depth"] > first["depth"]:
            found.append((last["nodes"] / first["nodes"]) ** (1 / (last["depth"] - first["depth"])))
    return found


@claim("gomoku", report="004", says="the depth decides how quickly it moves", part="growth")
def depth_decides_the_time(rows: list[Row]) -> Judgement:
    """Judge by the time at each depth, for each radius."""
    ratios = []
    for some in grouped(rows, "radius").values():
        by_depth = sorted(some, key=lambda row: int(row["depth"]))
        ratios += [later["ms"] / row["ms"] for row, later in itertools.pairwise(by_depth)]
    if not ratios:
        return NOT_TOLD
    return judged(
        min(ratios) > 1, max(ratios) < 1, SAY.a_ply_more(least=min(ratios), most=max(ratios))
    )


# ---- Values ----


@claim(
    "gomoku",
    report="004",
    says="a longer run outweighs every sum of shorter ones",
    part="law",
    needs=("outweighs",),
)
def longer_outweighs(rows: list[Row]) -> Judgement:
    """Judge by arithmetic: compare the value of a closed run with that of all shorter runs that a
    player's stones could form at once."""
    factors = [float(row["outweighs"]) for row in rows]
    return judged(min(factors) > 1, min(factors) <= 1, SAY.longer(factor=min(factors)))


def _values(rows: list[Row]) -> dict[str, list[tuple[str, float | None]]] | None:
    """The other ways to value runs, grouped by the verdicts of the report's values against them,
    and the shares against gentler values of the same runs."""
    against = results(where(rows, one=RUNS), "other")
    return (
        {
            side: [
                (name.removeprefix("runs, "), against[name].share if name in GENTLE else None)
                for name in names
            ]
            for side, names in by_verdict(against).items()
        }
        if against
        else None
    )


@claim(
    "gomoku",
    report="004",
    says="runs are to be valued so steeply that the longest are always sought",
    part="values",
)
def steep_is_good(rows: list[Row]) -> Judgement:
    """Judge the claim by how the steep values of runs score against every gentler set of values."""
    rivals = {
        name.removeprefix("runs, "): result
        for name, result in results(where(rows, one=RUNS), "other").items()
        if name in GENTLE
    }
    if not rivals:
        return NOT_TOLD
    return judged(*carried(rivals.values()), SAY.steep(results=list(rivals.items())))


# ---- Strength and utility ----


def _strength(rows: list[Row]) -> Row | None:
    """The result against each rival with the shortest time: the share against the rival with the
    largest handicap, and the verdicts against the others."""
    by_odds = sorted(rows, key=lambda row: float(row["milliseconds"] / row["rival_milliseconds"]))
    if not by_odds:
        return None
    hardest = by_odds[-1]
    others = by_verdict(
        {str(row["rival"]): result_of([row]) for row in by_odds if row["rival"] != hardest["rival"]}
    )
    return {
        "rival": hardest["rival"],
        "odds": hardest["milliseconds"] / hardest["rival_milliseconds"],
        "result": result_of([hardest]),
        **others,
    }
