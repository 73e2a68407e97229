"""What the studies *levels*, *heuristics*, *mcts* and *learning* found, in words computed from their rows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mnkala.lab.findings.play_words import by_verdict, head_to_head, ratings, result_of, told, verdict, with_shares
from mnkala.lab.findings.search_words import count, having, listed, number, percent, slope, times
from mnkala.lab.registry import Row, finding
from mnkala.play.series import SeriesResult

LEVEL_DEPTHS = ((1, 4), (1, 8), (4, 8))
"""The pairs of report 003's levels, as depths."""
ALL = "all"
CLEARLY = "(Clearly: the 95 % interval of the share lies on one side of a half; of twenty such intervals about one misses the truth.)"


# ---- levels ----


@finding("levels")
def levels(rows: list[Row]) -> str:
    """Whether the report's games come out, pruning changes a move, and the higher level wins."""
    games, series = having(rows, "played"), having(rows, "one", "share")
    return " ".join([*_report_games(games), *_pruning(games), *_single_games(games), *_series_of_depths(series)])


def _report_games(games: Sequence[Row]) -> list[str]:
    reported = [row for row in games if row["pruning"] and row.get("report_score_first") is not None]
    if not reported:
        return []
    same = [row for row in reported if all(row[name] == row[f"report_{name}"]
                                           for name in ("score_first", "score_second", "moves_first", "moves_second"))]
    others = [f"{row['levels']} under {row['heuristic']} ({row['score_first']}–{row['score_second']}, the report has "
              f"{row['report_score_first']}–{row['report_score_second']})" for row in reported if row not in same]
    tail = f"; not so {listed(others)}" if others else ""
    return [f"Of the report's {count(len(reported), 'game')} {len(same)} came out to the seed and to the move{tail}."]


def _pruning(games: Sequence[Row]) -> list[str]:
    without = {(row["heuristic"], row["levels"]): row for row in games if not row["pruning"]}
    pairs = [(row, without[row["heuristic"], row["levels"]]) for row in games
             if row["pruning"] and (row["heuristic"], row["levels"]) in without]
    if not pairs:
        return []
    different = [f"{row['levels']} under {row['heuristic']}" for row, other in pairs if row["played"] != other["played"]]
    changed = f"Pruning changed {count(len(different), 'game')} of {len(pairs)}, which it must not: {listed(different)}." if different \
        else f"Pruning changed no move in any of {count(len(pairs), 'pair')} of games with and without it."
    deep = [(row, other, name) for row, other in pairs for name in ("first", "second") if row[f"depth_{name}"] == 8]
    if not deep:
        return [changed]
    nodes = sum(other[f"nodes_{name}"] for _, other, name in deep) / max(1, sum(row[f"nodes_{name}"] for row, _, name in deep))
    seconds = [sum(row[f"seconds_{name}"] * row[f"moves_{name}"] for row, name in some) / sum(row[f"moves_{name}"] for row, name in some)
               for some in ([(row, name) for row, _, name in deep], [(other, name) for _, other, name in deep])]
    return [changed, f"At level 3 it saved all but one in {number(nodes)} nodes, and a move took {1000 * seconds[0]:.2f} ms instead of "
            f"{1000 * seconds[1]:.2f}."]


def _single_games(games: Sequence[Row]) -> list[str]:
    unequal = [row for row in games if row["pruning"] and row["depth_first"] != row["depth_second"]]
    if not unequal:
        return []
    lost: list[str] = []
    margins: dict[str, list[int]] = {}
    for row in unequal:
        higher, lower = ("first", "second") if row["depth_first"] > row["depth_second"] else ("second", "first")
        margin = row[f"score_{higher}"] - row[f"score_{lower}"]
        margins.setdefault(row["heuristic"], []).append(margin)
        if margin <= 0:
            lost.append(f"{row['levels']} under {row['heuristic']}")
    exceptions = f" (not in {listed(lost)})" if lost else ""
    means = listed([f"{sum(some) / len(some):.1f} seeds under {name}" for name, some in margins.items()])
    return [f"In these single games the higher level won {len(unequal) - len(lost)} of {len(unequal)} between unequal levels{exceptions}, "
            f"by {means} on average."]


