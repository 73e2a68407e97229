"""`mnkala check` in a process of its own: whatever a game does there, loop for ever, leave or crash, there is a verdict."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mnkala.errors import BadPlugin, MnkalaError
from mnkala.jobs.supervised import Supervised

if TYPE_CHECKING:
    from mnkala.core import Rules

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
        process = Supervised.module(__name__, self.plugin, str(self.seconds))
        lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(process, lines), daemon=True).start()
        clause = LOADING
        try:
            while True:
                try:
                    line = lines.get(timeout=self.seconds + GRACE_SECONDS)
                except queue.Empty:
                    yield clause, f"did not return within {self.seconds + GRACE_SECONDS:.0f} seconds"
                    return
                if not line:
                    status = process.wait()
                    if status:
                        yield clause, _ending(status)
                    elif clause:
                        yield clause, "ended the process, as by os._exit(0)"
                    return
                kind, text, problem = json.loads(line)
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
            process.end()


def _read(process: Supervised[str], lines: queue.SimpleQueue[str]) -> None:
    """Pass on what the process tells; an empty line is its end."""
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin, process.stdout, contextlib.suppress(OSError, ValueError):
        for line in process.stdout:
            lines.put(line)
    lines.put("")


def _ending(status: int) -> str:
    """Why a process is gone, in words."""
    if status > 0:
        return f"ended the process with status {status}, as by os._exit({status})"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"crashed the process ({name}): compiled code left its memory, or called itself without end"


def main() -> None:
    """In the process: check, and tell of every step, a line of JSON each. What the game prints goes to standard error."""
    plugin, seconds = sys.argv[1], float(sys.argv[2])
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    from mnkala.core.contract_checks import describe
    from mnkala.search import conformance

    def tell(kind: str, text: str, problem: str | None = None) -> None:
        print(json.dumps((kind, text, problem)), file=answers, flush=True)

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
    """The rules that `module:Class` or a game string names, on trust."""
    from mnkala.core.plugins import find_class
    from mnkala.core.registry import is_game, read_game
    from mnkala.search.conformance import rules_of

    # A module may have the name of its game; the sizes and options of a game string never begin with a capital.
    names_class = plugin.partition(":")[2][:1].isupper()
    return read_game(plugin) if is_game(plugin) and not names_class else rules_of(find_class(plugin))


if __name__ == "__main__":
    main()
