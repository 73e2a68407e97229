"""What the data say of report 004's Gomoku: depth and radius, the values of runs, and its strength."""

from __future__ import annotations

import itertools
from statistics import fmean

from mnkala.lab.claims import NOT_TOLD, Judgement, claim, judged
from mnkala.lab.registry import Row, finding
from mnkala.lab.strength import by_verdict, carried, head_to_head, result_of, told
from mnkala.lab.studies.gomoku import EVERYWHERE
from mnkala.lab.wording import about, grouped, in_paragraphs, listed, number, percent, times
from mnkala.play.series import SeriesResult

RUNS, GENTLE = "runs", ("runs, steps of 10", "runs, steps of 3")
"""The report's values, and the same runs with values that it does not take many to outweigh."""
EXCEPTIONS = (("undecided", "not decided against"), ("behind", "clearly behind"))


@finding("gomoku")
def in_words(rows: list[Row]) -> str:
    """The best radius and what the values are worth; then strength, growth, depth and wins."""
    return in_paragraphs([_best_radius(rows), _values(rows)], [_strength(rows), _growth(rows), _depths(rows), _wins(rows)])


def _part(rows: list[Row], name: str) -> list[Row]:
    return [row for row in rows if row.get("part") == name]


# ---- Radius and depth ----


def _radii(rows: list[Row]) -> list[object]:
    return list(dict.fromkeys(row[seat] for row in _part(rows, "radius") for seat in ("one", "other")))


def _best_radius(rows: list[Row]) -> str:
    """By its games against all others that see at least one ply; and whether it is clearly ahead of each."""
    matches = [row for row in _part(rows, "radius") if min(row["depth_one"], row["depth_other"]) >= 1]
    radii = _radii(matches)
    if not radii:
        return ""
    against = {radius: {_radius(other): head_to_head(matches, radius, other) for other in radii if other != radius} for radius in radii}
    totals = {radius: sum(some.values(), SeriesResult()) for radius, some in against.items()}
    best = max(totals, key=lambda radius: totals[radius].share)
    sure = by_verdict(against[best])
    depths = [row["depth_one"] if row["one"] == best else row["depth_other"] for row in matches if best in (row["one"], row["other"])]
    rest = "".join(f", {words} {listed(sure[key])}" for key, words in EXCEPTIONS if sure[key])
    return (f"In {_times(matches)} ms a move {_radius(best)} plays best: {told(totals[best])} against all that see a ply{rest}, "
            f"at a depth of {fmean(depths):.1f}.")


def _times(matches: list[Row]) -> str:
    return listed([number(time) for time in sorted({float(row["milliseconds"]) for row in matches})])


def _radius(radius: object) -> str:
    return "the whole board" if radius == EVERYWHERE else f"radius {radius}"


@claim("gomoku", report="004", says="in a few milliseconds a move, looking only near the stones plays better than looking everywhere")
def near_is_better(rows: list[Row]) -> Judgement:
    """Each radius against the whole board, in equal time: the longest that was played, for in less the whole board is hardly seen once."""
    longest = max((float(row["milliseconds"]) for row in _part(rows, "radius")), default=0.0)
    matches = [row for row in _part(rows, "radius") if row["milliseconds"] == longest]
    results = {_radius(radius): head_to_head(matches, radius, EVERYWHERE) for radius in _radii(rows) if radius != EVERYWHERE}
    results = {name: result for name, result in results.items() if result.games}
    if not results:
        return NOT_TOLD
    depth = fmean(row["depth_other"] if row["other"] == EVERYWHERE else row["depth_one"] for row in matches
                  if EVERYWHERE in (row["one"], row["other"]))
    scores = listed([f"{name} scores {told(result)}" for name, result in results.items()])
    return judged(*carried(list(results.values())),
                  f"against the whole board, {number(longest)} ms a move, in which that comes to a depth of {depth:.1f}, {scores}")


def _factors(rows: list[Row]) -> dict[int, float]:
    """By radius: how many times the nodes a ply more takes, on the average from the least to the largest depth."""
    found = {}
    for (radius,), some in grouped(_part(rows, "growth"), "radius").items():
        first, last = (end(some, key=lambda row: int(row["depth"])) for end in (min, max))
        if last["depth"] > first["depth"]:
            found[int(str(radius))] = (last["nodes"] / first["nodes"]) ** (1 / (last["depth"] - first["depth"]))
    return dict(sorted(found.items()))