def _series_of_depths(series: Sequence[Row]) -> list[str]:
    said = []
    for heuristic in dict.fromkeys(row["heuristic"] for row in series):
        rows = [row for row in series if row["heuristic"] == heuristic]
        depths = sorted({row["one"] for row in rows})
        pairs = {(low, high): head_to_head(rows, high, low) for low in depths for high in depths if low < high}
        pairs = {pair: result for pair, result in pairs.items() if result.games}
        if not pairs:
            continue
        sure = by_verdict({f"{high} against {low}": result for (low, high), result in pairs.items()})
        weakest = min(pairs, key=lambda pair: pairs[pair].share)
        at_levels = [f"depth {high} scores {told(pairs[low, high])} against {low}" for low, high in LEVEL_DEPTHS if (low, high) in pairs]
        behind = f", clearly behind at {listed(sure['behind'])}" if sure["behind"] else ""
        said.append(f"Over random openings with {heuristic} the deeper side is clearly ahead in {len(sure['ahead'])} of "
                    f"{count(len(pairs), 'pair')} of depths{behind}, and {len(sure['undecided'])} are not decided"
                    f"{'; ' + listed(at_levels) if at_levels else ''}. It gains least where depth {weakest[1]} meets {weakest[0]}: "
                    f"{told(pairs[weakest])}.")
    if said:
        lost, played = _lost_by_deeper(series), _unequal(series)
        holds = "holds as a tendency, not for every game" if lost else "was not contradicted"
        said.append(f"So the claim that the higher level always wins {holds}: of {count(played, 'game')} between unequal depths the deeper "
                    f"side lost {number(lost)}. {CLEARLY}")
    return said


def _unequal(series: Sequence[Row]) -> int:
    return sum(row["wins"] + row["draws"] + row["losses"] for row in series if row["one"] != row["other"])


def _lost_by_deeper(series: Sequence[Row]) -> int:
    return sum(row["losses"] if row["one"] > row["other"] else row["wins"] for row in series if row["one"] != row["other"])


# ---- heuristics ----


@finding("heuristics")
def heuristics(rows: list[Row]) -> str:
    """The field of each game by strength, and whether the leader's lead is sure."""
    rows = having(rows, "one", "other", "share")
    said = []
    for game in dict.fromkeys(row["game"] for row in rows):
        parts = []
        for limit in dict.fromkeys(row["limit"] for row in rows if row["game"] == game):
            some = [row for row in rows if row["game"] == game and row["limit"] == limit and row["other"] not in (ALL, row["one"])]
            names = list(dict.fromkeys(row["one"] for row in some))
            if len(names) < 2:
                continue
            order = ratings(some, names)
            lead = head_to_head(some, order[0].name, order[1].name)
            sure = f"{order[0].name} is clearly ahead of {order[1].name}, {told(lead)}" if verdict(lead) == "ahead" else \
                f"{order[0].name} against {order[1].name} is not decided, {told(lead)}"
            parts.append(f"with {limit}: {'; '.join(map(str, order))} ({sure})")
        said.append(f"{game}, Elo against the mean of the field with its 95 % interval: {'. '.join(_capital(part) for part in parts)}.")
    return "\n\n".join([*said, *_claims(rows), *([CLEARLY] if said else [])])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _claims(rows: Sequence[Row]) -> list[str]:
    """What reports 002 and 003 say of their own heuristics."""
    said = []
    for report, game, best, others in (("002", "connect4", "zero-sum", ("basic", "article")), ("003", "kalah", "stores", ("own-side",))):
        results: dict[str, SeriesResult] = {}
        for row in rows:
            if row["game"] == game and row["one"] == best and row["other"] in others:
                name = f"{row['other']} ({row['limit']})"
                some = [one for one in rows if one["game"] == game and one["limit"] == row["limit"]]
                results[name] = head_to_head(some, best, row["other"])
        if results:
            sure = by_verdict(results)
            words = [f"clearly ahead of {with_shares(sure['ahead'], results)}"] if sure["ahead"] else []
            words += [f"clearly behind {with_shares(sure['behind'], results)}"] if sure["behind"] else []
            words += [f"undecided against {with_shares(sure['undecided'], results)}"] if sure["undecided"] else []
            said.append(f"Report {report} holds its {best} to be the better one; here it is {listed(words)}.")
    return said


# ---- mcts ----


@finding("mcts")
def mcts(rows: list[Row]) -> str:
    """What iterations and C do, and where MCTS beats alpha-beta."""
    return "\n\n".join([*_strength(having(rows, "iterations", "exploration")), *_equal_time(having(rows, "milliseconds", "share"))])


def _strength(rows: Sequence[Row]) -> list[str]:
    said = []
    for game in dict.fromkeys(row["game"] for row in rows):
        some = [row for row in rows if row["game"] == game]
        amounts = sorted({row["iterations"] for row in some})
        of_amount = {amount: result_of(row for row in some if row["iterations"] == amount) for amount in amounts}
        of_c = {c: result_of(row for row in some if row["exploration"] == c) for c in sorted({row["exploration"] for row in some})}
        best = max(of_c, key=lambda c: of_c[c].share)
        gain = slope([(math.log10(amount), result.share) for amount, result in of_amount.items()])
        rivals = [f"{c:g}" for c, result in of_c.items() if c != best and result.interval[1] >= of_c[best].interval[0]]
        equal = f"; C of {listed(rivals)} cannot be told from it" if rivals else "; every other C is clearly worse"
        said.append(f"{game} against {some[0]['opponent']}: from {number(amounts[0])} to {number(amounts[-1])} iterations MCTS goes from "
                    f"{told(of_amount[amounts[0]])} to {told(of_amount[amounts[-1]])} over all C, {100 * gain:+.0f} points of share for "
                    f"ten times the iterations. The best C over all iterations is {best:g} with {told(of_c[best])}{equal}.")
    return said


