"""What the data say of evaluations learned from self-play."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mnkala.lab.registry import Row, finding
from mnkala.lab.strength import by_verdict, result_of, told, verdict, with_shares
from mnkala.lab.wording import having, listed, number, percent


@finding("learning")
def in_words(rows: list[Row]) -> str:
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
