"""What the data say of pruning on the boards of report 002."""

from __future__ import annotations

import itertools

from mnkala.lab.registry import Row, finding
from mnkala.lab.studies.pruning import EMPTY
from mnkala.lab.wording import count, grouped, listed, number, times


@finding("pruning")
def in_words(rows: list[Row]) -> str:
    """Which of the report's rows come out to the node, which do not, and what pruning saves."""
    words = [_agreement(str(board), some) for (board,), some in grouped(rows, "board").items()]
    deepest = {str(board): max(some, key=lambda row: (row["depth"], row["start"] != EMPTY))
               for (board,), some in grouped(rows, "board").items()}
    saved = listed([f"{times(row['ratio'])} fewer nodes at depth {row['depth']} on {board} ({_start(row)})"
                    for board, row in deepest.items()])
    more = [row for row in rows if row.get("report_pruned") is None or row.get("report_unpruned") is None]
    added = f" {count(len(more), 'row')} of ours have no full counterpart in the report." if more else ""
    return f"{' '.join(words)} Pruning visits {saved}{_growth(rows)}.{added}"


def _growth(rows: list[Row]) -> str:
    """With what the saving grows: the depth, from the least to the largest on every board; the width, at the largest depth of all."""
    by_depth = [sorted(some, key=lambda row: int(row["depth"])) for some in grouped(rows, "board", "start").values()]
    deep = all(some[-1]["ratio"] > some[0]["ratio"] for some in by_depth)
    least = min(int(some[-1]["depth"]) for some in by_depth)
    by_width = [sorted(some, key=lambda row: int(row["board"].partition("x")[2]))
                for some in grouped([row for row in rows if row["depth"] == least], "start").values()]
    wide = all(narrow["ratio"] < wider["ratio"] for some in by_width for narrow, wider in itertools.pairwise(some))
    causes = [cause for cause, holds in (("the depth", deep), ("the width of the board", wide and len(by_width[0]) > 1)) if holds]
    return f"; the saving grows with {listed(causes)}" if causes else ""


def _start(row: Row) -> str:
    moves = str(row["start"]).removeprefix("after ")
    if row["start"] == EMPTY:
        return "from the empty board"
    return f"after a first disc in column {moves}" if len(moves) == 1 else f"after {moves}"


def _agreement(board: str, rows: list[Row]) -> str:
    """How many of the report's figures for a board come out, from the start that suits each kind best."""
    parts, exact = [], True
    for kind in ("unpruned", "pruned"):
        told = [row for row in rows if row.get(f"report_{kind}") is not None]
        if not told:
            continue
        by_start = {str(start): some for (start,), some in grouped(told, "start").items()}
        met = {start: sum(row[kind] == row[f"report_{kind}"] for row in some) for start, some in by_start.items()}
        best = max(met, key=lambda start: met[start])
        whole = len(by_start[best])
        exact &= met[best] == whole
        where = _start({"start": best})
        if met[best] == whole:
            parts.append(f"all {whole} {kind} counts come out to the node {where}")
        else:
            off = [row for row in by_start[best] if row[kind] != row[f"report_{kind}"]]
            last = max(off, key=lambda row: int(row["depth"]))
            ours = listed([f"{number(row[kind])} {_start(row)}" for row in told if row["depth"] == last["depth"]])
            parts.append(f"only {met[best]} of {whole} {kind} counts come out (at depth {last['depth']} the report has "
                         f"{number(last[f'report_{kind}'])}, we have {ours})")
    if not parts:
        return f"{board}: the report gives no figures for these depths."
    doubt = "" if exact else "; what start or order of moves gave the report's other figures is not explained"
    return f"{board}: {listed(parts)}{doubt}."
