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
from mnkala.games import Rules
from mnkala.numbers import counted
from mnkala.play.puzzles import FEWEST_SAFE, Grade, Puzzle, check_game, check_lengths, make_puzzles
from mnkala.search import Stop

ON_DEMAND = 6
"""Puzzles of a length for a board that comes without any."""
ON_DEMAND_SECONDS = 8.0
SEED = 1
MOST_KEPT = 64
_kept: dict[tuple[str, int], tuple[Puzzle, ...]] = {}
"""Puzzles that were made on demand, by game and length."""


class NoPuzzles(MnkalaError):
    """There are none of that kind."""


def puzzle_set(rules: Rules, win_in: int, stop: Stop | None = None) -> tuple[Puzzle, ...]:
    """All puzzles of a board and a length; an error once `stop` is raised while they are being made."""
    check_possible(rules, win_in)
    game = rules.game_string()
    found = _shipped(game).get(win_in) or _made(rules, win_in, stop or Stop())
    if not found:
        raise NoPuzzles(f"no puzzle was found in which {game} is won in {win_in}; try fewer moves or another board")
    return found


def check_possible(rules: Rules, win_in: int) -> None:
    """Raise an error that says why, if a board cannot have puzzles of a length. Nothing is searched for it."""
    check_lengths(range(win_in, win_in + 1), 1)
    shape = check_game(rules)
    longest = (shape.rows * shape.cols + 1) // 2
    if win_in > longest:
        raise NoPuzzles(f"a win in {win_in} on {rules.game_string()}; its {counted(shape.rows * shape.cols, 'cell')} are full after "
                        f"{counted(longest, 'move')} of each side")
    if shape.cols < FEWEST_SAFE:
        raise NoPuzzles(f"{rules.game_string()} has {counted(shape.cols, 'column')}; a puzzle needs {FEWEST_SAFE} to choose from")


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


def _made(rules: Rules, win_in: int, stop: Stop) -> tuple[Puzzle, ...]:
    """Some for another board, within a time that a person waits."""
    key = (rules.game_string(), win_in)
    if key in _kept:
        return _kept[key]
    late = threading.Event()

    def out_of_time() -> None:
        late.set()
        stop.set()

    timer = threading.Timer(ON_DEMAND_SECONDS, out_of_time)
    timer.daemon = True
    timer.start()
    try:
        found = tuple(make_puzzles(rules, range(win_in, win_in + 1), ON_DEMAND, SEED, stop=stop))
    finally:
        timer.cancel()
    if stop.is_set() and not late.is_set():
        raise NoPuzzles("the search for puzzles was stopped")
    while len(_kept) >= MOST_KEPT:
        _kept.pop(next(iter(_kept)), None)
    _kept[key] = found
    return found
