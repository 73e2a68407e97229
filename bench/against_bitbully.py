"""The exact solver beside BitBully, the C++ solver on PyPI: CPU time on one thread, no book, a cold
table for each position.

The public sets are read from ../shared/data/connect4 where that folder is there, the others from
`data/connect4_own.txt`: positions of our own making of the same kinds. All scores are checked. By
default a sample; `--full` takes whole sets and the empty board.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.measure import Effort, cpu_seconds, in_turn, two_threads
from bench.report import Row, Target, compared, not_installed, skipped

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "connect4"
OWN = Path(__file__).parent / "data" / "connect4_own.txt"
ROUNDS = 3


class Aim(NamedTuple):
    """A set, how much of it, and what is wanted."""

    name: str
    sample: int
    whole: int
    time: float | None = None
    """Our time as a part of BitBully's."""
    nodes: float | None = None


AIMS = (
    Aim("L3_R1", 80, 1000, time=0.33),
    Aim("L2_R1", 60, 60),
    Aim("L2_R2", 60, 1000, time=0.45, nodes=9_000),
    Aim("L1_R1", 60, 60),
    Aim("L1_R2", 6, 1000, time=0.6, nodes=350_000),
    Aim("L1_R3", 3, 6),
)
EMPTY = Aim("empty board", 0, 1, time=0.11, nodes=95e6)
Labelled = list[tuple[str, int]]


def rows(effort: Effort) -> list[Row]:
    """Time and nodes for every set, and what a second thread brings."""
    try:
        from bitbully import bitbully_core
    except ImportError:
        return [not_installed("time of a position, BitBully", "bitbully")]

    found: list[Row] = []
    for aim in AIMS:
        positions, source = read(aim.name)
        chosen = positions[: aim.whole if effort.full else aim.sample]
        found += compare(aim, chosen, source, bitbully_core, 1 if effort.full else ROUNDS)
    if effort.full:
        found += compare(EMPTY, [("", 1)], "", bitbully_core, 1)
    else:
        found.append(
            skipped(
                f"time, {EMPTY.name}, BitBully",
                "some minutes; FULL=1 measures it",
                Target("<=", 0.11),
            )
        )
    return [*found, *second_thread(effort)]


def read(name: str) -> tuple[Labelled, str]:
    """A set's moves and scores, and where they come from."""
    public = SHARED / f"Test_{name}"
    if public.exists():
        return [
            (words[0], int(words[1])) for words in map(str.split, public.read_text().splitlines())
        ], "public set"
    lines = [line.split() for line in OWN.read_text().splitlines() if not line.startswith("#")]
    return [(moves, int(score)) for kind, moves, score in lines if kind == name], "own positions"


def compare(aim: Aim, positions: Labelled, source: str, bitbully: Any, rounds: int) -> list[Row]:
    """Both solve the same positions in turn."""
    counted: list[float] = []
    ours = our_solver(positions, counted)
    pairs = in_turn(ours, lambda: bitbully_milliseconds(positions, bitbully), rounds)
    note = f"{len(positions)} positions{', ' if source else ''}{source}"
    target = Target("<=", aim.time) if aim.time else None
    found = [
        compared(f"time a position, {aim.name}, BitBully", "ms", pairs, "ours/peer", target, note)
    ]
    mean = statistics.mean(counted)
    nodes_target = Target("<=", aim.nodes) if aim.nodes else None
    return [
        *found,
        Row(
            f"nodes a position, {aim.name}",
            "nodes",
            mean,
            ratio=mean,
            target=nodes_target,
            note=note,
        ),
    ]


def our_solver(positions: Labelled, counted: list[float]) -> Callable[[], float]:
    """Solve all, each with a cold table: milliseconds of CPU a position."""
    from mnkala.core import parse_game
    from mnkala.families.connect.solver.solver import ConnectSolver
    from mnkala.search.limit import Stop
    from mnkala.solve.table_solver import boards_of

    ConnectSolver.prepare(parse_game("connect4"))
    rules = parse_game("connect4")
    boards = boards_of([moves for moves, _ in positions], rules)
    solver = ConnectSolver(rules)

    def solve_all() -> None:
        scores, nodes = solver.batch(boards, Stop())
        if scores.tolist() != [score for _, score in positions]:
            raise AssertionError("a score of ours is wrong")
        counted[:] = [float(np.mean(nodes))]

    def measure() -> float:
        return 1000 * cpu_seconds(solve_all) / len(positions)

    return measure


def bitbully_milliseconds(positions: Labelled, bitbully: Any) -> float:
    """The same for BitBully; making its table does not count."""
    spent = 0.0
    for moves, score in positions:
        board = bitbully.BoardCore()
        board.play([int(column) - 1 for column in moves])
        solver = bitbully.BitBullyCore()
        started = time.process_time()
        found = solver.mtdf(board, 0)
        spent += time.process_time() - started
        if found != score:
            raise AssertionError(f"BitBully says {found} for {moves}, not {score}")
    return 1000 * spent / len(positions)


def second_thread(effort: Effort) -> list[Row]:
    """What a second thread brings to hard positions."""
    from mnkala.core import Position, parse_game
    from mnkala.families.connect.solver.solver import ConnectSolver

    ConnectSolver.prepare(parse_game("connect4"))
    rules = parse_game("connect4")
    positions = [
        Position(rules).play(moves)
        for moves in ("444444", "4444", "43", "4142")[: effort.choose(2, full=4)]
    ]

    def solve_all(threads: int) -> None:
        for position in positions:
            ConnectSolver(rules, threads=threads).solve(position)

    return two_threads("time of hard positions", solve_all, effort.choose(1, full=3))
