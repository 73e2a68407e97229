"""Check a book: solve some of its positions again, chosen at random, and hold the book's word against the answer."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from mnkala.core import Rules
from mnkala.families.connect.book.bounds import Bounds, extremes
from mnkala.families.connect.book.work import positions_of
from mnkala.families.connect.solver.solver import ConnectSolver
from mnkala.search.runner import run
from mnkala.solve.book.family import TABLE_MB, Checked


def check_entries(known: Bounds, rules: Rules, count: int, seed: int) -> Iterator[Checked]:
    """Solve `count` entries again, the deepest first: they are the quickest. Chosen among those that are exact, and the bounds of the
    last plies, by which moves are known to be worse than the best."""
    last, lower = known.layers[-1], known.lower[-1]
    worth = [known.exact(plies) for plies in range(known.depth)] + [known.exact(known.depth) | (lower > extremes(last)[0])]
    places = [(plies, int(place)) for plies, chosen in enumerate(worth) for place in np.flatnonzero(chosen)]
    chosen = random.Random(seed).sample(places, min(count, len(places)))
    solver = ConnectSolver(rules, table_mb=TABLE_MB)
    for plies, place in sorted(chosen, reverse=True):
        position = positions_of(rules.game_string(), [int(known.layers[plies].keys[place])])[0]
        answer = run(lambda stop, position=position: solver.solve(position, stop=stop))  # type: ignore[misc]
        yield Checked(position, plies, int(known.lower[plies][place]), int(known.upper[plies][place]), answer.lower)
