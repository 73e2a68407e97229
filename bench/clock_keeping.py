"""Clocks: how many moves of 50 ms come more than 20 ms late. `python -m bench.clock_keeping --moves
500` plays 500 of each kind.

A machine that is busy with something else makes every program late. Two things tell that apart: a
process that does nothing but sleep for the same time, again and again during the same moves, and
the CPU time that our own process spent on each move. A move that is late in CPU time too is late by
its own doing.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence

from bench.measure import Effort
from bench.report import Row, Target, table

SECONDS, LATE = 0.05, 0.02
KINDS = (
    ("mcts", "connect4"),
    ("mcts", "gomoku"),
    ("mcts", "kalah"),
    ("mcts:keep=off", "connect4"),
    ("mcts:keep=off", "gomoku"),
    ("mcts:keep=off", "kalah"),
    ("deepening", "connect4"),
    ("deepening", "gomoku"),
    ("budget", "connect4"),
    ("budget", "gomoku"),
)
"""Ten of them: 500 moves of each are the 5,000 of which none should be late."""
SLEEPER = """
import sys, time
while True:
    started = time.perf_counter()
    time.sleep(float(sys.argv[1]))
    print(time.perf_counter() - started, flush=True)
"""


@dataclasses.dataclass(frozen=True)
class Overruns:
    """By how many seconds each move or sleep was over its time; below 0 for one that was done
    early.
    """

    seconds: Sequence[float]

    @property
    def late(self) -> int:
        """How many were over by more than is allowed."""
        return sum(over > LATE for over in self.seconds)

    def __str__(self) -> str:
        if not self.seconds:
            return "none"
        most = sorted(self.seconds)[min(len(self.seconds) - 1, 99 * len(self.seconds) // 100)]
        return f"99 % {1000 * most:.1f} ms, worst {1000 * max(self.seconds):.1f} ms"


def rows(effort: Effort) -> list[Row]:
    """A row for each engine and game."""
    return [keep_clock(engine, game, effort.choose(40, full=500)) for engine, game in KINDS]


def keep_clock(name: str, game: str, moves: int) -> Row:
    """Let an engine play against itself, one game after the other. The ratio is the share of moves
    that were late.
    """
    from mnkala.core import Position
    from mnkala.search import Limit, parse_engine

    engine = parse_engine(name)
    start = position = Position(game)
    engine.search.prepare(position.rules)
    wall, cpu = [], []
    with sleeping() as sleeps:
        for _ in range(moves):
            started, spent = time.perf_counter(), time.process_time()
            answer = engine.analyse(position, Limit(time=SECONDS))
            wall.append(time.perf_counter() - started - SECONDS)
            cpu.append(time.process_time() - spent - SECONDS)
            position = position.play_codes(answer.line_codes[:1])
            position = start if position.is_over else position
    ours, own, asleep = Overruns(wall), Overruns(cpu), Overruns(sleeps)
    note = f"{ours}; in CPU time {own.late} late, {own}; {len(sleeps)} sleeps: {asleep}"
    return Row(
        f"late moves of {moves} at {1000 * SECONDS:.0f} ms, {name}, {game}, wall",
        "moves",
        ours.late,
        asleep.late,
        ours.late / moves,
        target=Target("<=", 0),
        note=note,
    )


@contextlib.contextmanager
def sleeping() -> Iterator[list[float]]:
    """Beside what is done here, a process sleeps and wakes; the list is filled with its overruns at
    the end.
    """
    overruns: list[float] = []
    with tempfile.TemporaryFile("w+") as said:
        child = subprocess.Popen([sys.executable, "-S", "-c", SLEEPER, str(SECONDS)], stdout=said)
        try:
            yield overruns
        finally:
            child.terminate()
            child.wait()
        said.seek(0)
        overruns.extend(float(line) - SECONDS for line in said)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.clock_keeping", description="How many moves of 50 ms come late."
    )
    parser.add_argument("--moves", type=int, default=40, help="moves of each engine and game")
    arguments = parser.parse_args()
    print(table([keep_clock(engine, game, arguments.moves) for engine, game in KINDS]))


if __name__ == "__main__":
    main()
