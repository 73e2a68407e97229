"""How many nodes alpha-beta saves compared with minimax, on the boards of report 002."""

from __future__ import annotations

import functools
import itertools

from mnkala.core import Position
from mnkala.lab.judging import Sentences, grouped, having, where
from mnkala.lab.measuring import answer
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, brief, claim, finding, judged, measure

EMPTY = "empty board"


@measure("pruning", version=1)
def pruning(
    board: str, start: str, depth: int, heuristic: str = "zero-sum-hv", win: int = 100
) -> Row:
    """The nodes of Connect Four with and without pruning, counted as report 002 counts them: every
    call, the root included.

    `start` is `empty board` or `after MOVES`.
    """
    position = Position(f"connect4:{board}")
    if start != EMPTY:
        position = position.play(start.removeprefix("after "))
    unpruned = answer(f"minimax:depth={depth},heuristic=nothing", position).nodes
    pruned = answer(f"alphabeta:depth={depth},heuristic={heuristic},win={win}", position).nodes
    return {"unpruned": unpruned, "pruned": pruned, "ratio": unpruned / pruned}


# ---- What the rows say ----


SAY = Sentences(__file__)
KINDS = ("unpruned", "pruned")
STANDARD = "6x7"
"""The board whose pruned counts of the report have no known start."""


@finding("pruning")
def in_words(rows: list[Row]) -> str:
    """Say how many nodes pruning saves, and which of the report's counts ours match."""
    deepest = {
        board: max(some, key=lambda row: (row["depth"], row["start"] != EMPTY))
        for board, some in grouped(rows, "board").items()
    }
    saved = [
        (board, row["depth"], _start(row["start"]), row["ratio"]) for board, row in deepest.items()
    ]
    where = {(depth, start) for _, depth, start, _ in saved}
    counts = {(board, kind): _met(rows, board, kind) for board in deepest for kind in KINDS}
    starts = {
        kind: sorted(
            {_start(start) for (_, one), (_, _, start) in counts.items() if one == kind and start}
        )
        for kind in KINDS
    }
    return SAY.finding(
        saved=saved,
        start=where.pop() if len(where) == 1 else None,
        told=sum(told for _, told, _ in counts.values()),
        met=sum(met for met, _, _ in counts.values()),
        starts=[(kind, some) for kind, some in starts.items() if some],
        missing=[
            (board, kind, told - met)
            for (board, kind), (met, told, _) in counts.items()
            if met < told
        ],
        deeper=_deeper_saves_more(rows),
        wider=_wider_saves_more(rows),
        falls=_falls(rows),
    )


@brief("pruning", report="002", plot="How many times fewer nodes with pruning")
def in_brief(rows: list[Row]) -> Row:
    """For the deepest searches, how many times fewer nodes are visited on the board where pruning
    saves least and on the one where it saves most."""
    deepest = max(row["depth"] for row in rows)
    saved = [row["ratio"] for row in rows if row["depth"] == deepest and row["start"] != EMPTY]
    return {"depth": deepest, "least": round(min(saved)), "most": round(max(saved))}


def _met(rows: list[Row], board: str, kind: str) -> tuple[int, int, str]:
    """How many of the report's counts for a board match ours, of how many, and from which start (''
    unless all of them match).
    """
    by_start = grouped(having(where(rows, board=board), f"report_{kind}"), "start")
    if not by_start:
        return 0, 0, ""
    met = {
        start: sum(row[kind] == row[f"report_{kind}"] for row in some)
        for start, some in by_start.items()
    }
    best = max(met, key=lambda start: met[start])
    whole = len(by_start[best])
    return met[best], whole, best if met[best] == whole else ""


def _start(start: str) -> str:
    moves = start.removeprefix("after ")
    if start == EMPTY:
        return "from the empty board"
    return f"after a first disc in column {moves}" if len(moves) == 1 else f"after {moves}"


def _steps(rows: list[Row], plies: int) -> list[tuple[Row, Row]]:
    """Pairs of rows of the same board and start, the second of which is so many plies deeper."""
    found = []
    for some in grouped(rows, "board", "start").values():
        by_depth = {int(row["depth"]): row for row in some}
        found += [
            (row, by_depth[depth + plies])
            for depth, row in by_depth.items()
            if depth + plies in by_depth
        ]
    return found


def _falls(rows: list[Row]) -> Row:
    """The number of single plies by which the saving falls, and whether all of them lead from an
    even depth to an odd one.
    """
    steps = _steps(rows, 1)
    falls = [less for less, more in steps if more["ratio"] < less["ratio"]]
    return {
        "number": len(falls),
        "steps": len(steps),
        "even": all(less["depth"] % 2 == 0 for less in falls),
    }


def _deeper_saves_more(rows: list[Row]) -> bool:
    """Whether pruning always saves more two plies deeper, on every board from every start. Single
    plies go up and down with the parity of the depth."""
    steps = _steps(rows, 2)
    return bool(steps) and all(deeper["ratio"] > row["ratio"] for row, deeper in steps)


def _wider_saves_more(rows: list[Row]) -> bool:
    """Whether pruning always saves more on a wider board, at every depth at which something can be
    pruned, from every start."""
    by_width = [
        sorted(some, key=lambda row: int(row["board"].partition("x")[2]))
        for (depth, _), some in grouped(rows, "depth", "start").items()
        if depth > 1
    ]
    pairs = [pair for some in by_width for pair in itertools.pairwise(some)]
    return bool(pairs) and all(narrow["ratio"] < wide["ratio"] for narrow, wide in pairs)


def _counts(rows: list[Row], kind: str, standard: bool | None = None) -> Judgement:
    """Judge whether the counts match the report's: on all boards, or only on the standard one, or
    only on the others."""
    boards = [
        board
        for board in grouped(rows, "board")
        if standard is None or (board == STANDARD) == standard
    ]
    found = {board: _met(rows, board, kind) for board in boards}
    met, told = sum(met for met, _, _ in found.values()), sum(told for _, told, _ in found.values())
    if not told:
        return NOT_TOLD
    # A count that does not match from the starts that were tried may match from another.
    return judged(met == told, False, SAY.counts(met=met, told=told))


for _says, _kind, _standard in (
    ("the nodes visited without pruning, on three boards", "unpruned", None),
    ("the nodes visited with pruning on 10×11 and 15×16", "pruned", False),
    ("the nodes visited with pruning on 6×7", "pruned", True),
):
    claim("pruning", report="002", says=_says)(
        functools.partial(_counts, kind=_kind, standard=_standard)
    )


@claim("pruning", report="002", says="pruning saves more on larger boards and at larger depths")
def saves_more(rows: list[Row]) -> Judgement:
    """Judge by every step of two plies, and by every step from a board to the next wider one."""
    if len(grouped(rows, "board")) < 2 or not _steps(rows, 2):
        return NOT_TOLD
    least, most = (some(rows, key=lambda row: float(row["ratio"])) for some in (min, max))
    deeper = _deeper_saves_more(rows)
    holds = deeper and _wider_saves_more(rows)
    return judged(
        holds, not holds, SAY.saving(least=least, most=most, deeper=deeper, falls=_falls(rows))
    )
