"""`mnkala kalah database`: the margins of all positions with few seeds, once, so that the solver need not search there."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

from cyclopts import Parameter

from mnkala.errors import BadGame


def database(
    game: Annotated[str, Parameter(help="A game string of Kalah; its houses and its rule of capture count.")] = "kalah",
    *,
    seeds: Annotated[int, Parameter(help="Positions with at most so many seeds in the houses, 2 to 24. With six houses 18 are 86 MB, "
                                         "20 are 0.2 GB, 24 are 1.2 GB.")] = 18,
    threads: Annotated[int | None, Parameter(help="Threads; by default one a core.")] = None,
) -> int:
    """Build the endgame database of Kalah: `mnkala kalah database kalah --seeds 18`.

    It lies in the cache folder, and every solver of Kalah uses it from then on. After Ctrl-C (or worse) the same command goes on, and one
    that is there can be extended; what is damaged is noticed and built again.
    """
    from mnkala.cli.arguments import announced
    from mnkala.core import parse_game
    from mnkala.families.kalah.rules import Kalah
    from mnkala.families.kalah.solver.database import build_database, check_seeds, database_path, open_database
    from mnkala.search import Stop
    from mnkala.search.runner import stream

    rules = parse_game(game)
    if not isinstance(rules, Kalah):
        raise BadGame(f"there are no endgame databases for {rules.game_string()}; there are for Kalah, such as kalah or kalah:4x3,standard")
    check_seeds(seeds)
    with announced("compiling, once"):
        prepare_builder()

    def work(stop: Stop, give: Callable[[tuple[int, int]], None]) -> None:
        build_database(rules, seeds, threads=threads, stop=stop, report=lambda done, total: give((done, total)))

    started = time.perf_counter()
    try:
        with bar(f"{rules.game_string()}, up to {seeds} seeds") as show:
            for done, total in stream(work):
                show(done, total)
    except KeyboardInterrupt:
        print("\nwhole layers are kept; the same command goes on", file=sys.stderr)
        raise
    found, path = open_database(rules), database_path(rules)
    print(f"{path}: {found.margins.size:,} positions of up to {found.seeds} seeds, {path.stat().st_size:,} bytes, "
          f"{time.perf_counter() - started:.1f} s")
    return 0


def prepare_builder() -> None:
    """Compile (or load) what builds a database, by a tiny board in memory."""
    from mnkala.families.kalah.rules import Kalah
    from mnkala.families.kalah.solver.layers import prepare

    prepare(Kalah(2, 1))


@contextmanager
def bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from mnkala.cli.console import Console

    with Progress(TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn(), TextColumn("left"),
                  TimeRemainingColumn(), console=Console(stderr=True)) as shown:
        task = shown.add_task(label, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)
