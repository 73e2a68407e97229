"""What the data say of Monte-Carlo tree search."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mnkala.lab.registry import Row, finding
from mnkala.lab.strength import CLEARLY, by_verdict, result_of, told, with_shares
from mnkala.lab.wording import having, listed, number, slope, times


@finding("mcts")
def in_words(rows: list[Row]) -> str:
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
