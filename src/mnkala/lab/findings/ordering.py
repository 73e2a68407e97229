"""What the data say of report 001's move ordering."""

from __future__ import annotations

import math

from mnkala.lab.findings.ordering_lesson import Lesson, learn
from mnkala.lab.registry import Row, finding
from mnkala.lab.strength import by_verdict, result_of, told, with_shares
from mnkala.lab.studies.ordering import HAND_DEPTH
from mnkala.lab.wording import extremes, grouped, having, listed, number, percent, times
from mnkala.search.budget import FILL, FILL_OF_ALL, ROOT_MOVES, usual_fill


@finding("ordering")
def in_words(rows: list[Row], references: list[Row] | None = None) -> str:
    """The speed of each way of choosing, the report's claim, and the best q and depth for each board."""
    sentences = _speeds(having(rows, "nodes_per_second", "select"), references or [])
    sentences += _alone(having(rows, "ns", "select"))
    matches = having(rows, "share", "q", "depth")
    boards = [row for row in matches if row.get("part") != "time"]
    lessons = [_lesson(str(game), lesson) for (game,), some in grouped(boards, "game").items() if (lesson := learn(some)) is not None]
    lessons += _by_time([row for row in matches if row.get("part") == "time"])
    laws = _law(having(matches, "nodes"))
    filled = having(rows, "share", "fill", "filled_depth")
    by_q = having(filled, "q")
    paragraphs = (sentences, lessons, laws, _filled([row for row in filled if row not in by_q]), _branching(by_q))
    return "\n\n".join(" ".join(some) for some in paragraphs if some)


def _speeds(rows: list[Row], references: list[Row]) -> list[str]:
    """Nodes in the same time, against a full sort."""
    heaps = {f"{number(row['cells'])} cells": float(row["times_sort"]) for row in rows if row["select"] == "heap"}
    if not heaps:
        return []
    quick = {f"{number(row['cells'])} cells": float(row["times_sort"]) for row in rows if row["select"] == "quickselect"}
    every = {f"{number(row['cells'])} cells": float(row["times_sort"]) for row in rows if row["select"] == "none"}
    words = [f"With the q best moves chosen by a heap the player visits, in the same time, {extremes(heaps, times)} the nodes that it "
             f"visits with a full sort; with quickselect {extremes(quick, times)}. Without any choice it visits {extremes(every, times)}, "
             "but all moves in whatever order: more nodes, not more depth."]
    claims = [(row["times_low"], row["times_high"]) for row in references if row.get("times_low")]
    if claims:
        low, high = claims[0]
        met = [name for name, factor in heaps.items() if factor >= low]
        most = times(max(heaps.values()))
        words.append(f"The report's {low} to {high} times is reached on {listed(met)}." if met else
                     f"The report's {low} to {high} times is not reached on these boards: the largest factor is {most}.")
    return words


def _alone(rows: list[Row]) -> list[str]:
    """The choosing itself, without the search around it."""
    if not rows:
        return []
    largest = max(int(row["cells"]) for row in rows)
    by_name = {row["select"]: row for row in rows if row["cells"] == largest}
    told = listed([f"{name} {number(row['ns'] / 1000)} µs" for name, row in by_name.items()])
    return [f"Choosing alone, among {number(largest)} cells: {told}; what scoring, playing and evaluating cost hides most of the "
            "difference in a search."]


def _lesson(game: str, lesson: Lesson) -> str:
    better = ("better than" if lesson.low > 0.5 else "worse than" if lesson.high < 0.5 else "not decidedly better or worse than")
    (low_q, high_q), (low_depth, high_depth) = lesson.sure_q, lesson.sure_depth
    return (f"{game}: best are q = {lesson.q} ({low_q} to {high_q}) and depth {lesson.depth} ({low_depth} to {high_depth}), which score "
            f"{percent(lesson.share)} ({percent(lesson.low)} to {percent(lesson.high)}) against the hand-chosen q = {lesson.hand_q}: "
            f"{better} it, by {number(lesson.games)} games.")


def _by_time(rows: list[Row]) -> list[str]:
    """How the best q and depth move with the time a move."""
    lessons = {float(str(seconds)): lesson for (seconds,), some in grouped(rows, "seconds").items() if (lesson := learn(some)) is not None}
    if not lessons:
        return []
    parts = [f"q = {lesson.q} and depth {lesson.depth} at {number(1000 * seconds)} ms a move ({percent(lesson.low)} to "
             f"{percent(lesson.high)} of the points)" for seconds, lesson in sorted(lessons.items())]
    moved = len({(lesson.q, lesson.depth) for lesson in lessons.values()}) > 1
    return [f"On {rows[0]['game']} best are {listed(parts)}"
            f"{': the time a move matters, not only the board' if moved else ''}."]


