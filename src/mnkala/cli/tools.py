"""`perft`, `count`, `check` and `warmup`: tools for those who write games, and for the set-up.

`check` examines a class in a process of its own, because a faulty one can crash or never end.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mnkala.cli.arguments import GameString, StartLiteral, Within, announced, flag, make_position
from mnkala.errors import BadPlugin, MnkalaError
from mnkala.jobs.child import Child, NoLine
from mnkala.jobs.parent import Parent
from mnkala.numbers import counted

if TYPE_CHECKING:
    from mnkala.core import Rules

SECONDS_BETWEEN_LINES = 5.0
"""How often a long count says how far it is."""


def perft(
    game: GameString,
    depth: Annotated[
        int, Parameter(validator=Within(0, 1000), help="The longest length, in moves.")
    ],
    *moves: Annotated[str, Parameter(help="Moves to play first.")],
    position: StartLiteral = None,
) -> None:
    """Count the games of every length up to DEPTH: `mnkala perft connect4 8`."""
    from mnkala.search import perft as count
    from mnkala.search.runner import run

    where = make_position(game, moves, position)
    with announced("compiling for this game, once"):
        count(where, min(depth, 1))
    for plies in range(depth + 1):
        started = time.perf_counter()
        total = run(lambda stop, plies=plies: count(where, plies, stop.flag))  # type: ignore[misc]
        seconds = time.perf_counter() - started
        speed = f"  {total / seconds / 1e6:8.1f} M/s" if seconds > 0.01 else ""
        print(f"{plies:>3}  {total:>20,}  {seconds:9.3f} s{speed}", flush=True)


def count(
    game: GameString,
    *moves: Annotated[str, Parameter(help="Moves to play first.")],
    position: StartLiteral = None,
    memory: Annotated[
        float,
        Parameter(validator=Within(0.001, 1024), help="Gigabytes for the table of positions."),
    ] = 4.0,
) -> None:
    """Count the different positions of a game exactly: `mnkala count connect4:4x5`.

    Finished ones count too; mirror images are different positions.
    """
    from mnkala.search.limit import Stop
    from mnkala.search.runner import run
    from mnkala.solve import PositionCount, count_positions

    where = make_position(game, moves, position)
    done = threading.Event()

    def counted_under(stop: Stop) -> PositionCount:
        def tell() -> None:
            most = 0
            while not done.wait(SECONDS_BETWEEN_LINES):
                if stop.nodes() > most:  # not while a larger table is filled again
                    most = stop.nodes()
                    print(f"{most:>16,} positions so far", file=sys.stderr, flush=True)

        threading.Thread(target=tell, daemon=True).start()
        try:
            return count_positions(where, stop, int(memory * 2**30))
        finally:
            done.set()

    found = run(counted_under)
    print(f"{found.positions:,} positions, of which {found.finished:,} are finished games")


def check(
    plugin: Annotated[
        str,
        Parameter(
            help="module:Class of your own game (modules of the current folder are found), or a game string."
        ),
    ],
    *,
    seconds: Annotated[
        float,
        Parameter(
            validator=Within(0.001, 3600),
            help="How long a clause may take before the game is said to be in an endless loop.",
        ),
    ] = 60.0,
) -> int:
    """Check a game of your own: `mnkala check my_module:MyGame`. Says in words which clause of the
    contract is broken, if any.
    """
    failed = 0
    examination = Examination(plugin, seconds)
    with announced("random games and a compile: this takes some seconds"):
        for clause, problem in examination.verdicts():
            print(f"{'BROKEN' if problem else 'ok':<7} {clause}", flush=True)
            if problem:
                failed += 1
                print(f"        {problem}", flush=True)
    verdict = (
        "keeps the contract"
        if not failed
        else f"{counted(failed, 'clause')} {'is' if failed == 1 else 'are'} broken"
    )
    print(f"{examination.name}: {verdict}")
    return 1 if failed else 0


def warmup(
    *,
    everything: Annotated[
        bool,
        flag("All heuristics with all searches, not only the usual ones: some minutes."),
    ] = False,
) -> int:
    """Compile the engines ahead of time, so that no command waits for it later."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from mnkala.cli.commands import Console

    console = Console(stderr=True)
    problems: list[str] = []
    columns = (
        TextColumn("compiling"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
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
    print(
        f"{counted(len(steps) - len(problems), 'combination')} ready in {time.perf_counter() - started:.1f} s",
        file=sys.stderr,
    )
    for problem in dict.fromkeys(problems):
        print(f"mnkala: {problem}", file=sys.stderr)
    return 1 if problems else 0


LOADING = "loading: the module can be imported and the game be made"
GRACE_SECONDS = 30.0
"""The seconds beyond its limit for a clause, which the process keeps itself as long as it can."""
BEGIN, FOUND, REFUSED, NAME = "begin", "found", "refused", "name"

Verdict = tuple[str, str | None]
"""A clause, and what is wrong with it."""


class Examination:
    """The examination of one game against the contract."""

    def __init__(self, plugin: str, seconds: float) -> None:
        self.plugin = plugin
        self.seconds = seconds
        self.name = plugin
        """The game string, once it is known."""

    def verdicts(self) -> Iterator[Verdict]:
        """Yield every clause as it is decided. Raises BadPlugin where there is no game to check."""
        process = Child.calling(
            "mnkala.cli.tools:main", self.plugin, str(self.seconds), errors="shown"
        )
        clause = LOADING
        try:
            while True:
                kind, text, problem = process.message(self.seconds + GRACE_SECONDS)
                if kind == BEGIN:
                    clause = text
                elif kind == FOUND:
                    yield text, problem
                    clause = ""
                elif kind == NAME:
                    self.name = text
                else:
                    raise BadPlugin(text)
        except NoLine as error:
            if error.reason == "silent":
                yield clause, f"did not return within {self.seconds + GRACE_SECONDS:.0f} seconds"
            elif error.status:
                yield clause, _ending(error.status)
            elif clause:
                yield clause, "ended the process, as by os._exit(0)"
        finally:
            process.end()


def _ending(status: int) -> str:
    """Why a process has ended, in words."""
    if status > 0:
        return f"ended the process with status {status}, as by os._exit({status})"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return (
        f"crashed the process ({name}): compiled code left its memory, or called itself without end"
    )


def main() -> None:
    """The checking process: check the game and report every step as a line of JSON. What the
    game prints goes to standard error."""
    plugin, seconds = sys.argv[1], float(sys.argv[2])
    parent = Parent()
    from mnkala.core.contract_checks import describe
    from mnkala.search import conformance

    def tell(kind: str, text: str, problem: str | None = None) -> None:
        parent.tell((kind, text, problem))

    tell(BEGIN, LOADING)
    conformance.SECONDS_PER_CLAUSE = seconds
    try:
        rules = _find(plugin)
        tell(NAME, rules.game_string())
    except MnkalaError as error:
        tell(REFUSED, str(error))
        return
    except (Exception, SystemExit) as error:
        tell(FOUND, LOADING, describe(error))
        return
    tell(FOUND, LOADING)
    for finding in conformance.check_rules(rules, begin=lambda clause: tell(BEGIN, clause)):
        tell(FOUND, finding.clause, finding.problem)


def _find(plugin: str) -> Rules:
    """The rules that `module:Class` or a game string names, without any checks."""
    from mnkala.core.plugins import find_class
    from mnkala.core.registry import is_game, read_game
    from mnkala.search.conformance import rules_of

    # A module may have the name of its game; the sizes and options of a game string never begin
    # with a capital.
    names_class = plugin.partition(":")[2][:1].isupper()
    return (
        read_game(plugin) if is_game(plugin) and not names_class else rules_of(find_class(plugin))
    )
