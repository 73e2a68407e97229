"""Puzzles of every family that has them: made, shipped and played.

Positions come from games of careful players. A solver proves every claim of a puzzle; the
families (`Family.puzzles`) decide what is to be found and how hard that is.

While a puzzle is played, the solver judges every move and the best defence answers; a hint and
the solution can be asked for at any time. The first move of a puzzle has one solution. Later
more than one move may do, and each of them is right.

Some puzzles come with the package, made in advance by its own solver; for other boards some are
made on demand. The shipped ones lie with the family of the game, in `puzzles`. Each file is the
output of a command, so it can be made again:

- `connect4.jsonl`: `mnkala puzzles connect4 --win-in 3..8 -n 180 --seed 6 --json`

- `gomoku.jsonl`: `mnkala puzzles gomoku -n 48 --seed 1 --json`

- `tictactoe.jsonl`: `mnkala puzzles tictactoe -n 24 --seed 1 --json`

- `kalah.jsonl`: `mnkala puzzles kalah --kind only-move,longest-chain,save -n 60 --seed 0 --json`
"""

from __future__ import annotations

import dataclasses
import functools
import json
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mnkala.core import Position, Rules, parse_game
from mnkala.core.registry import families, family_of
from mnkala.errors import BadGame, MnkalaError
from mnkala.explain.contract import Reason
from mnkala.play.puzzle_contract import Attempt, BadPuzzle, Goal, Puzzle, PuzzleFamily
from mnkala.search import Stop


def find_puzzles(rules: Rules) -> PuzzleFamily[Any] | None:
    """The puzzles of a game, or None if it has none."""
    return next((puzzles for puzzles in family_of(rules).puzzles() if puzzles.fits(rules)), None)


def puzzles_of(rules: Rules) -> PuzzleFamily[Any]:
    """The puzzles of a game; an error says which games have some if it has none."""
    found = find_puzzles(rules)
    if found is None:
        boards = ", and for ".join(puzzles.boards for puzzles in offered_puzzles())
        raise BadGame(
            f"there are no puzzles for {rules.game_string()}; there are puzzles for {boards}"
        )
    return found


def offered_puzzles() -> list[PuzzleFamily[Any]]:
    """The puzzles of all families, in the order of the families."""
    return [puzzles for family in families() for puzzles in family.puzzles()]


def check_puzzles(rules: Rules, goals: Sequence[Goal], count: int) -> PuzzleFamily[Any]:
    """The puzzle family of a game; raises an error with the reason if it cannot have the puzzles
    asked for."""
    family = puzzles_of(rules)
    family.check_goals(goals)
    if count < 1:
        raise BadPuzzle(f"{count} puzzles; at least 1 is needed")
    return family


def make_puzzles(
    rules: Rules,
    goals: Sequence[Goal],
    count: int,
    seed: int = 0,
    *,
    stop: Stop | None = None,
    report: Callable[[int, int], None] | None = None,
) -> Iterator[Puzzle]:
    """Make up to `count` puzzles, spread over the goals, the same for the same seed; fewer if
    the board has no more or `stop` is set. `report` is called with the numbers of puzzles found
    and games searched."""
    family, stop = check_puzzles(rules, goals, count), stop or Stop()
    rng = random.Random(f"{rules.game_string()} {seed}")
    maker = family.maker(rules, stop)
    shares = {goal: count // len(goals) + (i < count % len(goals)) for i, goal in enumerate(goals)}
    found = games = idle = 0
    while found < count and idle < 3 * family.patience and not stop.is_set():
        wanted = {goal for goal in goals if shares[goal] > 0 or idle >= family.patience}
        puzzle = maker.from_game(maker.game(rng), wanted)
        games, idle = games + 1, idle + 1
        if puzzle is not None and not stop.is_set():
            found, idle = found + 1, 0
            shares[puzzle.goal] -= 1
            yield puzzle
        if report is not None:
            report(found, games)


def left_after(position: Position, goal: Goal, played: tuple[str, ...] | list[str] = ()) -> Goal:
    """The remaining goal of a puzzle after some moves; raise an error with the reason if there
    is none or it cannot be reached."""
    return puzzles_of(position.rules).left(position, goal, played)


def attempt(
    position: Position,
    left: Goal,
    move: str,
    *,
    seconds: float | None = None,
    stop: Stop | None = None,
) -> Attempt:
    """Judge a move in a position in which something is left to do."""
    family = puzzles_of(position.rules)
    family.left(position, left, ())
    position.play(move)
    with family.judge(position, seconds, stop) as judge:
        tried = family.attempt(judge, position, left, move)
    return tried if tried.right else dataclasses.replace(tried, said=family.refusal(tried, left))


def solution(
    position: Position, left: Goal, *, seconds: float | None = None, stop: Stop | None = None
) -> tuple[str, ...]:
    """The solution from a position of the puzzle; raise an error if there is none."""
    family = puzzles_of(position.rules)
    family.left(position, left, ())
    with family.judge(position, seconds, stop) as judge:
        return family.solution(judge, position, left)


def reasons_for(position: Position, line: tuple[str, ...]) -> tuple[Reason, ...]:
    """Why the first move of a solution is the one to play."""
    return puzzles_of(position.rules).reasons(position, line)


ON_DEMAND = 6
"""The number of puzzles made for each goal of a board that comes without any."""
ON_DEMAND_SECONDS = 8.0
SEED = 1
MOST_KEPT = 64
_kept: dict[tuple[str, Goal], tuple[Puzzle, ...]] = {}
"""Puzzles that were made on demand, by game and goal."""


class NoPuzzles(MnkalaError):
    """There are no puzzles of that kind."""


def puzzle_set(rules: Rules, goal: Goal, stop: Stop | None = None) -> tuple[Puzzle, ...]:
    """All puzzles of a board with a goal; an error if `stop` is set while they are being made."""
    family = puzzles_of(rules)
    family.check_possible(rules, goal)
    game = rules.game_string()
    found = _shipped(game).get(goal) or _made(rules, goal, stop or Stop())
    if not found:
        raise NoPuzzles(
            f"no puzzle {family.in_words(goal)} was found on {game}; try another kind or another board"
        )
    return found


def check_possible(rules: Rules, goal: Goal) -> None:
    """Raise an error with the reason if a board cannot have puzzles with a goal, without
    searching for one."""
    puzzles_of(rules).check_possible(rules, goal)


def is_ready(rules: Rules, goal: Goal) -> bool:
    """Whether puzzles of this kind come with the package, so that none have to be made."""
    return goal in _shipped(rules.game_string())


@functools.lru_cache(maxsize=MOST_KEPT)
def _shipped(game: str) -> dict[Goal, tuple[Puzzle, ...]]:
    """The puzzles that come with the package, by goal, the easy ones first."""
    rules = parse_game(game)
    file = family_of(rules).file("puzzles", game)
    if file is None:
        return {}
    family = puzzles_of(rules)
    found = [
        family.read(json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()
    ]
    goals = {puzzle.goal for puzzle in found}
    return {
        goal: tuple(
            sorted(
                (puzzle for puzzle in found if puzzle.goal == goal),
                key=lambda puzzle: puzzle.grade.stars,
            )
        )
        for goal in goals
    }


def _made(rules: Rules, goal: Goal, stop: Stop) -> tuple[Puzzle, ...]:
    """Make some puzzles for another board, within a time that a person will wait."""
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
