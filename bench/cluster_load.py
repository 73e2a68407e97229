"""What a tournament costs on a Dask cluster: processor time a game of workers, scheduler and
client, and bytes that the scheduler moves.

Starts a scheduler and some workers on this machine, plays a tournament there, and reads the
processes' own clocks and the counters of the scheduler's connections (`ss`, Linux). From that
follows how many machines one scheduler can feed. Run alone: `python -m bench.cluster_load
[--workers 4] [--games 100] [--game connect4] [PLAYER …]`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from mnkala.arena.tournament import read_summary
from mnkala.errors import MnkalaError

TICKS = os.sysconf("SC_CLK_TCK")
PLAYERS = ("deepening:nodes=3000", "mcts:iterations=500", "alphabeta:depth=4")
PATIENCE = 60.0
IDLE_SECONDS = 10.0


def processor_seconds(process: int) -> float:
    """What a process has used, with the children that it has waited for."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


def moved(port: int) -> tuple[int, int]:
    """Bytes that the scheduler has sent and received on its open connections."""
    told = subprocess.run(
        ["ss", "-tinH", f"( sport = :{port} )"], capture_output=True, text=True, check=True
    ).stdout
    return tuple(
        sum(map(int, re.findall(rf"{name}:(\d+)", told)))
        for name in ("bytes_sent", "bytes_received")
    )  # type: ignore[return-value]


@contextlib.contextmanager
def cluster(workers: int, folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler, which is the first of the processes, and workers of one thread each."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*words: str) -> None:
        command = [sys.executable, "-m", "dask", *words]
        started.append(
            subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder
            )
        )

    try:
        file = folder / "scheduler.json"
        start(
            "scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            str(file),
        )
        until = time.monotonic() + PATIENCE
        while not file.exists() and time.monotonic() < until:
            time.sleep(0.1)
        address = json.loads(file.read_text())["address"]
        for _ in range(workers):
            start("worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard")
        time.sleep(5)  # until all have registered
        yield address, started
    finally:
        for process in started:
            process.kill()
            process.wait()


def main() -> None:
    """Play, and say what it cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--game", default="connect4")
    parser.add_argument("players", nargs="*", default=PLAYERS)
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as name,
        cluster(asked.workers, Path(name)) as (address, processes),
    ):
        tournament = [
            sys.executable,
            "-m",
            "mnkala",
            "arena",
            "tournament",
            asked.game,
            *asked.players,
            "--cluster",
            address,
        ]
        # Once for the kernels that every worker loads, which is no part of a game.
        subprocess.run(
            [*tournament, "--games", "2", "--data", f"{name}/first.sqlite"],
            check=True,
            capture_output=True,
        )
        port = int(address.rpartition(":")[2])
        idle = processor_seconds(processes[0].pid)
        time.sleep(IDLE_SECONDS)
        idle = (processor_seconds(processes[0].pid) - idle) / IDLE_SECONDS
        before = [processor_seconds(process.pid) for process in processes]
        started = time.monotonic()
        with subprocess.Popen(
            [
                *tournament,
                "--games",
                str(asked.games),
                "--openings",
                "plies:4",
                "--data",
                f"{name}/t.sqlite",
                "--json",
            ],
            stdout=subprocess.PIPE,
            text=True,
        ) as client:
            assert client.stdout is not None
            at_client, traffic, ready = 0.0, (0, 0), 0.0
            while (
                client.poll() is None
            ):  # connections are counted while they are open, so the last look counts
                with contextlib.suppress(OSError, subprocess.CalledProcessError, MnkalaError):
                    at_client, traffic = processor_seconds(client.pid), moved(port)
                    if not ready and read_summary(Path(name) / "t.sqlite").played:
                        ready = at_client  # what it took to start is no part of a game
                time.sleep(0.2)
            at_client -= ready
            played = json.loads(client.stdout.read())["played"]
        seconds = time.monotonic() - started
        used = [
            processor_seconds(process.pid) - then
            for process, then in zip(processes, before, strict=True)
        ]
    scheduler, at_workers = used[0], sum(used[1:])
    print(f"the idle scheduler uses {1000 * idle:.1f} ms a second, of {asked.workers} workers")
    print(f"{played} games on {asked.workers} workers in {seconds:.1f} s")
    print(
        f"a game, in processor time: {1000 * at_workers / played:.1f} ms of workers, {1000 * at_client / played:.2f} ms of the client, "
        f"{1000 * scheduler / played:.2f} ms of the scheduler (with what it uses when idle)"
    )
    print(
        f"the scheduler sent {traffic[0] / played:,.0f} and received {traffic[1] / played:,.0f} bytes a game"
    )


if __name__ == "__main__":
    main()
