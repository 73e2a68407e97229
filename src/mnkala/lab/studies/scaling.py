"""How searches scale: nodes a second, time to a depth and memory as the board grows, with one thread and with two.

Report 001 claims memory of Θ(mn) for its player, since one board is played on and restored, and names threads as future work.
"""

from __future__ import annotations

import time
import tracemalloc
from statistics import median

from mnkala.games import Position, Rules
from mnkala.lab.clock import alone
from mnkala.lab.positions import answer, engine_for, position_of
from mnkala.lab.registry import Row, finding, measure
from mnkala.lab.wording import grouped, growth, number, percent, share_interval, times
from mnkala.search import Engine

TABLE_BITS = 16
"""A transposition table of the same size on every board: 2^16 positions of 16 bytes."""


MOST_TRIES = 40
"""Random positions that are looked at for some whose result is not proved before the depth is reached."""


@measure("scaling", version=1)
def scaling(game: str, depth: int, positions: int = 3, plies: int = 2, repeats: int = 3, seed: int = 1) -> list[Row]:
    """Speed, time to depth and memory of iterative deepening on one board, with one thread and with two, taking turns.

    Two threads need both cores, so the measurement waits until no other worker measures the same. `cores` tells how many the search
    really had: fewer than `threads` where other processes wanted them too.
    """
    rules = Position(game).rules
    board = {"family": rules.name, "cells": _cells(rules), "moves": rules.most_moves()}
    starts = _undecided(game, depth, positions, plies, seed)
    with alone():
        by_threads: dict[int, list[tuple[float, float, int]]] = {1: [], 2: []}
        for position in starts:
            engines = {threads: _engine(depth, threads, position) for threads in by_threads}
            rounds = [{threads: _timed(engine, position) for threads, engine in engines.items()} for _ in range(repeats)]
            for threads, some in by_threads.items():
                some.append(min(one[threads] for one in rounds))
        return [{"threads": threads, **board, **_summary(some), "kilobytes": _kilobytes(_engine(depth, threads, starts[0]), starts[0])}
                for threads, some in by_threads.items()]


def _cells(rules: Rules) -> int:
    """Cells of a board; on a Kalah board the houses and the stores."""
    rows, columns = getattr(rules, "rows", 0), getattr(rules, "cols", 0)
    return rows * columns or 2 * rules.most_moves() + 2


def _engine(depth: int, threads: int, position: Position) -> Engine:
    return engine_for(f"deepening:depth={depth},threads={threads},table_bits={TABLE_BITS}", position)


def _undecided(game: str, depth: int, positions: int, plies: int, seed: int) -> list[Position]:
    """Positions from which the search really goes to the depth; the start of the game if there are none."""
    found: list[Position] = []
    for attempt in range(MOST_TRIES):
        position = position_of(game, plies, seed + attempt)
        if answer(_engine(depth, 1, position), position).depth == depth:
            found.append(position)
        if len(found) == positions:
            break
    return found or [Position(game)]


def _summary(timed: list[tuple[float, float, int]]) -> Row:
    seconds, cpu, nodes = (sum(column) for column in zip(*timed, strict=True))
    return {"nodes": nodes / len(timed), "seconds": seconds / len(timed), "nodes_per_second": nodes / seconds,
            "nodes_per_cpu_second": nodes / cpu, "cores": cpu / seconds}


def _timed(engine: Engine, position: Position) -> tuple[float, float, int]:
    """(seconds by the clock, CPU seconds, nodes)."""
    clock, processor = time.perf_counter(), time.process_time()
    nodes = answer(engine, position).nodes
    return time.perf_counter() - clock, time.process_time() - processor, nodes


def _kilobytes(engine: Engine, position: Position) -> float:
    """The most memory that a search holds at a time beyond its transposition table, as Python and NumPy report it."""
    tracemalloc.start()
    try:
        answer(engine, position)
        return max(0.0, tracemalloc.get_traced_memory()[1] - 16 * (1 << TABLE_BITS)) / 1024
    finally:
        tracemalloc.stop()


