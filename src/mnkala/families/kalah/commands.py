"""The command `mnkala kalah`, with subcommands for Kalah alone."""

from __future__ import annotations

import itertools
import json as json_module
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from mnkala.cli.arguments import (
    Processes,
    Retry,
    Scheduler,
    Table,
    Within,
    announced,
    flag,
    resumable,
    show_proof,
)
from mnkala.errors import BadGame
from mnkala.numbers import counted

if TYPE_CHECKING:
    from mnkala.play.fair_starts import FairStart

kalah = App(
    name="kalah",
    help="For Kalah: starting positions that neither side wins, the endgame database, and proofs in pieces.\n\n"
    "Start with `mnkala kalah fair kalah:4x3`. To play a game, type `mnkala play kalah`.",
)


@kalah.command
def fair(
    game: Annotated[
        str,
        Parameter(help="A game string of Kalah: its houses, its seeds and its rule of capture."),
    ] = "kalah",
    *,
    count: Annotated[
        int,
        Parameter(name=["--count", "-n"], validator=Within(1, 1_000_000), help="How many starts."),
    ] = 3,
    seed: Annotated[
        int, Parameter(help="Another number gives other starts; the same gives the same.")
    ] = 0,
    near: Annotated[
        bool,
        flag(
            "Those with the fewest seeds moved from the usual start first, instead of seeds scattered at random."
        ),
    ] = False,
    apart: Annotated[bool, flag("The two rows may differ.")] = False,
    json: Annotated[
        bool,
        flag("Print a JSON line for each start as soon as it is certified."),
    ] = False,
) -> int:
    """Find fair starts: `mnkala kalah fair kalah:4x3`. Their exact score is 0: by best play nobody
    wins.

    Each is proved twice, the second time by a solver that knows nothing yet, and comes with the
    exact score of every house.
    """
    from mnkala.core import parse_game
    from mnkala.families.kalah.fair_starts import check_board, find_fair_starts
    from mnkala.search import Stop
    from mnkala.search.runner import stream
    from mnkala.solve import solver_for

    rules = parse_game(game)
    check_board(rules)
    with announced("compiling the solver, once; `mnkala warmup` does it ahead of time"):
        solver_for(rules).prepare(rules)
    live, found, looked_at = sys.stderr.isatty(), 0, 0

    def progress(candidates: int) -> None:
        nonlocal looked_at
        looked_at = candidates
        if live:
            said = f"{found} of {counted(count, 'start')}, {counted(candidates, 'candidate')} looked at"
            print(f"\r{said} ", end="", file=sys.stderr, flush=True)

    def work(stop: Stop, give: Callable[[FairStart], None]) -> None:
        for start in itertools.islice(
            find_fair_starts(rules, seed, near=near, apart=apart, stop=stop, report=progress), count
        ):
            give(start)

    try:
        for start in stream(
            work
        ):  # It runs in a thread of its own, so that Ctrl-C is noticed while the solver works.
            found += 1
            if live:
                print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True)
            if json:
                print(json_module.dumps(start.to_json()), flush=True)
            else:
                _print(found, start)
    finally:
        if live:
            print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True)
    if found < count:
        print(
            f"mnkala: only {found} of {counted(count, 'start')} were found among {counted(looked_at, 'candidate')}",
            file=sys.stderr,
        )
        return 1
    return 0


def _print(number: int, start: FairStart) -> None:
    position = start.position
    print(f"fair start {number}: {start.literal}")
    print(position.terminal() if sys.stdout.isatty() else position)
    scores = ", ".join(
        f"{move} {score:+d}" if score else f"{move} 0" for move, score in start.scores.items()
    )
    print(f"houses: {scores}; score 0, proved twice")
    print(f"play it: mnkala play {start.game} --position '{start.literal}'\n", flush=True)


