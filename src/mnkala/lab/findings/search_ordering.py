"""Finding of the study ordering: what choosing the q best moves by a heap is worth, and the q and depth that matches teach.

The share of points against the hand-chosen player is fitted, for each board, by logistic regression on a quadratic surface in the
logarithms of q and depth: matches of neighbouring settings tell about each other, so few games a setting are enough. Resampled games
(bootstrap) say how sure the best setting is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mnkala.lab.findings.play_words import by_verdict, result_of, told, with_shares
from mnkala.lab.findings.search_words import extremes, grouped, having, listed, number, percent, share_interval, times
from mnkala.lab.measures.search_ordering import HAND_DEPTH
from mnkala.lab.registry import Row, finding
from mnkala.search.budget import FILL, FILL_OF_ALL, ROOT_MOVES, usual_fill

RIDGE = 0.3
"""How strongly the surface is held flat: a setting that won all of its few games is not worth infinitely much."""
STEPS, RESAMPLES = 25, 200


@finding("ordering")
def ordering(rows: list[Row], references: list[Row] | None = None) -> str:
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


@dataclass(frozen=True)
class Lesson:
    """What the matches of one board teach."""

    q: int
    depth: int
    sure_q: tuple[int, int]
    sure_depth: tuple[int, int]
    """Where 95 % of the resampled fits have their best."""
    share: float
    low: float
    high: float
    """The share of points of the best setting against the hand-chosen one, less what choosing the best flatters it by; its interval."""
    games: int
    hand_q: int


def learn(rows: list[Row]) -> Lesson | None:
    """The best of the tried settings, by the fitted surface."""
    counts: dict[tuple[int, int], np.ndarray] = {}
    for row in rows:
        counts.setdefault((int(row["q"]), int(row["depth"])), np.zeros(3))
        counts[int(row["q"]), int(row["depth"])] += [row["wins"], row["draws"], row["losses"]]
    settings = sorted(counts)
    if len(settings) < 2:
        return None
    features = _features(settings)
    played = np.array([counts[setting] for setting in settings])
    fitted = _fit(features, played)
    best = int(np.argmax(fitted))
    generator = np.random.default_rng(1)
    bests, shares, optimism = [], [], []
    for _ in range(RESAMPLES):
        again = np.array([generator.multinomial(int(some.sum()), some / some.sum()) for some in played])
        surface = _fit(features, again)
        winner = int(np.argmax(surface))
        bests.append(settings[winner])
        shares.append(float(surface[best]))
        optimism.append(float(surface[winner] - fitted[winner]))
    sure = np.quantile(np.array(bests), [0.025, 0.975], axis=0, method="nearest").astype(int)
    # The best of many looks better than it is; by how much, the resampled winners tell (Efron 1983).
    flattery = float(np.mean(optimism))
    ends = (np.quantile(shares, 0.025), fitted[best], np.quantile(shares, 0.975))
    low, share, high = (min(1.0, max(0.0, float(end) - flattery)) for end in ends)
    q, depth = settings[best]
    return Lesson(q, depth, (int(sure[0][0]), int(sure[1][0])), (int(sure[0][1]), int(sure[1][1])), share, low, high,
                  int(played.sum()), int(rows[0].get("hand_q") or 0))


def _features(settings: list[tuple[int, int]]) -> np.ndarray:
    """A quadratic surface in the logarithms of q and depth; a single value of either gives no slope."""
    logs = np.log(np.array(settings, dtype=float))
    logs = (logs - logs.mean(axis=0)) / np.maximum(logs.std(axis=0), 1e-9)
    x, y = logs[:, 0], logs[:, 1]
    return np.stack([np.ones(len(settings)), x, y, x * x, y * y, x * y], axis=1)


def _fit(features: np.ndarray, played: np.ndarray) -> np.ndarray:
    """The fitted share at every setting: logistic regression by Newton's method, held flat by RIDGE, a draw counting half."""
    games = played.sum(axis=1)
    points = played[:, 0] + played[:, 1] / 2
    weights = np.zeros(features.shape[1])
    penalty = RIDGE * np.diag([1e-3, *[1.0] * (features.shape[1] - 1)])
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (points - games * share) - penalty @ weights
        curvature = features.T @ (features * (games * share * (1 - share))[:, None]) + penalty
        weights = weights + np.clip(np.linalg.solve(curvature, gradient), -2, 2)
    return np.asarray(1 / (1 + np.exp(-features @ weights)))


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
    games = sum(int(row["wins"] + row["draws"] + row["losses"]) for row in rows)
    return (*share_interval(sum(row["wins"] + row["draws"] / 2 for row in rows), games), games)
