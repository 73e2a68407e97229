"""Solvers that are kept between questions: what one learnt of a game makes the game's next question quicker.

A solver works for one caller at a time, so it is lent out: whoever asks meanwhile gets another. Few are kept, for a full table is large.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from mnkala.games import Rules
from mnkala.solve.solver import TABLE_MB, Solver, solver_for

MOST_KEPT = 2
_free: list[tuple[tuple[str, int, int], Solver]] = []
"""Not lent out, the latest used last, by game, threads and memory."""
_lock = threading.Lock()


@contextlib.contextmanager
def lent_solver(rules: Rules, *, threads: int = 1, table_mb: int = TABLE_MB, fresh: bool = False) -> Iterator[Solver]:
    """A solver for a game, one that knows something already if there is one; with `fresh`, one that knows nothing and is not kept, for
    answers that must depend on nothing but the question."""
    if fresh:
        yield solver_for(rules)(rules, threads=threads, table_mb=table_mb)
        return
    key, solver = (rules.game_string(), threads, table_mb), None
    with _lock:
        fitting = [each for each in _free if each[0] == key]
        if fitting:
            _free.remove(fitting[-1])
            solver = fitting[-1][1]
    solver = solver or solver_for(rules)(rules, threads=threads, table_mb=table_mb)
    try:
        yield solver
    finally:
        with _lock:
            _free.append((key, solver))
            del _free[:-MOST_KEPT]


def forget_solvers() -> None:
    """Let go of all that are kept."""
    with _lock:
        _free.clear()
