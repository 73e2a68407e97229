"""Kalah solved: time beside the search for any game, nodes of the known boards, two threads beside
one, and the endgame database.
"""

from __future__ import annotations

import os
import tempfile
from unittest import mock

from bench.measure import Effort, cpu_seconds, in_turn, two_threads
from bench.report import Row, Target, alone, compared

NODES = {"kalah:6x3": 0.3e6, "kalah:6x4": 17e6, "kalah:6x4,standard": 40e6}
"""Boards from the start, without a database, and how many nodes they may take."""


def rows(effort: Effort) -> list[Row]:
    """All figures; the two large boards only in the full run."""
    boards = [game for game in NODES if effort.full or game == "kalah:6x3"]
    return [
        beside_full_search(effort),
        *(from_the_start(game) for game in boards),
        *threads(effort),
        database(effort),
    ]


def beside_full_search(effort: Effort) -> Row:
    """Seconds for the start of five houses with two seeds each."""
    from mnkala.core import Position
    from mnkala.families.kalah.solver.solver import KalahSolver
    from mnkala.solve import FullSearch

    start = Position("kalah:5x2")
    for solver in (KalahSolver, FullSearch):
        solver.prepare(start.rules)
    made = (
        KalahSolver(start.rules, table_mb=16, database=False),
        FullSearch(start.rules, table_mb=16),
    )
    if made[0].solve(start).score.exact != made[1].solve(start).score.exact:
        raise AssertionError("the two solvers do not agree")

    def seconds(number: int) -> float:
        def solve() -> None:
            made[number].clear()
            made[number].solve(start)

        return cpu_seconds(solve)

    pairs = in_turn(lambda: seconds(0), lambda: seconds(1), effort.choose(3, full=7))
    return compared(
        "Kalah(5,2) solved, beside full-search", "s", pairs, "peer/ours", Target(">=", 10)
    )


def from_the_start(game: str) -> Row:
    """Nodes a second on one thread; the nodes are in the name, for they are the same on every
    machine.
    """
    from mnkala.core import Position
    from mnkala.families.kalah.solver.solver import KalahSolver
    from mnkala.solve import Step

    start = Position(game)
    KalahSolver.prepare(start.rules)
    solver = KalahSolver(start.rules, table_mb=1024, database=False)

    def solve() -> Step:
        solver.clear()
        return solver.solve(start)

    found, seconds = solve(), cpu_seconds(solve)
    name = f"{game} solved by {found.nodes / 1e6:.2f} M nodes (target: {NODES[game] / 1e6:g} M; 2 M a second)"
    return alone(name, "nodes/s", [found.nodes / seconds])


def threads(effort: Effort) -> list[Row]:
    """What a second thread brings, with an empty table each time."""
    from mnkala.core import Position
    from mnkala.families.kalah.solver.solver import KalahSolver

    start = Position("kalah:6x4" if effort.full else "kalah:6x3,standard")
    KalahSolver.prepare(start.rules)

    def solve(threads: int) -> None:
        KalahSolver(start.rules, threads=threads, table_mb=1024, database=False).solve(start)

    return two_threads(start.game, solve, effort.choose(5, full=3))


def database(effort: Effort) -> Row:
    """Positions a CPU second, on one thread, into a folder that is thrown away."""
    from mnkala.families.kalah.rules import Kalah
    from mnkala.families.kalah.solver.database import build_database

    build_database(Kalah(2, 2), 4)
    seeds = effort.choose(14, full=18)
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, MNKALA_CACHE_DIR=folder),
    ):
        positions = 0

        def build() -> None:
            nonlocal positions
            for file in (
                os.scandir(os.path.join(folder, "databases"))
                if os.path.isdir(os.path.join(folder, "databases"))
                else ()
            ):
                os.unlink(file.path)
            positions = len(build_database(Kalah(6, 4), seeds, threads=1).margins)

        seconds = cpu_seconds(build)
    return alone(
        f"Kalah's database up to {seeds} seeds built in {seconds:.1f} s of CPU (target: 18 in 30 s)",
        "positions/s",
        [positions / seconds],
    )