def _growth(rows: list[Row]) -> str:
    factors = [about(factor) for factor in _factors(rows).values()]
    return f"A ply more takes {' to '.join(dict.fromkeys((factors[0], factors[-1])))} times the nodes, by the radius." if factors else ""


@claim("gomoku", report="004", says="the depth decides how quickly it moves")
def depth_decides_the_time(rows: list[Row]) -> Judgement:
    """Time by depth, with each radius."""
    ratios = []
    for some in grouped(_part(rows, "growth"), "radius").values():
        by_depth = sorted(some, key=lambda row: int(row["depth"]))
        ratios += [later["ms"] / row["ms"] for row, later in itertools.pairwise(by_depth)]
    if not ratios:
        return NOT_TOLD
    return judged(min(ratios) > 1, max(ratios) < 1, f"one ply more takes {times(min(ratios))} to {times(max(ratios))} the time")


def _depths(rows: list[Row]) -> str:
    results = {f"{row['one']} against {row['other']}": result_of([row]) for row in _part(rows, "depth")}
    sure = by_verdict(results)
    words = [f"{verb} {listed(sure[key])}" for key, verb in (("behind", "clearly worse"), ("undecided", "undecided")) if sure[key]]
    clear = f"in {len(sure['ahead'])} of {len(results)} matches"
    return f"Deeper is clearly better {', '.join([clear, *words])}." if results else ""


# ---- Values ----


@claim("gomoku", report="004", says="a longer run outweighs every sum of shorter ones")
def longer_outweighs(rows: list[Row]) -> Judgement:
    """By arithmetic: a closed run against all shorter ones that a player's stones could form at once."""
    factors = [float(row["outweighs"]) for row in _part(rows, "law") if row.get("outweighs")]
    if not factors:
        return NOT_TOLD
    return judged(min(factors) > 1, min(factors) <= 1,
                  f"a run with both ends closed is worth at least {about(min(factors))} times all shorter ones that could ever stand")


def _values(rows: list[Row]) -> str:
    """The report's values against the others, with the shares against gentler ones on the same runs."""
    results = {str(row["other"]): result_of([row]) for row in _part(rows, "values") if row["one"] == RUNS}
    if not results:
        return ""
    sure = by_verdict(results)
    named = {name: name.removeprefix("runs, ") + (f" ({percent(result.share)})" if name in GENTLE else "")
             for name, result in results.items()}
    words = [f"{verb} {listed([named[name] for name in sure[key]])}" for key, verb in
             (("behind", "clearly worse than"), ("ahead", "clearly better than"), ("undecided", "undecided against")) if sure[key]]
    return f"Its steep values of runs are {'; '.join(words)}."


@claim("gomoku", report="004", says="runs are to be valued so steeply that the longest are always sought")
def steep_is_good(rows: list[Row]) -> Judgement:
    """On the same runs, against all gentler values."""
    rivals = {str(row["other"]).removeprefix("runs, "): result_of([row]) for row in _part(rows, "values")
              if row["one"] == RUNS and row["other"] in GENTLE}
    if not rivals:
        return NOT_TOLD
    shares = listed([f"{told(result)} against {name}" for name, result in rivals.items()])
    return judged(*carried(list(rivals.values())), f"of the points on the same runs, in equal time, {shares}")


# ---- Strength and utility ----


def _strength(rows: list[Row]) -> str:
    """Each rival where it has least time: the share against the one that is given most odds, and on which side it is of the others."""
    by_odds = sorted(_part(rows, "rivals"), key=lambda row: float(row["milliseconds"] / row["rival_milliseconds"]))
    if not by_odds:
        return ""
    hardest = by_odds[-1]
    others = by_verdict({str(row["rival"]): result_of([row]) for row in by_odds if row["rival"] != hardest["rival"]})
    words = [f", {verb} {listed(others[key])}" for key, verb in (("ahead", "clearly ahead of"), *EXCEPTIONS) if others[key]]
    return f"It scores {told(result_of([hardest]))} against {hardest['rival']}{_odds(hardest)}{''.join(words)}."


def _odds(row: Row) -> str:
    """Where the rival has less time."""
    mine, theirs = float(row["milliseconds"]), float(row["rival_milliseconds"])
    return "" if mine == theirs else f" with 1/{number(mine / theirs)} of its time"


def _wins(rows: list[Row]) -> str:
    by_utility = {str(row["utility"]): row for row in _part(rows, "utility")}
    words = [f"{row['at_once']} of {row['positions']} with {name}" for name, row in by_utility.items()]
    return f"Of wins at once it takes {listed(words)}." if words else ""
