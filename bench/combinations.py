"""What compiling costs: the combinations that menus offer, seconds of CPU and megabytes, by game;
and what loading costs afterwards.

python -m bench.combinations [--all]

Everything is compiled into an empty cache by one process, as the background process does it, and
then loaded by another, which prints the slowest. Without --all only the usual combinations are.
Some minutes.
"""

from __future__ import annotations

import collections
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STEPS = """
import json, sys, time
from mnkala.play.warmup import warmup_steps
for step in warmup_steps(everything="--all" in sys.argv):
    started, cpu = time.perf_counter(), time.process_time()
    step.compile()
    print(json.dumps([step.label, time.process_time() - cpu, time.perf_counter() - started]), flush=True)
"""


def measure(folder: str, arguments: list[str]) -> list[tuple[str, float, float, int]]:
    """Label, CPU seconds, seconds on the clock and the bytes that were added, of every combination."""
    process = subprocess.Popen(
        [sys.executable, "-c", STEPS, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "MNKALA_CACHE_DIR": folder},
    )
    assert process.stdout is not None
    found, before = [], 0
    for line in process.stdout:
        size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
        label, cpu, wall = json.loads(line)
        found.append((label, cpu, wall, size - before))
        before = size
    if process.wait():
        raise SystemExit("it failed; see above")
    return found


def main() -> None:
    """Print the table."""
    arguments = sys.argv[1:]
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        compiled = measure(folder, arguments)
        loaded = measure(folder, arguments)
    table: dict[str, list[tuple[float, int, float]]] = collections.defaultdict(list)
    for (label, cpu, _, size), (_, _, load, _) in zip(compiled, loaded, strict=True):
        table[label.partition(",")[0]].append((cpu, size, load))
    print(f"{'game':<16}{'combinations':>13}{'CPU s':>8}{'MB':>7}{'slowest to load, ms':>21}")
    table["all"] = [row for rows in table.values() for row in rows]
    for game, rows in table.items():
        cpu, size, load = (
            sum(row[0] for row in rows),
            sum(row[1] for row in rows),
            max(row[2] for row in rows),
        )
        print(f"{game:<16}{len(rows):>13}{cpu:>8.0f}{size / 1e6:>7.1f}{1000 * load:>21.0f}")
    slowest = sorted(compiled, key=lambda row: -row[1])[:5]
    print(
        "slowest to compile: " + "; ".join(f"{label} {cpu:.1f} s" for label, cpu, _, _ in slowest)
    )
    print(f"{time.perf_counter() - started:.0f} s on the clock")


if __name__ == "__main__":
    main()
