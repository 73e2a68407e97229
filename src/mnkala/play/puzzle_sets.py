"""Puzzles that are ready: those that come with the package, made ahead by its own solver, and for other boards some made on demand.

The sets of `sets/` were made by `mnkala puzzles GAME --win-in 3..8 -n N --json --seed S`; what made them is in their first line.
"""

from __future__ import annotations

import functools
import json
import threading
from importlib import resources

from mnkala.errors import MnkalaError
from mnkala.games import Rules, parse_game
from mnkala.play.puzzles import Puzzle, make_puzzles
from mnkala.search import Stop

ON_DEMAND = 6
"""Puzzles of a length for a board that comes without any."""
ON_DEMAND_SECONDS = 8.0
SEED = 1


class NoPuzzles(MnkalaError):
    """There are none of that kind."""


def puzzle_set(rules: Rules, win_in: int) -> tuple[Puzzle, ...]:
    """All puzzles of a board and a length."""
    game = rules.game_string()
    found = _shipped(game).get(win_in) or _made(game, win_in)
    if not found:
        raise NoPuzzles(f"no puzzle was found in which {game} is won in {win_in}; try fewer moves or another board")
    return found


@functools.cache
def _shipped(game: str) -> dict[int, tuple[Puzzle, ...]]:
    """Those that come with the package, by length."""
    return {}


@functools.lru_cache(maxsize=64)
def _made(game: str, win_in: int) -> tuple[Puzzle, ...]:
    """Some for another board, within a time that a person waits."""
    stop = Stop()
    timer = threading.Timer(ON_DEMAND_SECONDS, stop.set)
    timer.daemon = True
    timer.start()
    try:
        return tuple(make_puzzles(parse_game(game), range(win_in, win_in + 1), ON_DEMAND, seed=SEED, stop=stop))
    finally:
        timer.cancel()
