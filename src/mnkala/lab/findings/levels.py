"""What the data say of report 003's levels."""

from __future__ import annotations

from collections.abc import Sequence

from mnkala.lab.registry import Row, finding
from mnkala.lab.strength import CLEARLY, by_verdict, head_to_head, told
from mnkala.lab.wording import count, having, listed, number

LEVEL_PAIRS = ((1, 4), (1, 8), (4, 8))
"""The pairs of report 003's levels, as depths."""


@finding("levels")
def in_words(rows: list[Row]) -> str:
    """Whether the report's games come out, pruning changes a move, and the higher level wins."""
    games, played = having(rows, "played"), having(rows, "one", "share")
    return " ".join([*_report_games(games), *_pruning(games), *_single_games(games), *_deeper_side(played)])


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


def _deeper_side(rows: Sequence[Row]) -> list[str]:
    said = []
    for heuristic in dict.fromkeys(row["heuristic"] for row in rows):
        some = [row for row in rows if row["heuristic"] == heuristic]
        depths = sorted({row["one"] for row in some})
        pairs = {(low, high): head_to_head(some, high, low) for low in depths for high in depths if low < high}
        pairs = {pair: result for pair, result in pairs.items() if result.games}
        if not pairs:
            continue
        sure = by_verdict({f"{high} against {low}": result for (low, high), result in pairs.items()})
        weakest = min(pairs, key=lambda pair: pairs[pair].share)
        at_levels = [f"depth {high} scores {told(pairs[low, high])} against {low}" for low, high in LEVEL_PAIRS if (low, high) in pairs]
        behind = f", clearly behind at {listed(sure['behind'])}" if sure["behind"] else ""
        said.append(f"Over random openings with {heuristic} the deeper side is clearly ahead in {len(sure['ahead'])} of "
                    f"{count(len(pairs), 'pair')} of depths{behind}, and {len(sure['undecided'])} are not decided"
                    f"{'; ' + listed(at_levels) if at_levels else ''}. It gains least where depth {weakest[1]} meets {weakest[0]}: "
                    f"{told(pairs[weakest])}.")
    if said:
        lost, played = _lost_by_deeper(rows), _unequal(rows)
        holds = "holds as a tendency, not for every game" if lost else "was not contradicted"
        said.append(f"So the claim that the higher level always wins {holds}: of {count(played, 'game')} between unequal depths the deeper "
                    f"side lost {number(lost)}. {CLEARLY}")
    return said


def _unequal(rows: Sequence[Row]) -> int:
    return sum(row["wins"] + row["draws"] + row["losses"] for row in rows if row["one"] != row["other"])


def _lost_by_deeper(rows: Sequence[Row]) -> int:
    return sum(row["losses"] if row["one"] > row["other"] else row["wins"] for row in rows if row["one"] != row["other"])
