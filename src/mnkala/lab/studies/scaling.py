"""How searches scale: nodes per second, time to a depth and memory as the board grows, and the gain
from a second thread.

Report 001 claims memory of Θ(mn) for its player, since moves are made and taken back on a single
board, and names threads as future work. The cost of a query beside its nodes is measured separately
and subtracted; threads are compared in searches so long that it does not show.
"""

from __future__ import annotations

import functools
import itertools
import tracemalloc
from statistics import median
from typing import Any

from mnkala.core import Position, Rules
from mnkala.lab.judging import Sentences, grouped, growth, having
from mnkala.lab.measuring import alone, answer, clocked, engine_for, position_of, typical_seconds
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, claim, finding, judged, measure
from mnkala.search import Engine

TABLE_BITS = 16
"""A transposition table of the same size on every board: 2^16 positions of 16 bytes."""
LARGE_TABLE_BITS = 20
"""The size of the table in long searches, so that threads have something to share."""
MOST_TRIES = 40
"""Random positions that are looked at for some whose result is not proved before the depth is
reached.
"""
TOO_LONG = 10
"""A position is left out if the depth after the last short one takes so many times the wanted
nodes.
"""


@measure("scaling", version=3)
def scaling(
    game: str, depth: int, positions: int = 3, plies: int = 2, repeats: int = 3, seed: int = 1
) -> Row:
    """The speed, time to depth and memory of iterative deepening on one board, in one thread,
    without the cost beside its nodes.
    """
    rules = Position(game).rules
    starts = _undecided(game, depth, positions, plies, seed)
    seconds, nodes, empty = 0.0, 0, 0.0
    for position in starts:
        engine = _engine(f"depth={depth}", position)
        seconds += typical_seconds(functools.partial(answer, engine, position), repeats)
        nodes += answer(engine, position).nodes
        empty += fixed_seconds(position, depth, repeats)
    count = len(starts)
    return {
        "family": rules.name,
        "cells": _cells(rules),
        "moves": rules.most_moves(),
        "nodes": nodes / count,
        "seconds": (seconds - empty) / count,
        "fixed_ms": 1000 * empty / count,
        "fixed_share": empty / seconds,
        "nodes_per_cpu_second": nodes / (seconds - empty),
        "kilobytes": _kilobytes(_engine(f"depth={depth}", starts[0]), starts[0]),
    }


@measure("threads", version=2)
def threads(
    game: str, nodes: int, positions: int = 3, plies: int = 2, repeats: int = 2, seed: int = 1
) -> list[Row]:
    """The real time and the processor time that one thread and two threads need to reach the same
    depth, the first at which one thread visits so many nodes.

    Two threads need both cores, so the measurement waits until no other worker measures the same,
    and they take turns with one thread. `cores` is the number of cores that the search really had:
    fewer than `threads` where other processes needed them too.
    """
    rows: list[Row] = []
    with alone():
        for number, (position, depth) in enumerate(
            _long_searches(game, nodes, positions, plies, seed), start=1
        ):
            engines = {
                count: _engine(f"depth={depth},threads={count}", position, LARGE_TABLE_BITS)
                for count in (1, 2)
            }
            searches = {
                count: functools.partial(answer, engine, position)
                for count, engine in engines.items()
            }
            rounds = [
                {count: clocked(search) for count, search in searches.items()}
                for _ in range(repeats)
            ]
            for count in engines:
                seconds, cpu, visited = min(each[count] for each in rounds)
                rows.append(
                    {
                        "family": position.rules.name,
                        "position": number,
                        "depth": depth,
                        "threads": count,
                        "nodes": visited,
                        "seconds": seconds,
                        "cpu_seconds": cpu,
                        "cores": cpu / seconds,
                        "nodes_per_second": visited / seconds,
                    }
                )
    return rows


def fixed_seconds(position: Position, depth: int, repeats: int) -> float:
    """The cost of a search to a depth beside its nodes, in CPU seconds: at every depth the root's
    moves are played in Python.

    Depth 1 has almost no nodes, and every further depth adds as much as depth 2 does.
    """
    engines = [_engine(f"depth={shallow}", position) for shallow in (1, 2)]
    first, second = (
        typical_seconds(functools.partial(answer, engine, position), repeats) for engine in engines
    )
    return first + (depth - 1) * (second - first)


def _cells(rules: Rules) -> int:
    """The number of cells of a board; on a Kalah board of houses and stores."""
    rows, columns = getattr(rules, "rows", 0), getattr(rules, "cols", 0)
    return rows * columns or 2 * rules.most_moves() + 2


def _engine(options: str, position: Position, table_bits: int = TABLE_BITS) -> Engine:
    return engine_for(f"deepening:{options},table_bits={table_bits}", position)


def _undecided(game: str, depth: int, positions: int, plies: int, seed: int) -> list[Position]:
    """Positions in which a search really reaches a depth, because nothing ends it earlier; only the
    start of the game if there are none."""
    found: list[Position] = []
    for attempt in range(MOST_TRIES):
        position = position_of(game, plies, seed + attempt)
        if answer(_engine(f"depth={depth}", position), position).depth == depth:
            found.append(position)
        if len(found) == positions:
            break
    return found or [Position(game)]