# ---- The finding ----


@finding("scaling")
def in_words(rows: list[Row]) -> str:
    """How speed, time and memory grow with the board, and what a second thread brings."""
    sentences = []
    for (family,), some in grouped([row for row in rows if row["threads"] == 1], "family").items():
        ordered = sorted(some, key=lambda row: int(row["cells"]))
        first, last = ordered[0], ordered[-1]
        if len(ordered) < 2:
            continue
        sentences.append(
            f"{family}, from {number(first['cells'])} to {number(last['cells'])} cells, one thread to depth {last['depth']}: "
            f"{number(first['nodes_per_cpu_second'])} to {number(last['nodes_per_cpu_second'])} nodes a CPU second "
            f"(cells^{growth(ordered, 'cells', 'nodes_per_cpu_second'):.2f}), {number(first['seconds'])} to {number(last['seconds'])} s to "
            f"the depth (cells^{growth(ordered, 'cells', 'seconds'):.2f}), memory beyond the table {number(first['kilobytes'])} to "
            f"{number(last['kilobytes'])} kB (cells^{growth(ordered, 'cells', 'kilobytes'):.2f}).")
    sentences += _memory(rows)
    sentences += _threads(rows)
    return " ".join(sentences)


def _memory(rows: list[Row]) -> list[str]:
    """Report 001's Θ(mn): memory must not grow faster than the board."""
    powers = {str(family): growth(some, "cells", "kilobytes")
              for (family,), some in grouped([row for row in rows if row["threads"] == 1], "family").items() if len(some) > 1}
    if not powers:
        return []
    within = all(power <= 1.1 for power in powers.values())
    return [f"In {'every game memory grows no' if within else 'some game memory grows'} faster than the board, so report 001's Θ(mn) is "
            f"{'met' if within else 'not met'} as an upper bound."]


CROWDED = 1.7
"""With fewer cores than this in use, two threads were not really two."""
LONGEST = 4
"""So many boards are told apart as those with the longest searches."""


def _threads(rows: list[Row]) -> list[str]:
    """The gain of a second thread, and whether the machine really gave it a core."""
    pairs = [(some[0], some[1]) for some in (sorted(some, key=lambda row: int(row["threads"])) for some in grouped(rows, "game").values())
             if [row["threads"] for row in some] == [1, 2]]
    if not pairs:
        return []
    speeds = [two["nodes_per_second"] / one["nodes_per_second"] for one, two in pairs]
    depths = [one["seconds"] / two["seconds"] for one, two in pairs]
    cores = median(two["cores"] for _, two in pairs)
    gained, low, high = share_interval(sum(gain > 1 for gain in depths), len(depths))
    words = (f"Two threads visit {times(median(speeds))} the nodes a second that one visits (median of {len(pairs)} boards) and are "
             f"{times(median(depths))} as quick to the depth; they are quicker on {percent(gained)} of the boards "
             f"({percent(low)} to {percent(high)}).")
    if cores < CROWDED:
        words += (f" They had only {cores:.2f} cores between them in the median: other processes wanted them too, or the searches were too "
                  "short to keep two threads busy. So this does not show what a second thread can do in long searches on an idle machine.")
    slow = sorted(pairs, key=lambda pair: -float(pair[0]["seconds"]))[:LONGEST]
    if len(pairs) > LONGEST:
        shortest, longest = number(slow[-1][0]["seconds"]), number(slow[0][0]["seconds"])
        words += (f" On the {LONGEST} boards whose searches last longest ({shortest} to {longest} s) they are "
                  f"{times(median(one['seconds'] / two['seconds'] for one, two in slow))} as quick, with "
                  f"{median(two['cores'] for _, two in slow):.2f} cores.")
    return [words]
