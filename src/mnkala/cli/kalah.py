"""`mnkala kalah`: what there is for Kalah alone."""

from __future__ import annotations

import itertools
import json as json_module
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from mnkala.cli.kalah_database import database
from mnkala.cli.kalah_prove import prove
from mnkala.errors import MnkalaError
from mnkala.numbers import counted

if TYPE_CHECKING:
    from mnkala.families.kalah.fair_starts import FairStart

kalah = App(name="kalah", help="For Kalah: starting positions that neither side wins, the endgame database, and proofs in pieces.\n\n"
                                "Start with `mnkala kalah fair kalah:4x3`.")
kalah.command(database)
kalah.command(prove)


@kalah.command
def fair(
    game: Annotated[str, Parameter(help="A game string of Kalah: its houses, its seeds and its rule of capture.")] = "kalah",
    *,
    count: Annotated[int, Parameter(name=["--count", "-n"], help="How many starts.")] = 3,
    seed: Annotated[int, Parameter(help="Another number gives other starts; the same gives the same.")] = 0,
    near: Annotated[bool, Parameter(negative=(), show_default=False,
        help="Those with the fewest seeds moved from the usual start first, instead of seeds scattered at random.")] = False,
    apart: Annotated[bool, Parameter(negative=(), show_default=False, help="The two rows may differ.")] = False,
    json: Annotated[bool, Parameter(negative=(), show_default=False,
        help="Print a JSON line for each start as soon as it is certified.")] = False,
) -> int:
    """Find fair starts: `mnkala kalah fair kalah:4x3`. Their exact score is 0: by best play nobody wins.

    Each is proved twice, the second time by a solver that knows nothing yet, and comes with the exact score of every house.
    """
    from mnkala.cli.arguments import announced
    from mnkala.core import parse_game
    from mnkala.families.kalah.fair_starts import check_board, find_fair_starts
    from mnkala.search import Stop
    from mnkala.search.runner import stream
    from mnkala.solve import solver_for

    if count < 1:
        raise MnkalaError(f"{counted(count, 'start')}; at least 1 is needed")
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
        for start in itertools.islice(find_fair_starts(rules, seed, near=near, apart=apart, stop=stop, report=progress), count):
            give(start)

    try:
        for start in stream(work):  # in a thread of its own, so that Ctrl-C is heard while the solver works
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
        print(f"mnkala: only {found} of {counted(count, 'start')} were found among {counted(looked_at, 'candidate')}", file=sys.stderr)
        return 1
    return 0


def _print(number: int, start: FairStart) -> None:
    position = start.position
    print(f"fair start {number}: {start.literal}")
    print(position.terminal() if sys.stdout.isatty() else position)
    scores = ", ".join(f"{move} {score:+d}" if score else f"{move} 0" for move, score in start.scores.items())
    print(f"houses: {scores}; score 0, proved twice")
    print(f"play it: mnkala play {start.game} --position '{start.literal}'\n", flush=True)