def _equal_time(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    results = {game: result_of(row for row in rows if row["game"] == game) for game in dict.fromkeys(row["game"] for row in rows)}
    sure = by_verdict(results)
    words = [f"{verb} {with_shares(sure[key], results)}" if sure[key] else f"{verb} nowhere"
             for key, verb in (("ahead", "clearly wins"), ("behind", "clearly loses"))]
    undecided = f"; not decided are {with_shares(sure['undecided'], results)}" if sure["undecided"] else ""
    clocks = sorted({row["milliseconds"] for row in rows})
    by_clock = listed([f"{told(result_of(row for row in rows if row['milliseconds'] == clock))} with {clock:g} ms" for clock in clocks])
    names = dict.fromkeys(row["family"] for row in rows)
    families = {family: result_of(row for row in rows if row["family"] == family) for family in names}
    spent = [sum(row[name] for row in rows) / len(rows) for name in ("ms_one", "ms_other")]
    return [f"In equal processor time against alpha-beta with deepening, MCTS {words[0]} and {words[1]}{undecided}. By family: "
            f"{listed([f'{name} {told(result)}' for name, result in families.items()])}. Over all games it scores {by_clock}. "
            f"MCTS really used {times(spent[0] / spent[1])} the other's time. {CLEARLY}"]


# ---- learning ----


@finding("learning")
def learning(rows: list[Row]) -> str:
    """Whether what was learned beats what was made by hand."""
    curve, play, windows = having(rows, "test_loss"), having(rows, "learned_from", "share"), having(rows, "discs", "ratio")
    return "\n\n".join([*_curve(curve), *_against(play), *_windows(windows)])


def _curve(rows: Sequence[Row]) -> list[str]:
    said = []
    for game in dict.fromkeys(row["game"] for row in rows):
        some = sorted((row for row in rows if row["game"] == game), key=lambda row: row["games"])
        last = some[-1]
        said.append(f"{game}: after {number(last['games'])} games of self-play the {last['weights']} weights foretell the winner of "
                    f"{percent(last['test_right'])} of positions of games held out, with a log loss of {last['test_loss']:.3f} "
                    f"({last['train_loss']:.3f} on the games learned from; knowing nothing gives {math.log(2):.3f}).")
    return said


def _against(rows: Sequence[Row]) -> list[str]:
    said = []
    for game in dict.fromkeys(row["game"] for row in rows):
        most = max(row["learned_from"] for row in rows if row["game"] == game)
        some = [row for row in rows if row["game"] == game and row["learned_from"] == most]
        parts = []
        for limit in dict.fromkeys(row["limit"] for row in some):
            results = {row["other"]: result_of([row]) for row in some if row["limit"] == limit}
            sure = by_verdict(results)
            words = [f"{verb} {with_shares(sure[key], results)}" for key, verb in
                     (("ahead", "beats"), ("behind", "loses to"), ("undecided", "is not decided against")) if sure[key]]
            parts.append(f"With {limit} it {listed(words)}.")
        everything = [row for row in rows if row["game"] == game]
        fewest = min(row["learned_from"] for row in everything)
        first, last = (result_of(row for row in everything if row["learned_from"] == amount) for amount in (fewest, most))
        trend = f" From {number(fewest)} to {number(most)} games its share over all opponents and limits went from {told(first)} to " \
            f"{told(last)}." if fewest < most else ""
        against = {name: result_of(row for row in some if row["other"] == name) for name in dict.fromkeys(row["other"] for row in some)}
        strongest = min(against, key=lambda name: against[name].share)
        result = against[strongest]
        end = {"ahead": "It beats even its hardest opponent", "behind": "It does not reach its hardest opponent",
               "undecided": "Nothing is decided against its hardest opponent"}[verdict(result)] + f", {strongest}"
        said.append(f"{game}: {' '.join(parts)} {end}: {told(result)} over all limits.{trend}")
    return said


def _windows(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    most = max(row["rounds"] for row in rows)
    worth = {discs: sum(row["ratio"] for row in some) / len(some) for discs in sorted({row["discs"] for row in rows})
             if (some := [row for row in rows if row["discs"] == discs and row["rounds"] == most])}
    reported = {row["discs"]: row["report_ratio"] for row in rows if row.get("report_ratio") is not None}
    theirs = f" Report 002's own weights are {' : '.join(number(reported[discs]) for discs in sorted(reported))}." if reported else ""
    ours = " : ".join(f"{value:.1f}" for value in worth.values())
    return [f"What one, two and three discs in a window are worth by what was learned, the mean of both players: {ours}.{theirs}"]