def fill(row: Row) -> float:
    """How much of its depth a setting can fill: log_q of the nodes a root move gets, divided by the depth; F of report 002's formula."""
    return math.log(max(2.0, row["nodes"] / (ROOT_MOVES * row["q"]))) / math.log(row["q"]) / row["depth"]


BANDS = ((0.0, 0.45, "deeper than the nodes can fill"), (0.45, 0.85, "about what they fill"), (0.85, math.inf, "shallower than that"))
"""What F means: minimax needs F = 1 to fill a depth, perfect pruning 0.5."""


def _law(rows: list[Row]) -> list[str]:
    """One rule for every board, q and time: the depth that the nodes can fill."""
    bands = {words: _band([row for row in rows if least <= fill(row) < most]) for least, most, words in BANDS}
    parts = [f"{words} {percent(share)} ({percent(low)} to {percent(high)}, {number(games)} games)"
             for words, (share, low, high, games) in bands.items() if games]
    if len(parts) < 2:
        return []
    (_, _, too_deep, _), (_, filled, _, _), _ = bands.values()
    advice = " So the depth is better computed from the nodes than fixed." if filled > too_deep else ""
    limits = f"F below {BANDS[0][1]}, from there to {BANDS[1][1]}, and above"
    return [f"Over all boards, q and times, settings score by their depth ({limits}, F being log_q(nodes / {ROOT_MOVES}q) / depth): "
            f"{listed(parts)}.{advice}"]


def _filled(rows: list[Row]) -> list[str]:
    """What a depth computed from the nodes is worth against the fixed one: on which boards, and by which factor."""
    kinds = {f"where q is enough for all moves, F = {FILL_OF_ALL:g}": [row for row in rows if _usual(row) == FILL_OF_ALL],
             f"where q is less than the number of moves, F = {FILL:g}": [row for row in rows if _usual(row) == FILL]}
    words = []
    for kind, some in kinds.items():
        default = [row for row in some if row["fill"] == _usual(row)]
        if not default:
            continue
        words.append(f"{kind[0].upper()}{kind[1:]}, the player's default, scores {told(result_of(default))} against the fixed depth of "
                     f"{HAND_DEPTH} at the same nodes: {'; '.join(_by_nodes(default))}.")
        words += [_rival(fill, [row for row in some if row["fill"] == fill], default)
                  for fill in sorted({float(row["fill"]) for row in some} - {_usual(default[0])})]
    chosen = "The defaults were chosen by these very games, which flatters them a little."
    return ["A depth of log_q(nodes of a root move) / F, computed instead of fixed.", *words, chosen] if words else []


def _usual(row: Row) -> float:
    return usual_fill(int(row["hand_q"]), int(row["moves"]))


def _by_nodes(rows: list[Row]) -> list[str]:
    """On which boards it is better or worse, by the nodes a move."""
    words = []
    for (nodes,), some in grouped(rows, "nodes").items():
        results = {str(game): result_of(one) for (game,), one in grouped(some, "game").items()}
        sure = by_verdict(results)
        parts = [f"{verb} {with_shares(sure[key], results)}" for key, verb in
                 (("ahead", "clearly better on"), ("behind", "clearly worse on"), ("undecided", "not decided on")) if sure[key]]
        words.append(f"with {number(float(str(nodes)))} nodes a move {listed(parts)}")
    return words


def _branching(rows: list[Row]) -> list[str]:
    """The best q for each board where the depth is the one that the nodes fill, and whether the hand-chosen one is as good."""
    words = []
    for (game,), some in grouped(rows, "game").items():
        results = {int(row["q"]): result_of([row]) for row in some}
        hand = int(some[0]["hand_q"])
        if hand not in results or len(results) < 2:
            continue
        best = max(results, key=lambda q: results[q].share)
        better = results[best].interval[0] > results[hand].interval[1]
        shares = listed([f"{told(result)} with q = {q}" for q, result in sorted(results.items())])
        verdict = "is best" if best == hand else f"is worse than {best}" if better else f"is not to be told from {best}"
        words.append(f"{game}: {shares}; the hand-chosen {hand} {verdict}.")
    return ["With a depth that the nodes fill, by q.", *words] if words else []


def _rival(fill: float, rows: list[Row], default: list[Row]) -> str:
    """Another factor, on the boards and with the nodes that the default has played too."""
    cases = {(row["game"], row["nodes"]) for row in rows} & {(row["game"], row["nodes"]) for row in default}
    theirs, ours = (result_of(row for row in some if (row["game"], row["nodes"]) in cases) for some in (rows, default))
    better, worse = theirs.interval[0] > ours.interval[1], theirs.interval[1] < ours.interval[0]
    verdict = "better than" if better else "worse than" if worse else "not to be told from"
    return f"There F = {fill:g} is {verdict} the default: {told(theirs)}, where that scores {told(ours)}."


def _band(rows: list[Row]) -> tuple[float, float, float, int]:
    """The share of points of some settings together, its interval, and the games."""
    result = result_of(rows)
    return (result.share, *result.interval, result.games)