def _long_searches(
    game: str, nodes: int, positions: int, plies: int, seed: int
) -> list[tuple[Position, int]]:
    """Positions with the first depth at which one thread visits so many nodes, if nothing is proved
    by then.

    Each depth is searched by itself, because with a limit of nodes some games have a search of
    their own with other depths.
    """
    found: list[tuple[Position, int]] = []
    for attempt in range(MOST_TRIES):
        position = position_of(game, plies, seed + attempt)
        for depth in itertools.count(1):
            analysis = answer(_engine(f"depth={depth}", position, LARGE_TABLE_BITS), position)
            if (
                analysis.score is None
                or analysis.score.result != "unknown"
                or analysis.nodes >= TOO_LONG * nodes
            ):
                break
            if analysis.nodes >= nodes:
                found.append((position, depth))
                break
        if len(found) == positions:
            break
    return found


def _kilobytes(engine: Engine, position: Position) -> float:
    """The peak memory of a search beside its transposition table, as Python and NumPy report it."""
    tracemalloc.start()
    try:
        answer(engine, position)
        return max(0.0, tracemalloc.get_traced_memory()[1] - 16 * (1 << TABLE_BITS)) / 1024
    finally:
        tracemalloc.stop()


# ---- What the rows say ----


SAY = Sentences(__file__)
FEWEST = 4
"""The fewest boards to which a power is fitted."""
CROWDED = 1.7
"""With fewer cores than this, two threads did not really run at the same time."""
STEP = 2.0
"""A fall from one board to the next by more than this factor is reported."""


@finding("scaling")
def in_words(rows: list[Row]) -> str:
    """Describe how time, speed and memory change from the smallest board to the largest, and the
    gain from a second thread."""
    return SAY.finding(
        families=[
            _changes(family, some) for family, some in _families(rows).items() if len(some) > 1
        ],
        **_threads(rows),
    )


def _families(rows: list[Row]) -> dict[str, list[Row]]:
    """The boards of each family from small to large."""
    by_family = grouped(having(rows, "kilobytes"), "family")
    return {
        family: sorted(some, key=lambda row: int(row["cells"]))
        for family, some in by_family.items()
    }


def _changes(family: str, boards: list[Row]) -> Row:
    """The figures of the smallest and of the largest board. No power is fitted, because between
    them speed may fall in a single step.
    """
    falls = [
        [small, large]
        for small, large in itertools.pairwise(boards)
        if small["nodes_per_cpu_second"] > STEP * large["nodes_per_cpu_second"]
    ]
    return {
        "name": family,
        "cells": _ends(boards, "cells"),
        "seconds": _ends(boards, "seconds"),
        "kilobytes": _ends(boards, "kilobytes"),
        "speed": _ends(boards, "nodes_per_cpu_second", 1e6),
        "falls": [
            {"cells": _ends(pair, "cells"), "speed": _ends(pair, "nodes_per_cpu_second", 1e6)}
            for pair in falls
        ],
    }


def _ends(boards: list[Row], column: str, unit: float = 1) -> tuple[Any, Any]:
    first, last = boards[0][column], boards[-1][column]
    return (first, last) if unit == 1 else (first / unit, last / unit)


def _threads(rows: list[Row]) -> Row:
    """The gain from a second thread by family, since for some it is a loss, and what explains it."""
    ordered = sorted(having(rows, "threads", "position"), key=lambda row: int(row["threads"]))
    pairs = [
        some
        for some in grouped(ordered, "family", "game", "position").values()
        if [row["threads"] for row in some] == [1, 2]
    ]
    if not pairs:
        return {"threads": [], "gain": None, "few_cores": None}
    gains: dict[str, dict[str, list[float]]] = {}
    for one, two in pairs:
        gains.setdefault(str(one["family"]), {}).setdefault(str(one["game"]), []).append(
            one["seconds"] / two["seconds"]
        )
    medians = {
        family: [(game, median(some)) for game, some in games.items()]
        for family, games in gains.items()
    }
    cores = median(two["cores"] for _, two in pairs)
    return {
        "threads": [
            (family, *(end(some, key=lambda one: one[1]) for end in (min, max)))
            for family, some in medians.items()
        ],
        "gain": median(two["nodes"] / one["nodes"] for one, two in pairs),
        "few_cores": cores if cores < CROWDED else None,
    }


@claim(
    "scaling",
    report="001",
    says="memory grows no faster than the board: O(mn)",
    needs=("kilobytes",),
)
def memory_grows_no_faster(rows: list[Row]) -> Judgement:
    """Judge by how the memory of our deepening search grows with the cells of an (m,n,k)-board; the
    report's own player is not measured."""
    boards = _families(rows).get("mnk", [])
    if len(boards) < FEWEST:
        return NOT_TOLD
    found = growth(boards, "cells", "kilobytes")
    return judged(found[2] <= 1, found[1] > 1, SAY.memory(growth=found))
