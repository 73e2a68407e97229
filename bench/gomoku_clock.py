"""Gomoku's clocks: `python -m bench.gomoku_clock --games 200` plays that many games at 50 ms a
move, and talks to our Gomocup brain.

A move is late if it comes more than 20 ms after its time. On a machine that is busy with something
else every program is late, so late moves are counted by cause (see `bench.clock_keeping`): *by its
own doing* if the processor time spent on the move was over too, else *starved*; and a process that
only sleeps tells how many of its own 50 ms came late meanwhile.

The brain is a process at the end of two pipes. Its margin is what is left of a move's time when its
answer is read: with a limit for each move, and with one for a whole match, of which it is told what
is left.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence

from bench.clock_keeping import LATE, SECONDS, Overruns, sleeping
from mnkala.arena.openings import choose as choose_openings
from mnkala.core import Position
from mnkala.families.lines.rules import point_text
from mnkala.search import Limit, parse_engine

BRAIN = (sys.executable, "-c", "from mnkala.families.lines.commands import gomocup; gomocup()")


def play(games: int) -> str:
    """Games of threats against itself, from the openings of Gomoku."""
    start, engine = Position("gomoku"), parse_engine("threats")
    engine.search.prepare(start.rules)
    opening, _ = choose_openings(start.rules, "auto", 1)
    wall: list[float] = []
    cpu: list[float] = []
    fallen = 0
    with sleeping() as sleeps:
        for number in range(games):
            position, before = start.play(opening(number) or ""), len(wall)
            while not position.is_over:
                started, spent = time.perf_counter(), time.process_time()
                code = engine.analyse(position, Limit(time=SECONDS)).line_codes[0]
                wall.append(time.perf_counter() - started - SECONDS)
                cpu.append(time.process_time() - spent - SECONDS)
                position = position.play_codes((code,))
            fallen += any(over > LATE for over in wall[before:])
    own = sum(over > LATE and spent > LATE for over, spent in zip(wall, cpu, strict=True))
    late = Overruns(wall).late
    return (
        f"{games} games, {len(wall)} moves of {1000 * SECONDS:.0f} ms: {late} late in {fallen} games, {own} by its own doing, "
        f"{late - own} starved; wall {Overruns(wall)}; CPU {Overruns(cpu)}; "
        f"{len(sleeps)} sleeps: {Overruns(sleeps).late} late, {Overruns(sleeps)}"
    )


class Manager:
    """The other end of the pipes."""

    def __init__(self, **info: int) -> None:
        self.process = subprocess.Popen(
            BRAIN, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.say("START 15")
        self.hear()
        for key, value in info.items():
            self.say(f"INFO {key} {value}")

    def say(self, line: str) -> None:
        """Send a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def hear(self) -> str:
        """The next line that is no remark."""
        assert self.process.stdout is not None
        while (line := self.process.stdout.readline()).startswith(("MESSAGE", "DEBUG")):
            pass
        return line.strip()

    def move(self, position: Position) -> tuple[Position, float]:
        """Ask for a move in a position; the position after it, and the seconds until it was read."""
        rows = [
            f"{point_text(position.rules, code)},{1 if i % 2 == len(position.history) % 2 else 2}"  # type: ignore[arg-type]
            for i, code in enumerate(position.history_codes)
        ]
        started = time.perf_counter()
        for line in ("BOARD", *rows, "DONE"):
            self.say(line)
        answer = self.hear()
        seconds = time.perf_counter() - started
        code = next(
            code
            for code in position.legal_codes
            if point_text(position.rules, code) == answer  # type: ignore[arg-type]
        )
        return position.play_codes((code,)), seconds

    def end(self) -> None:
        """Let it go."""
        self.say("END")
        self.process.wait()


def brain(milliseconds: int, moves: int) -> str:
    """The margin that is left with so long for a move."""
    manager, position, left = (
        Manager(timeout_turn=milliseconds, timeout_match=0, time_left=2147483647),
        Position("gomoku").play("h8"),
        [],
    )
    for _ in range(moves):
        position, seconds = manager.move(position)
        left.append(milliseconds - 1000 * seconds)
        position = Position("gomoku").play("h8") if position.is_over else position
    manager.end()
    return (
        f"brain, {moves} moves of {milliseconds} ms: {sum(each < 0 for each in left)} late; left over, of ten moves the least but one "
        f"{sorted(left)[len(left) // 10]:.0f} ms, least {min(left):.0f} ms"
    )


def match(milliseconds: int) -> str:
    """What is left of a match's time at the end of a game of a brain against itself."""
    managers = [
        Manager(timeout_turn=milliseconds, timeout_match=milliseconds, time_left=milliseconds)
        for _ in range(2)
    ]
    left, position = [float(milliseconds)] * 2, Position("gomoku").play("h8")
    while not position.is_over:
        side = position.mover
        managers[side].say(f"INFO time_left {int(left[side])}")
        position, seconds = managers[side].move(position)
        left[side] -= 1000 * seconds
    for manager in managers:
        manager.end()
    return f"brain, a match of {milliseconds} ms for all moves: {len(position.history)} moves, left over {min(left):.0f} ms"


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.gomoku_clock",
        description="How well threats and our brain keep their clocks.",
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--moves", type=int, default=60, help="moves of the brain at each limit")
    asked = parser.parse_args(arguments)
    for milliseconds in (100, 300, 1000):
        print(brain(milliseconds, asked.moves), flush=True)
    print(match(3000), flush=True)
    print(play(asked.games), flush=True)


if __name__ == "__main__":
    main()
