"""`mnkala check` in a process of its own: whatever a game does there, loop for ever, leave or crash, there is a verdict."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from mnkala.errors import BadPlugin, MnkalaError

if TYPE_CHECKING:
    from mnkala.games import Rules

LOADING = "loading: the module can be imported and the game be made"
GRACE_SECONDS = 30.0
"""Beyond its own time for a clause, which the process keeps itself as long as it can."""
BEGIN, FOUND, REFUSED, NAME = "begin", "found", "refused", "name"

Verdict = tuple[str, str | None]
"""A clause, and what is wrong with it."""


class Examination:
    """The checking of one game."""

    def __init__(self, plugin: str, seconds: float) -> None:
        self.plugin = plugin
        self.seconds = seconds
        self.name = plugin
        """The game string, once it is known."""

    def verdicts(self) -> Iterator[Verdict]:
        """Every clause as it is decided. Raises BadPlugin where there is no game to check."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_examine, args=(self.plugin, self.seconds, theirs), daemon=True)
        process.start()
        theirs.close()
        clause = LOADING
        try:
            while True:
                if not ours.poll(self.seconds + GRACE_SECONDS):
                    yield clause, f"did not return within {self.seconds + GRACE_SECONDS:.0f} seconds"
                    return
                try:
                    kind, text, problem = ours.recv()
                except EOFError:
                    process.join()
                    if process.exitcode:
                        yield clause, _ending(process.exitcode)
                    elif clause:
                        yield clause, "ended the process, as by os._exit(0)"
                    return
                if kind == BEGIN:
                    clause = text
                elif kind == FOUND:
                    yield text, problem
                    clause = ""
                elif kind == NAME:
                    self.name = text
                else:
                    raise BadPlugin(text)
        finally:
            process.kill()
            process.join()


def _ending(status: int) -> str:
    """Why a process is gone, in words."""
    if status > 0:
        return f"ended the process with status {status}, as by os._exit({status})"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"crashed the process ({name}): compiled code left its memory, or called itself without end"


def _examine(plugin: str, seconds: float, out: Connection) -> None:
    """In the process: check, and send every step."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from mnkala.games.clauses import describe
    from mnkala.search import conformance

    out.send((BEGIN, LOADING, None))
    conformance.SECONDS_PER_CLAUSE = seconds
    try:
        rules = _find(plugin)
        out.send((NAME, rules.game_string(), None))
    except MnkalaError as error:
        out.send((REFUSED, str(error), None))
        return
    except (Exception, SystemExit) as error:
        out.send((FOUND, LOADING, describe(error)))
        return
    out.send((FOUND, LOADING, None))
    for finding in conformance.check_rules(rules, begin=lambda clause: out.send((BEGIN, clause, None))):
        out.send((FOUND, finding.clause, finding.problem))
    sys.stdout.flush()


def _find(plugin: str) -> Rules:
    """The rules that `module:Class` or a game string names, on trust."""
    from mnkala.games.plugins import find_class
    from mnkala.games.registry import is_game, read_game
    from mnkala.search.conformance import rules_of

    # A module may have the name of its game; the sizes and options of a game string never begin with a capital.
    names_class = plugin.partition(":")[2][:1].isupper()
    return read_game(plugin) if is_game(plugin) and not names_class else rules_of(find_class(plugin))
