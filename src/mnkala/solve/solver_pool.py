"""Solvers that are kept between questions: what a solver learnt about a game makes the game's
next question quicker.

A solver works for one caller at a time, so it is lent out: anyone who asks in the meantime gets
another. A full table is large, so few are kept; when many ask at once, the later ones get a
small table, which gives the same answers, only more slowly.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from mnkala.core import Rules
from mnkala.solve.solver import TABLE_MB, Solver, solver_for

MOST_KEPT = 2
MOST_MB = 3 * TABLE_MB
"""The size of all tables together, those that are lent and those that are kept; any beyond that
are small."""
SMALL_MB = TABLE_MB // 8
_free: list[tuple[tuple[str, int, int], Solver]] = []
"""Not lent out, the latest used last, by game, threads and memory."""
_lent: list[Solver] = []
_lock = threading.Lock()


@contextlib.contextmanager
def lent_solver(
    rules: Rules, *, threads: int = 1, table_mb: int = TABLE_MB, fresh: bool = False
) -> Iterator[Solver]:
    """Lend a solver for a game, if possible one that already knows something; with `fresh`, one
    that knows nothing and is not kept, for answers that must depend on nothing but the question."""
    solver = None if fresh else _kept(rules.game_string(), threads, table_mb)
    if solver is None:
        room = table_mb if fresh else _room_for(table_mb)
        solver = solver_for(rules)(rules, threads=threads, table_mb=room)
        with _lock:
            _lent.append(solver)
    try:
        yield solver
    finally:
        with _lock:
            _lent[:] = [each for each in _lent if each is not solver]
            if not fresh:
                _free.append(((rules.game_string(), threads, solver.table_mb), solver))
                del _free[:-MOST_KEPT]


def _kept(game: str, threads: int, table_mb: int) -> Solver | None:
    """The most recently used solver of a game, now lent out."""
    with _lock:
        fitting = [each for each in _free if each[0] == (game, threads, table_mb)]
        if not fitting:
            return None
        _free.remove(fitting[-1])
        _lent.append(fitting[-1][1])
        return fitting[-1][1]


def _room_for(table_mb: int) -> int:
    """The memory of a new solver: as much as requested, if necessary by dropping solvers that
    are kept; little if many are at work."""
    with _lock:
        while _free and _megabytes() + table_mb > MOST_MB:
            del _free[0]
        fits = not _lent or _megabytes() + table_mb <= MOST_MB
        return table_mb if fits else min(table_mb, SMALL_MB)


def _megabytes() -> int:
    return sum(each.table_mb for each in (*_lent, *(solver for _, solver in _free)))


def forget_solvers() -> None:
    """Forget all solvers that are kept."""
    with _lock:
        _free.clear()
