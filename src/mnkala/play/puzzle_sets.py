"""Puzzles that are ready: those that come with the package, made ahead by its own solver, and for other boards some made on demand.

`sets/connect4.jsonl` is what `mnkala puzzles connect4 --win-in 3..8 -n 180 --seed 6 --json` prints: so it can be made again.
"""

from __future__ import annotations

import functools
import json
import threading
from importlib import resources
from typing import Any

from mnkala.errors import MnkalaError
from mnkala.games import Rules, parse_game
from mnkala.play.puzzles import Grade, Puzzle, make_puzzles
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


def is_ready(rules: Rules, win_in: int) -> bool:
    """Whether puzzles of this kind come with the package, so that nothing has to be made."""
    return win_in in _shipped(rules.game_string())


@functools.cache
def _shipped(game: str) -> dict[int, tuple[Puzzle, ...]]:
    """Those that come with the package, by length, the easy ones first."""
    file = resources.files("mnkala.play").joinpath("sets").joinpath(f"{game.replace(':', '-')}.jsonl")
    if not file.is_file():
        return {}
    found = [_read(json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]
    lengths = {puzzle.win_in for puzzle in found}
    return {length: tuple(sorted((puzzle for puzzle in found if puzzle.win_in == length), key=lambda puzzle: puzzle.grade.stars))
            for length in lengths}


def _read(entry: dict[str, Any]) -> Puzzle:
    return Puzzle(entry["game"], entry["moves"], entry["win_in"], tuple(entry["solution"]), Grade(**entry["grade"]))


@functools.lru_cache(maxsize=64)
def _made(game: str, win_in: int) -> tuple[Puzzle, ...]:
    """Some for another board, within a time that a person waits."""
    stop = Stop()
    timer = threading.Timer(ON_DEMAND_SECONDS, stop.set)
    timer.daemon = True
    timer.start()
    try:
        return tuple(make_puzzles(parse_game(game), range(win_in, win_in + 1), ON_DEMAND, SEED, stop=stop))
    finally:
        timer.cancel()
