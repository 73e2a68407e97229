"""Figure 3: what a command costs before it does anything, beside the least that its libraries cost.

`analyse` cannot be quicker than `import numba`; `--help` is held against its command-line library
alone, and against the help of the smallest program that uses it. Every command runs once before, so
that bytecode and machine code are on disk.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from bench.measure import Effort, Usage, in_turn, run_child
from bench.report import Row, Target, compared, skipped

ANALYSE = ("-m", "mnkala", "analyse", "connect4", "44444", "--depth", "1", "--json")
IMPORT_NUMBA = ("-c", "import numba")
HELP = ("-m", "mnkala", "--help")
IMPORT_CYCLOPTS = ("-c", "import cyclopts")
ANALYSE_TARGET = Target("<=", 3)
HELP_TARGET, HELP_IMPORT_TARGET = Target("<=", 1.25), Target("<=", 1.5)
COMMANDS = (
    "play",
    "analyse",
    "games",
    "engines",
    "heuristics",
    "perft",
    "check",
    "warmup",
    "version",
)


def bare_program() -> str:
    """The smallest program with nine commands."""
    functions = "\n".join(
        f'@app.command\ndef {name}(value: int = 1) -> None:\n    """Do {name}."""\n'
        for name in COMMANDS
    )
    return f'from cyclopts import App\n\napp = App(name="bare", help="Nine commands.", version="1")\n\n{functions}\napp()\n'


def rows(effort: Effort) -> list[Row]:
    """Wall and CPU time of the two commands."""
    if not hasattr(os, "wait4"):
        reason = "this system does not tell the CPU time of a child (os.wait4)"
        return [
            skipped("analyse, import numba", reason, ANALYSE_TARGET),
            skipped("--help, import cyclopts", reason, HELP_IMPORT_TARGET),
            skipped("--help, bare cyclopts", reason, HELP_TARGET),
        ]
    rounds = effort.choose(7, full=21)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "bare.py"
        program.write_text(bare_program(), encoding="utf-8")
        return [
            *compare(
                "mnkala analyse --depth 1 --json, import numba",
                ANALYSE,
                IMPORT_NUMBA,
                rounds,
                ANALYSE_TARGET,
            ),
            *compare(
                "mnkala --help, import cyclopts", HELP, IMPORT_CYCLOPTS, rounds, HELP_IMPORT_TARGET
            ),
            *compare(
                "mnkala --help, --help of a bare cyclopts app",
                HELP,
                (str(program), "--help"),
                rounds,
                HELP_TARGET,
            ),
        ]


def compare(
    what: str, command: tuple[str, ...], least: tuple[str, ...], rounds: int, target: Target
) -> list[Row]:
    """A row of wall time and one of CPU time, from the same runs."""
    for arguments in (command, least):
        run_child(arguments)
    pairs = in_turn(lambda: run_child(command), lambda: run_child(least), rounds)
    found = []
    for place, clock in enumerate(Usage._fields):
        milliseconds = [(1000 * ours[place], 1000 * peer[place]) for ours, peer in pairs]
        found.append(compared(f"{what}: {clock}", "ms", milliseconds, "ours/peer", target))
    return found