@kalah.command
def database(
    game: Annotated[
        str, Parameter(help="A game string of Kalah; its houses and its rule of capture count.")
    ] = "kalah",
    *,
    seeds: Annotated[
        int,
        Parameter(
            help="Positions with at most this many seeds in the houses, 2 to 24. With six houses 18 are 86 MB, "
            "20 are 0.2 GB, 24 are 1.2 GB."
        ),
    ] = 18,
    threads: Annotated[int | None, Parameter(help="Threads; by default one for each core.")] = None,
) -> int:
    """Build the endgame database of Kalah: `mnkala kalah database kalah --seeds 18`.

    It holds the margins of all positions with few seeds, so that solvers look these up instead of
    searching. It lies in the cache folder, and every solver of Kalah uses it from then on. After
    Ctrl-C (or worse) the same command continues, and a database that is there can be extended; what
    is damaged is noticed and built again.
    """
    from mnkala.core import parse_game
    from mnkala.families.kalah.rules import Kalah
    from mnkala.families.kalah.solver.database import (
        build_database,
        check_seeds,
        database_path,
        open_database,
        prepare,
    )
    from mnkala.search import Stop
    from mnkala.search.runner import stream

    rules = parse_game(game)
    if not isinstance(rules, Kalah):
        raise BadGame(
            f"there are no endgame databases for {rules.game_string()}; there are for Kalah, such as kalah or kalah:4x3,standard"
        )
    check_seeds(seeds)
    with announced("compiling, once"):
        prepare(Kalah(2, 1))  # A tiny board, in memory.

    def work(stop: Stop, give: Callable[[tuple[int, int]], None]) -> None:
        build_database(
            rules, seeds, threads=threads, stop=stop, report=lambda done, total: give((done, total))
        )

    started = time.perf_counter()
    with (
        resumable("whole layers are kept; the same command continues"),
        bar(f"{rules.game_string()}, up to {seeds} seeds") as show,
    ):
        for done, total in stream(work):
            show(done, total)
    found, path = open_database(rules), database_path(rules)
    print(
        f"{path}: {found.margins.size:,} positions of up to {found.seeds} seeds, {path.stat().st_size:,} bytes, "
        f"{time.perf_counter() - started:.1f} s"
    )
    return 0


@contextmanager
def bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal, and nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from mnkala.cli.commands import Console

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    ) as shown:
        task = shown.add_task(label, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


@kalah.command
def prove(
    game: Annotated[
        str, Parameter(help="A game string of Kalah with at most 62 seeds.")
    ] = "kalah:6x5",
    *,
    above: Annotated[
        int | None, Parameter(help="Prove only whether the first player's score is more than this.")
    ] = None,
    turns: Annotated[
        int,
        Parameter(
            help="Split the game after this many turns, 1 to 5: the more turns, the more and the smaller pieces."
        ),
    ] = 3,
    jobs: Processes = None,
    cluster: Scheduler = None,
    table: Table = 1024,
    retry: Retry = False,
) -> int:
    """Prove the score of a start piece by piece: `mnkala kalah prove kalah:6x5`, for what is too
    much for one sitting.

    A piece is a question about a position of the first turns: is its score above a number? Answers
    are kept in the data folder as they come. After Ctrl-C (or worse) the same command continues,
    also with more --turns. `mnkala kalah database --seeds 24` before it saves most of the work. The
    exit status is 1 if the score, or what was asked, stays open.
    """
    from mnkala.core import parse_game
    from mnkala.families.kalah.solver.split import check_split, prove_split
    from mnkala.jobs import shown_on
    from mnkala.solve.pieces import proof_path

    rules = check_split(parse_game(game), turns, above)
    again = (
        f"mnkala kalah prove {game}"
        + (f" --above {above}" if above is not None else "")
        + (f" --turns {turns}" if turns != 3 else "")
    )
    with resumable(f"what is done is kept in {proof_path(rules)}; continue with: {again}"):
        found = prove_split(
            rules,
            above=above,
            turns=turns,
            jobs=jobs,
            cluster=cluster,
            table_mb=table,
            retry=retry,
            progress=shown_on,
        )
    told = (
        f"score {found.lower:+d}"
        if found.lower == found.upper
        else f"score between {found.lower} and {found.upper}"
    )
    show_proof(rules, told, found, again)
    return (
        1 if (found.lower < found.upper if above is None else found.is_above(above) is None) else 0
    )
