"""`perft`, `check` and `warmup`: tools for those who write games, and for the set-up."""

from __future__ import annotations

import sys
import time
from typing import Annotated

from cyclopts import Parameter

from mnkala.cli.arguments import GameString, StartLiteral, announced, make_position
from mnkala.numbers import counted


def perft(
    game: GameString,
    depth: Annotated[int, Parameter(help="The longest length, in moves.")],
    *moves: Annotated[str, Parameter(help="Moves to play first.")],
    position: StartLiteral = None,
) -> None:
    """Count the games of every length up to DEPTH: `mnkala perft connect4 8`."""
    from mnkala.errors import MnkalaError
    from mnkala.search import perft as count
    from mnkala.search.limit import DEEPEST
    from mnkala.search.runner import run

    if not 0 <= depth <= DEEPEST:
        raise MnkalaError(f"a depth of {depth}; perft counts 0 to {DEEPEST} moves ahead")
    where = make_position(game, moves, position)
    with announced("compiling for this game, once"):
        count(where, min(depth, 1))
    for plies in range(depth + 1):
        started = time.perf_counter()
        total = run(lambda stop, plies=plies: count(where, plies, stop.flag))  # type: ignore[misc]
        seconds = time.perf_counter() - started
        speed = f"  {total / seconds / 1e6:8.1f} M/s" if seconds > 0.01 else ""
        print(f"{plies:>3}  {total:>20,}  {seconds:9.3f} s{speed}", flush=True)


def check(
    plugin: Annotated[str, Parameter(help="module:Class of your own game (modules of the current folder are found), or a game string.")],
    *,
    seconds: Annotated[float, Parameter(help="How long a clause may take before the game is said to be in an endless loop.")] = 60.0,
) -> int:
    """Check a game of your own: `mnkala check my_module:MyGame`. Says in words which clause of the contract is broken, if any."""
    from mnkala.cli.checking import Examination
    from mnkala.errors import MnkalaError

    if not 0 < seconds <= 3600:
        raise MnkalaError(f"--seconds {seconds}; a clause may take up to 3600 seconds")
    failed = 0
    examination = Examination(plugin, seconds)
    with announced("random games and a compile: this takes some seconds"):
        for clause, problem in examination.verdicts():
            print(f"{'BROKEN' if problem else 'ok':<7} {clause}", flush=True)
            if problem:
                failed += 1
                print(f"        {problem}", flush=True)
    verdict = "keeps the contract" if not failed else f"{counted(failed, 'clause')} {'is' if failed == 1 else 'are'} broken"
    print(f"{examination.name}: {verdict}")
    return 1 if failed else 0


def warmup(
    *,
    everything: Annotated[bool, Parameter(negative=(), show_default=False,
        help="All heuristics with all searches, not only the usual ones: some minutes.")] = False,
) -> int:
    """Compile the engines ahead of time, so that no command waits for it later."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from mnkala.cli.console import Console
    from mnkala.errors import MnkalaError

    console = Console(stderr=True)
    problems: list[str] = []
    columns = (TextColumn("compiling"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
               TextColumn("{task.description}"))
    started = time.perf_counter()
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("loading Numba", total=None)
        from mnkala.play.warmup import warmup_steps

        steps = warmup_steps(everything)
        left = [step for step in steps if not step.is_done]
        progress.update(bar, total=len(left))
        for step in left:
            progress.update(bar, description=step.label)
            try:
                step.compile()
            except MnkalaError as error:  # a plug-in's; the rest can be compiled all the same
                problems.append(str(error))
            progress.advance(bar)
    print(f"{counted(len(steps) - len(problems), 'combination')} ready in {time.perf_counter() - started:.1f} s", file=sys.stderr)
    for problem in dict.fromkeys(problems):
        print(f"mnkala: {problem}", file=sys.stderr)
    return 1 if problems else 0
