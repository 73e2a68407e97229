"""Puzzles that are ready: those that come with the package, made ahead by its own solver, and for other boards some made on demand.

They lie with the family of the game, in `puzzles`. Each file is what a command prints, so it can be made again:

- `connect4.jsonl`: `mnkala puzzles connect4 --win-in 3..8 -n 180 --seed 6 --json`
- `gomoku.jsonl`: `mnkala puzzles gomoku -n 48 --seed 1 --json`
- `tictactoe.jsonl`: `mnkala puzzles tictactoe -n 24 --seed 1 --json`
- `kalah.jsonl`: `mnkala puzzles kalah --kind only-move,longest-chain,save -n 60 --seed 0 --json`
"""

from __future__ import annotations

import functools
import json
import threading

from mnkala.core import Rules, parse_game
from mnkala.core.registry import family_of
from mnkala.errors import MnkalaError
from mnkala.play.puzzle_contract import Goal, Puzzle
from mnkala.play.puzzles import make_puzzles, puzzles_of
from mnkala.search import Stop

ON_DEMAND = 6
"""Puzzles with a goal for a board that comes without any."""
ON_DEMAND_SECONDS = 8.0
SEED = 1
MOST_KEPT = 64
_kept: dict[tuple[str, Goal], tuple[Puzzle, ...]] = {}
"""Puzzles that were made on demand, by game and goal."""


class NoPuzzles(MnkalaError):
    """There are none of that kind."""


def puzzle_set(rules: Rules, goal: Goal, stop: Stop | None = None) -> tuple[Puzzle, ...]:
    """All puzzles of a board with a goal; an error once `stop` is raised while they are being made."""
    family = puzzles_of(rules)
    family.check_possible(rules, goal)
    game = rules.game_string()
    found = _shipped(game).get(goal) or _made(rules, goal, stop or Stop())
    if not found:
        raise NoPuzzles(f"no puzzle {family.in_words(goal)} was found on {game}; try another kind or another board")
    return found


def check_possible(rules: Rules, goal: Goal) -> None:
    """Raise an error that says why, if a board cannot have puzzles with a goal. Nothing is searched for it."""
    puzzles_of(rules).check_possible(rules, goal)


def is_ready(rules: Rules, goal: Goal) -> bool:
    """Whether puzzles of this kind come with the package, so that nothing has to be made."""
    return goal in _shipped(rules.game_string())


@functools.lru_cache(maxsize=MOST_KEPT)
def _shipped(game: str) -> dict[Goal, tuple[Puzzle, ...]]:
    """Those that come with the package, by goal, the easy ones first."""
    rules = parse_game(game)
    file = family_of(rules).file("puzzles", game)
    if file is None:
        return {}
    family = puzzles_of(rules)
    found = [family.read(json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]
    goals = {puzzle.goal for puzzle in found}
    return {goal: tuple(sorted((puzzle for puzzle in found if puzzle.goal == goal), key=lambda puzzle: puzzle.grade.stars))
            for goal in goals}


def _made(rules: Rules, goal: Goal, stop: Stop) -> tuple[Puzzle, ...]:
    """Some for another board, within a time that a person waits."""
    key = (rules.game_string(), goal)
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
        found = tuple(make_puzzles(rules, [goal], ON_DEMAND, SEED, stop=stop))
    finally:
        timer.cancel()
    if stop.is_set() and not late.is_set():
        raise NoPuzzles("the search for puzzles was stopped")
    while len(_kept) >= MOST_KEPT:
        _kept.pop(next(iter(_kept)), None)
    _kept[key] = found
    return found
