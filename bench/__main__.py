"""The command `python -m bench`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""Libraries that would start threads of their own on import, here and in the children."""


def main() -> None:
    """Measure everything and print it. Nothing is asserted: a missed target is a row that says no."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Speed, as ratios to peers in the same run."
    )
    parser.add_argument(
        "--full", action="store_true", help="more rounds and deeper searches; several minutes"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    # Before NumPy and its friends are imported, which read these once.
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))

    from bench import (
        against_bitbully,
        against_easyai,
        against_open_spiel,
        by_itself,
        clock_keeping,
        gomoku_engine,
        kalah_solver,
        monte_carlo,
        own_work,
        server_load,
        startup,
    )
    from bench.measure import Effort
    from bench.report import Row, table, to_json, versions

    started = time.perf_counter()
    rows: list[Row] = []
    for figure in (
        against_open_spiel,
        against_bitbully,
        kalah_solver,
        gomoku_engine,
        monte_carlo,
        against_easyai,
        own_work,
        startup,
        server_load,
        clock_keeping,
        by_itself,
    ):
        print(f"bench: {figure.__name__.rpartition('.')[2]} …", file=sys.stderr, flush=True)
        rows += figure.rows(Effort(arguments.full))
    if arguments.json:
        print(json.dumps(to_json(rows)))
        return
    print(table(rows))
    print(
        f"\nCPU time on one thread unless it says wall; median and spread of ratios within a round. "
        f"{time.perf_counter() - started:.0f} s with "
        + ", ".join(f"{name} {version or '-'}" for name, version in versions().items())
    )


if __name__ == "__main__":
    main()
